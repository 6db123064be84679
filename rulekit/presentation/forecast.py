"""The reachable places of a group after some options, with costs and keys. No choice is made.

Play goes on in copies, up to the first die, draw or reveal. It uses nothing that the observer may
not know, so the result is the same for all states that they cannot tell apart. The observer's own
windows on the way are passed with a key. Windows of others count as passed, and the result says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from attrs import asdict, define, evolve, field, frozen

from rulekit.engine.kernel.events import HIDDEN
from rulekit.engine.kernel.group_order import in_order, is_in, leading, next_of
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.world_enumeration import Basis, WorldGroup, was_read
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead, walkers, ways_to
from rulekit.presentation.decision import Points, points, types
from rulekit.presentation.drawing import owner_of
from rulekit.presentation.walk import Walking
from rulekit.runtime.slots import PC

MAX_FORECAST_STEPS = 1500  # the largest number of steps tried
DEEP = 3  # the largest number of choices that lead to a group


@frozen
class ReachablePlace:
    """A place that the group can reach.

    Attributes:
        place: the id of the place.
        keys: the keys of the choices from now on to there.
        stop: the key that ends the walk there. '' if it ends by itself or may not end.
        may_stop: True if the group may stay there, or None if nobody knows.
        way: the places that it enters.
        cost: the total cost of the keys.
        fight: the first border that it crosses to a place with another player's piece, as (from,
            to).
        stopped_by: an interruption, or None. Possible ones are window (another player's) and
            choice. Certain ones are die, draw, reveal, hidden (depends on information that the
            observer may not have) and error (in the rules).
        sure: the number of keys before the interruption.
        left: the rest of the walk's allowance there.
    """

    place: str
    keys: tuple[str, ...]
    stop: str
    may_stop: bool | None
    way: tuple[str, ...]
    cost: tuple[Points, ...]
    fight: tuple[str, str] | None
    stopped_by: str | None
    sure: int
    left: Points | None = None


@frozen
class GroupStep:
    """A choice on the way to a group: its text, and the places that it names."""

    label: str
    places: tuple[str, ...] = ()


@frozen
class Forecast:
    """The consequences of some keys.

    Attributes:
        keys: the keys taken before the walk, in the necessary order, with those that lead to the
            group and complete it.
        cost: their cost.
        left: the allowance of the walk.
        places: the reachable places, by rising cost.
        stopped_by: if there are no places, the reason: group (a piece must be added), choice
            (another choice comes first), key (`refused` is not offered), several (each of `leads`
            can begin it), window, die, draw, reveal, hidden, error or end.
        refused: the key that is not offered.
        leads: the keys of each possible beginning.
        steps: the meaning of these keys.
    """

    keys: tuple[str, ...]
    cost: tuple[Points, ...] = ()
    left: Points | None = None
    places: tuple[ReachablePlace, ...] = ()
    stopped_by: str | None = None
    refused: str | None = None
    leads: tuple[tuple[str, ...], ...] = ()
    steps: Mapping[str, GroupStep] = field(factory=dict, hash=False)

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def forecast(observer: Observer, keys: Sequence[str]) -> Forecast:
    """Return the consequences if the observer took these options at their decision."""

    def made(slots: list[int]) -> _Answer:
        line = _Line(PlayerLookahead.within(observer, slots), in_order(observer.names, keys))
        line.run()
        return line.answer()

    forecasts = list[Forecast]()
    for world in Basis.of(observer).worlds(made):
        if not world.is_sure(world.found.read):
            return Forecast((), stopped_by="hidden")
        forecasts.append(world.found.known_in(world))
    return _common(forecasts)


@frozen
class _Answer:
    """The consequences in one position.

    Attributes:
        read: the hidden values that were read before the walk.
        ways: the hidden values that were read on the way to each place.
    """

    forecast: Forecast
    read: frozenset[int]
    ways: tuple[frozenset[int], ...]

    def known_in(self, world: WorldGroup[_Answer]) -> Forecast:
        """Return the forecast.

        If the way to a place depends on untried values, only the way itself is kept.
        """
        places = zip(self.forecast.places, self.ways, strict=True)
        return evolve(
            self.forecast,
            places=tuple(
                reach if world.is_sure(read) else _unsure(reach) for reach, read in places
            ),
        )


def _common(found: Sequence[Forecast]) -> Forecast:
    """Return the part on which all forecasts agree. The rest depends on hidden information."""
    first = found[0]
    if any(evolve(f, places=()) != evolve(first, places=()) for f in found):
        return Forecast((), stopped_by="hidden")
    others = [{reach.place: reach for reach in f.places} for f in found[1:]]
    places = []
    for reach in first.places:
        same = [other.get(reach.place) for other in others]
        if all(other == reach for other in same):
            places.append(reach)
        elif all(
            other is not None and (other.keys, other.way) == (reach.keys, reach.way)
            for other in same
        ):
            places.append(_unsure(reach))
    return evolve(first, places=tuple(places))


def _unsure(reach: ReachablePlace) -> ReachablePlace:
    cost = tuple(evolve(points, amount=None) for points in reach.cost)
    return evolve(reach, left=None, stop="", may_stop=None, cost=cost, stopped_by="hidden", sure=0)


# ----------------------------------------------------------------------------------- the given keys
@define(eq=False)
class _Line:
    """The given keys, taken one by one in a copy.

    Attributes:
        wanted: the keys not taken yet.
        taken: the keys taken.
        cost: the costs of the keys taken.
        between: a possible interruption between the keys, or ''.
        movers: the pieces of the last group, as a mask for each kind.
        walking: the walk, once there is one.
    """

    lookahead: PlayerLookahead
    wanted: list[str]
    taken: list[str] = field(factory=list)
    cost: list[Points] = field(factory=list)
    stopped_by: str = ""
    refused: str | None = None
    leads: tuple[tuple[str, ...], ...] = ()
    steps: dict[str, GroupStep] = field(factory=dict)
    sure: int = -1
    between: str = ""
    movers: dict[int, int] = field(factory=dict)
    walking: Walking | None = None

    def run(self) -> None:
        """Take the keys, and go on until a walk or another choice comes."""
        while not self.stopped_by and self.walking is None:
            lookahead = self.lookahead
            if lookahead.stopped or lookahead.slots[PC] <= 0:
                self.stopped_by = lookahead.stopped or "end"
            elif not lookahead.mine:
                self.stopped_by = "window" if lookahead.info.kind == "window" else "choice"
            elif not lookahead.is_open():
                self.stopped_by = "hidden"
            elif lookahead.info.kind == "group":
                self._grow()
            elif lookahead.info.kind == "walk":
                if not lookahead.first and not self.movers:  # the group was formed without asking
                    self.wanted = [key for key in self.wanted if not _walks(lookahead, key)]
                self.walking = Walking.at(lookahead, tuple(self.taken), self.sure, self.between)
                self._go_on()
            elif self.wanted:
                self._choose()
            elif lookahead.info.kind != "pick":
                self.stopped_by = "choice"
            else:
                return

    def _take(self, id: int) -> None:
        """Take an option. Pass the windows after it, if the walk or another key follows."""
        lookahead = self.lookahead
        self.taken.append(lookahead.key(id))
        self.cost += [points(lookahead.state.names, *paid) for paid in lookahead.paid(id)]
        before, slot = lookahead.slots[PC], lookahead.info.group_slot
        lookahead.take(id)
        if slot >= 0 and lookahead.family(id).what in ("add", "go"):
            family = lookahead.program.families[lookahead.program.decisions[before].families[0]]
            self.movers[family.params[0].kind] = lookahead.slots[slot]
        beyond = lookahead.copy()
        passes = beyond.settle()
        if beyond.mine and (self.wanted or beyond.info.kind in ("group", "walk")):
            if not self.between and beyond.passed > lookahead.passed:
                self.between, self.sure = "window", len(self.taken)
            beyond.trail = (
                lookahead.trail + beyond.trail
                if passes or beyond.passed > lookahead.passed
                else lookahead.trail
            )
            self.lookahead = beyond
            self.taken += passes

    def _grow(self) -> None:
        """Add the next wanted piece, in the order of the questions, or complete the group."""
        lookahead, book = self.lookahead, self.lookahead.state.table.book
        found = next_of(
            book,
            lookahead.slots,
            [id for id in lookahead.ids() if lookahead.now().names_all(id)],
            leading(self.wanted),
        )
        if found is not None:
            self.wanted.remove(found[1])
            self._take(found[0])
            return
        self.wanted = [key for key in self.wanted if not is_in(book, lookahead.slots, key)]
        masked = lookahead.find(self.wanted[0]) if self.wanted and self.wanted[0][:1] == "#" else 0
        if masked:
            del self.wanted[0]
            self._take(masked)
            return
        if self.wanted[:1] == ["go"]:
            del self.wanted[0]
        go = next((id for id in lookahead.ids() if lookahead.family(id).what == "go"), 0)
        if go:
            self._take(go)
        else:
            self.stopped_by = "key" if self.wanted else "group"
            self.refused = self.wanted[0] if self.wanted else None

    def _choose(self) -> None:
        """Take the next key if it is offered.

        A piece that is to join a group can be further away. It is then reached by the only shortest
        way of choices that leads to the group.
        """
        id = self.lookahead.find(self.wanted[0])
        if id:
            del self.wanted[0]
            self._take(id)
            return
        ways = list(ways_to(self.lookahead, self._has_room, DEEP))
        shortest = [way for way in ways if len(way) == min(map(len, ways))]
        if len(shortest) == 1:
            for lead in shortest[0]:
                self._take(lead)
            return
        self.stopped_by, self.refused = ("several", None) if ways else ("key", self.wanted[0])
        self.leads = tuple(tuple(self._steps_of(way)) for way in ways)

    def _steps_of(self, ids: Sequence[int]) -> Iterator[str]:
        """Yield the keys of consecutive choices, and record their meanings."""
        there = self.lookahead.copy()
        for id in ids:
            option = there.now().option(there.state.table.book.option(id), 0)
            roles = types(there.state.names, there.family(id))
            places = tuple(
                str(value)
                for name, value in option.params.items()
                if roles[name].role == "place" and value != HIDDEN
            )
            self.steps[there.key(id)] = GroupStep(option.label, places)
            yield there.key(id)
            there.take(id)
            there.settle()

    def _has_room(self, there: PlayerLookahead) -> bool:
        """Return True if the first wanted piece can join the current group, or walks already."""
        if there.info.kind == "walk":
            return _walks(there, self.wanted[0])
        return (
            next_of(there.state.table.book, there.slots, there.ids(), self.wanted[:1]) is not None
        )

    def _go_on(self) -> None:
        """Take the given steps of the walk."""
        walking = self.walking
        while walking is not None and self.wanted and not walking.over:
            id = walking.lookahead.find(self.wanted[0])
            if not id or not walking.lookahead.family(id).arcs:
                self.stopped_by, self.refused = "key", self.wanted[0]
                return
            del self.wanted[0]
            walking.step(id)

    def answer(self) -> _Answer:
        """Return the consequences once the keys are taken."""
        if self.wanted and not self.stopped_by:
            self.stopped_by, self.refused = "key", self.wanted[0]
        read, walking = was_read(self.lookahead.slots, anywhere=True), self.walking
        if self.stopped_by or walking is None:
            places = tuple(_moved(self) if self.stopped_by else _picked(self))
            stopped_by = self.stopped_by or (None if places else "choice")
            outcome = Forecast(
                tuple(self.taken),
                tuple(self.cost),
                None,
                places,
                stopped_by,
                self.refused,
                self.leads,
                self.steps,
            )
            return _Answer(outcome, read, (was_read(self.lookahead.slots),) * len(places))
        price, hostile = walking.course.price, _hostile(walking.lookahead.observer)
        left = (
            points(self.lookahead.state.names, price, (), walking.left)
            if price is not None and walking.spent is not None
            else None
        )
        ways = reached(walking, hostile)
        outcome = Forecast(
            walking.keys,
            tuple(self.cost),
            left,
            tuple(_reach(way, self.cost, hostile) for way in ways),
        )
        return _Answer(outcome, read, tuple(was_read(way.lookahead.slots) for way in ways))


def _walks(lookahead: PlayerLookahead, key: str) -> bool:
    """Return True if the piece that a key would add is walking already.

    This happens if it was the only possibility.
    """
    verb, _, id = key.partition(" ")
    return verb == "add" and any(
        mask >> lookahead.state.names.ordinals[kind][id] & 1
        for kind, mask in walkers(lookahead).items()
        if id in lookahead.state.names.ordinals[kind]
    )


# --------------------------------------------------------------------------------------- the places
def reached(walking: Walking, hostile: set[int]) -> list[Walking]:
    """Return the walk to each place that it can still reach, by rising cost.

    The present place is included if the group may stay there.
    """
    best: dict[int, tuple[tuple[Any, ...], Walking]] = {}
    tried: set[int] = set()  # steps. The cheapest way to a place comes first
    todo: list[tuple[tuple[Any, ...], int, Walking]] = []

    def note(found: Walking) -> None:
        rank = (
            found.spent or 0,
            _fight(found, hostile) is not None,
            bool(found.stopped_by),
            len(found.keys),
        )
        held = found.may_stop is False
        if (
            found.here >= 0
            and found.way
            and (found.here not in best or (held, *rank) < best[found.here][0])
        ):
            best[found.here] = ((held, *rank), found)
        if not found.over:
            heappush(todo, (rank, len(tried), found))

    note(walking)
    while todo and len(tried) < MAX_FORECAST_STEPS:
        here = heappop(todo)[-1]
        for id in here.steps() if here.lookahead.is_open() else ():
            if id not in tried:
                tried.add(id)
                there = here.copy()
                there.step(id)
                note(there)
    return [found for _, found in sorted(best.values(), key=lambda each: each[0][1:2])]


def _reach(found: Walking, cost: Sequence[Points], hostile: set[int]) -> ReachablePlace:
    names, price, place = found.lookahead.state.names, found.course.price, found.course.kind
    own = [points(names, price, (), found.spent)] if price is not None else []
    fight = _fight(found, hostile)
    return ReachablePlace(
        str(found.place),
        found.keys,
        found.stop if found.may_stop else "",
        found.may_stop,
        tuple(str(names.id(place, z)) for z in found.way),
        (*cost, *own),
        (str(names.id(place, fight[0])), str(names.id(place, fight[1]))) if fight else None,
        found.stopped_by or None,
        found.sure if found.sure >= 0 else len(found.keys),
        (
            points(names, price, (), found.left)
            if price is not None and found.spent is not None and not found.over
            else None
        ),
    )


def _fight(found: Walking, hostile: set[int]) -> tuple[int, int] | None:
    """Return the first step of a walk to a place with another player's piece."""
    steps = zip((found.start, *found.way), found.way, strict=False)
    return next(((a, z) for a, z in steps if z in hostile), None)


def _hostile(observer: Observer) -> set[int]:
    """Return the places where, as far as the observer knows, another player's piece stands.

    Its data name that player.
    """
    out = set()
    for kind, cell in observer.names.place_cells.items():
        at = observer.program.cells.index(cell)
        name = owner_of(observer.names, kind)
        owners = observer.program.kinds[kind].values_of(name) if name else ()
        for member, owner in enumerate(owners):
            if (
                owner >= 0
                and owner != observer.me
                and observer.knows(kind, member)
                and observer.sees(at, (member,))
            ):
                out.add(observer.state.raw(cell, (member,)))
    return out - {-1}


def _moved(line: _Line) -> Iterable[ReachablePlace]:
    """Yield the place of a group that has moved without a walk."""
    lookahead, names = line.lookahead, line.lookahead.state.names
    movers = {kind: mask for kind, mask in line.movers.items() if kind in names.place_cells}
    found = lookahead.places(movers)
    if (
        len(found) == 1
        and -1 not in found
        and found != PlayerLookahead.of(lookahead.observer).places(movers)
    ):
        place = str(names.id(names.place_cells[next(iter(movers))].type.kind, found.pop()))
        between = line.between or lookahead.stopped or None
        yield ReachablePlace(
            place,
            tuple(line.taken),
            "",
            None if lookahead.stopped else True,
            (place,),
            tuple(line.cost),
            None,
            between,
            line.sure if line.between else len(line.taken),
        )


def _picked(line: _Line) -> Iterable[ReachablePlace]:
    """Yield the places of a question about a place, for pieces that move there without a walk."""
    lookahead, names = line.lookahead, line.lookahead.state.names
    places = {cell.type.kind for cell in names.place_cells.values()}
    for id in lookahead.ids():
        family, place = lookahead.family(id), lookahead.argument(id)
        if (
            len(family.params) == 1
            and family.params[0].kind in places
            and lookahead.now().names_all(id)
        ):
            key, cost = lookahead.key(id), (points(names, *paid) for paid in lookahead.paid(id))
            keys = (*line.taken, key)
            sure = line.sure if line.between else len(keys)
            found = str(names.id(family.params[0].kind, place))
            yield ReachablePlace(
                found,
                keys,
                "",
                True,
                (found,),
                (*line.cost, *cost),
                None,
                line.between or None,
                sure,
            )
