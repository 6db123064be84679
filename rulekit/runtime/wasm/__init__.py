"""Plays in a game's WebAssembly module (`pip install rulekit[native]`); see docs/native.md."""

from rulekit.runtime.wasm.batch import Batch
from rulekit.runtime.wasm.instance import Machine, NotNative, available

__all__ = ["Batch", "Machine", "NotNative", "available"]
