r"""Measure the time from a choice to the other player's screen, with many games on some servers.

    python benchmarks/load.py examples/skirmish --games 2000 --rate 150 --seconds 30
    python benchmarks/load.py examples/skirmish --games 400 --rate 1000 --seconds 20 --postgresql \
        --processes 2 [--apart]

Each server is a process of its own that runs `rulekit serve`. This process holds two sockets for
each game. It measures from the moment when a choice is sent until the other player gets the state.
All processes share the machine.

- `--database URL` uses this database, which must be empty. `--postgresql` starts a PostgreSQL
  server in the folder for temporary files, which does not wait for the disk. Several processes need
  PostgreSQL.
- `--apart` connects the two players of a game to different processes instead of the same one.
- `--rate` beyond the capacity shows the capacity.
- `--quota 0.4` limits each server to 0.4 of a processor, with a control group of Linux, which needs
  the superuser. This program and the database then have the rest, so that the servers are measured.

It also prints the processor time of the servers and of this program for each choice. These numbers
do not change if something else uses the machine. At the end it searches the database for choices
that were acknowledged but not stored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from websockets.asyncio.client import connect

import rulekit
from rulekit.project.loader import find
from rulekit.server.online import accounts, seating
from rulekit.server.online.rate_limits import RATES
from rulekit.server.online.run import database
from rulekit.server.room import begin
from rulekit.server.rule_pins import pin
from rulekit.server.storage import Store, row_of

# seconds in which this program leaves the processors to the servers when no page can choose
IDLE = 0.005
# two people at one address play all games
ROOT = Path(__file__).parents[1]
WIDE = [
    word
    for name in ("sockets_address", "sockets_person", "connections", "ask", "messages", "choices")
    for word in ("--limit", f"{name}=1000000" + "/60" * (name in RATES))
]


def prepared(address: str, path: str, games: int) -> tuple[list[str], dict[str, str]]:
    """Create tables for two people. Return the tables and the token of each side."""
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
            seating.host(
                db,
                id,
                people[sides[0]],
                "private",
                "fischer:9000+10",
                "claim",
                seats,
                row.decides,
                0,
            )

        begin(store, id, game, game.new(seed=n), {}, also, kept)
    store.close()
    return ids, tokens


class Option(msgspec.Struct):
    key: str


class Decision(msgspec.Struct):
    options: list[Option] | None = None


class Plan(msgspec.Struct):
    taken: int


class ServerMessage(msgspec.Struct):
    """The parts of a message that are read."""

    type: str
    choice: int = -1
    decision: Decision | None = None
    plan: Plan | None = None


DECODER = msgspec.json.Decoder(ServerMessage)


class Screen:
    """A page of one side.

    Attributes:
        taken: the number of its acknowledged choices.
    """

    def __init__(self, id: str, side: str) -> None:
        self.id, self.side, self.choice, self.keys = id, side, -1, []
        self.other: Screen
        self.awaited: dict[int, float] = {}
        self.took: list[float] = []
        self.refused = self.taken = 0

    async def look(self, address: str, token: str) -> None:
        """Read messages until cancelled."""
        url = f"ws{address[4:]}/api/tables/{self.id}/wire"
        cookie = f"rulekit-{address.rsplit(':', 1)[1]}={token}"
        async with connect(
            url,
            origin=address,
            additional_headers={"cookie": cookie},
            max_size=1 << 24,
            compression=None,
        ) as self.socket:
            await self.socket.send(json.dumps({"type": "sit", "seat": self.side}))
            async for text in self.socket:
                self.hear(DECODER.decode(text))

    def hear(self, message: ServerMessage) -> None:
        if message.type == "state":
            now, self.choice = time.perf_counter(), message.choice
            self.keys = [o.key for o in message.decision.options or ()] if message.decision else []
            for at in [at for at in self.awaited if at < self.choice]:
                self.took.append(now - self.awaited.pop(at))
        elif message.type == "refused":
            self.refused += 1
        elif message.plan is not None:
            self.taken += message.plan.taken

    async def choose(self) -> None:
        self.other.awaited[self.choice] = time.perf_counter()
        keys, self.keys = self.keys, []
        await self.socket.send(
            json.dumps({"type": "take", "at": self.choice, "keys": [random.choice(keys)]})
        )


class Quota:
    """A control group of Linux that limits one process to the share `share` of a processor."""

    PERIOD = 10_000  # microseconds

    def __init__(self, pid: int, share: float) -> None:
        old = Path("/sys/fs/cgroup/cpu")  # version 1 has a tree for each resource
        root = old if old.is_dir() else Path("/sys/fs/cgroup")
        if root != old:
            (root / "cgroup.subtree_control").write_text("+cpu")
        self.group = root / f"rulekit-{pid}"
        self.group.mkdir()
        allowed = int(share * self.PERIOD)
        if root == old:
            (self.group / "cpu.cfs_period_us").write_text(str(self.PERIOD))
            (self.group / "cpu.cfs_quota_us").write_text(str(allowed))
        else:
            (self.group / "cpu.max").write_text(f"{allowed} {self.PERIOD}")
        (self.group / "cgroup.procs").write_text(str(pid))

    def end(self) -> None:
        self.group.rmdir()


class Servers:
    """Processes that serve one database."""

    def __init__(self, database: str, game: str, many: int, quota: float | None = None) -> None:
        words = [
            sys.executable,
            "-m",
            "rulekit",
            "serve",
            game,
            "--database",
            database,
            "--port",
            "0",
            *WIDE,
        ]
        self.running = [
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            for _ in range(many)
        ]
        self.addresses = [
            re.search(r"http://\S+", each.stdout.readline())[0] for each in self.running
        ]
        self.quotas = [Quota(each.pid, quota) for each in self.running] if quota else []

    def seconds(self) -> list[float]:
        """Return the processor time of each server."""
        fields = [
            Path(f"/proc/{each.pid}/stat").read_text().rsplit(")", 1)[1].split()
            for each in self.running
        ]
        return [(int(each[11]) + int(each[12])) / os.sysconf("SC_CLK_TCK") for each in fields]

    def memory(self) -> list[int]:
        """Return the peak memory of each server, in MiB."""
        found = [
            re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{each.pid}/status").read_text())
            for each in self.running
        ]
        return [int(each[1]) // 1024 for each in found]

    def end(self) -> None:
        for each in self.running:
            each.terminate()
        for each in self.running:
            each.wait(60)
        for group in self.quotas:
            group.end()


class Run:
    """The measurements of a run.

    Attributes:
        own: the processor time of this program.
        used: the processor time of each server.
    """

    def __init__(
        self, screens: list[Screen], made: int, seconds: float, used: list[float], own: float
    ) -> None:
        self.screens, self.made, self.seconds, self.used, self.own = (
            screens,
            made,
            seconds,
            used,
            own,
        )


async def measured(
    servers: Servers,
    ids: list[str],
    tokens: dict[str, str],
    rate: float,
    seconds: float,
    apart: bool,
) -> Run:
    """Watch all games with two screens each, and make `rate` choices a second."""
    screens, tasks = [], []
    for n, id in enumerate(ids):
        one, other = pair = [Screen(id, side) for side in tokens]
        one.other, other.other = other, one
        screens += pair
        for k, screen in enumerate(pair):
            address = servers.addresses[(n + k * apart) % len(servers.addresses)]
            tasks.append(asyncio.create_task(screen.look(address, tokens[screen.side])))
            await asyncio.sleep(0.005)
    while not all(screen.choice >= 0 for screen in screens):
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    before, own = servers.seconds(), time.process_time()
    begun, made = time.perf_counter(), 0
    while (now := time.perf_counter() - begun) < seconds:
        ready = [screen for screen in random.sample(screens, min(len(screens), 60)) if screen.keys]
        if ready:
            await ready[0].choose()
            made += 1
        await asyncio.sleep(max(0.0 if ready else IDLE, made / rate - now))
    while any(screen.awaited for screen in screens) and time.perf_counter() - begun < seconds + 20:
        await asyncio.sleep(0.05)
    lasted = time.perf_counter() - begun
    used, own = (
        [b - a for a, b in zip(before, servers.seconds(), strict=True)],
        time.process_time() - own,
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return Run(screens, made, lasted, used, own)


def missing(database: str, screens: list[Screen]) -> int:
    """Return the number of acknowledged choices that the database lacks."""
    store = Store(database)
    kept = {row.id: row.choices for row in store.rows()}
    store.close()
    taken = dict.fromkeys(kept, 0)
    for screen in screens:
        taken[screen.id] += screen.taken
    return sum(max(0, many - kept[id]) for id, many in taken.items())


@contextmanager
def place(wanted: str | None, postgresql: bool) -> Iterator[str]:
    """Yield the address of a database."""
    if postgresql:
        sys.path.insert(0, str(ROOT))
        from tests.server.databases import Postgres

        server = Postgres()
        try:
            yield server.fresh()
        finally:
            server.stop()
            server.remove()
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield database(wanted or str(Path(folder) / "load.db"))


def told(run: Run, lost: int, memory: list[int]) -> str:
    """Return the results as two lines."""
    took = sorted(each for screen in run.screens for each in screen.took)
    half, most, worst = (took[at] * 1e3 for at in (len(took) // 2, len(took) * 99 // 100, -1))
    cost = [f"{each / run.made * 1e3:.2f}" for each in (sum(run.used), run.own)]
    late, refused = sum(len(s.awaited) for s in run.screens), sum(s.refused for s in run.screens)
    return (
        f"{len(run.screens)} sockets, {len(took)} choices seen ({len(took) / run.seconds:.0f} a"
        f" second), {late} not, {refused} refused, {lost} acknowledged and missing; ms p50"
        f" {half:.0f}, p99 {most:.0f}, worst {worst:.0f}\nprocessor time for a choice: {cost[0]} ms"
        f" of the servers ({', '.join(f'{each:.1f} s' for each in run.used)} in {run.seconds:.0f}"
        f" s), {cost[1]} ms of this program; servers at most {', '.join(map(str, memory))} MiB"
    )


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--database")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--quota", type=float, help="of a processor, for each server")
    args = parser.parse_args()
    if (
        args.processes > 1
        and not args.postgresql
        and not (args.database or "").startswith("postgres")
    ):
        parser.error(
            "several processes need PostgreSQL: --postgresql, or --database with its address"
        )
    with place(args.database, args.postgresql) as address:
        ids, tokens = prepared(address, args.game, args.games)
        servers = Servers(address, args.game, args.processes, args.quota)
        try:
            run = asyncio.run(measured(servers, ids, tokens, args.rate, args.seconds, args.apart))
            memory = servers.memory()
        finally:
            servers.end()
        print(told(run, missing(address, run.screens), memory))


if __name__ == "__main__":
    main()
