"""The colours of sides without a colour in the drawing, and places that are circles."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.presentation.drawing import COLOURS, NAMED, colours
from rulekit.presentation.sheet import sheet


@pytest.mark.parametrize(
    ("sides", "called"),
    [
        (("red", "green", "blue"), ("red", "green", "blue")),
        (("white", "black"), ("white", "black")),
        (("red_army", "The-Blue"), ("red", "blue")),
        (("yellow", "athens"), ("yellow", "")),
    ],
)
def test_a_side_that_is_called_by_a_colour_has_it(
    sides: tuple[str, ...], called: tuple[str, ...]
) -> None:
    assert all(
        colours(sides)[side] == NAMED[hue] for side, hue in zip(sides, called, strict=True) if hue
    )


def test_the_others_have_colours_by_their_order_that_nobody_is_called_by() -> None:
    assert list(colours(("athens", "sparta")).values()) == list(COLOURS[:2])
    made = colours(("athens", "blue", "sparta", "redoubt", "blue_red"))
    assert made["blue"] == NAMED["blue"] and len({*made.values()}) == len(made)


def test_a_place_of_the_shape_circle_is_round(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        'rulekit: game\nname: disc\ntitle: Disc\nversion: "1"\nlanguage: 1\n'
    )
    (tmp_path / "game.rules").write_text(
        "kind Side decides = red | blue\nkind Zone\nkind Border joins Zone\nphase main\n  choose by"
        " red\n    option over\n      finish none, drawn\n"
    )
    (tmp_path / "map.yaml").write_text(
        "places:\n  kind: Zone\n  source: {assumed: x}\n  members: {A: {at: [0, 0], shape: circle},"
        " B: {at: [1, 0], shape: box}, C: {at: [2, 0]}}\nborders:\n  kind: Border\n  source:"
        " {assumed: x}\n  members: [{between: [A, B]}, {between: [B, C]}]\n"
    )
    assert [
        (spot.id, spot.round, spot.outline) for spot in sheet(rulekit.load(tmp_path)).map.spots
    ] == [("A", True, ()), ("B", False, ()), ("C", False, ())]
