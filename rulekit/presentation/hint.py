"""`Hint`: the first choice of the best variation that the tree search finds for an observer.

The search works on determinizations of the observer's information set.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from attrs import asdict, frozen

from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.messages import _
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.search.analysis import Analyst
from rulekit.engine.search.mcts import aims
from rulekit.engine.search.search_agent import Effort, SearchAgent

ADVISER = "search"
VISITS = 3000
VISITS_IN_PYTHON = 500


@frozen
class Hint:
    """A suggestion.

    Attributes:
        key, label: The option, as in `SeatOption`. Without a key, the search found none.
        then: The player's own next choices, up to the first choice of anybody else.
        by: The seat that would choose the option.
        things: The things that the option names, each with its kind and its id.
    """

    key: str | None
    label: str
    by: str = ADVISER
    then: tuple[str, ...] = ()
    things: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return asdict(self)


def hint(observer: Observer) -> Hint:
    """Return the suggestion of the tree search, after a fixed number of iterations.

    The search sees determinizations, never the true position. It therefore gives the same answer in
    all states that the observer cannot tell apart. Raise IllegalChoice for anybody but the deciding
    player.
    """
    state = observer.state
    if state.is_terminal() or observer.me < 0 or state.current_player() != observer.me:
        raise IllegalChoice(_("it is another player's decision"))
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
