"""People at a server for many people, each with their own session."""

import itertools
import re
from contextlib import contextmanager

import pytest
from starlette.testclient import TestClient

from rulekit.server.storage import Store, file_address
from tests.server.table_clients import LIBRARY, Page

argon2 = pytest.importorskip("argon2")

from rulekit.server.online.accounts import Passwords  # noqa: E402
from rulekit.server.online.app import online_app  # noqa: E402
from rulekit.server.online.json_logging import Logged  # noqa: E402
from rulekit.server.online.rate_limits import Limits  # noqa: E402
from rulekit.server.online.services import Site  # noqa: E402

PUBLIC = "http://table.test"
PASSWORD = "a word that nobody guesses"
QUICK = Passwords(argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
FREE = dict.fromkeys(
    (
        "ask",
        "account",
        "try",
        "guest",
        "guests",
        "open",
        "write",
        "guess",
        "letter",
        "messages",
        "choices",
    ),
    (100000, 60.0),
)


class Visitor:
    """A person with a browser. `cookie` is their session."""

    def __init__(self, client, name=None):
        self.client, self.name, self.cookie = client, name, None

    def ask(self, method, path, json=None, **how):
        headers = {
            "origin": PUBLIC,
            **({"cookie": self.cookie} if self.cookie else {}),
            **how.pop("headers", {}),
        }
        answer = self.client.request(
            method, path, headers=headers, **({} if json is None else {"json": json}), **how
        )
        self.client.cookies.clear()
        found = re.match(r"([^=]+=[^;]*);", answer.headers.get("set-cookie", ""))
        if found:
            self.cookie = found[1]
        return answer

    def get(self, path, **how):
        return self.ask("GET", path, **how)

    def post(self, path, json=None, **how):
        return self.ask("POST", path, {} if json is None else json, **how)

    def put(self, path, json):
        return self.ask("PUT", path, json)

    def delete(self, path):
        return self.ask("DELETE", path)

    def opens(self, **wanted):
        """Open a table and return its id."""
        answer = self.post(
            "/api/tables", {"game": "skirmish", "seed": "7", "mine": ["red"], **wanted}
        )
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def invites(self, id, side=None):
        """Return the token of an invitation."""
        answer = self.post(f"/api/tables/{id}/invitations", {"side": side})
        assert answer.status_code == 201, answer.text
        return answer.json()["address"].rsplit("/", 1)[1]

    def table_status(self, id):
        return self.get(f"/api/tables/{id}").json()

    @contextmanager
    def looks(self, id, seat=None, lang="en"):
        headers = {"origin": PUBLIC, **({"cookie": self.cookie} if self.cookie else {})}
        with self.client.websocket_connect(
            f"ws://table.test/api/tables/{id}/wire", headers=headers
        ) as socket:
            yield Page(socket, seat, lang)


class OnlineServer:
    """The server and its visitors."""

    def __init__(self, client, site):
        self.client, self.site, self.numbers = client, site, itertools.count(1)

    def somebody(self):
        """Return a visitor without a session."""
        return Visitor(self.client)

    def new(self, name):
        """Return a visitor with an account."""
        made = Visitor(self.client, name)
        answer = made.post("/api/accounts", {"name": name, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        return made

    def game(self, red, blue, **wanted):
        """Return a running game of two."""
        id = red.opens(**wanted)
        assert blue.post(f"/api/invitations/{red.invites(id, 'blue')}").status_code == 200
        return id


@contextmanager
def serving_online(address, rates=FREE, library=LIBRARY, **how):
    store = Store(address)
    site = Site(
        store,
        library,
        PUBLIC,
        **{"limits": Limits(rates), "named_seeds": True, "passwords": QUICK, **how},
    )
    with TestClient(Logged(online_app(site)), base_url=PUBLIC) as client:
        yield OnlineServer(client, site)
    store.close()


@pytest.fixture
def online(tmp_path):
    with serving_online(file_address(tmp_path / "tables.db")) as made:
        yield made


@pytest.fixture
def everywhere(address):
    """The same, on each kind of database."""
    with serving_online(address) as made:
        yield made


@pytest.fixture
def anna(online):
    return online.new("Anna")


@pytest.fixture
def bert(online):
    return online.new("Bert")


@pytest.fixture
def carl(online):
    return online.new("Carl")


@pytest.fixture
def two(postgres):
    """Two servers with one database."""
    address = postgres.fresh()
    with serving_online(address) as one, serving_online(address) as other:
        yield one, other
