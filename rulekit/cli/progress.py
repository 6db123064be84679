"""Progress of many games: a bar on a terminal, otherwise lines with games, games a second and the
time left.

With the library Rich (`rulekit[terminal]`) the bar is Rich's. Without it, one line is overwritten.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import IO, Any

from rulekit.common.i18n.messages import Message, _

MAX_FRACTIONAL_RATE = 10  # games a second; a slower rate is printed with decimals
EVERY = 10.0  # seconds between two lines without a terminal
AGAIN = 0.1  # seconds between two updates on a terminal
GAMES = (_("games: {n} of {all}, {rate} a second"), _("games"))


class Progress:
    """A progress display. Close it with `end`, or use it as a context manager.

    Args:
        words: the message for the line, and the unit.
    """

    def __init__(
        self,
        total: int,
        lang: str = "en",
        out: IO[str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        words: tuple[Message, Message] = GAMES,
    ) -> None:
        self._words = words
        self._total, self._lang, self._out, self._clock = total, lang, out or sys.stderr, clock
        self._begin = self._reported_at = clock()
        self._wide = 0
        self._bar: Any = None
        self._on = self._out.isatty()
        if self._on and total:
            self._bar = _bar(self._out, total, lang, words[1])

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *__: object) -> None:
        self.end()

    def at(self, done: int) -> None:
        """Show that `done` games are finished."""
        now = self._clock()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done)
        elif now - self._reported_at >= (AGAIN if self._on else EVERY):
            self._reported_at = now
            line = self.line(done)
            self._out.write(f"\r{line.ljust(self._wide)}" if self._on else f"{line}\n")
            self._out.flush()
            self._wide = len(line)

    def line(self, done: int) -> str:
        """Return the progress in words."""
        rate = done / max(self._clock() - self._begin, 1e-6)
        text = self._words[0].text(
            self._lang,
            n=f"{done:,}",
            all=f"{self._total:,}",
            rate=f"{rate:,.{0 if rate >= MAX_FRACTIONAL_RATE else 2}f}",
        )
        return text + (
            ", " + _("{time} left", time=_span((self._total - done) / rate)).text(self._lang)
            if done
            else ""
        )

    def end(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        elif self._on:
            self._out.write("\r" + " " * self._wide + "\r")
            self._out.flush()


def _span(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def _bar(out: IO[str], total: int, lang: str, unit: Message) -> Any:
    """Return a started bar of Rich, or None without the library."""
    try:
        from rich import progress as rich
        from rich.console import Console
        from rich.text import Text
    except ImportError:
        return None

    class Rate(rich.ProgressColumn):
        def render(self, task: rich.Task) -> Text:
            return Text(f"{task.finished_speed or task.speed or 0:,.1f}/s")

    columns = (
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn(unit.text(lang)),
        Rate(),
    )
    bar = rich.Progress(
        *columns, rich.TimeRemainingColumn(), console=Console(file=out), transient=True
    )
    bar.add_task("", total=total)
    bar.start()
    return bar
