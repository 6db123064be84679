"""Numbers that the engine and emitted code share: first slots of a state, built-in events."""

from __future__ import annotations

# slots of the machine
PC = 0  # the present decision. 0 means that the game is over
LAYERS = 1  # the options of the decision, or None. Derived, so no part of the state's value
SEED = 2
COUNTER = 3  # the number of random results drawn from the seed
SCRIPT = 4  # scripted results (see `intrinsics.script`), or 0
HERE = 5  # the innermost open moment, or -1
WINNER = 6
LEVEL = 7
SPARE = 8  # the slot of the innermost walk for `answer halt`
FIRST_SLOT = 9

MAX_ACTIVATIONS = 4  # of a reentrant procedure within itself: in its slots and its save areas

BARE_END = -2  # in PC: a bare procedure has ended
NOT_BEGUN = -1  # in PC: nothing has run yet

# built-in events. The place of a cell is the row-major number of its keys
CHANGED = 0  # (cell, place, new value): a write outside an event
DIE_ROLLED = 1  # (purpose, who, value)
ROLL_CANCELLED = 2  # (purpose, who, value): the one before is rolled again
DRAWN = 3  # (from cell, from place, to cell, to place, member)
PUT = 4  # (cell, place, member, from cell or -1, from place)
GATHERED = 5  # (from cell, from place, to cell, to place, mask)
REVEALED = 6  # (kind, member): its place or identity is now publicly known
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
