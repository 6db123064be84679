"""The search tree in the native module, equal to `rulekit.engine.search.mcts.Tree`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.kernel.bound_program import BoundProgram
from rulekit.engine.search.line_memory import RememberedLine
from rulekit.engine.search.mcts import Aims, Base, TreeBranch, aims
from rulekit.runtime.search_constants import NODES, TRAITS
from rulekit.runtime.wasm.instance import WasmInstance, available, signed
from rulekit.runtime.wasm_format import Native

# key, value, iterations, times offered, first child, next sibling, lead gain
NODE = struct.Struct("<qdiiiid")  # a `NativeNode`
_TRAIT = struct.pack("<dd", 0.0, 1.0)
ROOMS = 64  # the largest number of determinizations
MEMORY = 128 << 20  # bytes of memory of a machine that searches


def machine_of(table: BoundProgram) -> WasmInstance | None:
    """Return a machine for the search, or None if the game does not run natively here."""
    if not available():
        return None
    found = table.native()
    return WasmInstance(table.program, found, memory=MEMORY) if isinstance(found, Native) else None


class NativeNode(NamedTuple):
    """A node of the tree as it lies in the memory of the module."""

    key: int  # the option times the number of players, plus the player
    value_sum: float  # the sum of the values of its iterations
    visits: int
    offered: int  # how often its option was offered
    child: int  # its first child, or 0
    sibling: int  # the next child of its parent, or 0
    lead_gain: float  # the sum of the gains of the lead


class NativeTree:
    """A search tree in the memory of a machine that is not shared."""

    def __init__(self, machine: WasmInstance, seed: int, given: Aims | None = None) -> None:
        self.machine, self.aims = machine, given if given is not None else aims(machine.program)
        native = machine.native
        self._lead = struct.Struct(f"<{native.sides}d")
        self._base = Base(native.sides)
        self._frame = native.size + 8 * max(native.sides, 1)
        self._worlds = (machine.top + 63) // 64 * 64
        self._traits = self._worlds + (ROOMS * self._frame + 63) // 64 * 64
        self._nodes = self._traits + TRAITS * len(_TRAIT)
        if not machine.grown(self._nodes + (NODES + 1) * NODE.size):
            raise RulekitError(_("there is not enough memory for a search"))
        self.failed = self._visits = 0
        machine.write(self._traits, _TRAIT * TRAITS)
        machine.write(self._nodes, NODE.pack(0, 0.0, 0, 0, 0, 0, 0.0))
        aim = native.scores.get(self.aims.total, -1)
        machine.set(
            aim=aim,
            scale=self.aims.scale,
            stretch=self.aims.horizon,
            worlds=self._worlds,
            traits=self._traits,
            nodes=self._nodes,
        )
        machine.call("plant", signed(seed & (1 << 64) - 1))

    def set_root_states(self, positions: Sequence[Sequence[int]], later: bool = False) -> None:
        """Set the determinizations of the next iterations, at most `ROOMS`."""
        for n, slots in enumerate(positions[:ROOMS]):
            self.machine.write(self._worlds + n * self._frame, self.machine.native.image(slots))
        self.machine.set(supposed=min(len(positions), ROOMS))
        self.machine.call("suppose")
        at = [
            self._worlds + n * self._frame + self.machine.native.size
            for n in range(min(len(positions), ROOMS))
        ]
        leads = self._base.of(
            [self._lead.unpack(self.machine.read(each, self._lead.size)) for each in at], later
        )
        if any(self._base.grown):
            for each, lead in zip(at, leads, strict=True):
                self.machine.write(each, self._lead.pack(*lead))

    def iterate(self, visits: int, only: int = 0) -> None:
        """Run more iterations.

        One that ends in an error of the rules does not count, because its determinization is
        impossible.
        """
        self.machine.set(only=only)
        end = self._visits + visits
        while self._visits < end:
            try:
                self.machine.call("grow", end - self._visits)
                self._visits = end
            except RulekitError:
                self.failed += 1
                self._visits = self.machine.value("visits")

    def branches(self, at: int = 0) -> list[TreeBranch]:
        """Return the choices tried at a node, in order of creation."""
        found, sides, child = [], self.aims.sides, self._node(at).child
        while child:
            node = self._node(child)
            visits = max(node.visits, 1)
            found.append(
                TreeBranch(
                    node.key // sides,
                    node.key % sides,
                    node.visits,
                    node.value_sum / visits,
                    node.lead_gain / visits,
                    child,
                )
            )
            child = node.sibling
        return found[::-1]

    def kept(self) -> RememberedLine | None:
        """Return the best variation of own choices, or None."""
        count, plays = self.machine.value("line_length"), self.machine.value("line_plays")
        if not count:
            return None
        line = struct.unpack(f"<{count}I", self.machine.read(self.machine.value("line"), 4 * count))
        return RememberedLine(line, plays, self.machine.real("line_won") / plays)

    def advance_root(self, at: int, own: bool = True) -> None:
        """Make a node the root."""
        if own:
            self.machine.call("descend", self._node(at).key // self.aims.sides)
        self.machine.write(self._nodes, NODE.pack(*self._node(at)))

    def _node(self, at: int) -> NativeNode:
        return NativeNode._make(
            NODE.unpack(self.machine.read(self._nodes + at * NODE.size, NODE.size))
        )
