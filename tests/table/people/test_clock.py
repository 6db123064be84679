"""Clocks: pure arithmetic of times."""

import pytest

from rulekit.base.errors import RulekitError
from rulekit.table.people.clock import Clocks, Rule, begun, read, rule


@pytest.mark.parametrize("text, found", [("none", Rule(True, 0)), ("move:90", Rule(True, 90)), ("days:3", Rule(True, 259200)), ("fischer:600+10", Rule(False, 600, 10))])
def test_a_rule_says_what_it_says(text, found):
    assert rule(text) == found


@pytest.mark.parametrize("text", ["", "move", "move:", "move:4", "move:-5", "fischer:60", "fischer:60+", "days:0", "move:60 ", "move:٣٠", "move:99999999"])
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(RulekitError, match="no clock"):
        rule(text)


def test_fischer_adds_when_the_decision_passes_and_not_before():
    fischer = rule("fischer:100+10")
    clocks = begun(fischer, ["a", "b"], "a", 0, 1000.0)
    assert clocks.falls == 1100.0
    clocks = clocks.after(fischer, "a", 1, 1020.0)
    assert clocks.left == {"a": 80.0, "b": 100.0} and clocks.falls == 1100.0
    clocks = clocks.after(fischer, "b", 2, 1030.0)
    assert clocks.left == {"a": 80.0, "b": 100.0} and clocks.running == "b" and clocks.falls == 1130.0
    clocks = clocks.after(fischer, "machine", 3, 1040.0)
    assert clocks.left == {"a": 80.0, "b": 100.0} and clocks.falls is None
    assert clocks.now(9999.0) == clocks.left


def test_each_decision_has_its_time_but_choosing_again_gives_none():
    each = rule("move:60")
    clocks = begun(each, ["a", "b"], "a", 0, 0.0)
    clocks = clocks.after(each, "a", 1, 50.0)
    assert clocks.left["a"] == 60.0
    clocks = clocks.after(each, "a", 0, 80.0)
    assert clocks.left["a"] == 30.0, "taken back"
    clocks = clocks.after(each, "a", 1, 90.0)
    assert clocks.left["a"] == 20.0, "chosen again"
    clocks = clocks.after(each, "a", 2, 95.0)
    assert clocks.left["a"] == 60.0 and clocks.falls == 155.0


def test_a_flag_does_not_fall_below_nothing_and_stops_at_the_end():
    fischer = rule("fischer:100+10")
    clocks = begun(fischer, ["a"], "a", 0, 0.0)
    assert clocks.now(500.0) == {"a": 0.0} and clocks.stopped(40.0) == Clocks({"a": 60.0})
    assert clocks.now(-5.0) == {"a": 100.0}, "a clock that was put back"


def test_clocks_come_back_as_they_were_kept():
    clocks = begun(rule("fischer:100+10"), ["a", "b"], "a", 7, 5.0)
    assert read(clocks.kept(), clocks.running, clocks.since) == clocks


def test_no_clock_never_runs():
    clocks = begun(rule("none"), ["a"], "a", 0, 5.0)
    assert clocks.after(rule("none"), "a", 1, 6.0) == clocks and clocks.falls is None
