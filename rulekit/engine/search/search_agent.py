"""Takes a state at a decision and an effort, makes a choice: the seat that searches."""

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

from rulekit.engine.kernel.bound_program import Table
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.determinizations import imagined
from rulekit.engine.knowledge.masked_options import Offered
from rulekit.engine.search.detours import shortened
from rulekit.engine.search.mcts import Aims, Branch, Grower, Tree, principal
from rulekit.runtime.search_constants import NODES

if TYPE_CHECKING:
    from rulekit.runtime.wasm.instance import WasmInstance

PROBES = 2  # visits from each, if many have ended in errors: the rules may say that it cannot be
PREPARING = 0.2  # of the time at most, to find them
PROBING = 0.6  # of the time are over at most when they have been tried
SLICE = 0.005  # seconds between two looks at the clock
# seconds that it thinks if it was stopped before, or between two looks whether it was, while the
# native module is made
STILL = 0.02
MOST = 600.0
SCATTER = 0.2  # of what single visits of a line are worth
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")
_VISITS = re.compile(r"(\d+)")


@frozen
class Effort:
    """How long is thought about a decision: seconds, or (0) visits."""

    seconds: float = 0.5
    visits: int = 0


LEVELS = {
    "easy": Effort(0.0, 100),
    "": Effort(),
    "hard": Effort(2.0),
}  # easy: a person may win, however fast the machine is


def effort(text: str) -> Effort | None:
    """That of `easy`, `hard`, `2s`, `0.2s`, `5000` (visits); '' is the middle one. None: it is
    none."""
    if text in LEVELS:
        return LEVELS[text]
    if (found := _SECONDS.fullmatch(text)) and 0 < float(found[1]) <= MOST:
        return Effort(float(found[1]))
    if (found := _VISITS.fullmatch(text)) and 0 < int(found[1]) <= 10_000_000:
        return Effort(0.0, int(found[1]))
    return None


@frozen
class Thought:
    """What came of thinking about a decision: the branches by their options (the best first), the
    visits that were made, the tree, and the supposed positions from which it grew. `line`: of the
    player's choices that are known to go together, with which the first branch begins; () where it
    is the one that was visited most."""

    branches: Sequence[Branch]
    visits: int
    tree: Grower
    worlds: Sequence[list[int]]
    line: tuple[int, ...]


class SearchAgent:
    """Grows a tree and takes the choice that was visited most. It looks at positions that the
    player may suppose, never at the true one, and at other dice. With an effort in visits the same
    seed makes the same choices. `stop()` from another thread ends its thinking, `end()` also all
    that it would think later."""

    def __init__(
        self, seed: int, effort: Effort, native: bool = True, given: Aims | None = None
    ) -> None:
        self.effort, self.native, self.aims = effort, native, given
        self._rng = random.Random(seed)
        self._machine: tuple[Table, WasmInstance | None] | None = None
        self._making: tuple[Table, Future[WasmInstance | None]] | None = None
        self._tree: Grower | None = None
        self._stands = (
            0,
            0,
        )  # the choices and the random results that there were when it was thought last
        self._grown = 0  # the visits of the tree
        self._stopped = False
        self.ended = False

    def choose(self, state: Position) -> int:
        """The id of the option that was visited most."""
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
        """What it thinks, or thinks next, is ended soon."""
        self._stopped = True

    def end(self) -> None:
        """What it thinks is ended soon, and it thinks no more."""
        self.ended = True

    # -------------------------------------------------------------------------------- thinking
    def think(self, state: Position, effort: Effort | None = None) -> Thought:
        """Grows the tree for the decision of a state. What is made once, as the native module, is
        made before its time begins; if it is stopped meanwhile, this tree grows in Python."""
        try:
            self.prepare(state.table)
            return self._think(state, effort or self.effort, time.perf_counter())
        finally:
            self._stopped = False
            if self._making is not None:
                self.forget()

    def _think(self, state: Position, given: Effort, begun: float) -> Thought:
        def is_over() -> bool:
            return self.ended or (self._stopped and time.perf_counter() - begun >= STILL)

        shown = self._offered(state)
        kept = self._kept(state)
        if kept is None:
            self._grown = 0
        tree = kept or self._new(state.table, self._rng.getrandbits(48))
        worlds = imagined(
            state,
            shown,
            self._rng,
            begun + given.seconds * PREPARING if not given.visits else inf,
            is_over,
        )
        tree.suppose(worlds, later=kept is not None)
        self._tree, self._stands = tree, (state.choices_count(), state.randoms)
        done, size, failed, looked = 0, 1, tree.failed, False
        while not (self.ended or (done and is_over())):
            if not (left := given.visits - done if given.visits else size):
                break
            size = min(
                size, left, size if looked else PROBES * len(worlds) - done
            )  # so that chunks of any size find the same
            before = time.perf_counter()
            tree.grow(size)
            now = time.perf_counter()
            done += size
            if not looked and done == PROBES * len(worlds):
                looked = True
                if 4 * (tree.failed - failed) > done:
                    worlds = self._tried(
                        tree, worlds, begun + given.seconds * PROBING if not given.visits else inf
                    )
                    tree.suppose(worlds)
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
        """The next tree is another one."""
        self._tree = None

    def reseed(self, seed: int) -> None:
        """From now on it chooses as one that was made with this seed."""
        self._rng = random.Random(seed)
        self.forget()

    @staticmethod
    def branches(
        tree: Grower,
        side: int,
        shown: Container[int],
        short: Callable[[Sequence[int]], Sequence[int]],
    ) -> tuple[list[Branch], tuple[int, ...]]:
        """Those at the root that a side was shown, the most visited first; before them that with
        which the best line begins, if the line is worth more than the most visited one is on the
        average, and more than luck explains. Then that line, if so. `short`: leaves out the detour
        with which a line begins."""
        found = sorted(
            (b for b in tree.branches() if b.side == side and b.option in shown),
            key=lambda b: (-b.visits, -b.worth, b.option),
        )
        if not found:
            return found, ()
        kept, options = tree.kept(), [b.option for b in found]
        led = (
            kept
            if kept is not None and kept.worth - SCATTER / sqrt(kept.visits) > found[0].worth
            else None
        )
        line = led.line if led else principal(tree, found[0])
        line = next((tuple(each) for each in (short(line), line) if each[0] in options), ())
        first = line[0] if line else options[0]
        return sorted(found, key=lambda b: b.option != first), line if led else ()

    def _new(self, table: Table, seed: int) -> Grower:
        """A tree: in the native module where there is one, and it is made."""
        from rulekit.engine.search.native_tree import NativeTree

        machine = self.machine_of(table) if self._making is None else None
        return (
            Tree(table.program, seed, self.aims)
            if machine is None
            else NativeTree(machine, seed, self.aims)
        )

    def prepare(self, table: Table) -> None:
        """Makes what is made once, as the native module: no thought waits for it then."""
        table.program.code("fast")
        self.machine_of(table)

    def machine_of(self, table: Table) -> WasmInstance | None:
        """The machine in which it searches; None where it does so in Python, and if it was stopped
        before the machine was made: that goes on in a thread of its own."""
        from rulekit.engine.search.native_tree import machine_of

        if self._machine is None or self._machine[0].program is not table.program:
            if self._making is None or self._making[0].program is not table.program:
                self._making = (
                    table,
                    _begun(partial(machine_of, table) if self.native else lambda: None),
                )
            while not wait([self._making[1]], STILL).done:
                if self._stopped or self.ended:
                    return None
            made, self._making = self._making[1], None
            self._machine = table, made.result()
        return self._machine[1]

    @property
    def natively(self) -> bool:
        """Did the last tree grow in the native module?"""
        return self._machine is not None and self._machine[1] is not None

    def _kept(self, state: Position) -> Grower | None:
        """The tree of the last decision, from where play has come to: if since then this seat alone
        has chosen, others have passed at most, and nothing was rolled or drawn."""
        tree, (count, randoms) = self._tree, self._stands
        me, now = state.current_player(), state.choices_count()
        if tree is None or not count < now or state.randoms != randoms or self._grown > NODES // 2:
            return None
        for choice, option in enumerate(state.history()[count:], count + 1):
            who = state.chooser(choice)
            if who != me and not state.was_pass(choice):
                return None
            at = next((b.at for b in tree.branches() if b.option == option and b.side == who), 0)
            if at:
                tree.descend(at, who == me)
            elif not (state.was_forced(choice) or state.was_pass(choice)):
                return None
        return tree

    def _offered(self, state: Position) -> dict[int, int]:
        return Offered(state.table.program).ids(state)

    @staticmethod
    def _tried(tree: Grower, worlds: list[list[int]], until: float) -> list[list[int]]:
        """Those of some positions that can be: not each of `PROBES` visits from there ends in an
        error of the rules. All, if none of those can for which the clock left time."""
        found = list[list[int]]()
        for slots in worlds if len(worlds) > 1 else ():
            if time.perf_counter() > until:
                break
            tree.suppose([slots])
            failed = tree.failed
            tree.grow(PROBES)
            if tree.failed - failed < PROBES:
                found.append(slots)
        return found or worlds


def _begun(make: Callable[[], WasmInstance | None]) -> Future[WasmInstance | None]:
    """What is made from now on in a thread that nobody waits for when the program ends."""
    made: Future[WasmInstance | None] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except BaseException as error:
            made.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return made
