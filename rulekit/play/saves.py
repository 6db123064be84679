"""Takes states and saves, makes recordings and replays: `Recorder` plays and writes a save, `replay` plays a save again and compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Any

from attrs import define, field

from rulekit.base.errors import IllegalChoice, RulekitError, SaveError
from rulekit.play.composed import choose
from rulekit.play.events import Event
from rulekit.play.game import Game
from rulekit.play.savefile import FORMAT, FORMAT_VERSION, Record, Save, Writer, parse_save, read_save, seed_hash
from rulekit.play.state import State
from rulekit.program.program import SEED

__all__ = ["Recorder", "Replay", "Save", "Writer", "header", "parse_save", "read_save", "replay", "start"]


def header(game: Game, state: State, seats: dict[str, str]) -> dict[str, Any]:
    """The first line of a save: pinned to the rules it is played under."""
    program = state.table.program
    seed = state._s[SEED]
    return {"format": FORMAT, "format_version": FORMAT_VERSION, "game": game.name, "game_version": game.info.version,
            "rules": program.rules, "scenario": program.scenario, "rulings": {r.name: r.chosen for r in program.rulings},
            "seats": seats, "seed_hash": seed_hash(seed), "seed": seed}


def _plain(events: Iterable[Event]) -> list[Any]:
    return [e.to_json() for e in events]


class Recorder:
    """A state that is played and kept: every choice, its events and what was taken back, as a `Save`; and in a file as it happens."""

    def __init__(self, game: Game, state: State, seats: dict[str, str]) -> None:
        self.state = state
        self.save = Save(header(game, state, seats), [Record(2, None, None, _plain(state.events))])
        self._writer: Writer | None = None

    def write_to(self, file: IO[str]) -> None:
        """From now on every step is written to this file too; what was played before is written first."""
        self._writer = Writer(file, self.save.header, self.save.records)

    def apply(self, choice: Any) -> Sequence[Event]:
        """Takes a choice and records it."""
        asked = self.state.decision
        option = self.state.find(choice)
        events = list(self.state.apply(option))
        return self._record(asked.player if asked else None, option.key, events)

    def apply_line(self, line: str, through: bool = True) -> str:
        """Takes what a person typed: a choice, or a whole move that is several; records each, and what was taken back for it. Returns what
        is left of the line, if it waits for another player."""
        state = self.state
        before = [mark[2] for mark in state._marks]
        left = choose(state, line, through)
        marks = state._marks
        same = next((i for i, (a, b) in enumerate(zip(before, (mark[2] for mark in marks), strict=False)) if a != b), len(before))
        for _ in range(len(before) - same):
            self.undone()
        for at in range(same, len(marks)):
            begin, _, action, who = marks[at]
            end = marks[at + 1][0] if at + 1 < len(marks) else len(state.events)
            by = state.names.sides[who] if who >= 0 else None
            self._record(by, state.table.book.option(action).key, state.events[begin:end])
        return left

    def redo(self) -> Sequence[Event]:
        """Makes the choice again that was taken back last."""
        asked = self.state.decision
        events = list(self.state.redo())
        return self._record(asked.player if asked else None, self.state.choices[-1].key, events)

    def _record(self, by: str | None, key: str, events: Sequence[Event]) -> Sequence[Event]:
        record = Record(len(self.save.records) + 2, key, by, _plain(events))
        self.save.records.append(record)
        if self._writer:
            self._writer.choice(by, key, record.events)
        return events

    def undone(self) -> None:
        """Says that the last choice was taken back in the state."""
        self.save.records.append(Record(len(self.save.records) + 2, undo=True))
        if self._writer:
            self._writer.undo()


@define
class Replay:
    """A save played again. `first_difference`: where the events are not those on record, and why; None if all are."""

    state: State
    choices: int = 0
    events: int = 0
    first_difference: dict[str, Any] | None = None
    taken: list[Record] = field(factory=list)

    @property
    def ok(self) -> bool:
        """Is everything as recorded?"""
        return self.first_difference is None

    def to_json(self) -> dict[str, Any]:
        """The keys of `replay --verify --json`."""
        return {"ok": self.ok, "choices": self.choices, "events": self.events, "first_difference": self.first_difference}


def start(game: Game, save: Save) -> State:
    """The state at the beginning of a save."""
    head = save.header
    if head["game"] != game.name:
        raise SaveError(f"{save.path}: this is a save of {head['game']!r}, not of {game.name!r}")
    known = {r.name for r in game.info.rulings if r.alternatives}
    try:
        return game.new(head["scenario"] or None, head["seed"], {k: v for k, v in head["rulings"].items() if k in known})
    except RulekitError as error:
        raise SaveError(f"{save.path}:1: {error}") from error


def _differ(recorded: list[Any], actual: list[Any]) -> tuple[Any, Any] | None:
    for i in range(max(len(recorded), len(actual))):
        a = recorded[i] if i < len(recorded) else None
        b = actual[i] if i < len(actual) else None
        if a != b:
            return a, b
    return None


def replay(game: Game, save: Save, to: int | None = None, everything: bool = False) -> Replay:
    """Plays the choices that stand (`everything`: those taken back too, and takes them back) and compares every event with the record.

    A choice that the rules refuse is a SaveError if the rules are those of the save; under changed rules it is the first difference."""
    state = start(game, save)
    same = save.header["rules"] == state.table.program.rules
    out = Replay(state)
    save_records = [r for r in save.records if r.choice is None and not r.undo]
    for record in save_records:
        _compare(out, record, _plain(state.events), same)
    for record in save.records if everything else save.choices:
        if (to is not None and out.choices >= to) or out.first_difference:
            break
        if record.undo:
            state.undo()
            out.choices -= 1
            out.taken.pop()
        elif record.choice is not None:
            _step(out, save, record, same)
    return out


def _step(out: Replay, save: Save, record: Record, same: bool) -> None:
    assert record.choice is not None
    try:
        asked = out.state.decision
        option = next((o for o in asked.options if o.key == record.choice), None) if asked else None
        if option is None:
            out.state.find(record.choice)
            raise IllegalChoice(f"{record.choice!r} is not offered here")
        events = _plain(out.state.apply(option))
    except RulekitError as error:
        if same:
            raise SaveError(f"{save.path}:{record.number}: choice {out.choices + 1}: {error}") from error
        out.first_difference = {"choice": out.choices + 1, "line": record.number, "recorded": record.choice, "actual": None,
                                "cause": f"the rules have changed since: {error}"}
        return
    out.choices += 1
    out.taken.append(record)
    _compare(out, record, events, same)


def _compare(out: Replay, record: Record, events: list[Any], same: bool) -> None:
    out.events += len(events)
    found = _differ(record.events, events)
    if found and out.first_difference is None:
        cause = "the save was changed: the rules are the same" if same else "the rules have changed since"
        out.first_difference = {"choice": out.choices, "line": record.number, "recorded": found[0], "actual": found[1], "cause": cause}


