"""Events inside a hook or a reaction: its moment does not open again while it runs."""

from __future__ import annotations

from tests.language.played_choices import cell_values, describe_events, play_choices

OWN = """
event hit(n: 0..99)
  got += 1
event missed
  more += 1
on after hit when got < 5
  hit(20)
on after hit when n < 10
  missed
reaction answer_it after hit
  for red
  limit 3 per game
  hit(30)
phase main
  hit(1)
  hit(2)
  finish none, drawn
"""


def test_an_event_made_inside_of_its_own_hook_or_reaction_runs_no_hook_and_asks_nobody() -> None:
    """This includes other hooks at the same moment. All are asked again about the first event."""
    asked, reference = play_choices(OWN, "answer_it", "pass", "answer_it", "answer_it")
    assert asked == ["r answer_it", "r answer_it", "r answer_it", "r answer_it"]
    assert describe_events(reference) == [
        "hit 1",
        "hit 20",
        "missed",
        "hit 30",
        "hit 2",
        "hit 20",
        "missed",
        "hit 30",
        "hit 30",
    ]
    assert cell_values(reference, "got", "more") == [7, 2]


CIRCLE = """
event hit
  got += 1
event missed
  more += 1
on after hit
  missed
on after missed
  hit
phase main
  hit
  missed
  finish none, drawn
"""


def test_hooks_that_set_each_other_off_end() -> None:
    """The inner event of the first kind runs no hook."""
    _, reference = play_choices(CIRCLE)
    assert describe_events(reference) == ["hit", "missed", "hit", "missed", "hit", "missed"]


GROUP = """
event hit
  got += 1
event missed
  more += 1
event noted
  more += 10
moment either in main = after hit, after missed
on at either
  missed
on after missed
  noted
phase main
  hit
  finish none, drawn
"""


def test_a_hook_at_a_group_runs_at_each_of_its_points() -> None:
    """It also runs at another point of the group for its own event, as other hooks do, but not
    again at the same one."""
    _, reference = play_choices(GROUP)
    assert describe_events(reference) == ["hit", "missed", "missed", "noted"]
