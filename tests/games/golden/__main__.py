"""Writes the golden files anew: `python -m tests.games.golden`. Look at the difference before you commit it."""

import json

from tests.games.plays import GOLDEN, SCENARIOS, leaves, played, told

rows = []
for name, scenario in SCENARIOS:
    for seed in (1, 2):
        (GOLDEN / f"{name}_{scenario}_{seed}.txt").write_text("\n".join(told(played(name, scenario, seed))) + "\n", encoding="utf-8")
    for seed, choices in ((1, 20), (2, 60), (3, 110), (4, 160)):
        state = played(name, scenario, seed, choices)
        if not state.is_terminal():
            depth = 3 if len(state.legal_actions()) < 20 else 2
            rows.append((name, scenario, seed, choices, leaves(state, depth)))
(GOLDEN / "perft.json").write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")
