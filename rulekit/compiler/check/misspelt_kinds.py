"""Merge the findings that follow from one misspelt declaration into a single finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from rulekit.common.diagnostics.diagnostic import Diagnostic, likeness
from rulekit.common.diagnostics.span import Span
from rulekit.compiler.source.game_source import GameSource, KindData, RulesText

_WORDS = (
    "kind|fixed|state|pool|define|total|permit|procedure|phase|event|moment|menu|movement|table|unit|field|slot|option|action|"
    "reaction|members|let|each|pick|roll"
)
_DECLARED = re.compile(rf"^([ ]*)({_WORDS}) +([A-Za-z_]\w*)([^\n#]*)", re.M)
_MEMBERS = re.compile(r"[=|] *([A-Za-z_]\w*)(?=[^|=\"']*(?:\||$))")
_UNITS = re.compile(r", *([A-Za-z_]\w*)")
_PARAMETERS = re.compile(r"[(,] *([A-Za-z_]\w*) *:")
_WITH_PARAMETERS = re.compile(
    "define|total|permit|procedure|phase|event|movement|table|action|option|reaction|slot"
)
_CARD = re.compile(r"^([A-Z]\w*) +([a-z_]\w*)(?= |$)", re.M)
_IN_WORDS = re.compile(r'"[^"\n]*"|#[^\n]*')  # texts and comments for people in the rules
_IN_DATA = re.compile(
    r"""\b(label|name|title|note|question|reason|hint): *"""
    r"""("[^"\n]*"|'[^'\n]*'|[^,}\n]*)|^\s*#[^\n]*""",
    re.M,
)
_QUOTED = re.compile(r"'([\w.]+)(?:\(\.\.\.\))?'")
# The codes for unknown names in rules, data, situations and the drawing.
_UNKNOWN = (
    "RK301",
    "RK311",
    "RK604",
    "RK613",
    "RK630",
    "RK631",
    "RK633",
    "RK693",
)
_NO_TEXT, _IN_SITUATIONS = "RK671", "RK613"
_OWN_FILES = (".rules", ".yaml", ".csv")
_TRIALS = 6  # names that are tried, each with another check of the game
# The maximal number of pairs of an unknown name and a declaration. Beyond it, no findings are
# merged.
_MAX_PAIRS = 100_000


@frozen
class Declared:
    """A name at its declaration.

    Attributes:
        what: the word for the declared thing.
        local: True if only the surrounding declaration can see the name.
    """

    name: str
    what: str
    span: Span
    local: bool = False


def misspelt(
    found: list[Diagnostic],
    source: GameSource,
    again: Callable[[GameSource], list[Diagnostic]],
    apart: Iterable[Diagnostic] = (),
) -> list[Diagnostic]:
    """Return the findings, with those that follow from a misspelt declaration replaced by one.

    A declaration is taken for misspelt if all findings about an unknown name disappear once the
    declaration gets that name.

    Args:
        again: checks a changed source and returns its findings.
        apart: findings that `again` does not produce. Those that name the declaration are dropped
            too.
    """
    apart, made = [*apart], list[Diagnostic]()
    for reported, name, one in _suspects([*found, *apart], source):
        if not {*reported} <= {*found, *apart}:
            continue
        left = {_key(each) for each in again(_renamed(source, one, name))}
        gone = {each for each in found if _key(each) not in left} | {
            each for each in apart if _names(each, {name, one.name})
        }
        if not {*reported} <= gone:
            continue
        if len({each.span for each in reported}) > 1:
            made.append(_one(reported, name, one))
        else:
            gone -= {*reported}
        found, apart = ([each for each in some if each not in gone] for some in (found, apart))
    return [*apart, *found, *made]


def _one(reported: list[Diagnostic], name: str, one: Declared) -> Diagnostic:
    """Return the finding that replaces several findings about an unknown name.

    It is reported at the declaration, or at the first situation if only situations use the name.
    """
    places = len({each.span for each in reported})
    if all(each.code == _IN_SITUATIONS for each in reported):
        return evolve(
            reported[0],
            second=one.span,
            second_label=f"no other line uses this {one.what}",
            help=(
                f"did you mean '{one.name}'? {places} places use the name '{name}': correct them, "
                "or rename the declaration"
            ),
        )
    error = any(each.level == "error" for each in reported)
    message = (
        f"no other line uses this {one.what}, but {places} places use the unknown name '{name}'"
    )
    return Diagnostic(
        "RK301" if error else _NO_TEXT,
        message,
        one.span,
        f"rename it to '{name}' here, or correct the other places",
        level="error" if error else "warning",
    )


def _suspects(
    found: list[Diagnostic], source: GameSource
) -> Iterator[tuple[list[Diagnostic], str, Declared]]:
    """Yield unknown names, each with its findings and a declaration that may be meant.

    Such a declaration has a similar name, and no other line uses it. The most similar pairs come
    first, at most `_TRIALS` of them.
    """
    places: dict[str, list[Diagnostic]] = {}
    for each in found:
        for name in _unknown(each):
            places.setdefault(name, []).append(each)
    if not places:
        return
    declared = [*_all(source)]
    if len(places) * len(declared) > _MAX_PAIRS:
        return
    names = {one.name for one in declared if not one.local}
    lines = _Lines(source)
    by_likeness = sorted(
        (
            (likeness(one.name, name), len(reported), name, one)
            for name, reported in places.items()
            if name not in names
            for one in declared
            if one.name != name
            and one.name.count(".") == name.count(".")
            and likeness(one.name, name)
        ),
        key=lambda each: each[:2],
        reverse=True,
    )
    alone = ((name, one) for _, _, name, one in by_likeness if not lines.others(one))
    for name, one in islice(alone, _TRIALS):
        yield places[name], name, one


def _unknown(each: Diagnostic) -> set[str]:
    """Return the names that a finding reports as unknown."""
    quoted = _QUOTED.search(each.message)
    if quoted is None or each.code not in (*_UNKNOWN, _NO_TEXT):
        return set()
    if each.code != _NO_TEXT:
        return {quoted[1]}
    _, *words = quoted[1].split(".")
    return {word for word in (*words, ".".join(words[1:])) if not word.isdecimal()} - {""}


def _names(each: Diagnostic, names: set[str]) -> bool:
    return not names.isdisjoint(_QUOTED.findall(each.message))


def _key(each: Diagnostic) -> tuple[str, str, int, str]:
    return each.code, each.span.file, each.span.line, each.message


class _Lines:
    """The lines of the files of a game, without texts for people."""

    def __init__(self, source: GameSource) -> None:
        self.files: dict[str, list[str]] = {}
        for path, text in source.files.items():
            if path.endswith(_OWN_FILES) and "texts/" not in path:
                self.files[path] = (
                    (_IN_WORDS if path.endswith(".rules") else _IN_DATA).sub("", text).split("\n")
                )

    def others(self, one: Declared) -> bool:
        """Return True if any line other than the declaration uses its name."""
        word = re.compile(rf"(?<![\w.]){re.escape(one.name)}(?![\w.])")
        return any(
            word.search(line)
            for path, lines in self.files.items()
            if not one.local or path == one.span.file
            for number, line in self._around(lines, one)
            if (path, number) != (one.span.file, one.span.line)
        )

    @staticmethod
    def _around(lines: list[str], one: Declared) -> Iterator[tuple[int, str]]:
        begin, end = 1, len(lines)
        if one.local:
            heads = [number for number, line in enumerate(lines, 1) if line[:1].strip()]
            begin = max((number for number in heads if number <= one.span.line), default=1)
            end = min((number - 1 for number in heads if number > one.span.line), default=end)
        return ((number, lines[number - 1]) for number in range(begin, end + 1))


def _renamed(source: GameSource, one: Declared, name: str) -> GameSource:
    """Return the source with a new name for a declaration. Only the line of the declaration
    changes.
    """
    rules = [
        _in_line(text, one, name) if text.path == one.span.file else text for text in source.rules
    ]
    kinds = [
        _in_data(data, one, name) if data.span.file == one.span.file or data.role else data
        for data in source.kinds
    ]
    return evolve(
        source,
        rules=rules,
        kinds=kinds,
        geometry=_with(source.geometry, one.name, name),
        neighbours=_with(source.neighbours, one.name, name),
    )


def _in_line(text: RulesText, one: Declared, name: str) -> RulesText:
    lines = text.text.split("\n")
    at = one.span.line - 1
    lines[at] = re.sub(rf"(?<![\w.]){re.escape(one.name)}(?![\w.])", name, lines[at])
    return evolve(text, text="\n".join(lines))


def _in_data(data: KindData, one: Declared, name: str) -> KindData:
    return evolve(
        data,
        members=[
            evolve(each, id=name) if each.id == one.name and each.span == one.span else each
            for each in data.members
        ],
    )


def _with(known: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    return {new if key == old else key: value for key, value in known.items()}


def _all(source: GameSource) -> Iterator[Declared]:
    """Yield the declarations of the rules and the data."""
    for rules in source.rules:
        for match in _DECLARED.finditer(rules.text):
            yield from _of_line(match, rules)
        for match in _CARD.finditer(rules.text):
            yield Declared(match[2], match[1], _span(rules, match, 2))
    for data in source.kinds:
        for member in data.members:
            yield Declared(member.id, data.kind, member.span)


def _of_line(match: re.Match[str], rules: RulesText) -> Iterator[Declared]:
    """Yield the declarations on one line of the rules."""
    indent, word, name, rest = match.groups()
    is_local = word in ("let", "each", "pick", "roll")
    if word != "members":
        what = (
            "attribute"
            if indent and word == "fixed"
            else "name"
            if is_local
            else {"fixed": "fixed value"}.get(word, word)
        )
        yield Declared(name, what, _span(rules, match, 3), is_local)
    more = _UNITS if word == "unit" else _MEMBERS if word in ("kind", "members") else None
    if more is None and _WITH_PARAMETERS.fullmatch(word):
        more = _PARAMETERS
    for part in more.finditer(rest) if more is not None else ():
        span = _span(rules, match, 4, *part.span(1))
        yield Declared(
            part[1],
            "unit" if word == "unit" else "parameter" if more is _PARAMETERS else "member",
            span,
            more is _PARAMETERS,
        )


def _span(
    rules: RulesText, match: re.Match[str], group: int, start: int = 0, end: int | None = None
) -> Span:
    """Return the span of a group of the match, or of a part of it."""
    line = rules.text.count("\n", 0, match.start()) + 1
    first = match.start(group) - match.start() + 1
    return Span(
        rules.path, line, first + start, line, first + (len(match[group]) if end is None else end)
    )
