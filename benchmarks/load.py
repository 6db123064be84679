"""Takes a game and numbers, prints how long a choice takes to the other player's screen, with many games at one server.

    python benchmarks/load.py examples/skirmish --games 500 --rate 50 --seconds 30 [--database URL]

The server is `rulekit serve` in a process of its own; this process holds two sockets for each game and measures from the choice that is
sent to the state that the other player gets. Both share the machine."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import connect

import rulekit
from rulekit.loading import find
from rulekit.table.people import accounts, seating
from rulekit.table.people.limits import RATES
from rulekit.table.people.serve import database
from rulekit.table.pins import pin
from rulekit.table.room import begin
from rulekit.table.store import Store, row_of

# two people, at one address, play all games
WIDE = [word for name in ("sockets_address", "sockets_person", "connections", "ask", "messages", "choices")
        for word in ("--limit", f"{name}=1000000" + "/60" * (name in RATES))]


def prepared(address: str, path: str, games: int) -> tuple[list[str], dict[str, str]]:
    """Tables between two people, and the token of each side."""
    store, game = Store(address), rulekit.load(path)
    sides = game.sides[:2]
    with store.begin() as db:
        people = {side: accounts.enter(db, f"Player of {side}", None, "en") for side in sides}
        tokens = {side: accounts.begin_session(db, person.id) for side, person in people.items()}
    kept = pin(game, find(path))
    ids = [f"load{n}" for n in range(games)]
    for n, id in enumerate(ids):
        def also(db, id=id):
            row = row_of(db, id)
            seats = {side: people[side].id for side in sides}
            seating.host(db, id, people[sides[0]], "private", "fischer:9000+10", "claim", seats, row.decides, 0)
        begin(store, id, game, game.new(seed=n), {}, also, kept)
    store.close()
    return ids, tokens


class Screen:
    """A page of one side."""

    def __init__(self, id: str, side: str) -> None:
        self.id, self.side, self.choice, self.keys, self.asked = id, side, -1, [], False
        self.other: Screen
        self.awaited: dict[int, float] = {}
        self.took: list[float] = []
        self.refused = 0

    async def look(self, address: str, cookie: str) -> None:
        """Reads until it is cancelled."""
        url = f"ws{address[4:]}/api/tables/{self.id}/wire"
        async with connect(url, origin=address, additional_headers={"cookie": cookie}, max_size=1 << 24, compression=None) as self.socket:
            await self.socket.send(json.dumps({"type": "sit", "seat": self.side}))
            async for text in self.socket:
                self.hear(json.loads(text))

    def hear(self, told: dict) -> None:
        if told["type"] == "state":
            now, self.choice = time.perf_counter(), told["choice"]
            asked = told["decision"]
            self.keys = [o["key"] for o in asked["options"]] if asked and asked["options"] else []
            for at in [at for at in self.awaited if at < self.choice]:
                self.took.append(now - self.awaited.pop(at))
        elif told["type"] == "refused":
            self.refused += 1

    async def choose(self) -> None:
        self.other.awaited[self.choice] = time.perf_counter()
        keys, self.keys = self.keys, []
        await self.socket.send(json.dumps({"type": "take", "at": self.choice, "keys": [random.choice(keys)]}))


async def measured(address: str, ids: list[str], tokens: dict[str, str], rate: float, seconds: float) -> list[Screen]:
    """Looks at all games with two screens each, and makes so many choices a second."""
    name = f"rulekit-{address.rsplit(':', 1)[1]}"
    pairs = [[Screen(id, side) for side in tokens] for id in ids]
    tasks = []
    for one, other in pairs:
        one.other, other.other = other, one
        for screen in (one, other):
            tasks.append(asyncio.create_task(screen.look(address, f"{name}={tokens[screen.side]}")))
            await asyncio.sleep(0.005)
    screens = [screen for pair in pairs for screen in pair]
    while not all(screen.choice >= 0 for screen in screens):
        await asyncio.sleep(0.1)
    begun, made = time.perf_counter(), 0
    while (now := time.perf_counter() - begun) < seconds:
        ready = [screen for screen in random.sample(screens, min(len(screens), 60)) if screen.keys]
        if ready:
            await ready[0].choose()
            made += 1
        await asyncio.sleep(max(0.0, made / rate - now))
    await asyncio.sleep(2)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return screens


def main() -> None:
    """Runs it and prints a line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--database")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        address = database(args.database or str(Path(folder) / "load.db"))
        ids, tokens = prepared(address, args.game, args.games)
        words = [sys.executable, "-m", "rulekit", "serve", args.game, "--database", address, "--port", "0", *WIDE]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            public = re.search(r"http://\S+", server.stdout.readline())[0]
            screens = asyncio.run(measured(public, ids, tokens, args.rate, args.seconds))
            memory = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text())
            took = sorted(each for screen in screens for each in screen.took)
            lost = sum(len(screen.awaited) for screen in screens)
            half, most, worst = (took[at] * 1e3 for at in (len(took) // 2, len(took) * 99 // 100, -1))
            print(f"{args.games} games, {len(screens)} sockets, {len(took)} choices seen, {lost} not, {sum(s.refused for s in screens)} "
                  f"refused; ms p50 {half:.0f}, p99 {most:.0f}, worst {worst:.0f}; "
                  f"server at most {int(memory[1]) // 1024} MiB")
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()
