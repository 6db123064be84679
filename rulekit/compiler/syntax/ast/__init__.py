"""Takes nothing, makes the node classes of the syntax tree: a rules file as written, each node with
its span.

`parse` makes these, `format` prints them back, `check` gives them a meaning. No node knows a type
or a meaning. They stand in one module for each subject; here they have their short names: `from
rulekit.compiler.syntax import tree as t`.
"""

from rulekit.compiler.syntax.ast.actions import *
from rulekit.compiler.syntax.ast.declarations import *
from rulekit.compiler.syntax.ast.expressions import *
from rulekit.compiler.syntax.ast.node import *
from rulekit.compiler.syntax.ast.statements import *
