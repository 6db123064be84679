"""Parses a rules file into its syntax tree.

Syntax errors go to the sink, one finding for each wrong declaration. The other declarations are
still parsed.
"""

from __future__ import annotations

from lark.exceptions import UnexpectedToken

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.syntax import ast
from rulekit.compiler.syntax.ast_builder import SyntaxFault
from rulekit.compiler.syntax.lexer import Cursor, ReservedWord, feed
from rulekit.compiler.syntax.parser_tables import parser
from rulekit.compiler.syntax.scanner import MAX_FAULTS, MAX_TOKENS, DeclarationText, Scan, Scanner
from rulekit.compiler.syntax.syntax_errors import explain, explain_first, explain_reserved

MAX_CHARACTERS = 2_000_000


def parse(text: str, path: str, sink: Sink) -> ast.File:
    """Return the tree of a rules file with the declarations that could be parsed."""
    return parse_scanned(text, path, sink)[0]


def parse_scanned(text: str, path: str, sink: Sink) -> tuple[ast.File, Scan]:
    """Return the tree, and the tokens and comments that it was built from."""
    if len(text) > MAX_CHARACTERS:
        sink.error(
            "RK213",
            Span(path, 1, 1, 1, 2),
            f"this file has more than {MAX_CHARACTERS:,} characters",
            "divide it into several files of one folder",
        )
        return ast.File(path, (), span=Span(path, 1, 1, 1, 1)), Scan([], {})
    scan = Scanner(text.removeprefix("\ufeff"), path).run()
    if scan.too_long is not None:
        sink.error(
            "RK213",
            scan.too_long,
            f"this file has more than {MAX_TOKENS:,} words and signs",
            "divide it into several files of one folder",
        )
        return ast.File(path, (), span=Span(path, 1, 1, 1, 1)), Scan([], {})
    decls: list[ast.Decl] = []
    found = 0
    for piece in scan.pieces:
        decl, faults = parse_piece(piece)
        found += len(faults)
        if found > MAX_FAULTS:
            sink.error(
                "RK218",
                faults[0].span,
                f"more than {MAX_FAULTS} errors; the rest of the file was not read",
                "correct those above first",
            )
            break
        if faults:
            piece.fault = faults[0]
        for fault in faults:
            sink.add(fault)
        if decl is not None:
            piece.read = True
            decls.append(decl)
    lines = text.count("\n") + 1
    return (
        ast.File(path, tuple(decls), span=Span(path, 1, 1, lines, len(text) - text.rfind("\n"))),
        scan,
    )


def parse_piece(piece: DeclarationText) -> tuple[ast.Decl | None, list[Diagnostic]]:
    """Return one declaration, and the faults in it.

    A reserved word in the place of a name is reported and used as the name, so that references to
    the declaration can still be resolved. After any other fault, the declaration is None.
    """
    if piece.fault is not None:
        return None, [piece.fault]
    strange = explain_first(piece.tokens)
    if strange is not None:
        return None, [strange]
    cursor: Cursor = parser().parse_interactive()
    previous = before = ""
    faults: list[Diagnostic] = []
    try:
        for token in piece.tokens:
            try:
                cursor = feed(cursor, token, previous)
            except ReservedWord as why:
                faults.append(explain_reserved(why.token, before))
                token.type = "NAME"
                cursor.feed_token(token)
            previous, before = token.type, token.value
        decl: ast.Decl = cursor.feed_eof()
        return decl, faults
    except UnexpectedToken as why:
        return None, faults[:1] or [explain(piece, why.token, cursor.accepts())]
    except SyntaxFault as why:
        return None, faults[:1] or [why.diagnostic]
