"""Takes a state and an option that is not offered, makes the reason: the rule, its paragraph, and the fact that failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from rulekit.base.fill import fill
from rulekit.base.fill import names as gap_names
from rulekit.play.derivation import Derivation, derive
from rulekit.play.names import NO_LIMIT, Names, tidy
from rulekit.play.view import Viewer
from rulekit.program import cells
from rulekit.program.program import PC, FamilyInfo

if TYPE_CHECKING:
    from rulekit.play.state import State

MANY = 4000  # options that are looked through for one that a player names
SHOWN = 8  # names that are told of one group
_FACTS = ("pays", "cost", "been", "domain", "picked")  # what stands in a trace beside derivations


@frozen
class Refusal:
    """Why one option is not offered. `known`: a rule says so. `late`: how many of its tests it passed; the later, the nearer."""

    action: int
    why: str
    known: bool
    late: int = 0


def _cited(ref: tuple[str, ...]) -> str:
    return f" [{', '.join(ref)}]" if ref else ""


def explain(state: State, action: int) -> str:
    """Why this option is not offered here."""
    book, names = state.table.book, state.names
    key = repr(book.option(action).key)
    family = book.family(action)
    decision = state.table.program.decisions[state._s[PC]]
    if state.table.program.families.index(family) not in decision.families:
        asked = state.decision
        return names.word("not_now", key=key, who=asked.player if asked else "", prompt=asked.prompt if asked else "")
    return names.word("refused", key=key, why=_refusal(state, family, action).why)


def _refusal(state: State, family: FamilyInfo, action: int) -> Refusal:
    names = state.names
    failed, trace = state._code.why(state._s, state.table.program.families.index(family), state.table.book.arguments(family, action))
    facts = {part[0]: part for part in trace if part[0] in _FACTS}
    bars = [bar for part in trace if part[0] not in _FACTS for bar in _bars(derive(names, part))]
    clause = family.clauses[failed] if 0 <= failed < len(family.clauses) else None
    ref = clause.ref if clause is not None and clause.ref else family.ref
    text = names.text(clause.key, clause.reason) if clause is not None else ""
    if "pays" in facts:
        price = names.word("costs", **_price(facts["pays"]))
        text = f"{text}{names.word('colon')}{price}" if text else price
    elif "picked" in facts:
        return Refusal(action, names.word("in_group"), True, -1)
    elif clause is None:
        been = "been" in facts and family.arcs
        place = _place(state, family.arcs[action - family.base][2]) if been else ""
        text = names.word("been", to=place) if been else names.word("not_this_moment" if "domain" in facts else "not_possible")
        return Refusal(action, text + _cited(family.ref), bool(been), -1)
    elif not text and not bars:
        text = names.word(clause.word) or names.word("guard")
        text += f" ({tidy(clause.name)})" if clause.name else ""
    return Refusal(action, names.semicolon.join([*([text + _cited(ref)] if text else []), *bars]), True, failed)


def _price(fact: tuple[str, int, int, str | None]) -> dict[str, str]:
    _, cost, left, unit = fact
    words = f" {unit}" if unit else ""
    return {"cost": f"{cost}{words}", "left": f"{left}{words}"}


def _bars(derivation: Derivation) -> Iterator[str]:
    """The bars that hold, with what stands behind them, and the totals that were compared."""
    if derivation.what == "permit":
        for line in derivation.lines:
            if line.word == "bar" and line.status == "applied":
                yield (line.text or tidy(line.name)) + _cited(line.ref)
                for part in line.parts:
                    yield from _bars(part)
    elif derivation.what == "total":
        yield derivation.text().splitlines()[0].strip()


# -------------------------------------------------------------------- walks
def standing(state: State) -> int:
    """In a walk: the place where the walkers stand; else -1."""
    proc = state.table.program.procs[state.table.program.decisions[state._s[PC]].proc]
    slot = next((v.slot for v in proc.vars if v.name == "at"), -1) if proc.word == "movement" else -1
    return state._s[slot] if slot >= 0 else -1


def step_price(state: State, action: int) -> str:
    """What a step that is offered costs; '' if nothing counts it."""
    family = state.table.book.family(action)
    if not family.arcs:
        return ""
    _, trace = state._code.why(state._s, state.table.program.families.index(family), [action - family.base])
    fact = next((part for part in trace if part[0] == "cost"), None)
    return "" if fact is None or fact[2] >= NO_LIMIT // 2 else _price(fact)["cost"]


def _place(state: State, place: int) -> str:
    kind = next(k.joins for k in state.table.program.kinds if k.joins >= 0)
    return state.names.label(kind, place)


def _not_next(state: State, family: FamilyInfo, text: str) -> str:
    """The message for a place that is named but not next to where the walkers stand; '' if none is."""
    words = text.split()
    at = standing(state)
    kind = next(k.joins for k in state.table.program.kinds if k.joins >= 0)
    place = state.names.ordinals[kind].get(words[-1] if words else "", -1)
    if place < 0 or at < 0 or place == at or any(a == at and z == place for _, a, z in family.arcs):
        return ""
    return state.names.word("not_next", to=_place(state, place), at=_place(state, at))


# -------------------------------------------------------------------- of one decision
def _refused(state: State, family: FamilyInfo) -> Iterator[int]:
    """The options of a family that are not offered; of a walk only the steps out of the present place."""
    legal, at = set(state.legal_actions()), standing(state)
    for id in range(family.base, family.base + min(family.size, MANY)):
        if id not in legal and (not family.arcs or at in (-1, family.arcs[id - family.base][1])):
            yield id


def _families(state: State) -> list[FamilyInfo]:
    program = state.table.program
    return [program.families[at] for at in program.decisions[state._s[PC]].families]


def _named(state: State, family: FamilyInfo, word: str) -> bool:
    """Does a word begin the name of a family, or its label in the language?"""
    label = state.table.book.option(family.base).label.casefold()
    return family.name.startswith(word) or word in (label[:len(word)], label.split(" ", 1)[0])


def by_name(state: State, text: str) -> list[str]:
    """Reasons for the options of this decision that a text may mean but that are not offered: those of a rule first."""
    from rulekit.play.decision import matching

    book, words = state.table.book, text.split()
    families = _families(state)
    ids = [id for family in families if family.what != "option" or len(words) < 2 or _named(state, family, words[0].casefold())
           for id in _refused(state, family)]
    found = matching(text, [book.option(id) for id in ids[:MANY]])
    if not found:
        return [why for family in families if family.arcs and (why := _not_next(state, family, text))]
    refusals = [_refusal(state, book.family(option.id), option.id) for option in found[:8]]
    told = [r for r in refusals if r.known] or refusals
    return list(dict.fromkeys(explain(state, r.action) for r in told))


def overview(state: State) -> list[str]:
    """What is not offered at this decision, grouped by the reason; the nearest first."""
    book = state.table.book
    names, occupied = state.names, _occupied(state)
    groups: dict[tuple[str, str], list[Refusal]] = {}
    for family in _families(state):
        if family.what == "option" or family.clauses:
            for id in _refused(state, family):
                refusal = _refusal(state, family, id)
                if family.what == "add" and not refusal.known:
                    continue  # it is not among those of whom a group may be formed
                groups.setdefault((_headed(state, family), refusal.why), []).append(refusal)
    nearest = sorted(groups.items(), key=lambda item: -max(r.late for r in item[1]))
    several = len({name for name, _ in groups}) > 1
    out: list[str] = []
    told: set[tuple[str, str]] = set()  # an option that stands in two families is told once, with the nearest reason
    for (name, why), found in nearest:
        things = [thing for thing in dict.fromkeys(book.things(r.action) for r in found) if (name, thing) not in told]
        told |= {(name, thing) for thing in things}
        if things:
            things.sort(key=lambda thing: thing not in occupied)
            out.append(f"{name + names.word('colon') if several else ''}{why}{_some(names, things, occupied)}")
    return out


def _headed(state: State, family: FamilyInfo) -> str:
    """What people call all options of a family: its text with dots for what it is about."""
    if family.what in ("add", "go", "stop", "pass"):
        return state.names.own(family.what, {})
    text = state.names.text(family.key, family.label) or tidy(family.name)
    return fill(text, dict.fromkeys(gap_names(text), "..."))


def _occupied(state: State) -> set[str]:
    """The names of the places on which pieces stand that the player who is asked may see."""
    viewer = Viewer(state, state.current_player())
    out = set()
    for kind, cell in state.names.place_cells.items():
        at = state.table.program.cells.index(cell)
        for piece in range(len(state.table.program.kinds[kind].members)):
            place = cells.read(state._s, cell, (piece,))
            if place >= 0 and viewer.sees(at, (piece,)):
                out.add(state.names.label(cell.type.kind, place))
    return out


def _some(names: Names, things: list[str], first: set[str]) -> str:
    """Some of the things: those of `first`, if any; and how many there are beside them."""
    named = [thing for thing in things if thing]
    shown = ([thing for thing in named if thing in first] or named)[:SHOWN]
    more = [names.word("and_more", n=str(len(named) - len(shown)))] if len(named) > len(shown) else []
    return f" ({names.semicolon.join([*shown, *more])})" if named else ""
