"""Takes a state and a viewer, makes what the viewer may know, as plain data. The one place that decides; what is not allowed is left out.

Never in a view: the seed, the counter of dice, frames of procedures, how many choices were made, options of another player's decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import evolve

from rulekit.play.decision import Option
from rulekit.play.events import HIDDEN, QUIET, Event
from rulekit.program import cells
from rulekit.program.program import CHANGED, DRAWN, FIRST_EVENT, GATHERED, PUT, CellInfo, ProcInfo, VarInfo
from rulekit.program.runtime import members as bits

if TYPE_CHECKING:
    from rulekit.play.state import State

SPECTATOR = -1


class Viewer:
    """One player (or a spectator) looking at one state."""

    def __init__(self, state: State, player: int | str | None) -> None:
        self.state = state
        self.names = state.names
        self.program = state.table.program
        self.me = SPECTATOR if player is None else self.names.side(player)
        self._everybody = (1 << len(self.names.sides)) - 1
        self._known: dict[tuple[int, int], bool] = {}

    # ---------------------------------------------------------------- who may know
    def _allowed(self, mask: int) -> bool:
        if self.me == SPECTATOR:
            return mask & self._everybody == self._everybody and mask != 0
        return bool(mask >> self.me & 1)

    def sees(self, at: int, keys: Sequence[int]) -> bool:
        """May the viewer know the value of a cell?"""
        cell = self.program.cells[at]
        if cell.hidden:
            return False
        return cell.everyone or self._allowed(self.state.table.code.seen(self.state._s, at, keys))

    def sees_field(self, proc: int, var: int) -> bool:
        """May the viewer know a variable of a procedure that is going on?"""
        return self.program.procs[proc].vars[var].everyone or self._allowed(self.state.table.code.frame_seen(self.state._s, proc, var))

    def knows(self, kind: int, member: int) -> bool:
        """May the viewer know which member this is?"""
        if member < 0 or not self.program.kinds[kind].hidden_identity:
            return True
        key = (kind, member)
        if key not in self._known:
            self._known[key] = self._allowed(self.state.table.code.identity(self.state._s, kind, member))
        return self._known[key]

    def _value(self, cell: CellInfo, value: int) -> Any:
        type = cell.type
        if type.form == "member" and not self.knows(type.kind, value):
            return HIDDEN
        if type.form == "set" and type.kind >= 0 and self.program.kinds[type.kind].hidden_identity:
            known = sum(1 << i for i in bits(value) if self.knows(type.kind, i))
            unknown = (value & ~known).bit_count()
            return [*self.names.value(type, known), *[HIDDEN] * unknown]
        return self.names.value(type, value)

    # ---------------------------------------------------------------- the position
    def cell(self, at: int) -> dict[str, Any]:
        """The values of a cell that the viewer may know, by dotted keys. Things unknown to him are left out here."""
        info, slots = self.program.cells[at], self.state._s
        out: dict[str, Any] = {}
        for keys in cells.places(info):
            if all(k.kind < 0 or self.knows(k.kind, v) for k, v in zip(info.keys, keys, strict=True)) and self.sees(at, keys):
                name = ".".join(self.names.key_name(k, v) for k, v in zip(info.keys, keys, strict=True))
                out[name] = self._value(info, cells.read(slots, info, keys))
        return out

    def pool(self, at: int) -> dict[str, Any]:
        """Pools: the size is public; the members are for those who see them, or where everybody knows them."""
        info, slots = self.program.cells[at], self.state._s
        kind = self.program.kinds[info.type.kind]
        public = slots[kind.known_slot] if kind.known_slot >= 0 else 0
        out: dict[str, Any] = {}
        for keys in cells.places(info):
            value = cells.read(slots, info, keys)
            shown = value if self.sees(at, keys) else value & public
            name = ".".join(self.names.key_name(k, v) for k, v in zip(info.keys, keys, strict=True))
            out[name] = {"size": value.bit_count(), "members": self._value(info, shown)}
        return out

    def unknown(self) -> dict[str, list[dict[str, Any]]]:
        """Things whose identity the viewer may not know: what can be seen of each, in an order that tells nothing."""
        out: dict[str, list[dict[str, Any]]] = {}
        for kind_at, kind in enumerate(self.program.kinds):
            if not kind.hidden_identity:
                continue
            found = []
            for member in range(len(kind.members)):
                if not self.knows(kind_at, member):
                    seen = {c.name: self._value(c, cells.read(self.state._s, c, (member,))) for at, c in enumerate(self.program.cells)
                            if c.owner == kind_at and len(c.keys) == 1 and self.sees(at, (member,))}
                    found.append(seen)
            out[kind.name] = sorted(found, key=repr)
        return out

    # ---------------------------------------------------------------- where play stands
    def phases(self) -> list[dict[str, Any]]:
        """The phases going on, the outermost first, with what everybody may know of their parameters."""
        return [{"phase": p.name, **{v.name: self.names.value(v.type, raw) for v, raw in self._public(p)}} for p in self._phases()]

    def phases_shown(self) -> list[tuple[str, dict[str, str]]]:
        """The same for people: the innermost phases, without the one around all others."""
        found = [(p.name, {v.name: self.names.shown(v.type, raw) for v, raw in self._public(p)}) for p in self._phases()]
        return found[1:] if len(found) > 1 else found

    def _phases(self) -> list[ProcInfo]:
        running = [p for i, p in enumerate(self.program.procs) if p.word == "phase" and self.state.running(i)]
        return sorted(running, key=lambda p: len(p.chain) if p.chain is not None else 99)

    def _public(self, proc: ProcInfo) -> list[tuple[VarInfo, int]]:
        return [(v, self.state._s[v.slot]) for v in proc.vars[:proc.params] if v.everyone and v.slot >= 0]

    def decision(self) -> dict[str, Any] | None:
        """Who is asked what; the options only if it is the viewer."""
        asked = self.state.decision
        if asked is None:
            return None
        out: dict[str, Any] = {"player": asked.player, "prompt": asked.prompt, "kind": asked.kind}
        if self.me >= 0 and asked.player == self.names.sides[self.me]:
            out["options"] = [{"key": o.key, "label": o.label, "ref": list(o.ref), "params": o.params} for o in self.options()]
        return out

    def options(self) -> list[Option]:
        """The options of the decision as the viewer may know them: one that names a thing unknown to him bears its number instead."""
        asked = self.state.decision
        return [self._option(o, number) for number, o in enumerate(asked.options, 1)] if asked else []

    def _option(self, option: Option, number: int) -> Option:
        book = self.state.table.book
        family = book.family(option.id)
        unknown = [p.name for p, value in zip(family.params, book.arguments(family, option.id), strict=True)
                   if p.kind >= 0 and not self.knows(p.kind, value)]
        if not unknown:
            return option
        params = {name: HIDDEN if name in unknown else value for name, value in option.params.items()}
        return evolve(option, key=f"#{number}", label=f"{option.key.split()[0]} {' '.join(map(str, params.values()))}", params=params)

    # ---------------------------------------------------------------- events
    def events(self, begin: int = 0) -> Iterator[Event]:
        """The events from a number on, with what the viewer may not know masked; events of hidden cells are left out."""
        log = self.state.events
        for number in range(begin, len(log)):
            event = self.event(log[number])
            if event is not None:
                yield event

    def event(self, event: Event) -> Event | None:
        """One event as the viewer may know it; None if he may not know of it."""
        record = event.record
        if record[0] >= FIRST_EVENT:
            return self._own_event(event)
        masked = self._BUILT_IN.get(record[0])
        return event if masked is None else masked(self, event)

    def _own_event(self, event: Event) -> Event:
        info = self.program.events[event.record[0] - FIRST_EVENT]
        if info.reveals or not any(info.hidden):
            return event
        chosen = self._own_choice(event.number)
        params = dict(event.params)
        for (name, type), hidden, raw in zip(info.params, info.hidden, event.record[1:], strict=True):
            if not hidden or (type.form == "member" and (raw < 0 or params[name] in chosen)):
                continue
            if type.form == "set":
                params[name] = [m if m in chosen else HIDDEN for m in params[name]]
            else:
                params[name] = HIDDEN
        return evolve(event, params=params)

    def _own_choice(self, number: int) -> set[str]:
        """The members that the viewer himself named in the choice that caused an event."""
        at = self.state.choice_of_event(number) - 1
        if at < 0 or self.me < 0:
            return set()
        _, _, action, who = self.state._marks[at]
        return {str(v) for v in self.state.table.book.option(action).params.values()} if who == self.me else set()

    def _changed(self, event: Event) -> Event | None:
        _, cell, place, _ = event.record
        info = self.program.cells[cell]
        if info.hidden:
            return None
        keys = cells.keys_of(info, place)
        if not all(k.kind < 0 or self.knows(k.kind, v) for k, v in zip(info.keys, keys, strict=True)):
            return None
        return event if self.sees(cell, keys) else evolve(event, params={**event.params, "value": HIDDEN})

    def _moved(self, event: Event, source: tuple[int, int], target: tuple[int, int]) -> Event:
        seen = [at for at in (source, target) if at[0] >= 0 and self.sees(at[0], cells.keys_of(self.program.cells[at[0]], at[1]))]
        if seen:
            return event
        what = event.params["what"]
        return evolve(event, params={**event.params, "what": [HIDDEN] * len(what) if isinstance(what, list) else HIDDEN})

    def _drawn(self, event: Event) -> Event:
        _, source, at, target, to, _ = event.record
        return self._moved(event, (source, at), (target, to))

    def _gathered(self, event: Event) -> Event:
        return self._drawn(event)

    def _put(self, event: Event) -> Event:
        _, target, at, _, source, origin = event.record
        return self._moved(event, (source, origin), (target, at))

    _BUILT_IN: ClassVar[dict[int, Callable[[Viewer, Event], Event | None]]] = {
        CHANGED: _changed, DRAWN: _drawn, GATHERED: _gathered, PUT: _put}

    # ---------------------------------------------------------------- all of it
    def everything(self) -> dict[str, Any]:
        """The view as one JSON-able value."""
        program, state = self.program, self.state
        result = state.result
        shown = {self.names.cell_name(c): self.cell(at) for at, c in enumerate(program.cells) if not c.hidden and not c.pool}
        pools = {c.name: self.pool(at) for at, c in enumerate(program.cells) if c.pool and not c.hidden}
        return {
            "game": program.name, "scenario": program.scenario, "viewer": self.names.sides[self.me] if self.me >= 0 else None,
            "phases": self.phases(), "decision": self.decision(), "result": result.to_json() if result else None,
            "state": {n: v[""] if list(v) == [""] else v for n, v in shown.items() if v},
            "pools": {n: v[""] if list(v) == [""] else v for n, v in pools.items()},
            "unknown": self.unknown(),
            "events": [e.to_json() for e in self.events() if e.record[0] not in QUIET],
        }


def view(state: State, player: int | str | None) -> dict[str, Any]:
    """All that a viewer may know of a state."""
    return Viewer(state, player).everything()
