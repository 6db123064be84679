"""Writes a new game from the templates: a small wargame that checks, tests and plays as it
stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from string import Template

from rulekit.project.new_game.options import TEMPLATES, NewGame, refuse_name

MAPS = ("zones", "hexes", "grid")
# The places of each map, in the order of the placeholders p1 to p8 of the templates.
_ZONES = ("camp", "wood", "ford", "hill", "mill", "road", "field", "town")
_CELLS = ("a1", "b1", "a2", "c1", "b2", "d1", "c2", "d2")
_FRENCH = (
    "Le camp",
    "Le bois",
    "Le gué",
    "La colline",
    "Le moulin",
    "La route",
    "Le champ",
    "La ville",
)


def new_game(game: NewGame) -> list[Path]:
    """Write the files of a new game, and return their paths.

    Raises:
        RulekitError: the folder cannot be that of a new game. Nothing was written.
        OSError: a file cannot be written.
    """
    refuse_name(game.folder)
    files = dict(_rendered(game))
    for path, text in files.items():
        target = game.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return [game.folder / path for path in files]


def _rendered(game: NewGame) -> Iterator[tuple[Path, str]]:
    values = _values(game)
    for part in ("common", game.map, *(["french"] if game.french else [])):
        for path in sorted((TEMPLATES / part).rglob("*")):
            if path.is_file():
                text = Template(path.read_text(encoding="utf-8")).substitute(values)
                yield path.relative_to(TEMPLATES / part), text


def _values(game: NewGame) -> dict[str, str]:
    places = _ZONES if game.map == "zones" else _CELLS
    names = _FRENCH if game.map == "zones" else _CELLS
    first, second = game.sides
    return {
        "name": game.name,
        "title": game.title,
        "quoted_title": json.dumps(game.title, ensure_ascii=False),
        "title_in_text": json.dumps(_without_gaps(game.title), ensure_ascii=False),
        "a": first,
        "b": second,
        "A": _label(first),
        "B": _label(second),
        "grid": "" if game.map == "zones" else "grid: true\n",
        "french_places": "".join(
            f'member.Place.{place}: "{name}"\n' for place, name in zip(places, names, strict=True)
        ),
        **{f"p{number}": place for number, place in enumerate(places, 1)},
    }


def _label(side: str) -> str:
    """Return the name of a side for players: `Red Army` for `red_army`."""
    return " ".join(word.capitalize() for word in side.split("_") if word) or side


def _without_gaps(title: str) -> str:
    """Return a title for a text, where braces would be gaps."""
    return title.replace("{", "(").replace("}", ")")
