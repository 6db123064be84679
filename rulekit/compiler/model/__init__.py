"""The checked model: a game with every name resolved and every expression typed.

`check` builds it from syntax trees and data. The reference interpreter runs it directly, and the
lowering translates it. Syntactic sugar has been expanded, so a small core remains. All classes
except types compare by identity. Each subject has its own module. This package re-exports them all
under short names: `from rulekit.compiler import model as m`.

Values at run time are the same everywhere in rulekit:

- A bool is 0 or 1 (or a Python bool), and a number is an int.
- A member of a kind is its ordinal in data order, and `none` is -1.
- A set over a kind is a bit mask (bit i = member i).
- A ratio is a pair of ints.

A key or argument may be a missing value (-1). An attribute, cell, table or define that is read with
one returns the empty value of its type (`empty(type)`: -1, 0, false or the empty set). A comparison
is false if either side is -1, for `=` as well as `!=`. `IsNone` tests for `none` itself. No set
contains the member -1.
"""

from rulekit.compiler.model.actions import *
from rulekit.compiler.model.declarations import *
from rulekit.compiler.model.entities import *
from rulekit.compiler.model.expressions import *
from rulekit.compiler.model.game import *
from rulekit.compiler.model.node import *
from rulekit.compiler.model.statements import *
