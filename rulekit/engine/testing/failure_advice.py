"""Advice on a failed situation: the derivation of a total, or an option taken without asking."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rulekit.common.errors import RulekitError
from rulekit.engine.explain.derivation import Derivation, derive
from rulekit.engine.game.state import State
from rulekit.engine.kernel.call_syntax import clause_of, subject_of
from rulekit.engine.kernel.tracer import Tracer
from rulekit.engine.testing.expectations import declared


def derivation(
    state: State, word: str, subject: str, again: Callable[[], tuple[State, Tracer]]
) -> list[str]:
    """Return the derivation of the total or permit of an expectation, in lines, with all clauses.

    Other expectations have none.

    Args:
        again: plays the situation once more and keeps the derivations.
    """
    if word not in ("total", "permit", "value", "applies"):
        return []
    with suppress(RulekitError):
        name, words = clause_of(subject)[:2] if word == "applies" else subject_of(subject)
        what, index, info = declared(state.names, name, words)
        if what in ("total", "permit"):
            whole = len(words) == len(info.params) and (
                info.context < 0 or state.running(info.context)
            )
            found = (
                state.explain(info.name, *words) if whole else _computed(what, index, words, again)
            )
            return found.text(full=True).split("\n") if found is not None else []
    return []


def _computed(
    what: str, index: int, words: list[Any], again: Callable[[], tuple[State, Tracer]]
) -> Derivation | None:
    """Return the derivation of the total that was computed last in play.

    Args:
        words: the arguments, or nothing for any.
    """
    state, tracer = again()
    traces = [trace for _, trace in tracer.kept if (trace.what, trace.number) == (what, index)]
    found = [
        made
        for trace in traces
        if (made := derive(state.names, trace, None)) is not None
        and (
            not words
            or [str(each) for each in made.arguments.values()] == [str(each) for each in words]
        )
    ]
    return found[-1] if found else None


def taken(state: State, key: str) -> str:
    """Return a note that a `pick` or a step of a walk may have been taken without asking."""
    words = key.split()
    asked = state.decision
    if (
        len(words) <= 1
        or words[0] not in ("pick", "to")
        or (asked is not None and asked.kind == "pick")
    ):
        return ""
    for number, proc in enumerate(state.table.program.procs):
        for var in proc.vars if state.running(number) else ():
            if var.type.form == "member" and var.slot >= 0:
                value = str(state.names.value(var.type, state.slots[var.slot]))
                if words[-1] in (value, value.rpartition(".")[2]):
                    return (
                        f"{value} is '{var.name}' of {proc.name} already: where it is the only one"
                        " it is taken because of that, unasked"
                    )
    if words[0] == "to":
        is_walk = asked is not None and asked.kind == "walk"
        return (
            ""
            if is_walk
            else (
                "no way is asked for: a step that is the only one is made because of that; leave"
                " such a step out"
            )
        )
    return (
        "from a set of one nothing is asked: it is taken because it is the only one; leave such a"
        " step out"
    )
