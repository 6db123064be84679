"""The names of emitted functions."""

from __future__ import annotations

from rulekit.compiler.backends.function_names import function_name, text_of
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from tests.compiler.checked_games import ROOT


def test_no_two_functions_have_the_same_name() -> None:
    """Emitted code has one namespace, so kinds and numbers must stay apart."""
    names = [FunctionName(kind, number) for kind in FunctionKind for number in (1, 2, 11)]
    names += [FunctionName(FunctionKind.SLOT, number, 4) for number in (1, 2, 11)]
    assert len({text_of(name) for name in names}) == len(names)


def test_the_page_lists_each_kind_with_its_letters() -> None:
    page = (ROOT / "docs" / "compiler.md").read_text(encoding="utf-8")
    page = page.replace("`S2`, `S2_4`", "`S2`")
    missing = [
        kind.name
        for kind in FunctionKind
        if not any(f"`{function_name(kind, n)}` | `{kind.name}` |" in page for n in range(10))
    ]
    assert not missing
