"""Takes nothing, makes the node classes of the syntax tree: a rules file as written, each node with its span.

`parse` makes these, `format` prints them back, `check` gives them a meaning. No node knows a type or a meaning. They stand in one module
for each subject; here they have their short names: `from rulekit.syntax import tree as t`.
"""

from rulekit.syntax.tree.declarations import *
from rulekit.syntax.tree.expressions import *
from rulekit.syntax.tree.happenings import *
from rulekit.syntax.tree.nodes import *
from rulekit.syntax.tree.statements import *
