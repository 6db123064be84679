"""The agent that searches a tree."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Container, Sequence
from concurrent.futures import Future, wait
from functools import partial
from math import inf, sqrt
from typing import TYPE_CHECKING

from attrs import frozen

from rulekit.engine.kernel.bound_program import BoundProgram
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.determinizations import determinize
from rulekit.engine.knowledge.masked_options import MaskedOptions
from rulekit.engine.search.detours import shortened
from rulekit.engine.search.mcts import Aims, Grower, Tree, TreeBranch, principal
from rulekit.runtime.search_constants import NODES

if TYPE_CHECKING:
    from rulekit.runtime.wasm.instance import WasmInstance

MAX_ITERATIONS = 10_000_000
# iterations that test each determinization if many have failed, since some may be impossible
PROBES = 2
PREPARING = 0.2  # the largest share of the time for sampling determinizations
PROBING = 0.6  # the share of the time after which testing them must end
SLICE = 0.005  # seconds between two looks at the clock
# seconds of search if it was stopped before, and between two checks for a stop while the native
# module is built
MIN_SEARCH_SECONDS = 0.02
MAX_SEARCH_SECONDS = 600.0
SCATTER = 0.2  # the standard deviation of the value of a variation in single iterations
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")
_VISITS = re.compile(r"(\d+)")


@frozen
class Effort:
    """The effort of a search: seconds, or a number of iterations if seconds is 0."""

    seconds: float = 0.5
    visits: int = 0


# easy has a fixed number of iterations, so that a person can win on a fast machine
LEVELS = {"easy": Effort(0.0, 100), "": Effort(), "hard": Effort(2.0)}


def effort(text: str) -> Effort | None:
    """Return the effort of `easy`, `hard`, `2s`, `0.2s` or `5000` (iterations).

    The text '' means the middle level. Any other text gives None.
    """
    if text in LEVELS:
        return LEVELS[text]
    if (found := _SECONDS.fullmatch(text)) and 0 < float(found[1]) <= MAX_SEARCH_SECONDS:
        return Effort(float(found[1]))
    if (found := _VISITS.fullmatch(text)) and 0 < int(found[1]) <= MAX_ITERATIONS:
        return Effort(0.0, int(found[1]))
    return None


@frozen
class Thought:
    """The result of a search.

    Attributes:
        branches: the branches of the player's options, best first.
        visits: the number of iterations.
        tree: the tree.
        worlds: the determinizations from which it grew.
        line: the choices that are known to go together, if the first branch begins with them. () if
            the first branch is simply the most visited one.
    """

    branches: Sequence[TreeBranch]
    visits: int
    tree: Grower
    worlds: Sequence[list[int]]
    line: tuple[int, ...]


class SearchAgent:
    """Searches a tree and takes the most visited choice, or one that begins a better variation.

    It searches determinizations with other dice, never the true position. With an effort in
    iterations, the same seed gives the same choices. From another thread, `stop()` ends the present
    search, and `end()` also all later ones.
    """

    def __init__(
        self, seed: int, effort: Effort, native: bool = True, given: Aims | None = None
    ) -> None:
        self.effort, self.native, self.aims = effort, native, given
        self._rng = random.Random(seed)
        self._machine: tuple[BoundProgram, WasmInstance | None] | None = None
        self._pending_machine: tuple[BoundProgram, Future[WasmInstance | None]] | None = None
        self._tree: Grower | None = None
        self._stands = (0, 0)  # the numbers of choices and random results at the last search
        self._grown = 0  # the number of iterations of the tree
        self._stopped = False
        self.ended = False

    def choose(self, state: Position) -> int:
        """Return the id of the best option."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        found = self.think(state).branches
        return (
            self._offered(state).get(found[0].option, legal[0])
            if found
            else self._rng.choice(legal)
        )

    def stop(self) -> None:
        """End the present or next search soon."""
        self._stopped = True

    def end(self) -> None:
        """End the present search soon, and every later one."""
        self.ended = True

    # --------------------------------------------------------------------------------------- search
    def think(self, state: Position, effort: Effort | None = None) -> Thought:
        """Search the decision of a state.

        Resources that are built once, such as the native module, are built before the time begins.
        If the search is stopped meanwhile, it runs in Python.
        """
        try:
            self.prepare(state.table)
            return self._think(state, effort or self.effort, time.perf_counter())
        finally:
            self._stopped = False
            if self._pending_machine is not None:
                self.forget()

    def _think(self, state: Position, given: Effort, begun: float) -> Thought:
        def is_over() -> bool:
            return self.ended or (
                self._stopped and time.perf_counter() - begun >= MIN_SEARCH_SECONDS
            )

        shown = self._offered(state)
        kept = self._kept(state)
        if kept is None:
            self._grown = 0
        tree = kept or self._new(state.table, self._rng.getrandbits(48))
        worlds = determinize(
            state,
            shown,
            self._rng,
            begun + given.seconds * PREPARING if not given.visits else inf,
            is_over,
        )
        tree.set_root_states(worlds, later=kept is not None)
        self._tree, self._stands = tree, (state.move_number(), state.randoms)
        done, size, failed, looked = 0, 1, tree.failed, False
        while not (self.ended or (done and is_over())):
            if not (left := given.visits - done if given.visits else size):
                break
            # the test of the determinizations comes after a fixed number of iterations, whatever
            # the size of the chunks
            size = min(size, left, size if looked else PROBES * len(worlds) - done)
            before = time.perf_counter()
            tree.iterate(size)
            now = time.perf_counter()
            done += size
            if not looked and done == PROBES * len(worlds):
                looked = True
                if 4 * (tree.failed - failed) > done:
                    worlds = self._tried(
                        tree, worlds, begun + given.seconds * PROBING if not given.visits else inf
                    )
                    tree.set_root_states(worlds)
            if not given.visits and now - begun >= given.seconds - SLICE:
                break
            size = max(1, min(size * 2, int(size * SLICE / max(now - before, 1e-6))))
        self._grown += done
        short = partial(
            shortened,
            state.table.program,
            worlds[0],
            inf if given.visits else begun + given.seconds,
        )
        found, line = self.branches(tree, state.current_player(), shown, short)
        return Thought(found, done, tree, worlds, line)

    def forget(self) -> None:
        """Drop the tree, so that the next search begins a new one."""
        self._tree = None

    def reseed(self, seed: int) -> None:
        """Continue as an agent that was created with this seed."""
        self._rng = random.Random(seed)
        self.forget()

    @staticmethod
    def branches(
        tree: Grower,
        side: int,
        shown: Container[int],
        short: Callable[[Sequence[int]], Sequence[int]],
    ) -> tuple[list[TreeBranch], tuple[int, ...]]:
        """Return the visible branches of a side at the root, best first, and the leading variation.

        The most visited branch is first. The first branch of the best variation comes before it if
        that variation has a higher value than the average of the most visited one, by more than
        luck explains. Only then is the variation returned.

        Args:
            short: removes the redundant prefix of a variation.
        """
        found = sorted(
            (b for b in tree.branches() if b.side == side and b.option in shown),
            key=lambda b: (-b.visits, -b.value, b.option),
        )
        if not found:
            return found, ()
        kept, options = tree.kept(), [b.option for b in found]
        led = (
            kept
            if kept is not None and kept.value - SCATTER / sqrt(kept.visits) > found[0].value
            else None
        )
        line = led.line if led else principal(tree, found[0])
        line = next((tuple(each) for each in (short(line), line) if each[0] in options), ())
        first = line[0] if line else options[0]
        return sorted(found, key=lambda b: b.option != first), line if led else ()

    def _new(self, table: BoundProgram, seed: int) -> Grower:
        """Return a new tree, in the native module if it is ready."""
        from rulekit.engine.search.native_tree import NativeTree

        machine = self.machine_of(table) if self._pending_machine is None else None
        return (
            Tree(table.program, seed, self.aims)
            if machine is None
            else NativeTree(machine, seed, self.aims)
        )

    def prepare(self, table: BoundProgram) -> None:
        """Build the native module and other shared resources, so that no search waits for them."""
        table.program.code("fast")
        self.machine_of(table)

    def machine_of(self, table: BoundProgram) -> WasmInstance | None:
        """Return the machine for the search, or None for a search in Python.

        It is also None if the search was stopped before the machine was ready. The machine is then
        finished in another thread.
        """
        from rulekit.engine.search.native_tree import machine_of

        if self._machine is None or self._machine[0].program is not table.program:
            if (
                self._pending_machine is None
                or self._pending_machine[0].program is not table.program
            ):
                self._pending_machine = (
                    table,
                    _begun(partial(machine_of, table) if self.native else lambda: None),
                )
            while not wait([self._pending_machine[1]], MIN_SEARCH_SECONDS).done:
                if self._stopped or self.ended:
                    return None
            made, self._pending_machine = self._pending_machine[1], None
            self._machine = table, made.result()
        return self._machine[1]

    @property
    def natively(self) -> bool:
        """True if the last tree grew in the native module."""
        return self._machine is not None and self._machine[1] is not None

    def _kept(self, state: Position) -> Grower | None:
        """Return the tree of the last decision with its root moved to the present one, or None.

        This is possible if only this seat has chosen since then, others have passed at most, and
        nothing was rolled or drawn.
        """
        tree, (count, randoms) = self._tree, self._stands
        me, now = state.current_player(), state.move_number()
        if tree is None or not count < now or state.randoms != randoms or self._grown > NODES // 2:
            return None
        for choice, option in enumerate(state.history()[count:], count + 1):
            who = state.chooser(choice)
            if who != me and not state.was_pass(choice):
                return None
            at = next((b.at for b in tree.branches() if b.option == option and b.side == who), 0)
            if at:
                tree.advance_root(at, who == me)
            elif not (state.was_forced(choice) or state.was_pass(choice)):
                return None
        return tree

    def _offered(self, state: Position) -> dict[int, int]:
        return MaskedOptions(state.table.program).ids(state)

    @staticmethod
    def _tried(tree: Grower, worlds: list[list[int]], until: float) -> list[list[int]]:
        """Return the determinizations that are possible.

        One is impossible if each of `PROBES` iterations from it ends in an error of the rules. If
        no possible one is found in time, all are returned.
        """
        found = list[list[int]]()
        for slots in worlds if len(worlds) > 1 else ():
            if time.perf_counter() > until:
                break
            tree.set_root_states([slots])
            failed = tree.failed
            tree.iterate(PROBES)
            if tree.failed - failed < PROBES:
                found.append(slots)
        return found or worlds


def _begun(make: Callable[[], WasmInstance | None]) -> Future[WasmInstance | None]:
    """Run `make` in a daemon thread, for which the program does not wait at its end."""
    made: Future[WasmInstance | None] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except BaseException as error:
            made.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return made
