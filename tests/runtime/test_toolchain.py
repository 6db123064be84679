"""Another compiler does not use the stored parts of a compiled game."""

from __future__ import annotations

from pathlib import Path

import rulekit
from rulekit.runtime.cache import PARTS, sources


def test_every_file_that_makes_a_compiled_game_counts() -> None:
    root = Path(rulekit.__file__).parent
    asked = {Path(entry.path) for part in PARTS for entry in sources(root / part, deep=bool(part))}
    assert asked == {
        *root.glob("*.py"),
        *(
            path
            for part in PARTS
            if part
            for path in (root / part).rglob("*")
            if path.suffix in (".py", ".lark")
        ),
    }
