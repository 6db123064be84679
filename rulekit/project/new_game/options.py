"""The options of a new game, and the refusal of those that cannot become files."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import attrs

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import Message, _
from rulekit.compiler.source.locate import is_name
from rulekit.compiler.syntax.lexer import RESERVED

_SIDE = re.compile(r"[a-z][a-z0-9_]{0,39}")
TEMPLATES = Path(__file__).resolve().parent / "templates"
_WORD = re.compile(r"(?<!\$\{)\b[a-z][a-z0-9_]*")
# YAML 1.1 reads these as values, so they cannot be keys or members without quotes.
_YAML_VALUES = frozenset(["yes", "no", "on", "off", "y", "n", "true", "false", "null"])


@cache
def _template_words() -> frozenset[str]:
    """Return the words of the templates. A side of the same name could be ambiguous there."""
    texts = [path.read_text("utf-8") for path in TEMPLATES.rglob("*.*") if path.suffix != ".md"]
    return frozenset(word for text in texts for word in _WORD.findall(text))


@attrs.frozen
class NewGame:
    """The options of a new game.

    Attributes:
        folder: the folder to write. It does not exist, or is empty. The game has its name.
        title: the title that players read.
        sides: the ids of the two sides.
        map: zones, hexes or grid.
        french: also write French texts.
    """

    folder: Path
    title: str
    sides: tuple[str, str] = ("red", "blue")
    map: str = "zones"
    french: bool = False

    @property
    def name(self) -> str:
        """The name of the game: that of its folder."""
        return self.folder.name


def refuse_name(folder: Path) -> None:
    """Check the folder of a new game.

    Raises:
        RulekitError: its name cannot be that of a game, or it exists and is not empty.
    """
    if not is_name(folder.name):
        raise RulekitError(
            _(
                "a game cannot be called {name}; write a letter, then letters, digits, '_', '.' or"
                " '-'",
                name=repr(folder.name),
            )
        )
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise RulekitError(_("{folder} exists and is no folder", folder=str(folder)))
    if folder.exists() and any(folder.iterdir()):
        raise RulekitError(
            _(
                "{folder} is not empty; choose another folder, because nothing is overwritten",
                folder=str(folder),
            )
        )


def sides_of(text: str) -> tuple[str, str]:
    """Return the two sides of a text such as `red,blue`.

    Raises:
        RulekitError: these are not two different names, or the rules of a new game could not use
            them.
    """
    sides = [each.strip() for each in text.split(",")]
    if len(sides) != len({*sides, ""}) - 1 or len(sides) != len(("first", "second")):
        raise RulekitError(_("write two different sides, as in --sides red,blue"))
    for side in sides:
        _refuse_side(side)
    return sides[0], sides[1]


def _refuse_side(side: str) -> None:
    problem: Message | None = None
    if not _SIDE.fullmatch(side):
        problem = _(
            "a side cannot be called {name}; write a small letter, then small letters, digits or"
            " '_'",
            name=repr(side),
        )
    elif side in RESERVED or side in _YAML_VALUES:
        problem = _("{name} has a meaning of its own in the files; choose another", name=repr(side))
    elif side in _template_words():
        problem = _("the rules of a new game use {name}; choose another", name=repr(side))
    if problem is not None:
        raise RulekitError(problem)
