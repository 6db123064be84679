"""RK507 and RK517, form by form: each branch that reveals a secret, each path of information, each
choice of a player."""

from __future__ import annotations

import pytest

from tests.compiler.checked_rules import findings

RULES = """game forms 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = east | west
  state mined: bool CELL
kind Deed = dig
  slot effect(me: Side)
pool cup of Deed
state plan(s: Side): 0..9 SEEN
state bid: 0..9 CELL
state points: 0..9
event scored
  points += 1
event marched(z: Zone)
  points := 0
define bold(s: Side): bool = plan(s) > 1
total force(s: Side) in counting: int
  base plan(s)
moment pause asks red
TEXT
procedure counting(s: Side)
  points := 1
phase main
  finish none, drawn
"""


def told(text: str, seen: bool = False) -> list[str]:
    """Return the codes. With `seen`, everybody sees everything."""
    rules = (
        RULES.replace("SEEN", "" if seen else "seen by s")
        .replace("CELL", "" if seen else "seen by none")
        .replace("TEXT\n", text)
    )
    return [line[:5] for line in findings(rules)[1] if line[:5] != "RK517"]


@pytest.mark.parametrize(
    "text",
    [
        "procedure p\n  if bid > 1\n    scored\n",
        "procedure p\n  if points > 1\n    points := 0\n  else if bid > 1\n    scored\n",
        "procedure p\n  if bid > 1\n    let k = 1\n  else\n    scored\n",
        "procedure p\n  scored when bid > 1\n",
        "procedure p\n  points := 1 when bid > 1\n",
        "procedure p\n  return when bid > 1\n  scored\n",
        "procedure p\n  put dig in cup when bid > 1\n",
        "procedure p\n  roll d = d6 by red for luck when bid > 1\n",
        "procedure p\n  finish red, win when bid > 1\n",
        "procedure p\n  counting(red) when bid > 1\n",
        (
            'procedure p\n  open pause when bid > 1\n  points := 1\nreaction cry at pause "Cry"\n '
            " limit 1 per game\n  scored\n"
        ),
        "procedure p\n  repeat until bid > 1, at most 9\n    scored\n",
        "procedure p\n  repeat bid times\n    scored\n",
        "procedure p\n  each z in Zone where mined\n    scored\n",
        "procedure p\n  each i in 1 .. bid\n    scored\n",
        "procedure p\n  repeat 3 times\n    leave when bid > 1\n    scored\n",
        "whenever z in Zone where mined\n  scored\n",
        "on after marched when bid > 1\n  scored\nprocedure p\n  marched(east)\n",
        "on after marched\n  if bid > 1\n    scored\nprocedure p\n  marched(east)\n",
    ],
)
def test_each_branch_tells_a_secret(text: str) -> None:
    """There is no finding if everybody sees the value."""
    assert told(text) == ["RK507"]
    assert told(text, seen=True) == []


@pytest.mark.parametrize(
    "text",
    [
        "procedure p\n  let k = bid\n  scored when k > 1\n",
        "procedure p\n  var k: 0..9 = bid\n  let l = k + 1\n  scored when l > 1\n",
        "procedure p\n  var k: 0..9 = 0\n  k := 1 when bid > 1\n  scored when k > 0\n",
        "procedure p\n  q(bid)\nprocedure q(k: int)\n  scored when k > 1\n",
        "procedure p\n  scored when bold(red)\n",
        "procedure p\n  scored when force(red) > 1\n",
        "procedure p\n  scored when bolder(red)\ndefine bolder(s: Side): bool = not bold(s)\n",
        "procedure p\n  let z = first((Zone where mined) by points)\n  scored when z = east\n",
        "procedure p\n  let k = 1 if bid > 1 else 0\n  scored when k > 0\n",
        (
            "procedure p\n  var k: 0..9 = 0\n  each z in Zone where mined\n    k += 1\n  scored"
            " when k > 0\n"
        ),
    ],
)
def test_the_way_of_a_secret(text: str) -> None:
    """Information flows through variables, parameters, definitions, totals and branches."""
    text = text.replace("force(red) > 1", "worth(red) > 1") + (
        "total worth(s: Side): int\n  base plan(s)\n" if "force" in text else ""
    )
    assert told(text) == ["RK507"]
    assert told(text, seen=True) == []


def test_a_field_made_of_a_secret_is_told_itself() -> None:
    for seen, codes in ((False, ["RK518"]), (True, [])):
        assert told("procedure p\n  field k: 0..9 = bid\n", seen) == codes


@pytest.mark.parametrize(
    "text",
    [
        'procedure p\n  choose by red "what"\n    option go\n      scored when plan(WHO) > 1\n',
        (
            "menu orders in day\naction boast in orders\n  scored when plan(WHO) > 1\nphase day\n "
            ' choose by red from orders "what"\nprocedure p\n  day\n'
        ),
        (
            'reaction cry after marched "Cry"\n  limit 1 per game\n  scored when plan(WHO) >'
            " 1\nprocedure p\n  marched(east)\n"
        ),
        (
            'reaction cry at pause "Cry"\n  limit 1 per game\n  scored when plan(WHO) >'
            " 1\nprocedure p\n  open pause\n"
        ),
        'Deed dig "Dig"\n  scored when plan(WHO) > 1\nprocedure p(me: Side)\n  dig.effect(me)\n',
    ],
)
def test_each_own_choice_may_use_what_he_sees(text: str) -> None:
    """An option, an action, a reaction and a card may use values that their player sees, not those
    of another player."""
    for who, codes in (("me", []), ("me.enemy", ["RK507"])):
        assert told(text.replace("WHO", who)) == codes


TOTALS = """game totals 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Block = r1(red) | b1(blue)
  fixed owner: Side
  state shown: bool
  state strength: 0..4 seen by owner, all when shown
state n: 0..9
event bared(b: Block)
  b.shown := true
TEXT
procedure counted(b: Block)
  n := 1
phase main
  each b in Block
    CALL
    counted(b)
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("text", "call", "codes"),
    [
        ("total force(b: Block): int\n  base b.strength", "n := 0", ["RK517"]),
        (
            "total force(b: Block): int\n  base 1\n  modifier more +1 when b.strength > 1",
            "n := 0",
            ["RK517"],
        ),
        (
            (
                "total force(b: Block): int\n  base 1\n  modifier more +1\ncancel force.more when"
                " b.strength > 1"
            ),
            "n := 0",
            ["RK517"],
        ),
        ('permit may(b: Block)\n  bar weak when b.strength < 1 "weak"', "n := 0", ["RK517"]),
        ("define force(b: Block): int = b.strength", "n := 0", []),
        ("total force(b: Block): int\n  base n", "n := 0", []),
        (
            "total force(b: Block): int\n  base 1\n  modifier more +b.strength when b.shown",
            "n := 0",
            [],
        ),
        ('permit may(b: Block)\n  bar weak when b.shown and b.strength < 1 "weak"', "n := 0", []),
        ("total force in counted: int\n  base b.strength", "bared(b)", []),
        ("total force in counted: int\n  base b.strength", "n := 0", ["RK517"]),
        ("total force in counted: int\n  base b.strength", "bared(b) when n > 1", ["RK517"]),
    ],
)
def test_a_total_or_permit_that_may_be_asked_for(text: str, call: str, codes: list[str]) -> None:
    """There is no finding if everybody sees the values, or only displayed values are used, or its
    procedure runs only when all values are public."""
    assert [
        line[:5] for line in findings(TOTALS.replace("TEXT", text).replace("CALL", call))[1]
    ] == codes


@pytest.mark.parametrize("manifest", [{"greedy": "force"}, {"search": {"total": "force"}}])
def test_what_seats_look_at_may_be_hidden(manifest: dict[str, object]) -> None:
    """Only that total may be hidden. Others are reported as before."""
    rules = TOTALS.replace(
        "TEXT",
        "total force(b: Block): int\n  base b.strength\ntotal other(b: Block): int\n  base"
        " b.strength",
    ).replace("CALL", "n := 0")
    assert [line.split(" depends")[0] for line in findings(rules, **manifest)[1]] == [
        "RK517 14: 'other'"
    ]
    assert len(findings(rules, greedy="none", search={"scale": 4})[1]) == 2
