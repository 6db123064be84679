"""Every finding has advice for the author."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulekit
from rulekit.common.diagnostics.advice import HELPS

ROOT = Path(rulekit.__file__).parent
MODULES = [path for path in sorted(ROOT.rglob("*.py")) if "RK" in path.read_text("utf-8")]


def without_help(path: Path) -> Iterator[str]:
    """Yield the calls that report a code without a default help and give no help of their own."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            not isinstance(node, ast.Call)
            or getattr(node.func, "attr", "") not in ("error", "warn")
            or not node.args
        ):
            continue
        code = getattr(node.args[0], "value", "")
        told = (
            len(node.args) > 3
            or isinstance(node.args[-1], ast.Starred)
            or any(each.arg in ("help", None) for each in node.keywords)
        )
        if str(code).startswith("RK") and code not in HELPS and not told:
            yield f"{path.name}:{node.lineno} {code}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_finding_without_a_common_help_has_its_own(path: Path) -> None:
    """A code has a default help, or each place that reports it gives one."""
    assert list(without_help(path)) == []
