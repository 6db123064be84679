"""Finds or installs a Chromium for the tests: `python tests/browser/chromium.py` prints its path,
or `playwright` for the one of Playwright.

It tries in this order: $RULEKIT_CHROMIUM, one on the path, Playwright's. Where it may install (CI),
it then tries Debian's package and Playwright's download.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def found() -> str | None:
    """Return the path of a browser, `playwright`, or None."""
    given = os.environ.get("RULEKIT_CHROMIUM")
    if given:
        return given
    return next((path for path in map(shutil.which, NAMES) if path), None) or (
        "playwright" if _is_playwrights() else None
    )


def _is_playwrights() -> bool:
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return False
    with sync_playwright() as p:
        return os.path.exists(p.chromium.executable_path)


def installed() -> str | None:
    """Try to install a browser, and return the result of `found`."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {
            "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            "stdout": subprocess.DEVNULL,
            "check": False,
        }
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], **quiet
        )
    if not found():
        subprocess.run(
            [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"],
            check=False,
            stdout=subprocess.DEVNULL,
        )
    return found()


if __name__ == "__main__":
    here = found() or (installed() if os.environ.get("CI") else None)
    if here is None:
        sys.exit(
            "no Chromium was found or could be installed; name one with RULEKIT_CHROMIUM, or:"
            " python -m playwright install chromium"
        )
    print(here)
