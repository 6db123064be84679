"""Situations files: the whole format is read, each value with its place."""

from __future__ import annotations

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.situations import parse_situations

TEXT = """\
- name: Attack on P from O
  ref: ["4.2 column d", 4.3]
  covers: [X-4.2-d]
  scenario: historical
  rulings: {tie: attacker}
  given:
    clear: [P, O]
    place: {red.H1: O, blue.H1: {zone: P, reduced: true}}
    set: {turn: 2, points: {red: 3}}
    put: {hand.red: [c1, c2]}
    phase: activation
    player: red
  dice: [4, 2]
  do:
    - red: march O
    - done
  then:
    - total column: -3
    - zone red.H1: O
    - event fought: {result: 1/2 - R, winner: blue}
    - legal: {not: [march P]}
    - over
- name: Column
  empty: true
  within: {battle: {zone: P, attacker: red}}
  run: battle(P)
"""


@pytest.mark.docs("situations#situations")
def test_a_situation_is_read_whole() -> None:
    sink = Sink()
    first, second = parse_situations(TEXT, "s.yaml", sink)
    assert not sink.found
    assert (first.name, first.ref, first.covers, first.scenario) == (
        "Attack on P from O", ("4.2 column d", "4.3"), ("X-4.2-d",), "historical",
    )  # fmt: skip
    given = first.given
    assert [d.value for d in given.clear] == ["P", "O"]
    assert {p: {k: v.value for k, v in s.items()} for p, s in given.place.items()} == {
        "red.H1": {"": "O"}, "blue.H1": {"zone": "P", "reduced": True},
    }  # fmt: skip
    assert {k: v.value for k, v in given.set.items()} == {"turn": 2, "points.red": 3}
    assert {k: [d.value for d in v] for k, v in given.put.items()} == {"hand.red": ["c1", "c2"]}
    assert given.phase is not None and given.phase.value == "activation"
    assert [(c.player, c.choice, c.span.line) for c in first.do] == [
        ("red", "march O", 15),
        (None, "done", 16),
    ]
    assert [d.value for d in first.dice or []] == [4, 2]
    assert [(e.word, e.subject, e.span.line) for e in first.then] == [
        ("total", "column", 18),
        ("zone", "red.H1", 19),
        ("event", "fought", 20),
        ("legal", "", 21),
        ("over", "", 22),
    ]
    event = first.then[2].value
    assert event is not None and event.plain() == {"result": "1/2 - R", "winner": "blue"}
    assert (
        second.empty
        and second.dice is None
        and second.run is not None
        and second.run.value == "battle(P)"
    )
    assert {k: v.value for k, v in second.within["battle"].items()} == {
        "zone": "P",
        "attacker": "red",
    }


def test_a_faulty_situation_is_left_out_and_the_others_are_read() -> None:
    sink = Sink()
    found = parse_situations(
        "- name: a\n  seed: x\n- name: b\n- nam: c\n- name: d\n", "s.yaml", sink
    )
    assert [s.name for s in found] == ["b", "d"]
    assert [(d.code, d.span.line) for d in sink.in_order()] == [("RK122", 2), ("RK120", 4)]
