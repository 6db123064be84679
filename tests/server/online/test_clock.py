"""Clocks: pure arithmetic of times."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.common.errors import RulekitError
from rulekit.server.online.clock import DAY, Moment, Rule, begun, read, rule, turns_of


@pytest.mark.parametrize(
    "text, found",
    [
        ("none", Rule(True, 0)),
        ("move:90", Rule(True, 90)),
        ("days:3", Rule(True, 259200)),
        ("fischer:600+10", Rule(False, 600, 10)),
    ],
)
def test_a_rule_says_what_it_says(text, found):
    assert rule(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "move",
        "move:",
        "move:4",
        "move:-5",
        "fischer:60",
        "fischer:60+",
        "days:0",
        "move:60 ",
        "move:٣٠",
        "move:99999999",
    ],
)
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(RulekitError, match="not a clock"):
        rule(text)


class Play:
    """A model of a table: a game that branches at random, its clock, and its stored data."""

    def __init__(self, text, sides=("a", "b"), persons=("a", "b"), first="a"):
        self.rule, self.sides, self.now, self.path, self.asked = rule(text), sides, 0.0, [], [first]
        self.clocks, self.kept = begun(self.rule, list(persons), first, 0, 0.0), {}
        self.used = dict.fromkeys(persons, 0.0)
        self.used_at, self.most = {}, dict.fromkeys(persons, 0)

    @property
    def running(self):
        return self.clocks.running

    def left(self, side):
        return self.clocks.now(self.now)[side]

    def passes(self, seconds):
        """Let time pass, but never more than the flag has."""
        if self.running is not None:
            seconds = min(seconds, self.left(self.running))
            self.used[self.running] += seconds
            at = len(self.path), self.running
            self.used_at[at] = self.used_at.get(at, 0.0) + seconds
        self.now += seconds

    def moves(self, *asked):
        """Make choices, each of which gives the decision to a side."""
        for side in asked:
            self.path.append(self.asked[-1])
            self.asked.append(side)
        self._kept()

    def back(self, many):
        """Undo choices."""
        del self.path[len(self.path) - many :]
        del self.asked[len(self.path) + 1 :]
        self._kept()

    def _kept(self):
        """Do the same as the access policy when choices are stored."""
        turns = turns_of(self.path, self.asked[-1])
        self.most = {side: max(most, turns.get(side, 0)) for side, most in self.most.items()}
        moment = Moment(self.asked[-1], len(self.path), turns)
        if self.rule.each and self.running is not None:
            self.kept[self.clocks.choices, self.running] = self.left(self.running)
        had = (
            self.kept.get((len(self.path), self.asked[-1]))
            if self.clocks.was_asked(self.rule, moment)
            else None
        )
        self.clocks = read(
            (after := self.clocks.after(self.rule, moment, self.now, had)).kept(),
            after.running,
            after.since,
        )


def test_fischer_adds_when_the_decision_passes_and_not_before():
    play = Play("fischer:100+10", ("a", "b", "machine"))
    assert play.clocks.falls == 100.0
    play.passes(20)
    play.moves("a")
    assert play.clocks.left == {"a": 80.0, "b": 100.0} and play.clocks.falls == 100.0
    play.passes(10)
    play.moves("b")
    assert (
        play.clocks.left == {"a": 80.0, "b": 100.0}
        and play.running == "b"
        and play.clocks.falls == 130.0
    )
    play.passes(10)
    play.moves("machine")
    assert play.clocks.left == {"a": 80.0, "b": 100.0} and play.clocks.falls is None
    assert play.clocks.now(9999.0) == play.clocks.left


def test_each_decision_has_its_time_but_choosing_again_gives_none():
    play = Play("move:60")
    play.passes(50)
    play.moves("a")
    assert play.left("a") == 60.0
    play.passes(30)
    play.back(1)
    assert play.left("a") == 10.0, "what it had left of this one"
    play.passes(5)
    play.moves("a")
    assert play.left("a") == 30.0, "chosen again: what it had left of the next one"
    play.moves("a")
    assert play.left("a") == 60.0


@pytest.mark.parametrize("text", ["move:60", "days:1", "fischer:60+30", "fischer:60+0"])
def test_the_clock_goes_on_where_it_stood_when_the_decision_comes_back_to_who_gave_it_away(text):
    play = Play(text)
    full = play.left("a")
    play.passes(20)
    for _ in range(5):
        play.moves("b")
        assert play.left("a") == (full - 20 + play.rule.more if not play.rule.each else full), (
            "its turn has ended, for now"
        )
        play.back(1)
        assert play.running == "a" and play.left("a") == full - 20
    play.passes(10)
    play.moves("b")
    play.back(1)
    assert play.left("a") == full - 30


def test_what_both_agree_to_take_back_gives_no_time():
    play = Play("fischer:100+10")
    for side in "bababa":
        play.passes(15)
        play.moves(side)
    assert play.clocks.left == {"a": 85.0, "b": 85.0}
    play.back(4)
    assert play.clocks.left == {"a": 65.0, "b": 65.0}
    play.back(2)
    play.passes(55)
    assert play.left("a") == 0.0 and play.clocks.left["a"] == 55.0


def test_time_that_was_earned_and_taken_back_is_a_debt_and_is_earned_once():
    play = Play("fischer:10+30")
    play.passes(8)
    play.moves("b", "a")
    play.passes(30)
    play.back(2)
    assert play.left("a") == 0.0 and play.clocks.left["a"] == -28.0
    play.moves("b", "a")
    assert play.left("a") == 2.0


def test_a_game_that_goes_on_from_a_save_earns_from_there():
    fischer = rule("fischer:100+10")
    clocks = begun(fischer, ["a", "b"], "a", 6, 0.0)
    assert clocks.after(fischer, Moment("b", 7, {"a": 1}), 5.0).left == {"a": 105.0, "b": 100.0}
    assert clocks.after(fischer, Moment("b", 3, {}), 5.0).left == {"a": 95.0, "b": 100.0}


def test_a_flag_does_not_fall_below_nothing_and_stops_at_the_end():
    play = Play("fischer:100+10", ("a",), ("a",))
    assert play.clocks.now(500.0) == {"a": 0.0} and play.clocks.stopped(40.0).left == {"a": 60.0}
    assert play.clocks.now(-5.0) == {"a": 100.0}, "a clock that was put back"


def test_clocks_come_back_as_they_were_kept():
    clocks = begun(rule("fischer:100+10"), ["a", "b"], "a", 7, 5.0)
    assert read(clocks.kept(), clocks.running, clocks.since) == clocks


def test_clocks_of_an_older_version_go_on():
    """It did not count turns, so the turn that ends now earns its time."""
    old = read('{"left":{"a":50.0,"b":40.0},"high":6}', "a", 0.0)
    fischer = rule("fischer:100+10")
    assert old.after(fischer, Moment("b", 7, {"a": 4, "b": 3}), 5.0).left == {"a": 55.0, "b": 40.0}
    assert old.after(fischer, Moment("a", 7, {"a": 3, "b": 3}), 5.0).left == {"a": 45.0, "b": 40.0}


def test_no_clock_never_runs():
    clocks = begun(rule("none"), ["a"], "a", 0, 5.0)
    assert clocks.after(rule("none"), Moment("a", 1), 6.0) == clocks and clocks.falls is None


def walk(text, chance, steps=60):
    """Choose, undo, redo, agree to take back, and wait at random. Check after each step that nobody
    gained time."""
    play, undone = (
        Play(
            text,
            ("a", "b", "c"),
            chance.choice([("a", "b"), ("a", "b", "c"), ("a",)]),
            chance.choice("abc"),
        ),
        [],
    )
    for _ in range(steps):
        step = chance.choice(
            ("waits", "waits", "chooses", "chooses", "plans", "undoes", "redoes", "agrees")
        )
        if step == "waits":
            play.passes(chance.choice((0.0, 0.5, 3.0, 8.0, 70.0, DAY)))
        elif step == "chooses":
            undone.clear()
            play.moves(chance.choice(play.sides))
        elif step == "plans":
            undone.clear()
            play.moves(*[play.asked[-1]] * chance.randrange(3), chance.choice(play.sides))
        elif step == "undoes" and play.path:
            undone.append(play.asked[-1])
            play.back(1)
        elif step == "redoes" and undone:
            play.moves(undone.pop())
        elif step == "agrees" and play.path:
            undone.clear()
            play.back(chance.randint(1, len(play.path)))
        holds(play)


def holds(play):
    """Check that nobody has more time than their choices earn."""
    clock = play.rule
    for side, used in play.used.items():
        if clock.each:
            at = len(play.path), side
            assert (
                play.used_at.get(at, 0.0) + (play.left(side) if side == play.running else 0.0)
                <= clock.seconds + 1e-6
            )
        else:
            stand = turns_of(play.path, play.asked[-1]).get(side, 0)
            assert play.left(side) <= max(0.0, clock.seconds + clock.more * stand - used) + 1e-6, (
                "less what it has used"
            )
            assert used + play.left(side) <= clock.seconds + clock.more * play.most[side] + 1e-6
    if clock.each:
        assert all(used <= clock.seconds + 1e-6 for used in play.used_at.values())


@pytest.mark.parametrize(
    "text", ["none", "move:8", "days:1", "fischer:20+10", "fischer:5+60", "fischer:60+0"]
)
@pytest.mark.parametrize("tenth", range(10))
def test_nobody_is_given_more_time_than_choices_earn(text, tenth):
    """There are three hundred walks with each kind of clock."""
    for number in range(30):
        walk(text, random.Random(tenth * 30 + number))


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(["move:8", "days:1", "fischer:20+10", "fischer:5+60"]),
    st.randoms(use_true_random=False),
)
def test_nobody_is_given_more_time_than_choices_earn_whatever_chance_has_it(text, chance):
    walk(text, chance, 30)
