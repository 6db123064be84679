"""Takes option ids of a program, makes `Option` and `Decision`: what a player is asked; and finds
one by words."""

from __future__ import annotations

import operator
import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol, SupportsIndex, overload

from attrs import field, frozen

from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.catalog import hint
from rulekit.common.i18n.message_format import listed, together
from rulekit.common.i18n.message_format import names as gap_names
from rulekit.engine.kernel.names import Names, tidy, verb_of
from rulekit.runtime.program import DecisionInfo, FamilyInfo, ParamInfo, VarInfo


class Speaker(Protocol):
    """Who says values in words, to somebody who may not know all."""

    def said(self, var: VarInfo, value: int) -> str:
        """What a variable of what is going on holds."""

    def knows_value(self, var: VarInfo) -> bool:
        """May he know it?"""

    def spoken(self, what: str, index: int, args: Sequence[int]) -> str | None:
        """The value of a total or definition by its index; None where it has none now."""


@frozen
class Option:
    """One atomic step. `key` names it in files and scripts; `label` is for people, in their
    language; `params` by name."""

    key: str
    label: str = field(eq=False)
    ref: tuple[str, ...] = field(eq=False)
    params: dict[str, Any] = field(hash=False)
    id: int = field(eq=False)
    secret: bool = field(default=False, eq=False)

    def __str__(self) -> str:
        return self.label


class Options(Sequence[Option]):
    """The options of a decision, made when they are looked at."""

    def __init__(self, book: OptionBook, ids: Sequence[int]) -> None:
        self._book = book
        self.ids = ids

    @overload
    def __getitem__(self, at: int) -> Option: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Option]: ...

    def __getitem__(self, at: int | slice) -> Option | Sequence[Option]:
        if isinstance(at, slice):
            return Options(self._book, self.ids[at])
        return self._book.option(self.ids[at])

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Option]:
        return map(self._book.option, self.ids)

    def __repr__(self) -> str:
        return f"[{', '.join(o.key for o in self)}]"


@frozen
class Decision:
    """Who is asked what. `kind`: choose, pick, group, walk, window, tie. `moment`: of a window, the
    moment that is open."""

    player: str
    prompt: str
    options: Options
    kind: str = "choose"
    procedure: str = ""
    moment: str | None = None
    ref: tuple[str, ...] = ()


class OptionBook:
    """Every option of a program by id; each is made once."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.program = names.program
        self._bases = [f.base for f in self.program.families]
        self._made: dict[int, Option] = {}

    # ---------------------------------------------------------------- ids
    def family(self, id: int) -> FamilyInfo:
        """The family that an id belongs to."""
        at = bisect_right(self._bases, id) - 1
        if at < 0 or id >= self._bases[at] + self.program.families[at].size:
            raise IllegalChoice(f"there is no option {id}")
        return self.program.families[at]

    def arguments(self, family: FamilyInfo, id: int) -> list[int]:
        """The parameters of an option, as run-time values."""
        rest, out = id - family.base, []
        for param in reversed(family.params):
            rest, step = divmod(rest, param.size)
            out.append(step + param.low)
        return out[::-1]

    def id_of(self, family: FamilyInfo, arguments: Sequence[int]) -> int:
        """The id of an option by its parameters."""
        at = 0
        for param, value in zip(family.params, arguments, strict=True):
            at = at * param.size + value - param.low
        return family.base + at

    def options(self, ids: Sequence[int]) -> Options:
        """Options by id."""
        return Options(self, ids)

    def option(self, id: int) -> Option:
        """An option by id."""
        made = self._made.get(id)
        if made is None:
            made = self._make(id)
            if len(self._made) >= MAX_KEPT_OPTIONS:
                self._made.clear()
            self._made[id] = made
        return made

    # ---------------------------------------------------------------- in words
    def _make(self, id: int) -> Option:
        family = self.family(id)
        arguments = self.arguments(family, id)
        if family.what == "to" and family.arcs:
            return self._step(family, arguments[0], id)
        words = [self._word(p, v) for p, v in zip(family.params, arguments, strict=True)]
        shown = [self._shown(p, v) for p, v in zip(family.params, arguments, strict=True)]
        params: dict[str, Any] = {
            p.name: w if p.kind >= 0 else v
            for p, v, w in zip(family.params, arguments, words, strict=True)
        }
        return Option(
            " ".join([_verb(family), *words]),
            self._label(family, arguments, shown),
            family.ref,
            params,
            id,
            family.secret,
        )

    def things(self, id: int) -> str:
        """What an option is about, for people: its parameters, without its verb."""
        family = self.family(id)
        if family.arcs:
            return self.names.label(self._graph[0], family.arcs[id - family.base][2])
        return ", ".join(
            self._shown(p, v)
            for p, v in zip(family.params, self.arguments(family, id), strict=True)
        )

    def _step(self, family: FamilyInfo, arc: int, id: int) -> Option:
        border, start, goal = family.arcs[arc]
        twice = sum(1 for _, a, z in family.arcs if a == start and z == goal) > 1
        place_kind, border_kind = self._graph
        goal_id = self.names.program.kinds[place_kind].members[goal]
        border_id = self.names.program.kinds[border_kind].members[border]
        key = f"to {goal_id} over {border_id}" if twice else f"to {goal_id}"
        text = self.names.own("to", {"place": self.names.said(place_kind, goal)})
        if twice:
            text = together(text, f" ({self.names.label(border_kind, border)})")
        return Option(key, text, family.ref, {"to": goal_id, "over": border_id}, id, family.secret)

    @cached_property
    def _graph(self) -> tuple[int, int]:
        return next((k.joins, i) for i, k in enumerate(self.program.kinds) if k.joins >= 0)

    def _word(self, param: ParamInfo, value: int) -> str:
        return str(value) if param.kind < 0 else str(self.names.id(param.kind, value))

    def _shown(self, param: ParamInfo, value: int) -> str:
        return str(value) if param.kind < 0 else self.names.said(param.kind, value)

    def _label(self, family: FamilyInfo, arguments: Sequence[int], shown: Sequence[str]) -> str:
        by_name = dict(zip((p.name for p in family.params), shown, strict=True))
        if family.what == "pick":
            return (
                listed(shown, " ")
                or self.names.text(f"{family.key}.none")
                or self.names.word("none_of_them")
            )
        if family.what == "tie":
            return listed(shown, " ")
        if family.what in ("add", "go", "stop", "pass"):
            return listed([self.names.own(family.what, {}), *shown], " ")
        text = self.names.text(family.key, family.label) or tidy(family.name)
        used = gap_names(text)
        filled = self.names.filled(
            family.key,
            family.label or tidy(family.name),
            by_name | self._data(family, arguments, used),
        )
        rest = [w for n, w in by_name.items() if n not in used]
        return together(filled, self.names.word("colon"), listed(rest)) if rest else filled

    def _data(
        self, family: FamilyInfo, arguments: Sequence[int], gaps: Sequence[str]
    ) -> dict[str, str]:
        """What the data say of the members that an option names, for gaps `parameter.attribute`;
        nothing of what not all know."""
        found = {}
        for gap in gaps:
            name, _, attribute = gap.partition(".")
            for param, member in zip(family.params, arguments, strict=True):
                if attribute and param.name == name and param.kind >= 0 <= member:
                    kind = self.program.kinds[param.kind]
                    if attribute in kind.fixed and not kind.hidden_identity:
                        type, values = kind.fixed[attribute]
                        found[gap] = self.names.shown(type, values[member])
        return found

    def decision(
        self,
        info: DecisionInfo,
        who: int,
        ids: Sequence[int],
        slots: Sequence[int],
        speaker: Speaker,
    ) -> Decision:
        """The decision at which play stands. `speaker` says the values in its prompt, for who reads
        it."""
        player = self.names.sides[who] if who >= 0 else ""
        moment = self.names.id(self.program.moments, info.moment)
        prompt = self.prompt(info, slots, speaker)
        return Decision(
            player,
            prompt,
            self.options(ids),
            info.kind,
            self.program.procs[info.proc].name,
            moment,
            info.ref,
        )

    def prompt(self, info: DecisionInfo, slots: Sequence[int], speaker: Speaker) -> str:
        """What is asked. What everybody may know of the procedures that are going on fills its
        {names}, and so do totals and definitions of which they give the arguments."""
        names = self.names
        prompt = names.text(info.prompt, info.text) or (
            names.word("which_first") if info.kind == "tie" else ""
        )
        if not prompt:
            prompt = (
                tidy(info.prompt.rsplit(".", 1)[-1])
                if info.prompt
                else tidy(self.program.procs[info.proc].name)
            )
        moment = names.id(self.program.moments, info.moment)
        if moment is not None and not info.text:
            prompt = names.text(_moment_key(moment), tidy(moment))
        if "{" in prompt:
            plain = info.text if moment is None else tidy(moment)
            key = info.prompt if names.text(info.prompt) == prompt else _moment_key(str(moment))
            prompt = names.filled(
                key,
                plain or tidy(info.prompt.rsplit(".", 1)[-1]),
                self._running(info, slots, prompt, speaker),
            )
        return prompt

    def _running(
        self, info: DecisionInfo, slots: Sequence[int], text: str, speaker: Speaker
    ) -> dict[str, str]:
        """What everybody may know where a decision is asked, by name: what is called so in its
        procedure, then in those that are going on, the innermost first; and the totals and
        definitions that a text names and whose parameters are among these names.
        """
        found = self._called(info, slots)
        shown = {name: speaker.said(v, slots[v.slot]) for name, v in found.items()}
        raw = {name: slots[v.slot] for name, v in found.items()}
        unknown = {name for name, v in found.items() if not speaker.knows_value(v)}
        for name in set(gap_names(text)) - shown.keys():
            for what, declared in (
                ("total", self.program.totals),
                ("define", self.program.defines),
            ):
                for index, each in enumerate(declared):
                    if each.name == name and all(param in raw for param, _ in each.params):
                        value = (
                            self.names.word("hidden")
                            if any(param in unknown for param, _ in each.params)
                            else speaker.spoken(
                                what, index, [raw[param] for param, _ in each.params]
                            )
                        )
                        if value is not None:
                            shown[name] = value
        return shown

    def _called(self, info: DecisionInfo, slots: Sequence[int]) -> dict[str, VarInfo]:
        """The variables by their names. What goes on around lends its parameters and fields before
        what it calls so by the way."""
        inside = self.program.procs[info.proc]
        going_on = [p for p in self.program.procs if p.returns >= 0 and slots[p.returns]]
        around = [
            *sorted(going_on, key=lambda p: p.callers),
            *(self.program.procs[caller] for caller, _ in reversed(inside.chain or ())),
        ]
        found: dict[str, VarInfo] = {}
        for proc in around:
            if proc is not inside:
                found.update({v.name: v for v in proc.vars})
                found.update(
                    {v.name: v for i, v in enumerate(proc.vars) if i < proc.params or v.shared}
                )
        found.update({v.name: v for v in inside.vars if v.shared or info.visible is None})
        found.update({name: inside.vars[at] for name, at in (info.visible or {}).items()})
        return {name: v for name, v in found.items() if v.slot >= 0}


def _moment_key(moment: str) -> str:
    """The text key of a moment: `moment.odds_known`, `moment.after.entered`."""
    return f"moment.{moment.replace(' ', '.')}"


def _verb(family: FamilyInfo) -> str:
    if family.what == "pick" and not family.params:
        return "none"
    return verb_of(family)


# -------------------------------------------------------------------- by words
LONGEST = 1000  # characters of a typed text; no choice and no whole move is longer
MAX_KEPT_OPTIONS = (
    10_000  # of one program in one language: a kilobyte each; a game may have millions
)
_DIGITS = re.compile(r"[0-9]+\Z")


def number_of(text: str) -> int | None:
    """The number from 0 on that a typed text is, in plain digits; None if it is none. One of more
    than nine digits is only large."""
    if not _DIGITS.match(text):
        return None
    return int(text) if len(text) <= 9 else 10**9


def id_of(names: Names, given: object) -> int:
    """The id of an option that is given, as a whole number of Python's. IllegalChoice for what is
    none, as are true and false."""
    if not isinstance(given, bool) and isinstance(given, SupportsIndex):
        return operator.index(given)
    raise IllegalChoice(names.word("no_id", what=repr(given)[:40]))


def refuse_long(names: Names, text: str) -> None:
    """IllegalChoice for a text that is longer than any choice."""
    if len(text) > LONGEST:
        raise IllegalChoice(names.word("too_long", n=str(LONGEST)))


def words_of(text: str) -> list[str]:
    """The words of a typed choice or a key."""
    return (
        text.replace(",", " ")
        .replace("(", " ")
        .replace(")", " ")
        .replace(":", " ")
        .casefold()
        .split()
    )


def _fits(wanted: Sequence[str], key: Sequence[str]) -> bool:
    """Are the wanted words found in the key in this order? A word also stands for the last dotted
    part of an id."""
    at = 0
    for word in key:
        if at < len(wanted) and wanted[at] in (word, word.rsplit(".", 1)[-1]):
            at += 1
    return at == len(wanted)


def _begins(wanted: Sequence[str], key: Sequence[str], whole: Container[str]) -> bool:
    """As `_fits`, but a word may be cut short, if it is not one of the `whole` ones."""
    at = 0
    for word in key:
        if at < len(wanted):
            want, short = wanted[at], word.rsplit(".", 1)[-1]
            if want in (word, short) or (
                want not in whole and (word.startswith(want) or short.startswith(want))
            ):
                at += 1
    return at == len(wanted)


def matching(text: str, options: Sequence[Option], names: Names) -> list[Option]:
    """The options that a typed text may mean: by exact key, else by its words in order, else by
    words of the label, else by beginnings. The name of an action stands for nothing else, and the
    name of a member is no beginning of another word.
    """
    exact = [o for o in options if o.key == text] or [
        o for o in options if o.key.casefold() == text.casefold()
    ]
    if exact:
        return exact[:1]
    wanted = words_of(text)
    if not wanted:
        return []
    by_key = [o for o in options if _fits(wanted, words_of(o.key))]
    if by_key:
        # `pick A` and `pick over A`: the one with no word left over is meant
        whole = [o for o in by_key if len(words_of(o.key)) == len(wanted)]
        return whole if len(whole) == 1 else by_key
    left = (
        [o for o in options if words_of(o.key)[:1] == wanted[:1]]
        if wanted[0] in names.verbs
        else options
    )
    return [o for o in left if _fits(wanted, words_of(o.label))] or [
        o for o in left if _begins(wanted, words_of(o.key), names.called)
    ]


def no_such(names: Names, text: str, options: Sequence[Option]) -> str:
    """The message for a text that means none or several of the options."""
    found = matching(text, options, names)
    if len(found) > 1:
        return names.word(
            "may_mean",
            text=repr(text),
            found=", ".join(o.key for o in found[:6]) + (" ..." if len(found) > 6 else ""),
        )
    near = hint(names.lang, text, [o.key for o in options])
    return names.word("not_offered", text=repr(text)) + (f"; {near}" if near else "")
