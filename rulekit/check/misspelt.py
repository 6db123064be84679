"""Takes the findings of a game, makes one of all those that follow from a name which is misspelt where it is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from rulekit.base.diagnostic import Diagnostic, likeness
from rulekit.base.span import Span
from rulekit.source.gamesource import GameSource

_WORDS = ("kind|fixed|state|pool|define|total|permit|procedure|phase|event|moment|menu|movement|table|unit|field|slot|option|action|"
          "reaction|members")
_DECLARED = re.compile(rf"^([ ]*)({_WORDS}) +([A-Za-z_]\w*)([^\n#]*)", re.M)
_MEMBERS = re.compile(r"[=|] *([A-Za-z_]\w*)(?=[^|=\"']*(?:\||$))")
_UNITS = re.compile(r", *([A-Za-z_]\w*)")
_QUOTED = re.compile(r"'([\w.]+)(?:\(\.\.\.\))?'")
_UNKNOWN = ("RK301", "RK311", "RK630", "RK631", "RK633", "RK693")  # of the rules, of the data, and of the drawing
_OWN_FILES = (".rules", ".yaml", ".csv")


@frozen
class Declared:
    """A name where it is declared: `what` it is called there."""

    name: str
    what: str
    span: Span


def misspelt(found: list[Diagnostic], source: GameSource) -> list[Diagnostic]:
    """The findings; for each name that nothing uses but its declaration, while several places use one that is nearly called so and that
    nobody declares, they are one finding, at the declaration."""
    places: dict[str, list[Diagnostic]] = {}
    for each in found:
        if each.code in _UNKNOWN and (word := _QUOTED.search(each.message)):
            places.setdefault(word[1], []).append(each)
    places = {name: told for name, told in places.items() if len({one.span for one in told}) > 1}
    if not places:
        return found
    declared = list(_all(source))
    names = {one.name for one in declared}
    files = [text for path, text in source.files.items() if path.endswith(_OWN_FILES) and "texts/" not in path]
    for name, told in places.items():
        near = [one for one in declared if name not in names and _near(one.name, name)]
        one = next((one for one in near if _times(one.name, files) == 1), None)
        if one is not None:
            found = [each for each in found if not _follows(each, name, one)]
            message = f"no other line names this {one.what}, and {len(told)} places name an unknown '{name}'"
            found.append(Diagnostic("RK301", message, one.span, f"call it '{name}' here, or mend it there"))
    return found


def _times(name: str, files: list[str]) -> int:
    word = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.])")
    return sum(len(word.findall(text)) for text in files)


def _near(one: str, other: str) -> bool:
    return one != other and likeness(one, other) > 0


def _follows(each: Diagnostic, name: str, declared: Declared) -> bool:
    """Is it about the unknown name? Of a kind also what is about types, effects or data: these are as they were meant only where all kinds
    are known."""
    quoted = _QUOTED.findall(each.message)
    if name in quoted or re.search(rf"\b{re.escape(declared.name)}\b", each.message):
        return True
    other = each.code == "RK301" and not each.message.startswith("unknown ")  # such as a kind that joins nothing known
    return declared.what == "kind" and (other or each.code[2] in "4567")


def _all(source: GameSource) -> Iterator[Declared]:
    """What the rules and the data declare."""
    for rules in source.rules:
        for match in _DECLARED.finditer(rules.text):
            indent, word, name, rest = match.groups()
            line = rules.text.count("\n", 0, match.start()) + 1
            begin = match.start()

            def at(start: int, end: int, line: int = line, begin: int = begin, path: str = rules.path) -> Span:
                return Span(path, line, start - begin + 1, line, end - begin + 1)

            if word != "members":
                what = "attribute" if indent and word == "fixed" else {"fixed": "fixed value"}.get(word, word)
                yield Declared(name, what, at(match.start(3), match.end(3)))
            more = _UNITS if word == "unit" else _MEMBERS if word in ("kind", "members") else None
            for part in more.finditer(rest) if more is not None else ():
                span = at(match.start(4) + part.start(1), match.start(4) + part.end(1))
                yield Declared(part[1], "unit" if word == "unit" else "member", span)
    for data in source.kinds:
        for member in data.members:
            yield Declared(member.id, data.kind, member.span)
