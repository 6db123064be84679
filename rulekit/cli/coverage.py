"""Coverage of a rules inventory: the situations that reach each id and rule, by paragraph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.engine.game.game import Game
from rulekit.engine.testing.runner import Outcome


def _declared(game: Game) -> dict[str, tuple[str, ...]]:
    """Return the declarations of the rules with their paragraphs, by the names that outcomes
    use.
    """
    program = game.program()
    out: dict[str, tuple[str, ...]] = {f"event {e.name}": e.ref for e in program.events}
    out |= {f"option {f.name}": f.ref for f in program.families if f.what == "option"}
    for what, infos in (("total", program.totals), ("permit", program.permits)):
        for info in infos:
            out[f"{what} {info.name}"] = info.ref
            out |= {
                f"clause {info.name}.{c.name}": c.ref or info.ref for c in info.clauses if c.name
            }
    return out


def _fact(entry: Any, name: str) -> Any:
    plain = entry.plain() if hasattr(entry, "plain") else entry
    return plain.get(name) if isinstance(plain, dict) else None


def coverage(game: Game, ids: Mapping[str, Any], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the report: ids and rules with their situations, and those that no situation
    reaches.
    """
    by_id: dict[str, list[str]] = {}
    by_rule: dict[str, list[str]] = {}
    for o in outcomes:
        for id in o.case.covers:
            by_id.setdefault(id, []).append(o.case.name)
        for name in o.reached:
            by_rule.setdefault(name, []).append(o.case.name)
    covered, excused, uncovered = {}, {}, []
    for id, entry in ids.items():
        reason = _fact(entry, "reason")
        if id in by_id:
            covered[id] = {"ref": _fact(entry, "ref"), "situations": by_id[id]} | (
                {"reason": reason} if reason else {}
            )
        elif reason:
            excused[id] = {"ref": _fact(entry, "ref"), "reason": reason}
        else:
            uncovered.append(id)
    rules = {
        name: {"ref": list(ref), "situations": by_rule.get(name, [])}
        for name, ref in sorted(_declared(game).items())
    }
    return {
        "game": game.name,
        "ids": covered,
        "excused": excused,
        "uncovered": uncovered,
        "unknown": sorted(set(by_id) - set(ids)) if ids else [],
        "rules": rules,
    }


def print_coverage(report: dict[str, Any]) -> None:
    """Print the report for people."""
    total = len(report["ids"]) + len(report["excused"]) + len(report["uncovered"])
    if total:
        print(f"\n{report['game']}: ids of the inventory")
    for id, found in report["ids"].items():
        against = (
            f" (though coverage.yaml says why none does: {found['reason']})"
            if "reason" in found
            else ""
        )
        print(f"  {id} [{found['ref'] or '-'}]: {'; '.join(found['situations'])}{against}")
    for id, found in report["excused"].items():
        print(f"  {id} [{found['ref'] or '-'}]: no situation: {found['reason']}")
    for id in report["uncovered"]:
        print(f"  {id}: NOT COVERED")
    for id in report["unknown"]:
        print(f"  {id}: covered, but not in coverage.yaml")
    print(f"\n{report['game']}: rules")
    for name, found in report["rules"].items():
        print(f"  {name} [{', '.join(found['ref']) or '-'}]: {len(found['situations'])} situations")
    reached = sum(1 for r in report["rules"].values() if r["situations"])
    ids = (
        f"{len(report['ids'])} of {total} ids covered, {len(report['excused'])} excused,"
        f" {len(report['uncovered'])} uncovered; "
    )
    print(f"\n{ids if total else ''}{reached} of {len(report['rules'])} rules reached\n")
