"""Decisions and options with their names and texts, and the search for an option by typed text."""

from __future__ import annotations

import operator
import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol, SupportsIndex, overload

from attrs import field, frozen

from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.message_format import listed, together
from rulekit.common.i18n.message_format import names as gap_names
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import near
from rulekit.engine.kernel.names import Names, tidy, verb_of
from rulekit.runtime.program import DecisionInfo, FamilyInfo, ParamInfo, VarInfo


class Speaker(Protocol):
    """Renders values as text for a reader who may not know all of them."""

    def said(self, var: VarInfo, value: int) -> str:
        """Return the value of a variable of a running procedure as text."""

    def knows_value(self, var: VarInfo) -> bool:
        """Return True if the reader may know the value."""

    def spoken(self, what: str, index: int, args: Sequence[int]) -> str | None:
        """Return the value of a total or definition by its index, or None if it has none now."""


@frozen
class Option:
    """One atomic step that a player may choose.

    Attributes:
        key: its name in files and scripts.
        label: its text for people, in their language.
        params: its parameters by name.
    """

    key: str
    label: str = field(eq=False)
    ref: tuple[str, ...] = field(eq=False)
    params: dict[str, Any] = field(hash=False)
    id: int = field(eq=False)
    secret: bool = field(default=False, eq=False)

    def __str__(self) -> str:
        return self.label


class Options(Sequence[Option]):
    """The options of a decision, each built on first access."""

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
    """A question to one player: a prompt and the options.

    Attributes:
        kind: one of choose, pick, group, walk, window, tie.
        moment: for a window, the moment that opened it.
    """

    player: str
    prompt: str
    options: Options
    kind: str = "choose"
    procedure: str = ""
    moment: str | None = None
    ref: tuple[str, ...] = ()


class OptionBook:
    """Every option of a program by id, built on demand and cached."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.program = names.program
        self._bases = [f.base for f in self.program.families]
        self._made: dict[int, Option] = {}

    # ------------------------------------------------------------------------------------------ ids
    def family(self, id: int) -> FamilyInfo:
        """Return the family that an id belongs to."""
        at = bisect_right(self._bases, id) - 1
        if at < 0 or id >= self._bases[at] + self.program.families[at].size:
            raise IllegalChoice(f"there is no option {id}")
        return self.program.families[at]

    def arguments(self, family: FamilyInfo, id: int) -> list[int]:
        """Return the parameters of an option as run-time values."""
        rest, out = id - family.base, []
        for param in reversed(family.params):
            rest, step = divmod(rest, param.size)
            out.append(step + param.low)
        return out[::-1]

    def id_of(self, family: FamilyInfo, arguments: Sequence[int]) -> int:
        """Return the id of an option by its parameters."""
        at = 0
        for param, value in zip(family.params, arguments, strict=True):
            at = at * param.size + value - param.low
        return family.base + at

    def options(self, ids: Sequence[int]) -> Options:
        """Return the options with these ids."""
        return Options(self, ids)

    def option(self, id: int) -> Option:
        """Return an option by id."""
        made = self._made.get(id)
        if made is None:
            made = self._make(id)
            if len(self._made) >= MAX_KEPT_OPTIONS:
                self._made.clear()
            self._made[id] = made
        return made

    # ---------------------------------------------------------------------------------------- texts
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
        """Return the parameters of an option as text, without its verb."""
        family = self.family(id)
        if family.arcs:
            return self.names.label(self._graph[0], family.arc(id).target)
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
                or self.names.say(_("none of them"))
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
        return together(filled, self.names.colon, listed(rest)) if rest else filled

    def _data(
        self, family: FamilyInfo, arguments: Sequence[int], gaps: Sequence[str]
    ) -> dict[str, str]:
        """Return the fixed attributes of named members, for gaps of the form `parameter.attribute`.

        Attributes of kinds with hidden identity are left out, because not everybody may know them.
        """
        found = {}
        for gap in gaps:
            name, __, attribute = gap.partition(".")
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
        """Return the current decision. `speaker` renders the values in its prompt."""
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
        """Return the prompt of a decision.

        Its {names} are filled with values of running procedures, as far as the reader may know
        them. Totals and definitions can fill them too, if those procedures supply their arguments.
        """
        names = self.names
        prompt = names.text(info.prompt, info.text) or (
            names.say(_("Which of these first?")) if info.kind == "tie" else ""
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
        """Return the texts that can fill the gaps of a prompt, by name.

        A name refers to a variable of the deciding procedure, or else of the running procedures
        around it, the innermost first. It may also be a total or definition whose parameters are
        among these names.
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
                            self.names.say(_("hidden"))
                            if any(param in unknown for param, _ in each.params)
                            else speaker.spoken(
                                what, index, [raw[param] for param, _ in each.params]
                            )
                        )
                        if value is not None:
                            shown[name] = value
        return shown

    def _called(self, info: DecisionInfo, slots: Sequence[int]) -> dict[str, VarInfo]:
        """Return the visible variables by name.

        Of an enclosing procedure, parameters and shared fields take precedence over its other
        locals.
        """
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
    """Return the text key of a moment: `moment.odds_known`, `moment.after.entered`."""
    return f"moment.{moment.replace(' ', '.')}"


def _verb(family: FamilyInfo) -> str:
    if family.what == "pick" and not family.params:
        return "none"
    return verb_of(family)


# --------------------------------------------------------------------------- options by their words
LONGEST = 1000  # the largest number of characters of a typed choice or multi-step move
# the largest number of cached options, of a kilobyte each. A game can have millions
MAX_KEPT_OPTIONS = 10_000
_DIGITS = re.compile(r"[0-9]+\Z")
_MAX_DIGITS = 9  # of a number that may be valid
_MAX_SHOWN_OPTIONS = 6  # options that a message names


def number_of(text: str) -> int | None:
    """Return the number that a text of plain digits stands for, or None.

    More than nine digits give 10**9, which is larger than any valid number.
    """
    if not _DIGITS.match(text):
        return None
    return int(text) if len(text) <= _MAX_DIGITS else 10**_MAX_DIGITS


def id_of(names: Names, given: object) -> int:
    """Return an option id given as a Python integer.

    Raises IllegalChoice for anything else, including True and False.
    """
    if not isinstance(given, bool) and isinstance(given, SupportsIndex):
        return operator.index(given)
    raise IllegalChoice(
        names.say(_("the id of an option is a whole number, not {what}", what=repr(given)[:40]))
    )


def refuse_long(names: Names, text: str) -> None:
    """Raise IllegalChoice for a text that is longer than any choice."""
    if len(text) > LONGEST:
        raise IllegalChoice(
            names.say(_("this is too long (at most {n} characters)", n=str(LONGEST)))
        )


def words_of(text: str) -> list[str]:
    """Return the words of a typed choice or a key."""
    return (
        text.replace(",", " ")
        .replace("(", " ")
        .replace(")", " ")
        .replace(":", " ")
        .casefold()
        .split()
    )


def _fits(wanted: Sequence[str], key: Sequence[str]) -> bool:
    """Return True if the wanted words occur in the key in this order.

    A word also matches the last dotted part of an id.
    """
    at = 0
    for word in key:
        if at < len(wanted) and wanted[at] in (word, word.rsplit(".", 1)[-1]):
            at += 1
    return at == len(wanted)


def _begins(wanted: Sequence[str], key: Sequence[str], whole: Container[str]) -> bool:
    """Return True as `_fits` does, but accept shortened words unless they are in `whole`."""
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
    """Return the options that a typed text may mean.

    The first of these that matches is used: the exact key, the words of the key in order, the words
    of the label, the beginnings of words. The name of an action matches nothing else. The name of a
    member does not count as the beginning of another word.
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
        # of `pick A` and `pick over A`, prefer the one without an extra word
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
    """Return the message for a text that matches none or several of the options."""
    found = matching(text, options, names)
    if len(found) > 1:
        return names.say(
            _(
                "{text} may mean {found}",
                text=repr(text),
                found=", ".join(o.key for o in found[:_MAX_SHOWN_OPTIONS])
                + (" ..." if len(found) > _MAX_SHOWN_OPTIONS else ""),
            )
        )
    close = near(text, [o.key for o in options])
    return names.say(_("{text} is not offered here", text=repr(text))) + (
        f"; {names.say(close)}" if close else ""
    )
