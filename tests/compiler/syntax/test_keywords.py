"""The words of the grammar equal those of the tree's nodes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import rulekit.compiler.syntax
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.ast_builder_actions import Builder
from rulekit.compiler.syntax.lexer import KEYWORDS
from rulekit.compiler.syntax.parser_tables import parser

GRAMMAR = (Path(rulekit.compiler.syntax.__file__).parent / "grammar.lark").read_text(
    encoding="utf-8"
)
RULES: dict[
    tuple[Any, str], tuple[str, ...]
] = {  # the rules of the grammar that give a node its keyword
    (t.AggregateSyntax, "word"): ("aggregate",),
    (t.MinMax, "word"): ("minmax",),
    (t.Quant, "word"): ("quant",),
    (t.Binary, "op"): ("binary", "binary_two_words", "divide"),
}


def words(rule: str) -> set[str]:
    """Return the first words or signs in each alternative of a rule. Several consecutive ones count
    as one."""
    found = set()
    for line in re.findall(rf"^(?:.*: )?(.*)-> {rule}$", GRAMMAR, re.MULTILINE):
        alternative = line.rsplit(" | ", 1)[-1] if "(" not in line else line
        choice = re.search(r'\(("[^)]*")\)', alternative)
        plain = " ".join(re.findall(r'"([^"]+)"', alternative))
        found |= (
            set(re.findall(r'"([^"]+)"', choice[1]))
            if choice and rule != "divide"
            else {plain.split()[0] if rule == "divide" else plain}
        )
    return found


@pytest.mark.parametrize(("cls", "field"), RULES, ids=lambda each: getattr(each, "__name__", each))
def test_a_node_takes_the_words_of_its_rules_and_no_others(cls: Any, field: str) -> None:
    assert set(get_args(get_type_hints(cls)[field])) == {
        word for rule in RULES[cls, field] for word in words(rule)
    }


def rules() -> dict[str, set[str]]:
    """Return the rules of the grammar that build a node of their own, with their first words.
    Inlined rules are left out."""
    found: dict[str, set[str]] = {}
    for rule in parser().rules:
        if not rule.origin.name.startswith("_") and (rule.alias or not rule.options.expand1):
            begins = [
                word for word, terminal in KEYWORDS.items() if terminal == rule.expansion[0].name
            ]
            found.setdefault(str(rule.alias or rule.origin.name), set()).update(begins)
    return found


def test_each_rule_has_a_method() -> None:
    assert not sorted(rule for rule in rules() if not hasattr(Builder, rule))


@pytest.mark.parametrize("cls", t.PLAIN, ids=lambda cls: cls.__name__)
def test_a_form_that_is_put_together_as_it_stands_has_a_rule_and_its_words(
    cls: type[t.ExprSyntax],
) -> None:
    assert set(t.PLAIN[cls]) == rules()[t.rule_of(cls)]
