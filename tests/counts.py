"""Takes the usual number of cases of a random test, makes the number to run: `RULEKIT_TIMES=100`
runs a hundred times as many."""

from __future__ import annotations

import os


def cases(usual: int) -> range:
    """The seeds of a random test: always the same ones first."""
    return range(usual * int(os.environ.get("RULEKIT_TIMES", "1")))
