"""The log line with the clauses or table result that decided, each with its paragraphs."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.common.i18n.messages import _
from rulekit.engine.explain.derivation import Derivation, DerivationLine
from rulekit.engine.explain.reasons import cited
from rulekit.engine.kernel.names import Names, tidy

_LIMITS = {"least": _("at least"), "most": _("at most")}


def reason_line(names: Names, found: Derivation) -> str:
    """Return the line, or '' if only the base value counted or the value is hidden."""
    if found.hidden:
        return ""
    if found.what == "table":
        arguments = ", ".join(found.labels.values())
        return (
            f"{found.label}{f' ({arguments})' if arguments else ''}"
            f"{names.colon}{found.shown}{cited(found.ref)}"
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
        f"{name} {f'{found.value:+d}' if signed else found.shown}{names.colon}{', '.join(counted)}"
    )


def _counted(names: Names, found: Derivation) -> Iterator[str]:
    """Yield the clauses that changed the value: modifiers, set values, bounds and bars.

    Cancelled clauses are left out.
    """
    for line in found.lines:
        if (
            line.status == "applied"
            and (line.word != "base" or found.what == "shift")
            and not line.hidden
        ):
            amount = _amount(line)
            if line.word != "modifier" or amount:
                name = names.say(_LIMITS[line.word]) if line.word in _LIMITS else line.text
                yield f"{name}{f' {amount}' if amount else ''}{cited(line.ref)}"


def _amount(line: DerivationLine) -> str:
    if line.word == "modifier":
        return f"{line.amount:+d}" if isinstance(line.amount, int) and line.amount else ""
    return line.shown or (str(line.amount) if line.amount is not None else "")
