"""Findings about rules as a whole: each form of a fault in docs/diagnostics.md is reported, and
similar correct rules are not."""

from __future__ import annotations

import pytest

from tests.compiler.checked_rules import findings

HEAD = """game small 1
unit VP
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = east | west
  state holder: Side?
kind Way joins Zone
kind Chit = storm | calm
pool cup of Chit
pool spent of Chit
state n: 0..9
state coins(s: Side): 0..9 VP
define low: bool = n < 3
event marched(z: Zone)
  n += 1
event halted
  n := 0
moment pause asks red
procedure act
  n += 1
"""
END = """phase main
  finish none, drawn
"""


def found(text: str) -> list[str]:
    """Return codes and lines, counted from the line after HEAD."""
    before = HEAD.count("\n")
    model, lines = findings(HEAD + text + ("" if "phase main" in text else END))
    assert (model is None) == any(line[:5] not in ("RK512", "RK515", "RK412") for line in lines)
    return [f"{line[:5]} {int(line[6:].split(':')[0]) - before}" for line in lines]


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("define a: int = b\ndefine b: int = 1", []),
        ("define a: int = b\ndefine b: int = a", ["RK501 2"]),
        ("define a = a", ["RK501 1"]),
        (
            "define many(k: 0..3): int\n  = 0 when k = 0\n  = many(k - 1)",
            ["RK501 3"],
        ),  # also if the recursion would end
    ],
)
def test_definitions_do_not_go_round(body: str, codes: list[str]) -> None:
    assert found(body + "\n") == codes


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("procedure on_\n  act\n  act", []),
        ("procedure on_\n  on_ when n > 1", ["RK502 2"]),
        ("procedure one_\n  two_ when n > 1\nprocedure two_\n  if low\n    one_", ["RK502 5"]),
        ("procedure one_\n  repeat 3 times\n    act", []),
        ('procedure one_\n  choose by red "what"\n    option go\n      one_', ["RK502 4"]),
        (
            (
                'kind Deed = dig\n  slot effect\nDeed dig "Dig"\n  round_\nprocedure round_\n '
                " dig.effect when n > 1"
            ),
            ["RK502 6"],
        ),
        (
            (
                "movement go(s: Side)\n  over Way w from a to z\n  on entry\n    round_\nprocedure"
                " round_\n  walk go(red) from east by red"
            ),
            ["RK502 6"],
        ),
        (
            (
                "menu orders in round_\naction again in orders\n  round_\nprocedure round_\n "
                ' choose by red from orders "what"'
            ),
            ["RK502 5"],
        ),
        (
            'reaction again after halted "Again"\n  for who in Side\n  limit 1 per game\n  halted',
            [],
        ),  # allowed, because a window is between them
    ],
)
def test_procedures_call_themselves_through_windows_only(body: str, codes: list[str]) -> None:
    assert found(body.replace("\n  for who in Side", "") + "\n") == codes


@pytest.mark.parametrize(
    "step",
    [
        'choose by red "what"\n    option go\n      act',
        "pick x from Zone by red",
        "pick group g from Zone by red",
        "roll d = d6 by red for luck",
        "act",
        "halted",
        "draw 1 from cup to spent",
        "put storm in spent",
        "gather spent to cup",
        "open pause",
        "finish none, drawn",
        "return",
        "let k = n",
    ],
)
def test_an_event_only_writes(step: str) -> None:
    """This holds in its branches and loops too."""
    assert found(f"event wrong(z: Zone)\n  {step}\n") == ["RK503 2"]
    for around in ("if low", "each s in Side"):
        inner = step.replace("\n", "\n  ")
        assert found(f"event wrong(z: Zone)\n  {around}\n    {inner}\n") == ["RK503 3"]


def test_an_event_writes_in_branches_and_loops() -> None:
    assert (
        found(
            "event right(z: Zone)\n  n := 1 when low\n  if low\n    z.holder := red\n  else\n   "
            " each s in Side\n      coins(s) += 1 VP\n"
        )
        == []
    )


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("", True),
        ("limit 1 per game", False),
        ("pays 1 VP from coins(me)", False),
        ("when n < 3", False),
        ("when low", False),
        ("when me = red", True),
        ("for z in Zone", True),
        ("when 1 < 2", True),
    ],
)
@pytest.mark.parametrize("place", ["after marched", "before marched", "at pause"])
def test_a_reaction_is_used_up_by_a_limit_a_price_or_a_guard_that_reads_the_state(
    clause: str, told: bool, place: str
) -> None:
    if clause.startswith("for"):
        head, clause = "reaction shout(z: Zone)", ""
    else:
        head = "reaction shout"
    assert found(f'{head} {place} "Shout"\n' + (f"  {clause}\n" if clause else "") + "  act\n") == (
        ["RK506 1"] if told else []
    )


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("act", []),
        ("halted", []),
        ("marched(east)", ["RK508 1"]),
        ('choose by red "what"\n    option go\n      act', ["RK508 1"]),
        ("pick x from Zone by red\n  act", ["RK508 1"]),
        ("pick group g from Zone by red\n  act", ["RK508 1"]),
        ("asks", ["RK508 1"]),
        ("open pause", ["RK508 1"]),
        ("walk go(red) from east by red", ["RK508 1"]),
        ("if low\n    asks", ["RK508 1"]),
        ("together each t in Side\n    pick x from Zone by t\n    act", ["RK508 1"]),
    ],
)
def test_a_continuous_check_asks_nobody(body: str, codes: list[str]) -> None:
    """Nor may it ask through a call, or through an event that offers a reaction."""
    assert (
        found(
            f"whenever w in Zone where holder = red\n  {body}\nprocedure asks\n  pick x from Zone"
            ' by red\nreaction shout after marched "Shout"\n  limit 1 per game\n  act\nreaction'
            ' cry at pause "Cry"\n  limit 1 per game\n  act\nmovement go(s: Side)\n  over Way w'
            " from a to z\n"
        )
        == codes
    )


@pytest.mark.parametrize(
    ("main", "codes"),
    [
        ("phase main", []),
        ("phase start", ["RK510"]),
        ("define main: int = 1\nphase start", ["RK510"]),
    ],
)
def test_play_begins_with_the_phase_main(main: str, codes: list[str]) -> None:
    _, lines = findings(HEAD + main + "\n  finish none, drawn\n")
    assert [line[:5] for line in lines] == codes


@pytest.mark.parametrize("use", ["", "red"])
def test_exactly_one_kind_decides(use: str) -> None:
    kinds = (
        "game g 1\nkind Side{} = red | blue\nkind Team{} = white | black\nphase main\n  finish"
        " none, drawn\n"
    )
    for one, two, codes in (
        (" decides", "", []),
        ("", " decides", []),
        ("", "", ["RK509 4"]),
        (" decides", " decides", ["RK509 3"]),
    ):
        _, lines = findings(kinds.format(one, two))
        assert [line.split(":")[0] for line in lines] == codes


@pytest.mark.parametrize(("deep", "codes"), [(100, []), (101, ["RK511"])])
@pytest.mark.parametrize("typed", [": int", ""])
@pytest.mark.parametrize("up", [True, False])
def test_definitions_use_each_other_a_hundred_deep(
    deep: int, codes: list[str], typed: str, up: bool
) -> None:
    lines = [f"define d{i}{typed} = " + (f"d{i - 1} + 1" if i else "n") for i in range(deep)]
    _, told = findings(HEAD + "\n".join(lines if up else lines[::-1]) + "\n" + END)
    assert sorted({line[:5] for line in told}) == codes


@pytest.mark.parametrize(("deep", "codes"), [(100, []), (101, ["RK511"])])
def test_procedures_call_each_other_a_hundred_deep(deep: int, codes: list[str]) -> None:
    lines = [f"procedure p{i}\n  " + (f"p{i - 1}" if i else "n := 1") for i in range(deep)]
    _, told = findings(HEAD + "\n".join(lines) + "\n" + END)
    assert [line[:5] for line in told] == codes


def test_a_menu_is_offered_somewhere() -> None:
    menu, end = (
        "menu orders in main\naction go in orders\n  act\nphase main\n",
        "  finish none, drawn\n",
    )
    assert found(menu + end) == ["RK512 1"]
    assert (
        found(f'{menu}  if low\n    choose by red from orders "what"\n      option wait\n{end}')
        == []
    )


MANY = "kind Man = " + " | ".join(f"m{i}" for i in range(120)) + "\n  state fit: bool\n"
SLOW = MANY + "".join(
    (
        f"define f{i}(p: Man): int = count(Man where f{i - 1}(it) > 1)\n"
        if i
        else "define f0(p: Man): int = 1 if p.fit else 0\n"
    )
    for i in range(5)
)


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("total force: int\n  base sum(f3(it) of Man)", []),
        ("total force: int\n  base sum(f4(it) of Man)", ["RK513 8"]),
        ("total force: int\n  base 1\n  modifier more +1 when sum(f4(it) of Man) > 3", ["RK513 8"]),
        ('permit may\n  bar shut when sum(f4(it) of Man) > 3 "no"', ["RK513 8"]),
        (
            (
                "total force: int\n  base 1\n  modifier more +1\ncancel force.more when sum(f4(it)"
                " of Man) > 3"
            ),
            ["RK513 8"],
        ),
        ("define most: int = sum(f4(it) of Man)", ["RK513 8"]),
        ("procedure long\n  each p in Man\n    n := 1 when f2(p) > 0", []),
        ("procedure long\n  each p in Man\n    n := 1 when f4(p) > 0", ["RK513 9"]),
        ("procedure long\n  n := 1 when sum(f4(it) of Man) > 0", ["RK513 9"]),
        ('procedure long\n  pick group g from Man by red while f2(m1) >= 0 "no"', []),
        ('procedure long\n  pick group g from Man by red while f4(m1) >= 0 "no"', ["RK513 9"]),
    ],
)
def test_a_value_takes_no_billions_of_steps(body: str, codes: list[str]) -> None:
    """This holds in any construct. The first one is reported."""
    assert found(SLOW + body + "\n")[:1] == codes


@pytest.mark.parametrize(("times", "codes"), [(250, []), (300, ["RK513 2"])])
def test_the_rounds_of_loops_are_multiplied(times: int, codes: list[str]) -> None:
    """They are multiplied with the sizes of the sets in loops. A decision in a loop ends the
    count."""
    assert (
        found(
            f"procedure long\n  repeat {times} times\n    repeat {times} times\n      each z in"
            " Zone\n        n := 1 - n\n"
        )
        == codes
    )
    assert (
        found(
            f"procedure long\n  repeat {times} times\n    repeat {times} times\n      each z in"
            " Zone\n        pick x from Zone by red\n"
        )
        == []
    )


@pytest.mark.parametrize("by", ["procedure", "event", "hook", "branch"])
def test_a_procedure_runs_so_many_statements_before_anybody_is_asked(by: str) -> None:
    """All its calls count, and so do statements in events and their hooks. 2^17 times 4 are fewer
    than 600,000, and twice that are not."""
    inner = {
        "procedure": "procedure q0\n  n := 1\n  n := 2\n",
        "event": "event done_\n  n := 1\nprocedure q0\n  done_\n",
        "hook": "event done_\non after done_\n  n := 2\nprocedure q0\n  done_\n",
        "branch": "procedure q0\n  if low\n    n := 1\n",
    }[by]

    def codes(deep: int, first: str = "") -> list[str]:
        twice = "".join(
            f"procedure q{i}\n{first if i == 1 else ''}  q{i - 1}\n  q{i - 1}\n"
            for i in range(1, deep + 1)
        )
        return [line[:5] for line in findings(HEAD + inner + twice + END)[1]]

    assert (
        codes(15) == []
        and codes(19) == ["RK513"]
        and codes(19, "  pick x from Zone by red\n") == []
    )


@pytest.mark.parametrize(
    ("end", "codes"), [("act", ["RK514 1"]), ("finish red, win", []), ("finish none, drawn", [])]
)
def test_something_ends_the_game(end: str, codes: list[str]) -> None:
    assert found(f"phase main\n  {end}\n") == codes
    assert found(f"phase main\n  act\nprocedure last\n  {end}\n") == codes


@pytest.mark.parametrize(
    ("use", "codes"),
    [
        ("", ["RK515"]),
        ("state held: 0..6 PA\n", []),
        ("define many = 3 PA\n", []),
        ("state k: 0..6\n", ["RK515"]),
        ("procedure p\n  let k = 3 PA\n", []),
    ],
)
def test_a_unit_is_used_by_a_type_or_a_number(use: str, codes: list[str]) -> None:
    rules = HEAD.replace("unit VP", "unit VP, PA")
    assert [line[:5] for line in findings(rules + use + END)[1]] == codes
