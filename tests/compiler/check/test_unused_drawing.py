"""Entries of drawing.yaml without visible effect are reported at their places, and nothing else
is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.project.loader import Loader

GAME = {
    "game.yaml": 'rulekit: game\nname: looks\ntitle: Looks\nversion: "1"\nlanguage: 1\n',
    "game.rules": (
        """game looks 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Ground = clear | rough | sea
kind Zone
  fixed ground: Ground
  fixed port: bool
  fixed home: Side
  state held: Side?
kind Road joins Zone
  fixed ford: bool
  fixed wall: bool
  fixed toward: Zone
kind Arm = foot | horse
kind Piece
  fixed owner: Side
  fixed arm: Arm
  fixed men: 0..9
  state zone: Zone?
event moved(p: Piece, z: Zone)
  p.zone := z
  z.held := p.owner
phase main
  each s in Side
    choose by s "move"
      option move(p: Piece, z: Zone)
        when p.owner = s "it is not yours"
        when z in (the p.zone).neighbours "it is not near"
        when z.held = none or (the z.held) = s or z.ground != sea or not z.port or z.home = s or \
p.men > 2 "no"
        when no (Road where ford and wall and toward.port) or p.arm = foot "no"
        moved(p, z)
      option stay "Stay"
  finish none, drawn
"""
    ),
    "map.yaml": (
        """places:
  kind: Zone
  source: {assumed: x}
  each: {home: red}
  members:
    A: {at: [0, 0], ground: clear, port: true}
    B: {at: [4, 0], ground: rough, port: true, home: blue}
    C: {at: [8, 0], ground: clear, port: false}
borders:
  kind: Road
  source: {assumed: x}
  members: [{between: [A, B], ford: true, wall: true, toward: A}, \
{between: [B, C], ford: true, toward: B}]
"""
    ),
    "pieces.yaml": (
        """kind: Piece
place: zone
source: {assumed: x}
members: {r: {owner: red, arm: foot, men: 3}, b: {owner: blue, arm: foot, men: 2}}
"""
    ),
    "texts/en.yaml": "drawing.camp: Camp\ndrawing.fort: Fort\n",
    "scenarios/one.yaml": "name: one\ntitle: One\ndeploy: {A: [r], C: [b]}\n",
}


def found(folder: Path, *lines: str) -> list[tuple[str, int, str]]:
    """Return the findings of a drawing with these lines."""
    drawing = "".join(f"{line}\n" for line in ("source: {assumed: x}", *lines))
    for path, words in {**GAME, "drawing.yaml": drawing}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(words, encoding="utf-8")
    told = Loader(folder).findings()
    assert not [d for d in told if d.level == "error"], told
    return [(d.code, d.span.line, d.message) for d in told if d.span.file.endswith("drawing.yaml")]


SAME = "{when: {ford: true}, style: river}"


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        (
            ("borders:", f"  - {SAME}", "  - {when: {ford: true}, style: wall}"),
            4,
            "this `style` is never shown: an earlier entry",
        ),
        (
            ("borders:", f"  - {SAME}", "  - {when: {ford: true, wall: true}, style: wall}"),
            4,
            "an earlier entry already covers every",
        ),
        (
            ("borders:", f"  - {SAME}", "  - {when: {wall: true}, style: none}"),
            4,
            "this `style` is never shown",
        ),
        (
            (
                "borders:",
                "  - {when: {wall: true}, style: wall}",
                "  - {when: {wall: false}, style: road}",
                f"  - {SAME}",
            ),
            5,
            "earlier entries already cover",
        ),
        (
            (
                "borders:",
                "  - {when: {ford: true}, mark: ford}",
                "  - {when: {wall: true}, mark: ford}",
            ),
            4,
            "this `mark` is never shown",
        ),
        (
            ("borders:", "  - {when: {ford: false}, style: road}"),
            3,
            "no Road of the map meets this condition",
        ),
        (
            ("borders:", "  - {when: {ford: true}, inner: toward}"),
            3,
            "this entry does not change the look of a Road",
        ),
        (
            ("coast: {land: {ford: true}, water: {ford: false}}",),
            2,
            "no Road of the map meets this condition",
        ),
        (
            ("signs:", "  - {shape: disc}", "  - {when: {port: true}, shape: square}"),
            4,
            "this `shape` is never shown",
        ),
        (
            (
                "signs:",
                "  - {when: {held: red}, wash: '#aa0000'}",
                "  - {when: {held: red, port: true}, wash: '#00aa00'}",
            ),
            4,
            "this `wash` is never shown",
        ),
        (
            (
                "signs:",
                "  - {when: {held: red, port: true}, mark: dot}",
                "  - {when: {held: red, ground: rough}, mark: dot}",
            ),
            4,
            "this `mark`",
        ),
        (
            ("signs:", "  - {when: {port: false, ground: rough}, shape: disc}"),
            3,
            "no Zone of the map meets this condition",
        ),
        (
            ("signs:", "  - {shape: disc, owner: [home, held]}"),
            3,
            "'held' never gives an owner: 'home' before it always does",
        ),
        (("signs:", "  - {shape: disc, owner: [held, held]}"), 3, "'held' never gives an owner"),
        (
            ("terrain_by: ground", "terrain: {sea: {water: true}}"),
            3,
            "no Zone has 'sea' as its ground",
        ),
        (
            ("counter: {glyph_by: arm, glyphs: {horse: horse}}",),
            2,
            "no Piece has 'horse' as its arm",
        ),
        (
            ("counter: {glyph_by: arm, glyphs: {foot: bow}, order: [foot, horse]}",),
            2,
            "no Piece has 'horse' as its arm",
        ),
        (
            (
                "boxes:",
                "  one: {at: {A: [0, 9]}, size: [3, 3]}",
                "  two: {at: {A: [9, 9]}, size: [3, 3]}",
            ),
            4,
            "'A' already lies in a box",
        ),
    ],
)
def test_what_nobody_sees_is_told(
    tmp_path: Path, lines: tuple[str, ...], line: int, words: str
) -> None:
    told = found(tmp_path, *lines)
    assert [(code, at) for code, at, _ in told] == [("RK675", line)] and words in told[0][2], told


@pytest.mark.parametrize(
    "lines",
    [
        ("borders:", "  - {when: {ford: true, wall: true}, style: wall}", f"  - {SAME}"),
        (
            "borders:",
            f"  - {SAME}",
            "  - {when: {wall: true}, mark: gate}",
            "  - {when: {ford: true}, mark: ford}",
        ),
        ("borders:", "  - {when: {ford: true}, mark: ford}", f"  - {SAME}"),
        (
            "signs:",
            "  - {when: {held: red}, wash: '#aa0000'}",
            "  - {when: {port: true}, wash: '#00aa00'}",
            "  - {when: {held: blue}, wash: '#0000aa'}",
        ),
        (
            "signs:",
            "  - {when: {held: red, port: true}, shape: disc}",
            "  - {when: {held: red}, shape: square}",
            "  - {shape: diamond}",
        ),
        (
            "signs:",
            "  - {when: {port: true}, shape: disc}",
            "  - {when: {ground: rough}, size: 9, mark: dot}",
            "  - {mark: star}",
        ),
        ("signs:", "  - {shape: disc, owner: [held, home]}"),
        ("terrain_by: ground", "terrain: {clear: {fill: '#eeeeee'}, rough: {fill: '#eeeeaa'}}"),
        (
            "coast: {land: {ford: true}, water: {wall: true}}",
            "counter: {glyph_by: arm, glyphs: {foot: bow}, order: [foot]}",
        ),
    ],
)
def test_what_somebody_sees_is_not(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert found(tmp_path, *lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        (
            (
                "sides: {red: {colour: '#aa2222', emblem: star}, blue: {colour: '#aa2222', emblem:"
                " ring}}"
            ),
        ),
        ("sides: {red: {colour: '#aa2222'}, blue: {colour: '#AD2522'}}",),
        ("terrain_by: ground", "terrain: {clear: {fill: '#eeeeee'}, rough: {fill: '#eeeeee'}}"),
        (
            "terrain_by: ground",
            (
                "terrain: {clear: {fill: '#eeeeee', texture: wood, water: false}, rough: {fill:"
                " '#efeeee', texture: wood}}"
            ),
        ),
        (
            "signs:",
            "  - {name: camp, when: {port: true}, mark: star}",
            "  - {name: fort, when: {port: false}, mark: star}",
        ),
    ],
)
def test_looks_that_nobody_tells_apart_are_told(tmp_path: Path, lines: tuple[str, ...]) -> None:
    [(code, _, words)] = found(tmp_path, *lines)
    assert code == "RK676" and words.endswith("look alike")


@pytest.mark.parametrize(
    "lines",
    [
        ("sides: {red: {colour: '#aa2222'}, blue: {colour: '#2222aa'}}",),
        ("sides: {red: {emblem: star}, blue: {emblem: star}}",),
        (
            "terrain_by: ground",
            "terrain: {clear: {fill: '#eeeeee'}, rough: {fill: '#eeeeee', texture: wood}}",
        ),
        (
            "terrain_by: ground",
            "terrain: {clear: {fill: '#eeeeee', closed: wall}, rough: {fill: '#eeeeee'}}",
        ),
        (
            "signs:",
            "  - {name: camp, when: {port: true}, mark: star}",
            "  - {name: fort, when: {ground: rough}, mark: siege}",
        ),
        (
            "signs:",
            "  - {name: camp, when: {port: true}, mark: star}",
            "  - {when: {port: false}, mark: star}",
        ),
    ],
)
def test_looks_that_differ_are_not(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert found(tmp_path, *lines) == []
