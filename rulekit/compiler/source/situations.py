"""Reader of situations files: tests of the rules as data, with the place of each value."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Few, Sink, TooManyErrors
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler.source.documents import flat
from rulekit.compiler.source.folder_inventory import misplaced
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.map_and_pieces import as_refs, entries, items, text
from rulekit.compiler.source.schema_validation import validate
from rulekit.compiler.source.situation_rows import expanded
from rulekit.compiler.source.text_file import read_text, shown_path
from rulekit.compiler.source.yaml_reader import parse_yaml


@define
class SituationSetup:
    """Changes of the position before play.

    Attributes:
        place: by piece id, the values of its state. The place of the piece has the key "".
        set: values by dotted key.
        put: by pool, the ids of the things that lie in it.
    """

    clear: list[Datum] = field(factory=list)
    place: dict[str, dict[str, Datum]] = field(factory=dict)
    place_spans: dict[str, Span] = field(factory=dict)  # where each piece of `place` is named
    set: dict[str, Datum] = field(factory=dict)
    put: dict[str, list[Datum]] = field(factory=dict)
    put_spans: dict[str, Span] = field(factory=dict)
    phase: Datum | None = None
    player: Datum | None = None


@define
class SituationChoice:
    """One line of `do`: `red: march A`, or a choice alone for the player who is asked."""

    player: str | None
    choice: str
    span: Span = NOWHERE


@define
class Expectation:
    """One line of `then`.

    `total crt_column: -3` has the word `total`, the subject `crt_column` and the value -3. The
    subject is empty in `legal: [...]`. The value is None if nothing follows.
    """

    word: str
    subject: str
    value: Datum | None = None
    span: Span = NOWHERE


@define
class Situation:
    name: str
    ref: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    covered: list[Datum] = field(factory=list)  # the same ids, with their places
    scenario: str | None = None
    empty: bool = False
    rulings: dict[str, Datum] = field(factory=dict)
    seed: int | None = None
    given: SituationSetup = field(factory=SituationSetup)
    run: Datum | None = None  # `battle(P)`: a procedure that is run by itself
    within: dict[str, dict[str, Datum]] = field(
        factory=dict
    )  # an open procedure or phase -> its fields
    dice: list[Datum] | None = None
    do: list[SituationChoice] = field(factory=list)
    then: list[Expectation] = field(factory=list)
    span: Span = NOWHERE  # of its name
    spans: dict[str, Span] = field(factory=dict)  # of its keys, and of the contexts of `within`


def read_situations(
    path: Path, sink: Sink, within: Path, names: dict[str, Span] | None = None
) -> list[Situation]:
    """Return all situations of a file that lies in the folder `within`.

    Malformed ones are left out, after diagnostics.

    Args:
        names: the names of earlier situations with their places. Those of this file are added.
    """
    words = read_text(path, sink, within)
    if words is None:
        return []
    return parse_situations(words, shown_path(path), sink, names)


def parse_situations(
    words: str, path: str, sink: Sink, names: dict[str, Span] | None = None
) -> list[Situation]:
    """Return the situations of a text that is shown as `path`. For `names` see
    `read_situations`.
    """
    doc = parse_yaml(words, path, sink)
    if doc is None:
        return []
    if not isinstance(doc.value, list) and (help := misplaced(words, "situations")):
        sink.error(
            "RK122", Span(path, 1, 1), "the file must be a list of situations, not a mapping", help
        )
        return []
    before = len(sink.errors)
    validate(doc, "situations", sink)
    faults = {d.span.line for d in sink.errors[before:]}
    found: list[Situation] = []
    names = {} if names is None else names
    few = Few(sink.found)
    with suppress(TooManyErrors):
        for item in items(doc):
            top = entries(item)
            name = text(top.get("name"))
            sound = not any(item.span.line <= line <= item.span.end_line for line in faults)
            if name is None:
                continue
            if not sound:
                _named_once(name, top["name"].span, names, few)
                continue
            for more, entry in expanded(top, few):
                if _named_once(name + more, entry["name"].span, names, few):
                    found.append(_situation(name + more, entry))
    return found


def _named_once(name: str, span: Span, names: dict[str, Span], sink: Sink) -> bool:
    if name in names:
        sink.error(
            "RK611",
            span,
            f"two situations are named '{name}'",
            "rename one of them",
            second=names[name],
            second_label="the first one",
        )
        return False
    names[name] = span
    return True


def _situation(name: str, top: dict[str, Datum]) -> Situation:
    flag = top.get("empty")
    seed = top.get("seed")
    return Situation(
        name,
        as_refs(top.get("ref")),
        as_refs(top.get("covers")),
        _listed(top.get("covers")),
        text(top.get("scenario")),
        flag is not None and flag.value is True,
        dict(entries(top.get("rulings"))),
        seed.value if seed is not None else None,
        _given(entries(top.get("given"))),
        top.get("run"),
        {context: dict(entries(fields)) for context, fields in entries(top.get("within")).items()},
        items(top["dice"]) if "dice" in top else None,
        [_choice(step) for step in items(top.get("do"))],
        [e for line in items(top.get("then")) for e in _expectations(line)],
        top["name"].span,
        {key: value.key_span for key, value in (*entries(top.get("within")).items(), *top.items())},
    )


def _given(top: dict[str, Datum]) -> SituationSetup:
    placed = entries(top.get("place"))
    return SituationSetup(
        _listed(top.get("clear")),
        {piece: dict(entries(state)) or {"": state} for piece, state in placed.items()},
        {piece: state.key_span for piece, state in placed.items()},
        dict(
            pair
            for key, value in entries(top.get("set")).items()
            for pair in flat(key, value) or [(key, value)]
        ),
        {pool: _listed(things) for pool, things in entries(top.get("put")).items()},
        {pool: things.key_span for pool, things in entries(top.get("put")).items()},
        top.get("phase"),
        top.get("player"),
    )


def _listed(datum: Datum | None) -> list[Datum]:
    """Return the items of a list, or one value alone as a list."""
    if datum is None:
        return []
    return items(datum) if isinstance(datum.value, list) else [datum]


def _choice(step: Datum) -> SituationChoice:
    for player, choice in entries(step).items():
        return SituationChoice(player, str(choice.plain()), choice.key_span)
    return SituationChoice(None, text(step) or "", step.span)


def _expectations(line: Datum) -> list[Expectation]:
    """Read a line of `then`: a mapping of one or more expectations, or a text without a value."""
    if isinstance(line.value, str):
        return [_expectation(line.value, None, line.span)]
    return [_expectation(key, value, value.key_span) for key, value in entries(line).items()]


def _expectation(key: str, value: Datum | None, span: Span) -> Expectation:
    word, _, subject = key.strip().partition(" ")
    return Expectation(word, subject.strip(), value, span)
