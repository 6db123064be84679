"""The options of a decision in the reference interpreter, found by plain loops over all parameters
that test each guard in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field, frozen

from rulekit.compiler import model as m
from rulekit.compiler.reference.store import ReferencePosition
from rulekit.compiler.semantics.values import Env


@frozen
class ReferenceOption:
    """One option of a decision.

    Attributes:
        bound: the parameters and `with` variables.
        tag: data that the asking statement needs to continue.
    """

    family: str
    params: tuple[int, ...]
    option: m.GuardedOption | None = None
    bound: Env = field(factory=dict)
    tag: Any = None


@define(eq=False)
class ReferenceDecision:
    """A point at which the game waits for a player.

    Attributes:
        who: the member of the deciding kind.
        kind: choose, pick, group, walk, window or tie.
    """

    who: int
    kind: str
    offers: list[ReferenceOption]
    prompt: str = ""

    @property
    def options(self) -> list[tuple[str, tuple[int, ...]]]:
        """(family, parameters) of each option, in order."""
        return [(o.family, o.params) for o in self.offers]


def legal(
    position: ReferencePosition, option: m.GuardedOption, me: int | None
) -> list[ReferenceOption]:
    """Return the instances of an option that pass all clauses, in lexicographic order of the
    parameters.
    """
    given = {} if option.me is None or me is None else {option.me: me}
    return [
        ReferenceOption(option.name, tuple(env[v] for v in option.params), option, env)
        for env in instances(position, option, given, {})
    ]


def instances(
    position: ReferencePosition, option: m.GuardedOption, given: Env, env: Env
) -> Iterator[Env]:
    """Yield the complete bindings that extend `env`, including the `with` variables. `env` binds
    the first parameters.
    """
    number = len(env)
    if number == len(option.params):
        done = passes(position, option, given, env)
        if done is not None:
            yield done
        return
    with position.binding({**given, **env}):
        values = domain(position, option, number)
    for value in values:
        yield from instances(position, option, given, {**env, option.params[number]: value})


def domain(position: ReferencePosition, option: m.GuardedOption, number: int) -> Sequence[int]:
    """Return the values of a parameter, in order."""
    type = option.params[number].type
    within = option.domains[number] if number < len(option.domains) else None
    if within is not None:
        return position.members(within)
    if isinstance(type, m.MemberOf):
        return range(type.kind.size)
    if isinstance(type, m.Int) and type.low is not None and type.high is not None:
        return range(type.low, type.high + 1)
    return range(2)


def passes(
    position: ReferencePosition, option: m.GuardedOption, given: Env, env: Env
) -> Env | None:
    """Return the binding with the `with` variables if every clause passes, otherwise None."""
    env = dict(env)
    for clause in option.clauses:
        with position.binding({**given, **env}):
            if isinstance(clause, m.With):
                env[clause.var] = position.value(clause.value)
                if isinstance(clause.value.type, m.MemberOf) and env[clause.var] == -1:
                    return None
            elif isinstance(clause, m.Guarded):
                if not position.holds(clause.cond):
                    return None
            elif isinstance(clause, m.Pays):
                if target_value(position, clause.target) < position.value(clause.amount):
                    return None
            elif count_of(position, clause) >= clause.count and not binds_not(position, clause):
                return None
    return env


def target_value(position: ReferencePosition, target: m.Var | m.ReadCell) -> int:
    return int(position.value(m.Read(target) if isinstance(target, m.Var) else target))


def binds_not(position: ReferencePosition, limit: m.Limit) -> bool:
    return limit.unless is not None and position.holds(limit.unless)


def count_of(position: ReferencePosition, limit: m.Limit) -> int:
    return int(position.value(m.ReadCell(limit.counter, limit.keys, type=limit.counter.type)))


# ------------------------------------------------------------------------------------------------ g
def keys_of(
    position: ReferencePosition, member: int, keys: list[m.Expr], var: m.Var | None
) -> tuple[int, ...]:
    """Return the sort keys of a member. The smallest sorts first, and for a bool, true sorts
    first.
    """
    env = position.bound if var is None else {**position.bound, var: member}
    return position.sort_keys(keys, env)


def classes_of(
    position: ReferencePosition, members: Sequence[int], keys: list[m.Expr], var: m.Var | None
) -> list[list[int]]:
    """Return the classes of members with equal keys, in the order of their lowest members.

    Without keys, each member is a class by itself.
    """
    classes: dict[tuple[int, ...], list[int]] = {}
    for x in members:
        classes.setdefault(keys_of(position, x, keys, var) if keys else (x,), []).append(x)
    return list(classes.values())


def group_offers(
    classes: Sequence[Sequence[int]],
    kept: Sequence[Sequence[int]],
    picked: Sequence[int],
    low: int,
    high: int,
) -> list[ReferenceOption]:
    """Return the next elements of a group, and `go`.

    Args:
        kept: for each class, the members that may be added.
        picked: the elements picked so far, in order.
    """
    last = next((i for i, c in enumerate(classes) if picked and picked[-1] in c), 0)
    free = [[x for x in c if i >= last and x not in picked] for i, c in enumerate(kept)]
    low = min(low, len(picked) + sum(map(len, free)))
    found = []
    for i, c in enumerate(free):
        if c and len(picked) < high and len(picked) + sum(map(len, free[i:])) >= low:
            found.append(ReferenceOption("add", (c[0],), tag=c[0]))
    if len(picked) >= low:
        found.append(ReferenceOption("go", ()))
    return found
