"""Takes a state and an option that is not offered, makes the reason: the rule, its paragraph, and the fact that failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulekit.play.derivation import Derivation, derive
from rulekit.play.names import tidy
from rulekit.program.program import PC, FamilyInfo

if TYPE_CHECKING:
    from rulekit.play.state import State

MANY = 4000  # options that are looked through for one that a player names


def _cited(ref: tuple[str, ...]) -> str:
    return f" [{', '.join(ref)}]" if ref else ""


def explain(state: State, action: int) -> str:
    """Why this option is not offered here."""
    table = state.table
    family = table.book.family(action)
    option = table.book.option(action)
    at = table.program.families.index(family)
    decision = table.program.decisions[state._s[PC]]
    if at not in decision.families:
        asked = state.decision
        return f"{option.key!r} cannot be chosen now" + (f": {asked.player} is asked: {asked.prompt}" if asked else "")
    failed, trace = state._code.why(state._s, at, table.book.arguments(family, action))
    return f"{option.key!r} is refused: {_clause(state, family, failed, trace)}"


def _clause(state: State, family: FamilyInfo, failed: int, trace: Any) -> str:
    names = state.names
    if failed < 0 or failed >= len(family.clauses):
        return "it is not among the possibilities here" + _cited(family.ref)
    clause = family.clauses[failed]
    text = names.text(clause.key, clause.reason)
    bars = [f for part in trace for f in _bars(derive(names, part))]
    if not text and not bars:
        word = {"limit": "its limit is used up", "pays": "it cannot be paid", "with": "there is nothing for it"}
        text = word.get(clause.word, "a condition does not hold") + (f" ({tidy(clause.name)})" if clause.name else "")
    said = text + _cited(clause.ref or family.ref) if text else ""
    return "; ".join([*([said] if said else []), *bars])


def _bars(derivation: Derivation) -> list[str]:
    """The bars that hold, and the totals that were compared."""
    out = []
    if derivation.what == "permit":
        out = [(line.text or tidy(line.name)) + _cited(line.ref) for line in derivation.lines
               if line.word == "bar" and line.status == "applied"]
    elif derivation.what == "total":
        out = [derivation.text().splitlines()[0].strip()]
    return out


def _standing(state: State) -> int:
    """In a walk: the place where the walkers stand; else -1."""
    proc = state.table.program.procs[state.table.program.decisions[state._s[PC]].proc]
    slot = next((v.slot for v in proc.vars if v.name == "at"), -1) if proc.word == "movement" else -1
    return state._s[slot] if slot >= 0 else -1


def by_name(state: State, text: str) -> list[str]:
    """Reasons for the options of this decision that a text may mean but that are not offered."""
    from rulekit.play.decision import matching

    book, program = state.table.book, state.table.program
    legal = set(state.legal_actions())
    words = text.split()
    standing = _standing(state)
    ids = [id for at in program.decisions[state._s[PC]].families for family in [program.families[at]]
           if family.what != "option" or not words or family.name.startswith(words[0]) or len(words) == 1
           for id in range(family.base, family.base + min(family.size, MANY))
           if id not in legal and (not family.arcs or standing in (-1, family.arcs[id - family.base][1]))]
    found = matching(text, [book.option(id) for id in ids[:MANY]])
    return list(dict.fromkeys(explain(state, option.id) for option in found[:8]))


def overview(state: State) -> list[str]:
    """What is not offered at this decision, grouped by the reason."""
    book, program = state.table.book, state.table.program
    legal = set(state.legal_actions())
    groups: dict[tuple[str, str], list[str]] = {}
    for at in program.decisions[state._s[PC]].families:
        family = program.families[at]
        if family.what != "option":
            continue
        for id in range(family.base, family.base + min(family.size, MANY)):
            if id not in legal:
                failed, trace = state._code.why(state._s, at, book.arguments(family, id))
                groups.setdefault((family.name, _clause(state, family, failed, trace)), []).append(book.option(id).key)
    return [f"{tidy(name)}: {why} ({len(keys)}: {_some([k.removeprefix(name).strip() or k for k in keys])})"
            for (name, why), keys in groups.items()]


def _some(keys: list[str]) -> str:
    return ", ".join(keys[:8]) + (" ..." if len(keys) > 8 else "")
