"""Splits a typed move into tokens. It knows the words of the language, but no position."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag, auto

from attrs import frozen

from rulekit.engine.kernel.default_texts import DEFAULTS
from rulekit.engine.kernel.names import Names

ALL_WORDS = ("all", "tous", "toutes")
TO_WORDS = ("to", "vers")
GO, STOP, PASS = "go", "stop", "pass"  # keys of options


class Role(Flag):
    """The roles that a word can have in a move besides naming something."""

    NAME = 0
    ALL = auto()
    TO = auto()
    ADD = auto()
    LEAVE = auto()
    STOP = auto()


@frozen
class MoveToken:
    """One word of a typed move, with every role that it can have."""

    text: str
    roles: Role

    def has(self, role: Role) -> bool:
        """Return True if the word can have this role."""
        return role in self.roles


def move_words(text: str) -> list[str]:
    """Return the words of a typed move. Commas and semicolons separate words."""
    return text.replace(";", " ").replace(",", " ").split()


def token_of(word: str, names: Names) -> MoveToken:
    """Return a word as a token, in the language of `names`."""
    by_role = {
        Role.ALL: ALL_WORDS,
        Role.TO: TO_WORDS,
        Role.ADD: ("add", names.own("add", {}).casefold()),
        Role.LEAVE: (GO, "done", names.say(DEFAULTS[GO]), names.own(GO, {}).casefold()),
        Role.STOP: (STOP, names.say(DEFAULTS[STOP]), names.own(STOP, {}).casefold()),
    }
    roles = Role.NAME
    for role, words in by_role.items():
        if word.casefold() in words:
            roles |= role
    return MoveToken(word, roles)


def move_tokens(text: str, names: Names) -> list[MoveToken]:
    """Return the tokens of a typed move."""
    return [token_of(word, names) for word in move_words(text)]


def texts(tokens: Sequence[MoveToken]) -> list[str]:
    """Return the words of tokens as they were typed."""
    return [token.text for token in tokens]


def names_and_places(tokens: Sequence[MoveToken]) -> tuple[list[MoveToken], list[str]]:
    """Split tokens into those before the first `to`, and the places after each `to`."""
    at = [i for i, token in enumerate(tokens) if token.has(Role.TO)]
    if not at:
        return list(tokens), []
    return list(tokens[: at[0]]), [
        " ".join(texts(tokens[a + 1 : z])) for a, z in zip(at, [*at[1:], len(tokens)], strict=True)
    ]
