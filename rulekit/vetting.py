"""Takes situations as read and a game, makes `Case`s to run and diagnostics: what a situation names that the game does not have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.base.diagnostic import Sink, guess
from rulekit.base.errors import RulekitError
from rulekit.base.span import NOWHERE, Span
from rulekit.play import expectations
from rulekit.play.decision import words_of
from rulekit.play.names import Names
from rulekit.play.situations import (
    ARGUMENTS,
    EVERYWHERE,
    VALUE,
    Case,
    Expected,
    Step,
    Wrong,
    argument_words,
    call_parts,
    counted,
    fitting,
    keys_of_line,
    place_cell,
    procedure,
)
from rulekit.program.program import BUILT_IN, TypeInfo

if TYPE_CHECKING:
    from rulekit.play.game import Game
    from rulekit.source.situations import Expectation, Situation

CHECKS_NOTHING, UNKNOWN = "RK612", "RK613"


def read_all(files: Sequence[Path], sink: Sink, within: Path | None = None) -> list[Situation]:
    """The situations of some files; what is wrong with their form goes to the sink. `within`: the folder in which they must lie;
    without it each its own."""
    from rulekit.source.situations import read_situations

    return [each for file in files for each in read_situations(file, sink, within or file.parent)]


def case_of(s: Situation) -> Case:
    """A situation with plain values."""
    given = s.given
    return Case(
        s.name, s.ref, s.covers, s.scenario, s.empty, {k: str(v.plain()) for k, v in s.rulings.items()}, s.seed,
        [d.plain() for d in given.clear], _plain(given.place), _plain(given.set),
        {pool: [d.plain() for d in things] for pool, things in given.put.items()},
        str(given.phase.plain()) if given.phase else None, str(given.player.plain()) if given.player else None,
        str(s.run.plain()) if s.run else None, _plain(s.within), None if s.dice is None else [d.plain() for d in s.dice],
        [Step(c.player, c.choice, c.span.line) for c in s.do],
        [Expected(e.word, e.subject, e.value.plain() if e.value is not None else None, e.span.line) for e in s.then],
        s.span.file, s.span.line)


def _plain(mapping: dict[str, Any]) -> dict[str, Any]:
    return {key: _plain(value) if isinstance(value, dict) else value.plain() for key, value in mapping.items()}


def vet(game: Game, situations: Sequence[Situation], sink: Sink) -> None:
    """Says of each situation what could not be run, or would check nothing. The game is the one that they belong to."""
    if not situations:
        return
    names = game.table().names
    spoken = set(_spoken(names))
    for situation in situations:
        _Vetting(game, names, spoken, situation, sink).all()


class _Vetting:
    """One situation."""

    def __init__(self, game: Game, names: Names, spoken: set[str], situation: Situation, sink: Sink) -> None:
        self.game, self.names, self.program, self.spoken = game, names, names.program, spoken
        self.situation, self.sink = situation, sink

    def all(self) -> None:
        """Every part of it."""
        s = self.situation
        if not s.then:
            self.sink.error(CHECKS_NOTHING, s.span, f"the situation '{s.name}' checks nothing",
                            "say under 'then' what must be so at the end", "no 'then'")
        for name, ruling in s.rulings.items():
            with self._at(ruling.key_span):
                self.game.rulings({name: str(ruling.plain())})
        if s.scenario is not None and self.game.scenarios and s.scenario not in self.game.scenarios:
            self.sink.error(UNKNOWN, s.span, f"there is no scenario '{s.scenario}'",
                            guess(s.scenario, self.game.scenarios) or f"the scenarios are {', '.join(self.game.scenarios)}")
        self._given()
        self._start()
        for choice in s.do:
            if choice.player is not None:
                with self._at(choice.span):
                    self.names.side(choice.player)
            for key in keys_of_line(choice.choice):
                self._choice(key, choice.span)
        for expected in s.then:
            with self._at(expected.span):
                self._expected(expected)

    @contextmanager
    def _at(self, span: Span, code: str = UNKNOWN) -> Iterator[None]:
        """What is wrong inside is a finding at this place."""
        try:
            yield
        except Wrong as wrong:
            self._say(wrong.code or code, span, str(wrong))
        except RulekitError as error:
            self._say(code, span, str(error))

    def _say(self, code: str, span: Span, text: str) -> None:
        message, _, hint = text.partition("; ")
        helps = {UNKNOWN: "names are those of the rules and the data", ARGUMENTS: "give each parameter its value, in order",
                 VALUE: "write a value that the rules allow there"}
        self.sink.error(code, span, message, hint or helps[code])

    # ---------------------------------------------------------------- the position
    def _given(self) -> None:
        given = self.situation.given
        places = [self.names.ordinals[c.type.kind] for c in self.names.place_cells.values()]
        for place in given.clear:
            word = str(place.plain())
            if word != EVERYWHERE and not any(word in known for known in places):
                hint = guess(word, [m for known in places for m in known])
                self._say(UNKNOWN, place.span, f"{word!r} is no place of this game" + (f"; {hint}" if hint else ""))
        for piece, values in given.place.items():
            with self._at(given.place_spans.get(piece, NOWHERE)):
                home = place_cell(self.names, piece)
                for attribute, value in values.items():
                    with self._at(value.span):
                        self._cell_value(f"{attribute or home}.{piece}", value.plain())
        for path, value in given.set.items():
            with self._at(value.key_span if value.key_span.line else value.span):
                self._cell_value(path, value.plain())
        for pool, things in given.put.items():
            where = things[0].span if things else self.situation.span
            with self._at(where):
                cell, _ = self.names.cell(pool)
                if not cell.pool:
                    raise Wrong(f"{pool!r} is not a pool")
                for thing in things:
                    with self._at(thing.span):
                        self.names.member(cell.type.kind, thing.plain())

    def _cell_value(self, path: str, value: Any) -> None:
        cell, _ = self.names.cell(path)
        fitting(self.names, cell.type, value, path)

    def _start(self) -> None:
        s = self.situation
        player = str(s.given.player.plain()) if s.given.player is not None else None
        if s.given.player is not None:
            with self._at(s.given.player.span):
                self.names.side(player)
        for name, fields in s.within.items():
            span = next((v.key_span for v in fields.values()), s.span)
            with self._at(span):
                proc = self.program.procs[procedure(self.names, name)]
                for field, value in fields.items():
                    with self._at(value.key_span):
                        info = next((v for v in proc.vars if v.name == field and v.slot >= 0), None)
                        if info is None:
                            hint = guess(field, [v.name for v in proc.vars if v.slot >= 0])
                            raise Wrong(f"{proc.name} has no field {field!r} that can be set" + (f"; {hint}" if hint else ""))
                        fitting(self.names, info.type, value.plain(), field)
        for start in [each for each in (s.run, s.given.phase) if each is not None]:
            with self._at(start.span):
                name, words = call_parts(str(start.plain()))
                proc = self.program.procs[procedure(self.names, name)]
                said = {k: v.plain() for k, v in s.within.get(name, {}).items()}
                for var, word in argument_words(self.names, proc, words, player, said):
                    fitting(self.names, var.type, word, f"{var.name} of {name}")

    # ---------------------------------------------------------------- choices
    def _choice(self, text: str, span: Span) -> None:
        """Its words must be names of options, of members, of labels or numbers: what is offered is seen in play."""
        for word in words_of(text):
            if word not in self.spoken and not word.lstrip("-").isdigit() and not any(w.startswith(word) for w in self.spoken):
                hint = guess(word, self.spoken)
                self._say(UNKNOWN, span, f"{word!r} in {text!r} is no option or member of this game" + (f"; {hint}" if hint else ""))

    # ---------------------------------------------------------------- expectations
    def _expected(self, e: Expectation) -> None:
        value = e.value.plain() if e.value is not None else None
        word, whole = e.word, f"{e.word} {e.subject}"
        if whole.count("(") > whole.count(")"):
            raise Wrong(f"'{whole}' is cut off at a comma; write it on a line of its own, or in quotes: {{\"total f(a, b)\": 1}}")
        if whole.count(")") > whole.count("("):
            return  # the rest of one that was cut off
        if word not in expectations.WORDS:
            self._state(f"{word}.{e.subject}" if e.subject else word, value, e, known=[*expectations.WORDS, *self._cells()])
        elif word in ("total", "permit", "define", "value", "table"):
            self._total(e.subject, value)
        elif word == "applies":
            head, _, clause = e.subject.rpartition(".")
            name, _words = expectations.subject_of(head)
            _what, _index, info = self.names.declared(name)
            if clause not in [c.name for c in info.clauses]:
                hint = guess(clause, [c.name for c in info.clauses if c.name])
                raise Wrong(f"{name} has no clause {clause!r}" + (f"; {hint}" if hint else ""))
        elif word == "var":
            self._state(e.subject, value, e, known=self._cells())
        elif word in ("pool", "in_pool", "not_in_pool", "size"):
            cell, _ = self.names.cell(e.subject)
            for thing in () if word == "size" else value if isinstance(value, list) else [value]:
                self.names.member(cell.type.kind, thing)
        elif word in ("event", "no_event", "count"):
            self._event(word, e.subject, value)
        elif word in ("legal", "options", "why"):
            self._options(word, e.subject, value, e.span)
        elif word == "decision" and isinstance(value, dict):
            self._among(value, expectations.OF_A_DECISION, "a decision has no")
        elif word == "result":
            self._result(value)

    def _cells(self) -> list[str]:
        return sorted({c.name for c in self.program.cells if not c.hidden})

    def _state(self, path: str, value: Any, e: Expectation, known: Sequence[str]) -> None:
        of_frames = {n for p in self.program.procs for v in p.vars if v.slot >= 0 for n in (v.name, f"{p.name}.{v.name}")}
        if path in of_frames:
            return
        try:
            cell, _ = self.names.cell(path)
        except RulekitError:
            if any(f"{path.rsplit('.', 1)[0]}" == c for c in self._cells()) or e.word in self._cells():
                raise
            hint = guess(e.word if e.word != "var" else path, [*known, *of_frames])
            raise Wrong(f"'{e.word}' is neither a word of 'then' nor a state of this game" + (f"; {hint}" if hint else "")
                        if e.word != "var" else f"{path!r} is no state of this game" + (f"; {hint}" if hint else "")) from None
        if cell.type.form in ("member", "set", "bool"):
            self.names.parse(cell.type, value)

    def _total(self, subject: str, value: Any) -> None:
        name, words = expectations.subject_of(subject)
        _what, _index, info = self.names.declared(name)
        if words and len(words) != len(info.params):
            raise Wrong(f"{name} takes {counted(len(info.params))}, not {len(words)}", code=ARGUMENTS)
        for (param, type), word in zip(info.params, words, strict=False):
            fitting(self.names, type, word, f"{param} of {name}", bounds=False)
        if info.type.form in ("member", "set", "bool"):
            self.names.parse(info.type, value)

    def _event(self, word: str, subject: str, value: Any) -> None:
        name, fields = (subject, value) if subject else (str(value), None)
        info = next((e for e in self.program.events if e.name == name), None)
        if info is None and name not in BUILT_IN:
            hint = guess(name, [*(e.name for e in self.program.events), *BUILT_IN])
            raise Wrong(f"{name!r} is no event of this game" + (f"; {hint}" if hint else ""))
        if word == "count" or not isinstance(fields, dict):
            return
        if info is None:
            self._among(fields, (*expectations.FIELDS[name], *self._of_phases(name)), f"the event {name} has no")
            return
        types: dict[str, TypeInfo] = dict(info.params)
        self._among(fields, types, f"the event {name} has no")
        for field, wanted in fields.items():
            fitting(self.names, types[field], wanted, f"{field} of {name}", bounds=False)

    def _of_phases(self, name: str) -> list[str]:
        return [v.name for p in self.program.procs if p.word == "phase" for v in p.vars[:p.params]] if name == "phase_begun" else []

    def _options(self, word: str, subject: str, value: Any, span: Span) -> None:
        if word == "why":
            self._choice(subject, span)
        elif isinstance(value, dict):
            self._among(value, ("not",), f"'{word}' has no")
            for inner in value.values():
                self._options(word, "", inner, span)
        elif not isinstance(value, int) or word != "options":
            for text in value if isinstance(value, list) else [value]:
                self._choice(str(text), span)

    def _result(self, value: Any) -> None:
        if isinstance(value, dict):
            self._among(value, ("winner", "level"), "a result has no")
        elif value is not None and value != "none":
            known = [*self.program.levels, *self.names.sides]
            if value not in known:
                hint = guess(str(value), known)
                raise Wrong(f"{value!r} is neither a level nor a player" + (f"; {hint}" if hint else ""))

    def _among(self, fields: dict[str, Any], known: Any, what: str) -> None:
        for field in fields:
            if field not in known:
                hint = guess(field, known)
                raise Wrong(f"{what} {field!r}; {hint or 'it has ' + (', '.join(known) or 'none')}")


def _spoken(names: Names) -> Iterator[str]:
    """All words that a line of `do` may have, in small letters."""
    yield from ("pick", "add", "go", "done", "to", "over", "stop", "pass", "none")
    for family in names.program.families:
        yield from words_of(family.name)
        yield from words_of(names.text(family.key, family.label))
    for kind, info in enumerate(names.program.kinds):
        for ordinal, member in enumerate(info.members):
            yield from words_of(member)
            yield from words_of(member.rsplit(".", 1)[-1])
            yield from words_of(names.label(kind, ordinal))
