"""Takes a token that the parser cannot go on with, makes the diagnostic: what was found, what could stand there, in plain words."""

from __future__ import annotations

from lark.exceptions import UnexpectedToken

from rulekit.base.diagnostic import Diagnostic
from rulekit.syntax.scan import Piece, Token


def explain(piece: Piece, why: UnexpectedToken) -> Diagnostic:
    token: Token = why.token  # type: ignore[assignment]
    return Diagnostic("RK201", f"'{token.value}' cannot stand here", token.span, "see the language reference")


def explain_reserved(token: Token) -> Diagnostic:
    return Diagnostic("RK210", f"'{token.value}' is a word of the language and cannot be a name", token.span, "choose another name")
