"""Readers of the documents for fixed values, scenarios, rulings, texts and coverage. Each adds its
part to a `GameSource`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import (
    Datum,
    GameSource,
    KindData,
    RulingData,
    ScenarioData,
)
from rulekit.compiler.source.map_and_pieces import as_refs, entries, items, text
from rulekit.compiler.source.provenance import (
    read_provenance,
    read_provenances,
    report_missing,
    vet_sources,
)


def read_fixed(doc: Datum, source: GameSource, sink: Sink) -> None:
    """Read data.yaml: the values of fixed declarations, and the provenance of tables."""
    top = entries(doc)
    origin = read_provenance(top.get("source"))
    single, given = read_provenances(top.get("sources")), set[str]()
    for name, value in entries(top.get("fixed")).items():
        bare = False
        for key, datum in flat(name, value):
            named = list(prefixes(key))
            given.update(named)
            mine = next((single[each] for each in named if each in single), origin)
            source.fixed[key] = datum
            if mine is not None:
                source.fixed_sources[key] = mine
            bare = bare or mine is None
        if bare:
            report_missing(f"the value of '{name}'", value.key_span, sink)
    vet_sources(top.get("sources"), given, "a value", sink)
    source.table_sources |= read_provenances(top.get("tables"))
    source.table_places |= {
        name: said.key_span for name, said in entries(top.get("tables")).items()
    }


def prefixes(key: str) -> Iterator[str]:
    """Yield a dotted key and its prefixes: `points.red.first`, `points.red`, `points`."""
    while key:
        yield key
        key = key.rpartition(".")[0]


def flat(name: str, value: Datum) -> list[tuple[str, Datum]]:
    """Return nested mappings with dotted keys: `points: {red: 3}` as `points.red: 3`."""
    if not isinstance(value.value, dict):
        return [(name, value)]
    return [pair for key, inner in value.value.items() for pair in flat(f"{name}.{key}", inner)]


def read_scenario(doc: Datum, path: Path, sink: Sink) -> ScenarioData:
    """Read a file of scenarios/.

    Its deployment is resolved by `place_pieces` when all pieces are known.
    """
    top = entries(doc)
    name = text(top.get("name")) or path.stem
    scenario = ScenarioData(
        name,
        text(top.get("title")) or "",
        as_refs(top.get("ref")),
        span=top["set"].key_span if "set" in top else doc.span,
    )
    for key, value in entries(top.get("set")).items():
        for flat_key, datum in flat(key, value):
            if flat_key in scenario.set:
                sink.error(
                    "RK603",
                    datum.key_span,
                    f"'{flat_key}' is set twice",
                    "remove one of the two",
                    second=scenario.set[flat_key].key_span,
                    second_label="the first one is here",
                )
            scenario.set[flat_key] = datum
    scenario.rulings = dict(entries(top.get("rulings")))
    scenario.deploy = [
        (piece, {"": place, **state}) for place, piece, state in _deployed(top.get("deploy"))
    ]
    return scenario


def _deployed(datum: Datum | None) -> list[tuple[Datum, Datum, dict[str, Datum]]]:
    """Return (place, piece, state) for each piece of `deploy: {P: [a, {b: {reduced: true}}]}`."""
    found: list[tuple[Datum, Datum, dict[str, Datum]]] = []
    for place, listed in entries(datum).items():
        where = Datum(place, listed.key_span)
        for item in items(listed) or [listed]:
            if isinstance(item.value, dict):
                found += [
                    (where, Datum(name, state.key_span), entries(state))
                    for name, state in item.value.items()
                ]
            elif isinstance(item.value, str):
                found.append((where, item, {}))
    return found


def place_pieces(scenario: ScenarioData, kinds: list[KindData], sink: Sink) -> None:
    """Resolve each deployed piece to its full id, and store its place under the state attribute of
    its kind.
    """
    pieces = {m.id: k for k in kinds for m in k.members if k.place_cell is not None}
    others = {m.id: k for k in kinds for m in k.members if k.place_cell is None}
    short: dict[str, list[str]] = {}
    for full in pieces:
        short.setdefault(full.rpartition(".")[2], []).append(full)
    deploy: list[tuple[Datum, dict[str, Datum]]] = []
    seen: dict[str, Span] = {}
    for piece, state in scenario.deploy:
        name = (
            piece.value if piece.value in pieces else _full_name(piece, short, others, pieces, sink)
        )
        if name is None:
            continue
        if name in seen:
            sink.error(
                "RK605",
                piece.span,
                f"'{name}' is deployed twice",
                "a piece can be in one place only; remove one of the two",
                second=seen[name],
                second_label="deployed here already",
            )
            continue
        seen[name] = piece.span
        cell = pieces[name].place_cell or ""
        values = {cell: state[""]} | {k: v for k, v in state.items() if k}
        deploy.append((evolve(piece, value=name), values))
    scenario.deploy = deploy


def _full_name(
    piece: Datum,
    short: dict[str, list[str]],
    others: dict[str, KindData],
    pieces: dict[str, KindData],
    sink: Sink,
) -> str | None:
    named = short.get(piece.value, [])
    if len(named) == 1:
        return named[0]
    if named:
        sink.error(
            "RK604",
            piece.span,
            f"'{piece.value}' may be any of {', '.join(named)}",
            "write the full name",
        )
    elif piece.value in others:
        kind = others[piece.value]
        sink.error(
            "RK606",
            piece.span,
            f"'{piece.value}' is a {kind.kind}, but its section does not name the attribute of its"
            " place",
            "write `place: <the state attribute>` in the section",
            second=kind.kind_span,
            second_label="this section",
        )
    else:
        sink.error(
            "RK604",
            piece.span,
            f"there is no piece '{piece.value}'",
            guess(piece.value, [*pieces, *short])
            or "pieces are the members of the sections with `place:`",
        )
    return None


def read_rulings(doc: Datum, source: GameSource, sink: Sink) -> None:
    """Read rulings.yaml. A ruling of the game replaces the ruling of a library with the same id."""
    mine: dict[str, RulingData] = {}
    for item in items(doc):
        top = entries(item)
        name = text(top.get("id"))
        if name is None:
            continue
        ruling = RulingData(
            name,
            text(top.get("question")) or "",
            as_refs(top.get("ref")),
            as_refs(top.get("inventory")),
            _alternatives(top.get("alternatives")),
            text(top.get("default")) or "",
            text(top.get("reason")) or "",
            top["id"].span,
            {name: value.key_span for name, value in entries(top.get("alternatives")).items()}
            | {str(one.value): one.span for one in items(top.get("alternatives"))},
        )
        if name in mine:
            sink.error(
                "RK607",
                ruling.span,
                f"ruling '{name}' is defined twice",
                "rename one of the two, or remove it",
                second=mine[name].span,
                second_label="the first one is here",
            )
            continue
        if ruling.alternatives and "default" in top and ruling.default not in ruling.alternatives:
            sink.error(
                "RK608",
                top["default"].span,
                f"'{ruling.default}' is not an alternative of ruling '{name}'",
                guess(ruling.default, ruling.alternatives) or _one_of(list(ruling.alternatives)),
            )
        mine[name] = ruling
    kept = [mine.pop(r.id, r) for r in source.rulings]
    source.rulings = kept + list(mine.values())


def _alternatives(datum: Datum | None) -> dict[str, str]:
    named = {name: text(value) or "" for name, value in entries(datum).items()}
    return named | {name: "" for d in items(datum) if (name := text(d)) is not None}


def check_choices(source: GameSource, chosen: dict[str, Datum], sink: Sink) -> None:
    """Check the rulings that a scenario or an edition chooses. Each must be known, and so must its
    alternative.
    """
    known = {r.id: r for r in source.rulings if r.alternatives}
    for name, value in chosen.items():
        if name not in known:
            on_record = any(r.id == name for r in source.rulings)
            sink.error(
                "RK608",
                value.key_span,
                (
                    f"ruling '{name}' has no alternatives"
                    if on_record
                    else f"there is no ruling '{name}'"
                ),
                guess(name, known) or "rulings with alternatives are declared in rulings.yaml",
            )
        elif text(value) not in known[name].alternatives:
            sink.error(
                "RK608",
                value.span,
                f"'{text(value)}' is not an alternative of ruling '{name}'",
                guess(text(value) or "", known[name].alternatives)
                or _one_of(list(known[name].alternatives)),
            )


def _one_of(names: list[str]) -> str:
    return f"expected one of {', '.join(names)}"


def read_texts(doc: Datum, language: str, source: GameSource) -> None:
    """Read texts/<language>.yaml. Later files replace earlier ones, key by key."""
    known = source.texts.setdefault(language, {})
    for key, value in entries(doc).items():
        words = text(value)
        if words is not None:
            known[key] = evolve(value, value=words)


def read_coverage(doc: Datum, source: GameSource) -> None:
    """Read coverage.yaml: the ids of the inventory."""
    for name, value in entries(entries(doc).get("ids")).items():
        top = entries(value)
        source.coverage_ids[name] = {"ref": text(top.get("ref")), "reason": text(top.get("reason"))}
        if "reason" in top:
            source.excused[name] = top["reason"].key_span
