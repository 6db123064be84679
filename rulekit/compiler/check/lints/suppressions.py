"""Drop the warnings that the author allows with `# allow RK701: why`, on the line of a warning or
above it.

This works in rules and YAML files. An error is never allowed. An `allow` without a reason, or
without a warning to allow, is reported itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import define

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.common.diagnostics.span import Span

CODE = "RK714"
MARK = r"(?P<mark>\#\s*allow\s+(?P<code>RK\d{3})\b)"
ALLOW = re.compile(
    rf"""(?P<before>(?:[^#"']|"[^"]*"|'[^']*')*){MARK}\s*:?\s*(?P<reason>.*?)\s*$""", re.IGNORECASE
)


@define
class Allow:
    """One comment `# allow CODE: reason`. `line` is the line for which it allows warnings."""

    code: str
    reason: str
    span: Span
    line: int
    used: bool = False


def allowed(files: Mapping[str, str], own: frozenset[str], complete: bool, sink: Sink) -> None:
    """Drop allowed warnings from the sink.

    Args:
        own: the files of the game itself. Nothing is reported about comments in others.
        complete: True if all rules were checked, so that an `allow` without a warning is useless.
    """
    allows = {
        (path, each.line, each.code): each
        for path, text in files.items()
        for each in _in(path, text)
    }
    if not allows:
        return
    sink.found[:] = [d for d in sink.found if not _drops(d, allows)]
    for each in allows.values():
        if each.span.file not in own:
            continue
        if not each.reason:
            sink.warn(
                CODE,
                each.span,
                f"'allow {each.code}' gives no reason",
                f"write why the warning is accepted: # allow {each.code}: ...",
            )
        elif complete and not each.used:
            sink.warn(
                CODE,
                each.span,
                f"'allow {each.code}' is not needed: there is no such warning here",
                "remove the comment",
            )


def lines_of(code: str, files: Mapping[str, str]) -> set[tuple[str, int]]:
    """Return the lines on which a code is allowed with a reason."""
    return {
        (path, each.line)
        for path, text in files.items()
        for each in _in(path, text)
        if each.code == code and each.reason
    }


def _drops(d: Diagnostic, allows: Mapping[tuple[str, int, str], Allow]) -> bool:
    """Return True if this warning is allowed. A comment at its second place allows it too."""
    if d.level != "warning":
        return False
    found = [
        allow
        for span in (d.span, d.second)
        if span is not None and (allow := allows.get((span.file, span.line, d.code))) is not None
    ]
    for allow in found:
        allow.used = True
    return any(allow.reason for allow in found)


def _in(path: str, text: str) -> Iterator[Allow]:
    """Yield the `allow` comments of a file. A comment on a line of its own applies to the next line
    that is not a comment.
    """
    if "allow" not in text or path.endswith(".csv"):
        return
    lines = text.split("\n")
    for at, line in enumerate(lines):
        mark = ALLOW.match(line) if "allow" in line else None
        if mark is None:
            continue
        target = at
        if not mark["before"].strip():
            target = next(
                (i for i in range(at + 1, len(lines)) if not lines[i].lstrip().startswith("#")), at
            )
        column = mark.start("mark") + 1
        yield Allow(
            mark["code"].upper(),
            mark["reason"],
            Span(path, at + 1, column, at + 1, column + len(mark["mark"])),
            target + 1,
        )
