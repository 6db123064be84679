"""Takes a viewer who is asked, makes `Hint`: the first of the lines that the tree search finds in
positions that he may suppose."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from attrs import asdict, frozen

from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.catalog import fault
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.search.analysis import Analyst
from rulekit.engine.search.mcts import aims
from rulekit.engine.search.search_agent import Effort, SearchAgent

ADVISER = "search"
VISITS = 3000
VISITS_IN_PYTHON = 500


@frozen
class Hint:
    """A suggestion. `key` and `label`: of the option, as `Offered`; `then`: what one would choose
    oneself after it, before anybody else does; `by`: the seat that would choose it; `things`: what
    the option names, each with its kind and its id. Without a key it does not know."""

    key: str | None
    label: str
    by: str = ADVISER
    then: tuple[str, ...] = ()
    things: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def hint(viewer: Observer) -> Hint:
    """What the adviser would choose. It looks at positions that the viewer may suppose, never at
    the true one, so many visits of the tree: it says the same in all states that he cannot tell
    apart. IllegalChoice for who is not asked."""
    state = viewer.state
    if state.is_terminal() or viewer.me < 0 or state.current_player() != viewer.me:
        raise fault(IllegalChoice, "table.not_asked")
    agent = SearchAgent(0, Effort(), given=aims(state.table.program))
    agent.effort = Effort(0.0, VISITS if agent.machine_of(state.table) else VISITS_IN_PYTHON)
    first = next(iter(Analyst(state, agent, 0).analysis(1, 0).lines), None)
    if first is None or first.choices[0].key is None:
        return Hint(None, "")
    own = takewhile(lambda choice: choice.side == first.choices[0].side, first.choices[1:])
    return Hint(
        first.choices[0].key,
        first.choices[0].label,
        then=tuple(map(str, own)),
        things=first.choices[0].things,
    )
