"""The commands at the prompt that look ahead and back: `odds`, `paths`, `hint`, `since` and
`replay`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.cli.terminal.console import Console
from rulekit.cli.terminal.menu import counted
from rulekit.cli.terminal.outcomes import odds_lines, paths_lines, pieces_of
from rulekit.cli.terminal.replay_steps import ReplayStep, at_choice, begin_since, steps
from rulekit.cli.terminal.screen import Screen
from rulekit.common.errors import IllegalChoice, RulekitError
from rulekit.common.i18n.messages import _, ngettext
from rulekit.engine.kernel.decision import Decision, Option, matching, no_such, number_of
from rulekit.engine.kernel.names import Names
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.seat import Seat

WAYS = 12  # options for which odds are printed at once
NEXT, BACK, HERE = ("next", "n", "suivant"), ("back", "b", "précédent"), ("board", "plateau")
ENDS = ("end", "fin")


def meant(text: str, options: Sequence[Option], names: Names) -> list[Option]:
    """Return the options that a text may mean: the one with this number in the list, else those
    that match the words.
    """
    number = number_of(text)
    if number is not None and 1 <= number <= len(options) and not any(map(counted, options)):
        return [options[number - 1]]
    return matching(text, options, names)


def odds(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the results of the next roll and their chances, after one option or after each."""
    names, seat = console.state.names, Seat(console.state, who)
    options = Observer(console.state, who).options()
    found = meant(rest, options, names) if rest else options
    if not found:
        raise IllegalChoice(no_such(names, rest, options))
    ways = [way for option in found[:WAYS] for way in seat.odds(option.key).ways]
    rolled = [way for way in ways if any(result.rolls for result in way.results)]
    shown = ways if rest else rolled
    console.say(
        *[f"  {line}" for way in shown for line in odds_lines(names, way)]
        or ["  " + names.say(_("no option leads to a roll before the next decision"))]
    )
    if len(found) > WAYS:
        console.note(
            ngettext(
                "{n} more option: odds OPTION", "{n} more options: odds OPTION", len(found) - WAYS
            )
        )
    return False


def hint(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the option that the search would choose, and its continuation."""
    found = Seat(console.state, who).hint()
    if found.key is None:
        console.note(_("the search has no advice here"))
    else:
        console.say(
            "  "
            + ", ".join(
                [
                    found.label,
                    *(console.state.names.say(_("then {what}", what=each)) for each in found.then),
                ]
            )
        )
    return False


def paths(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the places that these pieces can reach together and the costs. Without pieces, print
    those of the moving group.
    """
    names, seat = console.state.names, Seat(console.state, who)
    options = Observer(console.state, who).options()
    words = [_named(word, options) for word in rest.replace(",", " ").split()]
    pieces = pieces_of(seat, words, names.sides[who])
    found = seat.forecast([f"add {piece}" for piece in pieces or ()])
    if words and not found.places and (pieces is None or found.stopped_by in ("key", "choice")):
        keys = meant(rest, options, names)
        if len(keys) != 1 and pieces is None:
            raise IllegalChoice(no_such(names, rest, options))
        found = seat.forecast([keys[0].key]) if len(keys) == 1 else found
    console.say(*[f"  {line}" for line in paths_lines(names, found)])
    if found.stopped_by == "key" and found.refused:
        console.say(
            *[f"    {line.text}" for line in seat.why_not(found.refused.partition(" ")[2])[:3]]
        )
    return False


def _named(word: str, options: Sequence[Option]) -> str:
    """Return the piece that a number of the list adds to a group. Return other words unchanged."""
    number = number_of(word)
    key = options[number - 1].key if number is not None and 1 <= number <= len(options) else ""
    return key.removeprefix("add ") if key.startswith("add ") else word


def since(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the events since the player's last decision."""
    found = steps(console.state, who)
    begin = begin_since(found, who)
    if not found[begin:]:
        console.note(_("nothing has happened since your last decision"))
    for step in found[begin:]:
        _tell(console, step)
    return False


def replay(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Step through the game. `replay` begins after the player's last decision or at choice N, and
    `next`, `back` and `board` continue.
    """
    found, wish = steps(console.state, who), rest.casefold()
    if not found:
        console.note(_("nothing has happened yet"))
        return False
    last = len(found) - 1
    number = number_of(wish)
    if number is not None:
        console.step = next((at for at, step in enumerate(found) if step.choice >= number), last)
    elif wish in NEXT + BACK and console.step is not None:
        console.step += 1 if wish in NEXT else -1
    elif wish in ENDS:
        console.step = None
        return False
    elif wish in HERE and console.step is not None:
        there = at_choice(console.state, found[min(console.step, last)].choice)
        console.say(*Screen(there, who).everything())
        return False
    elif wish in ("", *NEXT, *BACK):
        console.step = begin_since(found, who)
    else:
        raise RulekitError(
            console.state.names.say(
                _("{text} is not a number, next, back, board or end", text=repr(rest))
            )
        )
    if console.step < 0 or console.step > last:
        console.note(
            _("this is the beginning of the game") if console.step < 0 else _("this is the present")
        )
        console.step = 0 if console.step < 0 else None
        return False
    _tell(console, found[console.step], numbered=True)
    if console.settings.interactive and wish not in NEXT + BACK:
        console.note(
            _(
                "(Enter: the next step; `replay back`, `replay N`, `replay board`:"
                " the position there, `replay end`)"
            )
        )
    return False


def _tell(console: Console, step: ReplayStep, numbered: bool = False) -> None:
    """Print the lines of a step. With `numbered`, a heading names the choice and its player."""
    names = console.state.names
    label = (
        names.label(console.state.table.program.sides, step.side)
        if step.side >= 0
        else names.say(_("the beginning"))
    )
    if numbered:
        console.say(
            "-- "
            + names.say(
                _(
                    "choice {n} of {all}: {who}",
                    n=str(step.choice),
                    all=str(console.state.move_number()),
                    who=label,
                )
            )
            + " --"
        )
    console.say(
        *[
            f"  == {line.text.strip()} ==" if line.level else f"  {line.text.strip()}"
            for line in step.lines
        ]
    )
