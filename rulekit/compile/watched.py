"""Takes what is known before a game begins, makes the traced variant work it out all the same where a total or permit is asked for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from rulekit import model as m
from rulekit.compile.analysis import Analysis, Deps
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.unit import type_of
from rulekit.meaning.evaluator import Env, NotConstant

if TYPE_CHECKING:
    from rulekit.compile.writes import Writes


class Watching(Analysis):
    """Takes no total or permit as known: who watches the game sees each one worked out where the rules ask for it."""

    def _find(self, e: m.Expr) -> Deps:
        found = super()._find(e)
        return attrs.evolve(found, state=True) if isinstance(e, (m.CallTotal, m.CallPermit)) else found

    def on_call_total(self, e: m.CallTotal, env: Env) -> Any:
        raise NotConstant("")

    def on_call_permit(self, e: m.CallPermit, env: Env) -> Any:
        raise NotConstant("")


def worked_out(body: Writes, e: m.Expr, lower: Callable[[m.Expr, bool], v.Value], test: bool) -> v.Value:
    """A value inside of a step. The steps are the same in all variants, so what is known beforehand stands in them as in the others;
    what it asks for is worked out on a line of its own before it."""
    known = body.unit.known.settled(e)
    x = lower(e, test)
    if known is None or isinstance(e.type, m.Record) or body.an.settled(e) is not None:
        return x
    if not body.loop:
        body.add(c.Do(x))
    return body.unit.pick(known, type_of(e.type))
