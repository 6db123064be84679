"""Compare a save with a replay under changed names of events, pools, phases, options and members.

A renaming is one to one for each sort of name, and stays the same from beginning to end. So a value
that was changed in the file does not pass for a name that was changed in the rules. Somewhere it
meets an unchanged one and contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from attrs import define, evolve, field

from rulekit.engine.kernel.names import verb_of
from rulekit.runtime.program import Program

MAX_LISTED_NAMES = 12  # the largest number of names in a message


@define
class Renaming:
    """A mapping between the names of a save and the present ones.

    Attributes:
        allowed: True if names may differ at all.
        kinds: the kind whose members a field of an event, or a word of an option, names.
        now: by sort and name in the save, the present name.
        then: by sort and present name, the name in the save.
    """

    allowed: bool = True
    kinds: Mapping[tuple[str, str], str] = field(factory=dict)
    now: dict[tuple[str, str], str] = field(factory=dict)
    then: dict[tuple[str, str], str] = field(factory=dict)

    def copy(self) -> Renaming:
        """Return a copy, for trying."""
        return evolve(self, now=dict(self.now), then=dict(self.then))

    def events(self, recorded: Sequence[Any], actual: Sequence[Any]) -> tuple[Any, Any] | None:
        """Return the first event that differs between a save and the replay, as a pair, or None."""
        for at in range(max(len(recorded), len(actual))):
            one = recorded[at] if at < len(recorded) else None
            other = actual[at] if at < len(actual) else None
            if one != other and not (
                self.allowed and one is not None and other is not None and self._event(one, other)
            ):
                return one, other
            if self.allowed:
                self._event(one, other)
        return None

    def _event(self, one: Any, other: Any) -> bool:
        (name, params), (other_name, other_params) = one, other
        if not self.name("event", name, other_name) or len(params) != len(other_params):
            return False
        pairs = zip(params.items(), other_params.items(), strict=True)
        return all(
            self.name(f"field of {other_name}", a, b)
            and self._value(self.kinds.get((other_name, b), f"{other_name} {b}"), x, y)
            for (a, x), (b, y) in pairs
        )

    def _value(self, sort: str, one: Any, other: Any) -> bool:
        if isinstance(one, list) and isinstance(other, list):
            return len(one) == len(other) and all(
                self._value(sort, a, b) for a, b in zip(one, other, strict=True)
            )
        return (
            self.name(sort, one, other)
            if isinstance(one, str) and isinstance(other, str)
            else one == other
        )

    def key(self, one: str, other: str) -> bool:
        """Return True if both keys can belong to the same option."""
        words, others = one.split(), other.split()
        if len(words) != len(others):
            return False
        sorts = [
            "option",
            *(
                self.kinds.get((others[0], str(at)), f"word {at} of {others[0]}")
                for at in range(1, len(words))
            ),
        ]
        return all(
            a == b if a.isdigit() or b.isdigit() else self.name(sort, a, b)
            for sort, a, b in zip(sorts, words, others, strict=True)
        )

    def name(self, sort: str, one: str, other: str) -> bool:
        """Return True if a name of the save can be this present name. The pair is then fixed."""
        if not self.allowed:
            return one == other
        if self.now.get((sort, one), other) != other or self.then.get((sort, other), one) != one:
            return False
        self.now[sort, one], self.then[sort, other] = other, one
        return True

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The names that have changed, each once."""
        found = dict.fromkeys((one, other) for (_, one), other in self.now.items() if one != other)
        return sorted(found)


def kinds_of(program: Program) -> dict[tuple[str, str], str]:
    """Return the kind whose members are named, by event and field, and by option and word."""
    found = {
        (event.name, name): program.kinds[type.kind].name
        for event in program.events
        for name, type in event.params
        if type.kind >= 0
    }
    found |= (
        {("die_rolled", "who"): program.kinds[program.sides].name} if program.sides >= 0 else {}
    )
    for family in program.families:
        named = ((at, param.kind) for at, param in enumerate(family.params, 1) if param.kind >= 0)
        found |= {(verb_of(family), str(at)): program.kinds[kind].name for at, kind in named}
    joined = next((kind.joins for kind in program.kinds if kind.joins >= 0), -1)
    return found | ({("to", "1"): program.kinds[joined].name} if joined >= 0 else {})


def likeness(one: str, other: str) -> float:
    """Return the similarity of two keys. The most similar of several candidates is tried first."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def renamed_text(pairs: Iterable[tuple[str, str]]) -> str:
    """Return old and new names as text, up to the largest number in a message."""
    listed = [f"{one} → {other}" for one, other in pairs]
    return ", ".join(listed[:MAX_LISTED_NAMES]) + (", …" if len(listed) > MAX_LISTED_NAMES else "")
