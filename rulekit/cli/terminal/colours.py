"""Colours on a terminal, by the library Rich: sides, headings, numbers and paragraphs."""

from __future__ import annotations

import re
from typing import IO

from rich.console import Console
from rich.style import Style
from rich.text import Text

from rulekit.engine.kernel.names import Names
from rulekit.presentation.drawing import drawing_of

PARAGRAPHS = re.compile(r"\[[A-Z]?\d[^\]]*\]")
NUMBER = re.compile(r"^ {0,2}\d+(?= )")  # the number of an option in the list
WARNING = re.compile(r"(?<= )!(?= )|^!(?= )")


class Colours:
    """The colours of one game on a terminal. Rich respects NO_COLOR and terminals without
    colours.
    """

    def __init__(self, names: Names, out: IO[str]) -> None:
        self._console = Console(file=out, highlight=False, markup=False, emoji=False)
        look = drawing_of(names)["sides"]
        labels = {
            names.label(names.program.sides, i): look[side]["colour"]
            for i, side in enumerate(names.sides)
        }
        sides = [
            (
                re.compile(rf"\b{re.escape(label)}\b"),
                Style(color="#ffffff", bgcolor=colour, bold=True),
            )
            for label, colour in labels.items()
            if label
        ]
        self._styles: list[tuple[re.Pattern[str], str | Style]] = [
            (PARAGRAPHS, "dim"),
            (NUMBER, "bold cyan"),
            (WARNING, "bold red"),
            *sides,
        ]

    def painted(self, line: str) -> Text:
        """Return a line with its styles."""
        text = Text(line)
        if line.lstrip().startswith(("==", "--")):
            text.stylize("bold")
        for pattern, style in self._styles:
            for found in pattern.finditer(line):
                text.stylize(style, found.start(), found.end())
        return text

    def print(self, line: str) -> None:
        """Print a line."""
        self._console.print(self.painted(line), soft_wrap=True)

    def shown(self, line: str) -> str:
        """Return a line with the terminal's escape sequences, without an end of line."""
        with self._console.capture() as capture:
            self._console.print(self.painted(line), end="", soft_wrap=True)
        return capture.get()
