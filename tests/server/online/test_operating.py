"""Operation of a server: backup and restore, upgrade, metrics, logs without secrets, the admin's
page."""

import gzip
import json
import logging

import pytest
from sqlalchemy import select

from rulekit.cli.main import main
from rulekit.server.database_schema import META
from rulekit.server.online.admin import make_admin
from rulekit.server.online.backup import NoBackup, backup, restore
from rulekit.server.online.json_logging import JsonFormatter
from rulekit.server.storage import Store, StoreError, file_address
from tests.server.visitors import PASSWORD, Visitor, serving_online


def everything(store):
    with store.reading() as db:
        return {
            table.name: sorted(map(repr, db.execute(select(table)))) for table in META.sorted_tables
        }


def fill(online):
    """Fill a server with data of each kind."""
    anna, bert, carl = (online.new(name) for name in ("Anna", "Bert", "Carl"))
    bert.put("/api/me", {"mail": "bert@example.org"})
    id = online.game(anna, bert, clock="days:3")
    carl.post(f"/api/invitations/{anna.invites(id)}")
    with anna.looks(id, "red") as red:
        red.take("march red.H1", "to ford", "stop")
    anna.post(f"/api/tables/{id}/chat", {"room": "players", "text": "é <b>"})
    anna.put(f"/api/tables/{id}/note", {"text": "note"})
    anna.post(f"/api/tables/{id}/offers", {"side": "red", "kind": "takeback", "choice": 0})
    return anna, id


def test_a_backup_made_while_people_play_is_restored_whole_to_either_database(
    everywhere, tmp_path, request, address
):
    anna, id = fill(everywhere)
    for _ in range(
        10
    ):  # the server writes from time to time; compare at a moment without such a write
        before = everything(everywhere.site.store)
        rows = backup(everywhere.site.store, tmp_path / "all.gz")
        if everything(everywhere.site.store) == before:
            break
    assert (tmp_path / "all.gz").stat().st_mode & 0o077 == 0
    assert rows == sum(map(len, before.values())) - 1, "all but the version"
    for other in (
        file_address(tmp_path / "other.db"),
        *([request.getfixturevalue("postgres").fresh()] if address.startswith("post") else []),
    ):
        store = Store(other)
        assert restore(store, tmp_path / "all.gz") == rows and everything(store) == before
        with pytest.raises(NoBackup, match="this database is not empty"):
            restore(store, tmp_path / "all.gz")
        store.close()
        with serving_online(other) as again:
            back = Visitor(again.client)
            back.cookie = anna.cookie
            with back.looks(id, "red") as red:
                assert red.choice == 3 and red.take("march red.F1")["type"] == "taken"
            assert (
                back.post(
                    f"/api/tables/{id}/chat", {"room": "players", "text": "on we go"}
                ).status_code
                == 201
            ), "numbers go on"


def test_a_backup_that_is_not_whole_restores_nothing(online, tmp_path):
    fill(online)
    backup(online.site.store, tmp_path / "all.gz")
    lines = gzip.decompress((tmp_path / "all.gz").read_bytes()).decode().splitlines(keepends=True)
    raw = (tmp_path / "all.gz").read_bytes()
    older = [json.dumps({"format": "rulekit-backup", "version": "0001"}) + "\n", *lines[1:]]
    for data in (
        raw[:-200],
        raw[:100],
        b"",
        b"no gzip",
        *(
            gzip.compress("".join(each).encode())
            for each in (
                lines[:-1],
                lines[:3] + lines[4:],
                [*lines, "[]\n"],
                lines[1:],
                [lines[0], "[3]\n"],
                [lines[0], "x"],
                older,
            )
        ),
    ):
        (tmp_path / "bad.gz").write_bytes(data)
        store = Store(file_address(tmp_path / "other.db"))
        with pytest.raises(NoBackup):
            restore(store, tmp_path / "bad.gz")
        assert sum(len(rows) for rows in everything(store).values()) == 1
        store.close()


def test_the_commands_do_what_they_say(online, anna, tmp_path, capsys):
    at = ["serve", "--database", str(tmp_path / "tables.db")]
    assert main([*at, "--make-admin", "anna"]) == 0 and anna.get("/api/me").json()["admin"]
    assert (
        main([*at, "--backup", str(tmp_path / "b.gz"), "--lang", "fr"]) == 0
        and "lignes" in capsys.readouterr().out
    )
    assert (
        main(["serve", "--database", str(tmp_path / "new.db"), "--restore", str(tmp_path / "b.gz")])
        == 0
    )
    capsys.readouterr()
    assert main([*at, "--new-password", "Anna"]) == 0
    password = capsys.readouterr().out.strip().rsplit(" ", 1)[1]
    assert anna.get("/api/me").json()["name"] is None
    assert anna.post("/api/session", {"name": "Anna", "password": password}).status_code == 200
    assert main([*at, "--make-admin", "Nobody"]) == 1 and "Nobody" in capsys.readouterr().err
    assert main([*at, "--restore", str(tmp_path / "b.gz")]) == 1
    assert (
        main(["serve", "--database", "what://x"]) == 1 and main([*at, "--public-url", "table"]) == 1
    )


def test_an_admin_sees_that_there_are_tables_but_not_the_games(online, anna, bert, carl):
    id = online.game(anna, bert)
    for who in (anna, online.somebody()):
        for method, path in (
            ("GET", "/api/admin"),
            ("GET", "/api/admin/accounts"),
            ("DELETE", "/api/admin/accounts/x/sessions"),
        ):
            assert who.ask(method, path).status_code == (403 if who is anna else 401)
    make_admin(online.site.store, "Carl")
    told = carl.get("/api/admin").json()
    assert (
        told["counts"]["accounts"] == 3
        and told["counts"]["going"] == 1
        and [t["id"] for t in told["tables"]] == [id]
    )
    assert (
        carl.get(f"/api/tables/{id}/save").status_code == 404
        and carl.get(f"/api/tables/{id}/chat").status_code == 404
    )
    number = anna.post(f"/api/tables/{id}/chat", {"room": "players", "text": "rude"}).json()["id"]
    assert carl.delete(f"/api/tables/{id}/chat/{number}").status_code == 204
    [found] = carl.get("/api/admin/accounts?like=AN").json()
    assert (
        found["name"] == "Anna"
        and carl.delete(f"/api/admin/accounts/{found['id']}/sessions").status_code == 204
    )
    assert anna.get("/api/me").json()["name"] is None


def test_metrics_are_for_who_has_the_token(tmp_path):
    with serving_online(
        file_address(tmp_path / "x.db"), metrics_token="a token of metrics"
    ) as online:
        fill(online)
        somebody = online.somebody()
        for headers in ({}, {"authorization": "Bearer x"}, {"authorization": "Bearer "}):
            assert somebody.get("/metrics", headers=headers).status_code == 404
        text = somebody.get(
            "/metrics",
            headers={"authorization": "Bearer a token of metrics", "host": "10.0.0.7:8000"},
        ).text
        assert "rulekit_choices_total" in text and "rulekit_rooms" in text and "Anna" not in text
    with serving_online(file_address(tmp_path / "y.db")) as online:
        assert (
            online.somebody().get("/metrics", headers={"authorization": "Bearer "}).status_code
            == 404
        )


def test_logs_hold_no_secret(online, anna, caplog):
    with caplog.at_level(logging.INFO, "rulekit.requests"):
        id = anna.opens()
        token = anna.invites(id, "blue")
        online.somebody().post(f"/api/invitations/{token}", {"name": "Gwen"})
        online.somebody().get(f"/join/{token}")
        online.somebody().post("/api/session", {"name": "Anna", "password": PASSWORD})
        online.somebody().get(f"/nothing/{token}")
    lines = [
        JsonFormatter().format(record)
        for record in caplog.records
        if record.name == "rulekit.requests"
    ]
    found = [json.loads(line) for line in lines]
    assert [(each["route"], each["status"]) for each in found] == [
        ("/api/tables", 201),
        ("/api/tables/{id}/invitations", 201),
        ("/api/invitations/{token}", 200),
        ("/join/{token}", 200),
        ("/api/session", 200),
        ("other", 404),
    ]
    for secret in (token, PASSWORD, "Gwen", "Anna", anna.cookie.split("=", 1)[1]):
        assert all(secret not in line for line in lines)


def test_an_error_in_the_log_says_where_and_not_what_was_sent():
    try:
        raise ValueError("the password is hunter2")
    except ValueError:
        record = logging.getLogger("x").makeRecord(
            "x", logging.ERROR, __file__, 1, "failed", (), __import__("sys").exc_info()
        )
    line = JsonFormatter().format(record)
    assert (
        "hunter2" not in line
        and json.loads(line)["error"] == "ValueError"
        and "test_operating.py" in json.loads(line)["where"][-1]
    )


def test_a_lost_database_is_said_and_play_goes_on_when_it_is_back(online, anna, bert, monkeypatch):
    id = online.game(anna, bert)
    with anna.looks(id, "red") as red:

        def away(*_, **__):
            raise StoreError("the server has gone")

        with monkeypatch.context() as patch:
            for name in ("append", "row", "lines", "reading"):
                patch.setattr(online.site.store, name, away)
            found = red.answer("take", at=0, keys=["march red.H1"])
            assert found["type"] == "refused" and "did not happen" in found["why"]
            assert red.answer("take", at=0, keys=["march red.H1"])["type"] == "refused"
            assert (
                anna.get("/api/tables").status_code == 503
                and anna.get("/healthz").status_code == 503
            )
        assert red.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3
    assert online.site.store.row(id).choices == 3
