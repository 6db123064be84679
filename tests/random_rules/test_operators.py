"""Every operator of the model can be written, and all variants give its value."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import attrs

from rulekit.compiler.model import visitor
from tests.compiler.model.samples import EXPRESSIONS
from tests.random_rules.batch import TAKES, Batch

# Expressions that read the state or a parameter, so that emitted code evaluates them at run time.
SHOWN = {
    ("Aggregate", "sum"): "PF = sum(pf of g)",
    ("Aggregate", "min"): "PF = min(pf of g)",
    ("Aggregate", "max"): "PF = max(pf of g)",
    ("Aggregate", "median"): "PF = median(pf of g)",
    ("Arith", "+"): "int = n + hour",
    ("Arith", "-"): "int = n - hour",
    ("Arith", "*"): "int = n * hour",
    ("Arith", "up"): "int = hour / n up",
    ("Arith", "down"): "int = hour / n down",
    ("Compare", "="): "bool = n = hour",
    ("Compare", "!="): "bool = n != hour",
    ("Compare", "<"): "bool = n < hour",
    ("Compare", "<="): "bool = n <= hour",
    ("Compare", ">"): "bool = n > hour",
    ("Compare", ">="): "bool = n >= hour",
    ("Count", "count"): "int = count g",
    ("Count", "no"): "bool = no g",
    ("Count", "some"): "bool = some g",
    ("Least", "max"): "int = max(n, hour, 2)",
    ("Least", "min"): "int = min(n, hour, 2)",
    ("Ways", "distance"): "int = z.distance(camp, Path where it.used(s) = 0) ?? 9",
    ("Ways", "nearest"): "set Zone = z.nearest(Zone where burnt, Path, Zone where holder = s)",
    ("Ways", "within"): "set Zone = z.within(n, Path)",
    ("SetOp", "+"): "set Piece = g + units(s, z)",
    ("SetOp", "-"): "set Piece = g - units(s, z)",
}


def operators(cls: Any) -> list[tuple[str, str]]:
    """Return the operators of a class of expressions, with the name of the class."""
    types = get_type_hints(cls)
    return [
        (cls.__name__, op)
        for f in attrs.fields(cls)
        if get_origin(types[f.name]) is Literal
        for op in get_args(types[f.name])
    ]


def test_each_operator_is_shown() -> None:
    assert set(SHOWN) == {each for cls in EXPRESSIONS for each in operators(cls)}


def test_all_variants_give_what_an_operator_means() -> None:
    batch = Batch(
        1, len(SHOWN), [f"define e{i}{TAKES}: {text}\n" for i, text in enumerate(SHOWN.values())]
    )
    batch.check()
    assert batch.model is not None and not batch.refused
    for i, which in enumerate(SHOWN):
        made = next(each for each in batch.model.defines if each.name == f"e{i}")
        assert which in [
            (type(node).__name__, getattr(node, "op", "")) for node in visitor.nodes(made)
        ]
    assert batch.play(12) == []
