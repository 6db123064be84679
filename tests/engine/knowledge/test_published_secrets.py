"""Public consequences of a secret: an event names it, and a hook after the event reads the event's
parameters."""

from __future__ import annotations

import pytest

from tests.compiler.checked_rules import findings
from tests.language.played_choices import HEAD, cell_values, describe_events, play_choices

SECRET = """
state aim(s: Side): Spot? seen by s
state held(z: Spot): Side?
event aims_shown(r: Spot?, b: Spot?)
event aim_met(s: Side)
  got += 1
event taken(z: Spot, s: Side)
  held(z) := s
"""
HOOK = """
on after aims_shown
  aim_met(red) when r != none and held(the r) = red
  aim_met(blue) when b != none and held(the b) = blue
"""
PLAY = """
total worth(s: Side): int
  base got
  modifier held +1 when some(Spot where held(it) = s)
phase main
  together each s in Side
    pick z from Spot by s "your aim"
    aim(s) := z
  taken(s1, red)
  aims_shown(aim(red), aim(blue))
  more := worth(red)
  finish none, drawn
"""


def secrecy(rules: str) -> set[str]:
    return {each[:5] for each in findings(HEAD + rules)[1]} & {
        "RK507",
        "RK517",
        "RK518",
        "RK519",
        "RK740",
        "RK742",
    }


def test_a_hook_after_the_event_that_names_them_publishes_what_follows() -> None:
    """There is no finding, and a public total reads the state that the hook writes."""
    assert secrecy(SECRET + HOOK + PLAY) == set()
    _, reference = play_choices(SECRET + HOOK + PLAY, "z 0", "z 2")
    assert describe_events(reference)[-3:] == ["taken 0 0", "aims_shown 0 2", "aim_met 0"]
    assert cell_values(reference, "got", "more") == [1, 2]


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (
            SECRET
            + HOOK
            + PLAY.replace("+1 when some(Spot where held(it) = s)", "+1 when aim(s) = s1"),
            "RK517",
        ),
        (
            SECRET + "whenever s in Side t where aim(t) = s1 and got = 0\n  aim_met(s)\n" + PLAY,
            "RK507",
        ),
        (
            SECRET + PLAY.replace("  taken(s1, red)\n", "  aim_met(red) when aim(red) = s1\n"),
            "RK507",
        ),
    ],
)
def test_what_reads_the_secret_itself_is_told(rules: str, code: str) -> None:
    assert code in secrecy(rules)
