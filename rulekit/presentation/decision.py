"""`SeatDecision`: the current decision and its options, as an observer may know them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import asdict, field, frozen

from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.names import Names
from rulekit.engine.kernel.undo_barrier import UNDO_STOPS
from rulekit.engine.kernel.undo_reach import undo_reach
from rulekit.engine.knowledge.observable_history import ObservableHistory
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import decision_of
from rulekit.engine.knowledge.world_enumeration import Basis
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead, is_unlimited
from rulekit.presentation.rich_text import Spans, paragraphs, sort_of, spans_of
from rulekit.presentation.walk import Walking
from rulekit.runtime.program import FamilyInfo, PriceInfo


def _apart(attribute: Any, _: object) -> bool:
    return attribute.name not in ("spans", "options")  # these have their own plain form


@frozen
class Points:
    """A number of points that are spent.

    Attributes:
        amount: The number, or None if the observer may not know it before.
        of: The source: a state (`points.red`), a field of a running procedure (`budget`), or the
            name of a movement for its allowance.
    """

    amount: int | None
    unit: str | None
    of: str

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return asdict(self)


@frozen
class ParamType:
    """The type of a parameter of an option.

    Attributes:
        form: member or int.
        kind: The name of the kind of a member.
        role: piece, place, side, number or thing.
            The data give the places of pieces. A place holds pieces, or is joined by borders.
    """

    form: str
    kind: str | None
    role: str


@frozen
class MayUndo:
    """Whether this seat may take back its last choice. If not, `why` is the reason."""

    may: bool
    why: str = ""


@frozen
class SeatOption:
    """One option.

    Attributes:
        key: The text that takes the option (`State.apply`).
        verb: The first word of the key.
        params, types: The parameters, by name.
        cost: The price of the option.
        ends_at: For a step of a walk, the place of the group at the next decision or at its end.
            It may lie beyond the place of the step.
        may_stop: True if the group may stay there.
            None if this depends on a die, a draw, a reveal or hidden information.
            The place may be unknown for the same reasons.
        spans: The label, with the things that it names.
    """

    key: str
    verb: str
    label: str
    params: dict[str, Any] = field(hash=False)
    types: dict[str, ParamType] = field(factory=dict, hash=False)
    cost: tuple[Points, ...] = ()
    ends_at: str | None = None
    may_stop: bool | None = None
    ref: tuple[str, ...] = ()
    spans: Spans = ()

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return {**asdict(self, filter=_apart), "spans": [span.to_json() for span in self.spans]}


@frozen
class SeatDecision:
    """A decision: the player who decides, the prompt and the options.

    Attributes:
        kind: choose, pick, group, walk, window or tie.
        moment: For a window, the moment that is open.
        procedure: The procedure that asks.
        spans: The prompt, with the things that it names.
        left: The points that are left to spend here, as far as the observer may know them.
        undo: Whether this seat may take back its last choice.
        options: The options, or None for anybody but the deciding player.
        forced: True if there is only one option. False for anybody but the deciding player.
    """

    player: str
    kind: str
    prompt: str
    ref: tuple[str, ...]
    moment: str | None
    procedure: str
    left: tuple[Points, ...] = ()
    undo: MayUndo = MayUndo(False)
    forced: bool = False
    options: tuple[SeatOption, ...] | None = None
    spans: Spans = ()

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        options = None if self.options is None else [option.to_json() for option in self.options]
        return {
            **asdict(self, filter=_apart),
            "options": options,
            "spans": [span.to_json() for span in self.spans],
        }


def asked(observer: Observer, history: ObservableHistory | None = None) -> SeatDecision | None:
    """Return the decision as an observer may know it, or None when the game is over.

    `history` is the choices as the observer can count them. None counts all of them.
    """
    now = decision_of(observer.state)
    if now is None:
        return None
    mine = observer.me >= 0 and now.player == observer.names.sides[observer.me]
    options = tuple(_offered(observer)) if mine else None
    prompt = observer.prompt()
    return SeatDecision(
        now.player,
        now.kind,
        prompt,
        paragraphs(now.ref),
        now.moment,
        now.procedure,
        left(observer),
        undo(observer, history),
        options is not None and len(options) == 1,
        options,
        spans_of(observer.names, prompt),
    )


def undo(observer: Observer, history: ObservableHistory | None = None) -> MayUndo:
    """Return whether this seat may take back its last choice."""
    if observer.me < 0:
        return MayUndo(False)
    if history is not None and history.after:  # only as far as the player can observe
        found = undo_reach(observer.state, observer.me, history.counts)
        return MayUndo(
            found.steps > 0, "" if found.steps else observer.names.say(UNDO_STOPS[found.why])
        )
    why = observer.state.undo_refusal(observer.me)
    return MayUndo(not why, why)


# ------------------------------------------------------------------------------------------ options
def _offered(observer: Observer) -> Iterator[SeatOption]:
    lookahead, book, options = (
        PlayerLookahead.of(observer),
        observer.state.table.book,
        observer.options(),
    )
    basis = Basis.of(observer) if any(book.family(option.id).arcs for option in options) else None
    for option in options:
        family = book.family(option.id)
        cost = tuple(points(observer.names, *paid) for paid in lookahead.paid(option.id))
        ends_at, may_stop = (
            ends(observer, basis, option) if basis is not None and family.arcs else (None, None)
        )
        yield SeatOption(
            option.key,
            book.option(option.id).key.split()[0],
            option.label,
            option.params,
            types(observer.names, family),
            cost,
            ends_at,
            may_stop,
            paragraphs(option.ref),
            spans_of(observer.names, option.label),
        )


def points(names: Names, price: PriceInfo, keys: tuple[int, ...], amount: int | None) -> Points:
    """Return the points that are paid or left, with the name of their source."""
    of = price.name
    if price.cell >= 0:
        cell = names.program.cells[price.cell]
        of = ".".join(
            [
                names.cell_name(cell),
                *(names.key_name(k, v) for k, v in zip(cell.keys, keys, strict=True)),
            ]
        )
    return Points(amount, price.unit, of)


def types(names: Names, family: FamilyInfo) -> dict[str, ParamType]:
    """Return the types of the parameters of an option."""
    kinds = names.program.kinds
    return {
        name: (
            ParamType("member", kinds[kind].name, sort_of(names, kind))
            if kind >= 0
            else ParamType("int", None, "number")
        )
        for name, kind in names.kinds_of(family).items()
    }


def ends(observer: Observer, basis: Basis, option: Option) -> tuple[str | None, bool | None]:
    """Return the end of a step, and True if the group may stay there.

    Each is None if it depends on information that is hidden from the observer.
    """

    def made(slots: list[int]) -> tuple[str | None, bool | None]:
        walk = Walking.at(PlayerLookahead.within(observer, slots))
        walk.step(option.id)
        return walk.place, walk.may_stop

    places, stays = set[str | None](), set[bool | None]()
    for world in basis.worlds(made):
        if world.untried:
            return None, None
        places.add(world.found[0])
        stays.add(world.found[1])
    return places.pop() if len(places) == 1 else None, stays.pop() if len(stays) == 1 else None


# --------------------------------------------------------------------------------------- allowances
def left(observer: Observer) -> tuple[Points, ...]:
    """Return the points that are left for the running procedures, each source once."""
    state, program = observer.state, observer.program
    found: dict[tuple[str, tuple[int, ...]], Points] = {}
    here = state.asking.families
    for index, family in enumerate(program.families):
        for number, price in enumerate(family.prices):
            if price.cell >= 0 and index in here:
                keys = state.code.purses(state.slots, index)[number]
                cell = program.cells[price.cell]
                if (
                    keys is not None
                    and all(k >= 0 for k in keys)
                    and observer.sees(price.cell, keys)
                ):
                    found[price.name, tuple(keys)] = points(
                        observer.names, price, tuple(keys), state.raw(cell, keys)
                    )
            elif (
                price.slot >= 0
                and (state.running(price.proc) if price.proc >= 0 else index in here)
                and _may_see(observer, family, price)
            ):
                amount = state.slots[price.slot]
                if price.clause >= 0 or not is_unlimited(amount):
                    found[f"{price.proc} {price.name}", ()] = points(
                        observer.names, price, (), amount
                    )
    return tuple(found.values())


def _may_see(observer: Observer, family: FamilyInfo, price: PriceInfo) -> bool:
    """Return True if the observer may know the number of points left in a slot.

    For a walk, this depends on the allowance and on each step.
    """
    if price.clause >= 0 or not family.secrets:
        return True
    return observer.state.current_player() == observer.me and observer.knows_all(family.secrets, [])
