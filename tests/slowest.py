"""Print the ten slowest tests of a run in several parts.

Usage: python tests/slowest.py FOLDER. Each part has left a file there (see tests/conftest.py).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

SHOWN = 10


def main(folder: Path) -> None:
    """Print the slowest tests with their seconds."""
    took: dict[str, float] = {}
    for file in sorted(folder.glob("*.json")):
        took |= json.loads(file.read_text(encoding="utf-8"))
    print(f"the {min(SHOWN, len(took))} slowest of {len(took)} tests, in seconds:")
    for test, seconds in sorted(took.items(), key=lambda each: -each[1])[:SHOWN]:
        print(f"{seconds:7.1f}  {test}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
