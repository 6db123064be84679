"""The commands at the prompt that look ahead and back: `odds`, `paths`, `hint`, `since` and
`replay`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.cli.terminal.console import Desk
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


def odds(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the results of the next roll and their chances, after one option or after each."""
    names, seat = desk.state.names, Seat(desk.state, who)
    options = Observer(desk.state, who).options()
    found = meant(rest, options, names) if rest else options
    if not found:
        raise IllegalChoice(no_such(names, rest, options))
    ways = [way for option in found[:WAYS] for way in seat.odds(option.key).ways]
    rolled = [way for way in ways if any(result.rolls for result in way.results)]
    shown = ways if rest else rolled
    desk.say(
        *[f"  {line}" for way in shown for line in odds_lines(names, way)]
        or ["  " + names.say(_("no option leads to a roll before the next decision"))]
    )
    if len(found) > WAYS:
        desk.note(
            ngettext(
                "{n} more option: odds OPTION", "{n} more options: odds OPTION", len(found) - WAYS
            )
        )
    return False


def hint(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the option that the search would choose, and its continuation."""
    found = Seat(desk.state, who).hint()
    if found.key is None:
        desk.note(_("the search has no advice here"))
    else:
        desk.say(
            "  "
            + ", ".join(
                [
                    found.label,
                    *(desk.state.names.say(_("then {what}", what=each)) for each in found.then),
                ]
            )
        )
    return False


def paths(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the places that these pieces can reach together and the costs. Without pieces, print
    those of the moving group.
    """
    names, seat = desk.state.names, Seat(desk.state, who)
    options = Observer(desk.state, who).options()
    words = [_named(word, options) for word in rest.replace(",", " ").split()]
    pieces = pieces_of(seat, words, names.sides[who])
    found = seat.forecast([f"add {piece}" for piece in pieces or ()])
    if words and not found.places and (pieces is None or found.stopped_by in ("key", "choice")):
        keys = meant(rest, options, names)
        if len(keys) != 1 and pieces is None:
            raise IllegalChoice(no_such(names, rest, options))
        found = seat.forecast([keys[0].key]) if len(keys) == 1 else found
    desk.say(*[f"  {line}" for line in paths_lines(names, found)])
    if found.stopped_by == "key" and found.refused:
        desk.say(
            *[f"    {line.text}" for line in seat.why_not(found.refused.partition(" ")[2])[:3]]
        )
    return False


def _named(word: str, options: Sequence[Option]) -> str:
    """Return the piece that a number of the list adds to a group. Return other words unchanged."""
    number = number_of(word)
    key = options[number - 1].key if number is not None and 1 <= number <= len(options) else ""
    return key.removeprefix("add ") if key.startswith("add ") else word


def since(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the events since the player's last decision."""
    found = steps(desk.state, who)
    begin = begin_since(found, who)
    if not found[begin:]:
        desk.note(_("nothing has happened since your last decision"))
    for step in found[begin:]:
        _tell(desk, step)
    return False


def replay(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Step through the game. `replay` begins after the player's last decision or at choice N, and
    `next`, `back` and `board` continue.
    """
    found, wish = steps(desk.state, who), rest.casefold()
    if not found:
        desk.note(_("nothing has happened yet"))
        return False
    last = len(found) - 1
    number = number_of(wish)
    if number is not None:
        desk.step = next((at for at, step in enumerate(found) if step.choice >= number), last)
    elif wish in NEXT + BACK and desk.step is not None:
        desk.step += 1 if wish in NEXT else -1
    elif wish in ENDS:
        desk.step = None
        return False
    elif wish in HERE and desk.step is not None:
        there = at_choice(desk.state, found[min(desk.step, last)].choice)
        desk.say(*Screen(there, who).everything())
        return False
    elif wish in ("", *NEXT, *BACK):
        desk.step = begin_since(found, who)
    else:
        raise RulekitError(
            desk.state.names.say(
                _("{text} is none of: a number, next, back, board, end", text=repr(rest))
            )
        )
    if desk.step < 0 or desk.step > last:
        desk.note(
            _("this is the beginning of the game") if desk.step < 0 else _("this is the present")
        )
        desk.step = 0 if desk.step < 0 else None
        return False
    _tell(desk, found[desk.step], numbered=True)
    if desk.settings.interactive and wish not in NEXT + BACK:
        desk.note(
            _(
                "(Enter: the next step; `replay back`, `replay N`, `replay board`:"
                " the position there, `replay end`)"
            )
        )
    return False


def _tell(desk: Desk, step: ReplayStep, numbered: bool = False) -> None:
    """Print the lines of a step. With `numbered`, a heading names the choice and its player."""
    names = desk.state.names
    label = (
        names.label(desk.state.table.program.sides, step.side)
        if step.side >= 0
        else names.say(_("the beginning"))
    )
    if numbered:
        desk.say(
            "-- "
            + names.say(
                _(
                    "choice {n} of {all}: {who}",
                    n=str(step.choice),
                    all=str(desk.state.choices_count()),
                    who=label,
                )
            )
            + " --"
        )
    desk.say(
        *[
            f"  == {line.text.strip()} ==" if line.level else f"  {line.text.strip()}"
            for line in step.lines
        ]
    )
