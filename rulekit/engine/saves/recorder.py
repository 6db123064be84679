"""Record games as saves and replay them.

`Recorder` plays a state and writes a save. `replay` plays a save again and compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from attrs import define, evolve, field

from rulekit.common.errors import IllegalChoice, RulekitError, SaveError
from rulekit.common.i18n.messages import Message, _
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Decision, Option
from rulekit.engine.kernel.events import Event
from rulekit.engine.notation.move_parser import choose
from rulekit.engine.saves.renamed_names import Renaming, kinds_of, likeness, renamed_text
from rulekit.engine.saves.save_format import (
    FORMAT,
    FORMAT_VERSION,
    Save,
    SaveRecord,
    damage,
    parse_save,
    read_save,
)
from rulekit.engine.saves.writer import Keeper
from rulekit.runtime.program import Program
from rulekit.runtime.seeds import commitment, draw_salt, seed_text
from rulekit.runtime.slots import SEED

MOST_TRIED = 500  # the largest number of candidates for an option that was renamed

__all__ = [
    "Recorder",
    "Replay",
    "Save",
    "differences",
    "header",
    "parse_save",
    "read_save",
    "replay",
    "start",
]


def header(
    game: Game, state: State, seats: dict[str, str], salt: str = "", seed: int | None = None
) -> dict[str, Any]:
    """Return the first line of a save, which names the rules that it is played under.

    Args:
        salt: the salt of the commitment. Without one, it is drawn at random.
        seed: the seed. Without one, it is the state's.
    """
    program = state.table.program
    seed, salt = state.slots[SEED] if seed is None else seed, salt or draw_salt()
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "game": game.name,
        "game_version": game.info.version,
        "rules": program.rules,
        "names": game.names_digest(),
        "scenario": program.scenario,
        "rulings": {r.name: r.chosen for r in program.rulings},
        "seats": seats,
        "commitment": commitment(seed, salt),
        "salt": salt,
        "seed": seed_text(seed),
    }


def _plain(events: Iterable[Event]) -> list[Any]:
    return [e.to_json() for e in events]


def offered(asked: Decision | None) -> tuple[list[str], str]:
    """Return the keys of the options, and their number with a digest of them.

    The digest shows later whether the rules still offer the same options.
    """
    keys = [option.key for option in asked.options] if asked is not None else []
    digest = sha256("\n".join(sorted(keys)).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return keys, f"{len(keys)} {digest}"


class Recorder:
    """A state that is played and recorded: every choice, its events and every undo.

    The record is a `Save`, and a file if there is one.

    Attributes:
        state: the state.
        keeper: the file that is written, or None.
        save: the record. It continues the save `before` from which the state was replayed.
    """

    def __init__(
        self, game: Game, state: State, seats: dict[str, str], before: Save | None = None
    ) -> None:
        self.state = state
        self.keeper: Keeper | None = None
        head = header(
            game,
            state,
            seats,
            before.header.get("salt", "") if before else "",
            before.seed if before else None,
        )
        if before and all(
            before.header.get(key, head["names"]) == head[key]
            for key in ("rules", "names", "rulings", "seats")
        ):
            head = before.header
        elif before and "hints" in before.header:
            head["hints"] = before.header["hints"]
        self.save = Save(head, list(before.records) if before else [])
        if not self.save.records:
            self.save.records.append(SaveRecord(2, None, None, _plain(state.events)))

    def keep_in(self, keeper: Keeper | None) -> None:
        """Write every step to this file from now on, and to no other. None means no file."""
        if self.keeper is not None and self.keeper is not keeper:
            self.keeper.close()
        self.keeper = keeper
        if keeper:
            keeper.save = self.save
            keeper.keep()

    def _keep(
        self,
        choice: str | None,
        by: str | None,
        events: list[Any],
        undo: bool = False,
        dice: str = "",
        offered: str = "",
    ) -> None:
        self.save.records.append(
            SaveRecord(
                len(self.save.records) + 2,
                choice,
                by,
                events,
                undo,
                dice or self.save.dice,
                offered,
            )
        )
        if self.keeper:
            self.keeper.keep()

    def apply(self, choice: Any) -> Sequence[Event]:
        """Take a choice and record it."""
        asked = self.state.decision
        option = self.state.find(choice)
        there = offered(asked)
        events = list(self.state.apply(option))
        return self._record(asked.player if asked else None, option.key, events, there)

    def apply_line(self, line: str, through: bool = True) -> str:
        """Take a choice, or a multi-step move, as a person typed it.

        Record every choice and undo in it.

        Returns:
            The rest of the move, if it has to wait for another player.
        """
        with self.following():
            return choose(self.state, line, through)

    @contextmanager
    def following(self, dice: str = "") -> Iterator[None]:
        """Record the choices and undos that happen to the state inside this context.

        Args:
            dice: the entropy of new dice after the undos, if there are any.
        """
        state = self.state
        before = [mark.option for mark in state.marks]
        try:
            yield
        finally:
            marks = state.marks
            same = next(
                (
                    i
                    for i, (a, b) in enumerate(
                        zip(before, (mark.option for mark in marks), strict=False)
                    )
                    if a != b
                ),
                min(len(before), len(marks)),
            )
            for left in range(len(before) - same, 0, -1):
                self.undone(dice if left == 1 else "")
            for at in range(same, len(marks)):
                mark = marks[at]
                end = marks[at + 1].log if at + 1 < len(marks) else len(state.events)
                by = state.names.sides[mark.chooser] if mark.chooser >= 0 else None
                key = state.table.book.option(mark.option).key
                self._record(by, key, state.events[mark.log : end])

    def redo(self) -> Sequence[Event]:
        """Repeat the choice that was undone last, and record it."""
        asked = self.state.decision
        there = offered(asked)
        events = list(self.state.redo())
        return self._record(
            asked.player if asked else None, self.state.choices[-1].key, events, there
        )

    def _record(
        self,
        by: str | None,
        key: str,
        events: Sequence[Event],
        there: tuple[list[str], str] | None = None,
    ) -> Sequence[Event]:
        self._keep(
            key,
            by,
            _plain(events),
            offered=f"{there[0].index(key)} {there[1]}" if there and key in there[0] else "",
        )
        return events

    def undone(self, dice: str = "") -> None:
        """Record that the last choice was undone in the state.

        Args:
            dice: the entropy of new dice from here on, or ''.
        """
        self._keep(None, None, [], undo=True, dice=dice)
        if dice:
            self.state.renew(self.save.seed_by(dice))


@define
class Replay:
    """The result of playing a save again.

    Attributes:
        state: the state at the end.
        choices: the number of choices played.
        events: the number of events compared.
        first_difference: the first events that differ from the record, with the cause, or None.
        differences: the differences between the rules and the header of the save, in words.
        same: True if the rules and all their names are still those of the save.
        taken: the records of the choices played.
        renaming: the names that have changed.
        now: the records with the present names and events.
        offered: the choices at which other options are offered: number, count then, count now.
        guesses: the choices whose option has another name now, and more than one option fits what
            is recorded: number, key in the save, key taken, another key that fits.
    """

    state: State
    choices: int = 0
    events: int = 0
    first_difference: dict[str, Any] | None = None
    differences: list[str] = field(factory=list)
    same: bool = True
    taken: list[SaveRecord] = field(factory=list)
    renaming: Renaming = field(factory=lambda: Renaming(False))
    now: list[SaveRecord] = field(factory=list)
    offered: list[tuple[int, str, str]] = field(factory=list)
    guesses: list[tuple[int, str, str, str]] = field(factory=list)

    @property
    def ok(self) -> bool:
        """True if everything is as recorded.

        Different rules are accepted if they do the same. Different rulings under the same rules are
        not.
        """
        return self.first_difference is None and not (self.same and self.differences)

    def offers(self, record: SaveRecord) -> str:
        """Record whether other options are offered than at the time of the choice.

        Returns:
            The description of the options that are offered now.
        """
        if not record.offered:
            return ""
        place, __, then = record.offered.partition(" ")
        now = offered(self.state.decision)[1]
        if then != now and not self.renaming.allowed:
            self.offered.append((self.choices + 1, then.split()[0], now.split()[0]))
        return f"{place} {now}"

    def to_json(self) -> dict[str, Any]:
        """Return the keys of `replay --verify --json`."""
        return {
            "ok": self.ok,
            "choices": self.choices,
            "events": self.events,
            "first_difference": self.first_difference,
            "differences": self.differences,
            "renamed": [list(pair) for pair in self.renaming.pairs],
            "offered": [number for number, _, _ in self.offered],
        }


def start(game: Game, save: Save) -> State:
    """Return the state at the beginning of a save.

    Raises:
        SaveError: the save is of another game, or has rulings that this one does not know.
    """
    head = save.header
    if head["game"] != game.name:
        another = SaveError(
            _(
                "this is a save of {name}, not of {game}",
                name=repr(head["game"]),
                game=repr(game.name),
            )
        )
        raise SaveError(_("{where}: {why}", where=save.path, why=another))
    try:
        return game.new(head["scenario"] or None, save.seed, head["rulings"])
    except RulekitError as error:
        raise SaveError(_("{where}: {why}", where=f"{save.path}:1", why=error)) from error


def differences(game: Game, save: Save, program: Program) -> list[str]:
    """Return the differences between the rules and the header of a save, one a line."""
    head, out = save.header, []

    def differs(message: Message, saved: object, now: object) -> None:
        none = _("none").text(game.lang)
        out.append(message.text(game.lang, saved=str(saved or none)[:80], now=str(now or none)))

    if head["rules"] != program.rules:
        if head.get("game_version") != game.info.version:
            differs(
                _("version of the game: {saved} in the save, {now} now"),
                head.get("game_version"),
                game.info.version,
            )
        differs(
            _("digest of the rules: {saved} in the save, {now} now"), head["rules"], program.rules
        )
    if head["scenario"] != program.scenario:
        differs(_("scenario: {saved} in the save, {now} now"), head["scenario"], program.scenario)
    now = {r.name: r.chosen for r in program.rulings}
    for name in [*now, *(name for name in head["rulings"] if name not in now)]:
        if head["rulings"].get(name) != now.get(name):
            differs(
                _("ruling {name}: {saved} in the save, {now} now", name=name),
                head["rulings"].get(name),
                now.get(name),
            )
    return out


def replay(game: Game, save: Save, to: int | None = None, everything: bool = False) -> Replay:
    """Play a save again and compare every event with the record.

    Args:
        to: the number of choices to play, or None for all.
        everything: also play the choices that were undone later, and undo them. Otherwise only the
            choices that stand are played.

    Raises:
        SaveError: a choice is illegal although the rules are those of the save. Under changed rules
            it is the first difference instead.
    """
    state = start(game, save)
    named = save.header.get("names") == game.names_digest()
    same = save.header["rules"] == state.table.program.rules
    program = state.table.program
    out = Replay(
        state,
        differences=differences(game, save, program),
        same=same and named,
        renaming=Renaming(not named, kinds_of(program)),
    )
    save_records = [r for r in save.records if r.choice is None and not r.undo]
    for record in save_records:
        _compare(out, record, _plain(state.events), same)
        out.now.append(evolve(record, events=_plain(state.events)))
    dice = ""
    for record in save.records if everything else save.choices:
        if (to is not None and out.choices >= to) or out.first_difference:
            break
        if record.undo:
            state.undo()
            out.choices -= 1
            out.taken.pop()
            out.now.append(record)
        dice = _renew(state, save, record.dice, dice)
        if record.choice is not None:
            _step(out, save, record, same)
    if to is None:
        _renew(state, save, save.dice, dice)
    if out.offered:
        number, then, today = out.offered[0]
        out.differences.append(
            _(
                "choice {n}: the options have changed since the game was saved ({before}"
                " then, {now} now)",
                n=str(number),
                before=then,
                now=today,
            ).text(game.lang)
        )
    if out.guesses:
        number, key, taken, other = out.guesses[0]
        out.differences.append(
            _(
                "choice {n}: '{key}' is not offered. '{taken}' was taken for it, but '{other}'"
                " fits too: compare with the rules of then (`--before`)",
                n=str(number),
                key=key,
                taken=taken,
                other=other,
            ).text(game.lang)
        )
    if out.renaming.pairs:
        out.differences.append(
            _("names that have changed: {names}", names=renamed_text(out.renaming.pairs)).text(
                game.lang
            )
        )
    return out


def _renew(state: State, save: Save, dice: str, before: str) -> str:
    """Change the dice where a save says so."""
    if dice != before:
        state.renew(save.seed_by(dice))
    return dice


def _chosen(out: Replay, record: SaveRecord, plays_alike: bool) -> Option | None:
    """Return the option that was chosen.

    It is the option with the recorded key. If names may have changed, it can be one that may have
    been called so and does what is recorded.

    Args:
        plays_alike: True if the rules are the same except for names.
    """
    asked, key = out.state.decision, record.choice or ""
    if asked is None:
        return None
    named = next((option for option in asked.options if option.key == key), None)
    if not out.renaming.allowed or (named and not plays_alike and out.renaming.key(key, named.key)):
        return named
    if plays_alike and record.offered:  # a renamed option stands at the same place
        place, many = (int(part) for part in record.offered.split()[:2])
        if (
            many == len(asked.options)
            and place < many
            and out.renaming.key(key, asked.options[place].key)
        ):
            return asked.options[place]
    others = [
        option
        for option in asked.options
        if option is not named and out.renaming.copy().key(key, option.key)
    ]
    others.sort(key=lambda option: -likeness(key, option.key))
    candidates = [*([named] if named else []), *others][:MOST_TRIED]
    if not candidates:
        return None
    fitting = [option for option in candidates if _does(out, option, record)]
    found = (fitting or candidates)[0]
    if found is not named and len(fitting) > 1:
        out.guesses.append((out.choices + 1, key, found.key, fitting[1].key))
    out.renaming.key(key, found.key)
    return found


def _does(out: Replay, option: Option, record: SaveRecord) -> bool:
    """Return True if, under some renaming, an option does what is recorded."""
    state, renaming = out.state.clone(), out.renaming.copy()
    try:
        return (
            renaming.key(record.choice or "", option.key)
            and renaming.events(record.events, _plain(state.apply(option.id))) is None
        )
    except RulekitError:
        return False


def _step(out: Replay, save: Save, record: SaveRecord, same: bool) -> None:
    assert record.choice is not None
    lang, option = out.state.names.lang, None
    try:
        asked = out.state.decision
        there = out.offers(record)
        option = _chosen(out, record, same)
        if asked is None or option is None:
            out.state.find(record.choice)
            raise IllegalChoice(
                _("{text} is not offered here", text=repr(record.choice)).text(lang)
            )
        if not out.renaming.name("side", record.by or "", asked.player):
            raise IllegalChoice(
                _(
                    "the save says that {by} chose, but it is {player}'s decision",
                    by=str(record.by),
                    player=asked.player,
                ).text(lang)
            )
        events = _plain(out.state.apply(option))
    except RulekitError as error:
        if out.same or (same and option is None):  # a renaming does not explain it
            raise damage(
                save.path,
                record.number,
                _("choice {n}: {why}", n=out.choices + 1, why=error),
            ) from error
        out.first_difference = {
            "choice": out.choices + 1,
            "line": record.number,
            "recorded": record.choice,
            "actual": None,
            "cause": _("{where}: {why}", where=_cause(out, same), why=error).text(lang),
        }
        return
    out.choices += 1
    out.taken.append(record)
    out.now.append(evolve(record, choice=option.key, by=asked.player, events=events, offered=there))
    _compare(out, record, events, same)


def _cause(out: Replay, same: bool) -> Message:
    """Return the probable cause of a difference.

    Args:
        same: True if the rules play like those of the save except for names.
    """
    if out.same:
        return _(
            "the rules are those of the save, but the result differs: the save"
            " was changed, or another rulekit wrote it"
        )
    if same:
        return _("only names in the rules have changed, and that does not explain this")
    return _("the rules have changed since")


def _compare(out: Replay, record: SaveRecord, events: list[Any], same: bool) -> None:
    out.events += len(events)
    found = out.renaming.events(record.events, events)
    if found and out.first_difference is None:
        cause = out.state.names.say(_cause(out, same))
        out.first_difference = {
            "choice": out.choices,
            "line": record.number,
            "recorded": found[0],
            "actual": found[1],
            "cause": cause,
        }
