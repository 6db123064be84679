"""Takes nothing, makes the numbers that the engine and emitted code agree on: the first slots of a
state, the built-in events."""

from __future__ import annotations

# slots of the machine
PC = 0  # the decision at which play stands; 0: the game is over
LAYERS = 1  # derived: the options of the decision, or None; not part of the state's value
SEED = 2
COUNTER = 3  # of random results drawn from the seed
SCRIPT = 4  # scripted results, see `runtime.script`; 0: none
HERE = 5  # the innermost open moment or -1
WINNER = 6
LEVEL = 7
SPARE = 8  # innermost walk's slot for `answer halt`
FIRST_SLOT = 9

BARE_END = -2  # in PC: a bare procedure has ended
NOT_BEGUN = -1  # in PC: nothing has run yet

# built-in events. `place` of a cell: its row-major key ordinal
CHANGED = 0  # (cell, place, new value): a write outside an event
DIE_ROLLED = 1  # (purpose, who, value)
ROLL_CANCELLED = 2  # (purpose, who, value): the one before is rolled again
DRAWN = 3  # (from cell, from place, to cell, to place, member)
PUT = 4  # (cell, place, member, from cell or -1, from place)
GATHERED = 5  # (from cell, from place, to cell, to place, mask)
REVEALED = 6  # (kind, member): everybody knows now where it is, or what it is
SCOPE_ENDED = 7  # (procedure)
FINISHED = 8  # (who, level)
PHASE_BEGUN = 9  # (procedure, argument ...)
BUILT_IN = (
    "changed",
    "die_rolled",
    "roll_cancelled",
    "drawn",
    "put",
    "gathered",
    "revealed",
    "scope_ended",
    "finished",
    "phase_begun",
)
FIRST_EVENT = 16  # event i of the author has the id FIRST_EVENT + i
