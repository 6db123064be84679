"""Play in a game's WebAssembly module (`pip install rulekit[native]`). See docs/native.md."""

from rulekit.runtime.wasm.batch import Batch
from rulekit.runtime.wasm.instance import NotNative, WasmInstance, available

__all__ = ["Batch", "NotNative", "WasmInstance", "available"]
