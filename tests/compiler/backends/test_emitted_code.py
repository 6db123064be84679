"""Emitted code is reproducible, has no word of the author, and its states can be undone, copied and
loaded."""

from __future__ import annotations

import itertools
import pickle
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs
import pytest

import rulekit
from rulekit.common.errors import RulesError
from rulekit.compiler import compiler as build_module
from rulekit.compiler import model as m
from rulekit.compiler.compiler import Compilation, build
from rulekit.compiler.lowering.artifacts import Build
from rulekit.compiler.model.visitor import everything
from rulekit.runtime import cells, intrinsics
from rulekit.runtime.code import author_place, code_object, frozen, load, thawed
from rulekit.runtime.program import Program
from rulekit.runtime.slots import BARE_END, LAYERS, PC
from tests.compiler.checked_games import SMALL, model, program
from tests.compiler.checked_rules import written


@pytest.mark.parametrize("path", SMALL)
def test_the_same_model_gives_the_same_text(path: str) -> None:
    scenario = next(iter(model(path).scenarios))
    again = build(model(path), scenario)
    assert again.source == program(path).source
    assert again.rules == program(path).rules


@pytest.mark.parametrize(
    "path", ["tests/fixtures/plans", "tests/fixtures/secrets", "tests/fixtures/skirmish"]
)
def test_a_model_that_was_kept_in_a_file_compiles_to_the_same(path: str) -> None:
    """This includes the masked variables, which are identified by the variables and not by their
    addresses."""
    made = model.__wrapped__(path)
    assert made.masked or made.private
    again = pickle.loads(pickle.dumps(made))
    assert Compilation(again).compiled().digest == Compilation(made).compiled().digest


@pytest.mark.parametrize(
    "path", ["examples/connect_four", "tests/fixtures/cards", "tests/fixtures/skirmish"]
)
def test_names_of_the_author_do_not_matter(path: str) -> None:
    """The text is the same if every name is changed, so it contains none of them."""
    made = model.__wrapped__(path)
    for node, _ in everything(made):
        if isinstance(node, m.Ruling) or (
            isinstance(node, m.Kind) and any(r.alternatives is node.members for r in made.rulings)
        ):
            continue
        if isinstance(getattr(node, "name", None), str) and not getattr(node, "late", False):
            node.name = "zz_" + node.name
        if isinstance(node, m.Kind):
            node.members[:] = ["zz_" + x for x in node.members]
    scenario = next(iter(made.scenarios))
    assert build(made, scenario).source == program(path).source


def play(
    p: Program, seed: int, limit: int = 120
) -> tuple[list[int], list[Any], list[int], list[tuple[int, int, list[int]]]]:
    code, pick = p.code("full"), random.Random(seed)
    log: list[Any] = []
    trail: list[int] = []
    marks = []
    s = code.blank(seed)
    code.begin(s, log, trail)
    while s[PC] > 0 and len(marks) < limit:
        marks.append((len(log), len(trail), s[:]))
        code.apply(s, intrinsics.sample(code.layers(s), pick.random()), log, trail)
    return s, log, trail, marks


def bare(s: list[int]) -> list[int]:
    """Return a state without the derived slot."""
    return [x for i, x in enumerate(s) if i != LAYERS]


@pytest.mark.parametrize("path", SMALL)
def test_undo_after_do_is_identity(path: str) -> None:
    p = program(path)
    s, _, trail, marks = play(p, 7)
    while marks:
        _, length, before = marks.pop()
        intrinsics.undo(s, trail, length)
        assert bare(s) == bare(before)
        assert p.code("full").layers(s) == before[LAYERS]


@pytest.mark.parametrize("path", SMALL)
def test_all_variants_hold_the_same_state(path: str) -> None:
    p, pick = program(path), random.Random(3)
    states = {v: p.code(v).blank(3) for v in ("full", "fast", "traced")}
    for v, s in states.items():
        p.code(v).begin(s, *([] if v == "fast" else [[], []]))
    for _ in range(100):
        if states["full"][PC] <= 0:
            break
        choice = intrinsics.sample(p.code("full").layers(states["full"]), pick.random())
        for v, s in states.items():
            p.code(v).apply(s, choice, *([] if v == "fast" else [[], []]))
        assert bare(states["full"]) == bare(states["fast"]) == bare(states["traced"])
        assert all(isinstance(x, int) for x in bare(states["full"]))


def test_a_program_comes_back_from_bytes() -> None:
    p = program("tests/fixtures/skirmish")
    again: Program = pickle.loads(pickle.dumps(p.bare()))
    assert not again.source and again.promises == p.promises
    code = load(
        attrs.evolve(again, objects={"fast": thawed(frozen(code_object(p, "fast")))}), "fast"
    )
    s, t = code.blank(5), p.code("fast").blank(5)
    code.begin(s)
    p.code("fast").begin(t)
    assert s == t


ORDERS = list(itertools.permutations(("full", "fast", "traced", "native")))


@pytest.mark.parametrize("order", [ORDERS[0], ORDERS[9], ORDERS[16], ORDERS[23]], ids=" ".join)
def test_what_is_made_first_changes_nothing_of_the_others(order: tuple[str, ...]) -> None:
    path = "tests/fixtures/dice"

    def forms(compilation: build_module.Compilation, order: Iterable[str]) -> dict[str, object]:
        return {
            what: compilation.native() if what == "native" else compilation.text(what)
            for what in order
        }

    assert forms(build_module.Compilation(model(path)), order) == {
        what: forms(build_module.Compilation(model(path)), [what])[what] for what in order
    }


def test_each_is_made_when_it_is_asked_for_and_lowered_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game without explanations does not pay for them, and is not lowered again for the
    module."""
    lowered: list[bool] = []
    lower = build_module.lower

    def counted(model: m.Model, plain: Build | None = None) -> Build:
        lowered.append(plain is not None)
        return lower(model, plain)

    monkeypatch.setattr(build_module, "lower", counted)
    made = build_module.compile_game(model("tests/fixtures/dice"), native=True)
    assert made.program.native is not None and made.program.source["fast"] and lowered == [False]
    assert set(made.program.source) == set(made.program.lines) == {
        "full",
        "fast",
        "traced",
    } and lowered == [False]
    assert (
        made.bind("", {}).lines["traced"]
        and made.program.source["traced"]
        and lowered == [False, True]
    )


@pytest.mark.parametrize("path", SMALL)
def test_cells_read_what_was_written(path: str) -> None:
    p, pick = program(path), random.Random(1)
    s = p.code("full").blank()
    for cell in p.cells:
        if cell.pool:
            continue
        keys = pick.choice(list(cells.places(cell)))
        kind = p.kinds[cell.type.kind] if cell.type.kind >= 0 else None
        value = (
            pick.randrange(len(kind.members))
            if kind and cell.type.form == "member"
            else pick.randrange(2)
        )
        cells.write(p, s, cell, keys, value)
        assert cells.read(s, cell, keys) == value


def test_a_bare_procedure_and_an_error_in_it() -> None:
    p = program("examples/hex")
    code = p.code("full")
    proc = next(i for i, x in enumerate(p.procs) if x.name == "link_up")
    stone = next(c for c in p.cells if c.name == "stone")
    linked = next(c for c in p.cells if c.name == "linked")
    s = code.blank()
    for c in (0, 1, 5):
        cells.write(p, s, stone, (c,), 0)
    code.run(s, proc, (0, 0), [], [])
    assert s[PC] == BARE_END
    assert [cells.read(s, linked, (c,)) for c in (0, 1, 5)] == [1, 1, 0]
    event = RulesError("x")
    assert author_place(p, event) == ""


def test_other_rules_have_another_digest(tmp_path: Path) -> None:
    """The digest identifies saves under other rules."""
    rules = (
        "game small 1\nkind Side decides = red | blue\nphase main\n  pick n from 1 .. 2 by red"
        ' "how"\n  finish WINNER, win\n'
    )
    digests = {}
    for name, winner in (("one", "red"), ("same", "red"), ("other", "blue")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.yaml").write_text(
            "rulekit: game\nname: small\ntitle: Small\nversion: '1'\nlanguage: 1\n"
        )
        (tmp_path / name / "game.rules").write_text(rules.replace("WINNER", winner))
        digests[name] = rulekit.load(tmp_path / name).program().rules
    assert digests["one"] == digests["same"] != digests["other"]


LOOPS = """game played 1
kind Side decides = red | blue
kind Piece = p1 | p2 | p3
  state at: 0..9
event moved(p: Piece)
  p.at := 1
phase main
  each p in Piece
    BODY
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("body", "counted"), [("moved(p)", 0), ("each q in Piece\n      moved(q)", 1)]
)
def test_rounds_are_counted_of_a_loop_with_something_longer_inside(body: str, counted: int) -> None:
    """A loop over a kind ends by itself, so its rounds need no bound."""
    rules = written(LOOPS.replace("BODY", body))
    text = build(rules, next(iter(rules.scenarios), None)).source["full"]
    assert text.count("  tick()") == counted and text.count("while ") == counted + 1
