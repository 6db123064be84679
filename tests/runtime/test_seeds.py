"""Seeds: small ones give the same dice as always. A key is needed to predict its dice, and all
variants agree."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import rulekit
from rulekit.compiler.reference.chance import ReferenceChance
from rulekit.engine.testing.perft import perft
from rulekit.runtime import intrinsics
from rulekit.runtime.intrinsics import KEYS, SEEDS, branch, mix
from rulekit.runtime.seeds import check_seed, commitment, draw_salt, draw_seed, seed_of, seed_text
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[2]
CARDS = ROOT / "tests" / "fixtures" / "cards"
KEY = 0x0123456789ABCDEF0123456789ABCDEF
SMALL = {
    (0, 0): 0xE220A8397B1DCDAF,
    (0, 1): 0x6E789E6AA1B965F4,
    (7, 0): 0x63CBE1E459320DD7,
    (KEYS - 1, 0): 0xE4D971771B652C20,
    (-1, 0): 0xE4D971771B652C20,
}
KEYED = {
    (KEYS, 0): 0x539AFD00638F7559,
    (KEY, 0): 0x938F52F8C5CEB40A,
    (KEY, 1): 0x3FBE5517F38D535F,
    (SEEDS - 1, 2**63): 0x924B3F871FA85984,
}


@pytest.mark.parametrize(("seed", "counter"), SMALL)
def test_the_dice_of_a_small_seed_are_those_of_splitmix64(seed: int, counter: int) -> None:
    """Saves and golden transcripts of small seeds stay valid."""
    assert mix(seed, counter) == SMALL[seed, counter]


@pytest.mark.parametrize(("seed", "counter"), KEYED)
def test_the_dice_of_a_key_stay_what_they_are(seed: int, counter: int) -> None:
    """A save with a key can be replayed in years to come."""
    assert mix(seed, counter) == KEYED[seed, counter]


@pytest.mark.docs("python#a-game-and-its-states")
@pytest.mark.parametrize("seed", [-1, -425, -KEYS, -KEYS - 7, 1 - SEEDS])
def test_a_seed_below_nought_has_the_dice_of_its_remainder(seed: int) -> None:
    game = rulekit.load(CARDS)
    states = [game.new(seed=each) for each in (seed, seed % KEYS)]
    for state in states:
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
    assert [event.to_json() for event in states[0].events] == [
        event.to_json() for event in states[1].events
    ]


def from_splitmix(value: int) -> int:
    """Return the seed of splitmix64 with these first bits. Each of its steps can be inverted."""
    value ^= value >> 31 ^ value >> 62
    value = value * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
    value ^= value >> 27 ^ value >> 54
    value = value * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
    value ^= value >> 30 ^ value >> 60
    return (value - 0x9E3779B97F4A7C15) % 2**64


@pytest.mark.docs("python#a-game-and-its-states")
def test_who_has_seen_the_bits_of_a_small_seed_knows_it_and_of_a_key_does_not() -> None:
    """64 bits of splitmix64 determine its seed and all later bits. The same computation on the bits
    of a key predicts nothing."""
    assert from_splitmix(mix(424, 0)) == 424
    guessed = from_splitmix(mix(KEY, 0))
    assert all(mix(guessed, n) != mix(KEY, n) for n in range(1, 100))


def test_the_bits_of_keys_that_are_alike_are_not() -> None:
    """One bit of the key, or the next number, changes half of the bits. Streams for agents are not
    those of the dice."""
    keys = [KEY ^ 1 << i for i in range(128) if (KEY ^ 1 << i) >= KEYS]
    values = [mix(key, n) for key in keys for n in range(20)]
    assert len(set(values)) == len(values)
    changed = [(mix(key, 0) ^ mix(KEY, 0)).bit_count() for key in keys]
    assert 28 < sum(changed) / len(changed) < 36
    assert not {branch(KEY, n) & KEYS - 1 for n in range(50)} & {mix(KEY, n) for n in range(200)}


def test_dice_of_a_key_are_fair() -> None:
    """Faces are equally frequent, within five standard deviations of 12,000 rolls."""
    counts = [0] * 6
    for n in range(12_000):
        counts[mix(KEY, n) % 6] += 1
    assert all(abs(count - 2000) < 5 * (12_000 * 5 / 36) ** 0.5 for count in counts)


@pytest.mark.docs("python#a-game-and-its-states")
def test_seeds_that_are_drawn_are_keys_and_never_the_same() -> None:
    """A game without a named seed has a key of 128 bits, and each has its own salt."""
    seeds = [draw_seed() for _ in range(200)]
    assert len(set(seeds)) == 200 and all(KEYS <= seed < SEEDS for seed in seeds)
    assert max(seed.bit_length() for seed in seeds) > 120
    assert len({draw_salt() for _ in range(200)}) == 200
    game = rulekit.load(CARDS)
    assert game.new() != game.new()


@pytest.mark.parametrize("seed", [0, 1, -5, 425, KEYS - 1, KEYS, KEY, SEEDS - 1])
def test_a_seed_is_read_as_it_is_shown(seed: int) -> None:
    """The text of a seed gives that seed again, and the commitment depends on every digit of it."""
    assert seed_of(seed_text(seed)) == seed
    assert seed_of(hex(seed) if seed >= 0 else str(seed)) == seed
    assert len(commitment(seed, "00")) == 64 and commitment(seed, "00") not in (
        commitment(seed - 1, "00"),
        commitment(seed, "01"),
    )


@pytest.mark.docs("python#a-game-and-its-states")
@pytest.mark.parametrize(
    "seed", [SEEDS, -SEEDS, 1 << 20_000], ids=lambda each: str(each.bit_length())
)
def test_a_seed_beyond_the_bound_is_refused_everywhere(seed: int) -> None:
    """Every function that makes a state from a seed refuses one that is too large."""
    game = rulekit.load(CARDS)
    for call in (
        lambda: check_seed(seed),
        lambda: game.new(seed=seed),
        lambda: game.blank(seed=seed),
        lambda: game.new(seed=1).reseeded(seed),
        lambda: perft(game.program(), 1, seed),
        lambda: rulekit.simulate(game, 1, seed=seed),
    ):
        with pytest.raises(rulekit.RulekitError, match="below 2"):
            call()
    with pytest.raises(rulekit.RulekitError):
        rulekit.simulate(game, 2, seed=SEEDS - 1)


@pytest.mark.parametrize("seed", [True, "7", 7.0])
def test_what_is_no_whole_number_is_no_seed(seed: object) -> None:
    """Examples are a text, a fraction and a bool."""
    with pytest.raises(TypeError):
        rulekit.load(CARDS).new(seed=seed)  # type: ignore[arg-type]


def test_both_variants_and_the_reference_roll_alike_with_a_key() -> None:
    """Dice and draws of a key are the same in play, in fast simulation and in the reference
    interpreter."""
    game = rulekit.load(CARDS)
    full, rng = game.new(seed=KEY), random.Random(1)
    fast = rulekit.State(game.table(variant="fast"), game.table(variant="fast").code.blank(KEY, 0))
    fast.table.code.begin(fast.slots)
    while not full.is_terminal():
        action = rng.choice(full.legal_actions())
        full.apply_action(action)
        fast.table.code.apply(fast.slots, action)
        assert fast.slots[:4] == full.slots[:4] and fast.legal_actions() == full.legal_actions()
    chance, slots = ReferenceChance(KEY), game.new(seed=KEY).slots[:]
    slots[3] = 0
    assert [chance.roll(2, 6) for _ in range(50)] == [
        intrinsics.roll(slots, 2, 6) for _ in range(50)
    ]
    assert [chance.draw(range(9)) for _ in range(50)] == [
        intrinsics.draw(slots, 0x1FF) for _ in range(50)
    ]


@pytest.mark.parametrize("seed", [SEEDS, -SEEDS, 1 << 400])
def test_a_state_from_json_has_a_seed_within_the_bound(seed: int) -> None:
    """An impossible seed is refused when a state is read, before a die is rolled."""
    game = rulekit.load(CARDS)
    data = json.loads(game.new(seed=KEY).to_json())
    data["state"][data["state"].index(KEY)] = seed
    with pytest.raises(rulekit.SaveError):
        game.state_from_json(json.dumps(data))


@pytest.mark.parametrize(
    "rulings", [{"steep_path": "open"}, {"steep_paths": "oppen"}, {"steep_paths": []}]
)
def test_a_state_from_json_has_no_ruling_that_there_is_not(rulings: dict[str, object]) -> None:
    """A misspelt ruling of a state is refused with a guess, and not ignored."""
    game = rulekit.load(ROOT / "tests" / "fixtures" / "choices")
    data = json.loads(game.new(seed=1).to_json())
    data["rulings"].update(rulings)
    with pytest.raises(rulekit.SaveError):
        game.state_from_json(json.dumps(data))


def test_a_copy_with_another_seed_leaves_dice_that_were_given(tmp_path: Path) -> None:
    rules = (
        "state got: 0..9\nphase main\n  pick n from 0 .. 1 by red\n  roll d = d6 by red for luck\n "
        " got := d\n  pick k from 0 .. 1 by red\n  finish none, drawn\n"
    )
    state = rulekit.load(write_game(tmp_path, rules)).new(seed=1, dice=[6])
    found = set()
    for seed in range(12):
        other = state.reseeded(seed)
        other.apply("pick 0")
        found.add(other.get("got"))
    state.apply("pick 0")
    assert state.get("got") == 6 and len(found) > 1
