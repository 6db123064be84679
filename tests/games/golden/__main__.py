"""Writes the golden files anew: `python -m tests.games.golden`. Look at the difference before you commit it."""

import json

import rulekit
from tests.games.test_sphacteria import GAME, GOLDEN, leaves, played, told

game = rulekit.load(GAME)
for seed in (1, 2):
    (GOLDEN / f"sphacteria_{seed}.txt").write_text("\n".join(told(played(game, seed))) + "\n", encoding="utf-8")
rows = [(seed, choices, leaves(played(game, seed, choices), 3)) for seed, choices in ((1, 20), (2, 60), (3, 110), (4, 160))]
(GOLDEN / "sphacteria_perft.json").write_text(json.dumps(rows) + "\n", encoding="utf-8")
