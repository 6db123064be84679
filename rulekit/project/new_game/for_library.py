"""Writes a new game that uses libraries: with declarations for everything that their rules need."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import GameError, RulekitError
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import near
from rulekit.compiler.source.locate import (
    find_game,
    find_library,
    is_library,
    known_games,
    rules_files,
)
from rulekit.compiler.source.map_and_pieces import entries, items
from rulekit.compiler.source.text_file import read_text
from rulekit.compiler.source.yaml_reader import parse_yaml
from rulekit.compiler.syntax import ast
from rulekit.compiler.syntax.parser import parse
from rulekit.project.new_game.options import NewGame, refuse_name

_TODO = "  # TODO"
_EXAMPLE = "one"  # a member of a kind that the library leaves without members
_FIRST = """\
# What the library leaves to the game. Change each line that says TODO.
# `rulekit check .` names what is missing; at first that is the map, the pieces and the other data.
"""


def new_game_for(game: NewGame, libraries: Iterable[str]) -> list[Path]:
    """Write a manifest and the declarations that the rules of libraries need. Return the paths.

    Raises:
        RulekitError: the folder cannot be that of a new game, or there is no such library.
        GameError: a library cannot be read.
        OSError: a file cannot be written.
    """
    refuse_name(game.folder)
    names = list(dict.fromkeys(libraries))
    needed = _Needed(*_read(names, game.folder))
    files = {
        "game.yaml": _manifest(game, names),
        "rules/1_needed.rules": "\n".join([f"{_FIRST}game {game.name} 1", "", *needed.lines(), ""]),
    }
    for path, text in files.items():
        target = game.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return [game.folder / path for path in files]


def _manifest(game: NewGame, libraries: list[str]) -> str:
    return (
        f"rulekit: game\nname: {game.name}\ntitle: {json.dumps(game.title, ensure_ascii=False)}\n"
        f'version: "0.1"\nlanguage: 1\nuses: [{", ".join(libraries)}]\n'
    )


def _read(libraries: list[str], folder: Path) -> tuple[list[ast.Decl], set[str]]:
    """Return the declarations of libraries in their order, and the kinds of their data."""
    sink, found, kinds = Sink(), list[ast.Decl](), set[str]()
    for name in libraries:
        home = find_library(name, folder)
        if home is None:
            known = [each for each in known_games() if (at := find_game(each)) and is_library(at)]
            close = near(name, known)
            raise RulekitError(
                _("there is no library {name}; {help}", name=repr(name), help=close)
                if close is not None
                else _(
                    "there is no library {name}; `rulekit where` lists the libraries",
                    name=repr(name),
                )
            )
        for path in rules_files(home):
            text = read_text(path, sink, home)
            if text is not None:
                found += parse(text, str(path), sink).decls
        kinds |= _kinds_of_data(home, sink)
    if sink.errors:
        raise GameError(sink.in_order(), sink.texts)
    return found, kinds


def _kinds_of_data(library: Path, sink: Sink) -> set[str]:
    """Return the kinds whose members a library has in its things.yaml."""
    path = library / "things.yaml"
    text = read_text(path, sink, library) if path.is_file() else None
    document = parse_yaml(text, str(path), sink) if text is not None else None
    if document is None:
        return set()
    sections = items(document) or [document]
    named = (entries(section).get("kind") for section in sections)
    return {str(each.value) for each in named if each is not None}


class _Needed:
    """What declarations of libraries leave to a game."""

    def __init__(self, declarations: list[ast.Decl], in_data: set[str]) -> None:
        self.declarations = declarations
        self.kinds = {
            each.name: each
            for each in declarations
            if isinstance(each, ast.KindDecl) and not each.extends and each.name not in in_data
        }
        self.members = {name: [m.name for m in kind.members] for name, kind in self.kinds.items()}
        for each in declarations:
            if isinstance(each, ast.MembersDecl):
                self.members.setdefault(each.kind, []).extend(m.name for m in each.members)
        for name, kind in self.kinds.items():
            if not self.members[name] and _is_listed_in_rules(kind):
                self.members[name] = list(kind.needs) or [_EXAMPLE]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the rules file."""
        declared = {each.name for each in self.declarations if isinstance(each, _NAMED)}
        for kind in self.kinds.values():
            if not kind.members and _is_listed_in_rules(kind):
                yield self._member_line(kind)
        yield ""
        for each in self.declarations:
            if isinstance(each, ast.NeedsDecl) and each.name not in declared:
                yield from self._declaration(each)
        if "main" not in declared:
            yield from ("", "phase main", f"  finish none, drawn{_TODO}: the sequence of play")

    def _member_line(self, kind: ast.KindDecl) -> str:
        fixed = [each for each in kind.items if isinstance(each, ast.FixedDecl)]
        values = ", ".join(self._value(each.type) for each in fixed)
        known = kind.needs or (_EXAMPLE,)
        members = " | ".join(f"{name}({values})" if values else name for name in known)
        names = ", ".join(each.name for each in fixed)
        return f"members {kind.name} = {members}{_TODO}" + (f": {names}" if names else "")

    def _declaration(self, need: ast.NeedsDecl) -> Iterator[str]:
        params = ", ".join(f"{each.name}: {_type(each.type)}" for each in need.params)
        head = f"{need.what} {need.name}" + (f"({params})" if params else "")
        head += f" in {need.context}" if need.context else ""
        ref = "".join(f'  ref "{each}"' for each in need.ref)
        type = f": {_type(need.type)}" if need.type is not None else ""
        match need.what:
            case "define":
                value = self._value(need.type) if need.type is not None else "0"
                yield f"{head}{type} = {value}{ref}{_TODO}"
            case "total":
                yield from (f"{head}{type}{ref}", f"  base 0{_TODO}")
            case "permit":
                yield from (f"{head}{ref}", f'  bar never when false "no"{_TODO}')
            case _:
                yield from (f"{head}{ref}", f"  return{_TODO}")

    def _value(self, type: ast.TypeNode) -> str:
        """Return a value of a type, in the words of the rules."""
        if type.form == "range":
            return str(max(type.low, min(0, type.high)))
        if type.form == "set":
            return f"{type.name} where false" if type.name in self.kinds else "{}"
        if type.optional:
            return "none"
        if type.name in self.kinds:
            members = self.members[type.name]
            return members[0] if members else f"the first({type.name} by 1)"
        return "false" if type.name == "bool" else "0"


_NAMED = (ast.ProcDecl, ast.DefineDecl, ast.TotalDecl, ast.PermitDecl)


def _is_listed_in_rules(kind: ast.KindDecl) -> bool:
    """Return True if the rules of a game list the members of a kind of a library: a kind with
    named members, or with nothing but values. The members of other kinds are data.
    """
    if kind.members or kind.grid or kind.lines or kind.joins:
        return False
    holds_values = bool(kind.items) and all(isinstance(each, ast.FixedDecl) for each in kind.items)
    return bool(kind.needs) or holds_values


def _type(type: ast.TypeNode) -> str:
    """Return a type in the words of the rules."""
    if type.form == "range":
        unit, clamp = f" {type.unit}" if type.unit else "", " clamp" if type.clamp else ""
        return f"{type.low}..{type.high}{unit}{clamp}"
    name = f"{type.name}{'?' if type.optional else ''}"
    return f"set {name}" if type.form == "set" else name
