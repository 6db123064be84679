"""Takes a viewer, makes `Asked`: the decision at which play stands, with all that each option is
made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import asdict, field, frozen

from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.names import Names
from rulekit.engine.kernel.undo_reach import undo_reach
from rulekit.engine.knowledge.observable_history import Count
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import decision_of
from rulekit.engine.knowledge.world_enumeration import Basis
from rulekit.engine.lookahead.player_lookahead import Ahead, is_unlimited
from rulekit.presentation.rich_text import Spans, paragraphs, sort_of, spans_of
from rulekit.presentation.walk import Walking
from rulekit.runtime.program import FamilyInfo, PriceInfo


def _apart(attribute: Any, _: object) -> bool:
    return attribute.name not in ("spans", "options")  # these have a form of their own


@frozen
class Points:
    """So many of something that is spent. `amount`: None, who looks may not know it before; `of`:
    what they are taken from: a state (`points.red`), a field of what goes on (`budget`), or the
    allowance of a movement, by its name.
    """

    amount: int | None
    unit: str | None
    of: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@frozen
class ParamType:
    """What a parameter of an option is. `form`: member or int; `kind`: of a member, the name of its
    kind; `role`: piece (the data say where those of its kind stand), place (one of the places where
    pieces stand, or that borders join), side, number, or thing.
    """

    form: str
    kind: str | None
    role: str


@frozen
class Undo:
    """May who sits here take back his last choice? `why`: if not, why not."""

    may: bool
    why: str = ""


@frozen
class Offered:
    """One option. `key` takes it (`State.apply`); `verb` is the first word of its key; `params` and
    `types` by name. `cost`: what is paid for it. Of a step of a walk, `ends_at`: the place where
    the group will be when something is asked again or the walk is over, which may lie behind the
    place of the step; `may_stop`: may it stay there (None: it hangs on a die, a draw, a reveal or
    what the player may not know, and so may the place). `spans`: the label with what it names."""

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
        """Plain data."""
        return {**asdict(self, filter=_apart), "spans": [span.to_json() for span in self.spans]}


@frozen
class Asked:
    """Who is asked what. `kind`: choose, pick, group, walk, window, tie; `moment`: of a window, the
    moment that is open; `procedure`: which one asks. `spans`: the prompt with what it names.
    `left`: of what is spent here, how much is left, as far as who looks may know it. `undo`: of who
    sits here. `options`, and `forced` (there is one option only): for the player who is asked; for
    others None and False."""

    player: str
    kind: str
    prompt: str
    ref: tuple[str, ...]
    moment: str | None
    procedure: str
    left: tuple[Points, ...] = ()
    undo: Undo = Undo(False)
    forced: bool = False
    options: tuple[Offered, ...] | None = None
    spans: Spans = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        options = None if self.options is None else [option.to_json() for option in self.options]
        return {
            **asdict(self, filter=_apart),
            "options": options,
            "spans": [span.to_json() for span in self.spans],
        }


def asked(viewer: Observer, count: Count | None = None) -> Asked | None:
    """The decision as a viewer may know it; None when the game is over. `count`: how he counts the
    choices; None: all of them."""
    now = decision_of(viewer.state)
    if now is None:
        return None
    mine = viewer.me >= 0 and now.player == viewer.names.sides[viewer.me]
    options = tuple(_offered(viewer)) if mine else None
    prompt = viewer.prompt()
    return Asked(
        now.player,
        now.kind,
        prompt,
        paragraphs(now.ref),
        now.moment,
        now.procedure,
        left(viewer),
        undo(viewer, count),
        options is not None and len(options) == 1,
        options,
        spans_of(viewer.names, prompt),
    )


def undo(viewer: Observer, count: Count | None = None) -> Undo:
    """May who sits here take back his last choice?"""
    if viewer.me < 0:
        return Undo(False)
    if count is not None and count.after:  # as far as he knows
        found = undo_reach(viewer.state, viewer.me, count.counts)
        return Undo(found.steps > 0, "" if found.steps else viewer.names.word(found.why))
    why = viewer.state.may_take_back(viewer.me)
    return Undo(not why, why)


# -------------------------------------------------------------------- options
def _offered(viewer: Observer) -> Iterator[Offered]:
    ahead, book, options = Ahead.of(viewer), viewer.state.table.book, viewer.options()
    basis = Basis.of(viewer) if any(book.family(option.id).arcs for option in options) else None
    for option in options:
        family = book.family(option.id)
        cost = tuple(points(viewer.names, *paid) for paid in ahead.paid(option.id))
        ends_at, may_stop = (
            ends(viewer, basis, option) if basis is not None and family.arcs else (None, None)
        )
        yield Offered(
            option.key,
            book.option(option.id).key.split()[0],
            option.label,
            option.params,
            types(viewer.names, family),
            cost,
            ends_at,
            may_stop,
            paragraphs(option.ref),
            spans_of(viewer.names, option.label),
        )


def points(names: Names, price: PriceInfo, keys: tuple[int, ...], amount: int | None) -> Points:
    """What is paid, or left, with the name of what it is taken from."""
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
    """What the parameters of an option are."""
    kinds = names.program.kinds
    return {
        name: (
            ParamType("member", kinds[kind].name, sort_of(names, kind))
            if kind >= 0
            else ParamType("int", None, "number")
        )
        for name, kind in names.kinds_of(family).items()
    }


def ends(viewer: Observer, basis: Basis, option: Option) -> tuple[str | None, bool | None]:
    """Where a step leads, and whether the group may stay there; None where it hangs on what the
    viewer may not know."""

    def made(slots: list[int]) -> tuple[str | None, bool | None]:
        walk = Walking.at(Ahead.within(viewer, slots))
        walk.step(option.id)
        return walk.place, walk.may_stop

    places, stays = set[str | None](), set[bool | None]()
    for world in basis.worlds(made):
        if world.untried:
            return None, None
        places.add(world.found[0])
        stays.add(world.found[1])
    return places.pop() if len(places) == 1 else None, stays.pop() if len(stays) == 1 else None


# -------------------------------------------------------------------- what is left
def left(viewer: Observer) -> tuple[Points, ...]:
    """Of all that is spent by what goes on, how much is left: of each only once."""
    state, program = viewer.state, viewer.program
    found: dict[tuple[str, tuple[int, ...]], Points] = {}
    here = state.asking.families
    for index, family in enumerate(program.families):
        for number, price in enumerate(family.prices):
            if price.cell >= 0 and index in here:
                keys = state.code.purses(state.slots, index)[number]
                cell = program.cells[price.cell]
                if keys is not None and all(k >= 0 for k in keys) and viewer.sees(price.cell, keys):
                    found[price.name, tuple(keys)] = points(
                        viewer.names, price, tuple(keys), state.raw(cell, keys)
                    )
            elif (
                price.slot >= 0
                and (state.running(price.proc) if price.proc >= 0 else index in here)
                and _may_see(viewer, family, price)
            ):
                amount = state.slots[price.slot]
                if price.clause >= 0 or not is_unlimited(amount):
                    found[f"{price.proc} {price.name}", ()] = points(
                        viewer.names, price, (), amount
                    )
    return tuple(found.values())


def _may_see(viewer: Observer, family: FamilyInfo, price: PriceInfo) -> bool:
    """May the viewer know what is left in a slot? Of a walk: what the allowance and each step hang
    on."""
    if price.clause >= 0 or not family.secrets:
        return True
    return viewer.state.current_player() == viewer.me and viewer.knows_all(family.secrets, [])
