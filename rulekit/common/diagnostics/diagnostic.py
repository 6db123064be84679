"""Diagnostics (message, place and help) of all stages, and the `Sink` that collects them."""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterable
from typing import Literal

from attrs import define, evolve, field, frozen

from rulekit.common.diagnostics.advice import HELPS
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.invisible_characters import is_hidden, named

_MAX_LENGTH_DIFFERENCE = 2  # characters, between a name and one that is guessed of many
Level = Literal["error", "warning", "note"]
MIN_LIKENESS = 0.75  # the least `likeness` of a spelling mistake
_MAX_GUESSED_NAMES = 200
_LISTED = 8  # names that a help lists
MAX_KEPT_FINDINGS = 100  # the limit of a `Few`
DEFECT = "RK520"  # the code of a defect of rulekit


@frozen(slots=True)
class Diagnostic:
    """One finding about a game.

    The code is RKnnn: 1xx files and YAML, 2xx syntax, 3xx names, 4xx types and units, 5xx rules as
    a whole (cycles, effects, loops, hidden information), 6xx data (map, pieces, tables, scenarios,
    texts), 7xx rules without effect on play, and texts for players.
    """

    code: str
    message: str
    span: Span = NOWHERE
    help: str = ""
    label: str = ""  # text under the caret
    level: Level = "error"
    ref: str = ""
    second: Span | None = None  # a second place of the cause
    second_label: str = ""
    follows: bool = False  # it follows from the finding at the second place, and comes after it


@define(slots=True)
class Sink:
    """Collects the findings of all stages, so that a run reports all of them and not only the
    first.

    Attributes:
        texts: the files that were accepted as text, by their displayed paths. Only lines of these
            may be printed.
    """

    found: list[Diagnostic] = field(factory=list)
    texts: dict[str, str] = field(factory=dict)
    amount: int = 0  # the number of their characters
    _known: set[Diagnostic] = field(
        factory=set, init=False, repr=False, eq=False
    )  # the same findings, for fast look-up

    def accept(self, name: str, text: str) -> None:
        """Record a file that was read as text and may be displayed."""
        self.amount += len(text)
        self.texts[name] = text

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        label: str = "",
        second: Span | None = None,
        second_label: str = "",
    ) -> None:
        self.add(Diagnostic(code, message, span, help, label, "error", "", second, second_label))

    def warn(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        label: str = "",
        second: Span | None = None,
        second_label: str = "",
    ) -> None:
        self.add(Diagnostic(code, message, span, help, label, "warning", "", second, second_label))

    def add(self, diagnostic: Diagnostic) -> None:
        if not diagnostic.help:
            diagnostic = evolve(diagnostic, help=HELPS.get(diagnostic.code, ""))
        if not (diagnostic.message + diagnostic.help).isprintable():
            diagnostic = _seen(diagnostic)
        if len(self._known) != len(self.found):  # the list is shared with another sink
            self._known = set(self.found)
        if diagnostic not in self._known:
            self._known.add(diagnostic)
            self.found.append(diagnostic)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.found if d.level == "error"]

    def in_order(self) -> list[Diagnostic]:
        """Return the findings by file, line and column.

        Syntax errors come first, because other findings may follow from them.
        """
        return sorted(
            self.found,
            key=lambda d: (not d.code.startswith("RK2"), *_place(d), d.span.line, d.span.column),
        )


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    """Return the place by which a finding is sorted. One that follows from another finding is
    sorted by the place of that one.
    """
    place = (
        diagnostic.second
        if diagnostic.follows and diagnostic.second is not None
        else diagnostic.span
    )
    return place.file, place.line, place.column


def _seen(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic with each invisible character replaced by its code and explained."""
    hidden = dict.fromkeys(char for char in diagnostic.message + diagnostic.help if is_hidden(char))
    codes = str.maketrans({char: f"<U+{ord(char):04X}>" for char in hidden})
    called = "; ".join(f"the character {named(char)} is invisible" for char in hidden)
    help = "; ".join(each for each in (diagnostic.help.translate(codes), called) if each)
    return evolve(diagnostic, message=diagnostic.message.translate(codes), help=help)


class TooManyErrors(Exception):
    """Stops the checks because there are enough findings."""


@define
class Few(Sink):
    """A sink that stops the checks after many findings, since the same mistake need not be reported
    endlessly. It shares the list of the sink that it replaces.
    """

    left: int = MAX_KEPT_FINDINGS

    def add(self, diagnostic: Diagnostic) -> None:
        self.left -= 1
        if self.left < 0:
            message = f"more than {MAX_KEPT_FINDINGS} errors; the others are not listed"
            Sink.add(
                self,
                Diagnostic(
                    "RK218", message, diagnostic.span, "correct those above first", level="note"
                ),
            )
            raise TooManyErrors
        Sink.add(self, diagnostic)


def turned(name: str, known: Container[str]) -> str:
    """Return the text about the name of a border A-B that is called B-A, else an empty text."""
    other = "-".join(reversed(name.split("-")))
    return (
        f"its name is {other!r}: the map names its two places in this order"
        if other != name and other in known
        else ""
    )


def among(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the nearest names. If there are none, return all known names if they are few, and
    `otherwise`, another way out.
    """
    names = list(dict.fromkeys(known))
    few = (
        f"expected {'one of ' if len(names) > 1 else ''}{', '.join(names)}"
        if 0 < len(names) <= _LISTED
        else ""
    )
    return guess(name, names) or "; or ".join(filter(None, (few, otherwise)))


def swapped(one: str, other: str) -> bool:
    """Return True if two names differ only by two adjacent letters in the other order."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    return (
        len(one) == len(other)
        and at < len(one)
        and one[:at] + one[at + 1 : at + 2] + one[at] + one[at + 2 :] == other
    )


def likeness(one: str, other: str) -> float:
    """Return the similarity of two names: 1 if two adjacent letters are swapped, 0 if the names are
    too different for a spelling mistake.
    """
    ratio = 1.0 if swapped(one, other) else difflib.SequenceMatcher(None, one, other).ratio()
    return ratio if ratio >= MIN_LIKENESS else 0.0


def guess(name: str, known: Iterable[str]) -> str:
    """Return 'did you mean ...?' for the nearest known names, or an empty text.

    For known names that only blanks separate, the text says that a comma is missing.
    """
    known = set(known)
    words = name.split()
    if len(words) > 1 and known.issuperset(words):
        return f"separate them with a comma: {', '.join(words)}"
    near = nearest(name, known)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else ""


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names that are nearest to a name, at most three."""
    names = set(known)
    if (
        len(names) > _MAX_GUESSED_NAMES
    ):  # comparing is slow: of many names, only those with the same first letter and similar length
        names = {
            k
            for k in names
            if k[:1].lower() == name[:1].lower()
            and abs(len(k) - len(name)) <= _MAX_LENGTH_DIFFERENCE
        }
    pool = sorted(names)[:_MAX_GUESSED_NAMES]
    near = [k for k in pool if swapped(k, name)] or difflib.get_close_matches(name, pool, 3, 0.6)
    if not near:
        folded = {k.lower(): k for k in pool}
        near = [folded[name.lower()]] if name.lower() in folded else []
    return near
