"""Decides during parsing whether each word is a keyword or a name.

A word is a keyword only where the parser can continue with it. Reserved words are never names.
"""

from __future__ import annotations

import re
from typing import Any

from lark.exceptions import UnexpectedToken

from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.ast_builder import SyntaxFault
from rulekit.compiler.syntax.scanner import Token

_RESERVED = (
    "and or not in is has only where if else as when by it here none true false first applies leave"
    " return"
)
RESERVED = frozenset(_RESERVED.split()).union(
    *t.PLAIN.values()
)  # with the words that an expression begins with

_DIE = re.compile(r"d[0-9]{1,6}\Z")
_UNIT = re.compile(r"[A-Z][A-Z0-9]+\Z")
_CALLS_ON = frozenset(
    [".", ":=", "+=", "-=", "when", "ref"]
)  # what follows a name that begins a line

Cursor = (
    Any  # lark's InteractiveParser, whose methods bear no types: feed_token, choices, accepts, copy
)

KEYWORDS: dict[
    str, str
] = {}  # word or sign -> terminal of the grammar; filled when the grammar is loaded


class ReservedWord(Exception):
    """Raised for a reserved word where only a name can stand."""

    def __init__(self, token: Token) -> None:
        super().__init__(token.value)
        self.token = token


def feed(cursor: Cursor, token: Token, previous: str) -> Cursor:
    """Decide the type of a token, feed it to the parser, and return the parser that has accepted
    it.

    Args:
        previous: the terminal before it.
    """
    if token.type == "SIGN":
        token.type = KEYWORDS[token.value]
    elif token.type == "WORD":
        choices = cursor.choices()
        word = KEYWORDS.get(token.value, "")
        if word in choices and "NAME" in choices and token.value not in RESERVED:
            return _feed_word_or_name(cursor, token, word)
        token.type = _settled(cursor, token, previous, word)
    cursor.feed_token(token)
    return cursor


def _feed_word_or_name(cursor: Cursor, token: Token, word: str) -> Cursor:
    """Feed a word that could be both.

    It is a keyword if its context suggests one and the parser accepts it, otherwise a name if that
    fits.
    """
    if _meant(token):
        before = cursor.copy(deepcopy_values=False)
        token.type = word
        try:
            cursor.feed_token(token)
            return cursor
        except (
            UnexpectedToken,
            SyntaxFault,
        ):  # of what it reduces before it sees that the word does not fit
            cursor = before
    accepted = cursor.accepts()
    token.type = "NAME" if "NAME" in accepted and not (word in accepted and _meant(token)) else word
    cursor.feed_token(token)
    return cursor


def _settled(cursor: Cursor, token: Token, previous: str, word: str) -> str:
    """Return the terminal of a word that can only be one thing here.

    Args:
        word: its terminal as a keyword, or "" if it is none.
    """
    choices, text = cursor.choices(), token.value
    if previous == "INT" and "UNIT_NAME" in choices and _UNIT.match(text):
        return "UNIT_NAME"
    if word in choices:
        return word
    if "DICE" in choices and _DIE.match(text):
        return "DICE"
    if text in RESERVED:
        if "NAME" in choices:
            accepted = cursor.accepts()
            if "NAME" in accepted and "INT" not in accepted:
                raise ReservedWord(token)
        return word or "NAME"
    return "NAME"


def _meant(token: Token) -> bool:
    """Return True if the tokens after a word suggest that it is the keyword, not a name."""
    following = token.following
    if following is None:
        return True
    word = token.value
    if word in ("start", "end"):
        return following.value == "of"
    if word == "group":
        return following.type == "WORD" and following.value != "from"
    if word in ("grid", "lines"):
        return following.type == "INT"
    if word == "round":
        return following.value in ("up", "down")
    if word in ("set", "reach"):
        return following.type == "WORD" and following.value != "when"
    if not token.head or word == "setup":
        return True
    if following.type == "_NL" or following.value in _CALLS_ON:
        return following.value == "ref" and (
            following.following is None or following.following.type != "STRING"
        )
    return not (following.value == "(" and following.adjacent)
