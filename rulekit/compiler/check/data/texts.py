"""The text keys of a game: those that a translation should have, those that it may have, and the
names that placeholders can use.
"""

from __future__ import annotations

import re

from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import nodes


def needed(model: m.Model, cards: list[str]) -> dict[str, str]:
    """Return key -> text beside the declaration, or an empty text.

    Args:
        cards: the members with rules of their own, which have an `effect` text.
    """
    keys: dict[str, str] = {"title": str(model.info.get("manifest", {}).get("title", ""))}
    keys |= _member_names(model) | _option_texts(model) | _prompts(model)
    for movement in model.movements:
        keys |= {
            guard.key: guard.reason
            for guard in [*movement.may, *movement.stop, *movement.end]
            if guard.reason
        }
    summed: list[m.Total | m.Permit] = [*model.totals, *model.permits]
    for total in summed:
        for clause_of in total.clauses:
            if clause_of.word in ("modifier", "set", "bar"):
                keys[f"clause.{total.name}.{clause_of.name}"] = clause_of.reason
    for event in model.events:
        if not event.built_in:
            keys[f"event.{event.name}"] = ""
    fight = model.info.get("drawing", {}).get("combat", {}).get("while")
    if fight is not None:  # the page heads the card of its odds with it
        keys[f"phase.{fight}"] = ""
    keys |= {f"drawing.{name}": "" for name in named_looks(model)}
    for level in model.levels:
        keys[f"level.{level}"] = ""
    for purpose in model.purposes:
        keys[f"purpose.{purpose}"] = ""
    for name, scenario in model.scenarios.items():
        keys[f"scenario.{name}"] = scenario.title
    for card in cards:
        keys[f"effect.{card}"] = ""
    return keys


def _member_names(model: m.Model) -> dict[str, str]:
    """Return the keys of members' names, with the labels of the members."""
    return {
        f"member.{kind.name}.{member}": kind.labels.get(member, "")
        for kind in model.kinds.values()
        if not kind.own and kind is not model.purpose_kind and kind.joins is None
        for member in kind.members
    }


def _option_texts(model: m.Model) -> dict[str, str]:
    """Return the keys of options and of the reasons of their conditions."""
    keys = {}
    for option in model.options:
        keys[option.key] = option.label
        for clause in option.clauses:
            if isinstance(clause, m.Guarded) and clause.reason:
                keys[clause.key] = clause.reason
    return keys


def _prompts(model: m.Model) -> dict[str, str]:
    """Return the keys of prompts and of the reasons of conditions on picked groups."""
    keys = {}
    for proc in model.procedures:
        for node in nodes(proc.body):
            if isinstance(node, (m.Choose, m.Pick, m.PickGroup)):
                keys[node.prompt] = node.text
            if isinstance(node, m.PickGroup) and node.keeps is not None and node.keeps.reason:
                keys[node.keeps.key] = node.keeps.reason
    return keys


def fillable(model: m.Model) -> dict[str, set[str]]:
    """Return, for each text key, the names that its placeholders can use: the parameters and
    variables of its declaration.

    Keys without such information are left out.
    """
    out: dict[str, set[str]] = {key: names.copy() for key, names in _BUILT_IN.items()}
    asked = {
        node.me
        for proc in model.procedures
        for node in nodes(proc.body)
        if isinstance(node, (m.Choose, m.Window))
    }

    def allow(key: str, *groups: list[m.Var]) -> None:
        out.setdefault(key, set()).update(
            v.name for group in groups for v in group if v not in asked
        )

    around = _around(model)
    for option in model.options:
        allow(option.key, option.params)
        out[option.key] |= {
            f"{p.name}.{name}"
            for p in option.params
            if isinstance(p.type, m.MemberOf) and p.type.kind.identity is None
            for name in p.type.kind.fixed
        }  # of what not all know the text would tell which it is
    for proc in model.procedures:
        allow(f"phase.{proc.name}", proc.params)
        for name in (
            (f"after.{proc.name}", f"before.{proc.name}") if proc.word == "event" else (proc.name,)
        ):
            allow(f"moment.{name}", proc.params, proc.vars, around.get(proc, []))
        for node in nodes(proc.body):
            if isinstance(node, (m.Choose, m.Pick, m.PickGroup)):
                allow(node.prompt, proc.params, proc.vars, around.get(proc, []))
    for movement in model.movements:
        for key in (f"prompt.{movement.name}", f"movement.{movement.name}"):
            allow(key, movement.proc.params, movement.proc.vars)
    for kind in model.kinds.values():
        out[f"note.{kind.name}"] = {
            *kind.cells,
            *kind.fixed,
            *(t.name for t in model.totals if _about(t, kind)),
        }
    for cell in model.cells:
        out |= {f"event.{name}.{cell.name}": _MOVED for name in ("drawn", "put", "gathered")}
    out |= {
        f"event.{name}.{purpose}": _ROLLED
        for purpose in model.purposes
        for name in ("die_rolled", "roll_cancelled")
    }
    named = {v.name for p in model.procedures for v in (*p.params, *p.vars)}
    named |= {t.name for t in model.totals} | {d.name for d in model.defines}
    for name in (
        RECORDS
    ):  # they happen in many procedures: the text says of which it speaks by the case of a purpose
        out[f"moment.after.{name}"] = out.get(f"moment.after.{name}", set()) | named
    for event in model.events:
        allow(f"event.{event.name}", event.params)
        allow(f"event.{event.name}.many", event.params)
    return out


def _around(model: m.Model) -> dict[m.Procedure, list[m.Var]]:
    """Return the variables that a prompt can use from the procedures that lead to its own: their
    parameters and fields.
    """
    callers: dict[m.Procedure, list[m.Procedure]] = {}
    for caller in model.procedures:
        for node in nodes(caller.body):
            if isinstance(node, (m.CallProc, m.Walk)):
                callers.setdefault(
                    node.proc if isinstance(node, m.CallProc) else node.movement.proc, []
                ).append(caller)
    found: dict[m.Procedure, list[m.Var]] = {}
    for proc in callers:
        leading = list(dict.fromkeys(callers[proc]))
        for each in leading:  # it grows
            leading += [
                caller for caller in dict.fromkeys(callers.get(each, ())) if caller not in leading
            ]
        found[proc] = [
            var
            for each in leading
            for var in (*each.params, *each.vars)
            if var.shared or var in each.params
        ]
    return found


def typed(model: m.Model) -> dict[str, dict[str, m.Type]]:
    """Return the types of the parameters, for each text key of an option or event."""
    out = {option.key: {p.name: p.type for p in option.params} for option in model.options}
    return out | {
        f"event.{event.name}": {p.name: p.type for p in event.params} for event in model.events
    }


def can_be(word: str, type: m.Type) -> bool:
    """Return True if this word can select a case for a value of this type. A value that is hidden
    from the player is `?`.
    """
    if word in ("*", "?", "none"):
        return True
    if isinstance(type, m.Bool):
        return word in ("yes", "no")
    if isinstance(type, m.MemberOf):
        return word in type.kind.members
    if isinstance(type, m.SetOf):
        return word.isdecimal() and int(word) <= type.kind.size
    if not isinstance(type, m.Int):
        return True
    number = int(word) if re.fullmatch(r"-?\d+", word) else None
    return (
        number is not None
        and (type.low is None or type.low <= number)
        and (type.high is None or number <= type.high)
    )


def _about(total: m.Total, kind: m.Kind) -> bool:
    """Return True if a total has one member of a kind as its only parameter, and is defined
    everywhere.
    """
    types = [p.type for p in total.params]
    return (
        total.context is None
        and len(types) == 1
        and isinstance(types[0], m.MemberOf)
        and types[0].kind is kind
    )


MOST_STEPS = 999  # a step of a track that is further from zero has no text
_MOVED = {"what", "source", "target", "who", "s", "n"}
_ROLLED = {"who", "value", "purpose"}
_BUILT_IN = {
    "to": {"place"},
    "event.die_rolled": _ROLLED,
    "event.roll_cancelled": _ROLLED,
    "event.drawn": _MOVED,
    "event.put": _MOVED,
    "event.gathered": _MOVED,
    "event.revealed": {"what"},
}

# of decisions and values that the machine makes itself
WORDS = ("pass", "stop", "go", "add", "to", "none", "yes", "no")
RECORDS = (
    "die_rolled",
    "roll_cancelled",
    "drawn",
    "put",
    "gathered",
    "revealed",
    "finished",
    "scope_ended",
    "changed",
)  # its own events


def named_looks(model: m.Model) -> list[str]:
    """Return the names of signs, which the legend shows, and of words on the map. They consist of
    nothing but their texts.
    """
    look = model.info.get("drawing", {})
    return [
        each["name"]
        for listed in ("signs", "words")
        for each in look.get(listed, ())
        if "name" in each
    ]


def drawn(model: m.Model) -> set[str]:
    """Return the text keys of the drawing: groups of boxes, steps of tracks, abbreviations of
    units.
    """
    look = model.info.get("drawing", {})
    keys = {f"drawing.{group}" for group in look.get("boxes", {})} | {
        f"unit.{unit}.short" for unit in model.units
    }
    keys |= {f"drawing.{name}" for name in named_looks(model)}
    shown = {track.get("cell") or track.get("total") for track in look.get("tracks", ())}
    summed: list[m.Cell | m.Total] = [*model.cells, *model.totals]
    for one in summed:
        if one.name in shown and isinstance(one.type, m.Int):
            low, high = max(one.type.low or 0, -MOST_STEPS), min(one.type.high or 0, MOST_STEPS)
            keys |= {f"track.{one.name}.{n}" for n in range(low, high + 1)}
    return keys


def known(model: m.Model) -> set[str]:
    """Return the keys that may have a text but do not need one."""
    keys = {
        *WORDS,
        *(f"event.{name}" for name in RECORDS),
        *(f"unit.{unit}" for unit in model.units),
    }
    for kind in model.kinds.values():
        keys |= {f"kind.{kind.name}", f"kind.{kind.name}.many", f"note.{kind.name}"}
        keys |= {f"member.{kind.name}.{member}" for member in kind.members}
        keys |= {
            f"{word}.{kind.name}.{name}"
            for word, names in (("cell", kind.cells), ("fixed", kind.fixed))
            for name in names
        }
        keys |= {f"cell.{name}" for name in kind.cells} | {f"fixed.{name}" for name in kind.fixed}
    keys |= {f"edition.{edition}" for edition in model.info.get("editions", {})}
    keys |= {f"cell.{cell.name}" for cell in model.cells} | {
        f"fixed.{fixed.name}" for fixed in model.fixed
    }
    keys |= {
        f"event.{name}.{cell.name}" for cell in model.cells for name in ("drawn", "put", "gathered")
    }
    keys |= {
        f"event.{name}.{purpose}"
        for purpose in model.purposes
        for name in ("die_rolled", "roll_cancelled")
    }
    for proc in model.procedures:
        keys |= {f"phase.{proc.name}", f"moment.{proc.name}"}
        keys |= {f"cell.{v.name}" for v in proc.vars if v.shared}
        keys |= {
            f"{node.prompt}.none"
            for node in nodes(proc.body)
            if isinstance(node, (m.Pick, m.PickGroup))
        }
        keys |= {
            node.keeps.key
            for node in nodes(proc.body)
            if isinstance(node, m.PickGroup) and node.keeps is not None
        }
    keys |= {
        f"moment.{name.replace(' ', '.')}"
        for name in (model.moments.members if model.moments else ())
    }
    keys |= {f"table.{table.name}" for table in model.tables} | {
        f"define.{define.name}" for define in model.defines
    }
    summed: list[m.Total | m.Permit] = [*model.totals, *model.permits]
    for total in summed:
        keys |= {f"total.{total.name}", f"permit.{total.name}"} | {
            f"clause.{total.name}.{clause.name}" for clause in total.clauses
        }
    for option in model.options:
        keys |= {clause.key for clause in option.clauses if isinstance(clause, m.Guarded)}
    for movement in model.movements:
        keys |= {f"prompt.{movement.name}", f"movement.{movement.name}"}
        keys |= {guard.key for guard in [*movement.may, *movement.stop, *movement.end]}
    keys |= {f"event.{event.name}.{word}" for event in model.events for word in ("many", "why")}
    keys |= {f"table.{table.name}" for table in model.tables}
    keys |= drawn(model)
    keys |= {f"ruling.{ruling.name}" for ruling in model.rulings}
    return keys
