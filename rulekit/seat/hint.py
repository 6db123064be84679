"""Takes a viewer who is asked, makes `Hint`: what a seat that plays by itself would choose in a position that he may suppose."""

from __future__ import annotations

from typing import Any

from attrs import asdict, frozen

from rulekit.base.errors import IllegalChoice
from rulekit.play.agents import make_agent
from rulekit.play.state import State
from rulekit.play.supposed import deals
from rulekit.play.view import Viewer
from rulekit.play.words import fault

ADVISER = "greedy"


@frozen
class Hint:
    """A suggestion. `key` and `label`: of the option, as `Offered`; `by`: the seat that would choose it. None of both: it does not know."""

    key: str | None
    label: str
    by: str = ADVISER

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def hint(viewer: Viewer) -> Hint:
    """What the adviser would choose. It looks at a position that the viewer may suppose, never at the true one, and its dice hang on the
    number of choices alone: the same for all states that he cannot tell apart. IllegalChoice for who is not asked; RulekitError where the
    game has no total for it."""
    state = viewer.state
    if state.decision is None or viewer.me < 0 or state.current_player() != viewer.me:
        raise fault(IllegalChoice, "table.not_asked")
    supposed = State(state.table, list(deals(viewer)[0]))
    chosen = make_agent(ADVISER, supposed, state.choices_count()).choose(supposed)
    option = next((each for each in viewer.options() if each.id == chosen and viewer.names_all(each.id)), None)
    return Hint(option.key, option.label) if option is not None else Hint(None, "")
