"""Takes the tokens of a piece while Lark parses them, settles what each word is: a word of the language or a name.

A word is a word of the language only where the parser can go on with it; the reserved ones never become names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lark.lexer import Lexer

from rulekit.syntax.scan import Token

_RESERVED = (
    "and or not in is has only where if else as when by it here none true false some no count the sum max min values first"
    " applies leave return"
)
RESERVED = frozenset(_RESERVED.split())

_DIE = re.compile(r"d[0-9]{1,6}\Z")
_UNIT = re.compile(r"[A-Z][A-Z0-9]+\Z")
_CALLS_ON = frozenset([".", ":=", "+=", "-=", "when", "ref"])  # what follows a name that begins a line

KEYWORDS: dict[str, str] = {}  # word or sign -> terminal of the grammar; filled when the grammar is loaded


class ReservedWord(Exception):
    """A reserved word where only a name can stand."""

    def __init__(self, token: Token) -> None:
        super().__init__(token.value)
        self.token = token


class WordLexer(Lexer):
    """The contextual lexer: asks the parser's tables what can come next."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        super().__init__()

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        states = parser_state.parse_conf.states
        previous = ""
        for token in lexer_state.text:
            if token.type == "WORD":
                token.type = _settle(token, previous, states[parser_state.state_stack[-1]], parser_state)
            elif token.type == "SIGN":
                token.type = KEYWORDS[token.value]
            previous = token.type
            yield token


def _settle(token: Token, previous: str, accepts: dict[str, Any], state: Any) -> str:
    word = token.value
    if previous == "INT" and "UNIT_NAME" in accepts and _UNIT.match(word):
        return "UNIT_NAME"
    terminal = KEYWORDS.get(word)
    if terminal is not None and terminal in accepts:
        if word in RESERVED:
            return terminal
        if not ("NAME" in accepts and can_follow(state, "NAME")):
            return terminal
        if can_follow(state, terminal) and _meant(token):
            return terminal
    if "DICE" in accepts and _DIE.match(word):
        return "DICE"
    if word in RESERVED:
        if "NAME" in accepts and can_follow(state, "NAME") and not can_follow(state, "INT"):
            raise ReservedWord(token)
        return terminal or "NAME"
    return "NAME"


def can_follow(state: Any, terminal: str) -> bool:
    """Whether the parser can shift this terminal, after the reductions that it asks for."""
    states = state.parse_conf.states
    stack = list(state.state_stack)
    while True:
        step = states[stack[-1]].get(terminal)
        if step is None:
            return False
        rule = step[1]
        if isinstance(rule, int):
            return True
        size = len(rule.expansion)
        if size:
            del stack[-size:]
        stack.append(states[stack[-1]][rule.origin.name][1])


def _meant(token: Token) -> bool:
    """Whether a word that could be both is the word of the language: what follows decides."""
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
        return False
    return not (following.value == "(" and following.adjacent)
