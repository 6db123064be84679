"""Takes nothing, makes the classes of the checked model: a game with every name resolved and every
expression typed.

`check` makes it from syntax trees and data; the reference runs it as it is; `compile` lowers it.
Sugar is gone: what is left is a small core. All classes but types compare by identity. They stand
in one module for each subject; here they have their short names: `from rulekit import model as m`.

Values at run time, everywhere in rulekit: a bool is 0 or 1 (or a Python bool); a number is an int;
a member of a kind is its ordinal in data order, `none` is -1; a set over a kind is an int used as a
bit mask (bit i = member i); a ratio is a pair of ints.

Reading with a hole. Where a key or argument may be -1: an attribute, cell, table or define read
through it gives the "empty" value of its type (`empty(type)`: -1, 0, false, empty set); comparisons
are false where either side is -1 (both `=` and `!=`; the test for `none` itself is `IsNone`); a
member -1 is in no set.
"""

from rulekit.compiler.model.actions import *
from rulekit.compiler.model.declarations import *
from rulekit.compiler.model.entities import *
from rulekit.compiler.model.expressions import *
from rulekit.compiler.model.game import *
from rulekit.compiler.model.node import *
from rulekit.compiler.model.statements import *
