"""Odds before the choice: they are exact, contain the effects of each result, and reveal no
secret."""

from __future__ import annotations

import gc
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import rulekit
import rulekit.presentation.odds as module
from rulekit import Seat
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead import chance_outcomes
from rulekit.engine.lookahead.chance_outcomes import LEAVES, STEPS, courses, is_pending, outcome
from rulekit.presentation.odds import Way
from rulekit.runtime.slots import DIE_ROLLED
from tests.engine.knowledge.twins import swaps
from tests.small_games import write_game

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
SECRETS, DICE = FIXTURES / "secrets", FIXTURES / "dice"
SIX = [Fraction(1, 6)] * 6


def positions(path: Path | str, seed: int, choices: int = 80) -> Iterator[rulekit.State]:
    """Yield a game at each of its decisions, played at random."""
    state, rng = rulekit.load(path).new(seed=seed), random.Random(seed)
    for _ in range(choices):
        if state.decision is None:
            break
        yield state
        state.apply_action(rng.choice(state.legal_actions()))


def way(state: rulekit.State, key: str) -> Way:
    assert state.decision is not None
    [found] = Seat(state, state.decision.player).odds(key).ways
    return found


def at(path: Path | str, fits: Callable[[rulekit.State], bool], seeds: int = 20) -> rulekit.State:
    """Return the first matching position."""
    return next(
        state.clone() for seed in range(seeds) for state in positions(path, seed) if fits(state)
    )


# ------------------------------------------------------------------- reported odds
@pytest.mark.docs("python#odds-before-the-deed")
def test_each_result_says_what_it_does() -> None:
    """A roll of five or more scores a point. Events, lines, splits and chances agree."""
    state = at(SECRETS, lambda s: "flee" in s.decision.options[0].key)
    found = way(state, "flee")
    assert [r.chance for r in found.results] == SIX and found.complete and not found.hidden
    assert [[roll.value for roll in r.rolls] for r in found.results] == [[n] for n in range(1, 7)]
    assert [r.outcome.name if r.outcome else "" for r in found.results][4:] == ["scored", "scored"]
    assert [roll.purpose for roll in found.results[0].rolls] == ["luck"]


SHOT = """game shot 1
kind Side decides = red | blue
state done: bool
event shot(hit: bool)
  done := hit
phase main
  choose by red "shoot"
    option shoot
      roll n = 2d6 by red for aim
      shot(n >= 10)
      choose by red "end"
        option end
          finish red, win
"""


@pytest.mark.docs("python#odds-before-the-deed")
def test_a_split_weighs_each_result_by_its_chance(tmp_path: Path) -> None:
    """With two dice, ten or more are 3 of 11 sums but 6 of 36 rolls."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(SHOT)
    [found] = Seat(rulekit.load(tmp_path).new(seed=1), "red").odds().ways
    assert {s.value: s.chance for s in found.splits} == {
        True: Fraction(1, 6),
        False: Fraction(5, 6),
    }
    assert [s.rolls for s in found.splits if s.value] == [((10,), (11,), (12,))]


def test_only_the_tables_that_are_read_from_the_roll_on_are_told(tmp_path: Path) -> None:
    """Look-ups before the roll, and after its effects, are not part of the result."""
    tables = (
        "table aid(k: 1..2) -> b: 0..9\n  1 | 2\n  2 | 4\ntable worth(k: 2..12) -> b: 0..9, clamp\n"
        "  2..6 | 0\n  7..12 | 3\n"
    )
    changes = {
        "state done": tables + "state wind: 1..2\nstate done",
        "  done := hit": "  done := hit\n  wind := 2",
        "      roll n": "      let a = aid(wind)\n      roll n",
        "n >= 10)": "n + worth(n) + a >= 10)\n      done := aid(wind) > 2",
    }
    rules = SHOT
    for old, new in changes.items():
        rules = rules.replace(old, new)
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(rules)
    [found] = Seat(rulekit.load(tmp_path).new(seed=1), "red").odds().ways
    assert [[table.label for table in r.tables] for r in found.results] == [["worth"]] * 11


FORMS = """game shot 1
kind Side decides = red | blue
kind Zone
kind Path joins Zone
kind Unit = u1 | u2 | u3 | u4
  fixed owner: Side = red
  state zone: Zone?
  state tired: bool
  state steps: 0..3 = 3
state crowd: 0..4
setup
  each u in Unit
    zone(u) := z1
phase main
  choose by red "shoot"
    option shoot
      roll n = 2d6 by red for aim
      each u in Unit
        tired(u) := n > 6
        steps(u) -= 1 when n > 7
      zone(u2) := z2 when n > 8
      zone(u3) := none when n > 9
      each z in Zone
        crowd := count(Unit where zone = z)
      choose by red "end"
        option end
          finish red, win
"""


def test_what_changes_is_told_of_values_that_are_kept_one_by_one_and_in_sets(
    tmp_path: Path,
) -> None:
    """All four pieces are listed in order, without unchanged ones, in every form of storage."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(FORMS)
    (tmp_path / "map.yaml").write_text(
        "places:\n  kind: Zone\n  source: {assumed: a test}\n  members: {z1: {at: [0, 0]}, z2: {at:"
        " [1, 0]}}\nborders:\n  kind: Path\n  source: {assumed: a test}\n  members: [{between: [z1,"
        " z2]}]\n"
    )
    state = rulekit.load(tmp_path).new(seed=1)
    assert {cell.form for cell in state.table.program.cells} == {"plain", "mask", "index"}
    [found] = Seat(state, "red").odds().ways
    told = {
        r.rolls[0].value: {(c.cell, c.of): (c.before, c.after) for c in r.changes}
        for r in found.results
    }
    units = ["u1", "u2", "u3", "u4"]
    tired, steps = (
        {("tired", u): (False, True) for u in units},
        {("steps", u): (3, 2) for u in units},
    )
    two, three = {("zone", "u2"): ("z1", "z2")}, {("zone", "u3"): ("z1", None)}
    whole = tired | steps | two | three
    assert told == {n: {} for n in range(2, 7)} | {
        7: tired,
        8: tired | steps,
        9: tired | steps | two,
        10: whole,
        11: whole,
        12: whole,
    }


def test_an_event_of_many_results_is_put_in_words_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work depends on the number of different events, not on their frequency."""
    state = at(DICE, lambda s: s.decision.options[0].key.startswith("pick"))
    said, book = list[str](), type(state.table.events)
    monkeypatch.setattr(
        book,
        "text",
        lambda self, event, n=1, text=book.text: (
            said.append(str(event.record)) or text(self, event, n)
        ),
    )
    results = way(state, state.decision.options[0].key).results
    assert sum(len(r.lines) for r in results) > len(said) == len(set(said)) > 0


def test_the_collector_stands_still_only_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many objects are created and retained. Afterwards it runs again, also after a key that is not
    offered."""
    state, running = at(DICE, lambda s: True), list[bool]()
    monkeypatch.setattr(module, "courses", lambda *a: running.append(gc.isenabled()) or courses(*a))
    way(state, state.decision.options[0].key)
    assert running and not any(running) and gc.isenabled()
    with pytest.raises(rulekit.IllegalChoice):
        Seat(state, state.decision.player).odds("fly")
    assert gc.isenabled()


def test_nothing_is_rolled_and_nothing_changes() -> None:
    state = at(DICE, lambda s: True)
    before = state.to_json(), len(state.events)
    for option in state.decision.options:
        way(state, option.key)
    assert (state.to_json(), len(state.events)) == before


@pytest.mark.docs("python#odds-before-the-deed")
def test_an_option_without_a_roll_says_what_it_leads_to() -> None:
    state = rulekit.load("examples/tic_tac_toe").new(seed=1)
    [result] = way(state, "mark a1").results
    assert (result.chance, result.rolls, result.end) == (1, (), "decision")
    assert [event.name for event in result.events] == ["marked"] and result.lines


def test_the_roll_that_turns_the_result_is_told_where_it_can_be_rolled_again() -> None:
    """In the window after a roll, a repetition is useful for results that give the points to the
    other side."""
    state = at(
        DICE, lambda s: "the battle" in s.decision.prompt and s.decision.options[0].key == "reroll"
    )
    passed, again = way(state, "pass"), way(state, "reroll")
    assert (
        len({str(r.outcome) for r in passed.results}) == 1 and passed.results[0].outcome is not None
    )
    side = passed.results[0].outcome.params["s"]
    assert sum(r.chance for r in again.results) == 1
    assert (
        [s.value for s in again.turns] == [s.value for s in again.splits if s.value != side] != []
    )


def test_two_rolls_in_a_row_are_told_together_and_more_than_the_bound_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = at(DICE, lambda s: s.decision.options[0].key.startswith("pick"))
    key = state.decision.options[0].key
    whole, complete = courses(state.table, state.slots, state.find(key).id, LEAVES)
    assert complete and sum(c.chance for c in whole) == 1
    monkeypatch.setattr(module, "LEAVES", 3)
    assert [len(r.rolls) for r in way(state, key).results] == [1] * 11


def test_of_a_large_position_fewer_courses_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Together they take no more memory than those of a small one."""
    state = at(DICE, lambda s: s.decision.options[0].key.startswith("pick"))
    option, size = state.find(state.decision.options[0].key).id, len(state.slots)
    whole, complete = courses(state.table, state.slots, option)
    assert complete and len(whole) == 231
    for room, expected in ((231 * size, (231, True)), (231 * size - 1, (11, False))):
        monkeypatch.setattr(chance_outcomes, "SLOTS", room)
        found, complete = courses(state.table, state.slots, option)
        assert (len(found), complete) == expected


def test_who_is_not_asked_is_told_the_odds_of_a_window_that_is_passed() -> None:
    state = at(DICE, lambda s: s.decision.kind == "window")
    other = next(s for s in state.names.sides if s != state.decision.player)
    assert [w.key for w in Seat(state, other).odds().ways] == ["pass"]
    assert [w.key for w in Seat(state, state.decision.player).odds().ways] == [
        o.key for o in state.decision.options
    ]
    with pytest.raises(rulekit.IllegalChoice):
        Seat(state, other).odds(state.decision.options[0].key)


CHEERED = SHOT.replace(
    "phase main",
    "reaction cheer after die_rolled\n  for red\n  limit 1 per game\n  done := false\nphase main",
)


def test_a_roll_that_stands_tells_what_comes_of_it_though_no_other_follows(tmp_path: Path) -> None:
    """In the window after it, a pass is certain, and so is the shot."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(CHEERED)
    state = rulekit.load(tmp_path).new(seed=1)
    state.apply("shoot")
    [result] = way(state, "pass").results
    assert (result.rolls, result.chance) == ((), 1)
    assert result.outcome is not None and result.outcome.name == "shot"


@pytest.mark.parametrize(
    ("many", "end", "rolls"),
    [(STEPS - 1, "decision", 1), (STEPS, "decision", 1), (STEPS + 1, "decision", 0)],
)
def test_so_many_choices_without_a_choice_are_taken_on_the_way(
    tmp_path: Path, many: int, end: str, rolls: int
) -> None:
    """The limit counts forced choices before the roll. Beyond it the roll is not searched for."""
    rules = SHOT.replace(
        "      roll n",
        f'      repeat {many} times\n        choose by red "on"\n          option on\n      roll n',
    )
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(rules)
    state = rulekit.load(tmp_path).new(seed=1)
    found = way(state, "shoot")
    assert {(r.end, len(r.rolls)) for r in found.results} == {(end, rolls)}


def test_what_is_drawn_ends_it() -> None:
    state = at(
        SECRETS,
        lambda s: (
            "pick a thing" not in s.decision.prompt
            and s.decision.prompt == "drop one"
            and len(s.decision.options) > 1
        ),
    )
    found = [r for o in state.decision.options for r in way(state, o.key).results]
    assert {r.end for r in found} >= {"draw"}


def test_it_is_plain_data() -> None:
    state = at(DICE, lambda s: s.decision.kind == "window")
    told = Seat(state, state.decision.player).odds().to_json()
    assert json.loads(json.dumps(told)) == told
    assert told["ways"][0]["results"][0]["chance"][1] in (1, 6, 36)


def test_another_language_says_the_same_in_other_words() -> None:
    state = rulekit.load("examples/skirmish").new(seed=1)
    state.set("zone.red.H1", "town")
    english, french = (
        Seat(state, "red", lang).odds("rest").ways[0].results for lang in (None, "fr")
    )
    assert [r.chance for r in english] == [r.chance for r in french] and [
        r.events for r in english
    ] == [r.events for r in french]
    assert english[0].lines != french[0].lines


# ------------------------------------------------------------------------ exact odds
def rolled(state: rulekit.State, action: int, pending: bool) -> tuple[int, ...]:
    """Return the rolls of a continuation: the option, then passes and forced choices as far as the
    odds reach."""
    begin = len(state.events)
    state.apply_action(action)
    for _ in range(STEPS):
        tail = state.clone()
        del tail.log[:begin]
        if state.decision is None or outcome(tail, pending) is not None:
            break
        options = list(state.decision.options)
        passing = next(
            (o for o in options if o.key == "pass"), options[0] if len(options) == 1 else None
        )
        if passing is None or (passing.key == "pass" and state.decision.kind != "window"):
            break
        state.apply_action(passing.id)
    return tuple(record[3] for record in state.log[begin:] if record[0] == DIE_ROLLED)


@pytest.mark.parametrize(
    "path", [DICE, SECRETS, "examples/skirmish"], ids=["dice", "secrets", "skirmish"]
)
def test_the_odds_are_the_shares_of_continuations(path: Path | str) -> None:
    """In some positions, each result is as frequent in 300 continuations with other dice as
    predicted, within five deviations (and five rare ones)."""
    rng, tried = random.Random(3), 0
    for state in positions(path, 5, 60):
        option = rng.choice(Observer(state, state.decision.player).options())
        found = way(state, option.key)
        if (
            not any(r.rolls for r in found.results)
            or any(r.end not in ("decision", "hidden") for r in found.results)
            or tried == 4
        ):
            continue
        tried += 1
        pending, n = is_pending(state), 300
        most = max(len(result.rolls) for result in found.results)
        counts = Counter(
            rolled(state.reseeded(rng.getrandbits(48)), option.id, pending)[:most] for _ in range(n)
        )
        for result in found.results:
            p = float(result.chance)
            share = counts.pop(tuple(roll.value for roll in result.rolls), 0) / n
            assert abs(share - p) <= 5 * (p * (1 - p) / n) ** 0.5 + 5 / n
        assert not counts
    assert tried


# ----------------------------------------------------------------------------- no secrets
def told_otherwise(seed: int) -> Iterator[tuple[int, int, int]]:
    """Yield twins of positions with different odds for an observer."""
    for number, state in enumerate(positions(SECRETS, seed, 48)):
        assert state.decision is not None
        if number % 6 != seed % 6 and state.decision.prompt != "where to strike":
            continue
        for observer in range(len(state.names.sides)):
            told = json.dumps(Seat(state, observer).odds().to_json())
            for swap in list(swaps(state, observer))[:9:2]:
                if json.dumps(Seat(swap.twin(), observer).odds().to_json()) != told:
                    yield observer, swap.one, swap.other


@pytest.mark.parametrize("seed", range(2))
def test_the_odds_of_a_twin_are_the_same(seed: int) -> None:
    """Two things that an observer never could distinguish are swapped. No byte of the odds
    differs."""
    assert list(told_otherwise(seed)) == []


def test_odds_that_are_worked_out_in_the_true_position_are_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Planted fault: the determinization is the true position, and nothing is masked."""
    monkeypatch.setattr(
        module.Basis, "of", lambda observer: module.Basis((observer.state.slots[:],), ())
    )
    monkeypatch.setattr(
        "rulekit.engine.knowledge.observation.Observer.event", lambda self, event: event
    )
    assert any(True for seed in range(4) for _ in told_otherwise(seed))


HELD = """game shot 1
kind Side decides = red | blue
kind Card = c1 | c2 | c3 | c4
pool deck of Card seen by none
pool hand of Card seen by red
pool empty of Card seen by none
state done: 0..9
event over(n: 0..9)
  done := n
setup
  each c in Card
    put c in deck
phase main
  choose by red "shoot"
    option nothing
      draw done from deck to hand
    option of_nothing
      draw 2 from empty to hand
    option one
      draw 1 from deck to hand
    option alone
      choose by red "only one"
        option aim
          roll n = d6 by red for aim
          over(n)
          roll m = d6 by red for more
          over(m)
  choose by red "end"
    option end
      finish red, win
    option stay
      finish blue, win
"""


def test_where_odds_end(tmp_path: Path) -> None:
    """A draw of nothing, or from nothing, is none. A single possibility is chosen. Consecutive
    rolls are combined."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(HELD)
    ways = {
        found.key: found for found in Seat(rulekit.load(tmp_path).new(seed=1), "red").odds().ways
    }
    ends = {
        key: {(r.end, len(r.rolls), r.chance) for r in found.results} for key, found in ways.items()
    }
    assert ends == {
        "nothing": {("decision", 0, 1)},
        "of_nothing": {("decision", 0, 1)},
        "one": {("draw", 0, 1)},
        "alone": {("decision", 2, Fraction(1, 36))},
    }
    assert [r.outcome.params["n"] for r in ways["alone"].results if r.outcome] == [
        n for n in range(1, 7) for _ in range(6)
    ]
    assert Counter(r.rolls[0].value for r in ways["alone"].results) == dict.fromkeys(range(1, 7), 6)


WALL = """game shot 1
kind Side decides = red | blue
state wall(s: Side): 0..2 = 1 seen by s
state broken: bool
event struck(n: 1..6)
  broken := false
event fell(yes: bool)
  broken := yes
phase main
  choose by red "shoot"
    option strike
      roll n = d6 by red for aim
      struck(n)
      fell(n > wall(blue))
  choose by red "end"
    option end
      finish red, win
    option stay
      finish blue, win
"""


@pytest.mark.docs("python#odds-before-the-deed")
def test_a_result_that_hangs_on_what_is_not_seen_is_told_up_to_there(tmp_path: Path) -> None:
    """The wall has height 0, 1 or 2. The result of one and two is hidden, and from three on it
    falls, for every true height."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(WALL)
    game, told = rulekit.load(tmp_path), []
    for height in range(3):
        state = game.new(seed=1)
        state.set("wall.blue", height)
        [found] = Seat(state, "red").odds().ways
        assert [(r.hidden, r.end) for r in found.results] == [(True, "hidden")] * 2 + [
            (False, "decision")
        ] * 4
        assert [[e.name for e in r.events if e.name != "die_rolled"] for r in found.results] == [
            ["struck"]
        ] * 2 + [["struck", "fell"]] * 4
        assert [r.outcome and r.outcome.params["n"] for r in found.results] == [1, 2, 3, 4, 5, 6]
        told.append(json.dumps(Seat(state, "red").odds().to_json()))
    assert len(set(told)) == 1


HELD_BACK = {
    "two heights": ("n > wall(blue)", "wall(blue) = moat(blue)"),
    "none": ("n > wall(blue)", "n > 2 or sworn(blue) != none"),
    "a set": ("n > wall(blue)", "n > 2 or not (foot in crew(blue))"),
    "a bit": ("n > wall(blue)", "n > 2 or mined(t3)"),
}


def walled(folder: Path, *changes: tuple[str, str]) -> rulekit.Game:
    """Return the game of the wall with changes."""
    rules = WALL.replace("state broken", UNSEEN + "state broken")
    for old, new in changes:
        assert old in rules
        rules = rules.replace(old, new)
    (folder / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (folder / "game.rules").write_text(rules)
    return rulekit.load(folder)


UNSEEN = """kind Arm = horse | foot
kind Tower = t1 | t2 | t3 | t4
  state mined: bool seen by blue
state moat(s: Side): 0..2 = 1 seen by s
state sworn(s: Side): Arm? seen by s
state crew(s: Side): set Arm seen by s
"""


def fallen(state: rulekit.State) -> list[object]:
    """Return red's view of the wall for each result: whether it falls, or None if that is
    hidden."""
    [found] = Seat(state, "red").odds().ways
    assert [r.rolls[0].value for r in found.results] == [1, 2, 3, 4, 5, 6]
    assert [r.hidden for r in found.results] == [
        not any(e.name == "fell" for e in r.events) for r in found.results
    ]
    return [
        next((e.params["yes"] for e in r.events if e.name == "fell"), None) for r in found.results
    ]


@pytest.mark.docs("python#odds-before-the-deed")
@pytest.mark.parametrize("height", [0, 3, 5])
def test_every_value_that_may_be_is_tried(tmp_path: Path, height: int) -> None:
    """The height may be up to five, so only a six certainly breaks the wall."""
    state = walled(tmp_path, ("wall(s: Side): 0..2", "wall(s: Side): 0..5")).new(seed=1)
    state.set("wall.blue", height)
    assert fallen(state) == [None] * 5 + [True]


@pytest.mark.parametrize("change", HELD_BACK)
def test_all_that_is_read_is_tried_in_every_combination(tmp_path: Path, change: str) -> None:
    """Two hidden values may differ. One may be none, a set, or one bit of many."""
    told = fallen(walled(tmp_path, HELD_BACK[change]).new(seed=1))
    assert told == ([None] * 6 if change == "two heights" else [None, None, True, True, True, True])


def test_more_than_can_be_tried_is_hidden_from_there_on(tmp_path: Path) -> None:
    """For an unbounded wall only the shot is shown. If the height is read before the roll, not even
    that."""
    high = ("wall(s: Side): 0..2", "wall(s: Side): 0..900")
    assert fallen(walled(tmp_path, high).new(seed=1)) == [None] * 6
    early = walled(tmp_path, high, ("      roll n", "      broken := wall(blue) > 3\n      roll n"))
    [found] = Seat(early.new(seed=1), "red").odds().ways
    assert (found.hidden, found.results) == (True, ())


def test_what_is_not_read_is_not_tried(tmp_path: Path) -> None:
    """Results that do not depend on hidden values are shown, however many there are."""
    game = walled(
        tmp_path, ("n > wall(blue)", "n > 2"), ("wall(s: Side): 0..2", "wall(s: Side): 0..900")
    )
    assert fallen(game.new(seed=1)) == [False, False, True, True, True, True]


def test_no_more_is_tried_once_it_is_known_that_nothing_can_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The existence of the roll depends on the wall. Two of thirty heights suffice to see that."""
    early = (
        "      roll n = d6 by red for aim\n",
        (
            "      let n = 3\n      broken := wall(blue) > 0\n      if broken\n        roll m = d6"
            " by red for aim\n"
        ),
    )
    state, tried = (
        walled(tmp_path, ("wall(s: Side): 0..2", "wall(s: Side): 0..30"), early).new(seed=1),
        [],
    )
    monkeypatch.setattr(module, "courses", lambda *args: tried.append(args) or courses(*args))
    [found] = Seat(state, "red").odds().ways
    assert (found.hidden, found.results, len(tried)) == (True, (), 2)


DEALT = """game shot 1
kind Side decides = red | blue
kind Card = c1(1) | c2(2) | c3(3) | c4(4)
  fixed worth: 0..4
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
event fell(yes: bool)
setup
  each c in Card
    put c in deck
  put c4 in hand(red)
  put c1 in hand(blue)
phase main
  choose by red "shoot"
    option strike
      roll n = d6 by red for aim
      fell(CONDITION)
  choose by red "end"
    option end
      finish red, win
    option stay
      finish blue, win
"""


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("some(hand(blue) where worth = 3)", None),
        ("some(hand(blue) where worth = 2) and some(hand(blue) where worth = 1)", False),
        ("count(hand(blue)) = 1", True),
        ("some(hand(blue) where worth = 4)", False),
    ],
)
def test_three_things_are_dealt_out_in_every_way(
    tmp_path: Path, condition: str, told: bool | None
) -> None:
    """Blue holds one of three. The number and the exclusion of red's things are known, the identity
    is not."""
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(DEALT.replace("CONDITION", condition))
    assert fallen(rulekit.load(tmp_path).new(seed=1)) == [told] * 6


def test_what_is_written_before_it_is_read_is_known(tmp_path: Path) -> None:
    """The shot sets the wall to one, whatever its height. Writing reads nothing, so the value is
    then public."""
    game = walled(
        tmp_path,
        ("wall(s: Side): 0..2", "wall(s: Side): 0..900"),
        ("  broken := false\n", "  wall(blue) := 1\n"),
    )
    assert fallen(game.new(seed=1)) == [False] + [True] * 5


def test_points_are_told_of_who_wins_or_loses_some(tmp_path: Path) -> None:
    """The change of the victory total is shown, but not for unchanged sides."""
    rules = SHOT.replace(
        "state done",
        "state points(s: Side): -9..99 = 5\ntotal vp(s: Side): int\n  base points(s)\nstate done",
    )
    rules = rules.replace(
        "  done := hit",
        "  done := hit\n  points(red) += 2 when hit\n  points(blue) -= 1 when not hit",
    )
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: shot\ntitle: Shot\nversion: '1'\nlanguage: 1\n"
    )
    (tmp_path / "game.rules").write_text(rules)
    [found] = Seat(rulekit.load(tmp_path).new(seed=1), "red").odds().ways
    assert [r.points for r in found.results] == [{"blue": -1}] * 8 + [{"red": 2}] * 3


@pytest.mark.parametrize(("dice", "results"), [(4, 1296), (5, 6)])
def test_of_four_dice_one_by_one_each_result_is_told_of_five_the_first_roll_only(
    tmp_path: Path, dice: int, results: int
) -> None:
    """1,296 results are within the limit of 1,296."""
    rolls = "\n".join(f"      roll d{n} = d6 by red for luck" for n in range(dice))
    rules = (
        f"phase main\n  choose by red\n    option throw\n{rolls}\n    option wait\n      stay\n"
        "  pick n from 1 .. 2 by red\n  finish none, drawn\nprocedure stay\n  return\n"
    )
    state = rulekit.load(write_game(tmp_path, rules)).new(seed=1)
    [way] = Seat(state, "red").odds("throw").ways
    assert (len(way.results), way.complete) == (results, dice == 4)
    assert {result.chance for result in way.results} == {1 / Fraction(results)}
    assert {len(result.rolls) for result in way.results} == {4 if dice == 4 else 1}
