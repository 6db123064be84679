"""Names of a game: where each is declared, with its comment and paragraph, and where it is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import GameError
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.syntax import ast
from rulekit.compiler.syntax.parser import parse

_TEXT = re.compile(r'"[^"\n]*"')


@attrs.frozen
class DeclaredName:
    """A declaration of a name.

    Attributes:
        what: the first words of the declaration, such as `total` or `replace define`.
        place: file and line.
        text: its first line without comment and citation, or the values of a member.
        comment: the comment on the line, or the lines of comment above it.
        ref: the cited paragraphs.
    """

    what: str
    place: str
    text: str
    comment: str = ""
    ref: tuple[str, ...] = ()


@attrs.frozen
class NameUse:
    """A line of rules, data or situations with the name."""

    place: str
    text: str


@attrs.frozen
class GameName:
    """What a game says of a name."""

    name: str
    declared: tuple[DeclaredName, ...]
    used: tuple[NameUse, ...]
    situations: tuple[str, ...]


def source_of(folder: Path) -> GameSource:
    """Return the files of a game and its libraries.

    Raises:
        GameError: a file cannot be read.
    """
    sink = Sink()
    source = read_game(folder, sink)
    if source is None:
        raise GameError(sink.in_order(), sink.texts)
    return source


def game_name(source: GameSource, name: str) -> GameName | None:
    """Return what there is about a name of a game and its libraries, or None."""
    declared = [*_in_rules(source, name), *_in_data(source, name), *_rulings(source, name)]
    if not declared:
        return None
    places = {each.place for each in declared}
    used = [each for each in _lines(source, name) if each.place not in places]
    return GameName(name, tuple(declared), tuple(used), tuple(_situations(source, name)))


def names_of(source: GameSource) -> set[str]:
    """Return all names that a game declares, for a guess."""
    found = {m.id for kind in source.kinds for m in kind.members} | {r.id for r in source.rulings}
    for rules in source.rules:
        for _, declaration in _declarations(rules.text, rules.path):
            found |= set(_names(declaration))
    return found


def _in_rules(source: GameSource, name: str) -> Iterator[DeclaredName]:
    for rules in source.rules:
        lines = rules.text.split("\n")
        for words, declaration in _declarations(rules.text, rules.path):
            owner = f"{words[2]}." if words[1:2] == ("of",) and words[0] == "clause" else ""
            if name not in (*_names(declaration), *(owner + n for n in _names(declaration))):
                continue
            at = declaration.span.line
            head, comment = _head(lines, at)
            ref = tuple(getattr(declaration, "ref", ()))
            what = " ".join(words)
            yield DeclaredName(what, f"{rules.path}:{at}", head, comment, ref)


def _declarations(text: str, path: str) -> Iterator[tuple[tuple[str, ...], ast.NodeSyntax]]:
    """Yield the declarations of a file, also those inside kinds, with their first words."""
    for declaration in parse(text, path, Sink()).decls:
        if isinstance(declaration, ast.Replace):
            yield ("replace", _word(declaration.decl)), declaration.decl
            continue
        yield (_word(declaration),), declaration
        if isinstance(declaration, ast.KindDecl):
            for item in declaration.items:
                yield (_word(item), "of", declaration.name), item
            for member in declaration.members:
                yield ("member", "of", declaration.name), member
        if isinstance(declaration, ast.MembersDecl):
            for member in declaration.members:
                yield ("member", "of", declaration.kind), member
        for clause in getattr(declaration, "clauses", ()):
            if isinstance(clause, ast.NodeSyntax):
                yield ("clause", "of", getattr(declaration, "name", "")), clause


def _word(declaration: ast.NodeSyntax) -> str:
    """Return the word that begins a declaration: `total` for a `TotalDecl`."""
    if isinstance(declaration, ast.OptionDecl):
        return declaration.word
    name = type(declaration).__name__
    return name.removesuffix("Decl").removesuffix("Syntax").lower()


def _names(declaration: ast.NodeSyntax) -> tuple[str, ...]:
    """Return the names that a declaration gives: `march_cost`, or `march_cost.uphill`."""
    names = getattr(declaration, "names", ())
    if names:
        return tuple(names)
    path = getattr(declaration, "path", None)
    if isinstance(path, tuple) and path:
        return (".".join(path), path[-1])
    name = getattr(declaration, "name", None)
    return (name,) if isinstance(name, str) and name else ()


def _head(lines: list[str], at: int) -> tuple[str, str]:
    """Return the first line of a declaration without its comment and citation, and its comment."""
    line = lines[at - 1] if 0 < at <= len(lines) else ""
    masked = _TEXT.sub(lambda match: "_" * len(match[0]), line)
    mark = masked.find("#")
    comment = line[mark + 1 :].strip() if mark >= 0 else ""
    head = line[:mark] if mark >= 0 else line
    above = list[str]()
    for each in reversed(lines[: at - 1]):
        if not each.lstrip().startswith("#"):
            break
        above.insert(0, each.strip().lstrip("# "))
    return re.sub(r'\s+ref "[^\n]*$', "", head).strip(), comment or " ".join(above)


def _in_data(source: GameSource, name: str) -> Iterator[DeclaredName]:
    for kind in source.kinds:
        for member in kind.members:
            if name in (member.id, member.id.rpartition(".")[2]):
                values = ", ".join(
                    f"{key}: {datum.value}"
                    for key, datum in member.values.items()
                    if not isinstance(datum.value, (dict, list))
                )
                place = f"{member.span.file}:{member.span.line}"
                yield DeclaredName(f"member of {kind.kind}", place, values, member.label or "")
    for key, datum in source.fixed.items():
        if name in (key, key.partition(".")[0]):
            place = f"{datum.span.file}:{datum.span.line}"
            yield DeclaredName("fixed value", place, f"{key}: {datum.value}")


def _rulings(source: GameSource, name: str) -> Iterator[DeclaredName]:
    for ruling in source.rulings:
        if ruling.id == name:
            answers = ", ".join(
                f"{answer} (default)" if answer == ruling.default else answer
                for answer in ruling.alternatives
            )
            place = f"{ruling.span.file}:{ruling.span.line}"
            text = f"{ruling.question} {answers}".strip()
            yield DeclaredName("ruling", place, text, ruling.reason, tuple(ruling.ref))


def _lines(source: GameSource, name: str) -> Iterator[NameUse]:
    """Yield the lines of rules that name something, without texts and comments."""
    pattern = re.compile(rf"(?<![\w]){re.escape(name)}(?![\w])")
    for rules in source.rules:
        for number, line in enumerate(rules.text.split("\n"), 1):
            bare = _TEXT.sub(lambda match: "_" * len(match[0]), line).partition("#")[0]
            if pattern.search(bare):
                yield NameUse(f"{rules.path}:{number}", line.strip())


def _situations(source: GameSource, name: str) -> Iterator[str]:
    """Yield the places of situations that name something."""
    pattern = re.compile(rf"(?<![\w]){re.escape(name)}(?![\w])")
    for path in source.situations:
        last, at = "", 0
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line.startswith("- name:"):
                last, at = line.removeprefix("- name:").strip(), number
            elif pattern.search(line) and last:
                yield f"{path.name}:{at} {last}"
                last = ""
