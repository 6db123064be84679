"""Takes a derivation, makes the line of a log that says what decided: the clauses that counted, or
what was read from a table, each with the paragraphs of the rule book."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.engine.explain.derivation import Derivation, Line
from rulekit.engine.explain.reasons import cited
from rulekit.engine.kernel.names import Names, tidy


def because(names: Names, found: Derivation) -> str:
    """The line; '' where nothing but the first value counted, or if it is not for this viewer."""
    if found.hidden:
        return ""
    if found.what == "table":
        arguments = ", ".join(found.labels.values())
        return (
            f"{found.label}{f' ({arguments})' if arguments else ''}"
            f"{names.word('colon')}{found.shown}{cited(found.ref)}"
        )
    counted = list(_counted(names, found))
    if not counted:
        return ""
    name = (
        names.text(f"{found.what}.{found.name}", tidy(found.name))
        if found.what in ("total", "permit")
        else found.label
    )
    signed = found.what == "total" and isinstance(found.value, int)
    return (
        f"{name}"
        f" {f'{found.value:+d}' if signed else found.shown}"
        f"{names.word('colon')}{', '.join(counted)}"
    )


def _counted(names: Names, found: Derivation) -> Iterator[str]:
    """What has changed the value: modifiers, a value that was set, an end that was kept, bars;
    those that were cancelled have not."""
    for line in found.lines:
        if (
            line.status == "applied"
            and (line.word != "base" or found.what == "shift")
            and not line.hidden
        ):
            amount = _amount(line)
            if line.word != "modifier" or amount:
                name = (
                    names.word(f"clause.{line.word}")
                    if line.word in ("least", "most")
                    else line.text
                )
                yield f"{name}{f' {amount}' if amount else ''}{cited(line.ref)}"


def _amount(line: Line) -> str:
    if line.word == "modifier":
        return f"{line.amount:+d}" if isinstance(line.amount, int) and line.amount else ""
    return line.shown or (str(line.amount) if line.amount is not None else "")
