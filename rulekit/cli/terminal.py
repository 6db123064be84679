"""Takes a game under way and lines of text, makes play in the terminal: reads commands, asks the engine, prints. It holds no rule."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO

from attrs import define, field

from rulekit.base.errors import IllegalChoice, RulekitError
from rulekit.cli import status
from rulekit.cli.helptext import helptext
from rulekit.cli.screen import WIDTH, Screen, has_secrets
from rulekit.play.agents import Agent, make_agents, victory_total
from rulekit.play.decision import Decision, Option, matching
from rulekit.play.events import Event
from rulekit.play.game import Game
from rulekit.play.refusal import overview, step_price
from rulekit.play.saves import Recorder, read_save, replay
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
        for line in lines:
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
        """Prints what has happened since this viewer last read."""
        log = self.state.events
        begin = min(self._told.get(viewer, 0), len(log))
        events: Iterable[Event] = Viewer(self.state, viewer).events(begin) if self.humans else log[begin:]
        for _, text in self.state.table.events.lines(events):
            self.say(f"  {text}")
        self._told[viewer] = len(log)

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
        self.tell(self._audience())
        self.end()
        return 0

    def end(self) -> None:
        """Prints the result."""
        result = self.state.result
        if result is not None:
            names = self.state.names
            level = names.text(f"level.{result.level}", result.level.replace("_", " "))
            who = names.label(self.state.table.program.sides, names.side(result.winner)) if result.winner else ""
            self.say(f"{names.word('result')}: {who + ': ' if who else ''}{level}")
            points = status.points(self.state, victory_total(self.state))
            self.say(*([points] if points else []))
            if self.humans:
                self.say(names.word("seed", seed=str(self.recorder.save.header["seed"])))

    def _step(self) -> None:
        who = self.state.current_player()
        agent = self.agents[who] if who >= 0 else None
        if agent is not None:
            self.recorder.apply(agent.choose(self.state))
            if self._audience() is not None or not self.humans:
                self.tell(self._audience())
            return
        asked = self.state.decision
        assert asked is not None
        if self.skips.passes(self.state, asked) or self._idle(asked):
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
        options = Viewer(self.state, who).options()
        self.show_options(asked, options)
        while True:
            self.out.write(f"{asked.player}> ")
            self.out.flush()
            text = self._read()
            if text is None:
                self._end_of_input()
                return
            if not self.settings.interactive:
                self.say(text)
            if self._command(text, who, asked, options):
                return

    def _show(self, who: int) -> None:
        """The position; to a person who decides again in the same phase what has changed in it."""
        screen = Screen(self.state, who)
        where: object = (who, screen.viewer.phases())
        self.say(*(screen.since(self._seen[1]) if self._seen[0] == where else screen.everything()))
        self._seen = (where, screen.everything())

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
        self.say(f"{self.state.names.label(self.state.table.program.sides, self.state.names.side(asked.player))}: {asked.prompt}"
                 + (f"  [{', '.join(asked.ref)}]" if asked.ref else ""))
        self.say(*status.lines(self.state, self.state.names.side(asked.player)))
        cells = [f"{'' if counted(o) else i:>3} {o.label}{self._effect(o)}{f' [{chr(44).join(o.ref)}]' if o.ref else ''}"
                 for i, o in enumerate(options, 1)]
        wide = max((len(c) for c in cells), default=1) + 2
        columns = max(1, self._width // wide) if len(cells) > 8 else 1
        for row in range(0, len(cells), columns):
            self.say("".join(c.ljust(wide) for c in cells[row:row + columns]).rstrip())

    def _effect(self, option: Option) -> str:
        """What a card does, where the game has a text for it; what a step costs."""
        if price := step_price(self.state, option.id):
            return f" ({price})"
        told = [text for value in option.params.values() if (text := self.state.names.text(f"effect.{value}"))]
        return f": {'; '.join(told)}" if told else ""

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
                self._wrong(str(error))
                return False
        return self._choose(text, options)

    def _wrong(self, why: str) -> None:
        if not self.settings.interactive:
            raise Refused(why)
        self.say(f"  {why}")

    def _choose(self, text: str, options: Sequence[Option]) -> bool:
        try:
            meant = [o for o in options if counted(o) and o.label == text]
            if meant:
                self.recorder.apply(meant[0])
            elif text.isdigit() and not any(o.key == text for o in options):
                if any(map(counted, options)):
                    raise IllegalChoice(self.state.names.word("not_offered", text=text))
                if not 1 <= int(text) <= len(options):
                    raise IllegalChoice(self.state.names.word("no_option", n=text, last=str(len(options))))
                self.recorder.apply(options[int(text) - 1])
            else:
                self.recorder.apply_line(text)
        except RulekitError as error:
            self._wrong(str(error))
            return False
        return True

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
            self.state.take_back(who)
            self.recorder.undone()
        self.skips.clear()
        self.word("taken_back", what=", ".join(option.label for option in reversed(before[self.state.choices_count():])))
        for viewer in self._told:
            self._told[viewer] = min(self._told[viewer], len(self.state.events))
        return True

    def redo(self, rest: str, who: int, asked: Decision) -> bool:
        """Makes again."""
        self.recorder.redo()
        self.word("made_again", what=self.state.choices[-1].label)
        return True

    def log(self, rest: str, who: int, asked: Decision) -> bool:
        """What happened."""
        count = int(rest) if rest.isdigit() else 30
        events = Viewer(self.state, who).events(max(0, len(self.state.events) - 4 * count))
        lines = [f"  {number:5} {text}" for number, text in self.state.table.events.lines(events)]
        self.say(*lines[-count:])
        return False

    def map(self, rest: str, who: int, asked: Decision) -> bool:
        """Every place with its neighbours, and the rest of the position."""
        screen = Screen(self.state, who)
        self.say("", f"=== {screen.header()}", *screen.boards(), *screen.map(), *screen.tracks(), *screen.pools())
        return False

    def zones(self, rest: str, who: int, asked: Decision) -> bool:
        """The position in short."""
        self.say(*Screen(self.state, who).everything())
        return False

    def options(self, rest: str, who: int, asked: Decision) -> bool:
        """The options."""
        self.show_options(asked, Viewer(self.state, who).options())
        return False

    def find(self, rest: str, who: int, asked: Decision) -> bool:
        """Where something is."""
        self.say(*[f"  {line}" for line in Screen(self.state, who).find(rest)] or ["  " + self.state.names.word("nothing_found")])
        return False

    def skip(self, rest: str, who: int, asked: Decision) -> bool:
        """Pass windows unasked."""
        self.say(f"  {self.skips.set(self.state, asked, rest.split())}")
        return self.skips.passes(self.state, asked)

    def save(self, rest: str, who: int, asked: Decision) -> bool:
        """Keeps the game in a file."""
        if not rest:
            raise RulekitError("save where? `save FILE`")
        Path(rest).write_text(self.recorder.save.text(), encoding="utf-8")
        self.word("saved", file=rest)
        return False

    def load(self, rest: str, who: int, asked: Decision) -> bool:
        """Goes on from a file."""
        if not rest:
            raise RulekitError("load what? `load FILE`")
        self.recorder = resume(self.game, Path(rest), self.settings.seats)
        if self.saved is not None:
            self.saved.seek(0)
            self.saved.truncate()
            self.recorder.write_to(self.saved)
        self.skips.clear()
        self._told.clear()
        self._told[self._audience()] = len(self.state.events)
        self._seen = (None, [])
        self.word("loaded", file=rest, n=str(self.state.choices_count()))
        return True

    def help(self, rest: str, who: int, asked: Decision) -> bool:
        """What can be typed."""
        self.say(helptext(self.state.names.lang))
        return False

    def quit(self, rest: str, who: int, asked: Decision) -> bool:
        """Leaves."""
        raise Quit


def counted(option: Option) -> bool:
    """Is the option a number? Then it is typed as it is, and has no number in the list."""
    return option.label.lstrip("-").isdigit()


_Command = Callable[[Terminal, str, int, Decision], bool]
_COMMANDS: dict[str, _Command] = {
    "why": Terminal.why, "total": Terminal.total, "undo": Terminal.undo, "redo": Terminal.redo, "log": Terminal.log,
    "map": Terminal.map, "zones": Terminal.zones, "options": Terminal.options, "find": Terminal.find, "skip": Terminal.skip,
    "save": Terminal.save, "load": Terminal.load, "help": Terminal.help, "?": Terminal.help, "quit": Terminal.quit, "exit": Terminal.quit,
}


def resume(game: Game, path: Path, seats: dict[str, str]) -> Recorder:
    """A recorder that goes on from a saved game."""
    save = read_save(path)
    done = replay(game, save)
    if done.first_difference:
        raise RulekitError(f"{path}: the save does not fit the rules: {done.first_difference['cause']}")
    recorder = Recorder(game, done.state, seats)
    recorder.save.records = list(save.records)
    return recorder
