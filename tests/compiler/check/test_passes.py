"""The passes of the check: each reads only results of earlier ones, and the page lists them in
order."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.check.passes import GIVEN, PASSES, Pass

ROOT = Path(__file__).parents[3]
KNOWN = [(at, each) for at, each in enumerate(PASSES)]
LAST = {"scenarios", "shown"}  # passes that prepare the model itself


@pytest.mark.parametrize(("at", "one"), KNOWN, ids=[each.name for each in PASSES])
def test_a_pass_takes_what_was_given_before_it(at: int, one: Pass) -> None:
    before = {*GIVEN, *(fact for each in PASSES[:at] for fact in each.gives)}
    assert set(one.takes) <= before


@pytest.mark.parametrize(("at", "one"), KNOWN, ids=[each.name for each in PASSES])
def test_what_a_pass_gives_is_new_and_taken_after_it(at: int, one: Pass) -> None:
    before = {*GIVEN, *(fact for each in PASSES[:at] for fact in each.gives)}
    after = {fact for each in PASSES[at + 1 :] for fact in each.takes}
    assert not set(one.gives) & before
    assert set(one.gives) <= after | LAST
    assert one.gives or one.lint or one.name in ("manifest", "menus", "wanting", "allowed"), (
        "a pass that gives nothing only finds"
    )


def test_lints_find_and_give_nothing() -> None:
    assert not [each.name for each in PASSES if each.lint and each.gives]


def row(one: Pass) -> tuple[str, str, str]:
    return one.name, ", ".join(one.takes), ", ".join(one.gives)


def test_the_page_shows_the_passes_as_they_are() -> None:
    page = (ROOT / "docs" / "check.md").read_text(encoding="utf-8").splitlines()
    begin = page.index("| --- | --- | --- | --- |") + 1
    rows = [line.strip("|").split("|") for line in page[begin : begin + len(PASSES)]]
    cells = [[cell.strip() for cell in each] for each in rows]
    assert [(each[0], each[-2], each[-1]) for each in cells] == [row(each) for each in PASSES]
    assert not page[begin + len(PASSES)].startswith("|")
