"""Validate one line of `then` in a situation: its form, its names and its values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulekit.common.diagnostics.diagnostic import guess
from rulekit.common.errors import RulekitError
from rulekit.engine.game.setup import ARGUMENTS, FORM, UNBEGUN, VALUE, WrongSetup, counted, fitting
from rulekit.engine.kernel.bound_program import languages
from rulekit.engine.kernel.call_syntax import call_of, clause_of, subject_of
from rulekit.engine.kernel.decision import words_of
from rulekit.engine.kernel.names import Names, UnknownName
from rulekit.engine.search.agent_registry import AGENTS, is_agent, searching
from rulekit.engine.testing import expectations
from rulekit.engine.testing.expectations import keys_of_line, shown
from rulekit.runtime.program import TableInfo, TotalInfo, TypeInfo
from rulekit.runtime.slots import BUILT_IN

if TYPE_CHECKING:
    from rulekit.compiler.source.situations import Expectation

UNKNOWN = "RK613"
MOST_RUNS = 1000
_CHANCE = re.compile(r"[01]|[0-9]{1,6}/[1-9][0-9]{0,5}")
EXAMPLES = {
    "total": "total NAME(argument, ...): 3",
    "permit": "permit NAME(argument, ...): true",
    "define": "define NAME(argument, ...): value",
    "value": "value NAME(argument, ...): value",
    "table": "table NAME(argument, ...): result",
    "applies": "applies TOTAL(argument, ...).CLAUSE: true",
    "var": "var NAME: value",
    "pool": "pool NAME: [a, b]",
    "in_pool": "in_pool NAME: [a, b]",
    "not_in_pool": "not_in_pool NAME: [a, b]",
    "size": "size NAME: 2",
    "event": "event NAME: {field: value}",
    "no_event": "no_event NAME: {field: value}",
    "count": "count NAME: 2",
    "legal": "legal: [choice, choice]",
    "why": 'why CHOICE: "words of the reason"',
    "options": "options: [choice, choice]",
    "seat": "seat NAME: {not: [choice, choice]}",
    "seen": "seen by PLAYER: {STATE KEY: value, event NAME: {field: hidden}}",
    "text": 'text prompt: "words"',
    "odds": "odds CHOICE: {event NAME: 5/12}",
    "decision": "decision: {player: NAME, in: PHASE}",
    "result": "result: {winner: NAME, level: LEVEL}",
}
_ALONE = ("legal", "options", "decision", "result")  # words that have no subject
_MAY_LACK = ("applies", "event", "no_event", "why")  # words that may have no value
_ASKED = (*_ALONE, "why", "seat", "odds")  # words that need a game that has begun
_HAPPENS = ("event", "no_event", "count")  # words that need play
_VALUES = ("total", "permit", "define", "value", "table")
_KINDS = ("choose", "pick", "group", "walk", "window", "tie")


class Expectations:
    """Validates the expectations of one situation.

    Attributes:
        spoken: the words that may occur in choices.
        begun: True if the game has begun.
        plays: True if play happens in the situation.
    """

    def __init__(self, names: Names, spoken: set[str], begun: bool, plays: bool) -> None:
        self.names, self.program, self.spoken, self.begun, self.plays = (
            names,
            names.program,
            spoken,
            begun,
            plays,
        )

    def look(self, expectation: Expectation) -> None:
        """Raise Wrong or another RulekitError if the expectation is invalid."""
        value = expectation.value.plain() if expectation.value is not None else None
        word, whole = expectation.word, f"{expectation.word} {expectation.subject}".strip()
        if whole.count("(") > whole.count(")"):
            raise WrongSetup(
                f"'{whole}' is cut off at a comma; write it on a line of its own, or in quotes:"
                ' {"total f(a, b)": 1}'
            )
        if whole.count(")") > whole.count("("):
            return  # the rest of a line that was cut off at a comma
        if word not in expectations.WORDS:
            return self._state(
                f"{word}.{expectation.subject}" if expectation.subject else word,
                value,
                expectation,
                [*expectations.WORDS, *self._cells()],
            )
        self._form(expectation, value)
        if word in _VALUES:
            self._value(word, expectation.subject, value)
        elif word == "applies":
            self._applies(expectation.subject, value)
        elif word == "var":
            self._state(expectation.subject, value, expectation, self._cells())
        elif word in ("pool", "in_pool", "not_in_pool", "size"):
            self._pool(word, expectation.subject, value)
        elif word in ("event", "no_event", "count"):
            self._event(word, expectation.subject, value)
        elif word in ("legal", "options", "why"):
            self._options(word, expectation.subject, value)
        elif word == "seat":
            self._seat(expectation.subject, value)
        elif word == "seen":
            self._seen(expectation, value)
        elif word == "odds":
            self._odds(expectation.subject, value)
        elif word == "text":
            self._text(expectation.subject, value)
        elif word == "decision":
            self._decision(value)
        else:
            self._result(value)

    def _form(self, expectation: Expectation, value: Any) -> None:
        """Check that the expectation has a subject and a value if its word needs them."""
        word, example = expectation.word, f"write `{EXAMPLES[expectation.word]}`"
        if word in _ALONE and expectation.subject:
            raise WrongSetup(
                f"write nothing between '{word}' and its colon, not '{expectation.subject}';"
                f" {example}",
                code=FORM,
            )
        if (
            word not in _ALONE
            and not expectation.subject
            and not (word in ("event", "no_event") and isinstance(value, str))
        ):
            raise WrongSetup(f"'{word}' needs a subject; {example}", code=FORM)
        if expectation.value is None and word not in _MAY_LACK:
            raise WrongSetup(
                f"'{word} {expectation.subject}'".replace(" '", "'") + f" has no value; {example}",
                code=FORM,
            )
        if word in _ASKED and not self.begun:
            raise WrongSetup(
                f"'{word}' needs a game that has begun; add `run`, or `phase` under `given`, or"
                " remove `empty`",
                code=UNBEGUN,
            )
        if word in _HAPPENS and not self.plays:
            raise WrongSetup(
                f"'{word}' needs something that happened; add `do`, `run`, or `phase` under"
                " `given`",
                code=UNBEGUN,
            )

    # --------------------------------------------------------------------------------------- values
    def _value(self, word: str, subject: str, value: Any) -> None:
        name, words = subject_of(subject)
        try:
            what, _, info = expectations.declared(self.names, name, words)
        except UnknownName:
            found = expectations.fixed(self.names, name, words)
            if found is None:
                raise WrongSetup(self._no_value(word, name, words)) from None
            fitting(self.names, found[0], value, subject, bounds=False)
            return
        if word not in (what, "value"):
            raise WrongSetup(
                f"'{info.name}' is a {what}, not a {word}; write `{what} {subject}`", code=FORM
            )
        self._arguments(info, words)
        if isinstance(info, TableInfo):
            self._results(info, value)
        else:
            fitting(self.names, info.type, value, subject, bounds=False)

    def _no_value(self, word: str, name: str, words: Sequence[Any]) -> str:
        program = self.program
        of: dict[str, list[TotalInfo]] = {
            "total": program.totals,
            "permit": program.permits,
            "define": program.defines,
            "table": [*program.tables],
        }
        every = [info for infos in of.values() for info in infos]
        attributes = [f"{kind.name}.{a}" for kind in program.kinds for a in kind.fixed]
        owners = [i.name for i in program.defines if i.name.endswith(f".{name}")] + [
            a for a in attributes if a.endswith(f".{name}")
        ]
        if owners:
            return f"'{name}' is an attribute; name its owner: {word} {owners[0]}(NAME)"
        hint = guess(name, [i.name for i in of.get(word, every)]) or guess(
            name, [*(i.name for i in every), *attributes]
        )
        return f"{name!r} is not a {word} of this game" + (f"; {hint}" if hint else "")

    def _arguments(self, info: TotalInfo, words: Sequence[Any]) -> None:
        context = self.program.procs[info.context].name if info.context >= 0 else ""
        if len(words) != len(info.params) and (
            words or not self.plays or isinstance(info, TableInfo)
        ):
            raise WrongSetup(
                f"{info.name} takes {counted(len(info.params))}, not {len(words)}; write"
                f" {call_of(info)} with values" + (f", within {context}" if context else ""),
                code=ARGUMENTS,
            )
        for (param, type), word in zip(info.params, words, strict=False):
            fitting(self.names, type, word, f"{param} of {info.name}", bounds=False)

    def _results(self, info: TableInfo, value: Any) -> None:
        results = dict(info.outputs)
        if len(results) > 1 and not isinstance(value, dict):
            raise WrongSetup(
                f"the table {info.name} has several results; write"
                f" {{{', '.join(f'{name}: ...' for name in results)}}}",
                code=FORM,
            )
        if not isinstance(value, dict):
            fitting(self.names, next(iter(results.values())), value, info.name, bounds=False)
            return
        self.among(value, results, f"the table {info.name} has no")
        for name, wanted in value.items():
            fitting(self.names, results[name], wanted, f"{name} of {info.name}", bounds=False)

    def _applies(self, subject: str, value: Any) -> None:
        name, words, clause = clause_of(subject)
        what, _, info = self.names.declared(name if clause else subject_of(subject)[0])
        known = [c.name for c in sorted(info.clauses, key=lambda c: c.word == "base") if c.name]
        if what not in ("total", "permit"):
            raise WrongSetup(
                f"'{name}' is a {what} and has no clauses; 'applies' needs a clause of a total or"
                " permit",
                code=FORM,
            )
        if clause not in known:
            hint = guess(clause, known) or f"its clauses are {', '.join(known) or 'without names'}"
            raise WrongSetup(
                (
                    f"{name} has no clause {clause!r}; {hint}"
                    if clause
                    else (
                        f"'applies {subject}' names no clause; write "
                        f"`applies {name}.{known[0] if known else 'CLAUSE'}`"
                    )
                ),
                code=UNKNOWN if clause else FORM,
            )
        self._arguments(info, words)
        self._truth("applies", value, optional=True)

    def _truth(self, word: str, value: Any, optional: bool = False) -> None:
        if not isinstance(value, bool) and not (optional and value is None):
            raise WrongSetup(
                f"'{word}' is true or false, not {shown(value)}; write true or false", code=VALUE
            )

    def _number(self, word: str, value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise WrongSetup(
                f"'{word}' is a number of things, not {shown(value)}; write a number", code=VALUE
            )

    # ------------------------------------------------------------------------------------ the state
    def _cells(self) -> list[str]:
        return sorted({c.name for c in self.program.cells if not c.hidden})

    def _state(self, path: str, value: Any, expectation: Expectation, known: Sequence[str]) -> None:
        type = self._type_of(path, expectation, known)
        if expectation.value is None:
            raise WrongSetup(
                f"'{expectation.word} {expectation.subject}".strip()
                + "' has no value; write a colon and the expected value",
                code=FORM,
            )
        fitting(self.names, type, value, path, bounds=False)

    def _type_of(self, path: str, expectation: Expectation, known: Sequence[str]) -> TypeInfo:
        of_frames = self.names.variables
        if path in of_frames:
            return of_frames[path]
        try:
            return self.names.cell(path)[0].type
        except RulekitError:
            if (
                any(f"{path.rsplit('.', 1)[0]}" == c for c in self._cells())
                or expectation.word in self._cells()
                or path in self._cells()
            ):
                raise
            hint = guess(
                expectation.word if expectation.word != "var" else path, [*known, *of_frames]
            )
            raise WrongSetup(
                f"'{expectation.word}' is neither a word for 'then' nor a state of this game"
                + (f"; {hint}" if hint else "")
                if expectation.word != "var"
                else f"{path!r} is not a state of this game" + (f"; {hint}" if hint else "")
            ) from None

    def _pool(self, word: str, subject: str, value: Any) -> None:
        cell, _ = self.names.cell(subject)
        if not cell.pool and cell.type.form != "set":
            raise WrongSetup(
                f"{subject!r} is not a pool; write `{subject.replace('.', ' ', 1)}: ...` for a"
                " state",
                code=FORM,
            )
        if word == "size":
            return self._number(word, value)
        if word != "pool" and value in ([], None):
            raise WrongSetup(f"'{word}' names nothing; write the names of the things", code=FORM)
        fitting(self.names, TypeInfo("set", cell.type.kind), value, subject)

    # --------------------------------------------------------------------------------------- events
    def _event(self, word: str, subject: str, value: Any) -> None:
        name, fields = (subject, value) if subject else (str(value), None)
        info = next((e for e in self.program.events if e.name == name), None)
        if info is None and name not in BUILT_IN:
            hint = guess(name, [*(e.name for e in self.program.events), *BUILT_IN])
            raise WrongSetup(
                f"{name!r} is not an event of this game" + (f"; {hint}" if hint else "")
            )
        if word == "count":
            return self._number(word, value)
        if fields is not None and not isinstance(fields, dict):
            raise WrongSetup(
                f"'{word} {name}' needs fields, not {shown(fields)}; write `{EXAMPLES[word]}`",
                code=FORM,
            )
        types: dict[str, TypeInfo | tuple[str, ...] | None]
        types = dict(info.params) if info is not None else self._fields_of(name)
        self.among(fields or {}, types, f"the event {name} has no")
        for field, wanted in (fields or {}).items():
            self._fits(types[field], wanted, f"{field} of {name}")

    def _fields_of(self, name: str) -> dict[str, TypeInfo | tuple[str, ...] | None]:
        """Return the fields of a built-in event.

        The value is a type, the possible words, or None for a field that is not checked.
        """
        phases = [p for p in self.program.procs if p.word == "phase"]
        out: dict[str, TypeInfo | tuple[str, ...] | None] = dict.fromkeys(expectations.FIELDS[name])
        known: dict[str, TypeInfo | tuple[str, ...]] = {
            "who": TypeInfo("member", self.program.sides, optional=True),
            "winner": TypeInfo("member", self.program.sides, optional=True),
            "purpose": tuple(self.program.purposes),
            "level": tuple(self.program.levels),
            "phase": tuple(p.name for p in phases),
        }
        out |= {field: known[field] for field in out if field in known}
        if name in ("die_rolled", "roll_cancelled"):
            out["value"] = TypeInfo("int")
        if name == "phase_begun":
            out |= {v.name: None for p in phases for v in p.vars[: p.params]}
        return out

    def _fits(self, type: TypeInfo | tuple[str, ...] | None, value: Any, what: str) -> None:
        if isinstance(type, TypeInfo):
            fitting(self.names, type, value, what, bounds=False)
        elif type and value not in type:
            hint = guess(str(value), type) or "write one of them"
            raise WrongSetup(f"{what}: {shown(value)} is none of {', '.join(type)}; {hint}")

    # ------------------------------------------------------------------------------------ decisions
    def choice(self, text: str) -> None:
        """Check that each word is the name of an option or member, part of a label, or a number.

        Whether the choice is legal shows only in play.
        """
        if not keys_of_line(text):
            raise WrongSetup(
                f"{text!r} is not a choice; write an option in the words of `rulekit play`",
                code=FORM,
            )
        for key in keys_of_line(text):
            for word in words_of(key):
                if (
                    word not in self.spoken
                    and not word.lstrip("-#").isdigit()
                    and not any(w.startswith(word) for w in self.spoken)
                ):
                    at = key.casefold().find(word)
                    said = (
                        key[at : at + len(word)]
                        if key[at : at + len(word)].casefold() == word
                        else word
                    )
                    hint = guess(said, self._written()) or guess(word, self.spoken)
                    raise WrongSetup(
                        f"{said!r} in {key!r} is not an option or member of this game"
                        + (f"; {hint}" if hint else "")
                    )

    def _written(self) -> list[str]:
        """Return the options and members as the rules and the data write them."""
        return [
            *(family.name for family in self.program.families),
            *(member for kind in self.program.kinds for member in kind.members),
        ]

    def _options(self, word: str, subject: str, value: Any) -> None:
        if word == "why":
            if value is not None and (not isinstance(value, str) or value.isspace()):
                said = shown(value).strip() or "blanks"
                raise WrongSetup(
                    f"the reason of 'why {subject}' is a text, not {said}; write"
                    f" `{EXAMPLES[word]}`",
                    code=FORM,
                )
            return self.choice(subject)
        if isinstance(value, dict) and word == "legal":
            self.among(value, ("not",), "'legal' has no")
            value = value["not"]
        elif isinstance(value, int) and not isinstance(value, bool) and word == "options":
            return self._number(word, value)
        for text in self._choices(word, value):
            self.choice(text)

    def _choices(self, word: str, value: Any) -> Iterator[str]:
        listed = value if isinstance(value, list) else [value]
        if (not listed and word == "legal") or any(
            not isinstance(text, (str, int)) or isinstance(text, bool) for text in listed
        ):
            raise WrongSetup(
                f"'{word}' needs choices, not {shown(value) if value != [] else 'nothing'}; write"
                f" `{EXAMPLES[word]}`",
                code=FORM,
            )
        yield from map(str, listed)

    def _seat(self, name: str, value: Any) -> None:
        if not is_agent(name):
            hint = guess(name, AGENTS) or f"there are {', '.join(AGENTS)}"
            raise WrongSetup(f"there is no seat {name!r}; {hint}")
        effort = searching(name)
        if effort is not None and effort.seconds:
            raise WrongSetup(
                f"'seat {name}' thinks for a time, so its choices vary; write a number of"
                " iterations, such as search:2000",
                code=FORM,
            )
        if not isinstance(value, dict):
            raise WrongSetup(
                f"'seat {name}' needs 'not' or 'only' with choices; write `{EXAMPLES['seat']}`",
                code=FORM,
            )
        self.among(value, ("not", "only", "runs"), "'seat' has no")
        if "not" not in value and "only" not in value:
            raise WrongSetup(
                f"'seat {name}' names no choices; write `{EXAMPLES['seat']}`", code=FORM
            )
        if "runs" in value and not (type(value["runs"]) is int and 0 < value["runs"] <= MOST_RUNS):
            raise WrongSetup(
                f"'runs' is a number of trials, not {shown(value['runs'])}; write a number from 1"
                f" to {MOST_RUNS}",
                code=VALUE,
            )
        for word in ("not", "only"):
            if word in value:
                if value[word] in ([], None):
                    raise WrongSetup(
                        f"'{word}' names no choices; write `{EXAMPLES['seat']}`", code=FORM
                    )
                for text in self._choices("seat", value[word]):
                    self.choice(text)

    # --------------------------------------------------------------------------------- observations
    def _seen(self, expectation: Expectation, value: Any) -> None:
        expectations.observer_of(self.names, expectation.subject)
        if not isinstance(value, dict) or not value:
            raise WrongSetup(
                f"'seen {expectation.subject}' needs the values that are seen;"
                f" write `{EXAMPLES['seen']}`",
                code=FORM,
            )
        for what, wanted in value.items():
            word, _, rest = str(what).partition(" ")
            if word in ("event", "no_event"):
                if not self.plays:
                    raise WrongSetup(
                        f"'{what}' needs something that happened; add `do`, `run`, or `phase`"
                        " under `given`",
                        code=UNBEGUN,
                    )
                fields = (
                    {k: v for k, v in wanted.items() if v != expectations.UNSEEN}
                    if isinstance(wanted, dict)
                    else wanted
                )
                self._event(word, rest, fields)
                self.among(wanted or {}, self._event_fields(rest), f"the event {rest} has no")
                continue
            cell, _ = self.names.cell(
                rest if word == "pool" else f"{word}.{rest}" if rest else word
            )
            listed = wanted if isinstance(wanted, list) else [wanted]
            known = [each for each in listed if each != expectations.UNSEEN]
            if isinstance(wanted, list) or known:
                fitting(
                    self.names,
                    cell.type,
                    known if isinstance(wanted, list) else wanted,
                    str(what),
                    bounds=False,
                )

    def _event_fields(self, name: str) -> list[str]:
        info = next((e for e in self.program.events if e.name == name), None)
        return (
            [field for field, _ in info.params] if info is not None else list(self._fields_of(name))
        )

    def _odds(self, subject: str, value: Any) -> None:
        self.choice(subject)
        if not isinstance(value, dict) or not value:
            raise WrongSetup(
                f"'odds {subject}' needs events with chances; write `{EXAMPLES['odds']}`", code=FORM
            )
        for what, chance in value.items():
            word, _, name = str(what).partition(" ")
            if word != "event":
                raise WrongSetup(
                    f"'odds' knows the chances of events, not of {what!r}; write"
                    f" `{EXAMPLES['odds']}`",
                    code=FORM,
                )
            self._event("event", name, None)
            if not _CHANCE.fullmatch(str(chance)):
                raise WrongSetup(
                    f"{shown(chance)} is no chance from 0 to 1; write a fraction such as 5/12",
                    code=VALUE,
                )

    def _text(self, subject: str, value: Any) -> None:
        what, _, rest = subject.partition(" ")
        if what not in expectations.TEXTS or bool(rest) == (what == "prompt"):
            raise WrongSetup(
                f"'text {subject}' names no text; write `text prompt`, `text option CHOICE` or"
                " `text log by PLAYER`",
                code=FORM,
            )
        if what == "log":
            expectations.observer_of(self.names, rest)
            if not self.plays:
                raise WrongSetup(
                    "'text log' needs something that happened; add `do`, `run`, or `phase` under"
                    " `given`",
                    code=UNBEGUN,
                )
        elif not self.begun:
            raise WrongSetup(
                f"'text {what}' needs a game that has begun; add `run`, or `phase` under `given`,"
                " or remove `empty`",
                code=UNBEGUN,
            )
        if what == "option":
            self.choice(rest)
        by_language = value if isinstance(value, dict) else {"en": value}
        self.among(by_language, languages(self.program), "the game has no language")
        for words in by_language.values() or [None]:
            if not isinstance(words, str) or not words.strip():
                raise WrongSetup(
                    f"'text {subject}' needs words that are read, not {shown(words)}; write"
                    f" `{EXAMPLES['text']}`, or words by language: {{en: words, fr: mots}}",
                    code=FORM,
                )

    def _decision(self, value: Any) -> None:
        player = TypeInfo("member", self.program.sides, optional=True)
        if not isinstance(value, dict):
            return self._fits(player, value, "decision")
        self.among(value, expectations.OF_A_DECISION, "a decision has no")
        procs, moments = tuple(p.name for p in self.program.procs), self.program.moments
        known: dict[str, TypeInfo | tuple[str, ...] | None]
        known = {
            "player": TypeInfo("member", self.program.sides),
            "kind": _KINDS,
            "in": procs,
            "procedure": procs,
            "moment": TypeInfo("member", moments, optional=True) if moments >= 0 else None,
        }
        for name, wanted in value.items():
            self._fits(
                known.get(name if name != "who" else "player"), wanted, f"{name} of the decision"
            )

    def _result(self, value: Any) -> None:
        winner = TypeInfo("member", self.program.sides, optional=True)
        if isinstance(value, dict):
            self.among(value, ("winner", "level"), "a result has no")
            for name, wanted in value.items():
                self._fits(
                    winner if name == "winner" else tuple(self.program.levels),
                    wanted,
                    f"{name} of the result",
                )
        elif value is not None and value != "none":
            known = [*self.program.levels, *self.names.sides]
            if value not in known:
                hint = guess(str(value), known)
                raise WrongSetup(
                    f"{shown(value)} is neither a level nor a player"
                    + (f"; {hint}" if hint else "")
                )

    def among(self, fields: dict[str, Any], known: Any, what: str) -> None:
        """Raise Wrong if one of the fields is unknown."""
        for field in fields:
            if field not in known:
                hint = guess(str(field), known)
                raise WrongSetup(
                    f"{what} {field!r}; {hint or 'it has ' + (', '.join(known) or 'none')}"
                )
