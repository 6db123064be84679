"""Print the results of a sweep as tables for docs/balance.md, and write the first pictures of its
report next to that page: `python benchmarks/balance/pictures.py FOLDER REPORT.html NAME`."""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode
from pathlib import Path

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
KINDS = ("wins", "score")  # the first two pictures of a report


def main(folder: str, report: str, name: str) -> None:
    """Print the tables and write the pictures."""
    runs = json.loads((Path(folder) / "results.json").read_text(encoding="utf-8"))["runs"]
    print(
        "| scenario | winner | level | games | share | 95 % interval |\n| --- | --- | --- | --- |"
        " --- | --- |"
    )
    for run in runs:
        for who, found in run["results"]["by_winner"].items():
            winner, _, level = who.partition(" ")
            shares = (
                f"{100 * found['share']:.2f} % | {100 * found['low']:.2f} .."
                f" {100 * found['high']:.2f}"
            )
            print(f"| {run['scenario']} | {winner} | {level} | {found['count']:,} | {shares} |")
    print(
        "\n| scenario | games | failed | decisions: least, median, most | turns |\n| --- | --- |"
        " --- | --- | --- |"
    )
    for run in runs:
        length, turns = run["length"], run["turns"]
        print(
            f"| {run['scenario']} | {run['games']:,} | {run['failed']} | {length['min']},"
            f" {length['median']}, {length['max']} | {turns.get('min', '')} to"
            f" {turns.get('max', '')} |"
        )
    drawn = re.findall(
        r'<img src="data:image/svg\+xml;base64,([^"]+)"', Path(report).read_text(encoding="utf-8")
    )
    for kind, data in zip(KINDS, drawn, strict=False):
        (PICTURES / f"balance_{name}_{kind}.svg").write_bytes(b64decode(data))


if __name__ == "__main__":
    main(*sys.argv[1:])
