"""Databases for tests: SQLite in a file, and a PostgreSQL server that the tests start."""

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from rulekit.server.storage import file_address


def _program(name):
    found = shutil.which(name) or next(
        iter(sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None
    )
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no {name} of PostgreSQL here")
    return str(found)


class Postgres:
    """A server in a temporary folder, with a socket there."""

    def __init__(self):
        self.as_user, self.numbers = {}, itertools.count(1)
        initdb = _program("initdb")
        self.folder = tempfile.mkdtemp(prefix="pg")
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self.as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self.run(initdb, "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    def start(self):
        self.run(
            _program("pg_ctl"),
            "-w",
            "-l",
            f"{self.folder}/log",
            "-o",
            f"-k {self.folder} -c listen_addresses='' -c fsync=off",
            "start",
        )

    def stop(self):
        self.run(_program("pg_ctl"), "-m", "immediate", "stop")

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, program, *words):
        subprocess.run(
            [program, "-D", f"{self.folder}/data", *words],
            check=True,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            **self.as_user,
        )

    def address(self, name="postgres"):
        return f"postgresql://test@/{name}?host={self.folder}"

    def fresh(self):
        """Return the address of an empty database."""
        import psycopg

        name = f"t{next(self.numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as db:
            db.execute(f"create database {name}")
        return self.address(name)


@pytest.fixture(scope="session")
def postgres():
    pytest.importorskip("psycopg")
    server = Postgres()
    yield server
    server.stop()
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    """The address of an empty database, of each kind."""
    if request.param == "sqlite":
        return file_address(tmp_path / "deep" / "tables.db")
    return request.getfixturevalue("postgres").fresh()
