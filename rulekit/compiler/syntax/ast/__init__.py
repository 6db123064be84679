"""The syntax tree: a rules file as written, each node with its span.

`parse` creates the nodes, the formatter prints the file again, and `check` gives them a meaning. No
node has a type. Each subject has its own module. This package re-exports them all under short
names: `from rulekit.compiler.syntax import ast as t`.
"""

from rulekit.compiler.syntax.ast.actions import *
from rulekit.compiler.syntax.ast.declarations import *
from rulekit.compiler.syntax.ast.expressions import *
from rulekit.compiler.syntax.ast.node import *
from rulekit.compiler.syntax.ast.statements import *
