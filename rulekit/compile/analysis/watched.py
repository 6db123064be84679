"""Takes what is known before a game begins, makes the traced variant work it out all the same where a total or permit is asked for it."""

from __future__ import annotations

from typing import Any

import attrs

from rulekit import model as m
from rulekit.compile.analysis.analysis import Analysis
from rulekit.compile.analysis.deps import Deps
from rulekit.meaning.evaluator import Env, NotConstant


class Watching(Analysis):
    """Takes no total or permit as known: who watches the game sees each one worked out where the rules ask for it."""

    def _find(self, e: m.Expr) -> Deps:
        found = super()._find(e)
        return attrs.evolve(found, state=True) if isinstance(e, (m.CallTotal, m.CallPermit)) else found

    def on_call_total(self, e: m.CallTotal, env: Env) -> Any:
        raise NotConstant("")

    def on_call_permit(self, e: m.CallPermit, env: Env) -> Any:
        raise NotConstant("")
