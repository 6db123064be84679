"""Takes the findings of a game, makes one of all those that follow from a kind which is misspelt where it is declared."""

from __future__ import annotations

import re

from rulekit.base.diagnostic import Diagnostic
from rulekit.base.span import Span
from rulekit.source.gamesource import GameSource

_DECLARED = re.compile(r"^kind +([A-Za-z_]\w*)", re.M)
_QUOTED = re.compile(r"'(\w+)'")
_UNKNOWN = ("RK301", "RK630")  # of the rules, and of the data


def misspelt_kinds(found: list[Diagnostic], source: GameSource) -> list[Diagnostic]:
    """The findings; for each kind that the rules name nowhere but in its declaration, while several places name one that is nearly
    called so and that nobody declares, they are one finding, at the declaration."""
    places: dict[str, list[Diagnostic]] = {}
    for each in found:
        if each.code in _UNKNOWN and (word := _QUOTED.search(each.message)):
            places.setdefault(word[1], []).append(each)
    for name, told in places.items():
        meant = {each for one in told for each in _QUOTED.findall(one.help)}
        place = next((span for kind, span in _unused(source).items() if kind in meant), None) if len(told) > 1 else None
        if place is not None:
            found = [each for each in found if not _follows(each, name)]
            found.append(Diagnostic("RK301", f"no other line names this kind, and {len(told)} places name an unknown '{name}'", place,
                                    f"call it '{name}' here, or mend it there"))
    return found


def _follows(each: Diagnostic, name: str) -> bool:
    """Is it about the unknown kind, or about types, effects or data? These are as they were meant only where all kinds are known."""
    other = each.code == "RK301" and not each.message.startswith("unknown ")  # such as a kind that joins nothing known
    return other or name in _QUOTED.findall(each.message) or each.code[2] in "4567"


def _unused(source: GameSource) -> dict[str, Span]:
    """The kinds that the rules name once only, with where they are declared."""
    unused: dict[str, Span] = {}
    for text in source.rules:
        for match in _DECLARED.finditer(text.text):
            line = text.text.count("\n", 0, match.start()) + 1
            unused[match[1]] = Span(text.path, line, match.start(1) - match.start() + 1, line, match.end(1) - match.start() + 1)
    return {name: span for name, span in unused.items()
            if sum(len(re.findall(rf"\b{name}\b", text.text)) for text in source.rules) == 1}
