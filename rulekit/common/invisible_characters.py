"""Tells what of a text nobody sees, and makes the form in which two texts that look alike are the
same."""

from __future__ import annotations

import unicodedata

# Letters and signs that are drawn as nothing: fillers of Hangul, the empty pattern of Braille,
# joiners and selectors of variants.
_EMPTY = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u2800\u3164\uffa0") | {
    chr(c) for c in range(0xFE00, 0xFE10)
}


def is_unseen(char: str) -> bool:
    """Is nothing to be seen of a character: is it a blank, a mark of layout, or drawn as
    nothing?"""
    return (
        char.isspace()
        or char in _EMPTY
        or unicodedata.category(char) in ("Cf", "Cc", "Zs", "Zl", "Zp")
    )


def is_blank(text: str) -> bool:
    """Is nothing to be seen of a text?"""
    return not text.strip() or all(map(is_unseen, text))


def named(char: str) -> str:
    """A character that is not seen, in words."""
    return f"U+{ord(char):04X} ({(unicodedata.name(char, '') or 'control character').lower()})"


def is_hidden(char: str) -> bool:
    """Would nobody know of a character that it stands in a text that is shown?"""
    return char not in " \t\n" and is_unseen(char)


def bare(text: str) -> str:
    """A text without what is not seen at its two ends."""
    text = text.strip()
    while text and is_unseen(text[0]):
        text = text[1:]
    while text and is_unseen(text[-1]):
        text = text[:-1]
    return text


def alike(text: str) -> str:
    """The same for all texts that look the same: letters of one form and size, one space between
    words, nothing that is not seen."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c for c in plain if c.isspace() or not is_unseen(c)).split())
