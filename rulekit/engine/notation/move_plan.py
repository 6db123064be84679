"""Makes a plan of a typed move. It reads the position and plays nothing.

A plan is made in steps. A choice before the group, for example `activate P`, is a `PlannedChoice`:
the words after it are read in the position after it. The last step is the `MovePlan`: pieces, path
and end. A group is offered one piece at a time, so a piece or a place is a `Designator`. It selects
one of the options that are offered when its turn comes.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.messages import _
from rulekit.engine.explain import refusals
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Option, matching, number_of, words_of
from rulekit.engine.kernel.names import Names
from rulekit.engine.knowledge.information_set import deals
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead, walkers, ways_to
from rulekit.engine.notation.move_tokens import (
    ALL_WORDS,
    STOP,
    TO_WORDS,
    MoveToken,
    Role,
    move_words,
    names_and_places,
    texts,
    token_of,
)
from rulekit.runtime.intrinsics import members


@frozen
class Designator:
    """The name of a piece or a place, as it was typed."""

    text: str

    def is_name_of(self, id: str) -> bool:
        """Return True if the text is a member's id, or the last part of it."""
        return self.text.casefold() in (id.casefold(), id.rsplit(".", 1)[-1].casefold())

    def key(self, verb: str) -> str:
        """Return the text of an option about the named thing, for example `to K`."""
        return f"{verb} {self.text}"

    def among_adds(self, adds: Sequence[Option], names: Names) -> list[Option]:
        """Return the options `add ...` that the name may mean.

        An id or its last part comes first, then a word of the label, then the beginning of a word
        (never `A1` for `A10`).
        """
        wanted = self.text.casefold()
        found = [o for o in adds if self.is_name_of(o.key.partition(" ")[2])] or [
            o for o in adds if wanted in words_of(o.label)
        ]
        if found or wanted[-1:].isdecimal():
            return found
        return matching(self.key("add"), adds, names)

    def among(self, verb: str, options: Sequence[Option], names: Names) -> Option | None:
        """Return the only option with this verb that the name can mean, or None."""
        found = matching(self.key(verb), options, names)
        return found[0] if len(found) == 1 else None


@frozen
class PlannedChoice:
    """An option to take first, and the words to read in the position after it."""

    option: Option
    rest: Sequence[MoveToken]


@frozen
class MovePlan:
    """The part of a move that concerns groups and walks.

    Attributes:
        words: the part before the path as it was typed, with names for numbers.
        pieces: the pieces to add to groups.
        adds_all: True to add every piece that can be added.
        leaves: True if the last group is complete.
        path: the places to go to, in order.
        stops: True if the walk ends there.
    """

    words: tuple[str, ...] = ()
    pieces: tuple[Designator, ...] = ()
    adds_all: bool = False
    leaves: bool = False
    path: tuple[Designator, ...] = ()
    stops: bool = False

    def __str__(self) -> str:
        """Return the plan as move text. A path without words before it ends with `stop`."""
        steps = [word for place in self.path for word in ("to", place.text)]
        ends = self.stops if not self.path else not self.words
        return " ".join([*self.words, *steps, *([STOP] if ends else [])])


def is_multi_step(state: State, text: str, known: Sequence[Option] | None = None) -> bool:
    """Return True if a text is a multi-step move, not one option that is offered or refused.

    Args:
        known: the options that may be revealed. By default, those that are offered.
    """
    decision, words = state.decision, move_words(text)
    if decision is None or not words:
        return False
    options = decision.options if known is None else known
    if decision.kind == "group":
        return words[-1].casefold() in ALL_WORDS or not matching(text, options, state.names)
    return (
        len(words) > 1
        and not matching(text, options, state.names)
        and bool(_verb_length(state, options, words) or _leading_option(state, words))
    )


def plan_choice(state: State, tokens: Sequence[MoveToken], player: str) -> PlannedChoice | None:
    """Plan the choice among options with which a move begins. None means that there is none."""
    decision, words = state.decision, texts(tokens)
    if not words or decision is None or decision.kind != "choose" or decision.player != player:
        return None
    found = matching(" ".join(words), decision.options, state.names)
    if len(found) == 1:
        return PlannedChoice(found[0], [])
    length = _verb_length(state, decision.options, words)
    if length:
        verb = " ".join(words[:length])
        return PlannedChoice(matching(verb, decision.options, state.names)[0], tokens[length:])
    option = _leading_option(state, words)
    return PlannedChoice(option, tokens) if option is not None else None


def plan_move(
    state: State, tokens: Sequence[MoveToken], stops: bool, numbered: Sequence[Option] | None
) -> MovePlan:
    """Plan the pieces, the path and the end of a move.

    Args:
        stops: True if the move says that the walk ends.
        numbered: the options of a group, if numbers of its list may stand for pieces, or None.

    Raises:
        IllegalChoice: a number is not in the list.
    """
    named, places = names_and_places(tokens)
    if numbered is not None:
        named = _without_numbers(state.names, named, numbered)
    leaves = bool(named) and named[-1].has(Role.LEAVE)
    before = named[: len(named) - leaves]
    pieces = [Designator(token.text) for token in before if not token.has(Role.ALL)]
    return MovePlan(
        tuple(texts(named)),
        tuple(pieces),
        len(pieces) < len(before),
        leaves,
        tuple(map(Designator, places)),
        stops,
    )


def adds_of(options: Sequence[Option]) -> list[Option]:
    """Return the options that add a piece to a group."""
    return [option for option in options if option.key.startswith("add ")]


def piece_of(option: Option) -> Designator:
    """Return the piece of an option `add ...`."""
    return Designator(option.key.split(" ", 1)[-1])


def _without_numbers(
    names: Names, tokens: Sequence[MoveToken], options: Sequence[Option]
) -> list[MoveToken]:
    """Replace numbers of the list by names, and leave out the word `add`."""
    adds, out = adds_of(options), []
    for token in tokens:
        number = number_of(token.text)
        if number is not None and not Designator(token.text).among_adds(adds, names):
            if not 1 <= number <= len(options):
                raise IllegalChoice(
                    names.say(
                        _(
                            "there is no option {n}: the numbers are 1 to {last}",
                            n=token.text,
                            last=str(len(options)),
                        )
                    )
                )
            out.append(token_of(piece_of(options[number - 1]).text, names))
        elif not token.has(Role.ADD):
            out.append(token)
    return out


def _verb_length(state: State, options: Sequence[Option], words: Sequence[str]) -> int:
    """Return the number of words at the front that name an option, as many as possible.

    It is 0 if none do, or if they name a refused option together with the next words.
    """
    for n in range(len(words) - 1, 0, -1):
        found = matching(" ".join(words[:n]), options, state.names)
        if len(found) == 1:
            whole = len(words_of(found[0].key))
            is_refused = n < whole <= len(words) and refusals.is_refused(
                state, " ".join(words[:whole])
            )
            return 0 if is_refused else n
    return 0


def _leading_option(state: State, words: Sequence[str]) -> Option | None:
    """Return the only option that leads to a group or walk of the first named piece, or None.

    It is looked for at a choice among options that the words do not name.
    """
    decision, book = state.decision, state.table.book
    if decision is None or not decision.player or decision.kind != "choose":
        return None
    if words[0].casefold() in TO_WORDS:
        return None
    piece = Designator(words[0])

    def has_room(there: PlayerLookahead) -> bool:
        if there.info.kind == "walk":
            names = there.state.names
            return any(
                piece.is_name_of(str(names.id(kind, member)))
                for kind, mask in walkers(there).items()
                for member in members(mask)
            )
        return len(piece.among_adds(adds_of(book.options(there.ids())), state.names)) == 1

    observer = Observer(state, decision.player)
    ways = list(ways_to(PlayerLookahead.within(observer, deals(observer)[0]), has_room, 1))
    return book.option(ways[0][0]) if len(ways) == 1 else None
