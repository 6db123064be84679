"""Check one expectation of a situation against a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.explain import refusals
from rulekit.engine.game.state import State
from rulekit.engine.kernel.call_syntax import call_of, clause_of, subject_of
from rulekit.engine.kernel.decision import matching
from rulekit.engine.kernel.events import HIDDEN, Event
from rulekit.engine.kernel.names import Names, UnknownName
from rulekit.engine.kernel.tracer import Tracer
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.chance_outcomes import courses
from rulekit.engine.notation import move_parser
from rulekit.engine.notation.move_plan import is_multi_step
from rulekit.engine.search.agent_registry import make_agent
from rulekit.runtime.intrinsics import members as bits
from rulekit.runtime.program import TableInfo, TotalInfo, TypeInfo
from rulekit.runtime.slots import BUILT_IN

# words of `seen`: a value that the observer may not know, and a spectator with public knowledge
UNSEEN, OBSERVER = "hidden", "observer"
TEXTS = ("prompt", "option", "log")  # the texts that `text` can name
_MAX_SHOWN_LINES = 5  # lines of the log that a message shows
RUNS = 20  # the number of times that a seat chooses
OF_A_DECISION = ("player", "who", "prompt", "kind", "in", "procedure", "moment")
FIELDS: dict[str, tuple[str, ...]] = {  # the parameters of the built-in events
    "changed": ("what", "value"),
    "die_rolled": ("purpose", "who", "value"),
    "roll_cancelled": ("purpose", "who", "value"),
    "drawn": ("source", "target", "what"),
    "put": ("what", "target", "source"),
    "gathered": ("source", "target", "what"),
    "revealed": ("what",),
    "scope_ended": ("scope",),
    "finished": ("winner", "level"),
    "phase_begun": ("phase",),
}


def same(actual: Any, expected: Any) -> bool:
    """Return True if the values are equal.

    Ids are also equal by their last dotted part, sets in any order, and numbers as words.
    """
    if isinstance(actual, list):
        wanted = expected if isinstance(expected, list) else [] if expected is None else [expected]
        left = list(wanted)
        for item in actual:
            fit = next((w for w in left if same(item, w)), left)
            if fit is left:
                return False
            left.remove(fit)
        return not left
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected or (actual, expected) in (
            (1, True),
            (0, False),
            (True, "true"),
            (False, "false"),
        )
    if actual is None or expected is None:
        return actual in (None, "none", "") and expected in (None, "none", "")
    if isinstance(actual, str):
        text = str(expected)
        return text in (actual, actual.rsplit(".", 1)[-1]) or text.casefold() == actual.casefold()
    return str(actual) == str(expected)


def _differs(what: str, actual: Any, expected: Any) -> str:
    return (
        "" if same(actual, expected) else f"{what}: expected {shown(expected)}, is {shown(actual)}"
    )


def shown(value: Any) -> str:
    """Return a value as a situation writes it."""
    if value is None:
        return "none"
    if isinstance(value, list):
        return "{" + ", ".join(str(v) for v in value) + "}"
    return str(value)


# -------------------------------------------------------------------------------- values and states
def declared(names: Names, name: str, words: Sequence[Any]) -> tuple[str, int, TotalInfo]:
    """Return a total, permit, define or table by name.

    An attribute can also be named alone, for the kind of the first argument.
    """
    try:
        return names.declared(name)
    except UnknownName:
        of_kinds = [
            i.name
            for i in names.program.defines
            if i.name.endswith(f".{name}") and _is_of(names, i, words)
        ]
        if len(of_kinds) == 1:
            return names.declared(of_kinds[0])
        raise


def _is_of(names: Names, info: TotalInfo, words: Sequence[Any]) -> bool:
    """Return True if the first argument may be a member that has the attribute."""
    kind = info.params[0][1].kind if info.params else -1
    return kind >= 0 and (not words or str(words[0]) in names.ordinals[kind])


def fixed(names: Names, name: str, words: Sequence[Any]) -> tuple[TypeInfo, Any] | None:
    """Return the type and value of a constant attribute, named `type` or `Piece.type`, or None.

    It must have exactly one argument.
    """
    owner, __, attribute = name.rpartition(".")
    for at, kind in enumerate(names.program.kinds):
        if (
            attribute in kind.fixed
            and owner in ("", kind.name)
            and len(words) == 1
            and str(words[0]) in names.ordinals[at]
        ):
            type, values = kind.fixed[attribute]
            return type, names.value(type, values[names.ordinals[at][str(words[0])]])
    return None


def _value(state: State, tracer: Tracer | None, subject: str, expected: Any) -> str:
    name, words = subject_of(subject)
    try:
        what, index, info = declared(state.names, name, words)
    except UnknownName:
        attribute = fixed(state.names, name, words)
        if attribute is None:
            raise
        return _differs(subject, attribute[1], expected)
    if isinstance(info, TableInfo):
        actual = state.value_of(info.name, *words)
        if isinstance(expected, dict) and isinstance(actual, dict):
            wrong = (
                _differs(f"{what} {subject}: {key}", actual.get(key), value)
                for key, value in expected.items()
            )
            return next((text for text in wrong if text), "")
        return _differs(f"{what} {subject}", actual, expected)
    raw: tuple[int, ...] | None = None
    if len(words) == len(info.params):
        raw = tuple(
            state.names.parse(type, word)
            for (_, type), word in zip(info.params, words, strict=True)
        )
    elif words:
        raise RulekitError(f"{name} takes {len(info.params)} arguments, not {len(words)}")
    assert tracer is not None
    if raw is not None and (info.context < 0 or state.running(info.context)):
        actual = state.value_of(info.name, *words)
        tracer.asked(what, index, raw)
    else:
        found = tracer.found(what, index, raw)
        if found is None:
            return (
                f"{subject}: expected {shown(expected)}, but it was not computed"
                f" ({_meaning(state, info)})"
            )
        actual = bool(found[0]) if what == "permit" else state.names.value(info.type, found[0])
    return _differs(f"{what} {subject}", actual, expected)


def _meaning(state: State, info: TotalInfo) -> str:
    """Return a text that says when a total is computed."""
    if info.context >= 0:
        return (
            f"{info.name} only has a meaning in {state.table.program.procs[info.context].name}:"
            " open it under 'within'"
        )
    return f"without arguments it is the one that was computed last; else write {call_of(info)}"


def _applies(state: State, tracer: Tracer | None, subject: str, expected: Any) -> str:
    name, words, clause = clause_of(subject)
    what, index, info = state.names.declared(name)
    at = next((i for i, c in enumerate(info.clauses) if c.name == clause), None)
    if at is None:
        raise UnknownName(f"{name} has no clause {clause!r}")
    wanted = True if expected is None else expected
    assert tracer is not None
    if len(words) == len(info.params) and (info.context < 0 or state.running(info.context)):
        actual = any(
            line.name == clause and line.status == "applied"
            for line in state.explain(name, *words).lines
        )
        tracer.asked(
            what,
            index,
            tuple(
                state.names.parse(type, word)
                for (_, type), word in zip(info.params, words, strict=True)
            ),
        )
        if words or actual:
            return _differs(f"applies {subject}", actual, wanted)
    elif words:
        return f"applies {subject}: {name} was not computed for them ({_meaning(state, info)})"
    elif tracer.found(what, index, None) is None:
        return (
            f"applies {subject}: expected {shown(wanted)}, but {name} was not computed"
            f" ({_meaning(state, info)})"
        )
    return _differs(f"applies {subject}", (what, index, at) in set(tracer.applied()), wanted)


def _var(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    try:
        cell, keys = state.names.cell(subject)
    except UnknownName:
        slot = _frame_value(state, subject)
        if slot is None:
            raise
        return _differs(subject, slot[0], expected)
    return _differs(subject, state.names.value(cell.type, state.raw(cell, keys)), expected)


def _frame_value(state: State, name: str) -> tuple[Any] | None:
    for at, proc in enumerate(state.table.program.procs):
        for var in proc.vars:
            if (
                var.slot >= 0
                and (var.name == name or f"{proc.name}.{var.name}" == name)
                and state.running(at)
            ):
                return (state.names.value(var.type, state.held(var)),)
    return None


def _pool(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    cell, keys = state.names.cell(subject)
    return _differs(subject, state.names.value(cell.type, state.raw(cell, keys)), expected)


def _pool_has(state: State, subject: str, expected: Any) -> list[tuple[Any, bool]]:
    cell, keys = state.names.cell(subject)
    inside = set(bits(state.raw(cell, keys)))
    wanted = expected if isinstance(expected, list) else [expected]
    return [(w, state.names.member(cell.type.kind, w) in inside) for w in wanted]


def _in_pool(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    missing = [str(w) for w, there in _pool_has(state, subject, expected) if not there]
    return (
        f"{subject}: expected {', '.join(missing)} in it; in it are {shown(state.get(subject))}"
        if missing
        else ""
    )


def _not_in_pool(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    there = [str(w) for w, inside in _pool_has(state, subject, expected) if inside]
    return f"{subject}: expected {', '.join(there)} not in it" if there else ""


def _size(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    cell, keys = state.names.cell(subject)
    return _differs(f"size of {subject}", state.raw(cell, keys).bit_count(), expected)


# ------------------------------------------------------------------------------------------- events
def _event_fits(state: State, event: Event, fields: dict[str, Any]) -> bool:
    return all(
        name in event.params and _field_fits(state, event, name, wanted)
        for name, wanted in fields.items()
    )


def _field_fits(state: State, event: Event, name: str, wanted: Any) -> bool:
    if same(event.params[name], wanted):
        return True
    type = state.table.events.types(event.record).get(name)
    if type is None or type.form not in ("member", "set"):
        return False
    raw = event.record[list(state.table.events.types(event.record)).index(name) + 1]
    try:
        return bool(state.names.parse(type, wanted) == raw)
    except UnknownName:
        return False


def _events(
    state: State, subject: str, expected: Any
) -> tuple[str, dict[str, Any], list[Event], list[Event]]:
    name, fields = subject, expected
    if not name:
        name, fields = str(expected), None
    if name not in BUILT_IN and all(e.name != name for e in state.table.program.events):
        raise UnknownName(f"{name!r} is no event of this game")
    if fields is not None and not isinstance(fields, dict):
        raise RulekitError(f"event {name}: expected fields with values, not {fields!r}")
    named = [e for e in state.events if e.name == name]
    return name, fields or {}, named, [e for e in named if _event_fits(state, e, fields or {})]


def _event(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    name, fields, named, fitting = _events(state, subject, expected)
    if fitting:
        return ""
    others = ", ".join(dict.fromkeys(e.name for e in state.events)) or "no events"
    found_text = (
        "; ".join(_fields(e.params) for e in named) if named else f"none (there were {others})"
    )
    return f"event {name}: expected {_fields(fields) or 'one'}, is {found_text}"


def _no_event(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    name, fields, _named, fitting = _events(state, subject, expected)
    return (
        f"event {name}: expected none like {_fields(fields) or 'it'}, but there is"
        f" {_fields(fitting[0].params)}"
        if fitting
        else ""
    )


def _count(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    *_rest, fitting = _events(state, subject, None)
    return _differs(f"count of {subject}", len(fitting), expected)


def _fields(params: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{k}: {shown(v)}" for k, v in params.items()) + "}" if params else ""


# ---------------------------------------------------------------------------------------- decisions
def keys_of_line(choice: str) -> list[str]:
    """Split one line into choices, which stand between semicolons or in a list."""
    text = choice.strip()
    if text.startswith("[") and text.endswith("]"):
        return [part.strip().strip("'\"") for part in text[1:-1].split(",") if part.strip()]
    return [part.strip() for part in text.split(";") if part.strip()]


def refused(state: State, line: str) -> list[str]:
    """Return the reasons why a line of choices, or a multi-step move in it, is illegal here."""
    *first, last = keys_of_line(line)
    trial = state.clone() if first else state
    try:
        for key in first:
            move_parser.choose(trial, key)
    except RulekitError as error:
        return [str(error)]
    if trial.decision is None:
        return [state.names.say(_("the game is over"))]
    if not is_multi_step(trial, last):
        return [] if matching(last, trial.decision.options, state.names) else trial.why(last)
    whys = move_parser.why(trial, last)
    # `play E2` is a refused option if `play E1` is offered, and no multi-step move
    return whys and (refusals.by_name(trial, last) or whys)


def _asked(state: State, what: str) -> str:
    """Return '' if there is a decision, else the reason why an expectation of options fails."""
    return "" if state.decision is not None else f"{what}: nothing is asked here"


def _legal(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    if isinstance(expected, dict):
        return next(
            (
                why
                for word, value in expected.items()
                for why in [_legal(state, __, str(word), value)]
                if why
            ),
            "",
        )
    if state.decision is None:
        return _asked(state, "legal")
    for text in expected if isinstance(expected, list) else [expected]:
        whys = refused(state, str(text))
        if subject == "not" and not whys:
            found = matching(str(text), state.decision.options, state.names)
            return f"expected {text!r} not to be legal, but {found[0].key if found else text!r} is"
        if subject != "not" and whys:
            return f"expected {text!r} to be legal; {whys[0]}"
    return ""


def _why(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    if state.decision is None:
        return _asked(state, f"why {subject}")
    whys = refused(state, subject)
    if not whys:
        return f"expected {subject!r} to be refused, but it is legal"
    return (
        ""
        if expected is None or str(expected).strip().casefold() in " ".join(whys).casefold()
        else f"expected {subject!r} to be refused with {expected!r}, but: {'; '.join(whys[:3])}"
    )


def _options(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    if state.decision is None:
        return _asked(state, "options")
    options = list(state.decision.options)
    if isinstance(expected, int):
        return _differs("number of options", len(options), expected)
    wanted = expected if isinstance(expected, list) else [expected]
    left = [o.key for o in options]
    for text in wanted:
        found = matching(str(text), options, state.names)
        if len(found) != 1:
            return (
                f"options: expected {text!r},"
                f" {'which is not unique' if found else 'which is not offered'}"
            )
        left = [key for key in left if key != found[0].key]
    return f"options: offered too: {', '.join(left)}" if left else ""


def _seen(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    """Check the observation of one player: states, pools and events."""
    who = observer_of(state.names, subject)
    if not isinstance(expected, dict):
        raise RulekitError(
            f"seen {subject}: expected what is seen, such as {{STATE KEY: value}}, not"
            f" {shown(expected)}"
        )
    observer, events = Observer(state, who), list[Event]()
    for what, wanted in expected.items():
        word, _space, rest = str(what).partition(" ")
        if word in ("event", "no_event"):
            events = events or list(observer.events())
            fitting = [
                e
                for e in events
                if e.name == rest
                and all(same(e.params.get(k), _masked(v)) for k, v in (wanted or {}).items())
            ]
            if bool(fitting) != (word == "event"):
                named = "; ".join(_fields(e.params) for e in events if e.name == rest) or "none"
                return (
                    f"seen {subject}: {what}: expected"
                    f" {'' if word == 'event' else 'none like '}{_fields(wanted or {})}, sees"
                    f" {named}"
                )
            continue
        cell, keys = state.names.cell(
            rest if word == "pool" else f"{word}.{rest}" if rest else word
        )
        at = state.table.program.cells.index(cell)
        actual = (
            observer.pool(at)[dict(state.names.dotted[at])[keys]]["members"]
            if cell.pool
            else observer.value_at(at, keys)
        )
        if not same(actual, _masked(wanted)):
            return f"seen {subject}: {what}: expected {shown(wanted)}, sees {_unmasked(actual)}"
    return ""


def observer_of(names: Names, subject: str) -> int | None:
    """Return the player of `by red`, or None for the spectator of `by observer`."""
    by, __, who = subject.partition(" ")
    if by != "by" or not who:
        raise RulekitError(
            f"'seen {subject}': say by whom: seen by {names.sides[0]}, or seen by {OBSERVER}"
        )
    if who == OBSERVER:
        return None
    side = names.side(who)
    if side < 0:
        raise RulekitError(
            f"'seen {subject}': {who} is nobody; say by {OBSERVER} for who knows what everybody may"
        )
    return side


def _masked(value: Any) -> Any:
    """Replace the word for a hidden value by its sign."""
    if isinstance(value, list):
        return [_masked(each) for each in value]
    return HIDDEN if value == UNSEEN else value


def _unmasked(value: Any) -> str:
    return shown(
        [UNSEEN if v == HIDDEN else v for v in value]
        if isinstance(value, list)
        else UNSEEN
        if value == HIDDEN
        else value
    )


def _seat(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    """Let a seat choose several times, with different seeds."""
    if state.decision is None:
        return _asked(state, f"seat {subject}")
    meant: dict[str, set[str]] = {}
    for word in ("not", "only"):
        for text in _listed(expected.get(word)):
            found = matching(str(text), state.decision.options, state.names)
            if not found:
                return (
                    f"seat {subject}: {text!r} is not offered:"
                    f" {'; '.join(refused(state, str(text))[:1])}"
                )
            meant.setdefault(word, set()).update(option.key for option in found)
    keys, runs = (
        {option.id: option.key for option in state.decision.options},
        int(expected.get("runs", RUNS)),
    )
    if set(keys.values()) <= meant.get("only", set()):
        return (
            f"seat {subject}: nothing else can be chosen here, so this would hold whatever the seat"
            " does"
        )
    wrong: dict[str, list[int]] = {}
    for seed in range(1, runs + 1):
        key = keys[make_agent(subject, state, seed).choose(state)]
        if key in meant.get("not", ()) or key not in meant.get("only", {key}):
            wrong.setdefault(key, []).append(seed)
    wrong_text = "; ".join(
        f"{key!r} with seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"
        for key, seeds in wrong.items()
    )
    return (
        f"seat {subject}: asked {runs} times, it chose what it must not: {wrong_text}"
        if wrong
        else ""
    )


def _odds(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    """Check the exact probabilities of events before the next decision, after one option."""
    if state.decision is None:
        return _asked(state, f"odds {subject}")
    found = matching(subject, state.decision.options, state.names)
    if len(found) != 1:
        return f"odds {subject}: this is {'not unique' if found else 'not offered'}"
    done, whole = courses(state.table, list(state.slots), found[0].id)
    ends = {each.end for each in done} & {"draw", "error"}
    if ends or not whole:
        return (
            f"odds {subject}: they cannot be counted, because"
            f" {'a draw comes' if 'draw' in ends else 'too many rolls follow'}"
        )
    for what, chance in expected.items():
        name = str(what).removeprefix("event ")
        actual = sum(
            (each.chance for each in done if any(e.name == name for e in each.state.events)),
            Fraction(0),
        )
        if actual != Fraction(str(chance)):
            return f"odds {subject}: {what}: expected {chance}, is {actual}"
    return ""


def _text(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    """Check the words that a player reads, in one or several languages."""
    by_language = expected if isinstance(expected, dict) else {state.names.lang: expected}
    for lang, words in by_language.items():
        read = texts_read(state.in_language(lang), subject)
        if not any(str(words).strip().casefold() in line.casefold() for line in read):
            found = "; ".join(map(repr, read[-_MAX_SHOWN_LINES:])) or "nothing"
            return f"text {subject}: expected {str(words)!r}, reads {found}"
    return ""


def texts_read(state: State, subject: str) -> list[str]:
    """Return the texts that `text prompt`, `text option CHOICE` or `text log by PLAYER` mean."""
    what, __, rest = subject.partition(" ")
    if what == "log":
        observer = Observer(state, observer_of(state.names, rest))
        lines = (state.table.events.text(event) for event in observer.events())
        return [line for line in lines if line]
    asked = state.decision
    if asked is None:
        return []
    if what == "prompt":
        return [asked.prompt]
    return [option.label for option in matching(rest, asked.options, state.names)]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _decision(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    asked = state.decision
    if expected in (None, "none"):
        return (
            f"expected that nothing is asked, but {asked.player} is: {asked.prompt}"
            if asked
            else ""
        )
    if asked is None:
        return f"decision: expected {shown(expected)}, but nothing is asked"
    if not isinstance(expected, dict):
        return _differs("decision of", asked.player, expected)
    actual: dict[str, Any] = {
        "player": asked.player,
        "who": asked.player,
        "prompt": asked.prompt,
        "kind": asked.kind,
        "in": asked.procedure,
        "procedure": asked.procedure,
        "moment": asked.moment,
    }
    for name, wanted in expected.items():
        if name not in actual:
            raise UnknownName(f"a decision has no {name!r}; it has {', '.join(actual)}")
        if not same(actual[name], wanted):
            return _differs(f"decision {name}", actual[name], wanted)
    return ""


def _result(state: State, __: Tracer | None, subject: str, expected: Any) -> str:
    result = state.result
    if expected in (None, "none"):
        return (
            f"expected that the game goes on, but it is over: {result.winner} {result.level}"
            if result
            else ""
        )
    if result is None:
        return f"result: expected {shown(expected)}, but the game is not over"
    if isinstance(expected, dict):
        whys = [
            _differs(f"result {name}", getattr(result, name, None), wanted)
            for name, wanted in expected.items()
        ]
        return next((why for why in whys if why), "")
    return (
        ""
        if same(result.level, expected) or same(result.winner, expected)
        else f"result: expected {expected}, is {result.winner} {result.level}"
    )


WORDS: dict[str, Callable[[State, Tracer | None, str, Any], str]] = {
    "total": _value,
    "permit": _value,
    "define": _value,
    "value": _value,
    "table": _value,
    "applies": _applies,
    "var": _var,
    "pool": _pool,
    "in_pool": _in_pool,
    "not_in_pool": _not_in_pool,
    "size": _size,
    "event": _event,
    "no_event": _no_event,
    "count": _count,
    "seen": _seen,
    "text": _text,
    "odds": _odds,
    "legal": _legal,
    "why": _why,
    "options": _options,
    "seat": _seat,
    "decision": _decision,
    "result": _result,
}

# words whose expectations need traced play
TRACED = frozenset(word for word, test in WORDS.items() if test in (_value, _applies))


def check(state: State, tracer: Tracer | None, word: str, subject: str, expected: Any) -> str:
    """Return '' if the expectation holds, else the expected and the actual value.

    An unknown word is an attribute: `zone A: P`. The words of `TRACED` need the tracer.
    """
    test = WORDS.get(word)
    if test is not None:
        return test(state, tracer, subject, expected)
    return _var(state, tracer, f"{word}.{subject}" if subject else word, expected)
