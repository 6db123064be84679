"""Lists of options: all in columns, in groups if they are many, or those that a text may mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from attrs import frozen

from rulekit.common.i18n.messages import _
from rulekit.engine.kernel.decision import Option, number_of, words_of
from rulekit.engine.kernel.names import Names

MIN_GROUP = 3  # options that are shown as a group
LONG = 30  # a longer list is grouped
LINES = 40  # lines of a page
SHOWN = 4  # options shown of a large group
WHOLE = 8  # the largest group that is listed in full

Numbered = tuple[int, Option]


@frozen
class Menu:
    """The options of one decision as a list for people.

    Attributes:
        more: returns the text after a label, such as the effect of a card or the cost of a step.
    """

    names: Names
    options: Sequence[Option]
    width: int
    more: Callable[[Option], str]

    def lines(self, text: str = "") -> list[str]:
        """Return the options with the numbers that choose them. Many options are grouped. With a
        text, return those that it may mean.
        """
        found = self.filtered(text)
        if not found:
            return [self.names.say(_("no option has {text} in it", text=repr(text)))]
        if len(found) <= LONG or text:
            return self._columns([self._cell(each) for each in found])
        return [line for group in self._groups(found) for line in self._group(group)]

    def filtered(self, text: str) -> list[Numbered]:
        """Return the options with all words of the text in their label or key."""
        words = words_of(text)
        numbered = list(enumerate(self.options, 1))
        return [
            each
            for each in numbered
            if all(w in f"{each[1].label} {each[1].key}".casefold() for w in words)
        ]

    def _cell(self, each: Numbered) -> str:
        number, option = each
        return (
            f"{'' if counted(option) else number:>3}"
            f" {option.label}{self.more(option)}{_paragraphs(option)}"
        )

    def _columns(self, cells: Sequence[str]) -> list[str]:
        wide = max((len(c) for c in cells), default=1) + 2
        columns = max(1, self.width // wide) if len(cells) > WHOLE else 1
        rows = [cells[i : i + columns] for i in range(0, len(cells), columns)]
        return ["".join(c.ljust(wide) for c in row).rstrip() for row in rows]

    def _groups(self, found: Sequence[Numbered]) -> list[list[Numbered]]:
        """Group the options by verb, and a large group of options with at least two parameters also
        by the first one.
        """
        families = [
            list(group)
            for _, group in groupby(
                found, key=lambda each: (each[1].key.split(" ", 1)[0], each[1].ref)
            )
        ]
        out = []
        for family in families:
            if len(family) > WHOLE and len(family[0][1].params) > 1:
                out += [
                    list(group)
                    for _, group in groupby(
                        family, key=lambda each: next(iter(each[1].params.values()))
                    )
                ]
            else:
                out.append(family)
        return out

    def _group(self, group: list[Numbered]) -> list[str]:
        if len(group) < MIN_GROUP:
            return [self._cell(each) for each in group]
        head = _common([option.label for _, option in group])
        things = [
            f"{number} {option.label[len(head) :].strip(' :,') or option.label}{self.more(option)}"
            for number, option in group
        ]
        shown = things if len(things) <= WHOLE else things[:SHOWN]
        rest = (
            ""
            if len(things) <= WHOLE
            else " ... "
            + self.names.say(
                _(
                    "({n} options, up to {last}; `options WORDS`)",
                    n=str(len(things)),
                    last=str(group[-1][0]),
                )
            )
        )
        verb, colon = (
            head.strip(" :,") or group[0][1].key.split(" ", 1)[0],
            self.names.colon,
        )
        return [f"  - {verb}{colon}{', '.join(shown)}{rest}{_paragraphs(group[0][1])}"]


def _paragraphs(option: Option) -> str:
    return f" [{', '.join(option.ref)}]" if option.ref else ""


def _common(labels: Sequence[str]) -> str:
    """Return the common beginning of all labels, up to a comma or colon if there is one."""
    head = labels[0]
    for label in labels[1:]:
        same = next(
            (i for i, (a, b) in enumerate(zip(head, label, strict=False)) if a != b),
            min(len(head), len(label)),
        )
        head = head[:same]
    cut = max(head.rfind(", "), head.rfind(": "))
    return head[: cut + 2] if cut >= 0 else head[: head.rfind(" ") + 1]


def counted(option: Option) -> bool:
    """Return True if the option is a number and not a thing with a number as its name. It is then
    typed as it is and has no number in the list.
    """
    return number_of(option.label.removeprefix("-")) is not None and all(
        isinstance(value, int) for value in option.params.values()
    )
