"""Takes choices, makes events: `State` is a game at one of its decisions, a plain value that plays in place."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, SupportsIndex

from rulekit.common.errors import IllegalChoice, RulekitError, RulesError
from rulekit.engine.explain import refusals
from rulekit.engine.explain.derivation import Derivation, derive
from rulekit.engine.kernel.decision import Decision, Option, id_of, matching, no_such, number_of, refuse_long
from rulekit.engine.kernel.events import Event, Log
from rulekit.engine.kernel.names import NO_LIMIT
from rulekit.engine.kernel.position import Result, UnderWay
from rulekit.engine.kernel.undo_barrier import barrier
from rulekit.engine.knowledge.observation import Onlooker
from rulekit.engine.knowledge.visibility import Knower, decision_of
from rulekit.runtime import intrinsics
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.seeds import check_seed
from rulekit.runtime.slots import LAYERS, PC, SCRIPT, SEED

STATE_FORMAT = "rulekit-state"
ALL = "all"  # as a viewer: who may know everything


class State(UnderWay):
    """A game at a decision. Made by `Game.new`, `Game.state_from_json` or `clone`.

    Two states are equal if the same game stands at the same position with the same seed and count of dice, however it came there."""

    __slots__ = ()

    # ------------------------------------------------------------------ what play stands at
    @property
    def decision(self) -> Decision | None:
        """Who is asked what; None when the game is over."""
        return decision_of(self)

    # ------------------------------------------------------------------ choices
    def apply(self, choice: Option | str | SupportsIndex) -> Log:
        """Takes an option (or its key, or its id), in place; returns the new events. Refuses what is not offered. If it fails, nothing has
        changed."""
        before = len(self._log)
        self._push(self.find(choice).id, self.hold_to_invariants, self._anew)
        self._redo.clear()
        return Log(self._table.events, self._log, before, len(self._log))

    def apply_action(self, action: SupportsIndex) -> None:
        """Takes an option by its id, without building names or events for anybody; for agents and searches."""
        if type(action) is not int:
            action = id_of(self.names, action)
        if self._s[PC] <= 0 or not intrinsics.offers(self._code.layers(self._s), action):
            raise IllegalChoice(self._refusal(action))
        self._push(action, seed=self._anew)
        self._redo.clear()

    def _push(self, action: int, after: Callable[[], None] | None = None, seed: int | None = None) -> None:
        """Makes a choice, and what is looked at after it; back again if one of the two fails or is broken off. `seed`: of its dice,
        where it is not the present one."""
        log, trail = self._log, self._trail
        self.mark(action, intrinsics.is_single(self._code.layers(self._s)))
        if seed is not None and seed != self._s[SEED]:
            trail += (SEED, self._s[SEED])
            self._s[SEED] = seed
        try:
            self._code.apply(self._s, action, log, trail)
            if after is not None:
                after()
        except Exception as error:
            self._back()
            raise as_rules_error(self._program, error) from error
        except BaseException:  # the user's hand on the keyboard
            self._back()
            raise

    def _back(self) -> int:
        log, trail, action, _, _ = self._marks.pop()
        intrinsics.undo(self._s, self._trail, trail)
        del self._log[log:]
        return action

    def find(self, choice: Option | str | SupportsIndex) -> Option:
        """The offered option that is meant; IllegalChoice with the reason if there is none. `#3` is the third."""
        legal = self.legal_actions()
        if isinstance(choice, Option):
            choice = choice.id
        if not isinstance(choice, str):
            action = id_of(self.names, choice)
            if action not in legal:
                raise IllegalChoice(self._refusal(action))
            return self._table.book.option(action)
        refuse_long(self.names, choice)
        options = self._table.book.options(legal)
        number = number_of(choice[1:]) if choice[:1] == "#" else None
        if number is not None and 1 <= number <= len(options):
            return options[number - 1]
        found = matching(choice, options, self.names)
        if len(found) == 1:
            return found[0]
        raise IllegalChoice(no_such(self.names, choice, options) if found or not legal else self._named_refusal(choice, options))

    def _named_refusal(self, text: str, options: Sequence[Option]) -> str:
        whys = refusals.by_name(self, text)
        return self.names.semicolon.join(whys[:3]) if whys else no_such(self.names, text, options)

    def _refusal(self, action: int) -> str:
        if self._s[PC] <= 0:
            return self.names.word("end_of_moves")
        return refusals.explain(self, action)

    def undo(self) -> int:
        """Takes back the last choice, whoever made it; returns its id. What the step cost, this costs."""
        if not self._marks:
            raise IllegalChoice(self.names.word("nothing_to_undo"))
        seed = self._s[SEED]
        action = self._back()
        self._redo.append((action, seed))
        return action

    def redo(self) -> Log:
        """Makes again the choice that was taken back last; the same events happen."""
        if not self._redo:
            raise IllegalChoice(self.names.word("nothing_undone"))
        before = len(self._log)
        action, seed = self._redo[-1]
        self._push(action, seed=seed)
        self._redo.pop()
        return Log(self._table.events, self._log, before, len(self._log))

    def may_take_back(self, player: int | str) -> str:
        """'' if this player may take back his last choice, else the reason why not."""
        if not self._marks:
            return self.names.word("nothing_to_undo")
        own = self.last_of(self.names.side(player))
        if own < 0:
            return self.names.word("others_choice")
        return self.names.word(barrier(self._program, self._log, self._marks[own][0]))

    def take_back(self, player: int | str) -> int:
        """Takes back a player's own last choice, and others' passes after it; returns its id. Not past a die, a draw, a reveal or a choice
        of another player that is no pass."""
        why = self.may_take_back(player)
        if why:
            raise IllegalChoice(self.names.word("no_undo", why=why))
        own = self.last_of(self.names.side(player))
        while len(self._marks) > own + 1:
            self.undo()
        return self.undo()

    # ------------------------------------------------------------------ copies
    def in_language(self, lang: str) -> State:
        """The same state, no copy, that speaks another language: what happens to one happens to both. RulekitError if the game has no
        such texts."""
        if lang == self.names.lang:
            return self
        other = State(self._table.in_language(lang), self._s)
        other._log, other._trail, other._marks, other._redo = self._log, self._trail, self._marks, self._redo
        other._noticed, other._anew = self._noticed, self._anew
        return other

    def clone(self, history: bool = True) -> State:
        """An equal and independent copy. Without `history` it has no events, and cannot undo what was before."""
        other = State(self._table, self._s[:])
        other._anew = self._anew
        if not history:
            other.settle()
        else:
            other._log, other._trail = self._log[:], self._trail[:]
            other._marks, other._redo = self._marks[:], self._redo[:]
            other._noticed = dict(self._noticed)
        return other

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a State cannot be pickled: keep `state.to_json()` and read it with `game.state_from_json(text)`")

    def reseeded(self, seed: int) -> State:
        """A copy without history whose dice and draws to come are others: to look ahead without knowing what will be rolled."""
        other = self.clone(history=False)
        other.reseed(seed)
        return other

    def reseed(self, seed: int) -> None:
        """The same in place, with its history; what was taken back cannot be made again."""
        self._s[SEED], self._anew = check_seed(seed), None
        self._s[SCRIPT] = 0
        self._redo.clear()

    def renew(self, seed: int) -> None:
        """From here on dice and draws are those of this seed, also of choices that are taken back and chosen anew; those that stand keep
        theirs. What was taken back cannot be made again."""
        self._anew = check_seed(seed)
        self._redo.clear()

    def _value(self) -> list[Any]:
        slots: list[Any] = [*map(int, self._s[:LAYERS]), None, *map(int, self._s[LAYERS + 1:])]  # what was compared is no number yet
        slots[SEED] = slots[SEED] if self._anew is None else self._anew
        return slots

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._program.rules == other._program.rules and self._value() == other._value()

    def __hash__(self) -> int:
        return hash((self._program.rules, tuple(self._value())))

    def __repr__(self) -> str:
        return f"<State of {self._program.name}, {self.decision or self.result}>"

    def to_json(self) -> str:
        """The whole position, for nobody's eyes but the engine's: it holds the seed and all secrets. See `Game.state_from_json`."""
        program = self._program
        return json.dumps({
            "format": STATE_FORMAT, "game": program.name, "rules": program.rules, "scenario": program.scenario,
            "rulings": {r.name: r.chosen for r in program.rulings}, "state": self._value()}, separators=(",", ":"))

    # ------------------------------------------------------------------ queries
    def view(self, player: int | str | None) -> dict[str, Any]:
        """All that this player may know (None: a spectator), as plain data."""
        return Onlooker(self, player).everything()

    def explain(self, name: str, *args: Any, viewer: int | str | None = ALL) -> Derivation:
        """How a total or permit comes about here. `viewer`: a player, or None for a spectator: what he may not know is masked."""
        what, index, _ = self.names.declared(name)
        if what not in ("total", "permit"):
            raise RulekitError(self.names.word("no_derivation_of", name=repr(name)))
        raw, knows = self.arguments(name, args), None if viewer == ALL else Knower(self, viewer)
        try:
            return derive(self.names, self._code.explain(self._s, what, index, raw), knows, asked=True)
        except RulesError:
            raise
        except (ArithmeticError, LookupError, ValueError) as error:
            raise as_rules_error(self._program, error) from error

    def why(self, choice: str | SupportsIndex) -> list[str]:
        """Why an option is not offered here: the rule, its paragraph and what failed, for each that may be meant. Empty: it is offered.
        It tells no more than the player who is asked may know: of a text that names a thing unknown to him, not whether it is offered."""
        if not isinstance(choice, str):
            action = id_of(self.names, choice)
            return [] if action in self.legal_actions() else [self._refusal(action)]
        if self._s[PC] <= 0:
            return [self.names.word("end_of_moves")]
        refuse_long(self.names, choice)
        options = refusals.nameable(self, self._table.book.options(self.legal_actions()))
        if len(matching(choice, options, self.names)) == 1:
            return []
        return refusals.by_name(self, choice) or [no_such(self.names, choice, options)]

    # ------------------------------------------------------------------ for situations: outside of play
    def set(self, path: str, value: Any) -> None:
        """Writes a cell outside of the rules (situations, editors). The history is dropped: it would not lead here any more."""
        cell, keys = self.names.cell(path)
        type, parsed = cell.type, self.names.parse(cell.type, value)
        if type.form == "member" and parsed < 0 and not type.optional:
            raise RulekitError(f"{path} is never none")
        if type.form == "int" and not (type.optional and parsed == NO_LIMIT):
            low, high = parsed if type.low is None else type.low, parsed if type.high is None else type.high
            if not low <= parsed <= high:
                raise RulekitError(f"{path} lies between {low} and {high}")
        self.put(cell, keys, parsed)
        self.forget()


__all__ = ["NO_LIMIT", "Event", "Result", "State"]
