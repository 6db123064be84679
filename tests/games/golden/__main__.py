"""Writes the golden files again: `python -m tests.games.golden`. Review the difference before you
commit it."""

import json

from tests.games.plays import GOLDEN, SCENARIOS, WAR, leaves, played, told


def trees(
    name: str, scenario: str, places: tuple[tuple[int, int], ...]
) -> list[tuple[str, str, int, int, list[int]]]:
    """Return the number of following positions for these positions (seed, number of choices),
    unless the game has ended."""
    found = []
    for seed, choices in places:
        state = played(name, scenario, seed, choices)
        if not state.is_terminal():
            found.append(
                (
                    name,
                    scenario,
                    seed,
                    choices,
                    leaves(state, 3 if len(state.legal_actions()) < 20 else 2),
                )
            )
    return found


rows = []
for name, scenario in SCENARIOS:
    for seed in (1, 2):
        (GOLDEN / f"{name}_{scenario}_{seed}.txt").write_text(
            "\n".join(told(played(name, scenario, seed))) + "\n", encoding="utf-8"
        )
    rows += trees(name, scenario, ((1, 20), (2, 60), (3, 110), (4, 160)))
for scenario in WAR:
    (GOLDEN / "war" / f"{scenario}.txt").write_text(
        "\n".join(told(played("peloponnesian_war", scenario, 1))) + "\n", encoding="utf-8"
    )
    rows += trees("peloponnesian_war", scenario, ((1, 8), (2, 30), (3, 75), (4, 150)))
(GOLDEN / "perft.json").write_text(
    "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8"
)
