"""Derivations of table look-ups, column shifts and definitions that a ruling decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.common.i18n.messages import _
from rulekit.engine.explain.derivation import Derivation, DerivationLine, Knows, chosen, labels
from rulekit.engine.kernel.names import Names, tidy
from rulekit.runtime.intrinsics import ratio_column
from rulekit.runtime.program import TableInfo, TypeInfo
from rulekit.runtime.records import Trace


def worked(names: Names, trace: Trace, observer: Knows | None = None) -> Derivation | None:
    """Return a trace with names.

    None means that there is nothing to report: nothing was shifted, or the observer may not know
    it.
    """
    what, index, args, value, __ = trace
    if what == "table":
        table = names.program.tables[index]
        return (
            _looked_up(names, table, args, value)
            if observer is None or observer.may_know(table, [], args)
            else None
        )
    if what == "shift":
        before, by = args
        return _shifted(names, index, before, by, value)
    info = names.program.defines[index]
    if observer is not None and not observer.may_know_total(info, args):
        return None
    line = DerivationLine(
        "ruling",
        "",
        "applied",
        text=names.say(_("according to the rulings")),
        ref=info.ref,
        rulings=chosen(names, info.rulings),
    )
    title, text = names.text(f"define.{info.name}", tidy(info.name)), names.shown(info.type, value)
    return Derivation(
        "define",
        info.name,
        _arguments(names, info.params, args),
        text,
        None,
        info.ref,
        (line,),
        title=title,
        label=title,
        labels=labels(names, info.params, args),
        shown=text,
    )


def _looked_up(names: Names, table: TableInfo, args: Sequence[Any], row: int) -> Derivation | None:
    """Return a cell of a table with its keys. Keys beyond the ends of the table get a note."""
    if row < 0:
        return None
    texts = dict.fromkeys(
        names.shown(type, column[row])
        for (_, type), column in zip(table.outputs, table.columns, strict=True)
    )
    beyond = [
        text
        for key, arg in zip(table.keys, args, strict=True)
        if (text := _beyond(table, key, arg))
    ]
    lines = tuple(
        DerivationLine(
            "clamp",
            "",
            "applied",
            text=names.say(_("beyond the end of the table: {what}", what=text)),
            ref=table.ref,
        )
        for text in beyond
    )
    outputs = zip(table.outputs, table.columns, strict=True)
    data: dict[str, Any] = {
        "row": {name: names.value(type, column[row]) for (name, type), column in outputs}
    }
    for arg in args:
        if isinstance(arg, tuple):
            data |= {
                "ratio": list(arg),
                "columns": [list(ratio) for ratio in table.ratios],
                "column": ratio_column(table.ratios, table.rounding, *arg),
            }
            if len(table.keys) == len(table.outputs) == 1:
                data["results"] = [
                    names.shown(table.outputs[0][1], value) for value in table.columns[0]
                ]
    return Derivation(
        "table",
        table.name,
        _arguments(names, table.params, args),
        ", ".join(texts),
        None,
        table.ref,
        lines,
        title=_title(names, table, args),
        label=names.text(f"table.{table.name}", tidy(table.name)),
        labels=labels(names, table.params, args),
        shown=", ".join(texts),
        data=data,
    )


def _beyond(table: TableInfo, key: tuple[int, int, bool], arg: Any) -> str:
    """Return a key that lies beyond the ends of its table, or ''."""
    if isinstance(arg, tuple):
        num, den = arg
        (low, least), (high, most) = table.ratios[0], table.ratios[-1]
        return f"{num} : {den}" if num * least < low * den or num * most > high * den else ""
    low, size, clamp = key
    return str(arg) if clamp and not low <= arg < low + size else ""


def _shifted(names: Names, kind: int, before: int, by: int, after: int) -> Derivation | None:
    """Return a shift along a kind: the column before, the distance, and a note at its ends."""
    if by == 0 or before < 0:
        return None
    info = names.program.kinds[kind]
    lines = [
        DerivationLine(
            "base", "", "applied", names.label(kind, before), text=names.say(_("before the shift"))
        ),
        DerivationLine("modifier", "", "applied", by, text=names.say(_("shift"))),
    ]
    if before + by != after:
        lines.append(
            DerivationLine(
                "clamp",
                "",
                "applied",
                text=names.say(
                    _("beyond the end of the table: {what}", what=names.label(kind, after))
                ),
            )
        )
    text = names.text(f"kind.{info.name}", tidy(info.name))
    title = text[:1].upper() + text[1:]
    data = {
        "before": names.id(kind, before),
        "by": by,
        "after": names.id(kind, after),
        "members": list(info.members),
    }
    return Derivation(
        "shift",
        info.name,
        {},
        names.label(kind, after),
        None,
        (),
        tuple(lines),
        title=title,
        label=title,
        shown=names.label(kind, after),
        data=data,
    )


def _arguments(
    names: Names, params: Sequence[tuple[str, TypeInfo]], args: Sequence[Any]
) -> dict[str, Any]:
    return {
        name: names.shown(type, arg) if type.form == "ratio" else names.value(type, arg)
        for (name, type), arg in zip(params, args, strict=True)
    }


def _title(names: Names, table: TableInfo, args: Sequence[Any]) -> str:
    texts = ", ".join(
        names.shown(type, arg) for (_, type), arg in zip(table.params, args, strict=True)
    )
    text = names.text(f"table.{table.name}", tidy(table.name))
    return f"{text} ({texts})" if texts else text
