"""Missing values and empty sets: no game of ours passes one silently, and the advised forms mean
what the docs say."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.project.loader import Loader
from tests.compiler.reference.agree import agree
from tests.test_docs import examples, write_game

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted(
    p.parent
    for part in ("games", "examples", "tests/fixtures")
    for p in (ROOT / part).glob("*/game.yaml")
)
MISSING_VALUES = {"RK410", "RK411", "RK412", "RK413"}
MANIFEST = "rulekit: game\nname: missing\ntitle: Missing\nversion: '1'\nlanguage: 1\n"
HEAD = """game missing 1
kind Side decides = red | blue
kind Spot = a | b
  state now: Side?
  state past: Side?
  state men: 0..9
"""


def game(folder: Path, rules: str) -> Loader:
    folder.mkdir()
    (folder / "game.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "game.rules").write_text(HEAD + rules, encoding="utf-8")
    return Loader(folder)


def told(loader: Loader) -> list[str]:
    found = [d.code for d in loader.findings()]
    assert not [
        code
        for code in found
        if code[:3] in ("RK2", "RK3") or (code[:3] == "RK4" and code not in MISSING_VALUES)
    ], found
    return [code for code in found if code in MISSING_VALUES]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_no_game_has_a_missing_value_that_passes_without_a_word(folder: Path) -> None:
    assert told(Loader(folder)) == []


def test_no_example_of_the_reference_has_one(tmp_path: Path) -> None:
    for i, block in enumerate(examples()):
        if not block.words.startswith("error"):
            folder = tmp_path / str(i) / "example"
            folder.mkdir(parents=True)
            write_game(block, folder)
            assert told(Loader(folder)) == [], f"line {block.line}"


FORMS = """define plain(s: Spot): bool = s.now != none and s.now = s.past
define equal(s: Spot): bool = s.past = none if s.now = none else s.now = s.past
define differs(s: Spot): bool = not (s.past = none if s.now = none else s.now = s.past)
define strictly(s: Spot): bool = s.now != none and s.past != none and s.now != s.past
define foreign(s: Spot): bool = not (s.now = red)
define hostile(s: Spot): bool = s.now != none and s.now != red
define outside(s: Spot): bool = not (s.now in {red})
define most(w: Side): int = max(men of (Spot where now = w)) if some (Spot where now = w) else 7
phase main
  choose by red
    option go when plain(a) or equal(a) or differs(a) or strictly(a) or foreign(a) or hostile(a) \
or outside(a) or most(red) > 0
      finish red, win
"""


def test_the_forms_that_are_advised_mean_what_is_said(tmp_path: Path) -> None:
    """The cases are both present and equal, both present and different, one missing, both
    missing."""
    loader = game(tmp_path / "forms", FORMS)
    assert told(loader) == []
    state = rulekit.load(tmp_path / "forms").new(seed=1)
    names = ("plain", "equal", "differs", "strictly", "foreign", "hostile", "outside")
    for now, past, wanted in (
        ("red", "red", "1100000"),
        ("blue", "red", "0011111"),
        (None, "red", "0010101"),
        (None, None, "0100101"),
    ):
        state.set("now.a", now)
        state.set("past.a", past)
        assert "".join(str(int(state.value_of(name, "a"))) for name in names) == wanted, (now, past)
    assert state.value_of("most", "red") == 7
    agree(loader.model(), loader.program("", {}), 1, limit=5)


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("  return when s.now = none\n  s.men := 1 when s.now != w\n", []),
        ("  return when s.now = w\n  s.men := 1 when s.now != w\n", ["RK411"]),
        ("  if s.now != none\n    s.men := 1 when s.now = s.past\n", []),
        ("  s.men := 1 when s.past = none or s.now = s.past\n", []),
        ("  s.men := 1 when s.past != none or s.now = s.past\n", ["RK410"]),
        ("  s.men := 1 when s.now is red and s.now != s.past\n", ["RK411"]),
        ("  s.men := 1 when (s.now ?? w) != w\n", []),
        ("  s.men := 1 when the s.now != w\n", []),
        ("  s.men := 1 when some (Spot where now = s.now)\n", ["RK410"]),
        ("  s.men := 1 when s.now != none and some (Spot where now = s.now)\n", []),
        ("  s.men := 1 when s.now != none and first(Spot where now = s.now by men) = none\n", []),
        ("  let n = max(men of mine(w))\n", ["RK413"]),
        ("  return when no mine(w)\n  let n = max(men of mine(w))\n", []),
        ("  if mine(w) has (men > 2)\n    let n = min(men of mine(w))\n", []),
        ("  pick q from mine(w) by w\n  let n = min(men of mine(w))\n", []),
        ("  pick q from mine(w) by w, or none\n  let n = min(men of mine(w))\n", ["RK413"]),
        ("  each q in mine(w)\n    q.men := max(men of mine(w))\n", []),
        ("  let n = count(Spot where men = max(men of Spot))\n", []),
    ],
)
def test_what_guards_say_counts(tmp_path: Path, body: str, codes: list[str]) -> None:
    """A finding comes only where a side may really be none, or a set really empty."""
    rules = "define mine(w: Side) = Spot where now = w\nprocedure p(s: Spot, w: Side)\n" + body
    assert (
        told(
            game(
                tmp_path / "guards",
                rules + "phase main\n  p(a, red)\n  choose by red\n    option go\n      finish red,"
                " win\n",
            )
        )
        == codes
    )


@pytest.mark.parametrize(
    ("guard", "sure"),
    [
        ("some mine(w)", True),
        ("some mine(red)", False),
        ("some (Spot where past = w)", False),
        ("some (Spot where now = w)", False),
        ("no mine(w)", False),
        ("not (no mine(w))", True),
        ("not (some mine(w))", False),
        ("some mine(w) or s.men > 2", False),
        ("s.men > 2 and some mine(w)", True),
        ("count(mine(w)) >= 1", True),
        ("count(mine(w)) >= 0", False),
        ("count(mine(w)) = 0", False),
        ("count(mine(w)) != 0", True),
        ("count(mine(w)) > 0", True),
        ("count(mine(w)) < 2", False),
        ("count(mine(red)) >= 1", False),
        ("mine(w) has (men > 2)", True),
        ("mine(w) only (men > 2)", True),
        ("mine(w) all (men > 2)", False),
        ("mine(red) has (men > 2)", False),
        ("s in mine(w)", False),
        ("s.now != none", False),
    ],
)
def test_a_guard_says_of_its_own_set_that_it_has_members(
    tmp_path: Path, guard: str, sure: bool
) -> None:
    """It proves nothing about other sets, and only counts if it is false for the empty set. `s in
    S` would prove it too, but is not recognized."""
    rules = (
        "define mine(w: Side) = Spot where now = w\nprocedure p(s: Spot, w: Side)\n  if GUARD\n   "
        " let n = max(men of mine(w))\n"
    )
    play = "phase main\n  p(a, red)\n  choose by red\n    option go\n      finish red, win\n"
    assert told(game(tmp_path / "guard", rules.replace("GUARD", guard) + play)) == (
        [] if sure else ["RK413"]
    )


SKIPS = {  # the body of main; True if its pick from an empty set ends play without a 'finish'
    "straight": ("  pick s from free by red\n  finish red, win\n", True),
    "after others": (
        "  pick t from Spot by red\n  pick s from free by red\n  finish red, win\n",
        True,
    ),
    "in a procedure": (
        "  last\nprocedure last\n  pick s from free by red\n  finish red, win\n",
        True,
    ),
    "a group": ("  pick group g from free by red\n  finish red, win\n", True),
    "guarded": (
        "  if some free\n    pick s from free by red\n    finish red, win\n  finish blue, win\n",
        False,
    ),
    "or none": ("  pick s from free by red, or none\n  finish red, win\n", False),
    "in a loop": (
        "  repeat 2 times\n    pick s from free by red\n    finish red, win\n  finish blue, win\n",
        False,
    ),
    "in both branches": (
        (
            "  pick s from free by red\n  if s.men > 2\n    finish red, win\n  else\n    finish"
            " blue, win\n"
        ),
        True,
    ),
    "by each option": (
        (
            "  pick s from free by red\n  choose by red\n    option a\n      finish red, win\n   "
            " option b\n      finish blue, win\n"
        ),
        True,
    ),
    "in a branch only": (
        (
            "  pick t from Spot by red\n  if t.men > 0\n    finish red, win\n  pick s from free by"
            " red\n  finish red, win\n"
        ),
        True,
    ),
    "not all of it": (
        (
            "  first_half\n  finish red, win\nprocedure first_half\n  pick s from free by red\n "
            " s.men := 1\n"
        ),
        False,
    ),
}


@pytest.mark.parametrize(("body", "bad"), SKIPS.values(), ids=SKIPS)
def test_a_pick_is_reported_where_its_empty_set_ends_play(
    tmp_path: Path, body: str, bad: bool
) -> None:
    """Reported are exactly the cases in which play reaches the end of main. The others end by their
    rules."""
    loader = game(tmp_path / "skips", "define free = Spot where men > 0\nphase main\n" + body)
    assert told(loader) == (["RK412"] if bad else [])
    loaded = rulekit.load(tmp_path / "skips")

    def play() -> None:
        state = loaded.new(seed=1)
        while not state.is_terminal():
            state.apply(state.decision.options[0])

    if bad:
        with pytest.raises(rulekit.RulesError, match="without 'finish'"):
            play()
    else:
        play()
