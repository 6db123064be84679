"""The reversals of a game.

For each id that the situations cover, a reversal changes one of the game's files in a way that one
of them must detect.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Few, Sink, TooManyErrors, guess
from rulekit.common.diagnostics.span import Span
from rulekit.common.errors import RulekitError
from rulekit.compiler.source.fingerprint import layers
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.locate import REVERSALS, game_files
from rulekit.compiler.source.map_and_pieces import entries, text
from rulekit.compiler.source.schema_validation import validate
from rulekit.compiler.source.text_file import read_text, shown_path
from rulekit.compiler.source.yaml_reader import parse_yaml

NO_SUCH_ID, NOT_PLACED, NONE_GIVEN = "RK628", "RK629", "RK678"


class Unplaced(RulekitError):
    """Raised if a change cannot be made.

    Attributes:
        key: the key of the reversal that is at fault.
        why: the reason.
        help: a way to fix it.
    """

    def __init__(self, key: str, why: str, help: str = "") -> None:
        super().__init__(f"`{key}` {why}")
        self.key, self.why = key, why
        self.help = (
            help
            or "write a text that occurs once in the file, or give a text before it in `after`"
            " that does"
        )


@define
class Reversal:
    """A change that breaks one rule: the first `find` after the text `after` becomes `put`.

    Instead of a change, it can have a reason why nothing is changed.
    """

    id: str
    span: Span
    reason: str = ""
    file: str = ""
    library: str = ""
    after: str = ""
    find: str = ""
    put: str = ""
    spans: dict[str, Span] = field(factory=dict)  # of its values

    def changed(self, words: str) -> str:
        """Return the text of the file with this change.

        Raises:
            Unplaced: the place is not unique, or nothing would change.
        """
        begin = 0
        if self.after:
            begin = self._only(words, "after") + len(self.after)
            place = words.find(self.find, begin)
            if place < 0:
                raise Unplaced(
                    "find",
                    "does not come after the text of `after`",
                    "write a text that occurs somewhere after that of `after`",
                )
        else:
            place = self._only(words, "find")
        if self.find == self.put:
            raise Unplaced(
                "put",
                "is the same text as `find`, so nothing changes",
                'write a text that breaks the rule: another number, `>` for `<`, or "" to remove'
                " it",
            )
        return words[:place] + self.put + words[place + len(self.find) :]

    def _only(self, words: str, key: str) -> int:
        sought = getattr(self, key)
        times = words.count(sought)
        if times != 1:
            raise Unplaced(
                key, "is not in the file" if not times else f"occurs {times} times in the file"
            )
        return words.index(sought)


def read_reversals(folder: Path, sink: Sink) -> list[Reversal] | None:
    """Return the reversals of a game's folder, or None if it has no such file.

    Malformed ones are left out, after diagnostics.
    """
    path = folder / REVERSALS
    if not os.path.lexists(path):
        return None
    words = read_text(path, sink, folder)
    doc = parse_yaml(words, shown_path(path), sink) if words is not None else None
    if doc is None:
        return []
    before = len(sink.errors)
    validate(doc, "reversals", sink)
    faults = {d.span.line for d in sink.errors[before:]}
    listed = entries(entries(doc).get("reversals"))
    return [
        _reversal(id, value)
        for id, value in listed.items()
        if isinstance(value.value, dict)
        and not any(value.key_span.line <= line <= value.span.end_line for line in faults)
    ]


def _reversal(id: str, value: Datum) -> Reversal:
    top = entries(value)
    plain = {
        key: text(top.get(key)) or ""
        for key in ("reason", "file", "library", "after", "find", "put")
    }
    return Reversal(
        id, value.key_span, **plain, spans={key: each.span for key, each in top.items()}
    )


def files_of(folder: Path) -> dict[tuple[str, str], tuple[Path, Path]]:
    """Return the files that shape a game, each with the folder in which it lies.

    The key is the library ("" for the game itself) and the path inside its folder.
    """
    *libraries, own = layers(folder)
    return {
        ("" if layer is own else layer.resolve().name, file.relative_to(layer).as_posix()): (
            file,
            layer,
        )
        for layer in (*libraries, own)
        for file in game_files(layer)
    }


def vet_reversals(
    folder: Path,
    reversals: Sequence[Reversal],
    covered: Mapping[str, Span],
    ids: Collection[str],
    sink: Sink,
) -> None:
    """Report reversals that cannot be made or belong to no id, and covered ids that have none.

    Args:
        covered: the ids of the situations, each with its first place.
        ids: the ids of the inventory.
    """
    few, known = Few(sink.found), {each.id for each in reversals}
    with suppress(TooManyErrors):
        vet_each(folder, reversals, covered, ids, few)
        for id, span in covered.items():
            if id not in known:
                few.warn(
                    NONE_GIVEN,
                    span,
                    f"'{id}' is covered, but has no reversal",
                    f"write in {REVERSALS} how to reverse this rule, so that one of its situations"
                    " fails",
                )


def vet_each(
    folder: Path,
    reversals: Iterable[Reversal],
    covered: Collection[str],
    ids: Collection[str],
    sink: Sink,
) -> None:
    """Report each of some reversals that cannot be made or belongs to no id."""
    files = files_of(folder)
    for each in reversals:
        if each.id not in covered:
            hint = (
                guess(each.id, covered)
                or "remove it, or write a situation with this id under `covers`"
            )
            why = "no situation covers" if each.id in ids else "coverage.yaml has no id"
            sink.error(NO_SUCH_ID, each.span, f"{why} '{each.id}', but it has a reversal", hint)
        if not each.reason:
            _placed(each, files, sink)


def _placed(
    reversal: Reversal, files: Mapping[tuple[str, str], tuple[Path, Path]], sink: Sink
) -> None:
    """Report a change that cannot be made."""
    found = files.get((reversal.library, reversal.file))
    if found is None:
        library = any(reversal.library == name for name, _ in files)
        key = "file" if library else "library"
        known = (
            [path for name, path in files if name == reversal.library]
            if library
            else sorted({name for name, _ in files if name})
        )
        hint = (
            guess(getattr(reversal, key), known)
            or "write the path of a file from the folder of the game: rules/2_turn.rules"
        )
        place = "of the library" if reversal.library else "of the game"
        missing = (
            f"'{reversal.file}' is not a file {place}"
            if library
            else f"'{reversal.library}' is not a library of this game"
        )
        sink.error(
            NOT_PLACED, reversal.spans[key], f"the reversal of {reversal.id}: {missing}", hint
        )
        return
    words = read_text(found[0], Sink(), found[1])
    if words is None:  # reported where the game is read
        return
    try:
        reversal.changed(words)
    except Unplaced as error:
        sink.error(
            NOT_PLACED,
            reversal.spans[error.key],
            f"the reversal of {reversal.id}: its {error}",
            error.help,
        )
