"""A compiled game's WebAssembly module in wasmtime, with bounded memory and time.

The compiled module is kept in the cache folder beside compiled games. A machine is used by one
thread at a time.
"""

from __future__ import annotations

import ctypes
import json
import platform
import zlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attrs import frozen

from rulekit.common.errors import RulekitError, RulesError
from rulekit.common.i18n.catalog import fault
from rulekit.runtime.cache import Cache
from rulekit.runtime.intrinsics import KEYS
from rulekit.runtime.program import Program
from rulekit.runtime.random_playouts import Playout
from rulekit.runtime.seeds import check_seed
from rulekit.runtime.slots import NOT_BEGUN, PC, SCRIPT, SEED
from rulekit.runtime.wasm_format import FAILURES, RESULT, Native, NoNative

MEMORY = 64 << 20  # bytes of a machine
FUEL = 1 << 34  # what a choice may do, or each of many games: about that many instructions
CHOICES = 1_000_000  # of a game; one that is longer does not end


class NotNative(RulekitError):
    """The game cannot be played natively here."""


def available() -> bool:
    """Is the package wasmtime there?"""
    return find_spec("wasmtime") is not None


@cache
def _engine() -> Any:
    import wasmtime

    return wasmtime.Engine()


@cache
def _module(text: bytes) -> Any:
    """The module of a game, out of the cache or compiled."""
    import wasmtime

    kept = Cache(
        f"{sha256(text).hexdigest()} {version('wasmtime')} {platform.machine()}", title="native"
    )
    known = kept.get("machine")
    if isinstance(known, bytes):
        try:
            return wasmtime.Module.deserialize(_engine(), known)
        except wasmtime.WasmtimeError:
            pass  # of another machine: as good as none
    made = wasmtime.Module(_engine(), bytes(wasmtime.wat2wasm(zlib.decompress(text))))
    kept.put("machine", bytes(made.serialize()))
    _return_memory()
    return made


def _return_memory() -> None:
    """Give free memory back to the system. Compiling a large module takes hundreds of MiB, which
    glibc would keep for good."""
    with suppress(OSError, AttributeError):  # another system, or another C library
        ctypes.CDLL(None).malloc_trim(0)


@frozen
class Measured:
    """What is looked at in the course of a game: a total of a side by its index (-1: none),
    whenever the number in slot `turn` changes."""

    score: int
    turn: int


@frozen
class Played:
    """Games that were played, as words of 64 bits. `results`: of each the winner, the level, the
    decisions, the random results, the digest of the last state, the number of its marks. `marks`:
    one behind the other the turns that ended, each with the scores then.
    """

    results: memoryview
    marks: memoryview


class WasmInstance:
    """One program: its scenario and rulings are written into the memory of the module (`native`;
    without it, the one that the program was compiled with). NotNative if it cannot be."""

    def __init__(
        self,
        program: Program,
        native: Native | NoNative | None = None,
        memory: int = MEMORY,
        fuel: int = FUEL,
    ) -> None:
        if not available():
            raise fault(NotNative, "native.no_package")
        found = native if native is not None else program.native
        if not isinstance(found, Native):
            raise (
                fault(NotNative, "native.no_source")
                if found is None
                else fault(NotNative, "native.unknown", why=found.why)
            )
        import wasmtime

        self.program, self.native = program, found
        self._store = wasmtime.Store(_engine())
        self._store.set_limits(memory_size=memory)
        try:
            exports = wasmtime.Instance(self._store, _module(self.native.text), []).exports(
                self._store
            )
        except wasmtime.WasmtimeError as error:
            raise NotNative(
                f"the native module of {program.name} does not start: {str(error).splitlines()[0]}"
            ) from error
        self._exports: dict[str, Any] = {name: exports[name] for name in exports}
        self._written: dict[str, float] = {}  # globals, by name
        self._memory = self._exports["memory"]
        for name, value in (
            ("max_steps", program.max_steps),
            ("max_choices", CHOICES),
            ("max_fuel", fuel),
        ):
            self._exports[name].set_value(self._store, wasmtime.Val.i64(value))
        for at, data in self.native.write_constants(program.constants):
            self._memory.write(self._store, data, at)
        self.reset()

    def export(self, folder: str | Path) -> None:
        """Writes `game.wasm` and `game.json` into a folder, for other hosts (a browser, Node): the
        module, and what they write into it."""
        import wasmtime

        at, native, program = Path(folder), self.native, self.program
        at.mkdir(parents=True, exist_ok=True)
        (at / "game.wasm").write_bytes(wasmtime.wat2wasm(zlib.decompress(native.text)))
        writes = [
            *native.write_constants(program.constants),
            (native.origin, bytes(self.read(native.origin, native.size))),
        ]
        told = {
            "game": program.name,
            "scenario": program.scenario,
            "rulings": {r.name: r.chosen for r in program.rulings},
            "sides": program.side_ids,
            "levels": program.levels,
            "globals": {
                name: str(self._global(name)) for name in ("max_steps", "max_choices", "max_fuel")
            },
            "writes": [[address, b64encode(data).decode()] for address, data in writes],
            "results": native.results,
            "result": RESULT,
            "room": native.room,
            "layers": native.layers,
            "layer": native.layer_bytes,
            "state": native.size,
            "cells": [[cell.address, cell.words, cell.form, cell.size] for cell in native.cells],
        }
        (at / "game.json").write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")

    # -------------------------------------------------------------------------------- states
    def reset(self) -> None:
        """Games begin at the beginning."""
        self._origin(self.program.initial, False)

    def start(self, slots: Sequence[Any]) -> None:
        """Games begin in this state, which stands at a decision; dice and choices hang on their
        seeds alone."""
        self._origin(slots, slots[PC] != NOT_BEGUN)

    def _origin(self, slots: Sequence[Any], begun: bool) -> None:
        import wasmtime

        if slots[SCRIPT] > 1:
            raise NotNative("scripted results are not played natively")
        self._memory.write(
            self._store, self.native.image([*slots[:2], 0, *slots[3:]]), self.native.origin
        )
        self._exports["begun"].set_value(self._store, wasmtime.Val.i32(int(begun)))

    def put(self, slots: Sequence[Any]) -> None:
        """The state is this one; its options are listed."""
        self._memory.write(self._store, self.native.image(slots), 0)
        self._call("list")

    def begin(self, seed: int) -> None:
        """A game up to its first decision."""
        self._call("begin", signed(small_seed(seed)))

    def apply(self, option: int) -> None:
        """Takes an option; it is not tested that it is offered."""
        self._call("apply", option)

    def layers(self) -> list[tuple[int, int]]:
        """The options, as `Code.layers` gives them."""
        end, begin = self._exports["layer_end"].value(self._store), self.native.layers
        return self.native.layers_of(bytes(self.read(begin, end - begin)))

    def image(self) -> bytes:
        """The state as bytes."""
        return bytes(self._memory.read(self._store, 0, self.native.size))

    def slots(self) -> list[Any]:
        """The state as `rulekit.runtime.program` describes it; the slot of the options is None."""
        return self.native.slots(self.image())

    # -------------------------------------------------------------------------------- many games
    def playouts(self, first: int, games: int) -> list[Playout]:
        """Random games with the seeds first, first + 1 ...; the same as
        `rulekit.runtime.random_playouts` plays."""
        found: list[Playout] = []
        while len(found) < games:
            data = self.play(first + len(found), games - len(found))
            rows = data.results.cast("q")
            found += [Playout(*rows[i : i + 4].tolist()) for i in range(0, len(rows), RESULT // 8)]
        return found

    def play(self, first: int, games: int, measured: Measured | None = None) -> Played:
        """Random games with the seeds first, first + 1 ..., as many as there is room for, one at
        least."""
        self._ask(measured)
        count = min(self.native.room, games)
        small_seed(first + count)
        self._call("playouts", signed(first), count)
        found = self.played()
        if not found.results:
            raise fault(NotNative, "native.turns")
        return found

    def played(self) -> Played:
        """What was kept of the games that were played last; after an error, of those before the one
        that failed."""
        done, native = self.done(), self.native
        results = memoryview(
            self._memory.read(self._store, native.results, native.results + done * RESULT)
        )
        rows = sum(results.cast("q")[5 :: RESULT // 8].tolist())
        marks = memoryview(
            self._memory.read(self._store, native.marks, native.marks + rows * native.row)
        )
        return Played(results, marks)

    def _ask(self, measured: Measured | None) -> None:
        """What is looked at when a turn ends."""
        import wasmtime

        score = (
            self.native.scores[measured.score]
            if measured is not None and measured.score >= 0
            else -1
        )
        turn = self.native.cells[measured.turn if measured is not None else SEED].address
        self._exports["score"].set_value(self._store, wasmtime.Val.i32(score))
        self._exports["turn"].set_value(self._store, wasmtime.Val.i32(turn))

    def digests(self) -> list[int]:
        """The digests of the last states of the games that were played last."""
        return list(self.played().results.cast("Q")[4 :: RESULT // 8])

    def perft(self, depth: int, seed: int = 0) -> list[int]:
        """The positions of the decision tree at the depths 1 .. depth, as
        `rulekit.engine.testing.perft` counts them."""
        self.begin(seed)
        return self.counted(depth)

    def counted(self, depth: int) -> list[int]:
        """The same from the state as it stands."""
        self._call("perft", depth)
        at = self.native.counts
        data = bytes(self._memory.read(self._store, at, at + 8 * depth))
        return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]

    # -------------------------------------------------------------------------------- memory
    def read(self, at: int, size: int) -> bytearray:
        """Bytes of the memory: a copy."""
        found: bytearray = self._memory.read(self._store, at, at + size)
        return found

    def write(self, at: int, data: bytes) -> None:
        """Bytes into the memory."""
        self._memory.write(self._store, data, at)

    def grown(self, size: int) -> bool:
        """Sees to it that the memory has so many bytes. False if it may not."""
        import wasmtime

        missing = size - self._memory.data_len(self._store)
        try:
            if missing > 0:
                self._memory.grow(self._store, (missing + 65535) // 65536)
        except wasmtime.WasmtimeError:
            return False
        return True

    def many(self, *args: int) -> None:
        """What `Batch` asks for: where the positions lie, what is given for each, how many there
        are, where options go, what is done."""
        self._call("many", *args)

    def done(self) -> int:
        """How many games, or positions of a batch, the last call did."""
        count: int = self._exports["done"].value(self._store)
        return count

    # -------------------------------------------------------------------------------- for who works
    @property
    def top(self) -> int:
        """Where memory begins that nothing uses between calls."""
        return self.native.pages << 16

    def set(self, **values: float) -> None:
        """Writes globals of the module, which the module itself does not write."""
        import wasmtime

        for name, value in values.items():
            if self._written.get(name) != value:
                found = self._exports[name]
                made = getattr(wasmtime.Val, str(found.type(self._store).content))
                found.set_value(
                    self._store, made(signed(value) if isinstance(value, int) else value)
                )
                self._written[name] = value

    def value(self, name: str) -> int:
        """A global of the module."""
        return self._global(name)

    def real(self, name: str) -> float:
        """A global of the module that is no whole number."""
        value: float = self._exports[name].value(self._store)
        return value

    def call(self, name: str, *args: int) -> None:
        """Calls an export. RulesError if it is one that the rules end with."""
        self._call(name, *args)

    # -------------------------------------------------------------------------------- errors
    def _call(self, name: str, *args: int) -> Any:
        import wasmtime

        try:
            return self._exports[name](self._store, *args)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise self._error(error) from error

    def _error(self, error: Exception) -> RulekitError:
        """What stopped the module, as Python says it."""
        import wasmtime

        code = self._global("failure")
        if code:
            self._exports["failure"].set_value(self._store, wasmtime.Val.i64(0))
            args = [self._global(f"fail_{x}") for x in "abcd"]
            return RulesError(
                _SAYS[FAILURES[code]](self.program, *args),
                self.native.places[self._global("fail_place")],
            )
        if isinstance(error, wasmtime.Trap) and error.trap_code == wasmtime.TrapCode.STACK_OVERFLOW:
            return RulesError("the rules set each other off without end")
        return RulesError(
            f"the native module stopped: {str(error).strip().splitlines()[-1].strip()}"
        )

    def _global(self, name: str) -> int:
        value: int = self._exports[name].value(self._store)
        return value


def small_seed(seed: int) -> int:
    """A seed below 2^64: others are keys, which are not played natively."""
    if check_seed(seed) >= KEYS:
        raise NotNative("seeds of native games are below 2^64")
    return seed


def signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


_SAYS: dict[str, Callable[..., str]] = {
    "steps": lambda p, *_: "too many steps without a decision",
    "too_long": lambda p, limit, *_: f"the loop was not over after {limit} rounds",
    "broken": lambda p, i, *_: f"the invariant {p.invariants[i].name} does not hold",
    "costs": lambda p, *_: "a step costs less than 0",
    "unfinished": lambda p, *_: "play ended without 'finish'",
    "in_range": lambda p, value, low, high, cell: (
        f"{p.cells[cell].name} would be {value}, outside of {low} .. {high}"
    ),
    "held": lambda p, value, low, high, what: (
        f"{p.promises[what]} would be {value}, outside of {low} .. {high}"
    ),
    "small": lambda p, *_: "a number grows beyond what a number can be",
    "wide": lambda p, *_: "the native module counts in 64 bits, and this number has more",
    "the": lambda p, count, *_: f"'the' needs exactly one, here are {count}",
    "there": lambda p, *_: "'the' needs one that is there, here is none",
    "division": lambda p, *_: "division by zero",
    "row": lambda p, value, *_: f"the table has no line for {value}",
    "key": lambda p, value, low, high, _: (
        f"there is no value for {value}: it goes from {low} to {high}"
    ),
    "deep": lambda p, *_: "a procedure runs more than 4 deep",
    "memory": lambda p, *_: "the native module has no memory left",
    "options": lambda p, *_: "a decision has more options than the native module has room for",
    "choices": lambda p, *_: (
        f"a random game is not over after {CHOICES:,} choices, or a decision has no options"
    ),
}
