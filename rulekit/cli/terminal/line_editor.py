"""Line editing in the terminal with completion and a history across games (prompt_toolkit)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from rulekit.cli.terminal.choice_input import plain_line
from rulekit.cli.terminal.completion import Offers

KEPT = "play.history"


class Editor:
    """Reads lines at the terminal.

    Args:
        private: several people with different knowledge share the terminal. Each then has their own
            history, and none is stored.
    """

    def __init__(self, private: bool, file: Path | None) -> None:
        self._private, self._file = private, file
        self._sessions: dict[int, PromptSession[str]] = {}
        self._words = _Words()
        self._pasted: list[str] = []  # further lines of pasted text

    def read(self, prompt: str, offers: Offers | None) -> str | None:
        """Return the next line that is not a comment, without surrounding blanks, or None at the
        end of the input. Without `offers`, nothing is completed or stored.
        """
        self._words.offers = offers
        session = (
            self._session(offers.who)
            if offers is not None
            else PromptSession[str](history=InMemoryHistory())
        )
        while True:
            if not self._pasted:
                try:
                    self._pasted = session.prompt(ANSI(prompt)).splitlines() or [""]
                except EOFError:
                    return None
            line = self._pasted.pop(0)
            text = plain_line(line)
            if text or not line.strip():
                return text

    def _session(self, who: int) -> PromptSession[str]:
        key = who if self._private else -1
        if key not in self._sessions:
            history: History = (
                InMemoryHistory()
                if self._private or self._file is None
                else _LenientFileHistory(self._file)
            )
            self._sessions[key] = PromptSession(
                history=history,
                completer=self._words,
                complete_while_typing=False,
                key_bindings=_keys(),
            )
        return self._sessions[key]


def _keys() -> KeyBindings:
    """Return the key bindings. Ctrl-C discards a line that is being typed. On an empty line it
    interrupts as usual.
    """
    keys = KeyBindings()

    @keys.add("c-c", filter=Condition(lambda: bool(get_app().current_buffer.text)))
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.reset()

    return keys


class _LenientFileHistory(FileHistory):
    """A history in a file. A file that cannot be read or written is ignored."""

    def __init__(self, file: Path) -> None:
        super().__init__(str(file))
        self._file = file

    def load_history_strings(self) -> Iterable[str]:
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        try:
            file = self._file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)
            super().store_string(string)
        except OSError:
            return


class _Words(Completer):
    """The completer for the current decision."""

    offers: Offers | None = None

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        if self.offers is None:
            return
        begun, found = self.offers.words(document.text_before_cursor.lstrip())
        for word in found:
            yield Completion(word.text, -len(begun), display_meta=word.about)


def history_file() -> Path:
    """Return the file of the typed lines on this system."""
    from platformdirs import user_state_path

    return user_state_path("rulekit", appauthor=False) / KEPT
