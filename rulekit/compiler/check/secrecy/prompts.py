"""Find the variables whose values occur in the text of a decision, which everybody reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import define, field

from rulekit.common.i18n.message_format import names
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import called
from rulekit.compiler.model.visitor import nodes


@define(eq=False)
class Prompts:
    """The variables in the texts of the decisions of one game.

    Attributes:
        bodies: the statements of each procedure.
    """

    model: m.Model
    bodies: Mapping[m.Procedure, list[m.Block]]
    _callers: dict[m.Procedure, list[m.Procedure]] = field(factory=dict)
    _around: dict[m.Procedure, list[m.Procedure]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for proc, body in self.bodies.items():
            for node in nodes(body):
                for other, _ in called(node):
                    self._callers.setdefault(other, []).append(proc)

    def read(
        self, stmt: m.Choose | m.Pick | m.PickGroup | m.Window, proc: m.Procedure
    ) -> Iterator[m.Var]:
        """Yield the variables whose values occur in the text of a decision in this procedure."""
        if isinstance(stmt, m.Window):
            key, text = f"moment.{self._moment(stmt).replace(' ', '.')}", ""
            here = {v.name: v for v in (*proc.params, *proc.vars)}
        else:
            key, text, here = stmt.prompt, stmt.text, stmt.visible
        for name in sorted({name for each in (text, *self._said(key)) for name in names(each)}):
            if name in here:
                yield here[name]
            else:
                lent = [
                    v
                    for other in self.around(proc)
                    for v in (*other.params, *other.vars)
                    if v.name == name
                ]
                yield from [
                    v for v in lent if v.shared or v.frame is None or v in v.frame.params
                ] or lent

    def _moment(self, stmt: m.Window) -> str:
        return self.model.moments.members[stmt.moment] if self.model.moments is not None else ""

    def _said(self, key: str) -> Iterable[str]:
        """Return the texts of a key in all languages."""
        return [texts[key] for texts in self.model.texts.values() if key in texts]

    def around(self, proc: m.Procedure) -> list[m.Procedure]:
        """Return the procedures that may be running while this one runs."""
        if proc not in self._around:
            found: dict[m.Procedure, None] = {}
            todo = [proc]
            while todo:
                for other in (
                    *self._callers.get(each := todo.pop(), []),
                    *([each.context] if each.context is not None else []),
                ):
                    if other not in found and other is not proc:
                        found[other] = None
                        todo.append(other)
            self._around[proc] = list(found)
        return self._around[proc]
