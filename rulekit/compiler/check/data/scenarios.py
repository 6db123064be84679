"""Binds scenarios, rulings and texts to the model: to its cells, members and late-bound
constants.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Sink, among, guess, likeness
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.i18n.message_format import case_words, is_sound
from rulekit.common.i18n.message_format import names as gap_names
from rulekit.compiler import model as m
from rulekit.compiler.check.data.labels import places_of
from rulekit.compiler.check.data.texts import can_be, fillable, typed
from rulekit.compiler.check.data.values import assignments, missing_value
from rulekit.compiler.semantics.values import offset
from rulekit.compiler.source.game_source import Datum, GameSource, RulingData, ScenarioData

_MAX_SHOWN_TEXTS = 5  # missing texts that a message names
STANDARD = "standard"  # the name of the only scenario of a game that has no scenario files


@define
class Scenario:
    """The beginning of a game.

    Attributes:
        cells: (cell, keys, value) in the order as written, `set` first.
        late: late-bound constants by name. The value is one number, or a list in row-major order
            over the keys.
        rulings: the alternatives that it chooses.
    """

    name: str
    title: str = ""
    ref: tuple[str, ...] = ()
    cells: list[tuple[m.Cell, tuple[int, ...], int]] = field(factory=list)
    late: dict[str, int | list[int]] = field(factory=dict)
    rulings: dict[str, str] = field(factory=dict)


def bind_scenarios(
    model: m.Model, source: GameSource, sink: Sink, optional: Collection[m.Fixed | m.Cell] = ()
) -> dict[str, Scenario]:
    """Return the scenarios by name.

    A game without scenarios gets one with the name `standard`, which keeps all declared values.

    Args:
        optional: the constants and cells whose type is an optional number.
    """
    written = source.scenarios or [
        ScenarioData(STANDARD, str(source.manifest.get("title", source.name)))
    ]
    return {data.name: _Binder(model, source, sink, optional, data).bind() for data in written}


@define(eq=False)
class _Binder:
    model: m.Model
    source: GameSource
    sink: Sink
    optional: Collection[m.Fixed | m.Cell]
    data: ScenarioData
    cells: dict[tuple[m.Cell, tuple[int, ...]], tuple[int, Span]] = field(factory=dict)
    late: dict[m.Fixed, dict[tuple[int, ...], int]] = field(factory=dict)

    def bind(self) -> Scenario:
        for path, datum in self.data.set.items():
            self._set(path, datum)
        deployed: dict[str, Span] = {}
        for piece, values in self.data.deploy:
            self._deploy(piece, values, deployed)
        rulings = {name: str(datum.value) for name, datum in self.data.rulings.items()}
        made = [(cell, keys, value) for (cell, keys), (value, _) in self.cells.items()]
        return Scenario(self.data.name, self.data.title, self.data.ref, made, self._late(), rulings)

    def _targets(self) -> Iterator[m.Cell | m.Fixed]:
        rulings = {ruling.fixed for ruling in self.model.rulings}
        yield from (cell for cell in self.model.cells if not cell.hidden)
        yield from (
            fixed for fixed in self.model.fixed if not fixed.synthetic and fixed not in rulings
        )

    def _set(self, path: str, datum: Datum) -> None:
        name, _, rest = path.partition(".")
        span = datum.key_span if datum.key_span is not NOWHERE else datum.span
        found = [one for one in self._targets() if one.name == name]
        if not found:
            known = {one.name for one in self._targets() if isinstance(one, m.Cell) or one.late}
            self.sink.error(
                "RK660",
                span,
                f"the rules declare no state '{name}'",
                guess(name, known) or "declare it with `state` or `fixed`",
            )
            return
        tries: list[tuple[m.Cell | m.Fixed, list[tuple[tuple[int, ...], int]], Sink]] = []
        for one in found:
            quiet = Sink()
            values = assignments(
                one.keys, one.type, rest, datum, quiet, f"'{path}'", one in self.optional
            )
            tries.append((one, values, quiet))
        one, values, said = next((found for found in tries if not found[2].errors), tries[0])
        for diagnostic in said.found:
            self.sink.add(diagnostic)
        if isinstance(one, m.Fixed) and not one.late:
            self.sink.error(
                "RK661",
                span,
                f"'{name}' is fixed in the data and cannot differ between scenarios",
                "write it in data.yaml, or declare it as `state`",
            )
            return
        for keys, value in values:
            if isinstance(one, m.Fixed):
                self.late.setdefault(one, {})[keys] = value
            else:
                self._cell(one, keys, value, span)

    def _cell(self, cell: m.Cell, keys: tuple[int, ...], value: int, span: Span) -> None:
        before = self.cells.get((cell, keys))
        if before is not None:
            self.sink.error(
                "RK664",
                span,
                f"'{cell.name}' is given twice in scenario '{self.data.name}'",
                "remove one of the two",
                second=before[1],
                second_label="the first one is here",
            )
            return
        self.cells[cell, keys] = (value, span)

    def _deploy(self, piece: Datum, values: Mapping[str, Datum], deployed: dict[str, Span]) -> None:
        placed = {
            data.kind: data.place_cell for data in self.source.kinds if data.place_cell is not None
        }
        kinds = [kind for kind in self.model.kinds.values() if kind.name in placed]
        name = str(piece.value)
        kind = next((kind for kind in kinds if name in kind.members), None)
        if kind is None:
            self.sink.error(
                "RK633",
                piece.span,
                f"there is no piece '{name}'",
                guess(name, [n for kind in kinds for n in kind.members])
                or "pieces are the members of the sections with `place:`",
            )
            return
        if name in deployed:
            self.sink.error(
                "RK605",
                piece.span,
                f"'{name}' is deployed twice",
                "a piece can be in one place only; remove one of the two",
                second=deployed[name],
                second_label="deployed here already",
            )
            return
        deployed[name] = piece.span
        ordinal = kind.members.index(name)
        for attribute, datum in values.items():
            written = attribute or placed[kind.name] or ""
            self._deployed(kind, ordinal, written, datum, piece)

    def _deployed(
        self, kind: m.Kind, ordinal: int, attribute: str, datum: Datum, piece: Datum
    ) -> None:
        cell = kind.cells.get(attribute)
        if cell is None:
            span = datum.key_span if datum.key_span is not NOWHERE else piece.span
            is_fixed = f"'{attribute}' is fixed: write it in the data of the piece"
            why = is_fixed if attribute in kind.fixed else guess(attribute, kind.cells)
            self.sink.error(
                "RK663",
                span,
                f"a {kind.name} has no state attribute '{attribute}'",
                why or f"its state attributes are {', '.join(kind.cells) or 'none'}",
            )
            return
        what = f"'{attribute}' of '{kind.members[ordinal]}'"
        for keys, value in assignments(
            cell.keys[1:], cell.type, "", datum, self.sink, what, cell in self.optional
        ):
            self._cell(cell, (ordinal, *keys), value, piece.span)

    def _late(self) -> dict[str, int | list[int]]:
        """Return the late-bound constants of this scenario: the values that it sets, or else their
        defaults. It is an error if there is neither.
        """
        made: dict[str, int | list[int]] = {}
        rulings = {ruling.fixed for ruling in self.model.rulings}
        for fixed in (one for one in self.model.fixed if one.late and one not in rulings):
            size = 1
            for key in fixed.keys:
                size *= key.size
            number = isinstance(fixed.type, m.Int) and fixed not in self.optional
            default = None if number else missing_value(fixed.type, fixed in self.optional)
            values: list[int | None] = (
                list(fixed.values) if len(fixed.values) == size else [default] * size
            )
            for keys, value in self.late.get(fixed, {}).items():
                place = offset(fixed.keys, keys)
                if place is not None:
                    values[place] = value
            known = [value for value in values if value is not None]
            if len(known) < size:
                if self.source.scenarios:
                    self.sink.error(
                        "RK662",
                        self.data.span if self.data.span is not NOWHERE else fixed.span,
                        f"scenario '{self.data.name}' does not set '{fixed.name}'"
                        + (" for all its keys" if known else ""),
                        f"add it under `set`: {fixed.name}: ...; or give one value for all"
                        " scenarios in data.yaml under `fixed`",
                    )
                else:
                    self.sink.error(
                        "RK662",
                        fixed.span,
                        f"'{fixed.name}' has no value, and no scenario sets it",
                        "write scenarios/NAME.yaml with it under `set`, or give it in data.yaml"
                        " under `fixed`",
                    )
                known = [0] * size
            made[fixed.name] = known if fixed.keys else known[0]
        return made


# ------------------------------------------------------------------------------------------------ r
def bind_rulings(source: GameSource, kinds: dict[str, m.Kind], sink: Sink) -> list[m.Ruling]:
    """Create, for each ruling with alternatives, a kind of the alternatives and a late-bound
    constant.

    The kind is called `Ruling_<id>`, and the constant has the id as its name.
    """
    made: list[m.Ruling] = []
    for data in source.rulings:
        if not data.alternatives:
            continue
        names = list(data.alternatives)
        kind = m.Kind(
            m.own_name(f"Ruling_{data.id}", kinds),
            names,
            dict(data.alternatives),
            own=True,
            span=data.span,
        )
        if any(ruling.name == data.id for ruling in made):
            sink.error(
                "RK607",
                data.span,
                f"ruling '{data.id}' is defined twice",
                "rename one of the two, or remove it",
            )
            continue
        kinds[kind.name] = kind
        default = data.default if data.default in names else names[0]
        if data.default not in names:
            sink.error(
                "RK608",
                data.span,
                f"'{data.default}' is not an alternative of ruling '{data.id}'",
                guess(data.default, names) or f"expected one of {', '.join(names)}",
            )
        fixed = m.Fixed(
            data.id,
            [],
            m.MemberOf(kind),
            [names.index(default)],
            late=True,
            ref=data.ref,
            span=data.span,
        )
        made.append(m.Ruling(data.id, fixed, names, default, _facts(data)))
    return made


def _facts(data: RulingData) -> dict[str, object]:
    return {
        "question": data.question,
        "reason": data.reason,
        "ref": list(data.ref),
        "inventory": list(data.inventory),
        "alternatives": dict(data.alternatives),
    }


def edition_rulings(
    edition: str, source: GameSource, rulings: list[m.Ruling], sink: Sink
) -> dict[str, str]:
    """Return the alternatives of all rulings in an edition: its own choices, or else the
    defaults.
    """
    chosen = {ruling.name: ruling.default for ruling in rulings}
    if edition and edition not in source.editions:
        sink.error(
            "RK608",
            NOWHERE,
            f"there is no edition '{edition}'",
            among(
                edition,
                source.editions,
                "declare it in game.yaml under `editions`, or remove it",
            ),
        )
    for name, alternative in source.editions.get(edition, {}).items():
        ruling = next((one for one in rulings if one.name == name), None)
        if ruling is not None and alternative in ruling.alternatives:
            chosen[name] = alternative
        else:
            wanted = ruling.alternatives if ruling is not None else list(chosen)
            sink.error(
                "RK608",
                NOWHERE,
                f"edition '{edition}' chooses '{alternative}' for '{name}', which is not a ruling"
                " with that alternative",
                among(alternative if ruling is not None else name, wanted),
            )
    return chosen


# ------------------------------------------------------------------------------------------------ t
def bind_texts(source: GameSource) -> dict[str, dict[str, str]]:
    """Return the texts: language -> key -> text."""
    return {
        language: {key: str(datum.value) for key, datum in texts.items()}
        for language, texts in source.texts.items()
    }


def check_texts(
    model: m.Model,
    source: GameSource,
    needed: Mapping[str, str],
    sink: Sink,
    also: Collection[str] = (),
) -> None:
    """Warn of missing texts, unused texts, and placeholders that nothing fills, in each language of
    the game.

    In the source language (the manifest's `source_language`, or else en) only the words of the
    drawing must be given. For all others, ids and the texts of the rules are shown.

    Args:
        needed: key -> text in the source language, or an empty text.
        also: further keys that may have a text.
    """
    filled, types = fillable(model), typed(model)
    _check_written(model, source, needed, filled, types, sink)
    home = str(source.manifest.get("source_language", "en"))
    for language in dict.fromkeys((*source.texts, home)):
        texts = source.texts.get(language, {})
        missing = [
            key
            for key in needed
            if key not in texts and (language != home or key.startswith("drawing."))
        ]
        unused = [
            key
            for key in texts
            if key not in needed and key not in also and key not in source.shared_texts
        ]
        meant = _misspelt(unused, missing)
        _check_missing(
            model, source, language, [key for key in missing if key not in meant.values()], sink
        )
        for key, datum in texts.items():
            if key in unused:
                lacks = f", and '{meant[key]}' has no text" if key in meant else ""
                sink.warn(
                    "RK671",
                    datum.key_span if datum.key_span is not NOWHERE else datum.span,
                    f"the text key '{key}' belongs to nothing in the game{lacks}",
                    (
                        f"did you mean '{meant[key]}'?"
                        if key in meant
                        else guess(key, [*needed, *also]) or "remove the line"
                    ),
                )
            _check_gaps(key, str(datum.value), datum.span, filled, sink)
            _check_cases(
                key,
                str(datum.value),
                datum.span,
                types.get(key, {}) if key not in source.shared_texts else {},
                sink,
            )


def _check_written(
    model: m.Model,
    source: GameSource,
    needed: Mapping[str, str],
    filled: Mapping[str, set[str]],
    types: Mapping[str, Mapping[str, m.Type]],
    sink: Sink,
) -> None:
    """Check placeholders and cases of the texts in the rules of the game itself, unless a file
    replaces them.
    """
    own_texts = source.texts.get(str(source.manifest.get("source_language", "en")), {})
    texts = {
        key: text
        for key, text in needed.items()
        if ("{" in text or "}" in text) and key not in own_texts
    }
    places = places_of(model, source) if texts else {}
    own = {
        each.path for each in source.rules if each.layer == max(text.layer for text in source.rules)
    }
    for key, text in texts.items():
        if (place := places.get(key, NOWHERE)).file in own:
            _check_gaps(key, text, place, filled, sink)
            _check_cases(key, text, place, types.get(key, {}), sink)


def _check_gaps(
    key: str, text: str, place: Span, filled: Mapping[str, set[str]], sink: Sink
) -> None:
    """Warn of braces that are not placeholders, and of placeholders that nothing fills.

    Args:
        filled: the names that can fill the placeholders of each text.
    """
    if not is_sound(text):
        sink.warn(
            "RK672",
            place,
            f"a brace in the text '{key}' is not part of a placeholder",
            "write {name}, {name:+} or {name|case: text|*: text}",
        )
    for name in gap_names(text):
        if name not in filled.get(key, (name,)):
            known = ", ".join(sorted(filled[key])) or "none"
            sink.warn(
                "RK672",
                place,
                f"{{{name}}} is not available in the text '{key}'",
                guess(name, filled[key]) or f"available: {known}",
            )


def _check_missing(
    model: m.Model, source: GameSource, language: str, missing: list[str], sink: Sink
) -> None:
    """Report all keys without a text in a language in one finding, at the first thing that lacks
    one.
    """
    if not missing:
        return
    texts = source.texts.get(language, {})
    file = next(
        (datum.key_span for key, datum in texts.items() if key not in source.shared_texts), NOWHERE
    )
    places = places_of(model, source)
    span = next(
        (place for key in missing if (place := places.get(key, NOWHERE)) is not NOWHERE), file
    )
    shown = ", ".join(missing[:_MAX_SHOWN_TEXTS]) + (
        f" and {len(missing) - _MAX_SHOWN_TEXTS} more" if len(missing) > _MAX_SHOWN_TEXTS else ""
    )
    sink.warn(
        "RK670",
        span,
        f"{model.name} has no text in '{language}' for {shown}",
        f"add them to texts/{language}.yaml",
        second=file if file is not NOWHERE and file is not span else None,
        second_label="the file that lacks them",
    )


def _misspelt(unused: Collection[str], missing: Collection[str]) -> dict[str, str]:
    """Return unused keys, each with a similar key that has no text."""
    found: dict[str, str] = {}
    for key in unused:
        alike, other = max(
            (
                (_alike(key.split("."), other.split(".")), other)
                for other in missing
                if other not in found.values()
            ),
            default=(0.0, ""),
        )
        if alike:
            found[key] = other
    return found


def _alike(words: list[str], others: list[str]) -> float:
    """Return the similarity of two keys.

    They are similar if one word is misspelt, if the number or the first word differs, or if one
    word is left out. Otherwise the result is 0.
    """
    if len(words) != len(others):
        short, long = sorted((words, others), key=len)
        return (
            0.5
            if len(short) > 1
            and len(long) == len(short) + 1
            and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
            else 0.0
        )
    apart = [at for at, (one, two) in enumerate(zip(words, others, strict=True)) if one != two]
    if len(apart) != 1:
        return 0.0
    one, two = words[apart[0]], others[apart[0]]
    is_slip = (apart == [0] and len(words) > 1) or (one.isdecimal() and two.isdecimal())
    return likeness(one, two) or (0.5 if is_slip else 0.0)


def _check_cases(key: str, text: str, place: Span, types: Mapping[str, m.Type], sink: Sink) -> None:
    """Warn of duplicate cases in a text, and of cases that can never apply to a parameter.

    Args:
        types: the types of the parameters.
    """
    for name, mark, words in case_words(text):
        for at, word in enumerate(words):
            if word in words[:at]:
                sink.warn(
                    "RK672",
                    place,
                    f"the case '{word}' of {{{name}}} is written twice in the text '{key}'",
                    "only one of them is ever used: remove the other",
                )
            elif name in types and not mark and not can_be(word, types[name]):
                sink.warn(
                    "RK672",
                    place,
                    f"{{{name}}} is never '{word}' in the text '{key}'",
                    "a case is a number in its range, the id of a member, yes or no, none, the size"
                    " of a set, or *",
                )
