"""All tests: the collector runs seldom. What compiling makes lives long, and looking through it again and again is a tenth of the time."""

from __future__ import annotations

import gc

gc.set_threshold(50_000, 20, 50)
