"""Detection of invisible characters, and a normal form that is the same for texts that look
alike.
"""

from __future__ import annotations

import unicodedata

# Letters and signs that are drawn as nothing: fillers of Hangul, the empty pattern of Braille,
# joiners and variation selectors.
_EMPTY = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u2800\u3164\uffa0") | {
    chr(c) for c in range(0xFE00, 0xFE10)
}


def is_unseen(char: str) -> bool:
    """Return True if a character is invisible: a blank, a layout mark, or drawn as nothing."""
    return (
        char.isspace()
        or char in _EMPTY
        or unicodedata.category(char) in ("Cf", "Cc", "Zs", "Zl", "Zp")
    )


def is_blank(text: str) -> bool:
    """Return True if no character of a text is visible."""
    return not text.strip() or all(map(is_unseen, text))


def named(char: str) -> str:
    """Return an invisible character in words."""
    return f"U+{ord(char):04X} ({(unicodedata.name(char, '') or 'control character').lower()})"


def is_hidden(char: str) -> bool:
    """Return True if nobody would notice a character in a displayed text."""
    return char not in " \t\n" and is_unseen(char)


def bare(text: str) -> str:
    """Strip invisible characters from both ends of a text."""
    text = text.strip()
    while text and is_unseen(text[0]):
        text = text[1:]
    while text and is_unseen(text[-1]):
        text = text[:-1]
    return text


def alike(text: str) -> str:
    """Return a form that is the same for all texts that look the same: one form and case of
    letters, one space between words, no invisible characters.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c for c in plain if c.isspace() or not is_unseen(c)).split())
