"""Execution of a line typed at a decision: a command or a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from rulekit.cli.commands.situation import add_to
from rulekit.cli.terminal import since_last
from rulekit.cli.terminal.choice_input import take
from rulekit.cli.terminal.completion import COMMANDS
from rulekit.cli.terminal.console import Console, not_saved
from rulekit.cli.terminal.help_text import helptext
from rulekit.cli.terminal.lookup import find as find_lines
from rulekit.cli.terminal.outcomes import (
    Consequence,
    consequence,
    is_away,
    listed,
    victory_label,
    victory_points,
)
from rulekit.cli.terminal.preview_commands import hint, meant, odds, paths, replay, since
from rulekit.cli.terminal.screen import Screen
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.languages import LANGUAGES
from rulekit.common.i18n.messages import _, ngettext
from rulekit.common.i18n.reasons import error_text
from rulekit.engine.explain.refusals import overview
from rulekit.engine.kernel.decision import Decision, Option, number_of, refuse_long
from rulekit.engine.kernel.names import tidy
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.notation.move_parser import preview_options
from rulekit.engine.notation.move_parser import why as why_line
from rulekit.engine.saves import writer
from rulekit.engine.saves.resume import resume
from rulekit.engine.saves.save_format import read_save
from rulekit.engine.search.agent_registry import make_agents
from rulekit.engine.testing.situation_text import situation_text
from rulekit.engine.testing.situation_writer import situation_of
from rulekit.presentation.seat import Seat

EXAMPLES = 4  # options that are printed after a text that fits none


class Quit(Exception):
    """The person wants to stop."""


class ScriptRefused(Exception):
    """A scripted choice is illegal, which ends the script."""


def obey(console: Console, text: str, who: int, asked: Decision, options: Sequence[Option]) -> bool:
    """Execute a line. Return True if the position has changed."""
    if not text:
        return replay(console, "next", who, asked) if console.step is not None else False
    word, __, rest = text.partition(" ")
    exact = any(text.casefold() in _names(option) for option in options)
    act = _COMMANDS.get(word.casefold())
    if act is not None and not exact:
        try:
            refuse_long(console.state.names, text)
            return act(console, rest.strip(), who, asked)
        except (RulekitError, OSError) as error:
            console.say(f"  {error_text(console.state.names.lang, error)}")
            return False
    return choose(console, text, options)


def _names(option: Option) -> set[str]:
    """Return the full names of an option: its key, and its argument if there is exactly one."""
    things = [str(value).casefold() for value in option.params.values()]
    return {
        option.key.casefold(),
        *(word for id in things if len(things) == 1 for word in (id, id.rsplit(".", 1)[-1])),
    }


def choose(console: Console, text: str, options: Sequence[Option]) -> bool:
    """Make the choice of a text, or the several choices of a line. Return True if the position has
    changed.
    """
    asked, begin = console.state.decision, console.state.move_number()
    if console.settings.interactive and not _wanted(
        console, text, meant(text, options, console.state.names)
    ):
        return False
    console.step = None
    try:
        shown, rest = take(
            console.recorder,
            text,
            console.menu(options),
            console.settings.interactive,
            console.through(),
        )
    except RulekitError as error:
        if not console.settings.interactive:
            raise ScriptRefused(str(error)) from error
        console.say(f"  {error}")
        if str(error) == console.state.names.say(_("{text} is not offered here", text=repr(text))):
            _say_expected(console, options)
        return False
    if shown:
        console.list(shown)
        return False
    assert asked is not None
    console.typed(begin, console.state.names.side(asked.player), rest)
    return True


def _say_expected(console: Console, options: Sequence[Option]) -> None:
    """Print what can be typed at this decision: the prompt and the first options."""
    names, asked = console.state.names, console.state.decision
    assert asked is not None
    shown = [
        option.label if option.label == str(number) else f"{number} {option.label}"
        for number, option in enumerate(options[:EXAMPLES], 1)
    ]
    shown += ["..."] if len(options) > EXAMPLES else []
    console.say(f"  {asked.prompt}", f"    {names.semicolon.join(shown)}")
    console.note(
        _("type a number or words of an option; `options` lists them all, `help` the commands")
    )


def _wanted(console: Console, text: str, found: Sequence[Option]) -> bool:
    """Ask for confirmation if a text loses something of the player's own for good, whatever is
    rolled. Return True if the choice is wanted.

    The question comes if the text means one option, or is a line of several that can be foreseen.
    It concerns losses at the end of the line, not temporary ones.
    """
    names = console.state.names
    harm = [f"{option.label}{names.colon}{lost}." for option, lost in _harm(console, text, found)]
    if not harm or console.confirms(
        f"! {' '.join(harm)} {names.say(_('Really? (y, or anything else for no)'))} "
    ):
        return True
    console.note(_("nothing was played"))
    return False


def _harm(console: Console, text: str, found: Sequence[Option]) -> list[tuple[Option, str]]:
    """Return the choices of a text that lose something for good, each with its loss."""
    names, who = console.state.names, console.state.current_player()
    side, steps, points = names.sides[who], list[tuple[Option, Consequence]](), list[int | None]()
    away: set[str] = set()
    for there, option in (
        [(console.state, found[0])] if len(found) == 1 else preview_options(console.state, text)
    ):
        seat = Seat(there, who)
        steps.append((option, consequence(seat, option.key, side)))
        points.append(victory_points(seat, who))
        away = {id for _, what in steps[:-1] for id in what.lost if is_away(seat, id)}
    if not steps:
        return []
    away |= set(steps[-1][1].lost)
    first, last = points[0], points[-1]
    if first is None or last is None:
        down = {at for at, (_, what) in enumerate(steps) if what.gain(side) < 0}
    else:  # a piece lost halfway may come back
        lower = [at for at, (_, what) in enumerate(steps) if what.gain(side) < 0]
        down = (
            {lower[-1] if lower else len(steps) - 1}
            if last + steps[-1][1].gain(side) < first
            else set()
        )
    out = list[tuple[Option, str]]()
    for at, (option, what) in enumerate(steps):
        if lost := [id for id in what.lost if id in away]:
            out.append((option, names.say(_("{what} lost for good", what=listed(names, lost)))))
        elif at in down:
            out.append((option, names.say(_("{total} lost", total=victory_label(console.state)))))
    return out


def why(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print why an option is not offered, or why a line is illegal."""
    names, options = console.state.names, Observer(console.state, who).options()
    if not rest:
        console.say(
            *[
                f"  {line}"
                for line in overview(console.state)
                or [names.say(_("every option is possible here"))]
            ]
        )
        return False
    found = meant(rest, options, names)
    if len(found) == 1:
        typed = repr(rest) if rest in _names(found[0]) else f"{rest!r} ({found[0].label})"
        offered = names.say(_("{key} is offered", key=typed))
        console.say(f"  {offered}{f' [{chr(44).join(found[0].ref)}]' if found[0].ref else ''}")
    else:
        lines = why_line(console.state, rest)
        if number_of(rest) is not None:
            lines = [line.replace(repr(f"pick {rest}"), repr(rest)) for line in lines]
        console.say(
            *[f"  {line}" for line in lines or [names.say(_("{key} is offered", key=repr(rest)))]]
        )
    return False


def total(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the derivation of a number."""
    words = rest.replace("(", " ").replace(")", " ").replace(",", " ").split()
    if not words:
        names = console.state.names
        for each in console.state.table.program.totals:
            label = names.text(f"total.{each.name}", tidy(each.name))
            console.say(f"  total {each.name}{f' ({label})' if label != each.name else ''}")
    else:
        console.say(
            console.state.explain(words[0], *words[1:], observer=who).text(
                1, True, console.state.names.lang, labelled=True
            )
        )
    return False


def undo(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Undo the last typed line with all its effects, completely or not at all."""
    before = console.state.choices
    (_undo_any if console.settings.free_undo else _undo_own)(console, who)
    left = console.state.move_number()
    console.taken.append(len(before) - left)
    console.lines = [line for line in console.lines if line[0] < left]
    console.skips.clear()
    console.note(
        _("taken back: {what}", what=_listed([option.label for option in reversed(before[left:])]))
    )
    for observer in console.read_events:
        console.read_events[observer] = min(
            console.read_events[observer], len(console.state.events)
        )
    return True


def _listed(labels: Sequence[str]) -> str:
    """Return the labels of consecutive choices. Repeated ones are listed once with their number."""
    runs = [(label, len(list(same))) for label, same in groupby(labels)]
    return ", ".join(f"{label} (x{count})" if count > 1 else label for label, count in runs)


def _undo_any(console: Console, who: int) -> None:
    """Undo the last line that anybody typed, including dice and choices of programs."""
    begin = max((count for count, _ in console.lines), default=console.state.move_number() - 1)
    console.state.undo()
    console.recorder.undone()
    while console.state.move_number() and (
        console.state.move_number() > begin
        or console.agents[console.state.current_player()] is not None
    ):
        console.state.undo()
        console.recorder.undone()


def _undo_own(console: Console, who: int) -> None:
    """Undo the last choice or line that the person typed, and the passes made for them or by others
    after it.
    """
    begin = console.state.move_number()
    typed = max((count for count, side in console.lines if side == who), default=begin)
    try:
        while (
            console.state.move_number() == begin
            or console.state.move_number() > typed
            or (typed == begin and _not_typed(console))
        ):
            before = console.state.move_number()
            console.state.undo_own(who)
            for __ in range(before - console.state.move_number()):
                console.recorder.undone()
    except RulekitError:
        while console.state.move_number() < begin:
            console.recorder.redo()
        raise


def _not_typed(console: Console) -> bool:
    """Return True if the last undone choice was made automatically for the person. In a loaded game
    this is recognized by a decision with a single option.
    """
    asked = console.state.decision
    return asked is not None and console.idle(asked)


def redo(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Redo the last `undo`."""
    begin = console.state.move_number()
    for __ in range(console.taken.pop() if console.taken else 1):
        console.recorder.redo()
    console.lines.append((begin, who))
    console.note(
        _(
            "redone: {what}",
            what=_listed([option.label for option in console.state.choices[begin:]]),
        )
    )
    return True


def log(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the last lines of the log, a given number of them, the page before, or all."""
    lines = since_last.event_lines(
        console.state, Observer(console.state, who).events(), console.explained
    )
    more = rest.casefold() in ("more", "plus", "suite")
    console.page = console.page + 1 if more else 0
    if rest.casefold() in ("all", "tout"):
        console.say(*lines)
    elif (number := number_of(rest)) is not None:
        console.say(*lines[max(0, len(lines) - number) :])
    else:
        console.say(*since_last.page(console.state.names, lines, console.page))
    return False


def map_(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print every place with its neighbours, and the rest of the position."""
    screen = Screen(console.state, who)
    console.say(
        "",
        f"=== {screen.header()}",
        *screen.boards(),
        *screen.map(),
        *screen.tracks(),
        *screen.pools(),
    )
    return False


def board(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the position in short. With a text, print the matching places or the places of a
    group.
    """
    screen = Screen(console.state, who)
    if rest:
        console.say(*screen.zones(rest) or ["  " + console.state.names.say(_("nothing found"))])
    else:
        console.say(*screen.everything())
    return False


def options(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the options, or those that a text may mean."""
    options = Observer(console.state, who).options()
    if rest:
        console.list(console.menu(options).lines(rest))
    else:
        console.show_options(asked, options)
    return False


def more(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the next page of the options."""
    console.list(console.rest or [console.state.names.say(_("there are no more lines"))])
    return False


def find(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print where something is, its state, and its options."""
    observer = Observer(console.state, who)
    found = find_lines(Screen(console.state, who), rest, observer.options())
    console.say(
        *[f"  {line}" for line in found] or ["  " + console.state.names.say(_("nothing found"))]
    )
    return False


def pass_(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """`pass all`: pass windows until the player has another decision or the enemy plays something
    in a window.
    """
    if rest.casefold() not in ("all", "tout"):
        return choose(console, f"pass {rest}".strip(), Observer(console.state, who).options())
    console.note(console.skips.pass_all(console.state, asked))
    return console.skips.passes(console.state, asked)


def auto(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """`auto pass on` or `off`: set whether the only human player is asked in a window in which they
    can only pass.
    """
    wish = rest.casefold().split()[-1:] or ["on"]
    if wish[0] not in ("on", "off", "pass", "oui", "non"):
        raise RulekitError(
            console.state.names.say(
                _("`auto pass on` or `auto pass off`, not {text}", text=repr(rest))
            )
        )
    console.settings.ask_all = wish[0] in ("off", "non")
    console.note(
        _("you decide at every window")
        if console.settings.ask_all
        else _("windows where you can only pass are passed for you")
        if len(console.humans) == 1
        else _(
            "only a person who plays alone can do this: otherwise it would tell"
            " the other player something"
        )
    )
    return console.idle(asked)


def skip(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Pass windows without being asked."""
    console.say(f"  {console.skips.set(console.state, asked, rest.split())}")
    return console.skips.passes(console.state, asked)


def save(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Save the game to a file."""
    if not rest:
        raise RulekitError(console.state.names.say(_("name a file: `save FILE`")))
    keeper = console.recorder.keeper
    if keeper and keeper.is_at(rest):
        keeper.keep()
        console.trouble = "" if keeper.trouble else console.trouble
        console.note(
            not_saved(rest, keeper.trouble)
            if keeper.trouble
            else _("every choice is saved in {file} at once", file=rest)
        )
        return False
    writer.put(rest, console.recorder.save, console.state.names.lang)
    console.note(_("saved in {file}", file=rest))
    return False


def situation(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Write the position as a situation at the end of a file."""
    if not rest:
        raise RulekitError(console.state.names.say(_("name a file: `situation FILE`")))
    at = console.state.move_number()
    name = f"{console.game.title}: choice {at + 1}"
    written = situation_of(console.game, console.state, at, name=name)
    add_to(Path(rest), situation_text(written))
    console.note(_("the situation {name} stands in {file}", name=repr(name), file=rest))
    return False


def load(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Continue from a file, with its seats. The file of the current game is left as it is."""
    if not rest:
        raise RulekitError(console.state.names.say(_("name a file: `load FILE`")))
    keeper = console.recorder.keeper
    done = resume(console.game, read_save(rest), console.settings.asked)
    agents = make_agents(done.seats, done.recorder.state, console.settings.seed)
    if keeper and not keeper.is_at(rest):
        new = writer.beside(
            keeper.first or keeper.path, done.recorder.save, console.state.names.lang
        )
        console.recorder.keep_in(None)
        console.note(
            _(
                "the game until now stays in {file}; from now on it is saved in {new}",
                file=keeper.path,
                new=new.path,
            )
        )
        keeper = new
    done.recorder.keep_in(keeper)
    console.recorder, console.settings.seats, console.agents, console.facing = (
        done.recorder,
        done.seats,
        agents,
        None,
    )
    console.lines.clear()
    console.explained.clear()
    console.taken.clear()
    console.waiting = None
    console.skips.clear()
    console.read_events.clear()
    console.read_events[console.audience()] = len(console.state.events)
    console.seen = (None, [])
    console.values.clear()
    choices = console.state.move_number()
    console.note(
        ngettext("loaded {file}, {n} choice", "loaded {file}, {n} choices", choices, file=rest)
    )
    console.greet()
    console.say(*(f"  {each}" for each in done.notes))
    return True


def help_(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Print the help."""
    console.say(helptext(console.state.names.lang, console.width))
    return False


def quit_(console: Console, rest: str, who: int, asked: Decision) -> bool:
    """Leave the game."""
    raise Quit


_Command = Callable[[Console, str, int, Decision], bool]
_COMMANDS: dict[str, _Command] = {
    "why": why,
    "total": total,
    "undo": undo,
    "redo": redo,
    "log": log,
    "map": map_,
    "board": board,
    "zones": board,
    "options": options,
    "more": more,
    "find": find,
    "skip": skip,
    "pass": pass_,
    "auto": auto,
    "save": save,
    "odds": odds,
    "paths": paths,
    "hint": hint,
    "since": since,
    "replay": replay,
    "load": load,
    "situation": situation,
    "help": help_,
    "?": help_,
    "quit": quit_,
    "exit": quit_,
}
# Each is known by its word in every language.
_COMMANDS |= {
    command.text(lang).split()[0]: _COMMANDS[command.msgid.split()[0]]
    for command in COMMANDS
    for lang in LANGUAGES
}
