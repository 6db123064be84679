"""Takes a state and a line such as `move red.A1 red.A2 to P to Q`, makes the single choices that it stands for: all of them, or none.

A whole line is the words of an option, then the members of its groups in any order (or `all`), then `to PLACE` as often as wanted. At a
decision about a group the first part is left out: `A1 A2`, `1 2` (numbers of the list), `all`, `A1 A2 go`, `A1 A2 to P`."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.base.errors import IllegalChoice, RulekitError
from rulekit.play.decision import Decision, Option, matching, number_of, refuse_long, words_of
from rulekit.play.state import State
from rulekit.program import cells
from rulekit.program.program import PC
from rulekit.program.runtime import members

ALL = ("all", "tous", "toutes")
_TO, _GO = ("to", "vers"), "go"


def choose(state: State, line: str) -> None:
    """Makes the choice of a line, or the several that it stands for. If one of them is refused, or a name comes into no group, none is
    made: IllegalChoice with the reason."""
    refuse_long(state.names, line)
    if not is_several(state, line):
        state.apply(line)
        return
    before, undone = len(state._marks), state._redo[:]
    try:
        _Line(state).make(line)
    except RulekitError:
        while len(state._marks) > before:
            state.undo()
        state._redo[:] = undone
        raise


def is_several(state: State, line: str) -> bool:
    """Is this a line for several choices, rather than one option that is offered or refused?"""
    asked = state.decision
    if asked is None:
        return False
    if asked.kind == "group":
        words = line.split()
        return bool(words) and (words[-1].casefold() in ALL or (len(words) > 1 and not matching(line, asked.options)))
    return len(line.split()) > 1 and not matching(line, asked.options) and bool(_verb(asked, line.split()))


def _verb(asked: Decision, words: Sequence[str]) -> int:
    """How many words at the front of a line name an option: as many as may be, 0 if none do."""
    return next((n for n in range(len(words) - 1, 0, -1) if len(matching(" ".join(words[:n]), asked.options)) == 1), 0)


@define
class _Line:
    """A line on its way. `names`: those not yet found in a group; `whys`: why the first of them could not be added."""

    state: State
    player: str = ""
    names: list[str] = field(factory=list)
    whys: list[str] = field(factory=list)
    begun: int = 0  # length of the trail before the line

    def make(self, line: str) -> None:
        """Makes its choices one by one; IllegalChoice where one is refused."""
        state, asked = self.state, self.state.decision
        assert asked is not None
        self.player, self.begun = asked.player, len(state._trail)
        words = line.replace(";", " ").replace(",", " ").split()
        at_group = asked.kind == "group"
        if not at_group:
            verb = _verb(asked, words)
            state.apply(" ".join(words[:verb]))
            words = words[verb:]
        given, places = _parts(words)
        if at_group:
            given = self._numbered(given, asked.options)
        goes = bool(given) and given[-1].casefold() == _GO
        self.names = [word for word in given[:len(given) - goes] if word.casefold() not in ALL]
        if len(self.names) < len(given) - goes:
            self._add_all(bool(places))
        else:
            self._add_named()
        self._all_in()
        if goes and self._asked("group"):
            state.apply(_GO)
        for place in places:
            self._go_to(place)
        if places and self._asked("walk") and self._offered("stop"):
            state.apply("stop")

    # ---------------------------------------------------------------- groups
    def _numbered(self, given: list[str], options: Sequence[Option]) -> list[str]:
        """Names for numbers of the list, and without the word `add`."""
        add, out = self.state.names.own("add", {}).casefold(), []
        for word in given:
            number = number_of(word)
            if number is not None and not _meant(word, _adds(options)):
                if not 1 <= number <= len(options):
                    raise IllegalChoice(self.state.names.word("no_option", n=word, last=str(len(options))))
                out.append(options[number - 1].key.split(" ", 1)[-1])
            elif word.casefold() not in ("add", add):
                out.append(word)
        return out

    def _add_all(self, onward: bool) -> None:
        """Adds all that may be added, to this group or (`onward`) to those after it, too."""
        before, mask = self.state._s[PC], 0
        while self._asked("group"):
            now = self._picked()
            if not onward and (self.state._s[PC] != before or now & mask != mask):
                return  # another group
            mask = now
            adds = _adds(self.state.decision.options if self.state.decision else ())
            self.state.apply(adds[0] if adds else _GO)

    def _add_named(self) -> None:
        """Adds those that are named. A group is asked for in the order of the data, so the first that is offered comes first, whatever the
        order of the names; where none of them is offered and some are left, the next group is looked at."""
        while self.names and self._asked("group"):
            adds = _adds(self.state.decision.options if self.state.decision else ())
            found = {adds.index(meant[0]): word for word in reversed(self.names) if len(meant := _meant(word, adds)) == 1}
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

    def _all_in(self) -> None:
        """Refuses the line if one of its names is in none of its groups."""
        self._drop_grown()
        if self.names:
            reason = f"{self.state.names.word('colon')}{'; '.join(self.whys[:2])}" if self.whys else ""
            raise IllegalChoice(self.state.names.word("not_added", text=repr(self.names[0])) + reason)

    def _drop_grown(self) -> None:
        """Forgets the names that stand in a group of this line: they were the only possibility, so it was not asked."""
        grown = self._grown()
        self.names = [word for word in self.names if not _meant(word, grown) and word.casefold() not in self._under_way()]

    def _picked(self) -> int:
        info = self.state.table.program.decisions[self.state._s[PC]]
        return self.state._s[info.group_slot] if info.group_slot >= 0 else 0

    def _grown(self) -> list[Option]:
        """The options `add ..` of all that came into a group since the line began, asked for or not."""
        state, program, book = self.state, self.state.table.program, self.state.table.book
        out = []
        for info in program.decisions:
            if info.group_slot >= 0:
                family = program.families[info.families[0]]
                mask = 0
                for value in self._values(info.group_slot):
                    mask |= value
                out += [book.option(book.id_of(family, [member])) for member in members(mask)]
        return out if state._trail else []

    def _values(self, slot: int) -> list[int]:
        """What was written to a slot since the line began, oldest first."""
        trail = self.state._trail
        olds = [trail[i + 1] for i in range(self.begun, len(trail), 2) if trail[i] == slot]
        return [*olds[1:], self.state._s[slot]] if olds else []

    def _under_way(self) -> set[str]:
        """In a walk: the words for those who walk."""
        if not self._asked("walk"):
            return set()
        program, names = self.state.table.program, self.state.names
        proc = program.procs[program.decisions[self.state._s[PC]].proc]
        found = [names.value(v.type, self.state._s[v.slot]) for v in proc.vars[:proc.params] if v.slot >= 0]
        ids = [str(each).casefold() for value in found for each in (value if isinstance(value, list) else [value])]
        return {word for id in ids for word in (id, id.rsplit(".", 1)[-1])}

    # ---------------------------------------------------------------- the way
    def _go_to(self, place: str) -> None:
        """Goes on to a place, or stays content if all have been there: a step that is the only possibility is not asked."""
        while self._asked("group"):
            self.state.apply(_GO)
        for key, kind in ((f"to {place}", "walk"), (f"pick {place}", "pick")):
            if self._asked(kind) and self._offered(key):
                self.state.apply(key)
                return
        movers = {str(value) for option in self._grown() for value in option.params.values()}
        if not movers or not all(place in self._been(piece) for piece in movers):
            raise IllegalChoice("; ".join(self.state.why(f"{'pick' if self._asked('pick') else 'to'} {place}")))

    def _been(self, piece: str) -> set[str]:
        """Where a piece was put since the line began."""
        names = self.state.names
        for kind, cell in names.place_cells.items():
            at = names.ordinals[kind].get(piece)
            if at is not None:
                slots, trail, out = self.state._s[:], self.state._trail, set()
                for i in range(len(trail) - 2, self.begun - 2, -2):  # back to where the line began
                    out.add(cells.read(slots, cell, (at,)))
                    slots[trail[i]] = trail[i + 1]
                known = {names.id(cell.type.kind, value) for value in out if value >= 0}
                return {word for id in known if id for word in (id, id.rsplit(".", 1)[-1])}
        return set()

    # ---------------------------------------------------------------- what is asked
    def _asked(self, kind: str) -> bool:
        asked = self.state.decision
        return asked is not None and asked.kind == kind and asked.player == self.player

    def _offered(self, key: str) -> bool:
        return self.state.decision is not None and len(matching(key, self.state.decision.options)) == 1


def _parts(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is named, and the places after each `to`."""
    at = [i for i, word in enumerate(words) if word.casefold() in _TO]
    if not at:
        return list(words), []
    return list(words[:at[0]]), [" ".join(words[a + 1:z]) for a, z in zip(at, [*at[1:], len(words)], strict=True)]


def _adds(options: Sequence[Option]) -> list[Option]:
    return [option for option in options if option.key.startswith("add ")]


def _meant(word: str, adds: Sequence[Option]) -> list[Option]:
    """Those of the options `add ..` that a name means: by the whole id or its last part, else by a word of the label, else by a beginning
    (never `A1` for `A10`)."""
    wanted = word.casefold()
    exact = [o for o in adds if wanted in ((id := o.key.partition(" ")[2].casefold()), id.rsplit(".", 1)[-1])]
    found = exact or [o for o in adds if wanted in words_of(o.label)]
    return found or ([] if wanted[-1:].isdecimal() else matching(f"add {word}", adds))
