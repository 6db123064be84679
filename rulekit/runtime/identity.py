"""The identity of a compiled game: digests of everything that determines its behaviour.

There is one digest for each use of a game, in `Identity`. Equal digests promise equal bytes.

- `play`: the decisions, options, events and results, by number.
- `record`: a saved game. It covers the same, and the names of events, pools, phases, fields, dice,
  options and members.
- `seats`: the choices of agents, and statistics of their games. It covers the record, and the data
  that agents read.
- `look`: the output of a frontend. It covers the record, texts, the drawing, and permission to know
  things.

Every field of a compiled game counts for each use, unless `_ONLY` limits it. So a new field is
never forgotten. Places in the author's files never count. A caller that stores them stores
`places_of` too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Flag, auto
from hashlib import sha256
from typing import Any

import attrs
from attrs import frozen

from rulekit.runtime import program as pg

LENGTH = 16  # the number of characters of a digest


class Use(Flag):
    """The uses of a game."""

    PLAY = auto()
    RECORD = auto()
    SEATS = auto()
    LOOK = auto()


_NOT_PLAY = Use.RECORD | Use.SEATS | Use.LOOK
_SEATS_AND_LOOK = (
    Use.SEATS | Use.LOOK
)  # agents sample the information that their player may not know
_LOOK, _NEVER = Use.LOOK, Use(0)

# The uses for which a field counts, if not for all. A * stands for all classes. Names are
# `_NOT_PLAY`, because a renamed thing plays the same. A digest of play covers the emitted text, and
# for each program the values that its scenario and rulings set.
_ONLY: Mapping[tuple[str, str], Use] = {
    ("*", "name"): _NOT_PLAY,
    ("*", "ref"): _LOOK,
    ("*", "key"): _LOOK,
    ("*", "unit"): _LOOK,
    ("*", "secrets"): _SEATS_AND_LOOK,
    ("*", "place"): _NEVER,
    ("*", "rulings"): _SEATS_AND_LOOK,
    ("KindInfo", "members"): _NOT_PLAY,
    ("KindInfo", "labels"): _LOOK,
    ("KindInfo", "fixed"): _SEATS_AND_LOOK,
    ("ClauseInfo", "name"): _SEATS_AND_LOOK,
    ("ClauseInfo", "reason"): _LOOK,
    ("ClauseInfo", "cancels"): _LOOK,
    ("ClauseInfo", "presence"): _SEATS_AND_LOOK,
    ("ClauseInfo", "amount"): _SEATS_AND_LOOK,
    ("ParamInfo", "name"): _SEATS_AND_LOOK,
    ("FamilyInfo", "label"): _LOOK,
    ("FamilyInfo", "prices"): _LOOK,
    ("DecisionInfo", "prompt"): _LOOK,
    ("DecisionInfo", "text"): _LOOK,
    ("DecisionInfo", "visible"): _LOOK,
    ("EventInfo", "params"): _NOT_PLAY,
    ("EventInfo", "hidden"): _SEATS_AND_LOOK,
    ("TotalInfo", "name"): _SEATS_AND_LOOK,
    ("TotalInfo", "params"): _SEATS_AND_LOOK,
    ("TableInfo", "name"): _SEATS_AND_LOOK,
    ("TableInfo", "params"): _SEATS_AND_LOOK,
    ("TableInfo", "outputs"): _SEATS_AND_LOOK,
    ("InvariantInfo", "name"): _SEATS_AND_LOOK,
    ("RulingInfo", "alternatives"): _NOT_PLAY,
    ("RulingInfo", "data"): _LOOK,
    ("RulingInfo", "chosen"): _NEVER,
    ("Program", "rules"): _NEVER,
    ("Program", "scenario"): _NEVER,
    ("Program", "rulings"): _NOT_PLAY,
    ("Program", "initial"): _NEVER,
    ("Program", "constants"): _NEVER,
    ("Program", "chosen"): _NEVER,
    ("Program", "source"): _NEVER,
    ("Program", "lines"): _NEVER,
    ("Program", "native"): _NEVER,
    ("Program", "_code"): _NEVER,
    ("Program", "_objects"): _NEVER,
    ("Program", "levels"): _NOT_PLAY,
    ("Program", "purposes"): _NOT_PLAY,
    ("Program", "promises"): _SEATS_AND_LOOK,
    ("Program", "texts"): _LOOK,
    ("Program", "info"): _SEATS_AND_LOOK,
    ("Program", "scenarios"): _SEATS_AND_LOOK,  # titles. A record names the scenario that is played
}

# the parts of `Program.info`, the data for frontends and seats, that seats do not read
_SHOWN = ("geometry", "numbers", "hexes", "beside")
_OF_A_BOOK = (
    "rulekit",
    "name",
    "title",
    "version",
    "language",
    "uses",
    "default_scenario",
    "paragraphs",
    "first_edition",
    "editions",
    "description",
    "players",
    "authors",
    "notice",
    "licence",
)


@frozen
class Identity:
    """The digests of a game, one for each use. Equal digests promise equal bytes."""

    play: str
    record: str
    seats: str
    look: str


def structure(program: pg.Program) -> str:
    """Return a digest of the tables that decide how a program plays.

    Names, texts and places are left out.
    """
    return _digest(_canonical(program, Use.PLAY))


@frozen
class Facts:
    """The digests of a game's tables for each use except `play`.

    They do not depend on the scenario and the rulings.
    """

    record: str
    seats: str
    look: str


def facts_of(program: pg.Program) -> Facts:
    """Return the facts of a program. They are the same for all programs of a game."""
    return Facts(
        names_of(program),
        _digest(_canonical(program, Use.SEATS)),
        _digest(_canonical(program, Use.LOOK)),
    )


def identity_of(program: pg.Program, facts: Facts) -> Identity:
    """Return the identity of a program, which has a scenario and rulings."""
    record = _digest(
        [
            program.rules,
            program.scenario,
            *(ruling.chosen for ruling in program.rulings),
            facts.record,
        ]
    )
    return Identity(
        program.rules, record, _digest([record, facts.seats]), _digest([record, facts.look])
    )


def names_of(program: pg.Program) -> str:
    """Return a digest of the names in records, in order, whatever the game."""
    return _digest(_names(program))


def _names(value: Any) -> Iterator[str]:
    """Yield the names that count for records but not for play."""
    if attrs.has(value.__class__):
        kind = value.__class__.__name__
        for each in attrs.fields(value.__class__):
            use = _ONLY.get((kind, each.name), _ONLY.get(("*", each.name), ~_NEVER))
            found = getattr(value, each.name)
            if Use.RECORD in use and Use.PLAY not in use:
                yield from (
                    (f"{kind} {each.name}", *_canonical(found, Use.RECORD))
                    if each.name != "rulings"
                    else _names(found)
                )
            elif use == ~_NEVER and isinstance(found, list):
                yield from _names(found)
    elif isinstance(value, list):
        for each in value:
            yield from _names(each)


def places_of(program: pg.Program) -> str:
    """Return a digest of the places in the author's files that errors name.

    They have the present names of the files.
    """
    return _digest(
        [
            "places",
            *(
                line
                for variant in sorted(program.lines)
                if variant != "traced"
                for line in program.lines[variant]
            ),
        ]
    )


def _digest(parts: Iterable[str]) -> str:
    total = sha256()
    for part in parts:
        total.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return total.hexdigest()[:LENGTH]


def _canonical(value: Any, use: Use) -> Iterator[str]:
    """Yield a canonical text of a value, as far as it counts for a use."""
    if attrs.has(value.__class__):
        kind = value.__class__.__name__
        yield kind
        for each in attrs.fields(value.__class__):
            if use & _ONLY.get((kind, each.name), _ONLY.get(("*", each.name), ~_NEVER)):
                yield each.name
                yield from (
                    _info(value.info, use)
                    if each.name == "info"
                    else _canonical(getattr(value, each.name), use)
                )
            elif each.name in ("members", "alternatives", "levels", "purposes", "rulings"):
                yield str(len(getattr(value, each.name)))
    elif isinstance(value, Mapping):
        yield f"{{{len(value)}"
        for key in sorted(value, key=repr):
            yield repr(key)
            yield from _canonical(value[key], use)
    elif isinstance(value, (list, tuple)):
        yield f"[{len(value)}"
        if all(each.__class__ is int for each in value):
            yield repr(value)
        else:
            for each in value:
                yield from _canonical(each, use)
    elif isinstance(value, (set, frozenset)):
        yield repr(sorted(map(repr, value)))
    else:
        yield repr(value)


def _info(info: Mapping[str, Any], use: Use) -> Iterator[str]:
    """Yield the same for the data for frontends and seats.

    Seats read the manifest, and only the score of the drawing.
    """
    if use & Use.LOOK:
        yield from _canonical(info, use)
        return
    drawing = info.get("drawing") or {}
    manifest = {
        key: value for key, value in (info.get("manifest") or {}).items() if key not in _OF_A_BOOK
    }
    rest = {
        key: value
        for key, value in info.items()
        if key not in (*_SHOWN, "drawing", "manifest", "editions")
    }
    yield from _canonical([rest, manifest, (drawing.get("seat") or {}).get("score")], use)
