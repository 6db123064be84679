"""A server in a process of its own, and pages of a real Chromium that connect to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.chromium import found
from tests.browser.clicking_player import PATIENCE, Looker


@pytest.fixture(scope="session")
def chromium():
    """The browser. Without one the tests are skipped, but they fail on CI."""
    path = found()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: python tests/browser/chromium.py")
        pytest.skip("no Chromium: python -m playwright install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = {} if path == "playwright" else {"executable_path": path}
        browser = playwright.chromium.launch(
            args=["--disable-dev-shm-usage", "--disable-background-networking"], **own
        )
        yield browser
        browser.close()


ONLINE = (
    "serve",
    str(Path(__file__).parents[2] / "examples" / "skirmish"),
    "--named-seeds",
    "--database",
)


class Server:
    """`rulekit table` as people start it.

    Args:
        command: the arguments of another serving command.
    """

    def __init__(self, file, command=("table", "--no-browser", "--file")) -> None:
        self.file = file
        self.command = command
        self.port = 0
        self.begin()

    def begin(self) -> None:
        """Start the server. A later start uses the same port."""
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "rulekit",
                *self.command,
                str(self.file),
                "--port",
                str(self.port),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        self.address, self.token = re.search(r"(http://[^/\s]+)(?:/\?token=(\S+))?", line).groups()
        self.port = int(self.address.rsplit(":", 1)[1])

    def end(self, hard: bool = False) -> None:
        """Stop the server. With `hard`, kill it without a clean shutdown."""
        (self.process.kill if hard else self.process.terminate)()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests of a run."""
    made = Server(tmp_path_factory.mktemp("tables") / "tables.db")
    yield made
    made.end()


@pytest.fixture(scope="session")
def online_server(tmp_path_factory):
    """`rulekit serve`, one for all tests of a run."""
    pytest.importorskip("argon2")
    made = Server(tmp_path_factory.mktemp("online") / "tables.db", ONLINE)
    yield made
    made.end()


@pytest.fixture
def own_server(tmp_path):
    """A server that a test may stop and start."""
    made = Server(tmp_path / "tables.db")
    yield made
    if made.process.poll() is None:
        made.end()


@pytest.fixture
def look(chromium):
    """Opens pages: `look(server, width=..., height=..., **settings)`. An error in their log fails
    the test. With `refused`, refusals by the server are allowed."""
    contexts, errors = [], []
    ended = (  # from a server that a test has stopped
        "ERR_CONNECTION_REFUSED|WebSocket is closed|ERR_CONNECTION_RESET"
    )

    def opens(server, width=1440, height=900, refused=False, **settings):
        lost = re.compile(f"{ended}|status of 4" if refused else ended)
        context = chromium.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", **settings
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: (
                errors.append(message.text)
                if message.type == "error" and not lost.search(message.text)
                else None
            ),
        )
        page.goto(server.address + (f"/?token={server.token}" if server.token else "/"))
        return Looker(page, server)

    yield opens
    for context in contexts:
        context.close()
    assert not errors
