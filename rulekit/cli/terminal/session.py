"""A game in the terminal: asks people and agents in turn. It holds no rule."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from attrs import define

from rulekit.cli.terminal import since_last, status
from rulekit.cli.terminal.completion import Offers
from rulekit.cli.terminal.console import Console
from rulekit.cli.terminal.prompt_commands import Quit, ScriptRefused, obey
from rulekit.cli.terminal.screen import WIDTH
from rulekit.common.errors import RulekitError, RulesError
from rulekit.common.i18n.messages import _
from rulekit.engine.kernel.decision import LONGEST, Decision
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.search.agent_registry import Agent, make_agents, victory_total
from rulekit.engine.search.search_agent import SearchAgent
from rulekit.runtime.seeds import seed_text


@contextmanager
def hurried(agent: Agent) -> Iterator[None]:
    """Within the block, Ctrl-C lets a searching seat choose at once. A second Ctrl-C ends the
    program as usual.
    """
    if (
        not isinstance(agent, SearchAgent)
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(*__: object) -> None:
        signal.signal(signal.SIGINT, before)
        agent.stop()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@define
class Terminal(Console):
    """A game being played by the people at the terminal."""

    def play(self) -> int:
        """Play to the end of the game or of the input. Return the exit code, which is 1 also if the
        file of the game is incomplete.
        """
        done = self._play()
        return max(done, 1 if self.recorder.keeper and self.recorder.keeper.trouble else 0)

    def _play(self) -> int:
        try:
            while not self.state.is_terminal():
                begin = len(self.state.events)
                self._step()
                since_last.explain(self.state, begin, self.explained)
                self.tell_trouble()
        except Quit:
            self.say(self.state.names.say(_("the game is left")))
            return 0
        except ScriptRefused as refused:
            self.out.flush()
            print(f"rulekit: {refused}", file=sys.stderr)
            return 1
        except RulesError:
            self.tell(self.audience())
            raise
        self.tell(self.audience())
        self.say("")
        self.end()
        return 0

    def end(self) -> None:
        """Print the result."""
        result = self.state.result
        if result is not None:
            names = self.state.names
            level = names.text(f"level.{result.level}", result.level.replace("_", " "))
            who = (
                names.label(self.state.table.program.sides, names.side(result.winner))
                if result.winner
                else ""
            )
            self.say(
                names.say(_("result: {what}", what=f"{who}{names.colon}{level}" if who else level))
            )
            points = status.points(self.state, victory_total(self.state))
            self.say(*([points] if points else []))
            if self.humans:
                self.say(self._secret())

    def _secret(self) -> str:
        """Return the seed, and the salt of the commitment to it."""
        save = self.recorder.save
        seed = seed_text(save.seed)
        return self.state.names.say(
            _(
                "the seed was {seed}, the salt {salt}: the commitment is the"
                " SHA-256 of 'rulekit {salt} {seed}'",
                seed=seed,
                salt=save.header["salt"],
            )
            if "salt" in save.header
            else _("the seed was {seed}", seed=seed)
        )

    def _step(self) -> None:
        who = self.state.current_player()
        agent = self.agents[who] if who >= 0 else None
        if agent is not None:
            with hurried(agent) if self.humans else nullcontext():
                choice = agent.choose(self.state)
            self.recorder.apply(choice)
            return
        asked = self.state.decision
        assert asked is not None
        if self.skips.passes(self.state, asked):
            self.recorder.apply("pass")
        elif self.idle(asked):
            self._take_only(who, asked)
        elif not self._goes_on(who, asked):
            self._ask(who, asked)

    def _take_only(self, who: int, asked: Decision) -> None:
        """Make the only choice, and report it unless it is a pass."""
        only = asked.options[0]
        if asked.kind != "window":
            self.tell(who)
            shown = Observer(self.state, who).options()[0]
            self.note(
                _("{prompt}: {what} (the only choice)", prompt=asked.prompt, what=shown.label)
            )
        self.recorder.apply(only)

    def _goes_on(self, who: int, asked: Decision) -> bool:
        """Continue a line that waited for another player, if they have only passed."""
        if self.waiting is None or self.waiting[0] != who:
            return False
        __, rest, begin = self.waiting
        if any(
            self.state.table.book.family(mark.option).what != "pass"
            for mark in self.state.marks[begin:]
        ):
            self.waiting = None
            self.note(_("somebody has reacted: the rest of the line is dropped: {rest}", rest=rest))
            return False
        if asked.kind == "window":
            self.recorder.apply("pass")
            return True
        self.waiting = None
        try:
            rest = self.recorder.apply_line(rest, self.through())
        except RulekitError as error:
            self.say(f"  {error}")
            return False
        if rest:
            self.waiting = (who, rest, self.state.move_number())
        return True

    def _hand_over(self, who: int) -> None:
        if self.facing == who:
            return
        name = self.state.names.label(self.state.table.program.sides, who)
        if len(self.humans) > 1 and self.state.table.has_secrets:
            if self.settings.interactive:
                self.out.write("\033[2J\033[3J\033[H")
                self.say(
                    self.state.names.say(
                        _("The screen goes to {who}. The others look away.", who=name)
                    )
                )
                self.read(self.state.names.say(_("press Enter")) + " ")
            else:
                self.say(f"--- {self.state.names.say(_('the screen goes to {who}', who=name))} ---")
            self.seen = (None, [])
        self.facing = who

    def _ask(self, who: int, asked: Decision) -> None:
        self._hand_over(who)
        self.tell(who)
        if not self.settings.quiet:
            self.show(who)
        self.page, self.losses = 0, None
        options = Observer(self.state, who).options()
        self.show_options(asked, options)
        mentioned = False  # whether the way to save was mentioned since the last typed line
        while True:
            try:
                text = self.read(
                    f"{self.state.names.label(self.state.table.program.sides, who)}> ",
                    Offers(self.state, who, options),
                )
            except KeyboardInterrupt:
                if mentioned or self.recorder.keeper or not self.settings.interactive:
                    raise
                mentioned = True
                self.say("")
                self.note(
                    _(
                        "this game is not saved: `save FILE` saves it; `quit`, or Ctrl-C again,"
                        " leaves it"
                    )
                )
                continue
            mentioned = False
            if text is None:
                self._end_of_input()
                return
            if not self.settings.interactive:
                self.say(text if len(text) <= LONGEST else f"{text[:WIDTH]}...")
            if obey(self, text, who, asked, options):
                return

    def _end_of_input(self) -> None:
        if not self.settings.auto:
            self.say("")
            raise Quit
        self.say(self.state.names.say(_("(end of the input: the random seat continues)")))
        plan = {
            side: "random" if seat == "human" else seat
            for side, seat in self.settings.seats.items()
        }
        observer = self.audience()
        self.agents = make_agents(plan, self.state, self.settings.seed)
        self.read_events[None] = self.read_events.get(observer, 0)
