"""A compiled game's WebAssembly module in wasmtime, with bounded memory and time.

The compiled module is stored in the cache folder, next to compiled games. A machine is used by one
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
from rulekit.common.i18n.messages import _
from rulekit.runtime.cache import Cache
from rulekit.runtime.intrinsics import KEYS
from rulekit.runtime.program import Program
from rulekit.runtime.random_playouts import Playout
from rulekit.runtime.seeds import check_seed
from rulekit.runtime.slots import NOT_BEGUN, PC, SCRIPT, SEED
from rulekit.runtime.wasm_format import FAILURES, RESULT, Native, NoNative

MEMORY = 64 << 20  # bytes of memory of a machine
FUEL = 1 << 34  # the limit of a choice, or of each of many games, in instructions (roughly)
CHOICES = 1_000_000  # the largest number of choices. A longer game is taken to be endless


class NotNative(RulekitError):
    """Raised if the game cannot be played natively here."""


def available() -> bool:
    """Return True if the package wasmtime is installed."""
    return find_spec("wasmtime") is not None


@cache
def _engine() -> Any:
    import wasmtime

    return wasmtime.Engine()


@cache
def _module(text: bytes) -> Any:
    """Return the module of a game, from the cache or compiled."""
    import wasmtime

    kept = Cache(
        f"{sha256(text).hexdigest()} {version('wasmtime')} {platform.machine()}", title="native"
    )
    known = kept.get("machine")
    if isinstance(known, bytes):
        try:
            return wasmtime.Module.deserialize(_engine(), known)
        except wasmtime.WasmtimeError:
            pass  # from another machine, so it counts as missing
    made = wasmtime.Module(_engine(), bytes(wasmtime.wat2wasm(zlib.decompress(text))))
    kept.put("machine", bytes(made.serialize()))
    _return_memory()
    return made


def _return_memory() -> None:
    """Give free memory back to the system. Compiling a large module takes hundreds of MiB, which
    glibc would keep for good.
    """
    with suppress(OSError, AttributeError):  # another system, or another C library
        ctypes.CDLL(None).malloc_trim(0)


@frozen
class Measured:
    """The quantities to record during a game.

    Attributes:
        score: the index of a total of a side, or -1.
        turn: the slot of the turn. The total is recorded whenever it changes.
    """

    score: int
    turn: int


@frozen
class PlayedBatch:
    """The results of games, as 64-bit words.

    Attributes:
        results: for each game the winner, the level, the number of decisions, the number of random
            results, the digest of the last state and the number of its marks.
        marks: the turns that ended, each with the scores at that time, for one game after the
            other.
    """

    results: memoryview
    marks: memoryview


class WasmInstance:
    """A program in a WebAssembly machine, with its scenario and rulings written into memory.

    Args:
        native: the module. Without it, the one that the program was compiled with.

    Raises:
        NotNative: the game cannot be played natively.
    """

    def __init__(
        self,
        program: Program,
        native: Native | NoNative | None = None,
        memory: int = MEMORY,
        fuel: int = FUEL,
    ) -> None:
        if not available():
            raise NotNative(
                _("playing natively needs the library wasmtime: pip install 'rulekit[native]'")
            )
        found = native if native is not None else program.native
        if not isinstance(found, Native):
            raise (
                NotNative(
                    _("there is no native module, and no source of the game to make one from")
                )
                if found is None
                else NotNative(
                    _("the native module cannot play something in the rules ({why})", why=found.why)
                )
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
        self._written: dict[str, float] = {}  # the globals that were set, by name
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
        """Write `game.wasm` and `game.json` into a folder, for other hosts (a browser, Node).

        They contain the module, and the data that a host writes into it.
        """
        import wasmtime

        at, native, program = Path(folder), self.native, self.program
        at.mkdir(parents=True, exist_ok=True)
        (at / "game.wasm").write_bytes(wasmtime.wat2wasm(zlib.decompress(native.text)))
        writes = [
            *native.write_constants(program.constants),
            (native.origin, bytes(self.read(native.origin, native.size))),
        ]
        description = {
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
        (at / "game.json").write_text(
            json.dumps(description, ensure_ascii=False) + "\n", encoding="utf-8"
        )

    # --------------------------------------------------------------------------------------- states
    def reset(self) -> None:
        """Let games begin at the beginning."""
        self._origin(self.program.initial, False)

    def start(self, slots: Sequence[Any]) -> None:
        """Let games begin in this state, which is at a decision.

        Dice and choices depend only on their seeds.
        """
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
        """Set the state and list its options."""
        self._memory.write(self._store, self.native.image(slots), 0)
        self._call("list")

    def begin(self, seed: int) -> None:
        """Begin a game, up to its first decision."""
        self._call("begin", signed(small_seed(seed)))

    def apply(self, option: int) -> None:
        """Take an option. It must be offered, which is not checked."""
        self._call("apply", option)

    def layers(self) -> list[tuple[int, int]]:
        """Return the options, as `Code.layers` does."""
        end, begin = self._exports["layer_end"].value(self._store), self.native.layers
        return self.native.layers_of(bytes(self.read(begin, end - begin)))

    def image(self) -> bytes:
        """Return the state as bytes."""
        return bytes(self._memory.read(self._store, 0, self.native.size))

    def slots(self) -> list[Any]:
        """Return the state as `rulekit.runtime.program` describes it.

        The slot of the options is None.
        """
        return self.native.slots(self.image())

    # ----------------------------------------------------------------------------------- many games
    def playouts(self, first: int, games: int) -> list[Playout]:
        """Play random games with the seeds first, first + 1 and so on.

        The result equals that of `rulekit.runtime.random_playouts`.
        """
        found: list[Playout] = []
        while len(found) < games:
            data = self.play(first + len(found), games - len(found))
            rows = data.results.cast("q")
            found += [Playout(*rows[i : i + 4].tolist()) for i in range(0, len(rows), RESULT // 8)]
        return found

    def play(self, first: int, games: int, measured: Measured | None = None) -> PlayedBatch:
        """Play random games with the seeds first, first + 1 and so on, as many as fit in memory.

        At least one is played.
        """
        self._ask(measured)
        count = min(self.native.room, games)
        small_seed(first + count)
        self._call("playouts", signed(first), count)
        found = self.played()
        if not found.results:
            raise NotNative(_("a game has too many turns for the native module"))
        return found

    def played(self) -> PlayedBatch:
        """Return the results of the last games.

        After an error, these are the games before the failed one.
        """
        done, native = self.done(), self.native
        results = memoryview(
            self._memory.read(self._store, native.results, native.results + done * RESULT)
        )
        rows = sum(results.cast("q")[5 :: RESULT // 8].tolist())
        marks = memoryview(
            self._memory.read(self._store, native.marks, native.marks + rows * native.row)
        )
        return PlayedBatch(results, marks)

    def _ask(self, measured: Measured | None) -> None:
        """Set the quantities to record when a turn ends."""
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
        """Return the digests of the last states of the last games."""
        return list(self.played().results.cast("Q")[4 :: RESULT // 8])

    def perft(self, depth: int, seed: int = 0) -> list[int]:
        """Return the number of positions at the depths 1 .. depth.

        The result equals that of `rulekit.engine.testing.perft`.
        """
        self.begin(seed)
        return self.counted(depth)

    def counted(self, depth: int) -> list[int]:
        """Return the same from the present state."""
        self._call("perft", depth)
        at = self.native.counts
        data = bytes(self._memory.read(self._store, at, at + 8 * depth))
        return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]

    # --------------------------------------------------------------------------------------- memory
    def read(self, at: int, size: int) -> bytearray:
        """Return a copy of some bytes of the memory."""
        found: bytearray = self._memory.read(self._store, at, at + size)
        return found

    def write(self, at: int, data: bytes) -> None:
        """Write bytes into the memory."""
        self._memory.write(self._store, data, at)

    def grown(self, size: int) -> bool:
        """Extend the memory to a size in bytes. Return False if the limit forbids it."""
        import wasmtime

        missing = size - self._memory.data_len(self._store)
        try:
            if missing > 0:
                self._memory.grow(self._store, (missing + 65535) // 65536)
        except wasmtime.WasmtimeError:
            return False
        return True

    def many(self, *args: int) -> None:
        """Run a call of `Batch`.

        Args:
            args: the address of the positions, of the argument of each, the number of positions,
                the begin and end of the space for options, and the operation.
        """
        self._call("many", *args)

    def done(self) -> int:
        """Return the number of games, or positions of a batch, that the last call completed."""
        count: int = self._exports["done"].value(self._store)
        return count

    # -------------------------------------------------------------- access for searches and batches
    @property
    def top(self) -> int:
        """The address of the first byte that nothing uses between calls."""
        return self.native.pages << 16

    def set(self, **values: float) -> None:
        """Set globals of the module that the module itself does not change."""
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
        """Return an integer global of the module."""
        return self._global(name)

    def real(self, name: str) -> float:
        """Return a floating-point global of the module."""
        value: float = self._exports[name].value(self._store)
        return value

    def call(self, name: str, *args: int) -> None:
        """Call an exported function.

        Raises:
            RulesError: the rules fail.
        """
        self._call(name, *args)

    # --------------------------------------------------------------------------------------- errors
    def _call(self, name: str, *args: int) -> Any:
        import wasmtime

        try:
            return self._exports[name](self._store, *args)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise self._error(error) from error

    def _error(self, error: Exception) -> RulekitError:
        """Return the error that stopped the module, with the text that Python has for it."""
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
    """Return a seed if it is below 2^64. Larger seeds are keys, which are not played natively."""
    if check_seed(seed) >= KEYS:
        raise NotNative("seeds of native games are below 2^64")
    return seed


def signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


_SAYS: dict[str, Callable[..., str]] = {
    "steps": lambda p, *__: "too many steps without a decision",
    "too_long": lambda p, limit, *__: f"the loop was not over after {limit} rounds",
    "broken": lambda p, i, *__: f"the invariant {p.invariants[i].name} does not hold",
    "costs": lambda p, *__: "a step costs less than 0",
    "unfinished": lambda p, *__: "play ended without 'finish'",
    "in_range": lambda p, value, low, high, cell: (
        f"{p.cells[cell].name} would be {value}, outside of {low} .. {high}"
    ),
    "held": lambda p, value, low, high, what: (
        f"{p.promises[what]} would be {value}, outside of {low} .. {high}"
    ),
    "small": lambda p, *__: "a number grows beyond what a number can be",
    "wide": lambda p, *__: "the native module counts in 64 bits, and this number has more",
    "the": lambda p, count, *__: f"'the' needs exactly one, here are {count}",
    "there": lambda p, *__: "'the' needs one that is there, here is none",
    "division": lambda p, *__: "division by zero",
    "row": lambda p, value, *__: f"the table has no line for {value}",
    "key": lambda p, value, low, high, __: (
        f"there is no value for {value}: it goes from {low} to {high}"
    ),
    "deep": lambda p, *__: "a procedure runs more than 4 deep",
    "memory": lambda p, *__: "the native module has no memory left",
    "options": lambda p, *__: "a decision has more options than the native module has room for",
    "choices": lambda p, *__: (
        f"a random game is not over after {CHOICES:,} choices, or a decision has no options"
    ),
}
