"""The command `map`: draws the map of a game as SVG.

Draws the graph of places and borders, from the game's geometry where it has one. With --pieces the pieces stand where they begin."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulekit.base.files import printable
from rulekit.cli.common import add_game, game_of, scenario_of
from rulekit.cli.main import UsageError
from rulekit.cli.mapstyle import Geometry, geometry_of, lines, sort_and_fill
from rulekit.cli.screen import Screen
from rulekit.cli.svg import Drawing, Line, Place, draw
from rulekit.play.game import Game
from rulekit.play.words import filled
from rulekit.program.program import KindInfo
from rulekit.seat.look import drawing_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser)
    parser.add_argument("-o", "--output", metavar="FILE.svg", help="where to write (without it: standard output)")
    parser.add_argument("--pieces", action="store_true", help="with the pieces, as the scenario begins")
    parser.add_argument("--scenario", metavar="NAME", help="the scenario (without it: the game's default)")
    parser.add_argument("--lang", default="en", metavar="LANG", help="language of the texts (en)")


def run(args: argparse.Namespace) -> int:
    """Draws."""
    if args.output == "":
        raise UsageError(filled(args.lang, "line.no_file"))
    game = game_of(args)
    text = draw(drawing(game, scenario_of(args, game), args.pieces))
    if args.output:
        Path(args.output).write_text(text, encoding="utf-8")
        print(f"{printable(args.output)} written")
    else:
        print(text, end="")
    return 0


def drawing(game: Game, scenario: str | None, pieces: bool) -> Drawing:
    """What is to be drawn of a game."""
    table = game.table(scenario)
    names, program = table.names, table.program
    graph = next((i for i, k in enumerate(program.kinds) if k.joins >= 0), None)
    grid = next((i for i, k in enumerate(program.kinds) if {"row", "col"} <= set(k.fixed)), None)
    if graph is None and grid is None:
        raise UsageError(filled(game.lang, "line.not_drawn", game=game.name))
    place_kind = program.kinds[graph].joins if graph is not None else grid
    assert place_kind is not None
    info = program.kinds[place_kind]
    geometry = geometry_of(program.info)
    drawn = lines(names, graph, geometry) if graph is not None else []
    spots = _spots(geometry, info, drawn)
    standing = _standing(game, scenario, place_kind) if pieces else {}
    places = []
    for i, id in enumerate(info.members):
        sort, fill = sort_and_fill(names, info, i, geometry)
        told = standing.get(id, {})
        places.append(Place(id, names.label(place_kind, i), *spots[id], sort, tuple(told.values()), tuple(geometry.shape(id)),
                            geometry.fact(id, "shape") == "box", fill, tuple(told)))
    title = geometry.whole.get("title") or names.text("title", game.title)
    colours = tuple(style["colour"] for style in drawing_of(names)["sides"].values())
    return Drawing(title, places, drawn, geometry.closed(), geometry.corners(), names.word("closed"), names.word("corner"),
                   geometry.scenery(), colours)


def _spots(geometry: Geometry, info: KindInfo, drawn: list[Line]) -> dict[str, tuple[float, float]]:
    found = {m: spot for m in info.members if (spot := geometry.spot(m)) is not None}
    if len(found) == len(info.members):
        return found
    if {"row", "col"} <= set(info.fixed):
        rows, cols = info.fixed["row"][1], info.fixed["col"][1]
        return {m: (float(cols[i]), -float(rows[i])) for i, m in enumerate(info.members)}
    from rulekit.cli.layout import layout

    return layout(info.members, [(each.a, each.b) for each in drawn])


def _standing(game: Game, scenario: str | None, place_kind: int) -> dict[str, dict[int, str]]:
    """By place and side (-1: nobody's) the short names of the pieces that anybody may see there."""
    screen = Screen(game.new(scenario, 0), None)
    names = screen.names
    found: dict[str, dict[int, list[str]]] = {}
    view = screen.state.view(None)
    for kind, cell in names.place_cells.items():
        if cell.type.kind != place_kind:
            continue
        for piece, place in view["state"].get(names.cell_name(cell), {}).items():
            if place is not None:
                at = names.ordinals[kind][piece]
                found.setdefault(place, {}).setdefault(screen.owner(kind, at), []).append(screen.short(kind, at))
    return {place: {side: " ".join(each) for side, each in sorted(sides.items())} for place, sides in found.items()}
