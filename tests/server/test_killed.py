"""The server is killed during play: acknowledged choices exist exactly once, and pages continue."""

import json
import random
import re
import signal
import subprocess
import sys
import threading
import time

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

import rulekit
from rulekit.engine.saves.save_format import parse_save
from rulekit.server.room import begin
from rulekit.server.storage import Store, file_address
from tests.counts import cases


class Server:
    """`rulekit table` in a process of its own, with one address across restarts."""

    def __init__(self, file):
        self.file, self.port, self.token = file, 0, ""
        self.begin()

    def begin(self):
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "rulekit",
                "table",
                "--no-browser",
                "--file",
                str(self.file),
                "--port",
                str(self.port),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        found = re.search(r":(\d+)/\?token=(\S+)", self.process.stdout.readline())
        assert self.token in ("", found[2]), "the address stays good"
        self.port, self.token = int(found[1]), found[2]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(300)
        self.process.stdout.close()

    def wire(self, id):
        at = f"127.0.0.1:{self.port}"
        return connect(
            f"ws://{at}/api/tables/{id}/wire",
            origin=f"http://{at}",
            open_timeout=300,
            additional_headers={"cookie": f"rulekit-{self.port}={self.token}"},
        )


class Player(threading.Thread):
    """Plays both sides at random, reconnects after a lost connection, and records the acknowledged
    keys with their numbers."""

    together = threading.Semaphore(3)  # number of players at a time, the others wait

    def __init__(self, server, id, seed):
        super().__init__(daemon=True)
        self.server, self.id, self.random = server, id, random.Random(seed)
        self.acknowledged, self.over, self.came, self.trouble = {}, threading.Event(), 0, None

    def run(self):
        with self.together:
            self.come_and_play()

    def come_and_play(self):
        while not self.over.is_set():
            try:
                with self.server.wire(self.id) as socket:
                    self.came += 1
                    self.play(socket)
            except (OSError, WebSocketException, TimeoutError):
                time.sleep(0.02)
            except Exception as error:
                self.trouble = error
                return

    def play(self, socket):
        socket.send(json.dumps({"type": "sit", "seat": "red"}))
        sent = None
        while not self.over.is_set():
            told = json.loads(socket.recv(timeout=60))
            if told["type"] == "taken" and sent:
                self.acknowledged[sent[0]] = sent[1]
                sent = None
            if told["type"] != "state":
                continue
            asked = told["decision"]
            if asked is None:
                self.over.set()
            elif asked["options"] is None:
                socket.send(json.dumps({"type": "sit", "seat": asked["player"]}))
            else:
                sent = (told["choice"], self.random.choice(asked["options"])["key"])
                socket.send(json.dumps({"type": "take", "at": sent[0], "keys": [sent[1]]}))


def games(usual):
    """Return a number of games that suffices for all kills."""
    return 3 + len(cases(usual)) // 2


def kill_while_they_play(server, players, times):
    """Kill and restart the server a number of times, each after some acknowledged choices."""
    for player in players:
        player.start()
    for _ in range(times):
        before, begun = sum(len(player.acknowledged) for player in players), time.monotonic()
        while sum(len(p.acknowledged) for p in players) < before + 9:
            assert not all(p.over.is_set() for p in players), "nobody plays any more"
            assert time.monotonic() < begun + 300, "play has stopped"
            time.sleep(0.005)
        server.kill()
        server.begin()
    for player in players:
        player.over.set()
        player.join(300)


def nothing_is_lost(store, game, players):
    """Check that acknowledged choices are in the journal in place, that it replays, and that the
    players reconnected."""
    assert [player.trouble for player in players if player.trouble] == []
    played = [player for player in players if player.acknowledged]
    for player in played:
        save = parse_save(
            store.row(player.id).header + "".join(text for _, text in store.lines(player.id))
        )
        assert (
            player.acknowledged.items()
            <= {n: record.choice for n, record in enumerate(save.choices)}.items()
        )
        assert rulekit.replay(game, save).ok
    assert sum(player.came for player in played) > len(played) >= 3


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path):
    file = tmp_path / "tables.db"
    store = Store(file_address(file))
    server = Server(file)
    try:
        game = rulekit.load("examples/skirmish")
        for n in range(games(2)):
            begin(store, f"t{n}", game, game.new(seed=n), {})
        players = [Player(server, f"t{n}", n) for n in range(games(2))]
        kill_while_they_play(server, players, len(cases(2)))
    finally:
        server.kill()
    nothing_is_lost(store, game, players)
    store.close()
