"""RK507, RK517, RK518 and RK519: the player to decide, their options, costs and paths, and the
values that may be requested in the meantime."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.game_source import GameSource, RulesText
from tests.compiler.check.leak_marks import compared

RULES = """game asking 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = east | west | north
  state mined: bool seen by none
  state open: bool
  state toll: 0..9 seen by none
kind Road joins Zone
kind Block = r1 | b1
kind Card
  slot effect(me: Side)
members Card = jack | king
Card jack "Jack"
  scored
kind Chit = storm | calm
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
state bid: 0..9 seen by none
state plan(s: Side): 0..9 seen by s
state spot(s: Side): Zone seen by s
state goal: Zone
state spare(s: Side): set Zone seen by s
state boss: Side seen by none
state top: Card seen by none
state shown_top: Card
state holder: Side
state limit_off: bool seen by none
state off: bool
state purse: 0..9
state points: 0..9
event scored
  points += 1
event marched(z: Zone)
  points := 0
event sat
  points := 0
moment pause asks holder
TEXT
phase main
  finish none, drawn
"""


def judged(text: str) -> None:
    """Check that the findings are those of the marks."""
    found, announced = compared(RULES.replace("TEXT\n", text.rstrip("\n") + "\n"))
    assert found == announced


def block(lines: str) -> str:
    return "procedure p\n" + "".join(f"  {line}\n" for line in lines.split("\n"))


@pytest.mark.parametrize(
    "lines",
    [
        'choose by ~8boss "what"\n  option go\n    scored',
        'choose by holder "what"\n  option go\n    scored',
        "pick z from Zone by ~8boss",
        "pick z from Zone by holder",
        "pick group g from Zone by ~8boss",
        "pick group g from Zone by holder",
        "walk go(r1) from goal by ~8boss",
        "walk go(r1) from goal by holder",
        "roll d = d6 by ~8boss for luck",
        "roll d = d6 by holder for luck",
        "finish ~8boss, win",
        "finish holder, win",
        "each z in Zone by 1 ties ~8boss live\n  scored",
        "each z in Zone by 1 ties holder live\n  scored",
        "if ~7bid > 1\n  each z in Zone by 1 ties red live\n    let k = 1",
        "if purse > 1\n  each z in Zone by 1 ties red live\n    let k = 1",
        "if bid > 1\n  each z in Zone by 1\n    let k = 1",
        "if ~7bid > 1\n  q",
        "if bid > 1\n  quiet",
    ],
)
def test_who_is_asked_is_public(lines: str) -> None:
    """This includes the player who picks among equals. A loop without decisions is not
    observable."""
    more = (
        "procedure q\n  each z in Zone by 1 ties red live\n    let k = 1\nprocedure quiet\n  each z"
        " in Zone by 1\n    let k = 1\nmovement go(b: Block)\n  over Road e from a to z\n  on"
        " entry\n    scored\n"
    )
    judged(more + block(lines))


@pytest.mark.parametrize("who", ["~8boss", "holder"])
def test_whom_a_moment_asks_is_public(who: str) -> None:
    judged(
        f'moment hour asks {who}\nreaction cry at hour "Cry"\n  limit 1 per game\n  scored\n'
        + block("open hour")
    )


WALK = """movement go(b: Block)
  over Road e from a to z
  CLAUSE
  on entry
    scored
procedure p
  choose by holder "what"
    option go(b: Block)
      walk go(b) from goal by holder
"""


@pytest.mark.parametrize(
    "clause",
    [
        "allowance {plan(holder.enemy)}\n  cost 1",
        "cost {z.toll}",
        'may enter {not z.mined} "mined"',
        "must stop when {z.mined}",
        "may end when {not z.mined}",
    ],
)
@pytest.mark.parametrize("secret", [True, False])
def test_what_a_walk_offers(clause: str, secret: bool) -> None:
    """These are its cost, its length, and the places where it may, must and can end."""
    for hidden, public in (
        (("z.mined", "z.open"), ("z.toll", "purse"), ("plan(holder.enemy)", "plan(holder)"))
        if not secret
        else ()
    ):
        clause = clause.replace(hidden, public)
    judged(WALK.replace("CLAUSE", clause.replace("{", "~9" if secret else "").replace("}", "")))


@pytest.mark.parametrize(
    "text",
    [
        "  on entry\n    marched(~8z)\nprocedure p\n  walk go(r1) from spot(red) by red\n",
        "  on entry\n    marched(z)\nprocedure p\n  walk go(r1) from goal by red\n",
        "  on entry\n    marched(~8a)\nprocedure p\n  walk go(r1) from spot(red) by red\n",
        (
            '  on entry\n    marched(z)\nprocedure p\n  choose by red "what"\n    option go\n     '
            " walk go(r1) from spot(red) by red\n"
        ),
    ],
)
def test_where_a_walk_begins_is_told_by_where_it_leads(text: str) -> None:
    """It is no leak in a choice of a player who may know it."""
    judged("movement go(b: Block)\n  over Road e from a to z\n" + text)


@pytest.mark.parametrize(
    "lines",
    [
        "~7top.effect(red)",
        "shown_top.effect(red)",
        "jack.effect(red)",
    ],
)
def test_whose_steps_are_taken_tells_whose_they_are(lines: str) -> None:
    judged(block(lines))


@pytest.mark.parametrize(
    "clauses",
    [
        "when ~9bid > 1",
        "when purse > 1",
        "when plan(me) > 1",
        "when ~9plan(me.enemy) > 1",
        "with k = ~9bid",
        "with k = purse",
        "with k = plan(me)",
        "pays ~9bid from purse",
        "pays points from purse",
        "pays plan(me) from purse",
        "limit 1 per game unless ~9limit_off",
        "limit 1 per game unless off",
        "limit 1 per game",
    ],
)
def test_what_is_offered_by_what_who_is_asked_may_not_know(clauses: str) -> None:
    judged(f'procedure p\n  choose by red "what"\n    option go\n      {clauses}\n      scored\n')
    judged(
        f"menu orders in day\naction boast in orders\n  {clauses}\n  scored\nphase day\n  choose by"
        ' red from orders "what"\nprocedure p\n  day\n'
    )
    judged(
        f'reaction cry at pause "Cry"\n  {clauses}\n  limit 1 per p\n  sat\nprocedure p\n  open'
        " pause\n"
    )


@pytest.mark.parametrize(
    "lines",
    [
        "pick z from (~9Zone where mined) by red, or none",
        "pick z from (Zone where open) by red, or none",
        "pick z from ~9spare(red) by red, or none",
        "pick z from ~9spare(red) by blue, or none",
        'choose by red "what"\n  option go\n    pick z from ~9spare(red) by blue, or none',
        'choose by red "what"\n  option go\n    pick z from spare(red) by red, or none',
        "pick n from 1 .. ~9bid by red",
        "pick n from 1 .. purse by red",
        "pick n from 1 .. plan(red) by red\nscored when n > 1",
        "pick n from 1 .. purse by red\nscored when n > 1",
        'pick group g from Zone by red "who", ~9bid to 3',
        'pick group g from Zone by red "who", purse to 3',
        'pick group g from Zone by red "who", 1 to ~9bid',
        'pick group g from Zone by red while ~9no(g where mined) "mined"',
        'pick group g from Zone by red while no(g where open) "mined"',
        "pick group g from Zone by red alike (~9toll, open)",
        "pick group g from Zone by red alike (purse, open)",
        "pick z from Zone by red alike (~9toll)",
        "pick z from Zone by red alike (open)",
    ],
)
def test_what_is_offered_in_a_pick(lines: str) -> None:
    judged(block(lines))


IN_CONTEXT = """kind Hill = h1 | h2
  state dark: 0..9 seen by all when lit
  state lit: bool
event shown(h: Hill)
  h.lit := true
event darkened
  h1.lit := false
total worth in counted: int
  base MARKh1.dark
procedure counted
  LINE
  choose by red "what"
    option go
      scored
procedure p
  shown(h1)
  counted
"""


@pytest.mark.parametrize(("line", "mark"), [("scored", ""), ("darkened", "~1"), ("shown(h2)", "")])
def test_what_may_be_asked_for_as_long_as_a_procedure_runs(line: str, mark: str) -> None:
    """This holds for its whole duration, not only for its beginning."""
    judged(IN_CONTEXT.replace("LINE", line).replace("MARK", mark))


HELD = """kind Leader
  state kept: set Side SEEN
  rules while MARKkept as me
members Leader = nikias | kleon
total force(s: Side): int
  base 1
Leader kleon "Kleon"
  modifier force.bold +1 when s = me
"""


@pytest.mark.parametrize(("seen", "mark"), [("", ""), ("seen by none", "~1")])
def test_whose_cards_count_may_not_be_asked_for_if_it_is_hidden(seen: str, mark: str) -> None:
    judged(HELD.replace("SEEN", seen).replace("MARK", mark))


SURE = """fixed tall(z: Zone): bool = z != north
fixed size(z: Zone): 0..9 = 2
fixed beside(z: Zone): set Zone = Zone where not (it = z)
define but(z: Zone) = Zone where it != z
state second(s: Side): Zone? seen by s
state third(s: Side): Zone? seen by s
state few: 0..2 seen by red
state fewer: 0..1 seen by red
event hidden(z: Zone)
  second(red) := z
"""


@pytest.mark.parametrize(
    ("lines", "mark"),
    [
        ("pick z from (SETZone where not (it = second(red))) by red", False),
        ("pick z from (SETZone where not (it = second(red) or it = third(red))) by red", True),
        ("pick z from (SETZone where it != spot(red)) by red", False),
        ("pick z from (SETZone where second(red) != none and it != second(red)) by red", True),
        ("pick z from (SETZone - {spot(red)}) by red", False),
        ("pick z from (SETZone - {spot(red), spot(red)}) by red", True),
        ("pick z from (SETZone where tall and not (it = spot(red))) by red", True),
        ("pick z from (SETZone where tall and not (it = spot(red))) by red, or none", False),
        (
            (
                "pick z from (SETZone where tall and not (it = spot(red) or it = second(red))) by"
                " red, or none"
            ),
            True,
        ),
        ("pick z from SETbut(spot(red)) by red", False),
        ("pick z from (SETbut(spot(red)) where tall) by red", True),
        ("pick z from SETbeside(spot(red)) by red", False),
        ("pick z from (SETbeside(spot(red)) where not open) by red", True),
        ("let rest = Zone where not (it = spot(red))\npick z from SETrest by red", False),
        ("let rest = spare(red)\npick z from SETrest by red", True),
        ("pick z from (SETZone where size >= few) by red", False),
        ("pick z from (SETZone where size > fewer) by red", False),
        ("pick z from (SETZone where size > few) by red", True),
        ("pick z from (SETZone where not (it = spot(red))) by red alike (open)", True),
        ("pick z from (SETZone where not (it in spare(red))) by red", True),
        ("pick z from (SETZone where not (it = spot(red)) and not open) by red", True),
        ("pick z from (SETbut(spot(red)) + spare(red)) by red", False),
        ("pick z from (SETspare(red) + spare(red)) by red", True),
        ("pick group g from (SETZone where not (it = spot(red))) by red", False),
        ('pick group g from (SETZone where not (it = spot(red))) by red "who", 2 to 2', True),
        ("pick group g from (SETZone where tall and not (it = spot(red))) by red", True),
    ],
    ids=str,
)
def test_whether_somebody_is_asked_is_no_secret_where_there_is_always_more_than_one(
    lines: str, mark: bool
) -> None:
    """This follows from fixed data, less the removable members. The player to decide may know all
    of it, and the others see only that they decide."""
    judged(SURE + block(lines.replace("SET", "~9" if mark else "")))


def test_what_is_told_after_a_pick_that_always_finds_something_is_known() -> None:
    text = (
        "procedure tell\n  pick z from LINE by red\n  shown\nevent shown reveals top\n  shown_top"
        " := jack\nprocedure p\n  tell\n  scored when top is MARKking\n"
    )
    for line, mark in (("Zone where not (it = goal)", ""), ("Zone where open", "~7")):
        judged(text.replace("LINE", line).replace("MARK", mark))


@pytest.mark.parametrize(
    ("who", "marks"), [("for red", ""), ("for blue", "~9"), ("for holder", "~9"), ("", "~9")]
)
def test_for_whom_a_reaction_is_says_who_is_offered_it(who: str, marks: str) -> None:
    """The moment asks both sides."""
    judged(
        'moment hour asks red, blue\nreaction cry(c: Chit) at hour "Cry"\n  {}\n  when {}c in'
        " hand(red)\n  when {}plan(red) > 1\n  limit 1 per p\n  sat\n"
        "procedure p\n  open hour\n".format(who or "when purse > 1", marks, marks)
    )


@pytest.mark.parametrize(("asked", "mark"), [("red", ""), ("blue", "~9"), ("red, blue", "~9")])
def test_whom_a_moment_asks_says_who_is_offered_what_may_be_done_at_it(
    asked: str, mark: str
) -> None:
    judged(
        f'moment hour asks {asked}\nreaction cry at hour "Cry"\n  when {mark}plan(red) > 1\n  limit'
        " 1 per p\n  sat\nprocedure p\n  open hour\n"
    )


@pytest.mark.parametrize("per", ["game", "p", "day"])
def test_the_condition_of_a_limit_is_told_where_it_stands(per: str) -> None:
    """This holds also if the limit is counted in a procedure that need not run."""
    judged(
        f"menu orders in p\naction boast in orders\n  limit 1 per {per} unless ~9limit_off\n "
        ' scored\nprocedure day\n  p\nprocedure p\n  choose by red from orders "what"\n'
    )


@pytest.mark.parametrize(
    ("clause", "read"),
    [
        ("allowance 2 if bid > 1 else 3", "bid > 1"),
        ("allowance reach_of(b)", "bid if b"),
        ('may enter not z.mined "mined"', "z.mined"),
    ],
)
def test_the_line_that_reads_a_secret_comes_before_those_that_only_ask_for_it(
    clause: str, read: str
) -> None:
    """These point to it, and so does a line that uses it by a definition."""
    text = RULES.replace(
        "TEXT\n",
        f"""define reach_of(b: Block): int = bid if b is r1 else 1
procedure p
  choose by holder "what"
    option go(b: Block)
      when some(reach go(b) from goal)
      walk go(b) from goal by holder
movement go(b: Block)
  over Road e from a to z
  {clause}COST
  on entry
    scored
""".replace("COST", "\n  cost 1" if clause.startswith("allowance") else ""),
    )
    sink = Sink()
    check(
        GameSource(
            "written", Path(), rules=[RulesText("g.rules", text, 0, "g")], files={"g.rules": text}
        ),
        sink,
    )
    found = [d for d in sink.in_order() if d.code == "RK519"]
    here, asks = (
        found if read in clause else reversed(found)
    )  # findings are in the order of the file if none is on that line
    lines = text.split("\n")
    assert lines[here.span.line - 1] == f"  {clause}" and lines[asks.span.line - 1].endswith(
        "when some(reach go(b) from goal)"
    )
    assert asks.second is not None and lines[asks.second.line - 1][
        asks.second.column - 1 :
    ].startswith(read)
    assert (here.second is None) == (read in clause)
