"""The pages of the manual, cut into sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.compiler.source.locate import shipped

_HEADING = re.compile(r"^(#{2,4}) (.+)$")
_FENCE = re.compile(r"^\s*```")
_CODE = re.compile(r"RK[0-9]{3}")


@attrs.frozen
class Section:
    """A section of a page: its heading without the marks, and its lines."""

    page: str
    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The lines as one text, without blank lines at the ends."""
        return "\n".join(self.lines).strip("\n")


def sections(page: str) -> list[Section]:
    """Return the sections of a page, each without those below it.

    Raises:
        RulekitError: the page is missing from this installation.
    """
    path = shipped()["docs"] / page
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise RulekitError(_("the page {page} is missing", page=str(path))) from None
    return list(_cut(page, text))


def code_section(code: str) -> Section | None:
    """Return the section of a diagnostic code such as `RK301`, or None."""
    code = code.upper()
    if not _CODE.fullmatch(code):
        return None
    found = sections("diagnostics.md")
    return next((each for each in found if code in _CODE.findall(each.heading)), None)


def is_code(text: str) -> bool:
    """Return True if a text has the form of a diagnostic code."""
    return _CODE.fullmatch(text.upper()) is not None


def codes() -> list[str]:
    """Return all codes that have a section."""
    return [code for each in sections("diagnostics.md") for code in _CODE.findall(each.heading)]


def _cut(page: str, text: str) -> Iterator[Section]:
    heading, lines, fenced = "", list[str](), False
    for line in text.split("\n"):
        fenced ^= bool(_FENCE.match(line))
        match = None if fenced else _HEADING.match(line)
        if match is None:
            lines.append(line)
            continue
        yield Section(page, heading, tuple(lines))
        heading, lines = match[2], []
    yield Section(page, heading, tuple(lines))
