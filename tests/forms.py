"""Compiles all variants of games into the cache. Otherwise parallel parts of the tests would
compile the same game several times."""

import sys

import rulekit
from rulekit.runtime.variants import VARIANTS

for folder in sys.argv[1:]:
    game = rulekit.load(folder, native=True)
    for variant in VARIANTS:
        game.program().code(variant)
