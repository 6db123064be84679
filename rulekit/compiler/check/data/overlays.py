"""Checks the corrections of an overlay against the rules, and finds those that change nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.data.values import assignments
from rulekit.compiler.semantics.values import offset
from rulekit.compiler.source.game_source import Datum, GameSource
from rulekit.compiler.source.overlays import NO_CHANGE


def check_corrections(model: m.Model, source: GameSource, changed: GameSource, sink: Sink) -> None:
    """Check each corrected value against its type and against the present value in the model.

    The game is not compiled again for this.
    """
    reported = {d.span for d in sink.found}
    for one, first, rest, datum, what in _corrected(model, source, changed):
        made = assignments(
            one.keys[len(first) :],
            one.type,
            rest,
            datum,
            sink,
            what,
            datum.value is None and isinstance(one.type, m.Int),
        )
        places = [(offset(one.keys, (*first, *keys)), value) for keys, value in made]
        known = all(
            place is not None and one.values[place : place + 1] == [value]
            for place, value in places
        )
        if places and known and datum.span not in reported:
            sink.warn(
                NO_CHANGE,
                datum.span,
                f"{what} already has this value, so the overlay changes nothing here",
                "write the corrected value, or remove it",
            )


def _corrected(
    model: m.Model, source: GameSource, changed: GameSource
) -> Iterator[tuple[m.Fixed, tuple[int, ...], str, Datum, str]]:
    """Yield each corrected value: its declaration, the member, the keys after its name, and its
    description in words.
    """
    for before, after in zip(source.kinds, changed.kinds, strict=True):
        kind = model.kinds.get(before.kind)
        for old, new in zip(before.members, after.members, strict=True):
            for name, datum in new.values.items() if kind is not None else ():
                one = kind.fixed.get(name) if kind is not None else None
                if (
                    kind is not None
                    and one is not None
                    and datum is not old.values.get(name)
                    and new.id in kind.members
                ):
                    yield (
                        one,
                        (kind.members.index(new.id),),
                        "",
                        datum,
                        f"'{name}' of {kind.name} '{new.id}'",
                    )
    named = {one.name: one for one in model.fixed if one.owner is None and not one.synthetic}
    for path, datum in changed.fixed.items():
        name, _, rest = path.partition(".")
        if datum is not source.fixed.get(path) and name in named:
            yield named[name], (), rest, datum, f"'{path}'"
