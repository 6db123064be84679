"""Cuts the text of a rules file into pieces, one for each line that begins in column 1, with tokens
and layout.
"""

from __future__ import annotations

import re

import lark
from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.diagnostics.span import Span
from rulekit.common.invisible_characters import is_blank, is_hidden, named

_MAX_QUOTED_CHARACTERS = 40  # characters of a faulty number that a message quotes
MAX_BRACKETS = 100
MAX_DEPTH = 150  # of an expression: brackets and chained operators together
MAX_INDENTS = 40
MAX_TOKENS = 150_000  # words and signs of a file: some 18,000 lines
MAX_FAULTS = 50
MAX_DIGITS = 9
MAX_NAME = 80

_TOKEN = re.compile(
    r"(?P<WORD>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<DICE>[0-9]{1,6}d[0-9]{1,6}(?![A-Za-z0-9_]))"
    r"|(?P<INT>[0-9]+(?![A-Za-z0-9_]))"
    r'|(?P<STRING>"[^"]*")'
    r"|(?P<COMMENT>\#.*)"
    r"|(?P<SIGN>:=|\+=|-=|->|\?\?|\.\.|!=|<=|>=|(?<!=)=(?!=)|[-+*/<>?.,:|(){}\[\]])"
    r"|(?P<SPACE>[ ]+)"
    r"|(?P<BAD>[0-9][A-Za-z0-9_]*|==|&&|\t+|\r$|.)",
    re.DOTALL,
)
_DEEPENING = (
    "+ - * / ?? . = != < > <= >= and or not if where as is has only all in some no count the reach"
)
_DEEPER = frozenset(_DEEPENING.split())
_CLOSERS = {")": "(", "]": "[", "}": "{"}
_INSTEAD = {
    "==": "'='",
    "&&": "'and'",
    "&": "'and'",
    "!": "'not'",
    "\u2264": "'<='",
    "\u2265": "'>='",
    "\u2260": "'!='",
    "\u2013": "'-'",
    "\u2014": "'-'",
    "\u2212": "'-'",
    "\u00d7": "'*'",
    "\u00f7": "'/' with 'up' or 'down'",
    "\u201c": 'a straight quote (")',
    "\u201d": 'a straight quote (")',
    "'": 'a double quote (")',
    "\u2018": 'a double quote (")',
    "\u2019": 'a double quote (")',
    "\u2026": "'..'",
    "%": "'/' with 'up' or 'down'",
}


class Token(lark.Token):
    """A word, number, text, sign or mark of layout.

    The `type` of a word is decided during parsing (lexer.py).
    """

    __slots__ = ("adjacent", "file", "following", "head")

    line: int
    column: int
    end_column: int
    value: str
    file: str
    head: bool  # the first of its line
    adjacent: bool  # no space before it
    following: Token | None

    def __new__(cls, type: str, value: str, file: str, line: int, column: int) -> Token:
        made: Token = super().__new__(
            cls, type, value, None, line, column, line, column + len(value)
        )  # type: ignore[assignment]
        made.file = file
        made.head = made.adjacent = False
        made.following = None
        return made

    @property
    def span(self) -> Span:
        return Span(self.file, self.line, self.column, self.line, self.end_column)


@define(slots=True)
class DeclarationText:
    """The text of one top-level declaration.

    A piece with a `fault` from the scanner is not parsed. `read` is True if it became a
    declaration, even with a fault.
    """

    first_line: int
    tokens: list[Token] = field(factory=list)
    last_line: int = 0
    fault: Diagnostic | None = None
    read: bool = False
    lines: list[tuple[int, int]] = field(
        factory=list
    )  # (line, depth of its block) of each line that is not a continuation


@define(slots=True)
class Scan:
    pieces: list[DeclarationText]
    comments: dict[int, tuple[int, str]]  # line -> (column, text)
    too_long: Span | None = None  # where a file that is too long was given up


class Scanner:
    """Cuts a text into pieces and tokens. A fault ends the reading of its piece, not of the
    file.
    """

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.text = text
        self.pieces: list[DeclarationText] = []
        self.comments: dict[int, tuple[int, str]] = {}
        self.piece = DeclarationText(1)
        self.count = 0
        self.faults = 0
        self.brackets: list[Token] = []
        self.depths, self.depth = [0], 0  # operators open in each bracket, and their sum
        self.indents = [1]

    def run(self) -> Scan:
        too_long = None
        for number, line in enumerate(self.text.split("\n"), 1):
            self._line(number, line)
            if self.count > MAX_TOKENS:
                too_long = Span(self.file, number, 1, number, 2)
                break
            if self.faults > MAX_FAULTS:
                break
        self._close_piece()
        return Scan(self.pieces, self.comments, too_long)

    # ------------------------------------------------------------------------------------------ pie
    def _line(self, number: int, line: str) -> None:
        if is_blank(line):
            return
        first = line[0]
        if not (is_blank(first) or first == "#") and not (self.brackets and first in ")]}"):
            self._close_piece()
            self.piece = DeclarationText(number)
            self.pieces.append(self.piece)
        elif not self.pieces and not line.lstrip().startswith("#"):
            self.pieces.append(self.piece)
            self.piece.first_line = number
            column = len(line) - len(line.lstrip()) + 1
            self._fault(
                "RK205",
                Span(self.file, number, column, number, len(line) + 1),
                "this indented line belongs to no declaration",
                "a declaration begins in the first column",
            )
        if self.piece.fault:
            return
        tokens = self._tokens(number, line)
        self.count += len(tokens)
        if tokens and not self.piece.fault:
            self.piece.last_line = number
            self._lay_out(tokens)

    def _close_piece(self) -> None:
        piece = self.piece
        if piece.tokens and not piece.fault:
            if self.brackets:
                opened = self.brackets[-1]
                self._fault(
                    "RK207",
                    opened.span,
                    f"this '{opened.value}' is never closed",
                    f"close it with '{_closer(opened.value)}' before the next declaration",
                )
            else:
                last = piece.tokens[-1]
                piece.tokens += [
                    Token("_DEDENT", "", self.file, last.line, last.column)
                    for _ in self.indents[1:]
                ]
                previous = piece.tokens[0]
                for token in piece.tokens[1:]:
                    previous.following = token
                    previous = token
        self.brackets = []
        self.depths, self.depth = [0], 0
        self.indents = [1]

    def _fault(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        label: str = "",
        second: Span | None = None,
        second_label: str = "",
    ) -> None:
        if self.piece.fault is None:
            self.faults += 1
            self.piece.fault = Diagnostic(
                code, message, span, help, label, "error", "", second, second_label
            )

    # ------------------------------------------------------------------------------------------ lay
    def _lay_out(self, tokens: list[Token]) -> None:
        """Add a line with its marks of layout.

        A line ends if no bracket is open. Indentation opens and closes blocks.
        """
        out = self.piece.tokens
        first = tokens[0]
        if not self.brackets:
            column = first.column
            first.head = True
            if column > self.indents[-1]:
                self.indents.append(column)
                out.append(Token("_INDENT", "", self.file, first.line, column))
                if len(self.indents) > MAX_INDENTS + 1:
                    self._fault(
                        "RK215",
                        first.span,
                        f"blocks are nested deeper than {MAX_INDENTS}",
                        "move a part to a procedure",
                    )
                    return
            columns = self.indents[1:]
            while column < self.indents[-1]:
                self.indents.pop()
                out.append(Token("_DEDENT", "", self.file, first.line, column))
            if column != self.indents[-1]:
                self._fault(
                    "RK204",
                    first.span,
                    "this line is indented like no line above it",
                    "the blocks that are open here begin in column"
                    f" {' and '.join(map(str, columns))}",
                )
                return
            self.piece.lines.append((first.line, len(self.indents) - 1))
        self._brackets(tokens)
        out += tokens
        if not self.brackets:
            last = tokens[-1]
            out.append(Token("_NL", "", self.file, last.line, last.end_column))

    def _brackets(self, tokens: list[Token]) -> None:
        """Match brackets and measure the depth of expressions."""
        for token in tokens:
            value = token.value
            if value in _DEEPER:
                self._deepen(token)
            elif value in _CLOSERS:
                opened = self.brackets.pop() if self.brackets else None
                if opened is None:
                    self._fault(
                        "RK208",
                        token.span,
                        f"this '{value}' closes nothing",
                        "remove it, or open the bracket before it",
                    )
                    return
                if opened.value != _CLOSERS[value]:
                    self._fault(
                        "RK208",
                        token.span,
                        f"'{value}' closes a '{opened.value}'",
                        f"close it with '{_closer(opened.value)}'",
                        "",
                        opened.span,
                        "opened here",
                    )
                    return
                self.depth -= self.depths.pop()
            elif value in ("(", "[", "{") and token.type != "STRING":
                if len(self.brackets) >= MAX_BRACKETS:
                    self._fault(
                        "RK214",
                        token.span,
                        f"brackets are nested deeper than {MAX_BRACKETS}",
                        "give a part of it a name with 'define'",
                    )
                    return
                self._deepen(token)
                self.brackets.append(token)
                self.depths.append(0)
            elif value in (",", "|"):
                self.depth -= self.depths[-1]
                self.depths[-1] = 0
        if not self.brackets:
            self.depths, self.depth = [0], 0

    def _deepen(self, token: Token) -> None:
        self.depths[-1] += 1
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self._fault(
                "RK217",
                token.span,
                "this expression is too long",
                "give a part of it a name with 'let' or 'define'",
            )

    # ------------------------------------------------------------------------------------------ tok
    def _tokens(self, number: int, line: str) -> list[Token]:
        out: list[Token] = []
        end = -1
        file = self.file
        for match in _TOKEN.finditer(line):
            kind = match.lastgroup
            if kind == "SPACE":
                continue
            start = match.start()
            value = match.group()
            if kind == "COMMENT":
                self.comments[number] = (start + 1, value.rstrip())
            elif kind == "BAD":
                rest = line[start:].lstrip()
                if value == "\r" or (
                    value[0] == "\t" and (out or not rest or rest[0] == "#")
                ):  # a tab counts where code is indented
                    continue
                self._bad(value, number, start + 1, len(line))
                return out
            else:
                assert kind is not None
                if len(out) > MAX_TOKENS:
                    return out
                token = Token(kind, value, file, number, start + 1)
                token.adjacent = start == end
                end = match.end()
                out.append(token)
                if len(value) > MAX_DIGITS and kind in ("INT", "WORD") and self._too_long(token):
                    return out
        return out

    def _too_long(self, token: Token) -> bool:
        if token.type == "INT":
            self._fault(
                "RK216",
                token.span,
                f"this number has more than {MAX_DIGITS} digits",
                "use a smaller number",
            )
        elif len(token.value) > MAX_NAME:
            self._fault(
                "RK225",
                token.span,
                f"this name has more than {MAX_NAME} characters",
                "use a shorter name",
            )
        return self.piece.fault is not None

    def _bad(self, value: str, line: int, column: int, length: int) -> None:
        at = Span(self.file, line, column, line, column + len(value))
        if value[0] == "\t":
            self._fault(
                "RK203",
                at,
                "a tab",
                "indent with spaces, two for each level; `rulekit fmt` replaces tabs if all"
                " indentation is tabs",
            )
        elif value == '"':
            self._fault(
                "RK209",
                Span(self.file, line, column, line, length + 1),
                "this text has no closing quote",
                "a text ends on the line where it begins; close it with '\"'",
            )
        elif value[0].isascii() and value[0].isdigit():
            self._bad_number(value, at)
        else:
            shown = (
                f"'{value}'"
                if value.isprintable()
                else f"the invisible character {named(value[0])}"
                if is_hidden(value[0])
                else f"the character U+{ord(value[0]):04X}"
            )
            help = (
                "end the line here and begin a new one"
                if value[0] in "\u2028\u2029\x85\x0b\x0c"
                else "write a plain space instead"
                if value.isspace()
                else f"write {_INSTEAD[value]} instead"
                if value in _INSTEAD
                else ""
            )
            if not help and value.isalpha():
                help = (
                    "names have only the letters a to z, digits and '_'; use other letters only in"
                    " texts"
                )
            if not help and value == ";":
                help = "write each statement on a line of its own, without a mark at its end"
            self._fault("RK202", at, f"{shown} has no meaning here", help or "remove it")

    def _bad_number(self, value: str, at: Span) -> None:
        digits = re.match("[0-9]+", value)
        number = digits.group() if digits else value
        if len(number) > MAX_DIGITS:
            self._fault(
                "RK216",
                at,
                f"this number has more than {MAX_DIGITS} digits",
                "use a smaller number",
            )
        elif len(value) > _MAX_QUOTED_CHARACTERS:
            self._fault(
                "RK219", at, "a number that runs into letters", "a name begins with a letter"
            )
        else:
            rest = value[len(number) :]
            self._fault(
                "RK219",
                at,
                f"'{value}' is neither a number nor a name",
                f"a name begins with a letter; a number and its unit stand apart: '{number}"
                f" {rest}'",
            )


def _closer(opened: str) -> str:
    return {"(": ")", "[": "]", "{": "}"}[opened]
