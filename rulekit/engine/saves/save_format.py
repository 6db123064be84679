"""The format of a save: a header and a record of choices, one a line.

The first line is the header. Then there is one line for each step, in order: `{"n": 3, "by": "x",
"choice": KEY, "events": [...]}`, or `{"undo": true}` for an undo. Choices that were undone stay in
the record. Line `n: 0` has the events of the set-up. If an agreed undo changed the dice, this line
and all later ones have the new entropy, `"dice": ENTROPY`. A file that was cut (a crash, a full
disk) yields all its complete lines.

Format 2 has the seed as text and a salted commitment. Format 1 had a number and `seed_hash`. Both
can be read.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from attrs import define, field

from rulekit.common.errors import RulekitError, SaveError
from rulekit.common.files import FileRefused, read_plain
from rulekit.common.i18n.messages import Message, _
from rulekit.engine.kernel.decision import LONGEST
from rulekit.runtime.seeds import commitment, renewed, seed_hash, seed_of

_MAX_DIGITS = 40  # of a number in a save
_FIRST_RECORD = 2  # the line after the header
FORMAT = "rulekit-save"
FORMAT_VERSION = 2
MAX_SAVE_BYTES = 2 << 20  # the largest size of a save in bytes: ten times a long game
LONGEST_LINE = 1 << 20
_GAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}")  # as in a manifest, and never a path
_OFFERED = re.compile(r"[0-9]{1,9} [0-9]{1,9} [0-9a-f]{12}")
_SALT = re.compile(r"[0-9a-f]{32,64}")
_HEADER: dict[int, dict[str, type]] = {
    1: {"game": str, "rules": str, "scenario": str, "rulings": dict, "seed": int, "seats": dict},
    2: {
        "game": str,
        "rules": str,
        "scenario": str,
        "rulings": dict,
        "seed": str,
        "seats": dict,
        "salt": str,
        "commitment": str,
    },
}
_MAY = ("game_version", "hints", "names")  # optional texts in the header


@define
class SaveRecord:
    """One line after the header.

    Attributes:
        number: the line of the file, from 1.
        choice: the key of the choice, or None.
        by: the player.
        events: the events of the choice.
        undo: True for an undo.
        dice: the last entropy that changed the dice, or '' if none did.
        offered: the place of the choice among the options, their number, and a digest of their
            keys. '' if this is not recorded.
    """

    number: int
    choice: str | None = None
    by: str | None = None
    events: list[Any] = field(factory=list)
    undo: bool = False
    dice: str = ""
    offered: str = ""

    def line(self, choices: int) -> str:
        """Return the line as it is written.

        Args:
            choices: the number of choices that stand after it.
        """
        anew = {"dice": self.dice} if self.dice else {}
        if self.undo:
            return line({"undo": True, **anew})
        if self.choice is None:
            return line({"n": 0, "events": self.events})
        offered = {"offered": self.offered} if self.offered else {}
        return line(
            {
                "n": choices,
                "by": self.by,
                "choice": self.choice,
                **offered,
                **anew,
                "events": self.events,
            }
        )


@define
class Save:
    """A saved game as read.

    Attributes:
        header: the game, the rules, the seats and the seed.
        records: everything that was done.
        cut: True if the last line was incomplete and left out.
        path: the name of the file, for messages.
        end: the size of the complete lines in bytes.
    """

    header: dict[str, Any]
    records: list[SaveRecord] = field(factory=list)
    cut: bool = False
    path: str = ""
    end: int = 0

    @property
    def choices(self) -> list[SaveRecord]:
        """The choices that stand, without those that were undone."""
        standing: list[SaveRecord] = []
        for record in self.records:
            if record.undo:
                standing.pop()
            elif record.choice is not None:
                standing.append(record)
        return standing

    @property
    def seed(self) -> int:
        """The seed, in either format."""
        found = self.header["seed"]
        return seed_of(found) if isinstance(found, str) else int(found)

    @property
    def dice(self) -> str:
        """The entropy that changed the dice last, or '' if none did."""
        return self.records[-1].dice if self.records else ""

    def seed_by(self, dice: str) -> int:
        """Return the seed of the dice after a change by this entropy."""
        return renewed(self.seed, dice) if dice else self.seed

    @property
    def commitment(self) -> str:
        """A value that can be published before the game, to check the seed after it."""
        return str(self.header.get("commitment") or self.header.get("seed_hash", ""))

    def same_game(self, other: Save) -> bool:
        """Return True if both saves record the same game, whatever their length."""
        keys = ("game", "scenario", "seed", "salt", "rulings")
        return all(self.header.get(key) == other.header.get(key) for key in keys)

    def lines(self, begin: int = 0, choices: int = 0) -> Iterator[tuple[str, int]]:
        """Yield the lines of the records from `begin` on, each with the choices that stand then.

        Args:
            choices: the number of choices that stand before.
        """
        for record in self.records[begin:]:
            choices += -1 if record.undo else record.choice is not None
            yield record.line(choices), choices

    def standing(self) -> Save:
        """Return the same game without undone choices.

        A record that ends with changed dice is returned whole.
        """
        if self.dice and (not self.choices or self.choices[-1].dice != self.dice):
            return self
        begun = [record for record in self.records if record.choice is None and not record.undo]
        return Save(self.header, begun + self.choices)

    @property
    def head(self) -> str:
        """The first line."""
        return line(self.header)

    def text(self) -> str:
        """Return the whole file."""
        return "".join([self.head, *(text for text, _ in self.lines())])


def line(record: dict[str, Any]) -> str:
    """Return one record as it is written."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


# ------------------------------------------------------------------------------------------ reading
_NO_RECORD = _('expected "by", "choice" and "events"')


def damage(where: str, number: int, why: Message) -> SaveError:
    """Return the error for a damaged line of a save."""
    return SaveError(_("{where}: {why}", where=f"{where}:{number}", why=why))


class _Damaged(Exception):
    """Raised for a line that is not JSON."""


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= _MAX_DIGITS else _refuse("a number without end")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _refuse("a key that stands twice")


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(
            data.decode("utf-8"),
            parse_constant=_refuse,
            parse_float=_refuse,
            parse_int=_whole,
            object_pairs_hook=_once,
        )
    except (ValueError, RecursionError):
        raise _Damaged from None


def _says(value: Any) -> bool:
    """Return True for a text that a save may hold.

    It is no longer than a choice and has no control characters, which could steer a terminal.
    """
    return isinstance(value, str) and len(value) <= LONGEST and value.isprintable()


def _header(data: bytes, where: str) -> dict[str, Any]:
    try:
        if len(data) > LONGEST_LINE:
            raise _Damaged
        header = _parsed(data)
    except _Damaged:
        raise damage(
            where, 1, _("this is not a saved game: the first line is not JSON, or was cut")
        ) from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise damage(
            where,
            1,
            _(
                "this is not a saved game: the first line has no {format}",
                format=f'"format": "{FORMAT}"',
            ),
        )
    version = header.get("format_version")
    wanted = _HEADER.get(version) if isinstance(version, int) else None
    if not isinstance(version, int) or wanted is None:
        raise damage(
            where,
            1,
            _(
                "the format version is {version}; this program reads {known}",
                version=repr(str(version)[:20]),
                known=", ".join(map(str, _HEADER)),
            ),
        )
    for key, kind in (wanted | {key: str for key in _MAY if key in header}).items():
        value = header.get(key)
        plain = (
            [value]
            if isinstance(value, str)
            else [*value.keys(), *value.values()]
            if isinstance(value, dict)
            else []
        )
        if not isinstance(value, kind) or isinstance(value, bool) or not all(map(_says, plain)):
            raise damage(
                where, 1, _("the header's {name} is missing or has the wrong type", name=f'"{key}"')
            )
    if not _GAME.fullmatch(header["game"]):
        raise damage(where, 1, _('the header\'s "game" is not the name of a game'))
    _check_seed(header, version, where)
    return header


def _check_seed(header: dict[str, Any], version: int, where: str) -> None:
    """Raise SaveError if the seed is invalid or does not match the commitment."""
    try:
        seed = seed_of(str(header["seed"]))
    except (ValueError, RulekitError):
        raise damage(where, 1, _('the header\'s "seed" is not a seed')) from None
    if version > 1 and not _SALT.fullmatch(header["salt"]):
        raise damage(
            where, 1, _('the header\'s "salt" is not a salt: 32 hexadecimal digits or more')
        )
    held = (
        header["commitment"] == commitment(seed, header["salt"])
        if version > 1
        else header.get("seed_hash") in (None, seed_hash(seed))
    )
    if not held:
        raise damage(where, 1, _("the seed is not the one that was committed to before the game"))


def _is_event(data: Any) -> bool:
    match data:
        case [name, dict() as values]:
            return (
                _says(name)
                and all(map(_says, values))
                and all(
                    all(map(_is_plain, value)) if isinstance(value, list) else _is_plain(value)
                    for value in values.values()
                )
            )
    return False


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, int) or _says(value)


def _record(data: Any, number: int, choices: int, where: str) -> SaveRecord:
    """Parse one line after the header, after `choices` standing choices."""
    if not isinstance(data, dict):
        raise damage(where, number, _("expected an object"))
    dice = data.get("dice", "")
    anew = {"dice": dice} if "dice" in data else {}
    if anew and not (isinstance(dice, str) and _SALT.fullmatch(dice)):
        raise damage(where, number, _NO_RECORD)
    if "undo" in data:
        if data != {"undo": True} | anew:
            raise damage(where, number, _NO_RECORD)
        if not choices:
            raise damage(where, number, _("undoes a choice, but there is none"))
        return SaveRecord(number, undo=True, dice=dice)
    events, choice, by = data.get("events"), data.get("choice"), data.get("by")
    if (
        not isinstance(events, list)
        or not all(map(_is_event, events))
        or not all(each is None or _says(each) for each in (choice, by))
    ):
        raise damage(where, number, _NO_RECORD)
    written_number = data.get("n")
    if isinstance(written_number, bool) or (
        choice is None and (number != _FIRST_RECORD or written_number != 0)
    ):
        raise damage(where, number, _("a line without a choice") if choice is None else _NO_RECORD)
    if choice is not None and number == _FIRST_RECORD:
        raise damage(
            where,
            number,
            _(
                "the number of the choice is not {n}: a line is missing or in the wrong place",
                n="0",
            ),
        )
    if choice is not None and written_number != choices + 1:
        raise damage(
            where,
            number,
            _(
                "the number of the choice is not {n}: a line is missing or in the wrong place",
                n=str(choices + 1),
            ),
        )
    offered = data.get("offered", "")
    if not isinstance(offered, str) or (offered and not _OFFERED.fullmatch(offered)):
        raise damage(where, number, _NO_RECORD)
    return SaveRecord(number, choice, by, events, dice=dice, offered=offered)


def parse_save(text: str | bytes, where: str = "save") -> Save:
    """Parse the text of a save.

    A cut last line is accepted. So are empty lines at the end, and a byte order mark at the
    beginning.

    Raises:
        SaveError: a line is damaged. The text names it.
    """
    lines = (text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")).split(
        b"\n"
    )
    if not lines[0].removeprefix(BOM_UTF8).strip():
        raise damage(
            where, 1, _("this is not a saved game: it is empty; you can save a new game in it")
        )
    save = Save(
        _header(lines[0].removeprefix(BOM_UTF8), where),
        path=where,
        end=len(lines[0]) + 1 if len(lines) > 1 else 0,
    )
    n = 0
    for i, each in enumerate(lines[1:], 1):
        last = i == len(lines) - 1
        if not each.strip() and not b"".join(lines[i:]).strip():
            break
        if len(each) > LONGEST_LINE:
            raise damage(where, i + 1, _("this line is too long"))
        try:
            record = _record(_parsed(each), i + 1, n, where)
        except _Damaged:
            if not last:
                raise damage(where, i + 1, _("damaged: not a line of JSON")) from None
            save.cut = True
            break
        n += -1 if record.undo else record.choice is not None
        save.records.append(record)
        save.end += 0 if last else len(each) + 1
    return save


def read_save(path: Path | str) -> Save:
    """Read a saved game from a regular file of bounded size."""
    try:
        data = read_plain(Path(path), MAX_SAVE_BYTES)
    except FileRefused as refused:
        raise SaveError(refused.display_text) from None
    return parse_save(data, str(path))
