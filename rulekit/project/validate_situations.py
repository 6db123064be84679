"""Validate situations and convert them to cases that can run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.common.diagnostics.diagnostic import Few, Sink, TooManyErrors, guess
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.errors import RulekitError
from rulekit.engine.game.setup import (
    AMBIGUOUS,
    ARGUMENTS,
    EVERYWHERE,
    FORM,
    START,
    UNBEGUN,
    VALUE,
    Lying,
    WrongSetup,
    argument_words,
    call_parts,
    field_of,
    fitting,
    hold_open,
    hold_player,
    hold_pool,
    hold_thing,
    hold_value,
    no_place,
    place_cell,
    procedure,
)
from rulekit.engine.kernel.call_syntax import call_of
from rulekit.engine.kernel.decision import words_of
from rulekit.engine.kernel.names import AmbiguousName, Names
from rulekit.engine.notation.move_tokens import ALL_WORDS
from rulekit.engine.testing.runner import Case, Expected, SituationStep
from rulekit.project.empty_situations import CHECKS_NOTHING, vet_proof
from rulekit.project.validate_expectations import UNKNOWN, Expectations
from rulekit.runtime.program import ProcInfo

if TYPE_CHECKING:
    from rulekit.compiler.source.game_source import Datum
    from rulekit.compiler.source.situations import Situation
    from rulekit.engine.game.game import Game

NO_ID = "RK620"
EXCUSED = "RK677"
HELPS = {
    UNKNOWN: "write a name from the rules or the data",
    ARGUMENTS: "write a value for each parameter, in the order in which the rules declare them",
    VALUE: "write a value that the rules allow there",
    UNBEGUN: "add `run`, or `phase` under `given`, or remove `empty`",
    FORM: "docs/situations.md shows each form under `given` and `then`",
    START: "docs/situations.md says where play starts: `phase`, `run` or neither",
    AMBIGUOUS: "write the whole name",
}
MOST_DICE = 65534


def read_all(files: Sequence[Path], sink: Sink, within: Path | None = None) -> list[Situation]:
    """Read the situations of some files. Report errors in their form, and names used twice.

    Args:
        within: the folder in which the files must lie. Without it, each one's own folder counts.
    """
    from rulekit.compiler.source.situations import read_situations

    names: dict[str, Span] = {}
    return [
        each for file in files for each in read_situations(file, sink, within or file.parent, names)
    ]


def case_of(situation: Situation) -> Case:
    """Return a situation as plain values."""
    given = situation.given
    return Case(
        situation.name,
        situation.ref,
        situation.covers,
        [SituationStep(c.player, c.choice, c.span.line, c.span.column) for c in situation.do],
        [
            Expected(
                e.word,
                e.subject,
                e.value.plain() if e.value is not None else None,
                e.span.line,
                e.span.column,
            )
            for e in situation.then
        ],
        situation.span.file,
        situation.span.line,
        situation.span.column,
        scenario=situation.scenario,
        empty=situation.empty,
        rulings={k: str(v.plain()) for k, v in situation.rulings.items()},
        seed=situation.seed,
        clear=[d.plain() for d in given.clear],
        place=_plain(given.place),
        set=_plain(given.set),
        put={pool: [d.plain() for d in things] for pool, things in given.put.items()},
        phase=str(given.phase.plain()) if given.phase else None,
        player=str(given.player.plain()) if given.player else None,
        run=str(situation.run.plain()) if situation.run else None,
        within=_plain(situation.within),
        dice=None if situation.dice is None else [d.plain() for d in situation.dice],
        dice_line=situation.spans["dice"].line if "dice" in situation.spans else 0,
    )


def _plain(mapping: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _plain(value) if isinstance(value, dict) else value.plain()
        for key, value in mapping.items()
    }


def vet(game: Game, situations: Sequence[Situation], sink: Sink) -> list[Situation]:
    """Report every situation that cannot run or checks nothing. Return the valid ones.

    Args:
        game: the game of the situations.
    """
    if not situations:
        return []
    names = game.table().names
    spoken = set(_spoken(names))
    sound = []
    for _, each in groupby(situations, key=lambda s: s.span.file):
        few = Few(sink.found)  # limits the findings in one file
        with suppress(TooManyErrors):
            for situation in each:
                before = len(sink.found)
                _Vetting(game, names, spoken, situation, few).all()
                if len(sink.found) == before:
                    sound.append(situation)
    return sound


def vet_ids(
    situations: Sequence[Situation], ids: Collection[str], excused: Mapping[str, Span], sink: Sink
) -> None:
    """Report ids under `covers` that are unknown, and those that are excused in coverage.yaml.

    If the game has no coverage.yaml, there is only one finding.

    Args:
        ids: the ids of coverage.yaml.
        excused: the ids with a reason there why no situation shows them.
    """
    covered = [each for situation in situations for each in situation.covered]
    if not ids and covered:
        more = f" (and {len(covered) - 1} more under 'covers')" if len(covered) > 1 else ""
        sink.warn(
            NO_ID,
            covered[0].span,
            f"this id{more} has no use: the game has no coverage.yaml",
            f"list the ids in coverage.yaml: 'ids: {{{covered[0].plain()}: {{ref: ...}}}}', or"
            " remove 'covers'",
            "this covers nothing",
        )
        return
    few = Few(sink.found)
    with suppress(TooManyErrors):
        for situation in situations:
            for each in situation.covered:
                id = str(each.plain())
                if id not in ids:
                    hint = guess(id, ids) or "correct the id, or add it to coverage.yaml"
                    few.error(
                        NO_ID,
                        each.span,
                        f"coverage.yaml has no id {id!r}",
                        hint,
                        "this covers nothing",
                    )
    first = {str(each.plain()): each for each in reversed(covered)}
    for id, each in first.items():
        if id in excused:
            sink.warn(
                EXCUSED,
                excused[id],
                f"coverage.yaml says why no situation covers {id!r}, but this one does",
                "remove the reason, or the id from the situation",
                second=each.span,
                second_label="covered here",
            )


class _Vetting:
    """Validates one situation."""

    def __init__(
        self, game: Game, names: Names, spoken: set[str], situation: Situation, sink: Sink
    ) -> None:
        self.game, self.names, self.program = game, names, names.program
        self.situation, self.sink = situation, sink
        starts = bool(situation.run or situation.given.phase)
        self.begun = starts or not situation.empty
        self.expectations = Expectations(names, spoken, self.begun, starts or bool(situation.do))

    def all(self) -> None:
        """Validate every part."""
        s, before = self.situation, len(self.sink.found)
        if not s.then:
            self.sink.error(
                CHECKS_NOTHING,
                s.span,
                f"the situation '{s.name}' checks nothing",
                "write under 'then' the values expected at the end",
                "no 'then'",
            )
        for name, ruling in s.rulings.items():
            with self._at(ruling.key_span):
                self.game.rulings({name: str(ruling.plain())})
        if s.scenario is not None and s.scenario not in self.game.scenarios:
            known = self.game.scenarios
            all_of_them = (
                f"the scenarios are {', '.join(known)}"
                if known
                else "the game has none; remove the key"
            )
            self.sink.error(
                UNKNOWN,
                s.spans["scenario"],
                f"there is no scenario '{s.scenario}'",
                guess(s.scenario, known) or all_of_them,
            )
        self._given()
        self._start()
        self._chances()
        for choice in s.do:
            with self._at(choice.span):
                if choice.player is not None:
                    self.names.side(choice.player)
            with self._at(choice.span):
                self.expectations.choice(choice.choice)
        for expected in s.then:
            with self._at(expected.span):
                self.expectations.look(expected)
        if len(self.sink.found) == before:
            vet_proof(self.names, s, self.expectations.plays, self.sink)

    @contextmanager
    def _at(self, span: Span, code: str = UNKNOWN) -> Iterator[None]:
        """Turn an error inside the context into a finding at this place."""
        try:
            yield
        except WrongSetup as wrong:
            self._say(wrong.code or code, span, str(wrong))
        except AmbiguousName as error:
            self._say(AMBIGUOUS, span, str(error))
        except RulekitError as error:
            self._say(code, span, str(error))

    def _say(self, code: str, span: Span, text: str) -> None:
        message, _, hint = text.partition("; ")
        self.sink.error(code, span, message, hint or HELPS[code])

    # --------------------------------------------------------------------------------- the position
    def _given(self) -> None:
        given = self.situation.given
        places = [self.names.ordinals[c.type.kind] for c in self.names.place_cells.values()]
        for place in given.clear:
            word = str(place.plain())
            if word != EVERYWHERE and not any(word in known for known in places):
                with self._at(place.span):
                    raise no_place(self.names, word)
        for piece, values in given.place.items():
            with self._at(given.place_spans.get(piece, NOWHERE)):
                home = place_cell(self.names, piece)
                for attribute, value in values.items():
                    with self._at(value.span):
                        hold_value(self.names, f"{attribute or home}.{piece}", value.plain())
        for path, value in given.set.items():
            with self._at(value.key_span if value.key_span.line else value.span):
                hold_value(self.names, path, value.plain())
        lying: Lying = {}
        for pool, things in given.put.items():
            with self._at(given.put_spans[pool]):
                cell, _ = self.names.cell(pool)
                hold_pool(cell, pool)
                for thing in things:
                    with self._at(thing.span):
                        hold_thing(self.names, cell, pool, thing.plain(), lying)

    # ---------------------------------------------------------------------------- where play starts
    def _start(self) -> None:
        s, player = self.situation, self.situation.given.player
        side = str(player.plain()) if player is not None else None
        before = len(self.sink.errors)
        if player is not None:
            with self._at(player.span):
                if self.names.side(side) < 0:
                    raise WrongSetup(
                        f"'player' is one of {', '.join(self.names.sides)}", code=VALUE
                    )
        if len(self.sink.errors) > before:  # any player will do for the checks that follow
            player, side = None, self.names.sides[0]
        for name, fields in s.within.items():
            with self._at(s.spans[name]):
                self._open(name, fields)
        if s.run is not None and s.given.phase is not None:
            self._say(
                START,
                s.given.phase.key_span,
                "play starts with `run` or in a `phase`, not with both; remove one of them, "
                "or open the phase under `within`",
            )
        started = [each for each in (s.run, s.given.phase) if each is not None]
        procs = [proc for start in started for proc in self._begins(start, side)]
        if player is not None and len(procs) == len(started):
            self._used(player, procs)
        if not self.begun and s.do:
            self._say(
                UNBEGUN, s.do[0].span, "there is nothing to choose, because play has not begun"
            )

    def _open(self, name: str, fields: dict[str, Datum]) -> None:
        """Validate a context of `within`."""
        proc = self.program.procs[procedure(self.names, name)]
        hold_open(proc)
        for field, value in fields.items():
            with self._at(value.key_span):
                info = field_of(proc, field)
                fitting(self.names, info.type, value.plain(), field)

    def _begins(self, start: Datum, side: str | None) -> Iterator[ProcInfo]:
        """Yield the procedure that a `run` or `phase` names, if it can begin there."""
        s = self.situation
        with self._at(start.span):
            name, words = call_parts(str(start.plain()))
            proc = self.program.procs[procedure(self.names, name)]
            if start is not s.run and proc.chain is None:
                raise WrongSetup(
                    f"play cannot be begun in {name}: it is entered from several places, or from"
                    f" none, or nothing is asked in it; write `run: {call_of(proc)}`",
                    code=START,
                )
            said = {k: v.plain() for k, v in s.within.get(name, {}).items()}
            for var, word in argument_words(self.names, proc, words, side, said):
                fitting(self.names, var.type, word, f"{var.name} of {name}")
            yield proc

    def _used(self, player: Datum, procs: list[ProcInfo]) -> None:
        """Check that a parameter exists for `player` to fill."""
        if not procs:
            if not self.begun:
                self._say(
                    UNBEGUN,
                    player.key_span,
                    "'player' names the player of a phase, but play has not begun",
                )
            return
        with self._at(player.key_span):
            hold_player(self.program, procs[0])

    def _chances(self) -> None:
        """Validate the given random results."""
        pooled = [
            known
            for known, kind in zip(self.names.ordinals, self.program.kinds, strict=True)
            if kind.pooled
        ]
        for item in self.situation.dice or ():
            value = item.plain()
            if isinstance(value, str) and not any(value in known for known in pooled):
                hint = guess(value, [m for known in pooled for m in known])
                text = f"{value!r} is neither a number nor something that can be drawn"
                self._say(UNKNOWN, item.span, f"{text}; {hint}" if hint else text)
            elif not isinstance(value, str) and not 0 < value <= MOST_DICE:
                self._say(
                    VALUE,
                    item.span,
                    f"{value} is not a result of a roll; write the sum of the dice",
                )
        if self.situation.dice and not self.begun:
            self._say(
                UNBEGUN,
                self.situation.spans["dice"],
                "no dice are rolled, because play has not begun",
            )


def _spoken(names: Names) -> Iterator[str]:
    """Yield all words that a line of `do` can contain, in lower case."""
    yield from ("pick", "add", "go", "done", "to", "vers", "over", "stop", "pass", "none")
    yield from ALL_WORDS
    for family in names.program.families:
        yield from words_of(family.name)
        yield from words_of(names.text(family.key, family.label))
    for kind, info in enumerate(names.program.kinds):
        for ordinal, member in enumerate(info.members):
            yield from words_of(member)
            yield from words_of(member.rsplit(".", 1)[-1])
            yield from words_of(names.label(kind, ordinal))
