"""The names of a program: ids and texts of its members, and values as JSON.

All frontends and files use these names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulekit.common.diagnostics.diagnostic import turned
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.elision import elided
from rulekit.common.i18n.languages import HOME
from rulekit.common.i18n.message_format import FormattedValue, fill, listed, needs, trimmed
from rulekit.common.i18n.messages import Message, _, rendered
from rulekit.common.i18n.reasons import near
from rulekit.engine.kernel.default_texts import DEFAULTS
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members as bits
from rulekit.runtime.program import (
    CellInfo,
    FamilyInfo,
    KeyInfo,
    KindInfo,
    Program,
    TotalInfo,
    TypeInfo,
)

NO_LIMIT = 1 << 20
MAX_NAMED_MEMBERS = 8  # a message names the members of a kind up to this number
LARGEST = 2**31 - 1  # the largest number in a file or in typed text
_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")
_RATIO = re.compile(r"(\d{1,9})\s*(?::|to)\s*(\d{1,9})")


class UnknownName(RulekitError):
    """A name that the game does not have."""


class AmbiguousName(UnknownName):
    """A short name that several members have."""


def tidy(name: str) -> str:
    """Return a name of the rules as words."""
    return name.replace("_", " ")


class Names:
    """The names of one program.

    Attributes:
        lang: the language of its texts. Texts that are missing come from English, then from the
            rules.
    """

    def __init__(self, program: Program, lang: str = HOME) -> None:
        self.program = program
        self.lang = lang
        self._own, self._home = program.texts.get(lang, {}), program.texts.get(HOME, {})
        self._texts: dict[str, str] = {**self._home, **self._own}

    # -------------------------------------------------------------------------------------- members
    def kinds_of(self, family: FamilyInfo) -> dict[str, int]:
        """Return the kind of each parameter of an option, or -1 for a number."""
        if not family.arcs:
            return {each.name: each.kind for each in family.params}
        border = next(i for i, kind in enumerate(self.program.kinds) if kind.joins >= 0)
        return {"to": self.program.kinds[border].joins, "over": border}

    @cached_property
    def ordinals(self) -> list[dict[str, int]]:
        """For each kind, the ordinal by id. A last dotted part counts if only one member has it."""
        return [_with_short(kind) for kind in self.program.kinds]

    @cached_property
    def shorts(self) -> list[list[str]]:
        """For each kind, the short id of each member."""
        out = []
        for kind, known in zip(self.program.kinds, self.ordinals, strict=True):
            out.append(
                [
                    s if known.get(s := m.rsplit(".", 1)[-1]) == i else m
                    for i, m in enumerate(kind.members)
                ]
            )
        return out

    @cached_property
    def called(self) -> frozenset[str]:
        """The ids of all members and their last dotted parts, without regard to case."""
        return frozenset(
            word.casefold()
            for kind in self.program.kinds
            for id in kind.members
            for word in (id, id.rsplit(".", 1)[-1])
        )

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The words with which keys of options begin."""
        return frozenset(verb_of(family).casefold() for family in self.program.families)

    def id(self, kind: int, member: int) -> str | None:
        """Return the id of a member, or None for a missing value."""
        return self.program.kinds[kind].members[member] if member >= 0 else None

    def label(self, kind: int, member: int) -> str:
        """Return the name of a member for people."""
        if member < 0:
            return self._texts.get("none", "none")
        info = self.program.kinds[kind]
        name = info.members[member]
        key = f"member.{info.name}.{name}"
        return self._texts.get(key) or info.labels.get(name) or self.shorts[kind][member]

    def member(self, kind: int, name: Any) -> int:
        """Return the ordinal of a member by id, short id or label.

        Raises:
            UnknownName: no member, or more than one, has this name.
        """
        if name is None or name == "none":
            return -1
        known = self.ordinals[kind]
        text = str(name)
        if text in known:
            return known[text]
        folded = text.casefold()
        info = self.program.kinds[kind]
        found = [
            i
            for i, m in enumerate(info.members)
            if folded
            in map(
                str.casefold, (m, self.shorts[kind][i], self.label(kind, i), info.labels.get(m, ""))
            )
        ]
        if len(found) == 1:
            return found[0]
        several = ambiguous(text, info.members) if self.lang == HOME else ""
        if several:
            raise AmbiguousName(several)
        hint: Message | str | None = turned(text, known) if info.joins >= 0 else ""
        hint = hint or near(text, known)
        if not hint and 0 < len(info.members) <= MAX_NAMED_MEMBERS and self.lang == HOME:
            hint = f"write one of {', '.join(info.members)}"
        kind_text = info.name if self.lang == HOME else self.text(f"kind.{info.name}", info.name)
        raise UnknownName(
            self.say(_("{name} is not a {kind}", name=repr(text), kind=kind_text))
            + self._hinted(hint)
        )

    def kind(self, name: str) -> int:
        """Return the index of a kind by name."""
        for i, kind in enumerate(self.program.kinds):
            if kind.name.casefold() == name.casefold():
                return i
        raise UnknownName(self.say(_("{name} is not a kind of this game", name=repr(name))))

    def side(self, name: Any) -> int:
        """Return the ordinal of a player, by ordinal or name."""
        if isinstance(name, int) and not isinstance(name, bool):
            if not 0 <= name < len(self.sides):
                raise UnknownName(self.say(_("there is no player {name}", name=str(name))))
            return name
        return self.member(self.program.sides, name)

    @property
    def sides(self) -> list[str]:
        """The ids of the players, in order."""
        return self.program.kinds[self.program.sides].members if self.program.sides >= 0 else []

    # ---------------------------------------------------------------------------------------- texts
    def text(self, key: str, default: str = "") -> str:
        """Return a text by key, or `default` if there is none."""
        return self._texts.get(key) or default

    def under(self, prefix: str) -> dict[str, str]:
        """Return the texts with a key prefix, by the rest of the key."""
        return {
            key[len(prefix) :]: text
            for key, text in sorted(self._texts.items())
            if key.startswith(prefix) and text
        }

    def numbered(self, key: str) -> Iterator[tuple[int, str]]:
        """Yield the texts `KEY.N`, each with its number."""
        for each, text in self._texts.items():
            number = each.removeprefix(f"{key}.")
            if text and number != each and _NUMBER.fullmatch(number):
                yield int(number), text

    def has_text(self, key: str) -> bool:
        """Return True if the game has a text for a key. It may be empty: then nothing is reported.

        If the frontend has its own words in this language, only a text in the same language counts.
        """
        return key in (self._texts if self.lang == HOME or key not in DEFAULTS else self._own)

    def is_silent(self, key: str) -> bool:
        """Return True if the game has an empty text for a key. Then nothing is reported."""
        return self._texts.get(key) == ""

    def many(self, event: str) -> str:
        """Return the text that reports several events of a name in one line, or ''.

        It comes from the language that has the text for one event.
        """
        texts = self._own if f"event.{event}" in self._own else self._home
        return texts.get(f"event.{event}.many", "")

    def filled(self, key: str, default: str, params: Mapping[str, str]) -> str:
        """Return a text with its {param} gaps filled in.

        It is the first text of its language, English and `default` that `params` can fill. No gap
        is left.
        """
        if self.is_silent(key):
            return ""
        texts = [text for text in (self._own.get(key), self._home.get(key), default) if text]
        found = next(
            (text for text in texts if needs(text, params) <= params.keys()),
            texts[-1] if texts else "",
        )
        return trimmed(fill(elided(self.lang, found, params), params))

    def say(self, message: Message) -> str:
        """Return a message in the language of the names."""
        return message.text(self.lang)

    @cached_property
    def colon(self) -> str:
        """The separator of a name and a text about it."""
        return self.say(_(": "))

    @cached_property
    def semicolon(self) -> str:
        """The separator of clauses."""
        return self.say(_("; "))

    def own(self, key: str, params: dict[str, str]) -> str:
        """Return a text of the game, or the frontend's own for a language that the game lacks."""
        default = DEFAULTS[key].pattern(self.lang) if key in DEFAULTS else ""
        return self.filled(
            key if key in self._own or not default or self.lang == HOME else "",
            default,
            params,
        )

    # --------------------------------------------------------------------------------------- values
    def value(self, type: TypeInfo, value: int) -> Any:
        """Return a run-time value as JSON: a member as its id, a set as a list of ids."""
        if type.form == "bool":
            return bool(value)
        if type.form == "member":
            return self.id(type.kind, value)
        if type.form == "set":
            found = self.program.kinds[type.kind].members
            return [found[i] for i in bits(value)]
        if type.optional and value == NO_LIMIT:
            return None
        return value

    def shown(self, type: TypeInfo, value: int) -> str:
        """Return a run-time value as people read it."""
        if type.form == "bool":
            return (
                FormattedValue(self.text("yes", self.say(_("yes"))), "yes")
                if value
                else FormattedValue(self.text("no", self.say(_("no"))), "no")
            )
        if type.form == "member":
            return self.said(type.kind, value)
        if type.form == "set":
            return self.listed([self.said(type.kind, i) for i in bits(value)])
        if type.form == "ratio" and isinstance(value, tuple):
            return f"{value[0]} : {value[1]}"
        if type.optional and value == NO_LIMIT:
            return FormattedValue("-", "none")
        return FormattedValue(f"{value} {self.unit(type.unit)}" if type.unit else str(value), value)

    def unit(self, name: str) -> str:
        """Return the short word of a unit, to stand after a number."""
        return self.text(f"unit.{name}.short", name)

    def said(self, kind: int, member: int) -> FormattedValue:
        """Return a member as people read it. Its id, or `none`, selects among cases of a text."""
        label, id = self.label(kind, member), self.id(kind, member)
        return FormattedValue(
            label, id or "none", ((label, (kind, id)),) if id is not None and label else ()
        )

    def listed(self, items: Sequence[str]) -> FormattedValue:
        """Return a list for people: `A, B and C`.

        The number of items selects among cases of a text.
        """
        last = listed(items[-2:], f" {_('and').text(self.lang)} ") or "-"
        text = listed([*items[:-2], last])
        return FormattedValue(text, len(items), text.parts)

    def parse(self, type: TypeInfo, value: Any) -> Any:
        """Return the run-time value of JSON or words: a number, or a pair for a ratio."""
        if type.form == "ratio":
            pair = _RATIO.fullmatch(str(value).strip())
            if pair is None:
                raise UnknownName(f"{value!r} is not a ratio such as 3 to 2")
            return int(pair[1]), int(pair[2])
        if type.form == "bool":
            if value in (True, 1, "true", "yes"):
                return 1
            if value in (False, 0, "false", "no", None):
                return 0
            raise UnknownName(self.say(_("{value} is neither true nor false", value=repr(value))))
        if type.form == "member":
            return self.member(type.kind, value)
        if type.form == "set":
            if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
                value = [word.strip() for word in value[1:-1].split(",") if word.strip()]
            items = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
            out = 0
            for item in items:
                out |= 1 << self.member(type.kind, item)
            return out
        if type.optional and (value is None or value == "none"):
            return NO_LIMIT
        if (isinstance(value, int) and abs(value) <= LARGEST) or (
            isinstance(value, str) and _NUMBER.fullmatch(value)
        ):
            return int(value)
        number = isinstance(value, int)
        raise UnknownName(
            self.say(_("a number is {n} at most", n=str(LARGEST)))
            if number
            else self.say(_("{value} is not a number", value=repr(value)))
        )

    # ---------------------------------------------------------------------------------------- cells
    @cached_property
    def _cells(self) -> dict[str, list[CellInfo]]:
        out: dict[str, list[CellInfo]] = {}
        for cell in self.program.cells:
            if not cell.hidden:
                out.setdefault(cell.name, []).append(cell)
        return out

    def cell(self, path: str) -> tuple[CellInfo, tuple[int, ...]]:
        """Return a cell and its keys by a dotted name.

        Examples are `turn`, `pa.one`, `reduced.one.A1` and `one.A1.reduced`.
        """
        for name, rest in _splits(path):
            for cell in self._cells.get(name, ()):
                keys = self._keys(cell, rest)
                if keys is not None:
                    return cell, keys
        kinds = self.program.kinds
        for name, rest in _splits(path):
            for cell in self._cells.get(name, ()):
                several = (
                    ambiguous(rest, kinds[cell.keys[0].kind].members)
                    if len(cell.keys) == 1 and cell.keys[0].kind >= 0
                    else ""
                )
                if several and self.lang == HOME:
                    raise AmbiguousName(several)
        raise UnknownName(self._no_cell(path))

    def _no_cell(self, path: str) -> str:
        """Return the reason why a path names no cell: an unknown name or wrong keys."""
        if path.split(".")[0] in self.program.info.get("fixed", ()):
            return self.say(
                _(
                    "{name} is a constant, not a state; its value comes from data.yaml, the"
                    " scenario or a ruling",
                    name=repr(path),
                )
            )
        for name, rest in _splits(path) if self.lang == HOME else ():
            for cell in self._cells.get(name, ()):
                return self._wrong_keys(cell, rest)
            kinds = [kind for kind in self.program.kinds if name in kind.fixed]
            if kinds:
                return (
                    f"{name!r} of {kinds[0].name} is a constant, not a state; the data or an"
                    " overlay give its value"
                )
        hint = near(path.split(".")[0], self._cells) or near(path.rsplit(".", 1)[-1], self._cells)
        return self.say(_("{name} is not a state of this game", name=repr(path))) + self._hinted(
            hint
        )

    def _wrong_keys(self, cell: CellInfo, rest: str) -> str:
        """Return the error in the keys of an existing cell."""
        example = ".".join(
            [cell.name, *(self.key_name(key, key.low if key.kind < 0 else 0) for key in cell.keys)]
        )
        if not cell.keys:
            return f"{cell.name!r} has no key, and {rest!r} stands after it; write {cell.name}"
        if not rest:
            return (
                f"{cell.name!r} needs its {'key' if len(cell.keys) == 1 else 'keys'}; write it like"
                f" {example}"
            )
        kinds = [self.program.kinds[key.kind] for key in cell.keys if key.kind >= 0]
        hint = near(rest, [m for kind in kinds for m in kind.members]) or f"write it like {example}"
        return f"{rest!r} is no key of {cell.name!r}; {hint}"

    def _keys(self, cell: CellInfo, rest: str) -> tuple[int, ...] | None:
        for words in _cuts(rest, len(cell.keys)):
            keys = [self.key_of(key, word) for key, word in zip(cell.keys, words, strict=True)]
            if None not in keys:
                return tuple(k for k in keys if k is not None)
        return None

    def key_of(self, key: KeyInfo, word: str) -> int | None:
        """Return a key from a word, or None if the word is no such key."""
        if key.kind < 0:
            if not re.fullmatch(r"-?\d{1,9}", word):
                return None
            number = int(word)
            return number if key.low <= number < key.low + key.size else None
        return self.ordinals[key.kind].get(word)

    def key_name(self, key: KeyInfo, value: int) -> str:
        """Return a key as a word."""
        return str(value) if key.kind < 0 else self.program.kinds[key.kind].members[value]

    def cell_name(self, cell: CellInfo) -> str:
        """Return a cell's name.

        An attribute has its kind in front if another cell has the same name.
        """
        if cell.owner >= 0 and len(self._cells.get(cell.name, ())) > 1:
            return f"{self.program.kinds[cell.owner].name}.{cell.name}"
        return cell.name

    @cached_property
    def dotted(self) -> list[list[tuple[tuple[int, ...], str]]]:
        """For each cell, the keys of each of its places, with their words joined by dots."""
        return [
            [
                (keys, ".".join(self.key_name(k, v) for k, v in zip(cell.keys, keys, strict=True)))
                for keys in cells.places(cell)
            ]
            for cell in self.program.cells
        ]

    def at_place(self, cell: CellInfo, at: int) -> str:
        """Return a cell's name with the keys of a place: `pa.one`."""
        return ".".join(
            [
                self.cell_name(cell),
                *(
                    self.key_name(k, v)
                    for k, v in zip(cell.keys, cells.keys_of(cell, at), strict=True)
                ),
            ]
        )

    @cached_property
    def place_cells(self) -> dict[int, CellInfo]:
        """For each kind whose members stand at places, the attribute that holds the place.

        The game's data can name it. Otherwise it is an optional member of a kind that borders join.
        """
        joined = {kind.joins for kind in self.program.kinds}
        places = self.program.info.get("place_cells", {})
        out: dict[int, CellInfo] = {}
        for cell in self.program.cells:
            if cell.owner < 0 or len(cell.keys) != 1 or cell.type.form != "member" or cell.hidden:
                continue
            named = (
                places.get(self.program.kinds[cell.owner].name)
                if isinstance(places, dict)
                else None
            )
            if cell.name == named:
                out[cell.owner] = cell
            elif (
                named is None
                and cell.type.kind in joined
                and cell.type.kind != cell.owner
                and cell.type.optional
            ):
                out.setdefault(cell.owner, cell)
        return out

    @cached_property
    def variables(self) -> dict[str, TypeInfo]:
        """The types of the variables of procedures, by name and by `procedure.name`."""
        return {
            name: var.type
            for proc in self.program.procs
            for var in proc.vars
            if var.slot >= 0
            for name in (var.name, f"{proc.name}.{var.name}")
        }

    # --------------------------------------------------------------------------------- declarations
    def declared(self, name: str) -> tuple[str, int, TotalInfo]:
        """Return a total, permit, define or table by name: its category, index and declaration."""
        program = self.program
        for what, found in (
            ("total", program.totals),
            ("permit", program.permits),
            ("define", program.defines),
            ("table", program.tables),
        ):
            for i, info in enumerate(found):
                if info.name == name:
                    return what, i, info
        known = [
            i.name for i in (*program.totals, *program.permits, *program.defines, *program.tables)
        ]
        hint = near(name, known)
        raise UnknownName(
            self.say(_("{name} is not a total of this game", name=repr(name))) + self._hinted(hint)
        )

    def _hinted(self, hint: Message | str | None) -> str:
        """Return a suggestion in the form in which it follows a message."""
        return f"; {rendered(self.lang, hint)}" if hint else ""


def ambiguous(text: str, members: Iterable[str]) -> str:
    """Return the message for a last dotted part that several members have, or ''."""
    called = [member for member in members if member.rsplit(".", 1)[-1] == text]
    return (
        f"{text!r} may be {' or '.join(called[:4])}; write the whole name: {called[0]}"
        if len(called) > 1
        else ""
    )


def verb_of(family: FamilyInfo) -> str:
    """Return the first word of the keys of a family's options."""
    return {"option": family.name, "tie": "pick"}.get(family.what, family.what)


def _with_short(kind: KindInfo) -> dict[str, int]:
    known = {m: i for i, m in enumerate(kind.members)}
    seen: dict[str, list[int]] = {}
    for i, m in enumerate(kind.members):
        seen.setdefault(m.rsplit(".", 1)[-1], []).append(i)
    for short, owners in seen.items():
        if len(owners) == 1:
            known.setdefault(short, owners[0])
    return known


def _splits(path: str) -> Iterator[tuple[str, str]]:
    """Yield (name, rest) with the name at the front, at the back, and second after its kind."""
    parts = path.split(".")
    yield parts[0], ".".join(parts[1:])
    if len(parts) > 1:
        yield parts[-1], ".".join(parts[:-1])
        yield parts[1], ".".join(parts[2:])


def _cuts(text: str, count: int) -> Iterator[Sequence[str]]:
    """Yield all ways to cut a dotted text into `count` dotted pieces."""
    if count == 0:
        if not text:
            yield ()
        return
    parts = text.split(".") if text else []
    if count == 1:
        if parts:
            yield (text,)
        return
    for i in range(1, len(parts)):
        for rest in _cuts(".".join(parts[i:]), count - 1):
            yield (".".join(parts[:i]), *rest)
