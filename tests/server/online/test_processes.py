"""Several servers with one database: each sees the others' changes. If they are killed during play,
no acknowledged choice is lost."""

import re
import signal
import subprocess
import sys

import httpx2
from websockets.sync.client import connect

import rulekit
from rulekit.engine.saves.save_format import parse_save
from rulekit.server.storage import Store
from tests.counts import cases
from tests.server.test_killed import Player, games, kill_while_they_play, nothing_is_lost
from tests.server.visitors import PASSWORD, Visitor


def at(online, visitor):
    """Return the same session at another server."""
    other = Visitor(online.client, visitor.name)
    other.cookie = visitor.cookie
    return other


def test_players_at_two_servers_play_one_game(two):
    one, other = two
    anna, bert = one.new("Anna"), other.new("Bert")
    id = anna.opens()
    with anna.looks(id, "red") as red:
        token = anna.invites(id, "blue")
        assert bert.post(f"/api/invitations/{token}").status_code == 200
        red.until_told("table_status", begun=True)
        with bert.looks(id, "blue") as blue:
            assert red.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3
            blue.until(lambda: blue.choice == 3)
            assert blue.state["position"]["state"] == red.state["position"]["state"]
            assert red.answer("undo", at=3)["type"] == "answer"
            blue.until(lambda: blue.choice == 0)
            red.until(lambda: red.choice == 0)
            red.take("rest")
            blue.until(lambda: blue.choice == red.choice)
            assert [x["event"] for x in blue.state["lines"]] == [
                x["event"] for x in red.state["lines"]
            ]
            blue.take(blue.keys[0])
            red.until(lambda: red.choice == blue.choice)
            bert.post(f"/api/tables/{id}/chat", {"room": "players", "text": "well met"})
            assert red.until_told("chat_message")["text"] == "well met"
            bert.post(f"/api/tables/{id}/resign", {"side": "blue"})
            assert red.until_told("table_status", ended=True)["ending"]["side"] == "blue"
            red.until(lambda: red.table["seed"] is not None)
            assert red.answer("take", at=red.choice, keys=["rest"])["type"] == "refused"


def test_who_looks_from_another_server_is_there_too(two):
    one, other = two
    anna, bert = one.new("Anna"), other.new("Bert")
    id = one.game(anna, at(one, bert), access="public")

    def until(page, sides, observers=0):
        while (found := page.until_told("present"))["sides"] != sides or found[
            "others"
        ] != observers:
            pass

    with anna.looks(id, "red") as red:
        with bert.looks(id, "blue") as blue:
            until(red, ["blue", "red"])
            until(blue, ["blue", "red"])
            with other.somebody().looks(id):
                until(red, ["blue", "red"], 1)
        until(red, ["red"])


def test_of_two_choices_for_one_place_one_is_made(two):
    one, other = two
    anna, bert = one.new("Anna"), one.new("Bert")
    id = one.game(anna, bert)
    with anna.looks(id, "red") as here, at(other, anna).looks(id, "red") as there:
        other.site.bus.end()  # the other server hears late
        here.take("march red.H1", "to ford", "stop")
        found = there.answer("take", at=0, keys=["march red.F1"])
        assert found["type"] == "refused" and found["stale"]
        there.until(lambda: there.choice == 3)
        assert there.take("march red.F1")["type"] == "taken"
    lines = one.site.store.lines(id)
    save = parse_save(one.site.store.row(id).header + "".join(text for _, text in lines))
    assert rulekit.replay(rulekit.load("examples/skirmish"), save).ok and len(save.choices) == 4


class Server:
    """`rulekit serve` in a process of its own, with one address across restarts."""

    def __init__(self, database):
        self.database, self.port = database, 0
        self.begin()

    def begin(self):
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "rulekit",
                "serve",
                "examples/skirmish",
                "--named-seeds",
                "--database",
                self.database,
                "--port",
                str(self.port),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.port = int(re.search(r":(\d+)$", self.process.stdout.readline().strip())[1])
        self.address = f"http://localhost:{self.port}"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(300)
        self.process.stdout.close()

    def ask(self, method, path, json, cookie=""):
        return httpx2.request(
            method,
            self.address + path,
            json=json,
            headers={"origin": self.address, "cookie": cookie},
            timeout=300,
        )

    def wire(self, id):
        return connect(
            f"ws://localhost:{self.port}/api/tables/{id}/wire",
            origin=self.address,
            open_timeout=300,
            additional_headers={"cookie": self.cookie},
        )


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(address):
    server = Server(address)
    try:
        answer = server.ask("POST", "/api/accounts", {"name": "Anna", "password": PASSWORD})
        server.cookie = answer.headers["set-cookie"].split(";")[0]
        wanted = {"game": "skirmish", "mine": ["red", "blue"]}
        ids = []
        for _ in range(games(1)):
            if (
                answer := server.ask("POST", "/api/tables", wanted, server.cookie)
            ).status_code == 429:  # a new process starts its own count
                server.kill()
                server.begin()
                answer = server.ask("POST", "/api/tables", wanted, server.cookie)
            ids.append(answer.json()["id"])
        players = [Player(server, id, n) for n, id in enumerate(ids)]
        kill_while_they_play(server, players, len(cases(1)))
    finally:
        server.kill()
    store = Store(address)
    nothing_is_lost(store, rulekit.load("examples/skirmish"), players)
    store.close()


def test_one_process_serves_a_file(tmp_path):
    server = Server(str(tmp_path / "tables.db"))
    try:
        words = [
            sys.executable,
            "-m",
            "rulekit",
            "serve",
            "--database",
            str(tmp_path / "tables.db"),
            "--port",
            "0",
            "--lang",
            "fr",
        ]
        found = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
        assert found.returncode == 1 and "SQLite n'en veut qu'un" in found.stderr
    finally:
        server.kill()
