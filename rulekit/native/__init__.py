"""Plays in a game's WebAssembly module (`pip install rulekit[native]`); see docs/native.md."""

from rulekit.native.batch import Batch
from rulekit.native.machine import Machine, NotNative, available

__all__ = ["Batch", "Machine", "NotNative", "available"]
