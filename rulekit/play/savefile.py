"""Takes lines of JSON, makes a `Save`: a header and the record of choices; and writes one line by line.

The first line is the header. Then one line for each thing done, in order: `{"n": 3, "by": "x", "choice": KEY, "events": [...]}`, and
`{"undo": true}` where a choice was taken back: what was taken back stays on record. Line `n: 0` holds the events of the set-up.
A file that was cut (a crash, a full disk) gives all its complete lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import IO, Any

from attrs import define, field

from rulekit.base.errors import SaveError

FORMAT = "rulekit-save"
FORMAT_VERSION = 1


def seed_hash(seed: int) -> str:
    """What may be published before a game, so that the seed that is published after it can be checked."""
    return sha256(f"rulekit seed {seed}".encode()).hexdigest()


def line(record: dict[str, Any]) -> str:
    """One record as it is written."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


@define
class Record:
    """One line after the header."""

    number: int  # line of the file, from 1
    choice: str | None = None
    by: str | None = None
    events: list[Any] = field(factory=list)
    undo: bool = False


@define
class Save:
    """A saved game as read: who, what, which rules; and everything that was done. `cut`: the last line was not whole and was left out."""

    header: dict[str, Any]
    records: list[Record] = field(factory=list)
    cut: bool = False
    path: str = ""

    @property
    def choices(self) -> list[Record]:
        """The choices that stand, without those taken back."""
        standing: list[Record] = []
        for record in self.records:
            if record.undo:
                if not standing:
                    raise SaveError(f"{self.path}:{record.number}: takes back a choice, but none stands")
                standing.pop()
            elif record.choice is not None:
                standing.append(record)
        return standing

    def text(self) -> str:
        """The file again."""
        out = StringIO()
        Writer(out, self.header, self.records)
        return out.getvalue()


def choice_line(n: int, by: str | None, choice: str | None, events: Sequence[Any]) -> dict[str, Any]:
    """The record of a choice (of the set-up: no choice)."""
    if choice is None:
        return {"n": 0, "events": list(events)}
    return {"n": n, "by": by, "choice": choice, "events": list(events)}


def _header(text: str, where: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except ValueError:
        raise SaveError(f"{where}:1: this is not a saved game: the first line is not JSON, or was cut") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise SaveError(f"{where}:1: this is not a saved game: the first line has no \"format\": \"{FORMAT}\"")
    if header.get("format_version") != FORMAT_VERSION:
        raise SaveError(f"{where}:1: the format version is {header.get('format_version')!r}; this program reads {FORMAT_VERSION}")
    wanted: dict[str, type | tuple[type, ...]] = {"game": str, "rules": str, "scenario": str, "rulings": dict, "seed": int, "seats": dict}
    for key, kind in wanted.items():
        if not isinstance(header.get(key), kind) or isinstance(header[key], bool):
            raise SaveError(f"{where}:1: the header's \"{key}\" is missing or of the wrong sort")
    if "seed_hash" in header and header["seed_hash"] != seed_hash(header["seed"]):
        raise SaveError(f"{where}:1: the seed is not the one whose hash was published")
    return header


def _record(data: Any, number: int, where: str) -> Record:
    if not isinstance(data, dict):
        raise SaveError(f"{where}:{number}: expected an object")
    if data.get("undo") is True:
        return Record(number, undo=True)
    events, choice, by = data.get("events", []), data.get("choice"), data.get("by")
    if not isinstance(events, list) or not (choice is None or isinstance(choice, str)) or not (by is None or isinstance(by, str)):
        raise SaveError(f"{where}:{number}: expected \"by\", \"choice\" and \"events\"")
    if choice is None and data.get("n") != 0:
        raise SaveError(f"{where}:{number}: a line without a choice")
    return Record(number, choice, by, events)


def parse_save(text: str, where: str = "save") -> Save:
    """Reads the text of a save. Damage inside it is an error with its line; a cut end is not."""
    lines = text.split("\n")
    if not lines or not lines[0].strip():
        raise SaveError(f"{where}:1: this is not a saved game: it is empty")
    save = Save(_header(lines[0], where), path=where)
    last = max(i for i, each in enumerate(lines) if each)
    for i, each in enumerate(lines[1:], 1):
        if not each:
            if i < last:
                raise SaveError(f"{where}:{i + 1}: an empty line")
            continue
        try:
            data = json.loads(each)
        except (ValueError, RecursionError):
            if i == last and i == len(lines) - 1:
                save.cut = True
                break
            raise SaveError(f"{where}:{i + 1}: damaged: not a line of JSON") from None
        save.records.append(_record(data, i + 1, where))
    return save


def read_save(path: Path | str) -> Save:
    """Reads a saved game from a file."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise SaveError(f"{path}: {error.strerror}") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end < len(data) or error.reason != "unexpected end of data":
            number = data.count(b"\n", 0, error.start) + 1
            raise SaveError(f"{path}:{number}: damaged: not UTF-8") from None
        text = data[:error.start].decode("utf-8")  # cut inside a letter
    return parse_save(text, str(path))


class Writer:
    """Writes a save line by line, each one out to the disk at once: what happened is not lost with the program."""

    def __init__(self, file: IO[str], header: dict[str, Any], records: Sequence[Record] = ()) -> None:
        self._file = file
        self._n = 0
        self._put(header)
        for record in records:
            self.undo() if record.undo else self.choice(record.by, record.choice, record.events)

    def _put(self, record: dict[str, Any]) -> None:
        self._file.write(line(record))
        self._file.flush()

    def choice(self, by: str | None, choice: str | None, events: Sequence[Any]) -> None:
        """A choice with the events that it caused (None: the set-up)."""
        if choice is not None:
            self._n += 1
        self._put(choice_line(self._n, by, choice, events))

    def undo(self) -> None:
        """The last choice was taken back."""
        self._n -= 1
        self._put({"undo": True})
