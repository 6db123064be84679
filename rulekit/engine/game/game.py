"""The public `Game`: a game with its scenarios and rulings, which creates states."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from rulekit.common.errors import RulekitError, RulesError, SaveError
from rulekit.common.i18n.languages import HOME
from rulekit.common.i18n.messages import _
from rulekit.engine.game.setup import SituationStart, empty, position
from rulekit.engine.game.state import STATE_FORMAT, State
from rulekit.engine.game.state_reader import read_slots
from rulekit.engine.kernel.bound_program import BoundProgram, languages, unknown
from rulekit.engine.kernel.position import scripted
from rulekit.runtime.identity import Facts, Identity, facts_of, identity_of, places_of
from rulekit.runtime.program import Program
from rulekit.runtime.seeds import check_seed, draw_seed
from rulekit.runtime.slots import NOT_BEGUN, PC

if TYPE_CHECKING:
    import networkx

    from rulekit.runtime.compiled import Compiled
    from rulekit.runtime.wasm.instance import WasmInstance
    from rulekit.runtime.wasm_format import Native, NoNative


@frozen
class RulingChoice:
    """A question that the rule book leaves open, its alternatives and the default.

    Without alternatives it only documents a decision.
    """

    name: str
    alternatives: tuple[str, ...]
    default: str
    question: str = ""
    reason: str = ""
    ref: tuple[str, ...] = ()
    inventory: tuple[str, ...] = ()
    texts: dict[str, str] = field(factory=dict, hash=False)  # the text of each alternative


@frozen
class GameInfo:
    """The metadata of a game: its names, scenarios, rulings and editions."""

    name: str
    title: str = ""
    version: str = ""
    scenarios: tuple[tuple[str, str], ...] = ()  # (name, title)
    default_scenario: str = ""
    rulings: tuple[RulingChoice, ...] = ()
    editions: dict[str, dict[str, str]] = field(factory=dict, hash=False)
    manifest: dict[str, Any] = field(factory=dict, hash=False)
    digest: str = ""  # the digest of the game's files


Compiler = Callable[[str, dict[str, str]], Program]
_MAX_STARTS = 200  # starts of situations that a game keeps


class Game:
    """A game that can be played.

    Args:
        lang: the language of the game's texts, if the game has texts in it.
        compiled: returns the whole compiled game, so that it can be cached.
        native: returns the WebAssembly module. If its argument is False, only a module that exists
            already is returned.
        origin: the function and its arguments that load the game again. Pickling uses it.
    """

    def __init__(
        self,
        info: GameInfo,
        make: Compiler,
        lang: str = HOME,
        compiled: Callable[[], Compiled] | None = None,
        native: Callable[[bool], Native | NoNative | None] | None = None,
        origin: tuple[Callable[..., Game], tuple[Any, ...]] | None = None,
    ) -> None:
        self.info = info
        self._origin = origin
        self.lang = lang
        self.compiled = compiled
        self._native = native
        self._make = make
        self._programs: dict[tuple[str, tuple[tuple[str, str], ...]], Program] = {}
        self._tables: dict[tuple[int, str, str], BoundProgram] = {}
        self._facts: dict[int, tuple[Program, Facts]] = {}
        self._starts: dict[tuple[int, int | None], State] = {}  # by table and seed; None: emptied

    @property
    def name(self) -> str:
        """The game's name in files."""
        return self.info.name

    @property
    def title(self) -> str:
        """The game's name as people read it."""
        return self.info.title or self.info.name

    @property
    def scenarios(self) -> list[str]:
        """The names of the scenarios."""
        return [name for name, _ in self.info.scenarios]

    @property
    def sides(self) -> list[str]:
        """The players, in order."""
        return list(self.program().side_ids)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Return the game itself: playing does not change it."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Any, ...]]:
        if self._origin is None:
            raise TypeError("only a Game that `rulekit.load` has loaded can be pickled")
        return self._origin

    # ------------------------------------------------------------------------------------- programs
    def rulings(
        self, chosen: Mapping[str, str] | None = None, edition: str | None = None
    ) -> dict[str, str]:
        """Return the rulings that differ from the scenario's, checked.

        Those of the edition come first, and `chosen` overrides them.
        """
        known = {r.name: r for r in self.info.rulings if r.alternatives}
        picked: dict[str, str] = {}
        if edition is not None:
            if edition not in self.info.editions:
                raise self._unknown("no_edition", edition, self.info.editions)
            picked.update(self.info.editions[edition])
        picked.update(chosen or {})
        for name, alternative in picked.items():
            if name not in known:
                raise self._unknown("no_ruling", name, known)
            if alternative not in known[name].alternatives:
                raise self._unknown(
                    "no_alternative", alternative, known[name].alternatives, repr(name)
                )
        return picked

    def _unknown(self, key: str, name: str, known: Iterable[str], ruling: str = "") -> RulekitError:
        """Return the error for a name that the game does not have.

        It names the closest match and lists all valid names.
        """
        return unknown(self.lang, self.name, key, name, known, ruling)

    def scenario(self, name: str | None) -> str | None:
        """Return `name` if it is a scenario of the game. None, which means the default, is kept."""
        if name is not None and name not in self.scenarios:
            raise self._unknown("no_scenario", name, self.scenarios)
        return name

    def program(
        self,
        scenario: str | None = None,
        rulings: Mapping[str, str] | None = None,
        edition: str | None = None,
    ) -> Program:
        """Return the program of a scenario under rulings. Each one is created once."""
        name = scenario or self.info.default_scenario
        if self.scenarios and name not in self.scenarios:
            raise self._unknown("no_scenario", name, self.scenarios)
        picked = self.rulings(rulings, edition)
        key = (name, tuple(sorted(picked.items())))
        if key not in self._programs:
            self._programs[key] = self._make(name, picked)
        return self._programs[key]

    def identity(
        self,
        scenario: str | None = None,
        rulings: Mapping[str, str] | None = None,
        edition: str | None = None,
    ) -> Identity:
        """Return digests of everything on which results depend."""
        program = self.program(scenario, rulings, edition)
        shared = id(program.families)  # all programs of one compilation share this list
        if shared not in self._facts:
            self._facts[shared] = (program, facts_of(program))
        return identity_of(program, self._facts[shared][1])

    def names_digest(self) -> str:
        """Return a digest of the names that a save of this game contains."""
        self.identity()
        return next(iter(self._facts.values()))[1].record

    def places(self) -> str:
        """Return a digest of the places in the game's files that errors point to."""
        return places_of(self.program())

    def native(self, make: bool = True) -> Native | NoNative | None:
        """Return the WebAssembly module of the game, or the reason why it has none.

        The result is None if no module exists yet and `make` is False, or if the game's source is
        not available.
        """
        return self._native(make) if self._native is not None else None

    def wasm_instance(
        self,
        scenario: str | None = None,
        rulings: Mapping[str, str] | None = None,
        edition: str | None = None,
    ) -> WasmInstance:
        """Return a new instance of the game's WebAssembly module.

        The module is compiled on first use and kept. Raises `NotNative` if `wasmtime` is missing,
        or if the game cannot be compiled to WebAssembly.
        """
        from rulekit.runtime.wasm.instance import NotNative, WasmInstance, available

        if not available():
            raise NotNative(
                _("playing natively needs the library wasmtime: pip install 'rulekit[native]'")
            )
        return WasmInstance(self.program(scenario, rulings, edition), self.native())

    def table(
        self,
        scenario: str | None = None,
        rulings: Mapping[str, str] | None = None,
        edition: str | None = None,
        variant: str = "full",
    ) -> BoundProgram:
        """Return a program bound to its code and its names in the language of the game.

        It is cached.
        """
        program = self.program(scenario, rulings, edition)
        known = languages(program)
        if self.lang not in known:
            raise self._unknown("no_texts", self.lang, known)
        key = (id(program), self.lang, variant)
        if key not in self._tables:
            self._tables[key] = BoundProgram(program, self.lang, variant, self.native)
        return self._tables[key]

    def graph(
        self,
        by: str | None = None,
        scenario: str | None = None,
        rulings: Mapping[str, str] | None = None,
        edition: str | None = None,
    ) -> networkx.MultiDiGraph[str]:
        """Return the places and the borders between them as a networkx graph.

        See `rulekit.engine.game.place_graph`.
        """
        from rulekit.engine.game.place_graph import graph

        return graph(self.table(scenario, rulings, edition).names, by)

    def num_players(self) -> int:
        """Return the number of players."""
        return len(self.sides)

    def num_distinct_actions(self) -> int:
        """Return one more than the highest option id of the default scenario (ids begin at 1)."""
        return self.program().options + 1

    # --------------------------------------------------------------------------------------- states
    def new(
        self,
        scenario: str | None = None,
        seed: int | None = None,
        rulings: Mapping[str, str] | None = None,
        edition: str | None = None,
        dice: Sequence[int] = (),
    ) -> State:
        """Return a new game at its first decision.

        Args:
            seed: without one, a key is drawn (see `rulekit.runtime.seeds`).
            dice: the first random results, in order. Later ones come from the seed.
        """
        number = draw_seed() if seed is None else check_seed(seed)
        table = self.table(scenario, rulings, edition)
        slots = table.code.blank(number, scripted(dice) if dice else 0)
        state = State(table, slots)
        state.set_up()
        return state

    def blank(
        self, scenario: str | None = None, seed: int = 0, rulings: Mapping[str, str] | None = None
    ) -> State:
        """Return a state in which nothing has run, for situations that run a single procedure."""
        table = self.table(scenario, rulings)
        slots = table.code.blank(check_seed(seed), 0)
        slots[PC] = NOT_BEGUN
        return State(table, slots)

    def emptied(
        self, scenario: str | None = None, seed: int = 0, rulings: Mapping[str, str] | None = None
    ) -> State:
        """Return a blank state without the set-up of the scenario, for situations."""
        table = self.table(scenario, rulings)
        found = self._starts.get((id(table), None))
        if found is None:
            found = self._keep(id(table), None, empty(self.blank(scenario, 0, rulings)))
        state = found.clone(history=False)
        state.reseed(seed)
        return state

    def started(
        self, scenario: str | None = None, seed: int = 0, rulings: Mapping[str, str] | None = None
    ) -> State:
        """Return a game at its first decision, as `new` does, without its history.

        The set-up runs once for each seed. Later calls copy the result.
        """
        at = id(self.table(scenario, rulings))
        found = self._starts.get((at, seed)) or self._keep(
            at, seed, self.new(scenario, seed, rulings)
        )
        return found.clone(history=False)

    def _keep(self, table: int, seed: int | None, state: State) -> State:
        if len(self._starts) >= _MAX_STARTS:
            self._starts.pop(next(iter(self._starts)))
        self._starts[table, seed] = state
        return state

    def position(
        self,
        given: Mapping[str, Any] | None = None,
        *,
        scenario: str | None = None,
        rulings: Mapping[str, str] | None = None,
        edition: str | None = None,
        seed: int | None = None,
        empty: bool = False,
        run: str | None = None,
        within: Mapping[str, Mapping[str, Any]] | None = None,
        dice: Sequence[int | str] | None = None,
    ) -> State:
        """Return a state built from the data that situations use (docs/situations.md).

        Args:
            given: changes to the position of the scenario, or to an empty position.
            empty: start from an empty position instead of the scenario's.
            run: the procedure to start. Without it, play stands in the phase that `given` names, or
                else at the first decision.
            seed: without one, a key is drawn.

        Raises:
            RulekitError: the rules do not allow the data.
        """
        start = SituationStart(
            scenario=self.scenario(scenario),
            empty=empty,
            rulings=self.rulings(rulings, edition),
            seed=draw_seed() if seed is None else check_seed(seed),
            run=run,
            within={name: dict(fields) for name, fields in (within or {}).items()},
            dice=None if dice is None else list(dice),
        )
        return position(self, given or {}, start)

    def state_from_json(self, text: str) -> State:
        """Return the state that `State.to_json` wrote.

        Raises:
            SaveError: the text is not a state of this game, or holds values that cannot occur in
                play.
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SaveError(f"this is not a state: {error}") from None
        if not isinstance(data, dict) or data.get("format") != STATE_FORMAT:
            raise SaveError(f'this is not a state: it has no "format": "{STATE_FORMAT}"')
        if data.get("game") != self.name:
            raise SaveError(f"this is a state of {data.get('game')!r}, not of {self.name!r}")
        scenario, rulings, slots = data.get("scenario"), data.get("rulings"), data.get("state")
        if (
            not isinstance(scenario, str)
            or not isinstance(rulings, dict)
            or not all(isinstance(v, str) for v in rulings.values())
        ):
            raise SaveError("this is not a state: its scenario or rulings are damaged")
        try:
            table = self.table(scenario or None, rulings)
        except RulekitError as error:
            raise SaveError(f"this is not a state of this game: {error}") from None
        if data.get("rules") != table.program.rules:
            raise SaveError("this state belongs to other rules: the game has been changed since")
        state = State(table, read_slots(table.names, slots))
        self._ask_playable(state)
        return state

    def _ask_playable(self, state: State) -> None:
        """Raise SaveError unless the game is over or an option is offered.

        Each value may be valid by itself while the values do not fit together.
        """
        try:
            found = state.is_terminal() or state.legal_actions()
        except RulesError as error:
            raise SaveError(
                f"this is not a state: its values do not fit together ({error})"
            ) from None
        if not found:
            raise SaveError("this is not a state: nothing can be chosen here")
