"""Explains a token that the parser cannot accept: names the token, and lists the alternatives in
plain words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.common.diagnostics.diagnostic import Diagnostic, guess
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.syntax.keywords import (
    CLAUSES,
    DECLARATIONS,
    ELSEWHERE,
    MEMBER_CLAUSES,
    OPTION_CLAUSES,
    STATEMENTS,
    form_of,
)
from rulekit.compiler.syntax.lexer import KEYWORDS
from rulekit.compiler.syntax.scanner import DeclarationText, Token

_STARTING = (
    "NAME INT LPAR LSQB LBRACE MINUS PLUS NOT SOME NO COUNT THE REACH IT HERE NONE TRUE FALSE SUM"
    " MAX MEDIAN MIN VALUES FIRST"
)
_FOLLOWING = "= != < > <= >= + - * / ?? .. . ( and or not in is has only all applies if where as to"
_STARTERS = frozenset(_STARTING.split())  # the terminals that begin an expression
_AFTER_VALUE = frozenset(_FOLLOWING.split())  # the words and signs that go on after one
_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "DICE": "dice such as 2d6",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
}
_CLOSING = {"(": "RPAR", "[": "RSQB", "{": "RBRACE"}
_QUANTORS = ("all", "only", "has", "every", "each", "any", "exists")
_MAX_LISTED_WORDS = 6
_STEP = (
    "a step is a call, an assignment with ':=', or begins with a word such as 'let', 'if', 'each',"
    " 'pick'"
)
_MEMBER = 'Kind NAME ["text"] [, attribute value]'


def explain(piece: DeclarationText, token: Any, expected: set[str]) -> Diagnostic:
    """Return the diagnostic for a token that does not fit.

    Args:
        expected: the terminals that the parser would accept instead.
    """
    line = _line_before(piece, token)
    if token.type == "_INDENT":
        first = token.following
        return Diagnostic(
            "RK205",
            "this line is indented, but the line above it does not begin a block",
            first.span,
            "begin it in the same column as the line above",
            _label(expected - {"_INDENT"}),
        )
    if "_INDENT" in expected and not (expected - {"_INDENT", "_DEDENT"}):
        return _block_missing(
            line if token.type in ("_DEDENT", "$END") else _line_above(piece, token)
        )
    if token.type in ("_DEDENT", "$END"):
        return _unfinished(line, expected)
    if expected == {"WHERE"}:  # a second name after a value could only be that of `x where`
        token = line[_index(line, token) - 1]
        expected = {*expected, *(KEYWORDS[word] for word in _AFTER_VALUE), _end_of(line, token)}
    return (
        _misplaced_head(piece, line, token, expected)
        or _unknown_head(line, token, expected)
        or _misfit(line, token, expected)
    )


def explain_first(tokens: Sequence[Token]) -> Diagnostic | None:
    """Return the diagnostic for a first word that begins no declaration, or None if it does.

    The block of a member begins with a kind. A kind may be called like a keyword, for example
    `Unit`. Then only the name of the member, a label and values may follow.
    """
    token = tokens[0]
    word = token.value
    block = word.lower() not in DECLARATIONS or (
        any(token.type in ("_NL", "STRING") or token.value == "," for token in tokens[2:3])
    )
    if word in DECLARATIONS or (token.type == "WORD" and word[0].isupper() and block):
        return None
    return _unknown_declaration(token)


def explain_reserved(token: Token, before: str = "") -> Diagnostic:
    """Return the diagnostic for a reserved word in the place of a name.

    Args:
        before: the text of the previous token.
    """
    if token.value == "as" and before in ("up", "down"):
        return Diagnostic(
            "RK210",
            "'as' cannot follow a rounded division",
            token.span,
            f"put the division in brackets: '(a / 2 {before}) as UNIT'",
            "brackets before this",
        )
    return Diagnostic(
        "RK210",
        f"'{token.value}' is a word of the language and cannot be a name",
        token.span,
        f"choose another name, such as '{token.value}_1' or a longer one",
        "a name belongs here",
    )


def _end_of(line: list[Token], token: Token) -> str:
    """Return the terminal that ends a value before a token: the end of the line, or the closing
    bracket.
    """
    open_ = [""]
    for each in line[: _index(line, token)]:
        if each.type in _CLOSING.values():
            open_.pop()
        elif each.value in _CLOSING and each.type != "STRING":
            open_.append(each.value)
    return _CLOSING.get(open_[-1], "_NL")


# ------------------------------------------------------------------------------------------------ c
def _block_missing(line: list[Token]) -> Diagnostic:
    head = line[0].value
    form = form_of(head, line[1].value if len(line) > 1 else "")
    return Diagnostic(
        "RK206",
        f"'{head}' begins a block, but no indented line follows",
        _span(line),
        (
            f"indent the lines that belong to it; the form is: {form}"
            if form
            else "indent the lines that belong to it"
        ),
        "an indented block must follow",
    )


def _unfinished(line: list[Token], expected: set[str]) -> Diagnostic:
    head = line[0].value
    label = _label(expected)
    return Diagnostic(
        "RK201",
        (
            f"something is missing after this line: {label}"
            if label
            else "this declaration is not finished"
        ),
        _span(line),
        _form_help(line) or f"complete '{head}'",
        label,
    )


def _unknown_declaration(token: Token) -> Diagnostic:
    word = token.value
    if word in ELSEWHERE:
        help = ELSEWHERE[word]
    elif word in STATEMENTS or word in CLAUSES:
        help = f"'{word}' belongs inside a declaration: indent the line"
    else:
        help = (
            guess(word, DECLARATIONS)
            or "a declaration begins with a word such as 'kind', 'state', 'define', 'phase',"
            " 'action'"
        )
    message = f"no declaration begins with {_shown(token)}"
    return Diagnostic("RK220" if word == "option" else "RK211", message, token.span, help)


def _misplaced_head(
    piece: DeclarationText, line: list[Token], token: Token, expected: set[str]
) -> Diagnostic | None:
    """Return a diagnostic for a clause below the statements, or for an `else` without its `if`."""
    head = line[0]
    if head is piece.tokens[0] or not any(t is token for t in line[:2]):
        return None
    if head.value == "else" and token is head:
        return Diagnostic(
            "RK224",
            "this 'else' follows no 'if'",
            head.span,
            "write 'else' in the column of its 'if', below its block",
        )
    if head.value == "for" and [token.value for token in line[2:3]] == ["in"]:
        return Diagnostic(
            "RK212",
            "no line begins with 'for' here",
            head.span,
            f"write a loop as: each {line[1].value} in ...",
        )
    clauses = MEMBER_CLAUSES if piece.tokens[0].type == "NAME" else OPTION_CLAUSES
    if head.value in clauses and (
        head.type == "NAME" or ("_DEDENT" in expected and "LET" in expected)
    ):
        return Diagnostic(
            "RK223",
            f"'{head.value}' cannot come after a step",
            head.span,
            "write the clauses of an option or a member first, and its steps below them",
        )
    return None


def _unknown_head(line: list[Token], token: Token, expected: set[str]) -> Diagnostic | None:
    """Return a diagnostic for a line whose first word begins no line here."""
    head = line[0]
    if head.type != "NAME" and not (token is head and token.type == "NAME"):
        return None
    if token is head:
        known = sorted(
            word for word, terminal in KEYWORDS.items() if terminal in expected and word.isalpha()
        )
    elif (
        len(line) > 1
        and token is line[1]
        and token.type not in ("EQUAL", "_NL")
        and token.value not in (")", "]", "}")
    ):
        known = sorted(STATEMENTS)
    else:
        return None
    word = head.value
    help = ELSEWHERE.get(word, "")
    if not help and token is not head and (word in CLAUSES or word in DECLARATIONS):
        help = f"'{word}' does not belong here; its form is: {form_of(word)}"
    help = help or guess(word, known)
    if not help:
        help = f"a line here begins with {_listed(known)}" if token is head else _STEP
    return Diagnostic(
        "RK220" if word == "option" else "RK212",
        f"no line begins with '{word}' here",
        head.span,
        help,
    )


def _misfit(line: list[Token], token: Token, expected: set[str]) -> Diagnostic:
    found = _shown(token)
    label = _label(expected)
    help = _hint(line, token, expected) or _form_help(line)
    if token.type == "_NL":
        message = "the line ends too early"
        if not help:
            help = "complete the line; inside brackets it may continue below"
    else:
        message = f"{found} does not fit here"
    return Diagnostic(
        "RK201",
        message,
        token.span if token.value else _end(token),
        help or _otherwise(found, label),
        label,
    )


def _otherwise(found: str, label: str) -> str:
    """Return the help if nothing better is known: the alternatives."""
    return (
        f"remove {found}, or write what can stand here ({label})"
        if label
        else f"remove {found}, or the words before it"
    )


def _hint(line: list[Token], token: Token, expected: set[str]) -> str:
    value = token.value
    previous = line[max(0, _index(line, token) - 1)]
    if value == "/" and "/" in (
        previous.value,
        *[t.value for t in line[_index(line, token) + 1 :][:1]],
    ):
        return "'#' begins a comment"
    step = any(
        t.type in ("NAME", "LPAR") or "=" in t.value for t in line[_index(line, token) + 1 :][:1]
    )  # another one on the line
    if token.type == "NAME" and value.islower() and previous.type == "INT" and not step:
        return f"write a unit in capitals: {previous.value} {value.upper()}"
    branches = {"if": "IF" not in expected, "then": "IF" in expected, "?": "IF" in expected}.get(
        value, False
    )
    if branches or (token.type == "_NL" and "ELSE" in expected):
        return "write a choice between two values as: x if condition else y"
    if previous.value in _QUANTORS and token.type in ("NAME", "WORD") and "IS" in expected:
        return "write the set before its test: S all condition, S has condition; or some S, no S"
    if value == "=" and KEYWORDS[":="] in expected:
        return "':=' assigns a value; '=' compares"
    if value == "=" and line[0].value == "extend" and line[2:]:
        return f"write members as: members {line[2].value} = ..."
    if value in (":=", "+=", "-=") and "EQUAL" in expected:
        return f"write '=' here; '{value}' is for assignments"
    if token.type == "INT" and previous.value == ".":
        return "numbers are whole; there are no decimals"
    if value == "to" and "_NL" in expected:
        return "a ratio 'a to b' can only be an argument: odds(a to b)"
    if value == "the" and "LPAR" in expected:
        words = [t.value for t in line[_index(line, token) :]]
        named = next(
            (i for i, word in enumerate(words) if i and i % 2 == 0 and word != "."), len(words)
        )
        return f"put it in brackets: ({words[0]} {''.join(words[1:named])})"
    if value == "/" or (
        token.type == "_NL" and "UP" in expected and any(t.value == "/" for t in line)
    ):
        return "a division needs a rounding: a / b up, or a / b down"
    if token.type in ("NAME", "STRING", "INT") and "_NL" in expected and line[0].column > 1:
        return "write each clause and each step on a line of its own"
    if token.type in ("IS", "EQUAL", "LESSTHAN", "MORETHAN", "IN") and "AND" in expected:
        return "join two comparisons with 'and' or 'or'"
    return ""


# ------------------------------------------------------------------------------------------------ w
def _form_help(line: list[Token]) -> str:
    if line[0].type == "NAME" and line[0].value not in DECLARATIONS:
        return f"the form is: {_MEMBER}" if line[0].column == 1 else ""
    form = form_of(line[0].value, line[1].value if len(line) > 1 else "")
    return f"the form is: {form}" if form else ""


def _shown(token: Token) -> str:
    if token.type == "_NL":
        return "the end of the line"
    if token.type == "INT":
        return f"the number {token.value}"
    if token.type == "STRING":
        return "a text"
    return f"'{token.value}'"


def _label(expected: set[str]) -> str:
    words = _expected_words(expected)
    return f"expected {_listed(words)}" if words else ""


def _expected_words(expected: set[str]) -> list[str]:
    """Return the words for the alternatives, the most informative first."""
    rest = set(expected) - {"_DEDENT", "UNIT_NAME", "$END"}
    out: list[str] = []
    operators = {KEYWORDS[word] for word in _AFTER_VALUE}
    statement = {"LET", "EACH", "PICK"} <= rest
    after_value = {"PLUS", "STAR"} <= rest and not statement
    if statement:
        out.append("a step")
        rest -= {KEYWORDS[word.split()[0]] for word in STATEMENTS} | _STARTERS
    elif after_value:
        rest -= operators | {"NAME"}
    elif {"NAME", "INT", "LPAR"} <= rest:
        out.append("an expression")
        rest -= _STARTERS
    elif {"NAME", "INT", "SET"} <= rest:
        out.append("a type")
        rest -= {"NAME", "INT", "SET", "PLUS", "MINUS"}
    elif "INT" in rest:
        rest -= {"PLUS", "MINUS"}
    if "WHERE" in rest:
        rest.discard("NAME")  # the name of an element, as in `Type t where`
    if len(rest - {"DOT", "LPAR", "REF"}) > 1:
        rest -= {"DOT", "LPAR"}
    out += [_WORDS[name] for name in ("NAME", "INT", "STRING", "DICE", "_INDENT") if name in rest]
    rest -= set(_WORDS) - {"_NL"}
    if len(rest) > 1 or out:
        rest.discard("REF")
    shown = {terminal: word for word, terminal in KEYWORDS.items()}
    out += sorted(f"'{shown[name]}'" for name in rest if name in shown)
    if after_value:
        out.append("an operator")
    if "_NL" in rest:
        out.append(_WORDS["_NL"])
    return out


def _listed(words: list[str]) -> str:
    words = [word if " " in word or word.startswith("'") else f"'{word}'" for word in words]
    if len(words) > _MAX_LISTED_WORDS:
        words = [*words[: _MAX_LISTED_WORDS - 1], "..."]
        return ", ".join(words)
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


# ------------------------------------------------------------------------------------------------ p
def _index(line: list[Token], token: Any) -> int:
    return next((i for i, t in enumerate(line) if t is token), len(line))


def _line_above(piece: DeclarationText, token: Any) -> list[Token]:
    index = _index(piece.tokens, token)
    while index > 1 and piece.tokens[index - 1].type in ("_NL", "_DEDENT", "_INDENT"):
        index -= 1
    return _line_of(piece, piece.tokens[index - 1])


def _line_of(piece: DeclarationText, token: Any) -> list[Token]:
    """Return the tokens of the line that contains a token, with its continuations."""
    tokens = piece.tokens
    index = min(_index(tokens, token), len(tokens) - 1)
    start = index
    while start > 0 and not tokens[start].head:
        start -= 1
    end = index
    while end < len(tokens) and tokens[end].type != "_NL":
        end += 1
    return tokens[start:end] or [tokens[start]]


def _line_before(piece: DeclarationText, token: Any) -> list[Token]:
    """Return the line of the token, or the line above for a mark of layout or the end of the
    text.
    """
    return (
        _line_above(piece, token)
        if token.type in ("_DEDENT", "_INDENT", "$END")
        else _line_of(piece, token)
    )


def _span(line: list[Token]) -> Span:
    return line[0].span.to(line[-1].span)


def _end(token: Token) -> Span:
    return Span(token.file, token.line, token.column, token.line, token.column + 1)
