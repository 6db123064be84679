"""Compare odds with the results of play: `python benchmarks/odds.py [POSITIONS] [CONTINUATIONS]`.

The positions are random. In half of them some pieces are moved onto others, so that there is
something to fight about. For an option that leads to a roll, each result is played in the true
position with the same dice, and its prediction must hold. Continuations with other dice must have
the predicted frequencies.

For each purpose of a roll it prints the number of positions, the greatest deviation, and the
processor time of one question.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator

import rulekit
from rulekit import Seat
from rulekit.common.errors import RulesError
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.chance_outcomes import STEPS, is_pending, outcome
from rulekit.presentation.odds import Way
from rulekit.runtime.slots import DIE_ROLLED, PC

GAMES = ("games/sphacteria", "games/amphipolis")
TRIED = 12  # options of a position that are tried until one leads to a roll


def positions(game: rulekit.Game, rng: random.Random) -> Iterator[State]:
    """Yield decisions of random games. In every other one some pieces are moved onto others."""
    while True:
        state = game.new(rng.choice(game.scenarios), seed=rng.getrandbits(48))
        for _ in range(rng.randrange(400)):
            if state.decision is None:
                break
            state.apply_action(rng.choice(state.legal_actions()))
        for _ in range(40):
            if state.decision is None:
                break
            state.apply_action(rng.choice(state.legal_actions()))
            if state.decision is not None and rng.random() < 0.3:
                yield crowded(state, rng) if rng.random() < 0.5 else state.clone()


def crowded(state: State, rng: random.Random) -> State:
    """Return a copy in which some pieces share the place of others, if the rules can continue from
    there."""
    copy = state.clone()
    for kind, cell in state.names.place_cells.items():
        names = state.table.program.kinds[kind].members
        placed = [m for m in names if copy.get(f"{cell.name}.{m}") is not None]
        for _ in range(rng.randrange(1, 4) if len(placed) > 1 else 0):
            one, other = rng.sample(placed, 2)
            copy.set(f"{cell.name}.{one}", copy.get(f"{cell.name}.{other}"))
    try:
        copy.legal_actions()
        copy.hold_to_invariants()
    except rulekit.RulekitError:
        return state.clone()
    return copy


def play_on(state: State, action: int, pending: bool) -> tuple[tuple[int, ...], str]:
    """Make the choice, then passes and forced choices as far as the odds reach. Return the rolls
    and the outcome."""
    begin, tail, family = len(state.log), State(state.table, state.slots), state.table.book.family
    state.apply_action(action)
    came = None
    for _ in range(STEPS):
        tail.log[:] = state.log[begin:]
        came = outcome(tail, pending)
        options = state.legal_actions()
        if not options or came is not None:
            break
        window = state.table.program.decisions[state.slots[PC]].kind == "window"
        passing = next((id for id in options if window and family(id).what == "pass"), None)
        if passing is None and len(options) > 1:
            break
        state.apply_action(options[0] if passing is None else passing)
    told = "" if came is None else str(state.table.events.event(tail.log[came]).to_json())
    return tuple(record[3] for record in tail.log if record[0] == DIE_ROLLED), told


def leading(state: State, rng: random.Random) -> tuple[int, Way, float] | None:
    """Return an option of the player that leads to a roll, its odds, and the seconds of their
    computation."""
    assert state.decision is not None
    seat = Seat(state, state.decision.player)
    options = Observer(state, state.decision.player).options()
    gc.collect()  # so that garbage of the continuations does not count
    for option in rng.sample(options, min(TRIED, len(options))):
        begin = time.process_time()
        [way] = seat.odds(option.key).ways
        took = time.process_time() - begin
        ends = {result.end for result in way.results}
        if (
            not way.hidden
            and way.complete
            and any(r.rolls for r in way.results)
            and ends <= {"decision", "over"}
        ):
            return option.id, way, took
    return None


def compare(state: State, action: int, way: Way, rng: random.Random, continuations: int) -> float:
    """Return the greatest deviation of a share from its chance, in standard deviations. Raise
    `AssertionError` if a result is not as predicted."""
    pending = is_pending(state)
    for result in way.results:
        copy, rolls = state.clone(), tuple(roll.value for roll in result.rolls)
        copy.script(rolls)
        told = "" if result.outcome is None else str([result.outcome.name, result.outcome.params])
        assert play_on(copy, action, pending) == (rolls, told), (state.to_json(), action, rolls)
    counts = Counter(
        play_on(state.reseeded(rng.getrandbits(48)), action, pending)[0]
        for _ in range(continuations)
    )
    worst = 0.0
    for result in way.results:
        p = float(result.chance)
        share = counts.pop(tuple(roll.value for roll in result.rolls), 0) / continuations
        if p < 1 and p * continuations >= 5:
            worst = max(worst, abs(share - p) / (p * (1 - p) / continuations) ** 0.5)
    assert not counts, (state.to_json(), action, counts)
    return worst


def main(wanted: int = 500, continuations: int = 200) -> None:
    """Compare, and print a line for each purpose of a roll."""
    for path in GAMES:
        game, rng = rulekit.load(path), random.Random(1)
        worst, took = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
        count = 0
        for state in positions(game, rng):
            found = leading(state, rng)
            if found is not None:
                action, way, seconds = found
                purpose = next(r.rolls[0].purpose for r in way.results if r.rolls)
                try:
                    worst[purpose].append(compare(state, action, way, rng, continuations))
                except RulesError:  # a rare result of an artificial position
                    continue
                took[purpose].append(1000 * seconds)
                count += 1
            if count == wanted // len(GAMES):
                break
        for purpose, each in sorted(worst.items()):
            times = sorted(took[purpose])
            print(
                f"{game.name:12} {purpose:12} {len(each):4} positions, worst {max(each):4.1f}"
                f" deviations, {statistics.median(times):5.1f} ms, 95 in 100 under"
                f" {times[min(len(times) - 1, int(0.95 * len(times)))]:5.1f} ms, all under"
                f" {times[-1]:5.1f} ms"
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
