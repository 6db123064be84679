"""Reads text files. A file that is unreadable, too large or not text is reported as a
diagnostic.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.common.files import FileRefused, Why, printable, read_plain

_MAX_NAME_CHARACTERS = 40  # of a name from a file in a message
MAX_BYTES = 2_000_000
MAX_ALL = 10_000_000  # characters of all files of a game: its libraries and situations too
_COPY = "put a copy of the file in its place"
_REFUSALS: dict[Why, tuple[str, str]] = {
    "missing": ("RK101", "check the spelling of the path"),
    "outside": ("RK107", _COPY),
    "special": ("RK107", _COPY),
    "folder": ("RK102", "check its kind and its permissions"),
    "unreadable": ("RK102", "check its kind and its permissions"),
    "large": ("RK105", "split it into several files; no file of a game is that long"),
}

# The characters that YAML 1.2 calls printable, which are a good idea of text for rules and tables
# too; without those that turn the direction of writing, so that a person would read something else
# than what stands there.
NOT_TEXT = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)


def shorter(name: str) -> str:
    """Shorten a name from a file for a message."""
    return name if len(name) <= _MAX_NAME_CHARACTERS else name[: _MAX_NAME_CHARACTERS - 3] + "..."


def shown_path(path: Path) -> str:
    """Return the path as shown to people: relative to the current directory if the file lies below
    it.
    """
    whole = path.absolute()
    try:
        return printable(whole.relative_to(Path.cwd()).as_posix())
    except ValueError:
        return printable(whole.as_posix())


def read_text(path: Path, sink: Sink, within: Path) -> str | None:
    """Return the text of a file that lies in the folder `within`, with plain line ends, or None
    after a diagnostic.

    The text is also stored in the sink, because only text that was accepted here may be shown
    again.
    """
    name = shown_path(path)
    if sink.amount > MAX_ALL:
        return None  # which has been said of the file before
    try:
        raw = read_plain(path, MAX_BYTES, within)
    except FileRefused as refused:
        code, help = _REFUSALS[refused.why]
        sink.error(code, Span(name, 1, 1), refused.reason, help)
        return None
    words = decode(raw, name, sink)
    if words is None:
        return None
    sink.accept(name, words)
    if sink.amount > MAX_ALL:
        message = f"the files of the game are larger than {MAX_ALL // 1_000_000} MB together"
        sink.error(
            "RK105",
            Span(name, 1, 1),
            message,
            "remove the files that the game does not need",
        )
        return None
    return words


def read_stream(stream: IO[bytes], name: str, sink: Sink) -> str | None:
    """Return the text of a stream, with plain line ends and limited to the size of a file, or None
    after a diagnostic.
    """
    raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        sink.error(
            "RK105",
            Span(name, 1, 1),
            f"the text is larger than {MAX_BYTES // 1_000_000} MB",
            _REFUSALS["large"][1],
        )
        return None
    words = decode(raw, name, sink)
    if words is not None:
        sink.accept(name, words)
    return words


def decode(raw: bytes, name: str, sink: Sink) -> str | None:
    """Decode UTF-8 text without control characters. Return None after a diagnostic at the first bad
    character.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        at = why.start + (3 if raw.startswith(b"\xef\xbb\xbf") else 0)
        before = raw[:at].decode("utf-8-sig", "replace")
        sink.error(
            "RK103",
            _place(name, before),
            "the file is not UTF-8 text",
            "save it with the encoding UTF-8",
            f"byte 0x{raw[at]:02x} is not UTF-8",
        )
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    bad = NOT_TEXT.search(text)
    if bad:
        sink.error(
            "RK104",
            _place(name, text[: bad.start()]),
            f"the file has a control character (code {ord(bad.group()):d}), which is not text",
            "remove the character, or save the file again as plain text",
        )
        return None
    return text


def _place(name: str, before: str) -> Span:
    before = before.replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return Span(name, line, column, line, column + 1)
