"""The number of cases of random tests. `RULEKIT_TIMES=100` runs a hundred times as many."""

from __future__ import annotations

import os


def cases(usual: int) -> range:
    """Return the seeds of a random test. The first ones are always the same."""
    return range(usual * int(os.environ.get("RULEKIT_TIMES", "1")))
