"""Plays a move plan on a state. It reads the position, but no typed words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from attrs import define, field

from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.messages import _
from rulekit.engine.explain import refusals
from rulekit.engine.explain.reasons import graph_kind
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.walk_history import WalkStep, steps_since, walker
from rulekit.engine.notation.move_plan import Designator, MovePlan, adds_of, piece_of
from rulekit.engine.notation.move_tokens import GO, PASS, STOP
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members


class MoveWaits(Exception):
    """The move can go on only when another player has chosen."""


class PassedWindows(Enum):
    """The windows of other players that a move passes, besides the player's own."""

    NONE = auto()
    FORCED = auto()  # those whose player can only pass
    ALL = auto()


@define
class MoveExecution:
    """A move that is being played for one player.

    Attributes:
        pending: the pieces that are in no group yet.
        reasons: the reasons why the first pending piece could not be added.
        path: the places that are still ahead.
        left: the part of the plan that remains if another player has to choose first.
        begun: the length of the undo trail before the move.
        reached: the length of the undo trail before the last step that was planned and offered.
        planned: the number of planned steps since `reached`.
    """

    state: State
    passed: PassedWindows
    player: str
    pending: list[Designator] = field(factory=list)
    reasons: list[str] = field(factory=list)
    path: list[Designator] = field(factory=list)
    left: MovePlan = field(factory=MovePlan)
    begun: int = 0
    reached: int = 0
    planned: int = 0

    def __attrs_post_init__(self) -> None:
        self.begun = self.reached = len(self.state.trail)

    def take(self, option: Option) -> None:
        """Take one option, then pass the windows that it opens."""
        self.state.apply(option)
        self._pass_windows()

    def play(self, plan: MovePlan) -> None:
        """Play a plan. The part before an exception stays played.

        Raises:
            IllegalChoice: a part of the plan is not legal.
            MoveWaits: another player has to choose first.
        """
        self.left, self.pending, self.path = plan, list(plan.pieces), list(plan.path)
        if plan.adds_all:
            self._add_all(bool(self.path))
        else:
            self._add_pieces()
        self._require_all_added()
        if plan.leaves and self._is_asked("group"):
            self.state.apply(GO)
        stops = plan.stops or bool(self.path)
        movers: set[str] = set()
        place: Designator | None = None
        while self.path:
            self.left = MovePlan(path=tuple(self.path))
            place = self.path[0]
            movers = self._go_to(place)
            del self.path[:1]
        if stops:
            self.left = MovePlan(stops=True)
            self._end(place, movers)

    # --------------------------------------------------------------------------------------- groups
    def _options(self) -> Sequence[Option]:
        decision = self.state.decision
        return decision.options if decision is not None else ()

    def _add_all(self, onward: bool) -> None:
        """Add every piece that can be added to this group and, if `onward`, to those after it."""
        before, mask = self.state.pc, 0
        while self._is_asked("group"):
            now = self._picked()
            if not onward and (self.state.pc != before or now & mask != mask):
                return  # another group
            mask = now
            adds = adds_of(self._options())
            self.state.apply(adds[0] if adds else GO)

    def _add_pieces(self) -> None:
        """Add the pending pieces, in this group and in those after it.

        A group offers its pieces in the order of the data, so the first pending piece that is
        offered is added first. If none is offered, the next group is tried.
        """
        self._restart_group()
        while self.pending and (self._is_asked("group") or self._pick_before_group()):
            adds = adds_of(self._options())
            found = {
                adds.index(options[0]): piece
                for piece in reversed(self.pending)
                if len(options := piece.among_adds(adds, self.state.names)) == 1
            }
            if found:
                self.state.apply(adds[min(found)])
                self.pending.remove(found[min(found)])
                continue
            self._drop_added()
            if not self.pending:
                return
            self.reasons = self.reasons or self.state.why(self.pending[0].key("add"))
            if not self._is_offered(GO):
                return
            self.state.apply(GO)

    def _restart_group(self) -> None:
        """Undo the pieces added before this move, if a pending one precedes them in the data.

        They become pending, too.
        """
        state, book = self.state, self.state.table.book
        if not self.pending or not self._is_asked("group") or not self._picked():
            return
        family = state.table.program.families[state.asking.families[0]]
        picked = self._picked()
        passed_over = [
            book.option(book.id_of(family, [member]))
            for member in range(picked.bit_length())
            if not picked >> member & 1
        ]
        if not any(piece.among_adds(passed_over, state.names) for piece in self.pending):
            return
        before = state.pc
        while state.marks and state.pc == before and book.family(state.marks[-1].option) is family:
            self.pending.append(piece_of(book.option(state.undo())))
        self.begun = self.reached = min(self.begun, len(state.trail))

    def _pick_before_group(self) -> bool:
        """Answer questions about one thing with the pending pieces, or with the first place.

        Return True if a group is asked for after that.
        """
        while self._is_asked("pick"):
            found = next(
                (
                    (thing, option)
                    for thing in [*self.pending, *self.path[:1]]
                    if (option := thing.among("pick", self._options(), self.state.names))
                ),
                None,
            )
            if found is None or not found[0].text:
                return False
            thing, option = found
            self.state.apply(option)
            (self.pending if thing in self.pending else self.path).remove(thing)
        return self._is_asked("group")

    def _require_all_added(self) -> None:
        """Raise IllegalChoice if a pending piece is in no group of this move."""
        self._drop_added()
        if not self.pending:
            return
        names, decision, text = self.state.names, self.state.decision, repr(self.pending[0].text)
        reasons = self.reasons or self._reasons_of_full_group()
        if not reasons and decision is not None and decision.kind == "choose":
            raise IllegalChoice(refusals.not_now(self.state, text))
        why = f"{names.colon}{names.semicolon.join(reasons[:2])}" if reasons else ""
        raise IllegalChoice(names.say(_("{text} cannot be added here", text=text)) + why)

    def _drop_added(self) -> None:
        """Drop the pending pieces that are in a group or walk of this move.

        A piece that is the only possibility is added without a question.
        """
        added = self._added()
        self.pending = [
            piece
            for piece in self.pending
            if not piece.among_adds(added, self.state.names)
            and not any(map(piece.is_name_of, self._walkers()))
        ]

    def _picked(self) -> int:
        info = self.state.asking
        return self.state.slots[info.group_slot] if info.group_slot >= 0 else 0

    def _added(self) -> list[Option]:
        """Return the options `add ...` of all pieces that came into a group in this move."""
        program, book = self.state.table.program, self.state.table.book
        out = []
        for info in program.decisions:
            if info.group_slot >= 0:
                family = program.families[info.families[0]]
                mask = 0
                for value in self._values(info.group_slot):
                    mask |= value
                out += [book.option(book.id_of(family, [member])) for member in members(mask)]
        return out

    def _values(self, slot: int) -> list[int]:
        """Return the values that this move wrote to a slot, oldest first."""
        trail = self.state.trail
        olds = [trail[i + 1] for i in range(self.begun, len(trail), 2) if trail[i] == slot]
        return [*olds[1:], self.state.slots[slot]] if olds else []

    def _reasons_of_full_group(self) -> list[str]:
        """Return the reasons why the first pending piece does not fit into the last group.

        The group is asked about once more, with all its pieces.
        """
        past, at = self.state.clone(), 0
        while past.marks and len(past.trail) > self.begun:
            past.undo()
            at = past.asking.group_slot
            if at >= 0 and past.decision is not None and past.decision.player == self.player:
                break
        if at < 0 or past.decision is None or past.decision.kind != "group":
            return []
        for value in self._values(at):
            past.poke(at, past.slots[at] | value)
        return past.why(self.pending[0].key("add"))

    # ------------------------------------------------------------------------------------- the path
    def _go_to(self, place: Designator) -> set[str]:
        """Go to a place, and return the pieces that walk.

        A step that is the only possibility is taken without a question. So nothing is played if
        all pieces have been there.
        """
        while self._is_asked("group"):
            self.state.apply(GO)
        for verb, kind in (("to", "walk"), ("pick", "pick")):
            if self._is_asked(kind) and (
                option := place.among(verb, self._options(), self.state.names)
            ):
                movers = self._walkers() if kind == "walk" else set()
                self.reached, self.planned = len(self.state.trail), int(kind == "walk")
                self.state.apply(option)
                return movers
        movers = {
            str(value) for option in self._added() for value in option.params.values()
        } or self._walkers()
        names = self.state.names
        for n, step in enumerate(self._steps_beyond(), 1):
            if place.is_name_of(str(names.id(step.kind, step.place))):
                self.planned += n
                return movers
        if not movers or not all(self._has_been(piece, place) for piece in movers):
            raise IllegalChoice(self._refused_place(place, movers))
        return movers

    def _refused_place(self, place: Designator, movers: set[str]) -> str:
        """Return the reason why the move cannot go to a place."""
        at_pick, at_walk = self._is_asked("pick"), self._is_asked("walk")
        last = 0 if at_pick or at_walk else self._last_walk()
        carried = "" if at_walk or at_pick else self._forced_way(movers)
        reasons = carried or self.state.names.semicolon.join(
            self.state.why(place.key("pick" if at_pick else "to"))
        )
        return refusals.after_walk(self.state, last, place.text) if last else reasons

    def _steps_beyond(self) -> list[WalkStep]:
        """Return the steps that walks have taken since the last one that was planned."""
        return steps_since(self.state, self.reached)[self.planned :]

    def _forced_way(self, movers: set[str]) -> str:
        """Return a text for the way of pieces that moved without a question, or "".

        They moved because there was no other way.
        """
        past, names = self.state.clone(), self.state.names
        while past.marks and len(past.trail) > self.begun:
            past.undo()
        for kind, cell in names.place_cells.items():
            ordinals = names.ordinals[kind]
            for piece in sorted(movers & ordinals.keys(), key=ordinals.__getitem__):
                at = ordinals[piece]
                now = self.state.raw(cell, (at,))
                if now >= 0 and now != past.raw(cell, (at,)):
                    return names.say(
                        _(
                            "{what} can only go to {at}",
                            what=names.label(kind, at),
                            at=names.label(cell.type.kind, now),
                        )
                    )
        return ""

    def _last_walk(self) -> int:
        """Return the decision of the move's last walk, or 0 if there was none."""
        past = self.state.clone()
        while past.marks and len(past.trail) > self.begun:
            past.undo()
            if past.decision is not None and past.decision.kind == "walk":
                return past.pc
        return 0

    def _end(self, place: Designator | None, movers: set[str]) -> None:
        """End the walk. Raise IllegalChoice if there is none, if it may not end here, or if
        it has gone on by itself.
        """
        beyond = MoveExecution(self.state.clone(), PassedWindows.ALL, self.player)
        if beyond._is_asked("walk") and self._is_asked("walk"):  # later windows are not passed
            if not self._is_offered(STOP):
                here = self.state.names.label(graph_kind(self.state), refusals.standing(self.state))
                raise IllegalChoice(
                    self.state.names.say(
                        _(
                            "the move cannot end at {at}: {why}",
                            at=here,
                            why=refusals.of_stop(self.state),
                        )
                    )
                )
            self.state.apply(STOP)
        elif place is None and not self._last_walk():
            raise IllegalChoice(
                self.state.names.say(
                    _("`stop` ends a move from place to place, and there is none here")
                )
            )
        if place is not None and place.text:
            self._require_end_at(place, movers)

    def _require_end_at(self, place: Designator, movers: set[str]) -> None:
        """Raise IllegalChoice if a piece has gone beyond the last place of the path."""
        names, beyond = self.state.names, self._steps_beyond()
        if beyond:
            last = beyond[-1]
            raise IllegalChoice(
                names.say(
                    _(
                        "{what} does not end in {to} but goes on to {at}",
                        what=walker(self.state, last.movement),
                        to=place.text,
                        at=names.label(last.kind, last.place),
                    )
                )
            )
        for kind, cell in names.place_cells.items():
            for piece in movers & names.ordinals[kind].keys():
                at = self.state.raw(cell, (names.ordinals[kind][piece],))
                if at >= 0 and not place.is_name_of(str(names.id(cell.type.kind, at))):
                    raise IllegalChoice(
                        names.say(
                            _(
                                "{what} does not end in {to} but goes on to {at}",
                                what=names.label(kind, names.ordinals[kind][piece]),
                                to=place.text,
                                at=names.label(cell.type.kind, at),
                            )
                        )
                    )

    def _walkers(self) -> set[str]:
        """Return the ids of the pieces of the walk that is asked about."""
        if not self._is_asked("walk"):
            return set()
        program, names = self.state.table.program, self.state.names
        proc = program.procs[self.state.asking.proc]
        groups = (
            v
            for v in proc.vars[: proc.params]
            if v.slot >= 0 and v.type.form == "set" and v.type.kind in names.place_cells
        )
        return {str(id) for v in groups for id in names.value(v.type, self.state.held(v))}

    def _has_been(self, piece: str, place: Designator) -> bool:
        """Return True if a piece was put at a place since the last planned step."""
        names = self.state.names
        for kind, cell in names.place_cells.items():
            at = names.ordinals[kind].get(piece)
            if at is not None:
                slots, trail, out = self.state.slots[:], self.state.trail, set()
                for i in range(len(trail) - 2, self.reached - 2, -2):
                    out.add(cells.read(slots, cell, (at,)))
                    slots[trail[i]] = trail[i + 1]
                out.discard(cells.read(slots, cell, (at,)))  # where it stood before
                known = [names.id(cell.type.kind, value) for value in out if value >= 0]
                return any(place.is_name_of(id) for id in known if id)
        return False

    # --------------------------------------------------------------------------------- the decision
    def _is_asked(self, kind: str) -> bool:
        """Return True if the player faces a decision of this kind after windows are passed."""
        self._pass_windows()
        decision = self.state.decision
        return decision is not None and decision.kind == kind and decision.player == self.player

    def _pass_windows(self) -> None:
        """Pass the windows on the way. Raise MoveWaits if another player has to choose."""
        while (
            (decision := self.state.decision) is not None
            and decision.kind == "window"
            and self._is_offered(PASS)
        ):
            forced = self.passed is PassedWindows.FORCED and len(decision.options) == 1
            is_own = decision.player == self.player
            if not is_own and self.passed is not PassedWindows.ALL and not forced:
                raise MoveWaits
            self.state.apply(PASS)

    def _is_offered(self, key: str) -> bool:
        return any(option.key == key for option in self._options())
