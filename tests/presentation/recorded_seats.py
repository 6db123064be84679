"""All observations of the seats of small games, as lines of JSON, for the golden files next to
it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rulekit
from rulekit import Seat
from rulekit.common.errors import RulekitError
from rulekit.engine.explain.event_reasons import behind
from rulekit.engine.explain.refusals import overview
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.slots import PC
from tests.presentation.seat_positions import GAMES, ROOT, game

GOLDEN, FIXTURES = Path(__file__).parent / "golden", ROOT / "tests" / "fixtures"
# name: the seed, the first recorded decision, the step to the next, and the number of decisions
PLAYS = {
    "skirmish": (3, 0, 4, 12),
    "small": (2, 2, 7, 5),
    "cards": (1, 0, 5, 6),
    "secrets": (1, 1, 6, 9),
    "dice": (2, 0, 6, 5),
    "duel": (3, 0, 3, 8),
    "blocks": (1, 0, 7, 7),
    "choices": (2, 0, 5, 6),
    "skirmish-fr": (3, 0, 9, 4),
    "sphacteria": (5, 20, 30, 2),
}


def lines(name: str) -> Iterator[str]:
    """Yield a line for each answer: the number of choices, the observer, the request and the
    answer. Repeated answers are left out."""
    seed, first, step, most = PLAYS[name]
    of, _, lang = name.partition("-")
    state = (game(of) if of in GAMES else rulekit.load(FIXTURES / of)).new(seed=seed)
    state = state.in_language(lang) if lang else state
    rng, last = random.Random(seed), dict[tuple[object, str], str]()
    for key, value in Seat(state).sheet().to_json().items():
        text = json.dumps(value, ensure_ascii=False)
        if (
            len(text) < 8000 and key != "rules"
            # longer ones are as long as the game, and the hash of the rules explains no difference
        ):
            yield f'["sheet", "{key}", {text}]'
    while not state.is_terminal() and state.move_number() < first + step * most:
        number = state.move_number()
        if number >= first and (number - first) % step == 0 and number < first + step * most:
            for who in (*state.names.sides, None):
                for what, told in (*answers(state, who), *explained(state, who)):
                    text = json.dumps(told, ensure_ascii=False, default=str)
                    if last.get((who, what)) != text:
                        last[who, what] = text
                        yield f'[{number}, "{who}", "{what}", {text}]'
        state.apply_action(rng.choice(state.legal_actions()))
    for who in (state.names.sides[0], None):
        for line in Seat(state, who).log()[:30]:
            yield f'["end", "{who}", "log", {json.dumps(line.to_json(), ensure_ascii=False)}]'


def answers(state: rulekit.State, who: str | None) -> Iterator[tuple[str, Any]]:
    """Yield the answers of a seat at one decision, by request."""
    seat, observer = Seat(state, who), Observer(state, who)
    asked = seat.decision()
    assert asked is not None
    yield "decision", asked.to_json()
    place = seat.position().to_json()
    large = len(place["state"]) > 10 and bool(place["tracks"])  # too many cells to record
    yield from (
        (f"position {key}", value)
        for key, value in place.items()
        if not large or key not in ("state", "pools")
    )
    odds = seat.odds().to_json()
    for way in odds["ways"]:
        way["results"] = [
            *way["results"][:2],
            *way["results"][2:][-1:],
        ]  # only the first two and the last
        yield f"odds {way['key']}", way
    if who == asked.player:
        yield from forecasts(state, seat)
        yield from refused(state, seat)
    number = len(state.events) - 1
    if number > 0:
        yield "behind", [each.to_json() for each in behind(state, number, who)]
    yield "events", [event.to_json() for event in observer.events(max(0, number - 2))]


def forecasts(state: rulekit.State, seat: Seat) -> Iterator[tuple[str, Any]]:
    """Yield forecasts and plans of the first offered keys of each kind, and of some that are not
    offered."""
    assert state.decision is not None
    keys: dict[str, str] = {}
    for option in state.decision.options:
        keys.setdefault(option.key.split()[0], option.key)
    adds = [option.key for option in state.decision.options if option.key.startswith("add ")]
    for given in (
        [],
        *([key] for key in keys.values()),
        adds[:2][::-1],
        [*list(keys.values())[-1:], "fly"],
    ):
        if given or state.decision.kind in ("walk", "group"):
            yield f"forecast {' + '.join(given)}", seat.forecast(given).to_json()
    for given in (list(keys.values())[:1] * 2, [*adds[:1], "go", "stop"]):
        copy = state.clone()
        yield f"plan {' + '.join(given)}", Seat(copy, seat.player).plan(given).to_json()


def refused(state: rulekit.State, seat: Seat) -> Iterator[tuple[str, Any]]:
    """Yield the refusals of possible options, and of things without options."""
    book, legal = state.table.book, state.legal_actions()
    yield "why not the others", overview(state)
    for at in state.table.program.decisions[state.slots[PC]].families:
        family = state.table.program.families[at]
        for id in [id for id in range(family.base, family.base + family.size) if id not in legal][
            :3
        ]:
            key = book.option(id).key
            yield f"why {key}", [reason.to_json() for reason in seat.why(key)]
    for kind in list(state.names.place_cells)[:1]:
        for member in state.table.program.kinds[kind].members[:3]:
            try:
                yield f"why_not {member}", [reason.to_json() for reason in seat.why_not(member)]
            except RulekitError as error:
                yield f"why_not {member}", str(error)


def explained(state: rulekit.State, who: str | None) -> Iterator[tuple[str, Any]]:
    """Yield some totals and permits, for the first and the last possible arguments."""
    program = state.table.program
    for info in (*program.totals, *program.permits):
        kinds = [
            program.kinds[type.kind].members if type.form == "member" else ["1", "2"]
            for _, type in info.params
        ]
        if info.context < 0 or state.running(info.context):
            for args in dict.fromkeys(tuple(members[at] for members in kinds) for at in (0, -1)):
                try:
                    yield (
                        f"explain {info.name} {args}",
                        state.explain(info.name, *args, observer=who).text(full=True),
                    )
                except RulekitError as error:
                    yield f"explain {info.name} {args}", str(error)
