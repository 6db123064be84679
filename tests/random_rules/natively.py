"""Calls of single definitions and procedures in the native module, in the same way as in the other
variants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from attrs import define, field

from rulekit.runtime import intrinsics
from rulekit.runtime.code import load
from rulekit.runtime.program import Program, TypeInfo
from rulekit.runtime.slots import BARE_END, LAYERS, PC
from rulekit.runtime.wasm import WasmInstance
from rulekit.runtime.wasm_format import Native, number, words_of
from tests.compiler.reference.agree import canonical_id, compiled_cells

NATIVE = find_spec("wasmtime") is not None


@define(eq=False)
class Open:
    """The module of a program with open access."""

    program: Program
    machine: WasmInstance = field(init=False)

    def __attrs_post_init__(self) -> None:
        assert isinstance(self.program.native, Native), self.program.native
        self.machine = WasmInstance(self.program)

    def define(self, state: Sequence[Any], index: int, args: Sequence[int]) -> int:
        """Return the value of a definition."""
        info = self.program.defines[index]
        self.put(state)
        return self._joined(
            self._call(f"D{index}", args, [type for _, type in info.params]), info.type
        )

    def put(self, state: Sequence[Any]) -> None:
        """Write the state without listing options. It need not be at a decision."""
        machine = self.machine
        machine._memory.write(
            machine._store, machine.native.image([*state[:LAYERS], None, *state[LAYERS + 1 :]]), 0
        )
        machine._call("go", 0)  # nothing runs, all cells have their first values

    def run(self, state: list[Any], proc: int, args: Sequence[int]) -> None:
        """Begin a separate procedure."""
        entry, returns, slots, _ = self.program.code("fast").space["PROCS"][proc]
        state = state[:]
        state[returns if entry else PC] = self._bare if entry else BARE_END - 1
        if entry:
            for slot, value in zip(slots, args, strict=False):
                state[slot] = value
            self.put(state)
            self.machine._call("go", entry)
            return
        self.put(state)
        self._call(
            f"Q{proc}",
            args,
            [var.type for var in self.program.procs[proc].vars[: self.program.procs[proc].params]],
        )
        if self.machine.slots()[PC] != 0:  # otherwise it has finished the game
            self.machine._call("go", self._bare)

    @cached_property
    def _bare(self) -> int:
        """Return the block at the end of a separate procedure."""
        code, given = load(self.program, "fast"), list[int]()

        def start(s: list[int], proc: int, args: Sequence[int], back: int) -> int:
            given.append(back)
            return back

        code.space["_start"] = start
        code.run(code.blank(), 0, ())
        return given[0]

    def _call(self, name: str, args: Sequence[Any], types: Sequence[TypeInfo]) -> list[int]:
        words: list[int] = []
        for value, type in zip(args, types, strict=True):
            data = number(value, self._words(type))
            words += [
                int.from_bytes(data[i : i + 8], "little", signed=True)
                for i in range(0, len(data), 8)
            ]
        found = self.machine._call(name, *words)
        return found if isinstance(found, list) else [] if found is None else [found]

    def _words(self, type: TypeInfo) -> int:
        return words_of(len(self.program.kinds[type.kind].members)) if type.form == "set" else 1

    def _joined(self, words: Sequence[int], type: TypeInfo) -> int:
        if type.form != "set":
            return words[0]
        return sum((word & (1 << 64) - 1) << 64 * i for i, word in enumerate(words))


@define(eq=False)
class Natively:
    """The native module within a procedure, like `running.Compiled`."""

    open: Open
    state: list[Any]
    variant: str = "native"

    def step(self, index: int, proc: int, args: Sequence[int]) -> Any:
        """Begin (index -1) or choose an option. Return all visible results."""
        machine, program = self.open.machine, self.open.program
        if index < 0:
            self.open.run(self.state, proc, args)
        else:
            machine.apply(intrinsics.ids(machine.layers())[index])
        slots = machine.slots()
        cells = compiled_cells(program, slots)
        if slots[PC] in (0, BARE_END):
            return "over", cells, []
        return (
            program.code("fast").who(slots),
            [canonical_id(program, i) for i in intrinsics.ids(machine.layers())],
            cells,
            [],
        )
