"""Takes folders of games, makes all forms of each at once and leaves them in the cache: else every
part of the tests that wants one of them first lowers the game anew, some of them at the same
time."""

import sys

import rulekit
from rulekit.runtime.variants import VARIANTS

for folder in sys.argv[1:]:
    game = rulekit.load(folder, native=True)
    for variant in VARIANTS:
        game.program().code(variant)
