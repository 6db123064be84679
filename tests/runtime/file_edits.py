"""All possible small edits of a game folder: file by file, line by line and word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

_WORDS = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


@frozen
class Edit:
    """A changed file.

    Attributes:
        files: all files in which the same word is changed.
    """

    what: str
    files: dict[Path, str]

    def make(self) -> None:
        """Write the files."""
        for path, text in self.files.items():
            path.write_text(text, encoding="utf-8")


def edits(files: Iterable[Path]) -> Iterator[Edit]:
    """Yield edits: each line removed, each number increased, each quoted text changed, each name
    changed in the rules and in all files, and a word added."""
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    for path, text in texts.items():
        lines = text.split("\n")
        for at, line in enumerate(lines):

            def put(
                other: list[str],
                what: str,
                path: Path = path,
                lines: list[str] = lines,
                at: int = at,
            ) -> Edit:
                return Edit(
                    f"{path.name}:{at + 1}: {what}",
                    {path: "\n".join([*lines[:at], *other, *lines[at + 1 :]])},
                )

            if not line.strip() or line.lstrip().startswith("#"):
                continue
            yield put([], f"without {line.strip()!r}")
            yield (
                put([line + "  # a word more"], "a comment")
                if path.suffix != ".csv"
                else put([line + " "], "a blank")
            )
            for found in re.finditer(r"\d+", line):
                yield put(
                    [line[: found.start()] + str(int(found[0]) + 1) + line[found.end() :]],
                    f"{found[0]} is one more",
                )
            for found in re.finditer(r'"([^"]+)"', line):
                yield put(
                    [line[: found.start(1)] + found[1] + " indeed" + line[found.end(1) :]],
                    f"{found[1]!r} is another text",
                )
            if path.suffix == ".yaml" and (
                value := re.search(r":\s+([A-Za-z][^\n#{}\[\]]*)$", line)
            ):
                yield put(
                    [line[: value.start(1)] + value[1] + " indeed"],
                    f"{value[1]!r} is another value",
                )
    names = sorted(
        {
            word
            for path, text in texts.items()
            if path.suffix == ".rules"
            for word in _WORDS.findall(text)
        }
    )
    for name in names:
        changed = {
            path: re.sub(rf"(?<![\w.]){name}(?!\w)", name + "_x", text)
            for path, text in texts.items()
        }
        yield Edit(
            f"{name} is called {name}_x everywhere",
            {path: text for path, text in changed.items() if text != texts[path]},
        )
        alone = {
            path: text
            for path, text in changed.items()
            if path.suffix == ".rules" and text != texts[path]
        }
        yield Edit(f"{name} is called {name}_x in the rules", alone)
    values = sorted(
        {
            word
            for path, text in texts.items()
            if path.suffix != ".rules"
            for word in _WORDS.findall(text)
        }
        - set(names)
    )
    for name in values:
        changed = {path: re.sub(rf"\b{name}\b", name + "_x", text) for path, text in texts.items()}
        yield Edit(
            f"{name} of the data is called {name}_x",
            {path: text for path, text in changed.items() if text != texts[path]},
        )
