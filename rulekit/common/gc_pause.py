"""Takes nothing, makes `paused`: Python's collector of circular garbage stands still while much is
made that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """While a game is read, checked or compiled nearly all that is made is kept, so looking through
    it again and again finds nothing and takes half of the time. Afterwards the collector is as it
    was."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
