"""Format of texts with gaps in braces, and the filling of the gaps.

Texts are data: everything outside of gaps is copied as it is. A filled text records the members
(pieces, places, …) that it names, so that a frontend can show them as links.

- `{x}` is the value of x.
- `{x.y}` is the field y of the data of the member x.
- `{x:+}` is a number with its sign.
- `{x|0: none|1: one unit|2,3: a few|*: {x} units}` is the case of the value: a number, the id of a
  member, `yes` or `no`, `none`, or the size of a set. `*` is any other value. A case may contain
  gaps, and their cases may contain only plain words.
- `{x:all}`, `{x:first}`, `{x:last}` and `{x:others}` belong to a text that reports several events
  in one: the values of all of them, of the first, of the last, and of all but the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

TOGETHER = ("all", "first", "last", "others")  # marks in texts that report several events
_MARK = "|".join((r"\+", *TOGETHER))
_NAME = r"\w+(?:\.[^\W\d_]\w*)?"
_INNER = rf"\{{{_NAME}(?::(?:{_MARK}))?(?:\|[^{{}}]*)?\}}"
_GAP = re.compile(rf"\{{({_NAME})(?::({_MARK}))?((?:\|(?:[^{{}}|]|{_INNER})*)*)\}}")
_CASES = re.compile(rf"\|((?:[^{{}}|]|{_INNER})*)")
_NUMBER = re.compile(r"-?\d+")


Named = tuple[int, str]  # a member: index of its kind in the program, id
Part = tuple[str, Named | None]  # a part of a text, with the member that it names


class FormattedValue(str):
    """A value or a text as people read it.

    Attributes:
        case: the value that selects a case of a text.
        parts: the parts of the text, some of them with the member that they name.
    """

    case: str
    parts: tuple[Part, ...]

    def __new__(
        cls, text: str, case: object = None, parts: tuple[Part, ...] = ()
    ) -> FormattedValue:
        """Create a text.

        Args:
            case: the value as a word. None: the text itself.
            parts: the parts of the text. Empty: those of the text itself.
        """
        made = super().__new__(cls, text)
        made.case = str(text if case is None else case)
        made.parts = parts or parts_of(text)
        return made


def parts_of(text: str) -> tuple[Part, ...]:
    """Return the parts of a text, which may be a plain string."""
    return text.parts if isinstance(text, FormattedValue) else ((text, None),) if text else ()


def together(*texts: str) -> FormattedValue:
    """Join texts."""
    return _made(part for text in texts for part in parts_of(text))


def listed(texts: Iterable[str], between: str = ", ") -> FormattedValue:
    """Join texts, with a text between each two."""
    each = list(texts)
    return together(
        *(piece for i, text in enumerate(each) for piece in ((between, text) if i else (text,)))
    )


def trimmed(text: str) -> FormattedValue:
    """Return a text without blanks at its ends."""
    parts = list(parts_of(text))
    while parts and not parts[0][0].lstrip():
        parts.pop(0)
    while parts and not parts[-1][0].rstrip():
        parts.pop()
    if parts:
        parts[0] = (parts[0][0].lstrip(), parts[0][1])
        parts[-1] = (parts[-1][0].rstrip(), parts[-1][1])
    return _made(parts)


def _made(parts: Iterable[Part]) -> FormattedValue:
    """Return a text from its parts. Consecutive plain parts are joined."""
    out: list[Part] = []
    for text, named in parts:
        if named is None and out and out[-1][1] is None:
            out[-1] = (out[-1][0] + text, None)
        elif text:
            out.append((text, named))
    whole = "".join(text for text, _ in out)
    return FormattedValue(whole, parts=tuple(out))


def gaps(text: str) -> list[tuple[str, str]]:
    """Return the gaps of a text and of its cases as (name, mark). The mark is `+`, one of TOGETHER
    or ''.
    """
    return [
        found for gap in _GAP.finditer(text) for found in ((gap[1], gap[2] or ""), *gaps(gap[3]))
    ]


def names(text: str) -> list[str]:
    """Return the names that are necessary to fill a text."""
    return [name for name, _ in gaps(text)]


def case_words(text: str) -> list[tuple[str, str, list[str]]]:
    """Return the gaps with cases of a text and of its cases, as (name, mark, the words that select
    a case).
    """
    found: list[tuple[str, str, list[str]]] = []
    for gap in _GAP.finditer(text):
        if gap[3]:
            keys = [case.partition(":")[0] for case in _CASES.findall(gap[3])]
            found += [
                (gap[1], gap[2] or "", [word.strip() for key in keys for word in key.split(",")]),
                *case_words(gap[3]),
            ]
    return found


def needs(text: str, params: Mapping[str, str]) -> set[str]:
    """Return the names that are used if a text is filled with these parameters: the names outside
    of cases and those in the selected cases.
    """
    out = set()
    for gap in _GAP.finditer(text):
        name, mark, cases = gap[1], gap[2] or "", gap[3]
        out.add(name)
        value = params.get(f"{name}:{mark}", params.get(name))
        if cases and value is not None:
            out |= needs(
                _case(cases, value.case if isinstance(value, FormattedValue) else value), params
            )
    return out


def is_sound(text: str) -> bool:
    """Return True if every brace belongs to a gap and every case has its value."""
    cases = [case for gap in _GAP.finditer(text) for case in _CASES.findall(gap[3])]
    return not re.search(r"[{}]", _GAP.sub("", text)) and all(
        ":" in case.partition("{")[0] for case in cases
    )


def fill(text: str, params: Mapping[str, str]) -> FormattedValue:
    """Return the text with its gaps filled. A gap without a value is left out."""
    pieces, end = [], 0
    for gap in _GAP.finditer(text):
        pieces += [text[end : gap.start()], _filled(gap, params)]
        end = gap.end()
    return together(*pieces, text[end:])


def _filled(gap: re.Match[str], params: Mapping[str, str]) -> str:
    name, mark, cases = gap[1], gap[2] or "", gap[3]
    value = params.get(f"{name}:{mark}", params.get(name, ""))
    if cases:
        return fill(
            _case(cases, value.case if isinstance(value, FormattedValue) else value), params
        )
    return f"{int(value):+d}" if mark == "+" and _NUMBER.fullmatch(value) else value


def _case(cases: str, wanted: str) -> str:
    rest = ""
    for found in _CASES.finditer(cases):
        key, _, text = found[1].partition(":")
        if wanted in (word.strip() for word in key.split(",")):
            return text.removeprefix(" ")
        if key.strip() == "*":
            rest = text.removeprefix(" ")
    return rest
