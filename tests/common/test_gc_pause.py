"""The garbage collector is restored after every kind of exit from the block."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from rulekit.common.gc_pause import paused


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    was = gc.isenabled()
    yield
    (gc.enable if was else gc.disable)()


@pytest.mark.parametrize("runs", [True, False])
def test_it_stands_still_and_is_as_before_afterwards(runs: bool) -> None:
    (gc.enable if runs else gc.disable)()
    with paused():
        assert not gc.isenabled()
    assert gc.isenabled() == runs
    with pytest.raises(KeyError), paused():
        raise KeyError
    assert gc.isenabled() == runs
