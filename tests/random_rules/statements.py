"""Random procedures as text: loops, conditions, events, assignments, dice, pools and decisions."""

from __future__ import annotations

import random
from collections.abc import Callable

from attrs import define, evolve, field

from tests.random_rules.expressions import KINDS, PARAMETERS, ExpressionWriter, Scope

WRITTEN = {  # assigned cells and the types of their values
    "{Zone}.holder": "Side?",
    "{Zone}.burnt": "bool",
    "{Zone}.grade": "Grade",
    "{Piece}.zone": "Zone?",
    "{Piece?}.weak": "bool",
    "{Piece}.foe": "Piece?",
    "{Piece}.rank": "Grade?",
    "{Tile}.mark": "Side?",
    "flag({Side}, {Zone})": "bool",
    "chosen": "Zone?",
    "leading": "Side",
    "hour": "int",
    "level": "Grade",
    "open_tiles": "Tile*",
    "count_of({Side}, {int})": "int",
    "{Zone}.guests": "Side*",
    "{Zone}.stock": "PF",
}
EVENTS = {
    "told": "({int})",
    "told_set": "({Piece*})",
    "told_piece": "({Piece?})",
    "entered": "({Piece}, {Zone})",
    "worn": "({Path}, {Side})",
    "graded": "({Zone}, {Grade})",
    "marched": "({Piece*}, {int})",
}
SUMMED = ("{Zone}.guests", "hour", "open_tiles", "count_of({Side}, {int})", "{Zone}.stock")


@define(eq=False)
class Writer:
    """Generates procedures.

    Attributes:
        known: earlier procedures that may be called.
    """

    expressions: ExpressionWriter
    known: list[str] = field(factory=list)

    @property
    def pick(self) -> random.Random:
        return self.expressions.pick

    def procedure(self, name: str, takes: str) -> str:
        """Return a whole declaration."""
        lines = self.block(Scope(), self.pick.randint(2, 5), 3, False)
        return "\n".join([f"procedure {name}{takes}", *("  " + line for line in lines)]) + "\n"

    def block(self, scope: Scope, count: int, depth: int, loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            made, scope = self.statement(scope, depth, loop)
            lines += made
        return lines

    def make(self, type: str, scope: Scope) -> str:
        return self.expressions.make(type, scope, self.pick.choice((1, 2, 2, 3)))

    def fill(self, form: str, scope: Scope) -> str:
        return self.expressions.fill(form, scope, self.pick.choice((2, 2, 3)))

    def fresh(self) -> str:
        self.expressions.count += 1
        return f"x{self.expressions.count}"

    def statement(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        """Return the lines of one statement, and the scope after it."""
        ways: list[Callable[[Scope, int, bool], tuple[list[str], Scope]]] = [
            self._event,
            self._event,
            self._event,
            self._assign,
            self._assign,
            self._let,
            self._leave,
            self._chance,
            self._call,
        ]
        if depth > 0:
            ways += [
                self._if,
                self._each,
                self._each,
                self._each,
                self._repeat,
                self._choose,
                self._pick,
            ]
        return self.pick.choice(ways)(scope, depth, loop)

    def guarded(self, line: str, scope: Scope) -> str:
        return f"{line} when {self.make('bool', scope)}" if self.pick.random() < 0.3 else line

    # ---------------------------------------------------------------------------- simple statements
    def _event(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        name = self.pick.choice(["told", *EVENTS])
        return [self.guarded(name + self.fill(EVENTS[name], scope), scope)], scope

    def _assign(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        cell, type = self.pick.choice(list(WRITTEN.items()))
        op = self.pick.choice([":=", "+=", "-="]) if cell in SUMMED else ":="
        return [
            self.guarded(f"{self.fill(cell, scope)} {op} {self.make(type, scope)}", scope)
        ], scope

    def _let(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        type, name = self.expressions.any_type(), self.fresh()
        return [f"let {name} = {self.make(type, scope)}"], evolve(
            scope, vars=[*scope.vars, (name, type)]
        )

    def _leave(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        word = "leave" if loop and self.pick.random() < 0.8 else "return"
        return [f"{word} when {self.make('bool', scope)}"], scope

    def _chance(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        way = self.pick.randrange(4)
        if way == 0:
            name = self.fresh()
            return [
                f"roll {name} = {self.pick.choice(['d6', '2d6'])} by {self.make('Side', scope)} for"
                " luck"
            ], evolve(scope, vars=[*scope.vars, (name, "int")])
        if way == 1:
            return [self.fill("draw {int} from cup to hand({Side})", scope)], scope
        if way == 2:
            return [self.fill("put {Chit} in hand({Side})", scope)], scope
        return ["gather spent to cup"], scope

    def _call(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        if not self.known or loop:
            return self._event(scope, depth, loop)
        gaps = ", ".join("{" + type + "}" for _, type in PARAMETERS)
        return [
            self.guarded(self.fill(f"{self.pick.choice(self.known)}({gaps})", scope), scope)
        ], scope

    # --------------------------------------------------------------------------------------- blocks
    def inner(self, scope: Scope, depth: int, loop: bool) -> list[str]:
        return ["  " + line for line in self.block(scope, self.pick.randint(1, 3), depth - 1, loop)]

    def _if(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        lines = [f"if {self.make('bool', scope)}", *self.inner(scope, depth, loop)]
        if self.pick.random() < 0.5:
            lines += ["else", *self.inner(scope, depth, loop)]
        return lines, scope

    def _each(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        name, kind = self.fresh(), self.pick.choice(KINDS[:7])
        inside = evolve(scope, vars=[*scope.vars, (name, kind)])
        way = self.pick.randrange(6)
        if way == 0:
            head = f"[{', '.join(self.make(kind, scope) for _ in range(2))}]"
        elif way == 1:
            head, inside = (
                f"{self.make('int', scope)} .. 4",
                evolve(scope, vars=[*scope.vars, (name, "int")]),
            )
        else:
            head = self.make(kind + "*", scope)
            if self.pick.random() < 0.6:
                head += f" where {self.make('bool', self.expressions.inside(kind, scope))}"
            if self.pick.random() < 0.4:
                sort = self.pick.choice(["int", "bool", "PF"])
                head += f" by {self.make(sort, self.expressions.inside(kind, scope))}"
            if self.pick.random() < 0.2:
                head += " live"
        return [f"each {name} in {head}", *self.inner(inside, depth, True)], scope

    def _repeat(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        head = self.pick.choice(
            [
                f"repeat {self.pick.randint(1, 3)} times",
                f"repeat at most {self.make('int', scope)}",
                f"repeat until {self.make('bool', scope)}, at most {self.pick.randint(1, 3)}",
            ]
        )
        return [head, *self.inner(scope, depth, True)], scope

    def _pick(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        name, kind = self.fresh(), self.pick.choice([*KINDS[:4], "Zone", "Piece"])
        source = self.make(kind + "*", scope)
        if self.pick.random() < 0.5:
            source += f" where {self.make('bool', self.expressions.inside(kind, scope))}"
        tail = ", or none" if self.pick.random() < 0.3 else ""
        type = kind + "?" if tail else kind
        by = self.make("Side", scope)
        if self.pick.random() < 0.3:
            sort = self.pick.choice(["int", "bool", "Grade"])
            keys = f" alike ({self.make(sort, self.expressions.inside(kind, scope))})"
            return [f'pick group {name} from {source} by {by}{keys} "who", 1 to 2'], evolve(
                scope, vars=[*scope.vars, (name, kind + "*")]
            )
        return [f'pick {name} from {source} by {by} "which"{tail}'], evolve(
            scope, vars=[*scope.vars, (name, type)]
        )

    def _choose(self, scope: Scope, depth: int, loop: bool) -> tuple[list[str], Scope]:
        lines = [f'choose by {self.make("Side", scope)} "what"']
        for _ in range(self.pick.randint(1, 3)):
            given = [
                (self.fresh(), self.pick.choice(["Zone", "Side", "Piece", "Tile", "0..3"]))
                for _ in range(self.pick.randint(0, 2))
            ]
            inside = evolve(
                scope, vars=[*scope.vars, *((n, "int" if t == "0..3" else t) for n, t in given)]
            )
            takes = f"({', '.join(f'{n}: {t}' for n, t in given)})" if given else ""
            lines.append(f'  option o{self.fresh()}{takes} "this"')
            for _ in range(self.pick.randint(0, 2)):
                if self.pick.random() < 0.25:
                    name, type = (
                        self.fresh(),
                        self.pick.choice(["int", "Zone?", "Piece", "PF", "bool"]),
                    )
                    lines.append(f"    with {name} = {self.make(type, inside)}")
                    inside = evolve(inside, vars=[*inside.vars, (name, type.rstrip("?"))])
                else:
                    lines.append(f"    when {self.make('bool', inside)}")
            lines += ["  " + line for line in self.inner(inside, depth, loop)]
        return lines, scope
