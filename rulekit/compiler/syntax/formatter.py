"""Formats a rules file in its canonical form.

The form has two spaces for each level, single spaces between words, two before a `ref` or a
comment, and at most one blank line. Line breaks inside brackets and all comments stay. A
declaration that cannot be parsed is left unchanged.
"""

from __future__ import annotations

import re
from bisect import bisect
from itertools import pairwise

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.syntax import ast
from rulekit.compiler.syntax.parser import parse_scanned
from rulekit.compiler.syntax.scanner import DeclarationText, Token

_LAYOUT = frozenset(["_NL", "_INDENT", "_DEDENT"])
_OPENERS = frozenset("([{")
_CLOSERS = frozenset(")]}")
_TIGHT_BEFORE = frozenset([")", "]", "}", ",", ":", ".", "?"])
_TIGHT_AFTER = frozenset(["(", "[", "{", "."])
_CALLED = frozenset(
    ["NAME", "RPAR", "RSQB", "SUM", "MAX", "MIN", "VALUES", "FIRST", "SOME", "NO", "COUNT", "THE"]
)
_JOINS = frozenset(["+", "-", "*", "/", "??", "as"])  # operators that bind a number next to them
_STEP = 2
_CONTINUED = 4


def format_file(file: ast.File, text: str) -> str:
    """Return the canonical text of a file.

    Parsing it gives the same tree, and formatting it again changes nothing.
    """
    sink = Sink()
    _, scan = parse_scanned(text, file.path, sink)
    if not scan.pieces or any(
        d.code in ("RK213", "RK218") for d in sink.found
    ):  # not read to its end
        return text
    return _Formatter(text, scan.pieces, scan.comments).run()


def without_tabs(text: str) -> str:
    """Replace each tab of the indentation by two spaces, unless some line is indented with
    spaces.
    """
    begins = [
        line[: len(line) - len(line.lstrip(" \t"))] for line in text.split("\n") if line.strip()
    ]
    if not any(begins) or any(" " in begin for begin in begins):
        return text
    return re.sub(r"^\t+", lambda found: "  " * len(found.group()), text, flags=re.MULTILINE)


class _Formatter:
    """Formats the lines of a text from top to bottom."""

    def __init__(
        self, text: str, pieces: list[DeclarationText], comments: dict[int, tuple[int, str]]
    ) -> None:
        self.source = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        self.comments = comments
        self.code: dict[int, str] = {}  # line -> its code in canonical form
        self.column: dict[int, int] = {}  # line of code -> the column where it began
        self.indent: dict[int, int] = {}  # line of code -> the spaces before it now
        self.inside: set[int] = set()  # lines that continue a bracket
        self.verbatim: set[int] = set()
        self.rows: list[int] = []  # the lines of code, in order
        for index, piece in enumerate(pieces):
            end = pieces[index + 1].first_line if index + 1 < len(pieces) else len(self.source) + 1
            if piece.fault is not None:
                self.verbatim.update(range(piece.first_line, end))
            else:
                self._piece(piece)

    def run(self) -> str:
        out: list[str] = []
        self.rows = sorted(self.code)
        for number, line in enumerate(self.source, 1):
            if number in self.verbatim:
                out.append(line)
            elif number in self.code:
                out.append(self._code(number))
            elif number in self.comments:
                out.append(" " * self._comment_indent(number) + self.comments[number][1])
            elif out and out[-1]:
                out.append("")
        while out and not out[-1].strip():
            out.pop()
        return "\n".join(out) + "\n"

    # ------------------------------------------------------------------------------------------ cod
    def _piece(self, piece: DeclarationText) -> None:
        depths = dict(piece.lines)
        depth = 0
        row: list[Token] = []
        amount: Token | None = None
        for token in [*piece.tokens, None]:
            if token is not None and token.type in _LAYOUT:
                continue
            if row and (token is None or token.line != row[0].line):
                self._row(row, depth, row[0].line in depths, amount)
                row = []
            if token is None:
                break
            if not row and token.line in depths:
                depth = depths[token.line]
                amount = _amount(token)
            row.append(token)

    def _row(self, row: list[Token], depth: int, is_head: bool, amount: Token | None) -> None:
        number = row[0].line
        self.column[number] = row[0].column
        indent = _STEP * depth
        if not is_head:
            self.inside.add(number)
            if row[0].value not in _CLOSERS:
                indent += _CONTINUED
        self.indent[number] = indent
        parts = [row[0].value]
        tight = {
            id(sign) for at, sign in enumerate(row) if sign.value == ".." and _of_numbers(row, at)
        }
        for before, token in pairwise(row):
            parts += [
                "" if {id(before), id(token)} & tight else _gap(before, token, token is amount),
                token.value,
            ]
        self.code[number] = "".join(parts)

    def _code(self, number: int) -> str:
        line = " " * self.indent[number] + self.code[number]
        return f"{line}  {self.comments[number][1]}" if number in self.comments else line

    # ------------------------------------------------------------------------------------------ com
    def _comment_indent(self, number: int) -> int:
        """Return the indentation of a comment line.

        It is that of the line below if they were aligned before, otherwise that of the line above.
        """
        column = self.comments[number][0]
        if column == 1:
            return 0
        at = bisect(self.rows, number)
        above = self.rows[at - 1] if at else None
        below = self.rows[at] if at < len(self.rows) else None
        if below is not None and (self.column[below] == column or below in self.inside):
            return self.indent[below]
        if above is not None and self.column[above] <= column:
            return self.indent[above]
        return self.indent[below] if below is not None else 0


def _amount(head: Token) -> Token | None:
    """Return the token where the amount of a `modifier` or `set` begins, after its name."""
    if head.type not in ("MODIFIER", "SET"):
        return None
    path = head.following
    while path is not None and path.following is not None and path.following.value == ".":
        path = path.following.following
    return path.following if path is not None else None


def _of_numbers(row: list[Token], at: int) -> bool:
    """Return True if the sign `..` belongs to a range whose ends are only numbers: `1..6`, `-1..3`,
    not `a - 1 .. 3`.
    """
    low = at - 1
    high = at + 2 if at + 1 < len(row) and row[at + 1].type == "UNARY" else at + 1
    if low < 0 or high >= len(row) or row[low].type != "INT" or row[high].type != "INT":
        return False
    begin = low - 1 if low and row[low - 1].type == "UNARY" else low
    before, after = (row[i].value if 0 <= i < len(row) else "" for i in (begin - 1, high + 1))
    return before not in _JOINS and after not in _JOINS


def _gap(before: Token, after: Token, is_amount: bool) -> str:
    """Return the space between two tokens of a line."""
    if after.type == "REF":
        return "  "
    if (
        before.type == "UNARY"
        or before.value in _TIGHT_AFTER
        or after.type == "TIGHT"
        or before.type == "TIGHT"
    ):
        return ""
    if after.value in _TIGHT_BEFORE:
        return ""
    if after.value == "(" and before.type in _CALLED and not is_amount:
        return ""
    return " "
