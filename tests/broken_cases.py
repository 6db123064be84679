"""Cases of tests/broken/data: a game with one fault, as one file of named parts.

A case begins with YAML. `fault` describes it, `base` is a folder of tests/broken/bases, and
`without` lists files of the base to leave out. `make` lists files that are not plain text: bytes,
links, repetitions. `expect` lists the findings. Then each file of the game that is new or differs
from the base follows below a line `-- PATH --`.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import yaml

BROKEN = Path(__file__).resolve().parent / "broken"
CASES = sorted((BROKEN / "data").iterdir())
PART = re.compile(r"^-- (.+) --\n", re.MULTILINE)


def case_file(name: str) -> Path:
    """Return the file of a case, by its name."""
    return BROKEN / "data" / f"{name}.txt"


def _write(path: Path, spec: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if "link" in spec:
        path.symlink_to(spec["link"])
    elif "hex" in spec:
        path.write_bytes(bytes.fromhex(spec["hex"]))
    else:
        text = spec["text"] + spec.get("repeat", "") * spec.get("times", 0)
        path.write_bytes(text.encode())


def unpack(case: Path, folder: Path) -> dict[str, Any]:
    """Write the game of a case to a new folder and return the YAML head of the case."""
    head, *parts = PART.split(case.read_text(encoding="utf-8"))
    spec: dict[str, Any] = yaml.safe_load(head)
    if "base" in spec:
        shutil.copytree(BROKEN / "bases" / spec["base"], folder)
    else:
        folder.mkdir(parents=True)
    for path in spec.get("without", []):
        (folder / path).unlink()
        if not any((folder / path).parent.iterdir()):
            (folder / path).parent.rmdir()
    for path, text in zip(parts[::2], parts[1::2], strict=True):
        _write(folder / path, {"text": text})
    for path, made in spec.get("make", {}).items():
        _write(folder / path, made)
    return spec
