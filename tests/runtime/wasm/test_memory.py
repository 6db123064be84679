"""The memory that compiling a native module takes goes back to the system."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native`: pip install 'rulekit[native]'")
from rulekit.runtime.wasm import instance

TEXT = zlib.compress(b"(module (memory 1))")


@pytest.fixture
def returned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[None]:
    """How often memory was given back, with a cache that is empty at first."""
    calls: list[None] = []
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(instance, "_return_memory", lambda: calls.append(None))
    instance._module.cache_clear()
    return calls


def test_memory_is_given_back_after_compiling_alone(returned: list[None]) -> None:
    """A module from the cache is not compiled, so it took no such memory."""
    instance._module(TEXT)
    assert len(returned) == 1
    instance._module.cache_clear()
    instance._module(TEXT)
    assert len(returned) == 1


def test_giving_memory_back_works_or_is_left_out() -> None:
    """On systems without `malloc_trim` nothing happens, and nothing is raised."""
    instance._return_memory()
