"""`rulekit map` draws the same ground, lines and counters as the page, and its text widths are
those of the fonts."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.engine.saves.recorder import Recorder

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
FONTS = {
    "italic": 'italic 500 100px "EB Garamond"',
    "serif": '600 100px "EB Garamond"',
    "sans": "600 100px Inter",
}
DRAWN = """() => {
  const all = (where, what) => [...document.querySelectorAll(`svg.map ${where}`)].map(what);
  return {ground: all('.layer-base path', (e) => e.getAttribute('d')),
    lines: all('.layer-lines path', (e) => e.getAttribute('d')),
          signs: all('[data-sign]', (e) => e.dataset.sign),
            forces: all('.force text', (e) => e.textContent.trim()),
          labels: all('.label text', (e) => e.textContent.trim()),
            strengths: all('.c-strength', (e) => e.textContent.trim()),
          tags: all('.c-tag, svg.map .c-name', (e) => e.textContent.trim())};
}"""


def told(svg: str) -> dict[str, list[str]]:
    """Return the same data for a picture, from the map without its legend."""
    tree = ElementTree.fromstring(svg)
    whole = next(
        each
        for each in tree.iter(f"{SVG}g")
        if any("layer-base" in (g.get("class") or "") for g in each)
    )

    def within(*names: str) -> list[ElementTree.Element]:
        return [
            each for each in whole.iter() if set(names) & set((each.get("class") or "").split())
        ]

    def text(each: ElementTree.Element) -> str:
        return "".join(each.itertext()).strip()

    paths = {
        name: [
            path.get("d", "")
            for layer in within(f"layer-{name}")
            for path in layer.iter(f"{SVG}path")
        ]
        for name in ("base", "lines")
    }
    labels = [text(line) for label in within("label") for line in label.iter(f"{SVG}text")]
    signs, forces = (
        [each.get("data-sign") for each in whole.iter() if each.get("data-sign")],
        within("force"),
    )
    return {
        "ground": paths["base"],
        "lines": paths["lines"],
        "labels": labels,
        "signs": signs,
        "forces": [text(each) for force in forces for each in force.iter(f"{SVG}text")],
        "strengths": [text(each) for each in within("c-strength")],
        "tags": [text(each) for each in within("c-tag", "c-name")],
    }


def saved(name: str, scenario: str | None, choices: int) -> tuple[str, str]:
    """Return a game after some choices in which only the player to decide is human, and this
    player."""
    game = rulekit.load(name)
    state, rng = game.new(scenario, 7), random.Random(7)
    for _ in range(choices):
        state.apply(rng.choice(state.decision.options))
    who = state.decision.player
    recorder = Recorder(
        game,
        game.new(scenario, 7),
        {side: "human" if side == who else "greedy" for side in game.sides},
    )
    for option in state.choices:
        recorder.apply(option.key)
    return recorder.save.text(), who


@pytest.mark.parametrize(
    ("name", "scenario", "choices", "lang"),
    [
        ("sphacteria", None, 60, "en"),
        ("amphipolis", "cleon", 25, "fr"),
        ("athens_sparta", None, 25, "en"),
        ("peloponnesian_war", None, 15, "fr"),
    ],
)
def test_a_picture_shows_what_the_page_shows(
    server, look, tmp_path, capsys, name, scenario, choices, lang
):
    save, who = saved(name, scenario, choices)
    file = tmp_path / "game.save"
    file.write_text(save, encoding="utf-8")
    page = look(server)
    page.go(page.bring(save), who, lang)
    shown = page.page.evaluate(DRAWN)
    capsys.readouterr()
    assert main(["map", name, "--load", str(file), "--as", who, "--lang", lang]) == 0
    drawn = told(capsys.readouterr().out)
    for part in ("ground", "lines", "strengths", "tags", "signs", "forces"):
        assert sorted(drawn[part]) == sorted(shown[part]), part
    assert len(shown["ground"]) > 20 and len(shown["tags"]) + len(shown["forces"]) > 3
    words = [
        sorted(" ".join(each["labels"]).split()) for each in (drawn, shown)
    ]  # line breaks of names may differ (fonts, highlighted places)
    assert words[0] == words[1]


def test_the_widths_of_letters_are_those_of_the_fonts(server, look):
    page = look(server).page
    source = (ROOT / "web" / "src" / "map" / "letterWidths.ts").read_text(encoding="utf-8")
    for name, font in FONTS.items():
        table = [
            int(n)
            for n in " ".join(
                re.findall(r'"([\d ]+)"', source.partition(f"  {name}:")[2].partition(",\n")[0])
            ).split()
        ]
        measured = page.evaluate(
            """async (font) => {
          await document.fonts.load(font, 'abc');
          const brush = document.createElement('canvas').getContext('2d');
          brush.font = font;
          return Array.from({length: 95}, (_, i) =>
            brush.measureText(String.fromCharCode(32 + i)).width);
        }""",
            font,
        )
        assert len(table) == 95
        assert [
            (chr(32 + i), kept, wide)
            for i, (kept, wide) in enumerate(zip(table, measured, strict=True))
            if abs(kept - wide) > 1
        ] == []
