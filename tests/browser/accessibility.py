"""Findings of axe on a page."""

from pathlib import Path

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def find_faults(page, only=None):
    """Return the findings of axe on a page: rule and elements. With `only`, check one rule."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(
            AXE.read_text(encoding="utf-8")
        )  # the policy of the page refuses script elements
    found = page.evaluate("only => only ? axe.run({ runOnly: [only] }) : axe.run()", only)[
        "violations"
    ]
    return [(each["id"], [node["html"][:160] for node in each["nodes"]][:3]) for each in found]
