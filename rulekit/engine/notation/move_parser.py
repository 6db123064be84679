"""Takes a state and a line such as `move red.A1 red.A2 to P to Q`, makes the single choices that it
stands for: all of them, or none.

A whole line is the words of an option, and of those that are chosen next (`activate P move`; left
out where only one of them leads to what is named), then the members of its groups in any order (or
`all`), `done` where a group is to leave, then `to PLACE` as often as wanted: there the walk ends.
At a decision about a group the first part is left out: `A1 A2`, `1 2` (numbers of the list), `all`,
`A1 A2 done`, `A1 A2 to P`; at one of a walk, the first two: `to P to Q`, `to P stop`. Windows on
the way are passed: the player's own, since he said where he goes; another's where he can only pass.
Where another has a choice, the line waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field

from rulekit.common.errors import IllegalChoice, RulekitError
from rulekit.engine.explain import refusals
from rulekit.engine.explain.reasons import graph_kind
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import (
    Decision,
    Option,
    matching,
    number_of,
    refuse_long,
    words_of,
)
from rulekit.engine.kernel.undo_barrier import barrier
from rulekit.engine.kernel.walk_history import Step, steps_since, walker
from rulekit.engine.knowledge.information_set import deals
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.player_lookahead import Ahead, walkers, ways_to
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members

ALL = ("all", "tous", "toutes")
_TO, _GO, _STOP, _PASS = ("to", "vers"), "go", "stop", "pass"


class _Waits(Exception):
    """The line can go on only when another player has chosen."""


def choose(state: State, line: str, through: bool = True) -> str:
    """Makes the choice of a line, or the several that it stands for. If one of them is refused, a
    name comes into no group, or the walk does not end where it should, none is made: IllegalChoice
    with the reason. Returns what is left of the line where another player has a choice in a window
    (not `through`: where he is asked at all): it may be made when he has passed. What fails only
    after dice, a draw or a reveal is left standing up to there, with the reason."""
    refuse_long(state.names, line)
    if not is_several(state, line):
        state.apply(line)
        return ""
    _Line(state.clone(), "all").make(line)
    kept = [mark[2] for mark in state.marks]
    try:
        return _Line(state, "idle" if through else "none").make(line)
    except RulekitError:
        _restore(state, kept)
        raise


def foreseen(state: State, line: str) -> Iterator[tuple[State, Option]]:
    """The choices of a line for several, each with the position before it, up to the first after
    which something was rolled, drawn or revealed: what comes then nobody can know. None of a line
    for one choice, or of one that is refused. The positions are one state that goes on."""
    try:
        if not is_several(state, line):
            return
        made = state.clone()
        _Line(made, "all").make(line)
    except RulekitError:
        return
    there, who = state.clone(), state.current_player()
    for _, _, action, by, _ in made.marks[state.choices_count() :]:
        if by == who:
            yield there, there.find(action)
        before = len(there.log)
        there.apply_action(action)
        if barrier(there.table.program, there.log, before):
            return


def _restore(state: State, kept: Sequence[int]) -> None:
    """Brings back the choices that were made when they were `kept`."""
    now = [mark[2] for mark in state.marks]
    same = next(
        (i for i, (a, b) in enumerate(zip(now, kept, strict=False)) if a != b),
        min(len(now), len(kept)),
    )
    while len(state.marks) > same:
        state.undo()
    for action in kept[same:]:
        state.apply(action)


def why(state: State, line: str) -> list[str]:
    """Why a line, or a single choice, cannot be made here: with the rule and its paragraph; empty:
    it can."""
    try:
        refuse_long(state.names, line)
        if not is_several(
            state, line, refusals.nameable(state, state.decision.options if state.decision else ())
        ):
            return state.why(line)
        _Line(state.clone(), "all").make(line)
    except RulekitError as error:
        return [str(error)]
    return []


def is_several(state: State, line: str, known: Sequence[Option] | None = None) -> bool:
    """Is this a line for several choices, rather than one option that is offered or refused?
    `known`: the options that may be told."""
    asked, words = state.decision, _words(line)
    if asked is None or not words:
        return False
    options = asked.options if known is None else known
    if asked.kind == "group":
        return words[-1].casefold() in ALL or not matching(line, options, state.names)
    return (
        len(words) > 1
        and not matching(line, options, state.names)
        and bool(_verb(state, options, words) or _lead(state, words))
    )


def _words(line: str) -> list[str]:
    return line.replace(";", " ").replace(",", " ").split()


def _verb(state: State, options: Sequence[Option], words: Sequence[str]) -> int:
    """How many words at the front of a line name an option: as many as may be. 0 if none do, or if
    with the next words they name another one, which is refused."""
    for n in range(len(words) - 1, 0, -1):
        meant = matching(" ".join(words[:n]), options, state.names)
        if len(meant) == 1:
            whole = len(words_of(meant[0].key))
            return (
                0
                if n < whole <= len(words) and refusals.is_refused(state, " ".join(words[:whole]))
                else n
            )
    return 0


def _lead(state: State, words: Sequence[str]) -> str:
    """At a choice among options that the words do not name: the key of the only one that leads to a
    group in which there is room for the first of them, or to a walk of it; '' if none does, or
    several."""
    asked, book = state.decision, state.table.book
    if asked is None or not asked.player or asked.kind != "choose" or words[0].casefold() in _TO:
        return ""

    def has_room(there: Ahead) -> bool:
        if there.info.kind == "walk":
            known = there.state.names
            walking = (
                str(known.id(kind, one))
                for kind, mask in walkers(there).items()
                for one in members(mask)
            )
            return any(words[0].casefold() in _called(id) for id in walking)
        return len(_meant(state, words[0], _adds(book.options(there.ids())))) == 1

    viewer = Observer(state, asked.player)
    ways = list(ways_to(Ahead.within(viewer, deals(viewer)[0]), has_room, 1))
    return book.option(ways[0][0]).key if len(ways) == 1 else ""


@define
class _Line:
    """A line on its way. `passes`: whose windows it passes beside the player's own: those of all,
    where one can only pass (idle), or none. `names`: those not yet found in a group; `whys`: why
    the first of them could not be added; `rest`: what is still to be done.
    """

    state: State
    passes: str
    player: str = ""
    names: list[str] = field(factory=list)
    whys: list[str] = field(factory=list)
    rest: list[str] = field(factory=list)
    places: list[str] = field(factory=list)  # that are still to be gone to
    begun: int = 0  # length of the trail before the line
    reached: int = 0  # length of the trail before the last step that was named and asked
    named: int = 0  # how many of the steps since then were named
    events: int = 0  # how many events there were

    def make(self, line: str) -> str:
        """Makes its choices one by one; IllegalChoice where one is refused. Returns what is left of
        it, if it must wait."""
        state, asked = self.state, self.state.decision
        assert asked is not None
        self.player, self.begun, self.events = asked.player, len(state.trail), len(state.log)
        self.reached = self.begun
        try:
            self._make(_words(line), asked)
        except _Waits:
            return " ".join(self.rest)
        except RulekitError as error:
            if barrier(state.table.program, state.log, self.events):
                return " ".join(self.rest)  # what has been learned cannot be taken back
            raise IllegalChoice(
                f"{error}{state.names.semicolon}{state.names.word('line_undone')}"
            ) from error
        return ""

    def _make(self, words: list[str], asked: Decision) -> None:
        state, at_group = self.state, asked.kind == "group"
        stops = words[-1].casefold() in (
            _STOP,
            state.names.word(_STOP),
            state.names.own(_STOP, {}).casefold(),
        )
        words = words[: len(words) - stops]
        given, self.places = _parts(self._chosen(words))
        if at_group:
            given = self._numbered(given, asked.options)
        goes = bool(given) and self._leaves(given[-1])
        self.names = [word for word in given[: len(given) - goes] if word.casefold() not in ALL]
        self._remember(given)
        if len(self.names) < len(given) - goes:
            self._add_all(bool(self.places))
        else:
            self._add_named()
        self._all_in()
        if goes and self._asked("group"):
            state.apply(_GO)
        movers: set[str] = set()
        stops = stops or bool(self.places)
        place = ""
        while self.places:
            self._remember()
            place = self.places[0]
            movers = self._go_to(place)
            del self.places[:1]
        if stops:
            self.rest = [_STOP]
            self._end(place, movers)

    def _chosen(self, words: list[str]) -> list[str]:
        """Makes the choices among options with which a line begins. Returns the words after
        them."""
        while (
            words
            and (asked := self.state.decision) is not None
            and asked.kind == "choose"
            and asked.player == self.player
        ):
            whole = len(matching(" ".join(words), asked.options, self.state.names)) == 1
            verb = len(words) if whole else _verb(self.state, asked.options, words)
            key = " ".join(words[:verb]) or _lead(self.state, words)
            if not key:
                break
            self.state.apply(key)
            words = words[verb:]
            self._pass_windows()
        return words

    def _remember(self, given: Sequence[str] = ()) -> None:
        """Notes what is still to be done."""
        self.rest = [
            *given,
            *(word for place in self.places for word in ("to", place)),
            *([_STOP] if self.places and not given else []),
        ]

    def _leaves(self, word: str) -> bool:
        """Does a word say that the group is complete?"""
        return word.casefold() in (
            _GO,
            "done",
            self.state.names.word(_GO),
            self.state.names.own(_GO, {}).casefold(),
        )

    # ---------------------------------------------------------------- groups
    def _numbered(self, given: list[str], options: Sequence[Option]) -> list[str]:
        """Names for numbers of the list, and without the word `add`."""
        add, out = self.state.names.own("add", {}).casefold(), []
        for word in given:
            number = number_of(word)
            if number is not None and not self._meant(word, _adds(options)):
                if not 1 <= number <= len(options):
                    raise IllegalChoice(
                        self.state.names.word("no_option", n=word, last=str(len(options)))
                    )
                out.append(options[number - 1].key.split(" ", 1)[-1])
            elif word.casefold() not in ("add", add):
                out.append(word)
        return out

    def _add_all(self, onward: bool) -> None:
        """Adds all that may be added, to this group or (`onward`) to those after it, too."""
        before, mask = self.state.pc, 0
        while self._asked("group"):
            now = self._picked()
            if not onward and (self.state.pc != before or now & mask != mask):
                return  # another group
            mask = now
            adds = _adds(self.state.decision.options if self.state.decision else ())
            self.state.apply(adds[0] if adds else _GO)

    def _add_named(self) -> None:
        """Adds those that are named. A group is asked for in the order of the data, so the first
        that is offered comes first, whatever the order of the names, and those picked before are
        picked anew; where none of them is offered and some are left, the next group is looked
        at."""
        self._begin_anew()
        while self.names and (self._asked("group") or self._picks()):
            adds = _adds(self.state.decision.options if self.state.decision else ())
            found = {
                adds.index(meant[0]): word
                for word in reversed(self.names)
                if len(meant := self._meant(word, adds)) == 1
            }
            if found:
                self.state.apply(adds[min(found)])
                self.names.remove(found[min(found)])
                continue
            self._drop_grown()
            if not self.names:
                return
            self.whys = self.whys or self.state.why(f"add {self.names[0]}")
            if not self._offered(_GO):
                return
            self.state.apply(_GO)

    def _begin_anew(self) -> None:
        """Takes back what was picked for this group choice by choice, to pick it anew together with
        what is named, if that comes before it in the order of the data."""
        state, book = self.state, self.state.table.book
        if not self.names or not self._asked("group") or not self._picked():
            return
        family = state.table.program.families[state.asking.families[0]]
        picked = self._picked()
        known = [
            book.option(book.id_of(family, [member]))
            for member in range(picked.bit_length())
            if not picked >> member & 1
        ]
        if not any(self._meant(word, known) for word in self.names):
            return
        before = state.pc
        while state.marks and state.pc == before and book.family(state.marks[-1][2]) is family:
            self.names.append(book.option(state.undo()).key.split(" ", 1)[1])
        self.begun = self.reached = min(self.begun, len(state.trail))

    def _picks(self) -> bool:
        """At a question about one thing, before the groups: takes what is named, or the first
        place. Is a group asked for then?"""
        while self._asked("pick") and self.state.decision is not None:
            options = self.state.decision.options
            word = next(
                (
                    w
                    for w in [*self.names, *self.places[:1]]
                    if len(matching(f"pick {w}", options, self.state.names)) == 1
                ),
                "",
            )
            if not word:
                return False
            self.state.apply(f"pick {word}")
            (self.names if word in self.names else self.places).remove(word)
        return self._asked("group")

    def _all_in(self) -> None:
        """Refuses the line if one of its names is in none of its groups."""
        self._drop_grown()
        if self.names:
            whys = self.whys or self._full()
            asked = self.state.decision
            if not whys and asked is not None and asked.kind == "choose":
                raise IllegalChoice(refusals.not_now(self.state, repr(self.names[0])))
            reason = (
                f"{self.state.names.word('colon')}{self.state.names.semicolon.join(whys[:2])}"
                if whys
                else ""
            )
            raise IllegalChoice(
                self.state.names.word("not_added", text=repr(self.names[0])) + reason
            )

    def _drop_grown(self) -> None:
        """Forgets the names that stand in a group of this line: they were the only possibility, so
        it was not asked."""
        grown = self._grown()
        self.names = [
            word
            for word in self.names
            if not self._meant(word, grown) and word.casefold() not in self._under_way()
        ]

    def _picked(self) -> int:
        info = self.state.asking
        return self.state.slots[info.group_slot] if info.group_slot >= 0 else 0

    def _grown(self) -> list[Option]:
        """The options `add ..` of all that came into a group since the line began, asked for or
        not."""
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
        """What was written to a slot since the line began, oldest first."""
        trail = self.state.trail
        olds = [trail[i + 1] for i in range(self.begun, len(trail), 2) if trail[i] == slot]
        return [*olds[1:], self.state.slots[slot]] if olds else []

    def _under_way(self) -> set[str]:
        """In a walk: the words for those who walk."""
        return {word for id in self._walkers() for word in _called(id)}

    def _full(self) -> list[str]:
        """Why the first name left could not come into the last group of the line: the group as it
        was complete, asked once more."""
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
        return past.why(f"add {self.names[0]}")

    # ---------------------------------------------------------------- the way
    def _go_to(self, place: str) -> set[str]:
        """Goes on to a place, or stays content if all have been there: a step that is the only
        possibility is not asked. Returns who walks."""
        while self._asked("group"):
            self.state.apply(_GO)
        for key, kind in ((f"to {place}", "walk"), (f"pick {place}", "pick")):
            if self._asked(kind) and self._offered(key):
                movers = self._walkers() if kind == "walk" else set()
                self.reached, self.named = len(self.state.trail), int(kind == "walk")
                self.state.apply(key)
                return movers
        movers = {
            str(value) for option in self._grown() for value in option.params.values()
        } or self._walkers()
        names, onward = self.state.names, self._onward()
        by_itself = next(
            (
                n
                for n, step in enumerate(onward, 1)
                if place.casefold() in _called(str(names.id(step.kind, step.place)))
            ),
            0,
        )
        if by_itself:
            self.named += by_itself
            return movers
        if not movers or not all(place.casefold() in self._been(piece) for piece in movers):
            verb = "pick" if self._asked("pick") else "to"
            last = 0 if verb == "pick" or self._asked("walk") else self._last_walk()
            carried = "" if self._asked("walk") or verb == "pick" else self._carried(movers)
            whys = carried or self.state.names.semicolon.join(self.state.why(f"{verb} {place}"))
            raise IllegalChoice(refusals.after_walk(self.state, last, place) if last else whys)
        return movers

    def _onward(self) -> list[Step]:
        """The steps that walks have taken since the last that was named."""
        return steps_since(self.state, self.reached)[self.named :]

    def _carried(self, movers: set[str]) -> str:
        """Where those who walk have gone without being asked, as there was no other way; '' if they
        have not."""
        past, names = self.state.clone(), self.state.names
        while past.marks and len(past.trail) > self.begun:
            past.undo()
        for kind, cell in names.place_cells.items():
            for piece in sorted(
                movers & names.ordinals[kind].keys(), key=names.ordinals[kind].__getitem__
            ):
                at = names.ordinals[kind][piece]
                now = self.state.raw(cell, (at,))
                if now >= 0 and now != past.raw(cell, (at,)):
                    return names.word(
                        "only_to", what=names.label(kind, at), at=names.label(cell.type.kind, now)
                    )
        return ""

    def _last_walk(self) -> int:
        """The decision of the line's last walk; 0 if there was none."""
        past = self.state.clone()
        while past.marks and len(past.trail) > self.begun:
            past.undo()
            if past.decision is not None and past.decision.kind == "walk":
                return past.pc
        return 0

    def _end(self, place: str, movers: set[str]) -> None:
        """Ends the walk; IllegalChoice if it may not end there, or has gone on by itself."""
        if _Line(self.state.clone(), "all", self.player)._asked("walk") and self._asked(
            "walk"
        ):  # windows after the walk are not passed
            if not self._offered(_STOP):
                here = self.state.names.label(graph_kind(self.state), refusals.standing(self.state))
                raise IllegalChoice(
                    self.state.names.word("no_end", at=here, why=refusals.of_stop(self.state))
                )
            self.state.apply(_STOP)
        names, onward = self.state.names, self._onward()
        if place and onward:
            raise IllegalChoice(
                names.word(
                    "goes_on",
                    what=walker(self.state, onward[-1].movement),
                    to=place,
                    at=names.label(onward[-1].kind, onward[-1].place),
                )
            )
        for kind, cell in names.place_cells.items():
            for piece in movers & names.ordinals[kind].keys():
                at = self.state.raw(cell, (names.ordinals[kind][piece],))
                if (
                    place
                    and at >= 0
                    and place.casefold() not in _called(str(names.id(cell.type.kind, at)))
                ):
                    raise IllegalChoice(
                        names.word(
                            "goes_on",
                            what=names.label(kind, names.ordinals[kind][piece]),
                            to=place,
                            at=names.label(cell.type.kind, at),
                        )
                    )

    def _walkers(self) -> set[str]:
        """In a walk: the ids of those who walk."""
        if not self._asked("walk"):
            return set()
        program, names = self.state.table.program, self.state.names
        proc = program.procs[self.state.asking.proc]
        groups = (
            v
            for v in proc.vars[: proc.params]
            if v.slot >= 0 and v.type.form == "set" and v.type.kind in names.place_cells
        )
        return {str(id) for v in groups for id in names.value(v.type, self.state.held(v))}

    def _been(self, piece: str) -> set[str]:
        """Where a piece was put since the line began, or has come to the last place."""
        names = self.state.names
        for kind, cell in names.place_cells.items():
            at = names.ordinals[kind].get(piece)
            if at is not None:
                slots, trail, out = self.state.slots[:], self.state.trail, set()
                for i in range(len(trail) - 2, self.reached - 2, -2):
                    out.add(cells.read(slots, cell, (at,)))
                    slots[trail[i]] = trail[i + 1]
                out.discard(cells.read(slots, cell, (at,)))  # there it stood before
                known = {names.id(cell.type.kind, value) for value in out if value >= 0}
                return {word for id in known if id for word in _called(id)}
        return set()

    def _meant(self, word: str, adds: Sequence[Option]) -> list[Option]:
        return _meant(self.state, word, adds)

    # ---------------------------------------------------------------- what is asked
    def _asked(self, kind: str) -> bool:
        self._pass_windows()
        asked = self.state.decision
        return asked is not None and asked.kind == kind and asked.player == self.player

    def _pass_windows(self) -> None:
        """Passes the windows on the way; _Waits where another player has to be asked."""
        while (
            (asked := self.state.decision) is not None
            and asked.kind == "window"
            and self._offered(_PASS)
        ):
            idle = self.passes == "idle" and len(asked.options) == 1
            if asked.player != self.player and self.passes != "all" and not idle:
                raise _Waits
            self.state.apply(_PASS)

    def _offered(self, key: str) -> bool:
        return (
            self.state.decision is not None
            and len(matching(key, self.state.decision.options, self.state.names)) == 1
        )


def _meant(state: State, word: str, adds: Sequence[Option]) -> list[Option]:
    """Those of the options `add ..` that a name means: by the whole id or its last part, else by a
    word of the label, else by a beginning (never `A1` for `A10`)."""
    wanted = word.casefold()
    exact = [o for o in adds if wanted in _called(o.key.partition(" ")[2])]
    found = exact or [o for o in adds if wanted in words_of(o.label)]
    return found or ([] if wanted[-1:].isdecimal() else matching(f"add {word}", adds, state.names))


def _parts(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is named, and the places after each `to`."""
    at = [i for i, word in enumerate(words) if word.casefold() in _TO]
    if not at:
        return list(words), []
    return list(words[: at[0]]), [
        " ".join(words[a + 1 : z]) for a, z in zip(at, [*at[1:], len(words)], strict=True)
    ]


def _called(id: str) -> tuple[str, str]:
    """The words for a member: its id, and the last part of that."""
    return id.casefold(), id.rsplit(".", 1)[-1].casefold()


def _adds(options: Sequence[Option]) -> list[Option]:
    return [option for option in options if option.key.startswith("add ")]
