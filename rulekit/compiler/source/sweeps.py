"""Reader of sweep files, which list the games to play. Each value has its place."""

from __future__ import annotations

from pathlib import Path

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.map_and_pieces import entries, items, text
from rulekit.compiler.source.schema_validation import validate
from rulekit.compiler.source.text_file import read_text, shown_path
from rulekit.compiler.source.yaml_reader import parse_yaml

SAMPLE = 20


@define
class SweepSetting:
    """One item of `rulings`. An empty one stands for the scenario's own rulings."""

    edition: Datum | None = None
    choose: dict[str, Datum] = field(factory=dict)
    each: list[Datum] = field(factory=list)


@define
class Sweep:
    """A sweep as written.

    Attributes:
        seats: for each item the seats by side, with '' for all sides.
        overlays: for each item the files.
    """

    path: Path
    game: Datum
    games: Datum
    title: str = ""
    seed: int = 0
    sample: int = SAMPLE
    scenarios: list[Datum] = field(factory=list)
    all_scenarios: bool = False
    rulings: list[SweepSetting] = field(factory=list)
    seats: list[dict[str, Datum]] = field(factory=list)
    overlays: list[list[Datum]] = field(factory=list)


def read_sweep(path: Path, sink: Sink) -> Sweep | None:
    """Return the sweep of a file, or None after diagnostics."""
    words = read_text(path, sink, path.parent)
    if words is None:
        return None
    doc = parse_yaml(words, shown_path(path), sink)
    if doc is None or not validate(doc, "sweep", sink) or sink.errors:
        return None
    top = entries(doc)
    scenarios = top.get("scenarios")
    everything = scenarios is not None and scenarios.value == "all"
    named = (
        []
        if scenarios is None or everything
        else [scenarios]
        if isinstance(scenarios.value, str)
        else items(scenarios)
    )
    return Sweep(
        path,
        top["game"],
        top["games"],
        text(top.get("title")) or "",
        _number(top.get("seed"), 0),
        _number(top.get("sample"), SAMPLE),
        named,
        everything,
        [_setting(item) for item in items(top.get("rulings"))] or [SweepSetting()],
        [dict(entries(item)) or {"": item} for item in items(top.get("seats"))],
        [
            items(item) if isinstance(item.value, list) else [item]
            for item in items(top.get("overlays"))
        ]
        or [[]],
    )


def _number(datum: Datum | None, otherwise: int) -> int:
    return otherwise if datum is None else int(datum.plain())


def _setting(item: Datum) -> SweepSetting:
    body = entries(item)
    return SweepSetting(
        body.get("edition"), dict(entries(body.get("choose"))), items(body.get("each"))
    )
