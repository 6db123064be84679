"""Pictures of a map as SVG. The drawing code of the browser client runs in an embedded JavaScript
engine.
"""

from __future__ import annotations

import json
from importlib.resources import files

from rulekit.cli.main import UsageError
from rulekit.common.i18n.messages import _
from rulekit.presentation.position import SeatPosition
from rulekit.presentation.sheet import Sheet

THEMES = ("light", "dark")


def picture(sheet: Sheet, position: SeatPosition | None, theme: str = THEMES[0]) -> str:
    """Return one self-contained SVG, without pieces if `position` is None. Its texts are in the
    language of the sheet.

    Raise `UsageError` without the JavaScript engine (`quickjs-ng`, in the extra `map`).
    """
    try:
        from quickjs import Function
    except ModuleNotFoundError as error:
        raise UsageError(
            _(
                "a map is drawn with the library {name}: pip install 'rulekit[map]'",
                name=str(error.name),
            ).text(sheet.lang)
        ) from None
    source = files("rulekit.server").joinpath("static", "draw.js").read_text(encoding="utf-8")
    standing = position.to_json() if position is not None else None
    wanted = {"sheet": sheet.to_json(), "position": standing, "lang": sheet.lang, "theme": theme}
    return str(Function("draw", source)(json.loads(json.dumps(wanted)))["svg"])
