"""RK507: revealed facts and how long they remain known, through loops, calls, choices, windows and
automatic rules."""

from __future__ import annotations

import pytest

from tests.compiler.check.leak_marks import compared
from tests.compiler.check.test_leak_paths import RULES

CALLS = """procedure look
  looked(east)
procedure look_at(z: Zone)
  looked(z)
procedure look_early
  return when watch
  looked(east)
procedure look_return
  looked(east)
  return
procedure look_two_ways
  if watch
    looked(east)
    return
  looked(east)
procedure hide_all
  each z in Zone
    hid(z)
procedure cover(z: Zone)
  z.scouted := false
procedure raise_flag(z: Zone)
  z.open := true
procedure look_picked
  pick z from (Zone where open) by red
  looked(east)
procedure look_picked_or_none
  pick z from (Zone where open) by red, or none
  looked(east)
procedure look_chosen
  choose by red "what"
    option go
      when watch
      scored
  looked(east)
procedure look_chosen_at_least
  choose by red "what"
    option go
      scored
  looked(east)
"""


def block(lines: str) -> str:
    return "procedure p\n" + "".join(f"  {line}\n" for line in lines.split("\n"))


def judged(text: str, *changes: tuple[str, str]) -> None:
    """Check that the findings are those of the marks."""
    rules = RULES
    for old, new in changes:
        assert old in rules
        rules = rules.replace(old, new)
    found, announced = compared(rules.replace("TEXT\n", text.rstrip("\n") + "\n"))
    assert found == announced


PAIRS = (
    "state paired(s: Side, z: Zone): bool\nstate aim(s: Side, z: Zone): 0..9 seen by all when"
    " paired(s, z)\n"
)
SOUND, LEAK = "scored when east.mined", "scored when ~7east.mined"


@pytest.mark.parametrize(
    "lines",
    [
        f"each z in Zone\n  looked(z)\n{SOUND}",
        f"each z in Zone where open\n  looked(z)\n{LEAK}",
        # the skipped zones were looked at before
        f"each z in Zone where not scouted\n  looked(z)\n{SOUND}",
        f"each z in Zone where not open\n  looked(z)\n{LEAK}",
        "each z in Zone where open\n  looked(z)\nscored when some(Zone where open and mined)",
        "each z in Zone where open\n  looked(z)\nscored when ~7some(Zone where not open and mined)",
        "each z in Zone where open\n  looked(z)\neach z in Zone where open\n  scored when z.mined",
        "each z in Zone where open\n  looked(z)\nscored when east.open and east.mined",
        (
            "each z in Zone where open\n  looked(z)\nwest.open := true\nscored when ~7some(Zone"
            " where open and mined)"
        ),
        (
            "each z in Zone where open\n  looked(z)\nraise_flag(west)\nscored when ~7some(Zone"
            " where open and mined)"
        ),
        (
            "each z in Zone where open\n  looked(z)\nwatch := true\nscored when some(Zone where"
            " open and mined)"
        ),
        (
            "each z in Zone where open and watch\n  looked(z)\nscored when ~7some(Zone where open"
            " and mined)"
        ),
        "each z in Zone where points > 3\n  looked(z)\nscored when ~7east.mined",
        f"each z in {{west}}\n  looked(z)\n{LEAK}",
        f"each z in {{east}}\n  looked(z)\n{SOUND}",
        f"each z in {{west, east}}\n  looked(z)\n{SOUND}",
        f"each z in [west, goal]\n  looked(z)\n{LEAK}",
        f"each z in [west, east]\n  looked(z)\n{SOUND}",
        "each z in [west, goal]\n  looked(z)\nscored when goal.mined",
        f"each z in Zone\n  looked(z) when z.open\n{LEAK}",
        f"each z in Zone\n  leave when watch\n  looked(z)\n{LEAK}",
        f"each z in Zone\n  looked(z)\n  leave when watch\n{LEAK}",
        f"each z in Zone\n  looked(z)\n  return when watch\n{SOUND}",
        # the iteration of the west hides the east again
        f"each z in Zone\n  hid(east)\n  looked(z)\n{LEAK}",
        (
            "each z in Zone\n  each s in Side\n    paired(s, z) := true\nscored when aim(red,"
            " east) > 1"
        ),
        "each z in Zone\n  paired(red, z) := true\nscored when aim(red, east) > 1",
        "each z in Zone\n  paired(red, z) := true\nscored when ~7aim(blue, east) > 1",
    ],
)
def test_what_a_loop_makes_known_of_what_it_goes_through(lines: str) -> None:
    judged(CALLS + block(lines), ("state watch", f"state goal: Zone\n{PAIRS}state watch"))


@pytest.mark.parametrize(
    "lines",
    [
        f"looked(east)\nrepeat 2 times\n  hid(east)\n{LEAK}",
        f"looked(east)\nrepeat 2 times\n  scored\n{SOUND}",
        f"looked(east)\neach z in Zone\n  hid(z)\n{LEAK}",
        f"looked(east)\neach z in Zone\n  hide_all\n{LEAK}",
        f"looked(east)\neach z in Zone\n  z.open := true\n{SOUND}",
        f"looked(east)\nrepeat 2 times\n  {LEAK}\n  hid(east)",
        f"looked(east)\nrepeat 2 times\n  {SOUND}\n  hid(east)\n  looked(east)",
        f"looked(east)\neach z in Zone\n  {LEAK}\n  hid(east)",
        f"looked(east)\neach z in Zone\n  {SOUND}\n  hid(east)\n  look",
        f"looked(east)\nrepeat 2 times\n  hid(east)\n  looked(east)\n{SOUND}",
        f"looked(east)\nrepeat 2 times\n  hid(east)\n  leave when watch\n  looked(east)\n{LEAK}",
        f"looked(east)\neach z in Zone\n  hid(east)\n  leave when watch\n  looked(east)\n{LEAK}",
        f"looked(east)\neach z in Zone\n  leave when watch\n  looked(east)\n{SOUND}",
        "looked(east)\nrepeat until ~7east.mined, at most 3\n  scored\n  hid(east)",
        "looked(east)\nrepeat until east.mined, at most 3\n  scored",
        "each z in Zone where scouted\n  scored when z.mined\n  hid(z)",
        "each z in Zone where scouted\n  scored when ~7z.mined\n  hid(west)",
        "each z in Zone where scouted\n  scored when ~7z.mined\n  hide_all",
        "each z in Zone where scouted\n  scored when z.mined\n  look",
        "each z in Zone where scouted by 1 live\n  scored when z.mined\n  hide_all",
        "each n in 1 .. 2\n  row(n) := true\nscored when low(2) > 1",
        "each n in 1 .. 2\n  row(n) := true\nscored when ~7low(3) > 1",
        "each n in 1 .. bound\n  row(n) := true\neach n in 1 .. bound\n  scored when low(n) > 1",
        "each n in 1 .. bound\n  row(n) := true\neach n in 2 .. bound\n  scored when ~7low(n) > 1",
        (
            "each n in 1 .. bound\n  row(n) := true\nbound += 1\neach n in 1 .. bound\n  scored"
            " when ~7low(n) > 1"
        ),
    ],
)
def test_what_a_round_undoes_is_unknown_in_the_next_and_after_it(lines: str) -> None:
    judged(
        CALLS + block(lines),
        (
            "state watch",
            (
                "state bound: 1..3\nstate row(n: 1..3): bool\nstate low(n: 1..3): 0..9 seen by all"
                " when row(n)\nstate watch"
            ),
        ),
    )


@pytest.mark.parametrize(
    "lines",
    [
        f"look\n{SOUND}",
        f"look_at(east)\n{SOUND}",
        f"look_at(west)\n{LEAK}",
        f"look_early\n{LEAK}",
        f"look_return\n{SOUND}",
        f"look_two_ways\n{SOUND}",
        f"look_picked\n{LEAK}",
        f"look_picked_or_none\n{SOUND}",
        f"look_chosen\n{LEAK}",
        f"look_chosen_at_least\n{SOUND}",
        f"looked(east)\nhide_all\n{LEAK}",
        f"looked(east)\ncover(east)\n{LEAK}",
        f"looked(east)\nraise_flag(east)\n{SOUND}",
        # known at the time of the report
        "look\nlet k = 1 if east.mined else 0\nhid(east)\nscored when k > 0",
        (
            'choose by red "what"\n  option a\n    looked(east)\n  option b\n   '
            f" looked(east)\n{SOUND}"
        ),
        f'choose by red "what"\n  option a\n    looked(east)\n  option b\n    scored\n{LEAK}',
        f'choose by red "what"\n  option a\n    return\n  option b\n    looked(east)\n{SOUND}',
        (
            'looked(east)\nchoose by red "what"\n  option a\n    hid(east)\n  option b\n   '
            f" scored\n{LEAK}"
        ),
        "var z: Zone = east\nlooked(z)\nscored when z.mined",
        "var z: Zone = east\nlooked(z)\nz := west\nscored when ~7z.mined",
        (
            "var c: Chit? = first(hand(red) by 1)\nreturn when c = none\nnamed(c)\nscored when c ="
            " storm"
        ),
        (
            "var c: Chit? = first(hand(red) by 1)\nreturn when c = none\nnamed(c)\nc :="
            " first(hand(blue) by 1)\nscored when ~7c = storm"
        ),
        "pick z from (Zone where scouted) by red\nscored when z.mined",
        "pick z from (Zone where open) by red\nscored when ~7z.mined",
    ],
)
def test_what_a_call_a_choice_or_a_variable_gives_and_takes(lines: str) -> None:
    """This includes an early exit, and a choice without options that skips the rest of a block."""
    judged("event named(c: Chit) reveals c\n" + CALLS + block(lines))


MENU = (
    "menu orders in day\naction boast in orders\n  DEED\nphase day\n  looked(east)\n  choose by red"
    ' from orders "what"\n  END\nprocedure p\n  day\n'
)
REACTION = (
    'moment pause asks red\nreaction cry at pause "Cry"\n  limit 1 per game\n  DEED\nprocedure p\n '
    " looked(east)\n  open pause\n  END\n"
)
HOOK = "moment pause\non at pause\n  DEED\nprocedure p\n  looked(east)\n  open pause\n  END\n"
TWO_HOOKS = (
    "moment pause\non at pause\n  DEED\non at pause\n  END\nprocedure p\n  looked(east)\n  open"
    " pause\n"
)
AFTER = (
    "event marched\n  points := 0\non after marched\n  DEED\nprocedure p\n  looked(east)\n "
    " marched\n  END\n"
)
WATCH = (
    "whenever z in Zone where open\n  DEED\nprocedure p\n  looked(east)\n  west.open := true\n "
    " END\n"
)
WATCHED = (
    "whenever z in Zone where open\n  DEED\nprocedure q\n  opened\nevent opened\n  west.open :="
    " true\nprocedure p\n  looked(east)\n  q\n  END\n"
)
WALK = (
    "kind Road joins Zone\nmovement go(b: Block)\n  over Road e from a to z\n  on entry\n    points"
    " += 1\n    DEED\nprocedure p\n  looked(east)\n  walk go(b1) from west by red\n  END\n"
)
CARD = (
    'kind Card\n  slot effect(me: Side)\nmembers Card = jack | king\nCard jack "Jack"\n '
    " DEED\nprocedure p\n  looked(east)\n  jack.effect(red)\n  END\n"
)
STANDING = (
    'standing cry in day "Cry"\n  DEED\nphase day\n  looked(east)\n  choose by red "what"\n   '
    " option go\n      END\nprocedure p\n  day\n"
)


@pytest.mark.parametrize(
    "text",
    [MENU, REACTION, HOOK, TWO_HOOKS, AFTER, WATCH, WATCHED, WALK, CARD, STANDING],
    ids=[
        "menu",
        "reaction",
        "hook",
        "hooks",
        "after",
        "watch",
        "watched",
        "walk",
        "card",
        "standing",
    ],
)
def test_what_others_do_meanwhile_may_undo_it(text: str) -> None:
    judged(text.replace("DEED", "hid(east)").replace("END", LEAK))
    judged(text.replace("DEED", "scored").replace("END", SOUND))


def test_what_a_whenever_does_to_what_it_found_is_not_taken_for_more() -> None:
    """Otherwise a rule that covers pieces outside of the board would make everything unknown."""
    judged(WATCH.replace("DEED", "hid(z)").replace("END", SOUND))


@pytest.mark.parametrize(
    "text",
    [
        "whenever z in Zone where scouted and open\n  scored when z.mined\n",
        "whenever z in Zone where open\n  scored when ~7z.mined\n",
        (
            "event marched\n  watch := true\non after marched when east.scouted\n  scored when"
            " east.mined\n"
        ),
        "event marched\n  watch := true\non after marched when watch\n  scored when ~7east.mined\n",
        "whenever z in ~7Zone where open and mined\n  scored\n",
        "whenever z in Zone where scouted and mined\n  scored\n",
    ],
)
def test_what_is_known_of_what_is_watched(text: str) -> None:
    judged(text)


@pytest.mark.parametrize(
    ("when", "text"),
    [
        ("not scouted", "scored when not east.scouted and east.mined"),
        ("not scouted", "scored when ~7east.scouted and east.mined"),
        ("not scouted", "hid(east)\nscored when east.mined"),
        ("not scouted", "hid(east)\neast.open := true\nscored when east.mined"),
        ("not scouted", "hid(east)\nlooked(east)\nscored when ~7east.mined"),
        ("not scouted", "hid(east)\nlook\nscored when ~7east.mined"),
        ("not scouted", "if not east.scouted\n  looked(east)\n  scored when ~7east.mined"),
        ("scouted and open", "scored when east.scouted and east.open and east.mined"),
        ("scouted and open", "scored when ~7east.scouted and east.mined"),
        ("scouted or open", "scored when east.open and east.mined"),
        ("scouted or open", "scored when ~7watch and east.mined"),
        ("scouted and (open or watch)", "scored when watch and east.scouted and east.mined"),
        ("scouted and (open or watch)", "scored when ~7watch and east.mined"),
        ("not (scouted or open)", "scored when not east.scouted and not east.open and east.mined"),
        ("not (scouted and open)", "scored when not east.open and east.mined"),
        ("shut(it)", "scored when not east.scouted and east.mined"),
        ("shut(it)", "hid(east)\nlooked(east)\nscored when ~7east.mined"),
        ("shut(it)", "hid(east)\neast.open := true\nscored when east.mined"),
        ("not shut(it)", "looked(east)\nlooked(west)\nscored when east.mined"),
        ("points > 3", "scored when points > 3 and east.mined"),
        ("points > 3", "scored when 3 < points and east.mined"),
        ("points > 3", "scored when ~7points >= 3 and east.mined"),
        ("points > 3", "scored when not (points <= 3) and east.mined"),
        ("points > 3", "if points > 3\n  scored\n  scored when ~7east.mined"),
        ("points != 3", "scored when points != 3 and east.mined"),
        ("points != 3", "scored when ~7points = 3 and east.mined"),
        ("goal = it", "goal := east\nscored when east.mined"),
        ("goal = it", "goal := west\nscored when ~7east.mined"),
        ("goal != none", "scored when goal != none and east.mined"),
        ("goal != none", "scored when ~7goal = none and east.mined"),
    ],
)
def test_what_would_open_it(when: str, text: str) -> None:
    """Each way in which the condition of `seen by all` may become true counts. Setting a cell to
    yes hides a value if the condition negates it."""
    judged(
        CALLS + block(text),
        ("all when scouted", f"all when {when}"),
        ("state watch", "state goal: Zone?\nstate watch"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "scored when east.scouted and east.mined",
        "scored when ~7east.open and east.mined",
        "if east.scouted\n  scored when east.mined",
    ],
)
def test_who_sees_it_at_times_may_use_it_then(text: str) -> None:
    own = 'procedure p\n  choose by WHO "what"\n    option go\n' + "".join(
        f"      {line}\n" for line in text.split("\n")
    )
    judged(own.replace("WHO", "red"), ("all when scouted", "red when scouted"))
    found, _ = compared(
        RULES.replace("all when scouted", "red when scouted").replace(
            "TEXT\n", own.replace("WHO", "blue").replace("~7", "")
        )
    )
    assert [line[:5] for line in found] == ["RK507"]


@pytest.mark.parametrize(
    "lines",
    [
        "look_a_day\nscored when ~7east.mined",
        "looked(east)\nidle\nscored when ~7east.mined",
        "look_within",
    ],
)
def test_what_lives_as_long_as_a_procedure_is_over_with_it(lines: str) -> None:
    calls = (
        "procedure look_a_day\n  looked(east)\nprocedure idle\n  scored\nprocedure look_within\n "
        " looked(east)\n  scored when east.mined\n"
    )
    for name in ("look_a_day", "idle", "look_within"):
        scope = next(
            (each for each in ("look_a_day", "idle", "look_within") if each in lines), name
        )
        judged(calls + block(lines), ("scouted: bool", f"scouted: bool per {scope}"))


BARE = (
    "define near(h: Zone): set Block = Block where zone = h\ndefine strong(h: Zone): bool ="
    " some(near(h) where worth > 2)\nevent bare(b: Block) reveals b\nevent shown_up(b: Block)\n "
    " b.shown := true\nevent told_hand(s: Side) reveals hand(s)\n"
)


@pytest.mark.parametrize(
    "lines",
    [
        "each b in near(east)\n  shown_up(b)\nscored when some(near(east) where worth > 2)",
        "each b in near(east)\n  shown_up(b)\nscored when ~7some(near(west) where worth > 2)",
        "each b in near(east)\n  shown_up(b)\nscored when strong(east)",
        "each b in near(east)\n  shown_up(b)\nscored when ~7strong(west)",
        "each b in Block where zone = east\n  shown_up(b)\nscored when strong(east)",
        (
            "each b in Block where zone = east and owner = red\n  shown_up(b)\nscored when"
            " ~7strong(east)"
        ),
        "each b in near(east)\n  shown_up(b)\nb1.zone := east\nscored when ~7strong(east)",
        "each b in Block\n  shown_up(b)\nscored when strong(west)",
        "each b in Block where not shown\n  shown_up(b)\nscored when strong(west)",
        (
            "each b in Block where zone = east\n  b.zone := west\n  shown_up(b)\nscored when"
            " ~7strong(west)"
        ),
        # a fact revealed in a loop counts for the whole kind
        "each b in near(east)\n  bare(b)\nscored when strong(west)",
        "told_hand(red)\nscored when storm in hand(red)",
        "told_hand(red)\nscored when ~7storm in hand(blue)",
        "told_hand(red)\ndraw 1 from hand(red) to cup\nscored when ~7storm in hand(red)",
        "told_hand(red)\ndraw 1 from hand(red) to tray\nscored when storm in hand(red)",
        (
            "told_hand(red)\npick c from hand(red) by red\nput c in cup\nscored when ~7storm in"
            " hand(red)"
        ),
        (
            "told_hand(red)\npick c from hand(red) by red\nput c in tray\nscored when storm in"
            " hand(red)"
        ),
        "told_hand(red)\nput calm in cup\nscored when storm in hand(red)",
        "told_hand(red)\ndraw 1 from cup to hand(red)\nscored when ~7storm in hand(red)",
        "told_hand(red)\ngather hand(red) to cup\nscored when ~7storm in hand(red)",
        "told_hand(red)\ndeal\nscored when ~7storm in hand(red)",
        "told_hand(red)\nturn_out\nscored when storm in hand(red)",
    ],
)
def test_things_that_are_shown_and_where_they_lie(lines: str) -> None:
    judged(
        BARE
        + "procedure deal\n  draw 1 from cup to hand(red)\nprocedure turn_out\n  draw 1 from cup to"
        " tray\n" + block(lines)
    )
