"""Takes states and saves, makes recordings and replays: `Recorder` plays and writes a save, `replay` plays a save again and compares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import define, field

from rulekit.base.errors import IllegalChoice, RulekitError, SaveError
from rulekit.play.composed import choose
from rulekit.play.events import Event
from rulekit.play.game import Game
from rulekit.play.keeping import Keeper
from rulekit.play.savefile import FORMAT, FORMAT_VERSION, Record, Save, damage, parse_save, read_save
from rulekit.play.seeds import commitment, draw_salt, seed_text
from rulekit.play.state import State
from rulekit.play.words import fault, filled, said
from rulekit.program.program import Program
from rulekit.program.slots import SEED

__all__ = ["Recorder", "Replay", "Save", "differences", "header", "parse_save", "read_save", "replay", "start"]


def header(game: Game, state: State, seats: dict[str, str], salt: str = "", seed: int | None = None) -> dict[str, Any]:
    """The first line of a save: pinned to the rules it is played under. Without a salt, a new one is drawn; without a seed, it is the
    state's."""
    program = state.table.program
    seed, salt = state.slots[SEED] if seed is None else seed, salt or draw_salt()
    return {"format": FORMAT, "format_version": FORMAT_VERSION, "game": game.name, "game_version": game.info.version,
            "rules": program.rules, "scenario": program.scenario, "rulings": {r.name: r.chosen for r in program.rulings},
            "seats": seats, "commitment": commitment(seed, salt), "salt": salt, "seed": seed_text(seed)}


def _plain(events: Iterable[Event]) -> list[Any]:
    return [e.to_json() for e in events]


class Recorder:
    """A state that is played and kept: every choice, its events and what was taken back, as a `Save`; and in a file as it happens.
    `before`: the save from which the state was played again; what is recorded goes on from it."""

    def __init__(self, game: Game, state: State, seats: dict[str, str], before: Save | None = None) -> None:
        self.state = state
        self.keeper: Keeper | None = None
        head = header(game, state, seats, before.header.get("salt", "") if before else "", before.seed if before else None)
        if before and all(before.header[key] == head[key] for key in ("rules", "rulings", "seats")):
            head = before.header
        elif before and "hints" in before.header:
            head["hints"] = before.header["hints"]
        self.save = Save(head, list(before.records) if before else [])
        if not self.save.records:
            self.save.records.append(Record(2, None, None, _plain(state.events)))

    def keep_in(self, keeper: Keeper | None) -> None:
        """From now on every step is written to this file too, and to no other any more; None: to none."""
        if self.keeper is not None and self.keeper is not keeper:
            self.keeper.close()
        self.keeper = keeper
        if keeper:
            keeper.save = self.save
            keeper.keep()

    def _keep(self, choice: str | None, by: str | None, events: list[Any], undo: bool = False, dice: str = "") -> None:
        self.save.records.append(Record(len(self.save.records) + 2, choice, by, events, undo, dice or self.save.dice))
        if self.keeper:
            self.keeper.keep()

    def apply(self, choice: Any) -> Sequence[Event]:
        """Takes a choice and records it."""
        asked = self.state.decision
        option = self.state.find(choice)
        events = list(self.state.apply(option))
        return self._record(asked.player if asked else None, option.key, events)

    def apply_line(self, line: str, through: bool = True) -> str:
        """Takes what a person typed: a choice, or a whole move that is several; records each, and what was taken back for it. Returns what
        is left of the line, if it waits for another player."""
        with self.following():
            return choose(self.state, line, through)

    @contextmanager
    def following(self, dice: str = "") -> Iterator[None]:
        """Records what is done to the state meanwhile: choices that are taken back (`dice`: all dice after them are drawn anew by this),
        and choices that are made."""
        state = self.state
        before = [mark[2] for mark in state.marks]
        try:
            yield
        finally:
            marks = state.marks
            same = next((i for i, (a, b) in enumerate(zip(before, (mark[2] for mark in marks), strict=False)) if a != b),
                        min(len(before), len(marks)))
            for left in range(len(before) - same, 0, -1):
                self.undone(dice if left == 1 else "")
            for at in range(same, len(marks)):
                begin, _, action, who, _ = marks[at]
                end = marks[at + 1][0] if at + 1 < len(marks) else len(state.events)
                by = state.names.sides[who] if who >= 0 else None
                self._record(by, state.table.book.option(action).key, state.events[begin:end])

    def redo(self) -> Sequence[Event]:
        """Makes the choice again that was taken back last."""
        asked = self.state.decision
        events = list(self.state.redo())
        return self._record(asked.player if asked else None, self.state.choices[-1].key, events)

    def _record(self, by: str | None, key: str, events: Sequence[Event]) -> Sequence[Event]:
        self._keep(key, by, _plain(events))
        return events

    def undone(self, dice: str = "") -> None:
        """Says that the last choice was taken back in the state. `dice`: by what its dice are drawn anew from here on, if they are."""
        self._keep(None, None, [], undo=True, dice=dice)
        if dice:
            self.state.renew(self.save.seed_by(dice))


@define
class Replay:
    """A save played again. `first_difference`: where the events are not those on record, and why; None if all are. `differences`: what
    its header says of the rules otherwise than these are, in words; `same`: are the rules those of the save for all that?"""

    state: State
    choices: int = 0
    events: int = 0
    first_difference: dict[str, Any] | None = None
    differences: list[str] = field(factory=list)
    same: bool = True
    taken: list[Record] = field(factory=list)

    @property
    def ok(self) -> bool:
        """Is everything as recorded? Other rules may be, if they do the same; not other rulings under the same rules."""
        return self.first_difference is None and not (self.same and self.differences)

    def to_json(self) -> dict[str, Any]:
        """The keys of `replay --verify --json`."""
        return {"ok": self.ok, "choices": self.choices, "events": self.events, "first_difference": self.first_difference,
                "differences": self.differences}


def start(game: Game, save: Save) -> State:
    """The state at the beginning of a save. SaveError if it is of another game, or has rulings that this one does not know."""
    head = save.header
    if head["game"] != game.name:
        another = fault(SaveError, "save.of_another", name=repr(head["game"]), game=repr(game.name))
        raise fault(SaveError, "told_at", where=save.path, why=another)
    try:
        return game.new(head["scenario"] or None, save.seed, head["rulings"])
    except RulekitError as error:
        raise fault(SaveError, "told_at", where=f"{save.path}:1", why=error) from error


def differences(game: Game, save: Save, program: Program) -> list[str]:
    """What the header of a save says of the rules otherwise than they are now, a line each; empty if they are the same."""
    head, out = save.header, []

    def differs(key: str, saved: object, now: object, name: str = "") -> None:
        none = filled(game.lang, "none")
        out.append(filled(game.lang, key, name=name, saved=str(saved or none)[:80], now=str(now or none)))

    if head["rules"] != program.rules:
        if head.get("game_version") != game.info.version:
            differs("differs.version", head.get("game_version"), game.info.version)
        differs("differs.rules", head["rules"], program.rules)
    if head["scenario"] != program.scenario:
        differs("differs.scenario", head["scenario"], program.scenario)
    now = {r.name: r.chosen for r in program.rulings}
    for name in [*now, *(name for name in head["rulings"] if name not in now)]:
        if head["rulings"].get(name) != now.get(name):
            differs("differs.ruling", head["rulings"].get(name), now.get(name), name)
    return out


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
    out = Replay(state, differences=differences(game, save, state.table.program), same=same)
    save_records = [r for r in save.records if r.choice is None and not r.undo]
    for record in save_records:
        _compare(out, record, _plain(state.events), same)
    dice = ""
    for record in save.records if everything else save.choices:
        if (to is not None and out.choices >= to) or out.first_difference:
            break
        if record.undo:
            state.undo()
            out.choices -= 1
            out.taken.pop()
        dice = _renew(state, save, record.dice, dice)
        if record.choice is not None:
            _step(out, save, record, same)
    if to is None:
        _renew(state, save, save.dice, dice)
    return out


def _renew(state: State, save: Save, dice: str, before: str) -> str:
    """Draws the dice anew where a save says so."""
    if dice != before:
        state.renew(save.seed_by(dice))
    return dice


def _step(out: Replay, save: Save, record: Record, same: bool) -> None:
    assert record.choice is not None
    lang = out.state.names.lang
    try:
        asked = out.state.decision
        option = next((o for o in asked.options if o.key == record.choice), None) if asked else None
        if asked is None or option is None:
            out.state.find(record.choice)
            raise IllegalChoice(filled(lang, "not_offered", text=repr(record.choice)))
        if (record.by or "") != asked.player:
            raise IllegalChoice(filled(lang, "save.by_another", by=str(record.by), player=asked.player))
        events = _plain(out.state.apply(option))
    except RulekitError as error:
        if same:
            raise damage(save.path, record.number, "choice", n=str(out.choices + 1), why=error) from error
        out.first_difference = {"choice": out.choices + 1, "line": record.number, "recorded": record.choice, "actual": None,
                                "cause": filled(lang, "told_at", where=filled(lang, "save.rules_changed"), why=said(lang, error))}
        return
    out.choices += 1
    out.taken.append(record)
    _compare(out, record, events, same)


def _compare(out: Replay, record: Record, events: list[Any], same: bool) -> None:
    out.events += len(events)
    found = _differ(record.events, events)
    if found and out.first_difference is None:
        cause = filled(out.state.names.lang, "save.changed_same" if same else "save.rules_changed")
        out.first_difference = {"choice": out.choices, "line": record.number, "recorded": found[0], "actual": found[1], "cause": cause}
