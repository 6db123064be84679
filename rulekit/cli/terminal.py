"""Takes a game under way and lines of text, makes play in the terminal: reads commands, asks the engine, prints. It holds no rule."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from attrs import define, field

from rulekit.base.errors import RulekitError, RulesError
from rulekit.cli import news, status
from rulekit.cli.finder import find
from rulekit.cli.helptext import helptext
from rulekit.cli.menu import LINES, Menu, counted
from rulekit.cli.resume import resume
from rulekit.cli.screen import WIDTH, Screen, has_secrets
from rulekit.cli.typed import take
from rulekit.play.agents import Agent, make_agents, victory_total
from rulekit.play.decision import Decision, Option, matching
from rulekit.play.game import Game
from rulekit.play.refusal import overview, step_price
from rulekit.play.saves import Recorder
from rulekit.play.skips import Skips
from rulekit.play.state import State
from rulekit.play.view import Viewer


class Quit(Exception):
    """The person wants no more."""


class Refused(Exception):
    """A scripted choice is illegal: the script ends here."""


@define
class Settings:
    """How a game is played in the terminal."""

    seats: dict[str, str]
    seed: int
    auto: bool = False
    free_undo: bool = False
    interactive: bool = True
    ask_all: bool = False
    quiet: bool = False


@define
class Terminal:
    """A game being played."""

    game: Game
    recorder: Recorder
    settings: Settings
    source: IO[str]
    out: IO[str] = field(factory=lambda: sys.stdout)
    saved: IO[str] | None = None  # where the game is written as it is played
    agents: list[Agent | None] = field(init=False)
    skips: Skips = field(factory=Skips)
    _facing: int | None = None  # who looks at the screen
    _told: dict[int | None, int] = field(factory=dict)  # how many events each viewer has read
    _seen: tuple[object, list[str]] = (None, [])  # who looked at what phases last, and the screen then
    _values: dict[int, tuple[int, news.Values]] = field(factory=dict)  # how many events there were and what each viewer knew of the tracks
    _unasked: set[int] = field(factory=set)  # how many choices there were before each pass that was made for a person
    _page: int = 0  # of the log
    _rest: list[str] = field(factory=list)  # lines of options that did not fit the page

    def __attrs_post_init__(self) -> None:
        self.agents = make_agents(self.settings.seats, self.state, self.settings.seed)

    # ---------------------------------------------------------------- small things
    @property
    def state(self) -> State:
        """The state that is played."""
        return self.recorder.state

    @property
    def humans(self) -> list[int]:
        """The players who are persons."""
        return [i for i, agent in enumerate(self.agents) if agent is None]

    def say(self, *lines: str) -> None:
        """Prints; at a keyboard long lines are wrapped at words."""
        for line in (each for text in lines for each in text.split("\n")):
            if self.settings.interactive and len(line) > self._width:
                indent = " " * (len(line) - len(line.lstrip()))
                wrapped = textwrap.wrap(line.strip(), self._width, initial_indent=indent, subsequent_indent=indent + "    ",
                                        break_long_words=False, break_on_hyphens=False)
                print(*wrapped, sep="\n", file=self.out)
            else:
                print(line, file=self.out)

    @property
    def _width(self) -> int:
        return max(40, shutil.get_terminal_size((WIDTH, 24)).columns - 1) if self.settings.interactive else WIDTH

    def word(self, key: str, **params: str) -> None:
        """Prints words of the frontend's own."""
        self.say("  " + self.state.names.word(key, **params))

    def _audience(self) -> int | None:
        """Whose eyes are on the screen: the only person, or the one it was handed to; None: nobody's."""
        humans = self.humans
        return humans[0] if len(humans) == 1 else self._facing

    def tell(self, viewer: int | None) -> None:
        """Prints what has happened since this viewer last read, in short if it is much; without a person, in full."""
        log = self.state.events
        begin = min(self._told.get(viewer, 0), len(log))
        self._told[viewer] = len(log)
        if not self.humans:
            self.say(*news.report(self.state, log[begin:]))
            return
        lines = news.told(self.state, Viewer(self.state, viewer).events(begin))
        self.say(*(news.condensed(self.state.names, lines)))

    # ---------------------------------------------------------------- the game
    def play(self) -> int:
        """Plays to the end, or to the end of the input; returns the exit code."""
        try:
            while not self.state.is_terminal():
                self._step()
        except Quit:
            self.say(self.state.names.word("game_left"))
            return 0
        except Refused as refused:
            self.out.flush()
            print(f"rulekit: {refused}", file=sys.stderr)
            return 1
        except RulesError:
            self.tell(self._audience())
            raise
        self.tell(self._audience())
        self.say("")
        self.end()
        return 0

    def greet(self, title: str) -> None:
        """What is played, by whom; the seed, where nobody can misuse it."""
        names, header = self.state.names, self.recorder.save.header
        where = self.state.table.program.scenario
        seats = [f"{names.label(self.state.table.program.sides, names.side(side))}{names.word('colon')}{names.word(f'seat.{seat}') or seat}"
                 for side, seat in self.settings.seats.items()]
        self.say(names.word("playing", title=names.text("title") or title, scenario=names.text(f"scenario.{where}") or where or "-",
                            seats=", ".join(seats)))
        closed, opened = names.word("seed_hash", hash=header["seed_hash"][:16]), names.word("seed_open", seed=str(header["seed"]))
        self.say(closed if self.humans else opened)

    def end(self) -> None:
        """Prints the result."""
        result = self.state.result
        if result is not None:
            names = self.state.names
            level = names.text(f"level.{result.level}", result.level.replace("_", " "))
            who = names.label(self.state.table.program.sides, names.side(result.winner)) if result.winner else ""
            self.say(names.word("result", what=f"{who}{names.word('colon')}{level}" if who else level))
            points = status.points(self.state, victory_total(self.state))
            self.say(*([points] if points else []))
            if self.humans:
                self.say(names.word("seed", seed=str(self.recorder.save.header["seed"])))

    def _step(self) -> None:
        who = self.state.current_player()
        agent = self.agents[who] if who >= 0 else None
        if agent is not None:
            self.recorder.apply(agent.choose(self.state))
            return
        asked = self.state.decision
        assert asked is not None
        if self.skips.passes(self.state, asked) or self._idle(asked):
            self._unasked.add(self.state.choices_count())
            self.recorder.apply("pass")
            return
        self._ask(who, asked)

    def _idle(self, asked: Decision) -> bool:
        """A window in which the only person can do nothing but pass: he need not say so. With two persons, that he is not asked would
        tell the other something."""
        return asked.kind == "window" and not self.settings.ask_all and len(self.humans) == 1 and len(asked.options) == 1

    def _hand_over(self, who: int) -> None:
        if self._facing == who:
            return
        name = self.state.names.label(self.state.table.program.sides, who)
        if len(self.humans) > 1 and has_secrets(self.state):
            if self.settings.interactive:
                self.out.write("\033[2J\033[3J\033[H")
                self.say(self.state.names.word("hand_over", who=name))
                self.out.write(self.state.names.word("press_enter") + " ")
                self.out.flush()
                self._read()
            else:
                self.say(f"--- {self.state.names.word('screen_goes', who=name)} ---")
            self._seen = (None, [])
        self._facing = who

    def _ask(self, who: int, asked: Decision) -> None:
        self._hand_over(who)
        self.tell(who)
        if not self.settings.quiet:
            self._show(who)
        self._page = 0
        options = Viewer(self.state, who).options()
        self.show_options(asked, options)
        while True:
            self.out.write(f"{self.state.names.label(self.state.table.program.sides, who)}> ")
            self.out.flush()
            text = self._read()
            if text is None:
                self._end_of_input()
                return
            if not self.settings.interactive:
                self.say(text)
            self._unasked -= {n for n in self._unasked if n >= self.state.choices_count()}
            if self._command(text, who, asked, options):
                return

    def _show(self, who: int) -> None:
        """The position; to a person who decides again in the same phase what has changed in it."""
        screen = Screen(self.state, who)
        where: object = (who, screen.viewer.phases())
        values = screen.values()
        begin, known = self._values.get(who, (0, {}))
        lines = news.told(self.state, screen.viewer.events(begin)) if known else []
        self.say(*news.changes(self.state, begin, lines, known, values))
        self.say(*(screen.since(self._seen[1]) if self._seen[0] == where else screen.everything()))
        self._seen, self._values[who] = (where, screen.everything()), (len(self.state.events), values)

    def _read(self) -> str | None:
        for line in self.source:
            text = line.strip()
            if text.startswith("#") or (not text and not self.settings.interactive):
                continue
            return text
        return None

    def _end_of_input(self) -> None:
        if not self.settings.auto:
            self.say("")
            raise Quit
        self.say(self.state.names.word("input_ended"))
        plan = {side: "random" if seat == "human" else seat for side, seat in self.settings.seats.items()}
        viewer = self._audience()
        self.agents = make_agents(plan, self.state, self.settings.seed)
        self._told[None] = self._told.get(viewer, 0)

    def show_options(self, asked: Decision, options: Sequence[Option]) -> None:
        """The prompt and the numbered options with their paragraphs."""
        names, who, ref = self.state.names, self.state.names.side(asked.player), f"  [{', '.join(asked.ref)}]" if asked.ref else ""
        self.say(f"{names.label(self.state.table.program.sides, who)}{names.word('colon')}{asked.prompt}{ref}")
        self.say(*status.lines(self.state, who))
        self._list(self._menu(options).lines())

    def _menu(self, options: Sequence[Option]) -> Menu:
        notes = status.notes(Viewer(self.state, self.state.current_player()), options)
        return Menu(self.state.names, options, self._width, lambda option: notes.get(option.id) or self._effect(option))

    def _list(self, lines: list[str]) -> None:
        """Prints options, a page of them; the rest comes with `more`."""
        self.say(*lines[:LINES])
        self._rest = lines[LINES:]
        if self._rest:
            self.word("more_lines", n=str(len(self._rest)))

    def _effect(self, option: Option) -> str:
        """What a card does, where the game has a text for it; what a step costs."""
        if price := step_price(self.state, option.id):
            return f" ({price})"
        told = [text for value in option.params.values() if (text := self.state.names.text(f"effect.{value}"))]
        return self.state.names.word("colon") + "; ".join(told) if told else ""

    # ---------------------------------------------------------------- commands
    def _command(self, text: str, who: int, asked: Decision, options: Sequence[Option]) -> bool:
        """Does what a line says; True if play has moved."""
        if not text:
            return False
        word, _, rest = text.partition(" ")
        exact = any(o.key == text for o in options)
        act = _COMMANDS.get(word.casefold())
        if act is not None and not exact:
            try:
                return act(self, rest.strip(), who, asked)
            except (RulekitError, OSError) as error:
                self.say(f"  {error}")
                return False
        return self._choose(text, options)

    def _choose(self, text: str, options: Sequence[Option]) -> bool:
        try:
            shown = take(self.recorder, text, self._menu(options), self.settings.interactive)
        except RulekitError as error:
            if not self.settings.interactive:
                raise Refused(str(error)) from error
            self.say(f"  {error}")
            return False
        if shown:
            self._list(shown)
        return not shown

    def why(self, rest: str, who: int, asked: Decision) -> bool:
        """Why something is not offered."""
        options = Viewer(self.state, who).options()
        found = matching(rest, list(asked.options)) if rest else []
        if rest.isdigit() and 1 <= int(rest) <= len(options) and not any(map(counted, options)):
            found = [options[int(rest) - 1]]
        if rest and len(found) == 1:
            offered = self.state.names.word("offered", key=repr(found[0].key))
            self.say(f"  {offered}{f' [{chr(44).join(found[0].ref)}]' if found[0].ref else ''}")
        else:
            nothing = [self.state.names.word("nothing_refused")]
            self.say(*[f"  {line}" for line in (self.state.why(rest) if rest else overview(self.state)) or nothing])
        return False

    def total(self, rest: str, who: int, asked: Decision) -> bool:
        """How a number comes about."""
        words = rest.replace("(", " ").replace(")", " ").replace(",", " ").split()
        if not words:
            self.word("totals", names=", ".join(t.name for t in self.state.table.program.totals))
        else:
            self.say(self.state.explain(words[0], *words[1:]).text(1, True, self.state.names.lang))
        return False

    def undo(self, rest: str, who: int, asked: Decision) -> bool:
        """Takes back."""
        before = self.state.choices
        if self.settings.free_undo:
            self.state.undo()
            self.recorder.undone()
            while self.state.choices_count() and self.agents[self.state.current_player()] is not None:
                self.state.undo()
                self.recorder.undone()
        else:
            self._take_back(who)
        self.skips.clear()
        self.word("taken_back", what=", ".join(option.label for option in reversed(before[self.state.choices_count():])))
        for viewer in self._told:
            self._told[viewer] = min(self._told[viewer], len(self.state.events))
        return True

    def _take_back(self, who: int) -> None:
        """Takes back the last choice that the person typed, and the passes after it that were made for him or by others; all or nothing."""
        begin = self.state.choices_count()
        try:
            while self.state.choices_count() == begin or self._not_typed():
                before = self.state.choices_count()
                self.state.take_back(who)
                for _ in range(before - self.state.choices_count()):
                    self.recorder.undone()
        except RulekitError:
            while self.state.choices_count() < begin:
                self.recorder.redo()
            raise

    def _not_typed(self) -> bool:
        """Was the choice that was taken back last made for the person? In a game that was loaded it shows by his having had no other."""
        asked = self.state.decision
        return self.state.choices_count() in self._unasked or (asked is not None and self._idle(asked))

    def redo(self, rest: str, who: int, asked: Decision) -> bool:
        """Makes again."""
        self.recorder.redo()
        self.word("made_again", what=self.state.choices[-1].label)
        return True

    def log(self, rest: str, who: int, asked: Decision) -> bool:
        """What happened: the last lines, so many of them, the page before, or all."""
        lines = news.told(self.state, Viewer(self.state, who).events())
        more = rest.casefold() in ("more", "plus", "suite")
        self._page = self._page + 1 if more else 0
        if rest.casefold() in ("all", "tout"):
            self.say(*lines)
        elif rest.isdigit():
            self.say(*lines[-int(rest):])
        else:
            self.say(*news.page(self.state.names, lines, self._page))
        return False

    def map(self, rest: str, who: int, asked: Decision) -> bool:
        """Every place with its neighbours, and the rest of the position."""
        screen = Screen(self.state, who)
        self.say("", f"=== {screen.header()}", *screen.boards(), *screen.map(), *screen.tracks(), *screen.pools())
        return False

    def board(self, rest: str, who: int, asked: Decision) -> bool:
        """The position in short; with a text, the places in which it occurs or those of a group of that name."""
        screen = Screen(self.state, who)
        if rest:
            self.say(*screen.zones(rest) or ["  " + self.state.names.word("nothing_found")])
        else:
            self.say(*screen.everything())
        return False

    def options(self, rest: str, who: int, asked: Decision) -> bool:
        """The options; with a text, those that it means; `more`: those that did not fit the page."""
        options = Viewer(self.state, who).options()
        if rest:
            self._list(self._menu(options).lines(rest))
        else:
            self.show_options(asked, options)
        return False

    def more(self, rest: str, who: int, asked: Decision) -> bool:
        """The next page of the options."""
        self._list(self._rest or [self.state.names.word("no_more")])
        return False

    def find(self, rest: str, who: int, asked: Decision) -> bool:
        """Where something is, how it is, and what it can do."""
        viewer = Viewer(self.state, who)
        found = find(Screen(self.state, who), rest, viewer.options())
        self.say(*[f"  {line}" for line in found] or ["  " + self.state.names.word("nothing_found")])
        return False

    def pass_(self, rest: str, who: int, asked: Decision) -> bool:
        """`pass all`: passes windows until one is asked something else, or the enemy plays something in a window."""
        if rest.casefold() not in ("all", "tout"):
            return self._choose(f"pass {rest}".strip(), Viewer(self.state, who).options())
        self.word(self.skips.pass_all(self.state, asked))
        return self.skips.passes(self.state, asked)

    def auto(self, rest: str, who: int, asked: Decision) -> bool:
        """`auto pass on` and `off`: is a person who plays alone asked in a window where he can only pass?"""
        wish = rest.casefold().split()[-1:] or ["on"]
        if wish[0] not in ("on", "off", "pass", "oui", "non"):
            raise RulekitError(self.state.names.word("auto_what", text=repr(rest)))
        self.settings.ask_all = wish[0] in ("off", "non")
        self.word("auto_off" if self.settings.ask_all else "auto_on" if len(self.humans) == 1 else "auto_alone")
        if self._idle(asked):
            self.recorder.apply("pass")
            return True
        return False

    def skip(self, rest: str, who: int, asked: Decision) -> bool:
        """Pass windows unasked."""
        self.say(f"  {self.skips.set(self.state, asked, rest.split())}")
        return self.skips.passes(self.state, asked)

    def save(self, rest: str, who: int, asked: Decision) -> bool:
        """Keeps the game in a file."""
        if not rest:
            raise RulekitError(self.state.names.word("save_where"))
        Path(rest).write_text(self.recorder.save.text(), encoding="utf-8")
        self.word("saved", file=rest)
        return False

    def load(self, rest: str, who: int, asked: Decision) -> bool:
        """Goes on from a file."""
        if not rest:
            raise RulekitError(self.state.names.word("load_what"))
        self.recorder = resume(self.game, Path(rest), self.settings.seats)
        if self.saved is not None:
            self.saved.seek(0)
            self.saved.truncate()
            self.recorder.write_to(self.saved)
        self.skips.clear()
        self._told.clear()
        self._told[self._audience()] = len(self.state.events)
        self._seen = (None, [])
        self._values.clear()
        self.word("loaded", file=rest, n=str(self.state.choices_count()))
        return True

    def help(self, rest: str, who: int, asked: Decision) -> bool:
        """What can be typed."""
        self.say(helptext(self.state.names.lang))
        return False

    def quit(self, rest: str, who: int, asked: Decision) -> bool:
        """Leaves."""
        raise Quit


_Command = Callable[[Terminal, str, int, Decision], bool]
_COMMANDS: dict[str, _Command] = {
    "why": Terminal.why, "total": Terminal.total, "undo": Terminal.undo, "redo": Terminal.redo, "log": Terminal.log,
    "map": Terminal.map, "board": Terminal.board, "zones": Terminal.board, "options": Terminal.options, "more": Terminal.more,
    "find": Terminal.find, "skip": Terminal.skip, "pass": Terminal.pass_, "auto": Terminal.auto, "save": Terminal.save,
    "load": Terminal.load, "help": Terminal.help, "?": Terminal.help, "quit": Terminal.quit, "exit": Terminal.quit,
    "pourquoi": Terminal.why, "chercher": Terminal.find, "carte": Terminal.map, "plateau": Terminal.board, "journal": Terminal.log,
    "choix": Terminal.options, "suite": Terminal.more, "passer": Terminal.pass_, "aide": Terminal.help, "quitter": Terminal.quit,
}
