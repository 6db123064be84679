"""Every statement of the model is lowered. The lowering has a method for it by the name of its
class, among those that never decide or those that may."""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.lowering.procedures import Lower
from rulekit.compiler.model import statements


def test_each_statement_has_its_method() -> None:
    found = [
        each
        for each in vars(statements).values()
        if isinstance(each, type) and issubclass(each, m.Stmt) and each is not m.Stmt
    ]
    bare = [
        each.__name__
        for each in found
        if not any(hasattr(Lower, m.method_for(each, word)) for word in ("do", "flow"))
    ]
    assert len(found) > 20 and not bare
