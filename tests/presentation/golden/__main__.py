"""Writes the golden files again: `python -m tests.presentation.golden`. Review the difference
before you commit it."""

from tests.presentation.recorded_seats import GOLDEN, PLAYS, lines

for name in PLAYS:
    (GOLDEN / f"{name}.txt").write_text("\n".join(lines(name)) + "\n", encoding="utf-8")
