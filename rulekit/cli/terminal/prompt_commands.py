"""Execution of a line typed at a decision: a command or a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from rulekit.cli.terminal import since_last
from rulekit.cli.terminal.choice_input import take
from rulekit.cli.terminal.completion import COMMANDS
from rulekit.cli.terminal.console import Desk, not_kept
from rulekit.cli.terminal.help_text import helptext
from rulekit.cli.terminal.lookup import find as find_lines
from rulekit.cli.terminal.outcomes import Consequence, consequence, is_away, listed, victory_points
from rulekit.cli.terminal.preview_commands import hint, meant, odds, paths, replay, since
from rulekit.cli.terminal.screen import Screen
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.languages import LANGUAGES
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import error_text
from rulekit.engine.explain.refusals import overview
from rulekit.engine.kernel.decision import Decision, Option, number_of, refuse_long
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.notation.move_parser import preview_options
from rulekit.engine.notation.move_parser import why as why_line
from rulekit.engine.saves import writer
from rulekit.engine.saves.resume import resume
from rulekit.engine.saves.save_format import read_save
from rulekit.engine.search.agent_registry import make_agents
from rulekit.presentation.seat import Seat


class Quit(Exception):
    """The person wants to stop."""


class ScriptRefused(Exception):
    """A scripted choice is illegal, which ends the script."""


def obey(desk: Desk, text: str, who: int, asked: Decision, options: Sequence[Option]) -> bool:
    """Execute a line. Return True if the position has changed."""
    if not text:
        return replay(desk, "next", who, asked) if desk.step is not None else False
    word, __, rest = text.partition(" ")
    exact = any(text.casefold() in _names(option) for option in options)
    act = _COMMANDS.get(word.casefold())
    if act is not None and not exact:
        try:
            refuse_long(desk.state.names, text)
            return act(desk, rest.strip(), who, asked)
        except (RulekitError, OSError) as error:
            desk.say(f"  {error_text(desk.state.names.lang, error)}")
            return False
    return choose(desk, text, options)


def _names(option: Option) -> set[str]:
    """Return the full names of an option: its key, and its argument if there is exactly one."""
    things = [str(value).casefold() for value in option.params.values()]
    return {
        option.key.casefold(),
        *(word for id in things if len(things) == 1 for word in (id, id.rsplit(".", 1)[-1])),
    }


def choose(desk: Desk, text: str, options: Sequence[Option]) -> bool:
    """Make the choice of a text, or the several choices of a line. Return True if the position has
    changed.
    """
    asked, begin = desk.state.decision, desk.state.choices_count()
    if desk.settings.interactive and not _wanted(
        desk, text, meant(text, options, desk.state.names)
    ):
        return False
    desk.step = None
    try:
        shown, rest = take(
            desk.recorder, text, desk.menu(options), desk.settings.interactive, desk.through()
        )
    except RulekitError as error:
        if not desk.settings.interactive:
            raise ScriptRefused(str(error)) from error
        unknown = str(error) == desk.state.names.say(
            _("{text} is not offered here", text=repr(text))
        )
        desk.say(
            f"  {error}"
            + (
                desk.state.names.semicolon
                + desk.state.names.say(_("`help` lists what you can type"))
                if unknown
                else ""
            )
        )
        return False
    if shown:
        desk.list(shown)
        return False
    assert asked is not None
    desk.typed(begin, desk.state.names.side(asked.player), rest)
    return True


def _wanted(desk: Desk, text: str, found: Sequence[Option]) -> bool:
    """Ask for confirmation if a text loses something of the player's own for good, whatever is
    rolled. Return True if the choice is wanted.

    The question comes if the text means one option, or is a line of several that can be foreseen.
    It concerns losses at the end of the line, not temporary ones.
    """
    names = desk.state.names
    harm = [f"{option.label}{names.colon}{lost}." for option, lost in _harm(desk, text, found)]
    if not harm or desk.confirms(
        f"! {' '.join(harm)} {names.say(_('Really? (y, or anything else for no)'))} "
    ):
        return True
    desk.note(_("nothing was done"))
    return False


def _harm(desk: Desk, text: str, found: Sequence[Option]) -> list[tuple[Option, str]]:
    """Return the choices of a text that lose something for good, each with its loss."""
    names, who = desk.state.names, desk.state.current_player()
    side, steps, points = names.sides[who], list[tuple[Option, Consequence]](), list[int | None]()
    away: set[str] = set()
    for there, option in (
        [(desk.state, found[0])] if len(found) == 1 else preview_options(desk.state, text)
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
            out.append((option, names.say(_("points are lost"))))
    return out


def why(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print why an option is not offered, or why a line is illegal."""
    names, options = desk.state.names, Observer(desk.state, who).options()
    if not rest:
        desk.say(
            *[
                f"  {line}"
                for line in overview(desk.state) or [names.say(_("every option is possible here"))]
            ]
        )
        return False
    found = meant(rest, options, names)
    if len(found) == 1:
        offered = names.say(_("{key} is offered", key=repr(found[0].key)))
        desk.say(f"  {offered}{f' [{chr(44).join(found[0].ref)}]' if found[0].ref else ''}")
    else:
        desk.say(
            *[
                f"  {line}"
                for line in why_line(desk.state, rest)
                or [names.say(_("{key} is offered", key=repr(rest)))]
            ]
        )
    return False


def total(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the derivation of a number."""
    words = rest.replace("(", " ").replace(")", " ").replace(",", " ").split()
    if not words:
        desk.note(
            _("totals: {names}", names=", ".join(t.name for t in desk.state.table.program.totals))
        )
    else:
        desk.say(
            desk.state.explain(words[0], *words[1:], viewer=who).text(
                1, True, desk.state.names.lang
            )
        )
    return False


def undo(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Undo the last typed line with all its effects, completely or not at all."""
    before = desk.state.choices
    (_take_back_all if desk.settings.free_undo else _take_back)(desk, who)
    left = desk.state.choices_count()
    desk.taken.append(len(before) - left)
    desk.lines = [line for line in desk.lines if line[0] < left]
    desk.skips.clear()
    desk.note(
        _("taken back: {what}", what=_listed([option.label for option in reversed(before[left:])]))
    )
    for viewer in desk.told:
        desk.told[viewer] = min(desk.told[viewer], len(desk.state.events))
    return True


def _listed(labels: Sequence[str]) -> str:
    """Return the labels of consecutive choices. Repeated ones are listed once with their number."""
    runs = [(label, len(list(same))) for label, same in groupby(labels)]
    return ", ".join(f"{label} (x{count})" if count > 1 else label for label, count in runs)


def _take_back_all(desk: Desk, who: int) -> None:
    """Undo the last line that anybody typed, including dice and choices of programs."""
    begin = max((count for count, _ in desk.lines), default=desk.state.choices_count() - 1)
    desk.state.undo()
    desk.recorder.undone()
    while desk.state.choices_count() and (
        desk.state.choices_count() > begin or desk.agents[desk.state.current_player()] is not None
    ):
        desk.state.undo()
        desk.recorder.undone()


def _take_back(desk: Desk, who: int) -> None:
    """Undo the last choice or line that the person typed, and the passes made for them or by others
    after it.
    """
    begin = desk.state.choices_count()
    typed = max((count for count, side in desk.lines if side == who), default=begin)
    try:
        while (
            desk.state.choices_count() == begin
            or desk.state.choices_count() > typed
            or (typed == begin and _not_typed(desk))
        ):
            before = desk.state.choices_count()
            desk.state.take_back(who)
            for __ in range(before - desk.state.choices_count()):
                desk.recorder.undone()
    except RulekitError:
        while desk.state.choices_count() < begin:
            desk.recorder.redo()
        raise


def _not_typed(desk: Desk) -> bool:
    """Return True if the last undone choice was made automatically for the person. In a loaded game
    this is recognized by a decision with a single option.
    """
    asked = desk.state.decision
    return asked is not None and desk.idle(asked)


def redo(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Redo the last `undo`."""
    begin = desk.state.choices_count()
    for __ in range(desk.taken.pop() if desk.taken else 1):
        desk.recorder.redo()
    desk.lines.append((begin, who))
    desk.note(
        _(
            "made again: {what}",
            what=_listed([option.label for option in desk.state.choices[begin:]]),
        )
    )
    return True


def log(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the last lines of the log, a given number of them, the page before, or all."""
    lines = since_last.told(desk.state, Observer(desk.state, who).events(), desk.explained)
    more = rest.casefold() in ("more", "plus", "suite")
    desk.page = desk.page + 1 if more else 0
    if rest.casefold() in ("all", "tout"):
        desk.say(*lines)
    elif (number := number_of(rest)) is not None:
        desk.say(*lines[max(0, len(lines) - number) :])
    else:
        desk.say(*since_last.page(desk.state.names, lines, desk.page))
    return False


def map_(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print every place with its neighbours, and the rest of the position."""
    screen = Screen(desk.state, who)
    desk.say(
        "",
        f"=== {screen.header()}",
        *screen.boards(),
        *screen.map(),
        *screen.tracks(),
        *screen.pools(),
    )
    return False


def board(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the position in short. With a text, print the matching places or the places of a
    group.
    """
    screen = Screen(desk.state, who)
    if rest:
        desk.say(*screen.zones(rest) or ["  " + desk.state.names.say(_("nothing found"))])
    else:
        desk.say(*screen.everything())
    return False


def options(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the options, or those that a text may mean."""
    options = Observer(desk.state, who).options()
    if rest:
        desk.list(desk.menu(options).lines(rest))
    else:
        desk.show_options(asked, options)
    return False


def more(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the next page of the options."""
    desk.list(desk.rest or [desk.state.names.say(_("there is no more"))])
    return False


def find(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print where something is, its state, and its options."""
    viewer = Observer(desk.state, who)
    found = find_lines(Screen(desk.state, who), rest, viewer.options())
    desk.say(*[f"  {line}" for line in found] or ["  " + desk.state.names.say(_("nothing found"))])
    return False


def pass_(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """`pass all`: pass windows until the player has another decision or the enemy plays something
    in a window.
    """
    if rest.casefold() not in ("all", "tout"):
        return choose(desk, f"pass {rest}".strip(), Observer(desk.state, who).options())
    desk.note(desk.skips.pass_all(desk.state, asked))
    return desk.skips.passes(desk.state, asked)


def auto(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """`auto pass on` or `off`: set whether the only human player is asked in a window in which they
    can only pass.
    """
    wish = rest.casefold().split()[-1:] or ["on"]
    if wish[0] not in ("on", "off", "pass", "oui", "non"):
        raise RulekitError(
            desk.state.names.say(
                _("`auto pass on` or `auto pass off`, not {text}", text=repr(rest))
            )
        )
    desk.settings.ask_all = wish[0] in ("off", "non")
    desk.note(
        _("you decide at every window")
        if desk.settings.ask_all
        else _("windows where you can only pass are passed for you")
        if len(desk.humans) == 1
        else _(
            "only a person who plays alone can do this: otherwise it would tell"
            " the other player something"
        )
    )
    return desk.idle(asked)


def skip(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Pass windows without being asked."""
    desk.say(f"  {desk.skips.set(desk.state, asked, rest.split())}")
    return desk.skips.passes(desk.state, asked)


def save(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Save the game to a file."""
    if not rest:
        raise RulekitError(desk.state.names.say(_("save where? `save FILE`")))
    keeper = desk.recorder.keeper
    if keeper and keeper.is_at(rest):
        keeper.keep()
        desk.trouble = "" if keeper.trouble else desk.trouble
        desk.note(
            not_kept(rest, keeper.trouble)
            if keeper.trouble
            else _("every choice is saved in {file} at once", file=rest)
        )
        return False
    writer.put(rest, desk.recorder.save, desk.state.names.lang)
    desk.note(_("saved in {file}", file=rest))
    return False


def load(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Continue from a file, with its seats. The file of the current game is left as it is."""
    if not rest:
        raise RulekitError(desk.state.names.say(_("name a file: `load FILE`")))
    keeper = desk.recorder.keeper
    done = resume(desk.game, read_save(rest), desk.settings.asked)
    agents = make_agents(done.seats, done.recorder.state, desk.settings.seed)
    if keeper and not keeper.is_at(rest):
        new = writer.beside(keeper.first or keeper.path, done.recorder.save, desk.state.names.lang)
        desk.recorder.keep_in(None)
        desk.note(
            _(
                "the game until now stays in {file}; from now on it is saved in {new}",
                file=keeper.path,
                new=new.path,
            )
        )
        keeper = new
    done.recorder.keep_in(keeper)
    desk.recorder, desk.settings.seats, desk.agents, desk.facing = (
        done.recorder,
        done.seats,
        agents,
        None,
    )
    desk.lines.clear()
    desk.explained.clear()
    desk.taken.clear()
    desk.waiting = None
    desk.skips.clear()
    desk.told.clear()
    desk.told[desk.audience()] = len(desk.state.events)
    desk.seen = (None, [])
    desk.values.clear()
    desk.note(_("loaded {file}, {n} choices", file=rest, n=str(desk.state.choices_count())))
    desk.greet()
    desk.say(*(f"  {each}" for each in done.notes))
    return True


def help_(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Print the help."""
    desk.say(helptext(desk.state.names.lang, desk.width))
    return False


def quit_(desk: Desk, rest: str, who: int, asked: Decision) -> bool:
    """Leave the game."""
    raise Quit


_Command = Callable[[Desk, str, int, Decision], bool]
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
