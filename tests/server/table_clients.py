"""A table of the small game, from the point of view of its pages."""

from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulekit.server.app import app
from rulekit.server.auth import LocalAuthentication
from rulekit.server.game_library import Library
from rulekit.server.hub import Hub
from rulekit.server.storage import Store, file_address

ROOT = Path(__file__).parents[2]
TOKEN = "the-token-of-the-tests"
HOST = "127.0.0.1:8000"
LIBRARY = Library([ROOT / "examples" / name for name in ("skirmish", "tic_tac_toe")])


@contextmanager
def serving(file: Path, library: Library = LIBRARY):
    """A server for the tables in a file, and an authenticated client."""
    store = Store(file_address(file))
    authentication = LocalAuthentication(
        app(Hub(store, library)), frozenset([HOST]), TOKEN, "rulekit-tests"
    )
    with TestClient(
        authentication, base_url=f"http://{HOST}", headers={"origin": f"http://{HOST}"}
    ) as client:
        client.cookies.set("rulekit-tests", TOKEN)
        client.store = store
        client.wire = lambda id: client.websocket_connect(
            f"ws://{HOST}/api/tables/{id}/wire", headers={"cookie": f"rulekit-tests={TOKEN}"}
        )
        yield client
    store.close()


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path / "tables.db") as made:
        yield made


class Page:
    """A page at a table: its requests and the received messages."""

    def __init__(self, socket, seat=None, lang="en"):
        self.socket, self.state, self.table, self.number = socket, None, None, 0
        self.ask("sit", seat=seat, lang=lang)
        self.until(lambda: self.state is not None)

    def ask(self, type, **values):
        """Send a request and return its number."""
        self.number += 1
        self.socket.send_json({"type": type, "re": self.number, **values})
        return self.number

    def read(self):
        """Return the next message. Messages about the position are stored."""
        found = self.socket.receive_json()
        if found["type"] == "table":
            self.table = found
        if found["type"] == "state":
            lines = (
                []
                if self.state is None
                else [x for x in self.state["lines"] if x["event"] < found["begin"]]
            )
            self.state = found | {"lines": lines + found["lines"]}
        return found

    def until(self, done):
        """Read until a condition holds, and return the last message."""
        found = None
        while not done():
            found = self.read()
        return found

    def until_told(self, type, **values):
        """Read until the next message of a type with some true values."""
        while True:
            found = self.read()
            if found["type"] == type and all(
                bool(found[name]) is value for name, value in values.items()
            ):
                return found

    def answer(self, type, **values):
        """Send a request and return its answer. Other messages before it are read."""
        number = self.ask(type, **values)
        while True:
            found = self.read()
            if found.get("re") == number:
                return found

    def take(self, *keys, at=None):
        """Make choices at the current position, and read until they are reported."""
        before = self.choice
        found = self.answer("take", at=before if at is None else at, keys=list(keys))
        if found["type"] == "taken" and found["plan"]["taken"]:
            self.until(lambda: self.choice >= before + found["plan"]["taken"])
        return found

    @property
    def choice(self):
        return self.state["choice"]

    @property
    def keys(self):
        asked = self.state["decision"]
        return (
            []
            if asked is None or asked["options"] is None
            else [option["key"] for option in asked["options"]]
        )


@pytest.fixture
def opened(client):
    """Opens a table of the small game and returns its id."""

    def open(**wanted):
        answer = client.post("/api/tables", json={"game": "skirmish", "seed": "7", **wanted})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    return open


@pytest.fixture
def open_page(client):
    """A page at a table."""

    @contextmanager
    def looks(id, seat=None, lang="en"):
        with client.wire(id) as socket:
            yield Page(socket, seat, lang)

    return looks
