"""Takes a sheet and a position, makes their picture as SVG: by the page's own drawing, which runs
in an embedded JavaScript engine."""

from __future__ import annotations

import json
from importlib.resources import files

from rulekit.cli.main import UsageError
from rulekit.common.i18n.catalog import filled
from rulekit.presentation.position import Position
from rulekit.presentation.sheet import Sheet

THEMES = ("light", "dark")


def picture(sheet: Sheet, position: Position | None, theme: str = THEMES[0]) -> str:
    """One SVG that needs nothing beside it; `position` None: the map alone. The texts are in the
    language of the sheet. UsageError without the engine (`quickjs-ng`, which comes with the extra
    `map`)."""
    try:
        from quickjs import Function
    except ModuleNotFoundError as error:
        raise UsageError(filled(sheet.lang, "map.no_library", name=str(error.name))) from None
    source = files("rulekit.server").joinpath("static", "draw.js").read_text(encoding="utf-8")
    standing = position.to_json() if position is not None else None
    wanted = {"sheet": sheet.to_json(), "position": standing, "lang": sheet.lang, "theme": theme}
    return str(Function("draw", source)(json.loads(json.dumps(wanted)))["svg"])
