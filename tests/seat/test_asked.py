"""What a seat is asked."""

from __future__ import annotations

import rulekit
from rulekit import Seat


def test_only_who_is_asked_has_options() -> None:
    state = rulekit.load("examples/skirmish").new(seed=7)
    assert state.decision is not None
    who = state.decision.player
    other = next(side for side in state.names.sides if side != who)
    mine, theirs, onlooker = (Seat(state, seat).decision() for seat in (who, other, None))
    assert mine is not None and theirs is not None and onlooker is not None
    assert mine.options is not None and [o.key for o in mine.options] == [o.key for o in state.decision.options]
    assert theirs.options is None and onlooker.options is None
    assert theirs.to_json() == onlooker.to_json()
