"""Print verdicts on mutants by paragraph, and return them as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rulekit.prove.judge import (
    NOTICED,
    SAME_CODE,
    SAME_VALUES,
    SURVIVED,
    SWITCHED_OFF,
    UNREACHED,
    MutantVerdict,
)
from rulekit.prove.proving import Proof
from rulekit.prove.slots import Mutant

_WIDTH = 70  # of the text of a place
DROPPED = (SAME_CODE, SAME_VALUES, SWITCHED_OFF)  # no change at all
_REMAINING = (SURVIVED, UNREACHED)


def remaining(proof: Proof) -> list[tuple[Mutant, MutantVerdict]]:
    """Return the mutants that no situation notices."""
    return [(each, v) for each, v in proof.judged if v.verdict in _REMAINING]


def print_mutants(found: Sequence[Mutant]) -> None:
    """Print a list of mutants, and their number by operator."""
    for each in found:
        print(f"{each.id}  {each.span}  {change(each)}")
    for operator, count in Counter(each.operator for each in found).most_common():
        print(f"{count:6}  {operator}")
    print(f"{len(found):6}  in all")


def change(mutant: Mutant) -> str:
    """Return what a mutant changes, in one line."""
    text = " ".join(mutant.text.split())
    shown = text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."
    return f"{mutant.operator}: {shown}" + (f" ({mutant.detail})" if mutant.detail else "")


def print_proof(proof: Proof) -> None:
    """Print the mutants that no situation notices, by paragraph, and the score."""
    totals = Counter(_paragraph(each) for each, _ in proof.judged)
    left = sorted(remaining(proof), key=lambda pair: _paragraph(pair[0]))
    for paragraph, group in groupby(left, key=lambda pair: _paragraph(pair[0])):
        some = list(group)
        print(f"{paragraph}: {len(some)} of {totals[paragraph]} not proved")
        for mutant, verdict in some:
            print(f"  {verdict.verdict:10} {change(mutant)}")
            print(f"             {mutant.span}  {mutant.id}  {_reason(verdict)}")
    print(summary(proof))


def _paragraph(mutant: Mutant) -> str:
    return ", ".join(mutant.ref) or "no paragraph"


def _reason(verdict: MutantVerdict) -> str:
    if verdict.reach < 0:
        return "no situation notices"
    if not verdict.reach:
        return "no situation reaches it"
    if not verdict.infect:
        return f"reached in {_situations(verdict.reach)}, always with the same value"
    return f"the value differs in {_situations(verdict.infect)}, none notices"


def _situations(count: int) -> str:
    return "1 situation" if count == 1 else f"{count} situations"


def summary(proof: Proof) -> str:
    """Return the score and the numbers behind it."""
    total, dropped = len(proof.judged), proof.counted(*DROPPED)
    noticed = proof.counted(*NOTICED)
    counts = ", ".join(
        f"{proof.counted(word)} {name}"
        for word, name in ((SURVIVED, "survive"), (UNREACHED, "unreached"))
    )
    return (
        f"{score(proof):.1f} % of {total - dropped} noticed ({noticed} noticed, {counts};"
        f" {dropped} left out, because they change nothing) in {proof.seconds:.0f} s"
    )


def score(proof: Proof) -> float:
    """Return the share of mutants that a situation notices, in percent."""
    counted = len(proof.judged) - proof.counted(*DROPPED)
    return 100 * proof.counted(*NOTICED) / counted if counted else 100.0


def proof_json(proof: Proof) -> dict[str, Any]:
    """Return all verdicts with stable keys."""
    return {
        "game": proof.game,
        "digest": proof.digest,
        "seconds": round(proof.seconds, 1),
        "score": round(score(proof), 2),
        "mutants": [_json(mutant, verdict) for mutant, verdict in proof.judged],
    }


def _json(mutant: Mutant, verdict: MutantVerdict) -> dict[str, Any]:
    at = mutant.span
    return {
        "id": mutant.id,
        "file": at.file,
        "span": [at.line, at.column, at.end_line, at.end_column],
        "library": mutant.library,
        "ref": list(mutant.ref),
        "operator": mutant.operator,
        "from": mutant.text,
        "to": mutant.detail,
        "verdict": verdict.verdict,
        "by": verdict.by,
        "place": verdict.place,
        "why": verdict.why,
        "reach": verdict.reach,
        "infect": verdict.infect,
    }
