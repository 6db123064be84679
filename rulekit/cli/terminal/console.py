"""The console of a game in the terminal: its output, its input, and the events that each observer
has read.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

from attrs import define, field

from rulekit.cli.terminal import since_last, status
from rulekit.cli.terminal.auto_pass import Skips
from rulekit.cli.terminal.choice_input import plain_line
from rulekit.cli.terminal.menu import LINES, Menu
from rulekit.cli.terminal.outcomes import beside
from rulekit.cli.terminal.screen import WIDTH, Screen
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import Message, _, ngettext
from rulekit.engine.explain.annotations import effects
from rulekit.engine.explain.refusals import step_price
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import LONGEST, Decision, Option
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.saves.recorder import Recorder
from rulekit.engine.search.agent_registry import Agent, make_agents, seat_text
from rulekit.engine.search.search_agent import SearchAgent
from rulekit.runtime.seeds import seed_text

if TYPE_CHECKING:
    from rulekit.cli.terminal.colours import Colours
    from rulekit.cli.terminal.completion import Offers
    from rulekit.cli.terminal.line_editor import Editor

LINE = 2 * LONGEST  # characters of a line that are used
PIECE = 1 << 16  # characters beyond these that are skipped at a time
YES = ("y", "yes", "o", "oui")
ENDLESS = 1 << 22  # characters of a line before it counts as endless
_STEERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)  # characters that move the cursor or turn the direction of writing


@define
class Settings:
    """Settings of a game in the terminal."""

    seats: dict[str, str]
    seed: int  # for the automatic seats
    auto: bool = False
    free_undo: bool = False
    interactive: bool = True
    ask_all: bool = False
    quiet: bool = False
    asked: dict[str, str] = field(factory=dict)  # seats named on the command line


@define
class Console:
    """A game being played in the terminal."""

    game: Game
    recorder: Recorder
    settings: Settings
    source: IO[str]
    out: IO[str] = field(factory=lambda: sys.stdout)
    editor: Editor | None = None  # without one, lines are read from the source
    colours: Colours | None = None  # for printed lines
    agents: list[Agent | None] = field(init=False)
    skips: Skips = field(factory=Skips)
    facing: int | None = None  # the player at the screen
    read_events: dict[int | None, int] = field(factory=dict)  # events that each observer read
    seen: tuple[object, list[str]] = (
        None,
        [],
    )  # the last observer and phases, and that screen
    values: dict[int, tuple[int, since_last.Values]] = field(
        factory=dict
    )  # for each observer, the number of events and the values of the tracks at their last look
    lines: list[tuple[int, int]] = field(
        factory=list
    )  # for each typed line, the number of choices before it and its player
    taken: list[int] = field(
        factory=list
    )  # the number of choices undone by each `undo` that can be redone
    waiting: tuple[int, str, int] | None = (
        None  # a line that waits for another player: its player, its rest, the number of choices
    )
    explained: dict[int, Sequence[str]] = field(factory=dict)  # the reasons of events, by number
    trouble: str = ""  # the last reported reason why the file is incomplete
    page: int = 0  # the page of the log that was printed
    losses: dict[int, str] | None = (
        None  # the texts next to the options, if they have been computed
    )
    step: int | None = None  # the current step of `replay`
    rest: list[str] = field(factory=list)  # lines of options beyond the page

    def __attrs_post_init__(self) -> None:
        self.agents = make_agents(self.settings.seats, self.state, self.settings.seed)

    @property
    def state(self) -> State:
        """Return the state of the game."""
        return self.recorder.state

    @property
    def humans(self) -> list[int]:
        """Return the numbers of the human players."""
        return [i for i, agent in enumerate(self.agents) if agent is None]

    def confirms(self, question: str) -> bool:
        """Ask a question. Return True only for a clear yes."""
        return (self.read(question) or "").casefold() in YES

    def read(self, prompt: str, offers: Offers | None = None) -> str | None:
        """Return the next line that is not a comment, without its end, or None at the end of the
        input.

        Only the beginning of an overlong line is returned. `offers` supplies completions if there
        is an editor.
        """
        if self.editor is not None:
            return self.editor.read(self.colours.shown(prompt) if self.colours else prompt, offers)
        self.out.write(prompt)
        self.out.flush()
        while line := self.source.readline(LINE):
            end, size = line[-1:], 0
            while end != "\n" and (rest := self.source.readline(PIECE)):
                end, size = rest[-1:], size + len(rest)
                if size > ENDLESS:
                    raise RulekitError(
                        self.state.names.say(_("the input ends here: a line is too long"))
                    )
            if line[:1] == "\ufffd" and "\0" in line:  # the mark of UTF-16
                raise RulekitError(
                    self.state.names.say(
                        _(
                            "the input is not UTF-8 text (a shell of Windows may write UTF-16:"
                            " set its encoding)"
                        )
                    )
                )
            text = plain_line(line)
            if text or (self.settings.interactive and not line.strip()):
                return text
        return None

    def say(self, *lines: str) -> None:
        """Print lines. Control characters that affect the terminal are escaped. At a keyboard, long
        lines are wrapped at words.
        """
        for line in (
            _STEERS.sub(lambda found: f"\\x{ord(found.group()):02x}", each)
            for text in lines
            for each in text.split("\n")
        ):
            if self.settings.interactive and len(line) > self.width:
                indent = " " * (len(line) - len(line.lstrip()))
                wrapped = textwrap.wrap(
                    line.strip(),
                    self.width,
                    initial_indent=indent,
                    subsequent_indent=indent + "    ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
                self._print(*wrapped)
            else:
                self._print(line)

    def _print(self, *lines: str) -> None:
        for line in lines:
            if self.colours is not None:
                self.colours.print(line)
            else:
                print(line, file=self.out)

    @property
    def width(self) -> int:
        return (
            max(40, shutil.get_terminal_size((WIDTH, 24)).columns - 1)
            if self.settings.interactive
            else WIDTH
        )

    def note(self, message: Message) -> None:
        """Print a message of the frontend."""
        self.say("  " + self.state.names.say(message))

    def tell_trouble(self) -> None:
        """Report when the file of the game can no longer be written, and when it can again."""
        keeper = self.recorder.keeper
        now = keeper.trouble if keeper else ""
        if keeper and now != self.trouble:
            self.note(
                not_saved(keeper.path, now)
                if now
                else _("{file} is complete again", file=keeper.path)
            )
        self.trouble = now

    def audience(self) -> int | None:
        """Return the player who looks at the screen: the only human, or the one who has the
        terminal now. Return None if nobody does.
        """
        humans = self.humans
        return humans[0] if len(humans) == 1 else self.facing

    def tell(self, observer: int | None) -> None:
        """Print the events since this observer last read, condensed if there are many. Without
        human players, print them in full.
        """
        log = self.state.events
        begin = min(self.read_events.get(observer, 0), len(log))
        self.read_events[observer] = len(log)
        if not self.humans:
            self.say(*since_last.report(self.state, log[begin:], self.explained))
            return
        lines = since_last.event_lines(
            self.state, Observer(self.state, observer).events(begin), self.explained
        )
        self.say(*(since_last.condensed(self.state.names, lines)))

    def greet(self) -> None:
        """Print the game and its players, and a commitment to the seed. Print the seed itself if
        nobody can misuse it.
        """
        names, save = self.state.names, self.recorder.save
        program = self.state.table.program
        where, titles = program.scenario, dict(program.scenarios)
        title = names.text("title") or self.game.title
        scenario = names.text(f"scenario.{where}", titles.get(where, "")) or where
        seats = [
            f"{names.label(self.state.table.program.sides, names.side(side))}"
            f"{names.colon}{seat_text(names, seat)}"
            for side, seat in self.settings.seats.items()
        ]
        self.say(
            names.say(
                _("{title}; {seats}", title=title, seats=", ".join(seats))
                if scenario in ("", title)
                else _(
                    "{title}, scenario {scenario}; {seats}",
                    title=title,
                    scenario=scenario,
                    seats=", ".join(seats),
                )
            )
        )
        closed, opened = (
            names.say(_("commitment to the seed: {hash}", hash=save.commitment)),
            names.say(_("seed {seed}", seed=seed_text(save.seed))),
        )
        self.say(closed if self.humans else opened)
        if (
            self.humans
            and self.source.isatty()
            and any(isinstance(agent, SearchAgent) for agent in self.agents)
        ):
            self.note(_("press Ctrl-C while the machine thinks, and it chooses at once"))

    def idle(self, asked: Decision) -> bool:
        """Return True if the only human player has only one option, so that the choice needs no
        input.

        With two humans this is always False, because skipping the question would reveal something
        to the other one.
        """
        return not self.settings.ask_all and len(self.humans) == 1 and len(asked.options) == 1

    def through(self) -> bool:
        """Return True if a line may continue through windows in which another player can only pass.
        It must not if that would reveal something about hidden information.
        """
        return len(self.humans) == 1 or not self.state.table.has_secrets

    def typed(self, begin: int, who: int, rest: str) -> None:
        """Record that a person typed a line. `begin` is the number of choices before it, and `rest`
        is the part that waits for another player.
        """
        self.lines = [*(line for line in self.lines if line[0] < begin), (begin, who)]
        self.taken.clear()
        self.waiting = (who, rest, self.state.move_number()) if rest else None
        asked = self.state.decision
        if rest and asked is not None and asked.player != self.state.names.sides[who]:
            label = self.state.names.label(
                self.state.table.program.sides, self.state.names.side(asked.player)
            )
            self.note(
                _("{who} decides first; then the line continues: {rest}", who=label, rest=rest)
            )

    def show(self, who: int) -> None:
        """Print the position. If the person decides again in the same phase, print only the
        changes.
        """
        screen = Screen(self.state, who)
        where: object = (who, screen.observer.phases())
        values = screen.values()
        begin, known = self.values.get(who, (0, {}))
        lines = (
            since_last.event_lines(self.state, screen.observer.events(begin), self.explained)
            if known
            else []
        )
        self.say(*since_last.changes(self.state, begin, lines, known, values))
        self.say(*(screen.since(self.seen[1]) if self.seen[0] == where else screen.everything()))
        self.seen, self.values[who] = (where, screen.everything()), (len(self.state.events), values)

    def show_options(self, asked: Decision, options: Sequence[Option]) -> None:
        """Print the prompt and the numbered options with their paragraphs."""
        names, who, ref = (
            self.state.names,
            self.state.names.side(asked.player),
            f"  [{', '.join(asked.ref)}]" if asked.ref else "",
        )
        self.say(
            f"{names.label(self.state.table.program.sides, who)}"
            f"{names.colon}{Observer(self.state, who).prompt()}{ref}"
        )
        self.say(*status.lines(self.state, who))
        self.list(self.menu(options).lines())

    def menu(self, options: Sequence[Option]) -> Menu:
        notes = status.notes(Observer(self.state, self.state.current_player()), options)
        lookahead = self.lookahead(options)
        return Menu(
            self.state.names,
            options,
            self.width,
            lambda option: (
                notes.get(option.id, "") + self.effect(option) + lookahead.get(option.id, "")
            ),
        )

    def lookahead(self, options: Sequence[Option]) -> dict[int, str]:
        """At a keyboard, return the text next to each option. It is computed once for each
        decision.
        """
        if self.losses is None:
            self.losses = (
                beside(self.state, self.state.current_player(), options)
                if self.settings.interactive
                else {}
            )
        return self.losses

    def list(self, lines: list[str]) -> None:
        """Print a page of options. The command `more` prints the rest."""
        self.say(*lines[:LINES])
        self.rest = lines[LINES:]
        if self.rest:
            self.note(
                ngettext("... {n} more line: `more`", "... {n} more lines: `more`", len(self.rest))
            )

    def effect(self, option: Option) -> str:
        """Return the effect of a card, if the game has a text for it, or the cost of a step."""
        if price := step_price(self.state, option.id):
            return f" ({price})"
        book, observer = self.state.table.book, Observer(self.state, self.state.current_player())
        family = book.family(option.id)
        named = zip(
            family.params if not family.arcs else (),
            book.arguments(family, option.id),
            strict=False,
        )
        texts = [
            text
            for param, value in named
            if param.kind >= 0 and value >= 0 and observer.knows(param.kind, value)
            for text in effects(self.state.names, param.kind, value)
        ]
        return self.state.names.colon + self.state.names.semicolon.join(texts) if texts else ""


def not_saved(file: str, why: str) -> Message:
    """Return the message for a save file that cannot be written."""
    return _(
        "{file}: {why}. The game continues, but this file is incomplete: free"
        " some space, or `save` the game in another file",
        file=file,
        why=why,
    )
