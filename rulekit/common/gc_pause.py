"""`paused`: suspends Python's cyclic garbage collector while many lasting objects are created."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """Suspend the collector within the block, and restore it afterwards.

    Nearly all objects of a load, check or compilation last, so repeated collections find nothing
    and take half of the time.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
