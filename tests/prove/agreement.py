"""Compare verdicts on mutants with those of games whose text is changed at the same place.

python -m tests.prove.agreement games/sphacteria 200
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from rulekit.common.errors import GameError, RulekitError
from rulekit.engine.game.game import Game
from rulekit.project.loader import Loader, find
from rulekit.prove.judge import NOTICED, SAME_CODE, MutantVerdict
from rulekit.prove.proving import Proving, situations_of
from rulekit.prove.slots import Mutant
from rulekit.prove.trial import fails

NO_TEXT = "the changed text is no game"


def by_text(proving: Proving, mutant: Mutant, into: Path) -> str:
    """Return the first situation that fails if the text is changed, '' or NO_TEXT.

    Args:
        into: an empty folder, for a copy of the game and of the folders beside it.
    """
    assert mutant.edit is not None
    span, text = mutant.edit
    around = proving.folder.resolve().parent
    shutil.copytree(around, into / "games", ignore=shutil.ignore_patterns("reversals.yaml"))
    file = next(
        each
        for each in (into / "games").rglob("*.rules")
        if each.read_text(encoding="utf-8").splitlines() == proving.written.files[span.file]
    )
    file.write_text(proving.written.replaced(span, text) + "\n", encoding="utf-8")
    folder = into / "games" / proving.folder.name
    try:
        loader = Loader(folder)
        game = Game(loader.info(), loader.program)
        game.program()
    except GameError:
        return NO_TEXT
    cases = situations_of(Game(proving.loader.info(), proving.loader.program), proving.folder)
    for case in cases:
        if why := fails(game, case, 20):
            return f"{case.name}: {why}"
    return ""


def differences(folder: Path, count: int, seed: int, tell: bool = False) -> list[str]:
    """Return the mutants of a sample on which the two ways disagree."""
    proving = Proving(folder)
    some = [each for each in proving.mutants if each.edit is not None]
    chosen = random.Random(seed).sample(some, min(count, len(some)))
    proof = proving.judged({each.id for each in chosen})
    wrong, counts = [], Counter[str]()
    for mutant, verdict in proof.judged:
        with tempfile.TemporaryDirectory() as into:
            try:
                found = by_text(proving, mutant, Path(into))
            except RulekitError as error:
                found = str(error)
        same = found == NO_TEXT or bool(found) == (verdict.verdict in NOTICED)
        counts[NO_TEXT if found == NO_TEXT else "same" if same else "different"] += 1
        if not same:
            wrong.append(_told(mutant, verdict, found))
        if tell:
            print(dict(counts), *([] if same else wrong[-1:]), flush=True)
    return wrong


def _told(mutant: Mutant, verdict: MutantVerdict, found: str) -> str:
    change = (
        f"{mutant.operator} {mutant.detail} {mutant.text!r} -> {mutant.edit and mutant.edit[1]!r}"
    )
    return f"{mutant.span} {change}: {verdict.verdict} {verdict.by!r}, by text {found!r}"


assert SAME_CODE not in NOTICED

if __name__ == "__main__":
    print("\n".join(differences(find(sys.argv[1]), int(sys.argv[2]), 0, tell=True)) or "all agree")
