"""Play ranges of games in the native module, with the same tallies as Python, to the byte.

Python plays the games that the module cannot report on: watched games, and games that break a rule,
so that the error texts are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from rulekit.common.errors import RulesError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.kernel.scoring import measures
from rulekit.engine.simulation.ranges import RANDOM, Order, RangePlayer, range_player
from rulekit.engine.simulation.tally import Tally
from rulekit.runtime.intrinsics import KEYS
from rulekit.runtime.program import Program
from rulekit.runtime.wasm.instance import Measured, NotNative, PlayedBatch, WasmInstance, available
from rulekit.runtime.wasm_format import RESULT

AUTO, NATIVE, PYTHON = ENGINES = ("auto", "native", "python")
# the column of a result that holds the number of its marks, and the number of words of a result
_MARKS, _WORDS = 5, RESULT // 8


def hindrance(order: Order) -> NotNative | None:
    """Return the reason why an order needs Python in any game, or None."""
    if not available():
        return NotNative(
            _("playing natively needs the library wasmtime: pip install 'rulekit[native]'")
        )
    if any(seat != RANDOM for seat in order.seats.values()):
        return NotNative(_("only random seats play natively"))
    if order.full:
        return NotNative(_("recording all events and testing the invariants is done in Python"))
    if order.coverage == 1:
        return NotNative(_("every game is watched"))
    if order.seed + order.games >= KEYS:
        return NotNative(_("seeds of native games are below 2^64"))
    return None


def native_ranges(game: Game, order: Order, make: bool = True) -> NativeRanges:
    """Return the native player of an order.

    Args:
        make: build the module if necessary, as in `Game.native`.

    Raises:
        NotNative: the order cannot be played natively. The text has the reason.
    """
    reason = hindrance(order)
    if reason is not None:
        raise reason
    module = game.native(make)
    if module is None:
        raise NotNative(
            _("there is no native module, and no source of the game to make one from")
            if make
            else _("there were too few games to make a native module")
        )
    return NativeRanges(
        game, order, WasmInstance(game.program(order.scenario, order.rulings), module)
    )


class NativeRanges:
    """Plays ranges of one order.

    Attributes:
        natively: the number of games of the last range that were played in the module.
    """

    def __init__(self, game: Game, order: Order, machine: WasmInstance) -> None:
        self.natively = 0
        self._order, self._machine = order, machine
        self._python: RangePlayer = range_player(game, order)
        self._program: Program = machine.program
        self._sides: Sequence[str] = self._program.side_ids
        known = measures(self._program)
        self._measured, self._scored = Measured(known.score, known.turn), known.score >= 0

    def play(self, begin: int, end: int) -> Tally:
        """Play the games with the numbers begin .. end - 1."""
        tally, at, self.natively = Tally(), begin, 0
        every = self._order.coverage
        while at < end:
            if self._order.watches(at):
                tally.add(self._python(at, at + 1))
                at += 1
            else:
                at = self._play_range(
                    at, min(end, at - at % every + every) if every else end, tally
                )
        return tally

    def _play_range(self, begin: int, end: int, tally: Tally) -> int:
        """Play unwatched games, as many as fit into memory. Return the number of the next game."""
        failed = False
        try:
            played = self._machine.play(self._order.seed + begin, end - begin, self._measured)
        except (RulesError, NotNative):
            played, failed = self._machine.played(), True
        count = self._count(played, tally)
        if failed:
            tally.add(self._python(begin + count, begin + count + 1))
        return begin + count + failed

    def _count(self, played: PlayedBatch, tally: Tally) -> int:
        """Count games in the same way as `Tally.ended` counts each. Return their number."""
        rows, marks, wide = (
            played.results.cast("q"),
            played.marks.cast("q"),
            self._machine.native.row // 8,
        )
        winners, levels, lengths = (rows[i::_WORDS].tolist() for i in range(3))
        counts = rows[_MARKS::_WORDS].tolist()
        tally.games += len(lengths)
        tally.decisions += sum(lengths)
        for (winner, level), n in Counter(zip(winners, levels, strict=True)).items():
            tally.results[
                self._sides[winner] if winner >= 0 else "", self._program.levels[level]
            ] += n
        tally.lengths.update(lengths)
        tally.turns.update(counts)
        if self._scored:
            turns, last = marks[::wide].tolist(), [n - 1 for n in accumulate(counts)]
            for i, side in enumerate(self._sides):
                scores = marks[1 + i :: wide].tolist()
                tally.scores.update(
                    {
                        (turn, side, score): n
                        for (turn, score), n in Counter(zip(turns, scores, strict=True)).items()
                    }
                )
                tally.final.update(
                    {(side, score): n for score, n in Counter([scores[at] for at in last]).items()}
                )
        self.natively += len(lengths)
        return len(lengths)


__all__ = ["AUTO", "ENGINES", "NATIVE", "PYTHON", "NativeRanges", "hindrance", "native_ranges"]
