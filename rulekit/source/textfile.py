"""Takes the path of a file, makes its text; a file that cannot be read, is too big or is not text is a diagnostic."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from rulekit.base.diagnostic import Sink
from rulekit.base.span import Span

MAX_BYTES = 2_000_000

# The characters that YAML 1.2 calls printable, which are a good idea of text for rules and tables too.
NOT_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def shorter(name: str) -> str:
    """A name from a file as a message shows it: not more of it than people read."""
    return name if len(name) <= 40 else name[:37] + "..."


def shown_path(path: Path) -> str:
    """The path as people see it: relative to the current directory where the file lies below it."""
    whole = path.absolute()
    try:
        return whole.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return whole.as_posix()


def read_text(path: Path, sink: Sink, shown: str | None = None) -> str | None:
    """The text of a file, its line ends made plain, or None after a diagnostic."""
    name = shown if shown is not None else shown_path(path)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
            message = "this is no file but a device or a pipe"
            sink.error("RK102", Span(name, 1, 1), f"the file cannot be read: {message}", "put a plain file in its place")
            return None
        if status.st_size > MAX_BYTES:
            sink.error(
                "RK105",
                Span(name, 1, 1),
                f"the file is larger than {MAX_BYTES // 1_000_000} MB",
                "split it into several files; no file of a game is that long",
            )
            return None
        raw = path.read_bytes()
    except FileNotFoundError:
        sink.error("RK101", Span(name, 1, 1), "there is no such file", "check the spelling of the path")
        return None
    except OSError as why:
        reason = (why.strerror or str(why)).lower()
        sink.error(
            "RK102", Span(name, 1, 1), f"the file cannot be read: {reason}", "check its kind and its permissions"
        )
        return None
    return decode(raw, name, sink)


def decode(raw: bytes, name: str, sink: Sink) -> str | None:
    """Bytes as UTF-8 text without control characters, or None after a diagnostic at the first bad place."""
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
            f"byte 0x{raw[at]:02x} is no UTF-8 here",
        )
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    bad = NOT_TEXT.search(text)
    if bad:
        sink.error(
            "RK104",
            _place(name, text[: bad.start()]),
            f"the file has a control character (code {ord(bad.group()):d}), which is no text",
            "remove the character, or save the file again as plain text",
        )
        return None
    return text


def _place(name: str, before: str) -> Span:
    before = before.replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return Span(name, line, column, line, column + 1)
