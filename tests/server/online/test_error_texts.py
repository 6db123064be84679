"""Errors of the server for a visitor: a plain sentence, with the details only in the log."""

import logging
import os

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.diagnostics.span import Span
from rulekit.common.errors import GameError, RulesError
from rulekit.server.online.run import alone
from rulekit.server.storage import Store, StoreError, file_address
from tests.server.databases import Postgres
from tests.server.visitors import PASSWORD, serving_online


@pytest.fixture
def own_postgres():
    """A server that a test may stop."""
    pytest.importorskip("psycopg")
    server = Postgres()
    yield server
    server.stop()
    server.remove()


def test_who_asks_while_the_database_is_away_learns_nothing_of_it(own_postgres, caplog):
    server = own_postgres
    with serving_online(server.fresh()) as online:
        anna, bert = online.new("Anna"), online.new("Bert")
        id = online.game(anna, bert)
        with anna.looks(id, "red") as red:
            server.stop()
            answers = [
                anna.get("/api/tables"),
                anna.get("/api/me"),
                anna.post("/api/tables", {"game": "skirmish"}),
                anna.get(f"/api/tables/{id}"),
                online.somebody().post("/api/session", {"name": "Anna", "password": PASSWORD}),
                online.somebody().post("/api/accounts", {"name": "Carl", "password": PASSWORD}),
                online.somebody().get("/healthz"),
            ]
            told = [
                red.answer("take", at=0, keys=["march red.H1"]),
                red.answer("take", at=0, keys=["march red.H1"]),
            ]
            assert [each.status_code for each in answers] == [503] * len(answers) and all(
                each["type"] == "refused" for each in told
            )
            texts = [*(each.text for each in answers), *(each["why"] for each in told)]
            for secret in (
                server.folder,
                server.folder.rsplit("/", 1)[1],
                "psycopg",
                "connection",
                "PGSQL",
                "socket",
                "Traceback",
                "5432",
            ):
                assert not [text for text in texts if secret in text], secret
            assert (
                "the log of the server has the reason" in texts[0]
                and "did not happen" in told[0]["why"]
            )
            assert server.folder in caplog.text, "who runs the server reads where it is"
            server.start()
            assert red.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3


@pytest.mark.parametrize(
    "error",
    [
        GameError(
            [
                Diagnostic(
                    "RK301", "'forrest' is not a terrain", Span("/srv/games/x/map.yaml", 3, 1, 3, 2)
                )
            ]
        ),
        RulesError("index out of range", "/srv/games/x/rules/a.rules:7"),
        StoreError("no"),
    ],
    ids=["GameError", "RulesError", "StoreError"],
)
def test_no_path_of_the_server_is_told(online, anna, monkeypatch, caplog, error):
    def goes_wrong(*_):
        raise error

    id = anna.opens(mine=["red", "blue"])
    with anna.looks(id, "red") as red, monkeypatch.context() as patch:
        patch.setattr(online.site.library, "game", goes_wrong)
        patch.setattr("rulekit.server.room.Room.take", goes_wrong)
        answer, told = (
            anna.post("/api/tables", {"game": "skirmish"}),
            red.answer("take", at=0, keys=["rest"]),
        )
    assert (
        answer.status_code == (503 if isinstance(error, StoreError) else 400)
        and told["type"] == "refused"
    )
    assert "/srv" not in answer.text + told["why"] and "rules:7" not in told["why"]
    assert isinstance(error, StoreError) or (
        "/srv/games/x" in caplog.text and "the log of the server" in answer.json()["error"]
    )


def test_what_a_person_wrote_is_not_logged_with_an_error_of_the_database(online, caplog):
    from sqlalchemy import text

    store = online.site.store
    with caplog.at_level(logging.WARNING), pytest.raises(StoreError), store.begin() as db:
        db.execute(text("SELECT CAST(json_extract(:told, '$') AS INTEGER)"), {"told": "my secret"})
    assert "my secret" not in caplog.text and "the database cannot be used" in caplog.text


@pytest.fixture
def open_umask():
    """New files may be read by everybody, unless their creator restricts them."""
    before = os.umask(0)
    yield
    os.umask(before)


def rights(path):
    return path.stat().st_mode & 0o777


def test_nobody_else_may_read_the_database(tmp_path, open_umask):
    file = tmp_path / "deep" / "below" / "tables.db"
    address = file_address(file)
    with alone(address), serving_online(address) as online:
        online.new("Anna")
        assert {each.name: rights(each) for each in file.parent.iterdir()} == dict.fromkeys(
            ("tables.db", "tables.db-wal", "tables.db-shm", "tables.db.lock"), 0o600
        )
        assert rights(file.parent) == rights(file.parent.parent) == 0o700


def test_a_database_that_everybody_could_read_is_closed_to_others(tmp_path, open_umask):
    file = tmp_path / "tables.db"
    Store(file_address(file)).close()
    file.chmod(0o644)
    (tmp_path / "tables.db-wal").write_bytes(b"")
    (tmp_path / "tables.db-wal").chmod(0o644)
    store = Store(file_address(file))
    assert rights(file) == 0o600 and rights(tmp_path / "tables.db-wal") == 0o600
    store.close()
