"""Completion of a line at a decision: commands, options, and the members that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from glob import glob

from attrs import frozen

from rulekit.common.i18n.messages import _, pgettext
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Option
from rulekit.engine.kernel.names import Names
from rulekit.engine.knowledge.observation import Observer

COMMANDS = (
    pgettext("command", "auto pass"),
    pgettext("command", "board"),
    pgettext("command", "find"),
    pgettext("command", "help"),
    pgettext("command", "hint"),
    pgettext("command", "load"),
    pgettext("command", "log"),
    pgettext("command", "map"),
    pgettext("command", "more"),
    pgettext("command", "odds"),
    pgettext("command", "options"),
    pgettext("command", "pass all"),
    pgettext("command", "paths"),
    pgettext("command", "quit"),
    pgettext("command", "redo"),
    pgettext("command", "replay"),
    pgettext("command", "save"),
    pgettext("command", "since"),
    pgettext("command", "situation"),
    pgettext("command", "skip"),
    pgettext("command", "total"),
    pgettext("command", "undo"),
    pgettext("command", "why"),
)
OF_OPTIONS = ("why", "pourquoi", "odds", "chances", "options", "choix")
OF_PIECES = ("paths", "chemins")
OF_MEMBERS = ("find", "chercher", "board", "plateau")
OF_FILES = ("save", "load", "situation", "enregistrer", "charger")
FIXED = {
    "log": ("all", "more"),
    "journal": ("tout", "suite"),
    "replay": ("next", "back", "board", "end"),
    "revoir": ("suivant", "précédent", "plateau", "fin"),
    "skip": ("all", "turn", "game", "off"),
    "auto": ("pass on", "pass off"),
    "sauter": ("all", "turn", "game", "off"),
}
MAX_OFFERED_WORDS = 60  # words offered at once


@frozen
class CompletionWord:
    """A possible completion.

    Attributes:
        about: its meaning.
    """

    text: str
    about: str = ""


@frozen
class Offers:
    """The possible inputs at a decision of a player."""

    state: State
    who: int
    options: Sequence[Option]

    def words(self, line: str) -> tuple[str, list[CompletionWord]]:
        """Return the typed beginning of the last word of a line, and its possible completions, each
        once.
        """
        *before, last = line.split(" ") if line else [""]
        done = [word for word in before if word]
        found: dict[str, CompletionWord] = {}
        for word in self._next(done, last):
            if word.text.casefold().startswith(last.casefold()) and len(found) < MAX_OFFERED_WORDS:
                found.setdefault(word.text, word)
        return last, list(found.values())

    def _next(self, done: Sequence[str], last: str) -> Iterator[CompletionWord]:
        names = self.state.names
        if not done:
            yield from _following(self.options, [], names)
            yield from (CompletionWord(command) for command in sorted(map(names.say, COMMANDS)))
            return
        command, rest = done[0].casefold(), done[1:]
        if command in OF_OPTIONS:
            yield from _following(self.options, rest, names)
        elif command in OF_PIECES:
            yield from self._members(names.place_cells, rest)
        elif command in OF_MEMBERS:
            yield from self._members(range(len(names.program.kinds)), rest)
        elif command in OF_FILES:
            yield from (CompletionWord(path) for path in sorted(glob(f"{last}*")))
        elif command == "total":
            totals = (CompletionWord(total.name) for total in names.program.totals)
            yield from self._members(range(len(names.program.kinds)), rest) if rest else totals
        elif command in FIXED and not rest:
            yield from map(CompletionWord, FIXED[command])
        else:
            yield from _following(self.options, done, names)
            yield from self._line(done)

    def _line(self, done: Sequence[str]) -> Iterator[CompletionWord]:
        """Yield the continuations of a line of several choices: pieces, and a place after `to`."""
        names = self.state.names
        places = {cell.type.kind for cell in names.place_cells.values()}
        if done[-1].casefold() in ("to", "vers"):
            yield from self._members(sorted(places), ())
        elif names.place_cells and any(word.casefold() in names.verbs for word in done):
            yield from self._members(names.place_cells, done)
            yield CompletionWord(names.say(_("to")))

    def _members(self, kinds: Iterable[int], done: Sequence[str]) -> Iterator[CompletionWord]:
        """Return the short ids of the members that the player knows, their own first, without those
        in the line.
        """
        names, observer, found = (
            self.state.names,
            Observer(self.state, self.who),
            list[tuple[bool, CompletionWord]](),
        )
        mine = f"{names.sides[self.who]}."
        for kind in kinds:
            for at, id in enumerate(names.program.kinds[kind].members):
                short = id.rsplit(".", 1)[-1]
                if observer.knows(kind, at) and short not in done:
                    label = names.label(kind, at)
                    found.append(
                        (
                            not id.startswith(mine),
                            CompletionWord(short, "" if label == short else label),
                        )
                    )
        return iter([word for _, word in sorted(found, key=lambda each: each[0])])


def _following(
    options: Sequence[Option], done: Sequence[str], names: Names
) -> Iterator[CompletionWord]:
    """Yield the next words of the options whose first words are typed already."""
    for option in options:
        key = option.key.split()
        if len(key) > len(done) and all(
            _is(typed, word) for typed, word in zip(done, key, strict=False)
        ):
            word = key[len(done)]
            last = len(key) == len(done) + 1
            yield CompletionWord(word.rsplit(".", 1)[-1], option.label if last else "")


def _is(typed: str, word: str) -> bool:
    return typed.casefold() in (word.casefold(), word.rsplit(".", 1)[-1].casefold())
