"""The observation of a position by one player, as plain data and as text.

Hidden values are left out or masked. An observation never contains the seed, the count of random
results, procedure frames, the number of choices, or the options of another player's decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

from attrs import evolve

from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.events import HIDDEN, QUIET, Event
from rulekit.engine.knowledge.observed_changes import ObservedChanges, moved
from rulekit.engine.knowledge.visibility import Visibility, decision_of
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members as bits
from rulekit.runtime.program import (
    CellInfo,
    DecisionInfo,
    ProcInfo,
    SecretInfo,
    TableInfo,
    TypeInfo,
    VarInfo,
)
from rulekit.runtime.records import Changed, PhaseBegun
from rulekit.runtime.slots import CHANGED, DRAWN, FIRST_EVENT, GATHERED, PHASE_BEGUN, PUT


class Observer(Visibility):
    """A player or spectator who observes one position."""

    def value_of(self, name: str, *args: Any) -> Any:
        """Return the value of a total, permit, definition or table as `State.value_of` does.

        The result is `HIDDEN` if the observer may not know it.
        """
        _, _, info = self.names.declared(name)
        value = self.state.value_of(name, *args)
        known = isinstance(info, TableInfo) or self.may_know_total(
            info, self.state.arguments(name, args), True
        )
        return value if known else HIDDEN

    def shown_of(self, cell: CellInfo, value: int) -> str:
        """Return the value of a visible cell as text, with things of unknown identity masked."""
        if (
            cell.type.form not in ("member", "set")
            or not self.program.kinds[cell.type.kind].hidden_identity
        ):
            return self.names.shown(cell.type, value)
        return self.shown(cell.type, value)

    def _going_on(self, type: TypeInfo, value: int) -> Any:
        """Return a value of a running procedure as plain data, with unknown things masked."""
        if type.form not in ("member", "set"):
            return self.names.value(type, value)
        found = [value] if type.form == "member" else list(bits(value))
        each = [self.names.id(type.kind, i) for i in found if self.knows_thing(type.kind, i)]
        shown = [*each, *[HIDDEN] * (len(found) - len(each))]
        return shown[0] if type.form == "member" else shown

    def _held(self, var: VarInfo, value: int) -> Any:
        return self._going_on(var.type, value) if self.knows_value(var) else HIDDEN

    def _value(self, cell: CellInfo, value: int) -> Any:
        type = cell.type
        if type.form == "member" and not self.knows(type.kind, value):
            return HIDDEN
        if type.form == "set" and type.kind >= 0 and self.program.kinds[type.kind].hidden_identity:
            known = sum(1 << i for i in bits(value) if self.knows(type.kind, i))
            unknown = (value & ~known).bit_count()
            return [*self.names.value(type, known), *[HIDDEN] * unknown]
        return self.names.value(type, value)

    # --------------------------------------------------------------------------------- the position
    def cell(self, at: int) -> dict[str, Any]:
        """Return the values of a cell that the observer may know, by dotted keys.

        Values of things that they do not know are left out.
        """
        info, slots, plain = self.program.cells[at], self.state.slots, self.is_plain(at)
        out: dict[str, Any] = {}
        for place, (keys, name) in enumerate(self.names.dotted[at]):
            if plain or (self.knows_keys(info, keys) and self.sees(at, keys)):
                out[name] = self._value(info, cells.read_at(slots, info, place))
        return out

    def value_at(self, at: int, keys: Sequence[int]) -> Any:
        """Return one value of a cell as plain data.

        The result is `HIDDEN` if the observer may not know the value or the thing that it belongs
        to.
        """
        info = self.program.cells[at]
        known = self.knows_keys(info, keys) and self.sees(at, keys)
        return self._value(info, self.state.raw(info, keys)) if known else HIDDEN

    def pool(self, at: int) -> dict[str, Any]:
        """Return the sizes and members of a pool.

        The size is public. The members are shown to observers who see them, or if everybody knows
        them.
        """
        info, slots = self.program.cells[at], self.state.slots
        kind = self.program.kinds[info.type.kind]
        public = slots[kind.known_slot] if kind.known_slot >= 0 else 0
        out: dict[str, Any] = {}
        for place, (keys, name) in enumerate(self.names.dotted[at]):
            value = cells.read_at(slots, info, place)
            shown = value if self.sees(at, keys) else value & public
            out[name] = {"size": value.bit_count(), "members": self._value(info, shown)}
        return out

    def unknown(self) -> dict[str, list[dict[str, Any]]]:
        """Return the visible attributes of each thing whose identity the observer may not know.

        The order reveals nothing.
        """
        out: dict[str, list[dict[str, Any]]] = {}
        for kind_at, kind in enumerate(self.program.kinds):
            if not kind.hidden_identity:
                continue
            found = []
            for member in range(len(kind.members)):
                if not self.knows(kind_at, member):
                    seen = {
                        c.name: self._value(c, self.state.raw(c, (member,)))
                        for at, c in enumerate(self.program.cells)
                        if c.owner == kind_at and len(c.keys) == 1 and self.sees(at, (member,))
                    }
                    found.append(seen)
            out[kind.name] = sorted(found, key=repr)
        return out

    # --------------------------------------------------------------------------------- the decision
    def phases(self) -> list[dict[str, Any]]:
        """Return the running phases, outermost first, with their known parameters."""
        return [
            {"phase": p.name, **{v.name: self._held(v, raw) for v, raw in self._public(p)}}
            for p in self._phases()
        ]

    def phases_shown(self) -> list[tuple[str, dict[str, str]]]:
        """Return the running phases as text, without the outermost one if there are several."""
        found = [
            (p.name, {v.name: self.said(v, raw) for v, raw in self._public(p)})
            for p in self._phases()
        ]
        return found[1:] if len(found) > 1 else found

    def going_on(self) -> list[ProcInfo]:
        """Return the running phases, procedures and actions, outermost first."""
        running = [
            p
            for i, p in enumerate(self.program.procs)
            if p.word in ("phase", "procedure", "action") and self.state.running(i)
        ]
        return sorted(running, key=lambda p: p.callers)

    def asking(self) -> DecisionInfo | None:
        """Return the program's description of the current decision, or None if the game is over."""
        return self.state.asking if self.state.pc > 0 else None

    def shown_value(self, var: VarInfo) -> tuple[Any, str]:
        """Return the value of a running procedure's variable as plain data and as text.

        The text has no unit.
        """
        raw = self.state.held(var)
        return self._held(var, raw), self.said(var, raw, unit=False)

    def _phases(self) -> list[ProcInfo]:
        running = [
            p
            for i, p in enumerate(self.program.procs)
            if p.word == "phase" and self.state.running(i)
        ]
        return sorted(running, key=lambda p: p.callers)

    def _public(self, proc: ProcInfo) -> list[tuple[VarInfo, int]]:
        return [(v, self.state.held(v)) for v in proc.vars[: proc.params] if v.slot >= 0]

    def decision(self) -> dict[str, Any] | None:
        """Return the current decision, with options only if the observer decides."""
        asked = decision_of(self.state)
        if asked is None:
            return None
        out: dict[str, Any] = {"player": asked.player, "prompt": self.prompt(), "kind": asked.kind}
        if self.me >= 0 and asked.player == self.names.sides[self.me]:
            out["options"] = [
                {"key": o.key, "label": o.label, "ref": list(o.ref), "params": o.params}
                for o in self.options()
            ]
        return out

    def prompt(self) -> str:
        """Return the prompt of the current decision as the observer may know it."""
        return self.state.prompt_for(self)

    def options(self) -> list[Option]:
        """Return the options of the decision as the observer may know them.

        An option that names an unknown thing has its number as its key.
        """
        asked = decision_of(self.state)
        return (
            [self.option(o, number) for number, o in enumerate(asked.options, 1)] if asked else []
        )

    def option(self, option: Option, number: int) -> Option:
        """Return an option as the observer may know it.

        `number` is its position in the decision.
        """
        book = self.state.table.book
        family = book.family(option.id)
        unknown = [
            p.name
            for p, value in zip(family.params, book.arguments(family, option.id), strict=True)
            if p.kind >= 0 and not self.knows(p.kind, value)
        ]
        if not unknown:
            return option
        params = {
            name: HIDDEN if name in unknown else value for name, value in option.params.items()
        }
        return evolve(
            option,
            key=f"#{number}",
            label=f"{option.key.split()[0]} {' '.join(map(str, params.values()))}",
            params=params,
        )

    # --------------------------------------------------------------------------------------- events
    def events(self, begin: int = 0) -> Iterator[Event]:
        """Yield the events from a number on, with unknown values masked.

        Events of hidden cells are left out.
        """
        log = self.state.events
        for number in range(begin, len(log)):
            event = self.event(log[number])
            if event is not None:
                yield event

    def event(self, event: Event) -> Event | None:
        """Return an event as the observer may know it, or None if they may not know of it."""
        if event.kind >= FIRST_EVENT:
            return self._own_event(event)
        masked = self._BUILT_IN.get(event.kind)
        return event if masked is None else masked(self, event)

    def _own_event(self, event: Event) -> Event:
        info = self.program.events[event.kind - FIRST_EVENT]
        params = self._kept(event, [name for name, _ in info.params], info.secrets)
        if not info.reveals and any(info.hidden):
            known = self._named(event.number)
            named = (
                name for (name, _), hidden in zip(info.params, info.hidden, strict=True) if hidden
            )
            params |= {name: self._masked(params[name], known) for name in named}
        return event if params == event.params else evolve(event, params=params)

    def _kept(
        self, event: Event, names: Sequence[str], secrets: Sequence[Sequence[SecretInfo]]
    ) -> dict[str, Any]:
        """Return the parameters of an event, with those masked that would reveal a secret.

        `secrets` holds the secrets of each parameter.
        """
        if not any(secrets):
            return dict(event.params)
        revealed = {
            name
            for at, name in enumerate(names)
            if not secrets[at] or self._observed_changes.has_revealed(event.number, at)
        }
        return {
            name: HIDDEN if name in names and name not in revealed else value
            for name, value in event.params.items()
        }

    @staticmethod
    def _masked(value: Any, known: set[str]) -> Any:
        """Mask the things that are not known, and put them last: their order reveals nothing."""
        if value == HIDDEN:
            return HIDDEN
        if isinstance(value, list):
            return [*[m for m in value if m in known], *[HIDDEN for m in value if m not in known]]
        return value if value is None or value in known else HIDDEN

    def _hidden(self, type: TypeInfo) -> bool:
        """Return True for a type of things whose identity or place may be hidden."""
        kind = self.program.kinds[type.kind] if type.form in ("member", "set") else None
        return kind is not None and (kind.hidden_identity or kind.veiled)

    def _begun(self, event: Event) -> Event:
        proc = self.program.procs[PhaseBegun.of(event.record).procedure]
        given = proc.vars[: proc.params]
        params = self._kept(event, [v.name for v in given], [v.secrets for v in given])
        if hidden := [v.name for v in given if self._hidden(v.type)]:
            known = self._named(event.number)
            params = {n: self._masked(v, known) if n in hidden else v for n, v in params.items()}
        return event if params == event.params else evolve(event, params=params)

    def _named(self, number: int) -> set[str]:
        """Return the members that an event names to the observer."""
        return self._own_choice(number) | {
            str(self.names.id(kind, i)) for kind, i in self._observed_changes.met.get(number, ())
        }

    def _own_choice(self, number: int) -> set[str]:
        """Return the members that the observer named in the choice that caused an event.

        Only those count that they could know when they chose.
        """
        at = self.state.choice_of_event(number) - 1
        if at < 0 or self.me < 0 or self.state.marks[at].chooser != self.me:
            return set()
        if self.program.turning:
            return self._observed_changes.named[at]
        return self.named(self.state.slots, self.state.marks[at].option)

    def _changed(self, event: Event) -> Event | None:
        cell = Changed._make(event.record).cell
        info = self.program.cells[cell]
        if info.hidden:
            return None
        if not self.is_plain(cell) and not self._witnessed.get(event.number):
            return None
        if not self._hidden(info.type) or not self.program.kinds[info.type.kind].hidden_identity:
            return event
        return evolve(
            event,
            params={
                **event.params,
                "value": self._masked(event.params["value"], self._named(event.number)),
            },
        )

    def _moved(self, event: Event) -> Event:
        _, target, mask = moved(event.record)
        known, kind = (
            self._witnessed.get(event.number, 0) & mask,
            self.program.cells[target[0]].type.kind,
        )
        revealed = {str(self.names.id(kind, i)) for i in bits(known)}
        return evolve(
            event, params={**event.params, "what": self._masked(event.params["what"], revealed)}
        )

    @cached_property
    def _observed_changes(self) -> ObservedChanges:
        return ObservedChanges(self).watch()

    @property
    def _witnessed(self) -> dict[int, int]:
        return self._observed_changes.seen

    _BUILT_IN: ClassVar[dict[int, Callable[[Observer, Event], Event | None]]] = {
        CHANGED: _changed,
        DRAWN: _moved,
        GATHERED: _moved,
        PUT: _moved,
        PHASE_BEGUN: _begun,
    }

    # ------------------------------------------------------------------------ the whole observation
    def now(self) -> dict[str, Any]:
        """Return the observation without the events, as one JSON-able value."""
        program, state = self.program, self.state
        result = state.result
        shown = {
            self.names.cell_name(c): self.cell(at)
            for at, c in enumerate(program.cells)
            if not c.hidden and not c.pool
        }
        pools = {
            c.name: self.pool(at) for at, c in enumerate(program.cells) if c.pool and not c.hidden
        }
        return {
            "game": program.name,
            "scenario": program.scenario,
            "observer": self.names.sides[self.me] if self.me >= 0 else None,
            "phases": self.phases(),
            "decision": self.decision(),
            "result": result.to_json() if result else None,
            "state": {n: v[""] if list(v) == [""] else v for n, v in shown.items() if v},
            "pools": {n: v[""] if list(v) == [""] else v for n, v in pools.items()},
            "unknown": self.unknown(),
        }

    def everything(self) -> dict[str, Any]:
        """Return the whole observation as one JSON-able value."""
        return {
            **self.now(),
            "events": [e.to_json() for e in self.events() if e.kind not in QUIET],
        }
