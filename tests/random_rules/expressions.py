"""Random expressions of a given type as text, over the things of `base`, with the whole expression
language."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from attrs import define, evolve, field

BOOL, RATIO = "bool", "ratio"
# bool, ratio, int, PF, PM, a kind (a member), a kind with ? (or none), a kind with * (a set)
Type = str

MEMBERS = {
    "Side": ["red", "blue"],
    "Ground": ["clear", "rough", "river"],
    "Arm": ["foot", "rider", "leader"],
    "Grade": ["low", "mid", "high"],
    "Zone": ["camp", "ford", "hill", "wood", "town"],
    "Piece": ["L1", "F2"],
    "Tile": ["a1", "a2", "c2"],
    "Chit": ["storm", "mist"],
    "Card": ["drums", "panic"],
    "Path": [],
    "Row": [],
}
KINDS = list(MEMBERS)
NUMBERS = ("int", "PF", "PM")

# Attributes: (kind, name, type). In a filter they are used without a member.
ATTRIBUTES = [
    ("Side", "enemy", "Side"),
    ("Grade", "worth", "int"),
    ("Zone", "ground", "Ground"),
    ("Zone", "room", "int"),
    ("Zone", "gate", "Zone?"),
    ("Zone", "holder", "Side?"),
    ("Zone", "burnt", BOOL),
    ("Zone", "grade", "Grade"),
    ("Zone", "stock", "PF"),
    ("Zone", "guests", "Side*"),
    ("Path", "steep", BOOL),
    ("Piece", "owner", "Side"),
    ("Piece", "arm", "Arm"),
    ("Piece", "front", "PF"),
    ("Piece", "speed", "PM"),
    ("Piece", "home", "Zone?"),
    ("Piece", "zone", "Zone?"),
    ("Piece", "weak", BOOL),
    ("Piece", "foe", "Piece?"),
    ("Piece", "rank", "Grade?"),
    ("Piece", "pf", "PF"),
    ("Piece", "here_with", "Piece*"),
    ("Tile", "mark", "Side?"),
    ("Row", "cells", "Tile*"),
    ("Card", "played", "Side*"),
    ("Tile", "row", "int"),
    ("Tile", "col", "int"),
]
# (type, form). {T} is any expression of type T, in parentheses if necessary. A pure call without
# a number as value passes `none` on.
FORMS: list[tuple[Type, str]] = [
    (BOOL, "{int} = {int}"),
    (BOOL, "{int} < {int}"),
    (BOOL, "{PF} >= {PF}"),
    (BOOL, "{PM} != {PM}"),
    (BOOL, "{bool} = {bool}"),
    (BOOL, "{Grade} < {Grade?}"),
    (BOOL, "{Grade?} >= {Grade}"),
    (BOOL, "{int} in {int} .. {int}"),
    (BOOL, "{int} not in {int} .. {int}"),
    (BOOL, "{int} in [{int}, {int}]"),
    (BOOL, "{bool} and {bool}"),
    (BOOL, "{bool} or {bool}"),
    (BOOL, "{bool} and {bool} and {bool}"),
    (BOOL, "{bool} or {bool} or {bool}"),
    (BOOL, "not {bool}"),
    (BOOL, "{bool} if {bool} else {bool}"),
    (BOOL, "{Zone?} is rough"),
    (BOOL, "{Piece} is not leader"),
    (BOOL, "{Piece?} is foot"),
    (BOOL, "{Zone}.inside({Zone?})"),
    (BOOL, "{Card}.guard({Side})"),
    (BOOL, "may_enter({Piece?}, {Zone?})"),
    (BOOL, "may_enter({Piece}, {Zone})"),
    (BOOL, "mercy is denied"),
    (BOOL, "flag({Side?}, {Zone?})"),
    (BOOL, "flag({Side}, {Zone})"),
    (BOOL, "stronger({int} to {int}, {PF} to {PF})"),
    (BOOL, "{Chit} in cup"),
    (BOOL, "force.led applies"),
    (BOOL, "force.hill applies"),
    (BOOL, "force.spread applies"),
    ("int", "{int} + {int}"),
    ("int", "{int} - {int}"),
    ("int", "{int} * {int}"),
    ("int", "{int} / {int} up"),
    ("int", "{int} / {int} down"),
    ("int", "-{int}"),
    ("int", "{int} if {bool} else {int}"),
    ("int", "({PF} as int)"),
    ("int", "min({int}, {int})"),
    ("int", "max({int}, {int}, {int})"),
    ("int", "quarter({int})"),
    ("int", "unused({int}, {Piece}, {bool})"),
    ("int", "pick_of({Grade}, {int}, {Zone?})"),
    ("int", "fire({int}, {Ground})"),
    ("int", "loss({int}, {Arm}).def"),
    ("int", "{Card}.price({Zone}, {int})"),
    ("int", "count_of({Side}, {int})"),
    ("int", "{Side}.bonus({int})"),
    ("int", "{Path}.used({Side})"),
    ("int", "hour"),
    ("int", "hour"),
    ("int", "count hand({Side})"),
    ("int", "({Zone?}.room ?? {int})"),
    ("PF", "{PF} + {PF}"),
    ("PF", "{PF} - {PF}"),
    ("PF", "{PF} * {int}"),
    ("PF", "{PF} / {int} up"),
    ("PF", "{PF} / {int} down"),
    ("PF", "({int} as PF)"),
    ("PF", "force({Side}, {Zone})"),
    ("PF", "max({PF}, {PF})"),
    ("PF", "{PF} if {bool} else {PF}"),
    ("PF", "({Zone?}.stock ?? {PF})"),
    ("PF", "({Piece?}.pf ?? {PF})"),
    ("PM", "{PM} + {PM}"),
    ("PM", "({int} as PM)"),
    ("PM", "steps({int})"),
    ("PM", "square({int})"),
    ("PM", "march_cost({Path}, {Zone})"),
    ("PM", "{PM} if {bool} else {PM}"),
    ("PM", "{PM} / 2 down"),
    ("Side", "leading"),
    ("Grade", "level"),
    ("Grade", "{Grade} + {int}"),
    ("Grade", "{Grade?} - {int}"),
    ("Grade", "max({Grade}, {Grade})"),
    ("Grade", "odds({int} to {int})"),
    ("Grade", "odds({PF} to {PF})"),
    ("Grade", "loss({int}, {Arm}).att"),
    ("Zone?", "chosen"),
    ("Tile?", "{Tile}.shift({int}, {int})"),
    ("Piece?", "lone({Zone?})"),
    ("Piece", "lone({Zone})"),
    ("Piece*", "pieces({Side}, {Zone})"),
    ("Piece*", "units({Side?}, {Zone?})"),
    ("Zone*", "near({Zone?})"),
    ("Zone*", "{Zone?}.neighbours"),
    ("Zone*", "{Zone}.within(2, Path where not steep)"),
    ("Zone*", "{Zone?}.within({int}, {Path*})"),
    ("Zone*", "{Zone}.within({int}, Path, {Zone*})"),
    ("Zone*", "{Zone?}.nearest({Zone*}, {Path*}, {Zone*})"),
    ("Zone*", "{Zone}.nearest({Zone*}, Path where not steep)"),
    ("int", "({Zone}.distance({Zone}, Path) ?? 9)"),
    ("int", "({Zone}.distance({Zone}, {Path*}) ?? {int})"),
    (BOOL, "{Zone}.distance({Zone}, Path where steep, {Zone*}) = none"),
    (BOOL, "{Zone}.distance({Zone}, {Path*}, {Zone*}) <= {int}"),
    ("Zone*", "reach march({Piece*}, {Side}) from {Zone}"),
    ("Zone*", "reach march(pieces({Side}, {Zone}), {Side}) from {Zone}"),
    ("Tile*", "open_tiles"),
    ("Chit*", "cup"),
    ("Chit*", "hand({Side})"),
    ("Chit*", "spent"),
    (RATIO, "{int} to {int}"),
    (RATIO, "{PF} to {PF}"),
]
BY_TYPE: dict[Type, list[str]] = {}
for _type, _form in FORMS:
    BY_TYPE.setdefault(_type, []).append(_form)
# Simple expressions that may be none, and their types after a test.
PATHS = [
    ("chosen", "Zone"),
    ("p", "Piece"),
    ("z.holder", "Side"),
    ("q.zone", "Zone"),
    ("q.rank", "Grade"),
    ("z.gate", "Zone"),
    ("q.foe", "Piece"),
    ("z.gate.holder", "Side"),
]
PARAMETERS = [
    ("s", "Side"),
    ("z", "Zone"),
    ("p", "Piece?"),
    ("q", "Piece"),
    ("n", "int"),
    ("u", "PF"),
    ("b", BOOL),
    ("g", "Piece*"),
    ("t", "Tile"),
]


def kind_of(type: Type) -> str:
    return type.rstrip("?*")


@define(eq=False)
class Scope:
    """The visible names of an expression.

    Attributes:
        element: the kind whose attributes have bare names.
        more: texts that are known to be present.
    """

    vars: Sequence[tuple[str, Type]] = PARAMETERS
    element: str = ""
    more: tuple[tuple[str, Type], ...] = ()

    def atoms(self, type: Type) -> list[str]:
        """Return the names of this type."""
        found = [name for name, t in (*self.vars, *self.more) if t == type]
        if self.element == type:
            found += ["it", "it"]
        return found + [name for kind, name, t in ATTRIBUTES if kind == self.element and t == type]


@define(eq=False)
class ExpressionWriter:
    """Generates expressions.

    Attributes:
        extra: further forms, such as calls of earlier definitions.
        public: avoid values that only some may see.
    """

    pick: random.Random
    extra: dict[Type, list[str]] = field(factory=dict)
    public: bool = False
    count: int = 0

    def any_type(self) -> Type:
        kind = self.pick.choice(KINDS[:7])
        return self.pick.choice(
            [BOOL, BOOL, BOOL, "int", "int", "int", "PF", "PM", kind, kind + "?", kind + "*"]
        )

    def make(self, type: Type, scope: Scope, depth: int) -> str:
        """Return an expression of this type, in parentheses unless it is one word or a call."""
        text = self._leaf(type, scope) if depth <= 0 else self._made(type, scope, depth)
        return text if _closed(text) else f"({text})"

    def fill(self, form: str, scope: Scope, depth: int) -> str:
        """Fill the gaps of a form. Brackets in it stand for braces. Nothing is compared with
        itself."""
        out, rest = "", form
        while "{" in rest:
            before, _, rest = rest.partition("{")
            type, _, rest = rest.partition("}")
            out += before.replace("[", "{") + self.make(
                type, scope, depth - 1 - (self.pick.random() < 0.3)
            )
        text = out + rest.replace("]", "}")
        left, _, right = text.partition(
            next((word for word in (" = ", " < ", " >= ", " != ") if word in form), "\0")
        )
        return self.fill(form, scope, depth + 1) if left == right else text

    # --------------------------------------------------------------------------------------- leaves
    def _leaf(self, type: Type, scope: Scope) -> str:
        found = scope.atoms(type)
        kind = kind_of(type)
        if found and (self.pick.random() < 0.7 or not MEMBERS.get(kind)):
            return self.pick.choice(found)
        if type == BOOL:
            return self.pick.choice(
                [
                    "true",
                    "false",
                    "b",
                    "z.burnt",
                    "q.weak",
                    "some Zone",
                    f"hour = {self.pick.randrange(4)}",
                ]
            )
        if type in NUMBERS:
            return f"{self.pick.choice((0, 0, 1, 2, 3, 4))}{'' if type == 'int' else ' ' + type}"
        if type == RATIO:
            return "2 to 1"
        if type.endswith("*"):
            return (
                kind
                if self.pick.random() < 0.6 or not MEMBERS[kind]
                else "{" + self.pick.choice(MEMBERS[kind]) + "}"
            )
        if type.endswith("?"):
            paths = [path for path, k in PATHS if k == kind]
            return self.pick.choice(paths) if paths else f"first({kind} by 0)"
        return self.pick.choice(MEMBERS[kind]) if MEMBERS[kind] else f"the(first({kind} by 0))"

    # ------------------------------------------------------------------------------ all expressions
    def _made(self, type: Type, scope: Scope, depth: int) -> str:
        """Return a value of this type in one of all possible forms."""
        ways: list[Callable[[], str]] = [lambda: self._leaf(type, scope)]
        forms = [*BY_TYPE.get(type, ()), *self.extra.get(type, ())]
        if self.public:
            forms = [form for form in forms if "cup" not in form and "hand(" not in form]
        if forms:
            ways += [lambda: self.fill(self.pick.choice(forms), scope, depth)] * (
                8 if len(forms) > 3 else 2
            )
        owners = [(kind, name) for kind, name, t in ATTRIBUTES if t == type]
        if owners:
            ways += [lambda: self._attribute(type, owners, scope, depth)] * 2
        ways += [lambda: self._guarded(type, scope, depth)]
        if type == BOOL:
            ways += [lambda: self._test(scope, depth)] * 8
        elif type in NUMBERS:
            ways += [lambda: self._aggregate(type, scope, depth)] * 5
        elif type.endswith("*"):
            ways += [lambda: self._set(type, scope, depth)] * 6
        elif type.endswith("?"):
            ways += [lambda: self._maybe(type, scope, depth)] * 5
        elif type in KINDS:
            ways += [lambda: self._one(type, scope, depth)] * 3
        return self.pick.choice(ways)()

    def _attribute(
        self, type: Type, owners: list[tuple[str, str]], scope: Scope, depth: int
    ) -> str:
        """Return an attribute of a member. For values that are not numbers, the member may be
        none."""
        kind, name = self.pick.choice(owners)
        optional = (
            type not in NUMBERS
            and (type.endswith("?") or type == BOOL or type.endswith("*"))
            and self.pick.random() < 0.4
        )
        return f"{self.make(kind + '?' if optional else kind, scope, depth - 1)}.{name}"

    def _guarded(self, type: Type, scope: Scope, depth: int) -> str:
        """Test a thing that may be none, and then use it."""
        path, kind = self.pick.choice(PATHS)
        if scope.element and path.split(".")[0] in {
            name for k, name, _ in ATTRIBUTES if k == scope.element
        }:
            return self._leaf(type, scope)
        inner = evolve(scope, more=(*scope.more, (path, kind), (path, kind)))
        if type == BOOL:
            word = self.pick.choice(["!= none and", "= none or"])
            return f"{path} {word} {self.make(type, inner, depth - 1)}"
        if self.pick.random() < 0.5:
            return (
                f"{self.make(type, inner, depth - 1)} if {path} != none else"
                f" {self.make(type, scope, depth - 1)}"
            )
        return (
            f"{self.make(type, scope, depth - 1)} if {path} = none else"
            f" {self.make(type, inner, depth - 1)}"
        )

    def inside(self, kind: str, scope: Scope) -> Scope:
        """Return the scope in a filter."""
        return evolve(scope, element=kind)

    def _test(self, scope: Scope, depth: int) -> str:
        kind = self.pick.choice(KINDS)
        way = self.pick.randrange(7)
        if way == 0:
            return self.fill(
                f"{{{kind}?}} {self.pick.choice(['=', '!='])} {{{kind}}}", scope, depth
            )
        if way == 1:
            return f"{self.make(kind + '?', scope, depth - 1)} {self.pick.choice(['=', '!='])} none"
        if way == 2:
            word = self.pick.choice(["in", "not in"])
            return (
                f"{self.make(kind + self.pick.choice(['', '?']), scope, depth - 1)} {word}"
                f" {self.make(kind + '*', scope, depth - 1)}"
            )
        source = self.make(kind + "*", scope, depth - 1)
        if way == 3:
            return f"{self.pick.choice(['some', 'no'])} {source}"
        if way == 4:
            return self.fill(f"{{{kind}*}} = {{{kind}*}}", scope, depth)
        return (
            f"{source} {self.pick.choice(['has', 'only', 'all'])}"
            f" {self.make(BOOL, self.inside(kind, scope), depth - 1)}"
        )

    def _aggregate(self, type: Type, scope: Scope, depth: int) -> str:
        kind = self.pick.choice(KINDS)
        source = self.make(kind + "*", scope, depth - 1)
        if type == "int" and self.pick.random() < 0.4:
            return f"count {source}"
        word = self.pick.choice(["sum", "median", "min", "max"])
        return f"{word}({self.make(type, self.inside(kind, scope), depth - 1)} of {source})"

    def _set(self, type: Type, scope: Scope, depth: int) -> str:
        kind = kind_of(type)
        way = self.pick.randrange(8)
        if way < 3:
            inside = self.inside(kind, scope)
            source = self.make(type, scope, depth - 1)
            if self.pick.random() < 0.4 and not scope.element:
                self.count += 1
                name = f"v{self.count}"
                named = evolve(inside, vars=[*scope.vars, (name, kind)])
                return f"{source} {name} where {self.make(BOOL, named, depth - 1)}"
            return f"{source} where {self.make(BOOL, inside, depth - 1)}"
        if way == 3:
            return (
                f"{self.make(type, scope, depth - 1)} {self.pick.choice('+-')}"
                f" {self.make(type, scope, depth - 1)}"
            )
        if way == 4:
            other = self.pick.choice(KINDS)
            value = self.make(
                self.pick.choice([kind, kind + "?", type]), self.inside(other, scope), depth - 1
            )
            return f"values({value} of {self.make(other + '*', scope, depth - 1)})"
        if way == 5:
            items = [
                self.make(self.pick.choice([kind, kind + "?", type]), scope, depth - 1)
                for _ in range(self.pick.randint(1, 3))
            ]
            return "{" + ", ".join(items) + "}"
        if way == 6:
            return (
                f"{self.make(type, scope, depth - 1)} if {self.make(BOOL, scope, depth - 1)} else"
                f" {self.make(type, scope, depth - 1)}"
            )
        return self._leaf(type, scope)

    def _maybe(self, type: Type, scope: Scope, depth: int) -> str:
        kind = kind_of(type)
        way = self.pick.randrange(4)
        if way == 0:
            inside = self.inside(kind, scope)
            keys = [
                self.make(self.pick.choice([BOOL, "int", "PF", "Grade"]), inside, depth - 1)
                for _ in range(self.pick.randint(1, 2))
            ]
            return f"first({self.make(kind + '*', scope, depth - 1)} by {', '.join(keys)})"
        if way == 1:
            return f"{self.make(type, scope, depth - 1)} ?? {self.make(type, scope, depth - 1)}"
        if way == 2:
            return (
                f"{self.make(type, scope, depth - 1)} if {self.make(BOOL, scope, depth - 1)} else"
                f" {self.make(kind, scope, depth - 1)}"
            )
        return self._leaf(type, scope)

    def _one(self, type: Type, scope: Scope, depth: int) -> str:
        way = self.pick.randrange(4)
        if way == 0:
            return f"the({self.make(type + self.pick.choice('?*'), scope, depth - 1)})"
        if way == 1:
            return (
                f"{self.make(type + '?', scope, depth - 1)} ?? {self.make(type, scope, depth - 1)}"
            )
        if way == 2:
            return (
                f"{self.make(type, scope, depth - 1)} if {self.make(BOOL, scope, depth - 1)} else"
                f" {self.make(type, scope, depth - 1)}"
            )
        return self._leaf(type, scope)


def _closed(text: str) -> bool:
    """Return True if a text needs no parentheses: a word, a path, a call."""
    depth = -1 if text.startswith("the(") else 0  # it would include the following tokens
    for c in text:
        depth += (c in "({") - (c in ")}")
        if depth == 0 and not (c.isalnum() or c in "_.?)}"):
            return False
    return True
