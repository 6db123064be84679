"""Takes docs/diagnostics.md, makes the level of each code: a warning where its entry says so, else
an error."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "diagnostics.md").read_text(
    encoding="utf-8"
)
WARNED = frozenset(re.findall(r"^### (RK\d{3}): [^\n]*\n\n(?:A warning\b)", PAGE, re.MULTILINE))


def level(code: str) -> str:
    """Whether a finding keeps a game from being played."""
    return "warning" if code in WARNED else "error"
