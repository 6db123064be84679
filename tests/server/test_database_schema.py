"""A new database equals one that was migrated from the first version."""

import pytest
from sqlalchemy import create_engine, inspect, text

from rulekit.common.i18n.reasons import error_text
from rulekit.server import database_schema as schema
from rulekit.server.run import own_store
from rulekit.server.storage import Store, StoreError, TableSummary, _engine

upgrade = pytest.importorskip("rulekit.server.migrate")


def described(address):
    """Return the description of a database's tables."""
    engine = _engine(address)
    looks = inspect(engine)
    found = {}
    for name in sorted(looks.get_table_names()):
        columns = {
            c["name"]: (str(c["type"]), c["nullable"], str(c["default"]))
            for c in looks.get_columns(name)
        }
        keys = sorted(
            (tuple(k["constrained_columns"]), k["referred_table"], str(k["options"]))
            for k in looks.get_foreign_keys(name)
        )
        unique = sorted(tuple(u["column_names"]) for u in looks.get_unique_constraints(name))
        indexes = sorted(
            (str(i["name"]), tuple(i["column_names"]), i["unique"]) for i in looks.get_indexes(name)
        )
        found[name] = (
            columns,
            looks.get_pk_constraint(name)["constrained_columns"],
            keys,
            unique,
            indexes,
        )
    engine.dispose()
    return found


def carried(address, to="head"):
    """Create a database by migrations only."""
    engine = _engine(address)
    with engine.begin() as db:
        upgrade.upgrade(db, to)
    engine.dispose()


def test_the_migrations_make_the_schema_that_the_store_makes(address, tmp_path, request):
    carried(address)
    other = (
        request.getfixturevalue("postgres").fresh()
        if address.startswith("post")
        else f"sqlite:///{tmp_path / 'x.db'}"
    )
    Store(other).close()
    assert described(address) == described(other)
    assert set(described(address)) == set(schema.META.tables)


def test_a_database_of_the_first_version_is_carried_on_with_what_is_in_it(address):
    carried(address, "0001")
    engine = _engine(address)
    with engine.begin() as db:
        db.execute(
            text("INSERT INTO tables VALUES ('a', 'skirmish', 'head', '{}', 1, 2, 0, 'red', NULL)")
        )
        db.execute(text("INSERT INTO lines VALUES ('a', 0, 1, 'zero')"))
    engine.dispose()
    with pytest.raises(StoreError, match="--upgrade"):
        Store(address)
    store = Store(address, upgrade=True)
    assert store.row("a").decides == "red" and store.lines("a") == [(1, "zero")]
    store.append("a", 1, [(2, "one")], TableSummary(1, None, None))
    store.close()
    Store(address).close()


def old_file(path, to="0002"):
    """Create a file with a table, as an older version left it."""
    carried(f"sqlite:///{path}", to)
    engine = _engine(f"sqlite:///{path}")
    with engine.begin() as db:
        db.execute(
            text("INSERT INTO tables VALUES ('a', 'skirmish', 'head', '{}', 1, 2, 0, 'red', NULL)")
        )
        db.execute(text("INSERT INTO lines VALUES ('a', 0, 1, 'zero')"))
    engine.dispose()
    return described(f"sqlite:///{path}")


@pytest.mark.parametrize("version", ["0001", "0002"])
def test_the_local_table_carries_its_own_file_on_and_keeps_it_as_it_was(tmp_path, version):
    """The copy is next to it under a free name. A file of this version is not copied. The copy can
    be migrated too."""
    file, heard = tmp_path / "tables.db", []
    before = old_file(file, version)
    (tmp_path / f"tables.db.{version}").write_text("mine")
    store = own_store(file, heard.append)
    assert store.row("a").decides == "red" and store.lines("a") == [(1, "zero")]
    store.append("a", 1, [(2, "one")], TableSummary(1, None, None))
    store.close()
    copy = tmp_path / f"tables.db.{version}.2"
    assert heard == [copy] and described(f"sqlite:///{copy}") == before
    assert copy.stat().st_mode & 0o077 == 0, "nobody else reads it, either"
    assert (tmp_path / f"tables.db.{version}").read_text() == "mine"
    own_store(file, heard.append).close()
    store = own_store(copy, heard.append)
    assert store.lines("a") == [(1, "zero")] and heard == [
        copy,
        tmp_path / f"{copy.name}.{version}",
    ]
    store.close()


def test_a_file_of_which_no_copy_can_be_made_is_left_as_it_is(tmp_path, monkeypatch):
    file = tmp_path / "tables.db"
    before = old_file(file)
    monkeypatch.setattr(
        "rulekit.server.run.make_private",
        lambda *_: (_ for _ in ()).throw(OSError("the disk is full")),
    )
    with pytest.raises(StoreError, match="the disk is full") as refused:
        own_store(file, pytest.fail)
    assert "copie" in error_text("fr", refused.value)
    assert described(f"sqlite:///{file}") == before and not (tmp_path / "tables.db.0002").exists()


def test_a_database_of_a_later_version_is_left_alone(address):
    Store(address).close()
    engine = _engine(address)
    with engine.begin() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    before = described(address)
    for upgrades in (False, True):
        with pytest.raises(StoreError, match="9999"):
            Store(address, upgrades)
    assert described(address) == before
    engine.dispose()


def test_a_database_from_before_there_were_versions_gets_what_is_missing(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'old.db'}")
    schema.META.create_all(engine, [schema.TABLES, schema.LINES])
    engine.dispose()
    Store(f"sqlite:///{tmp_path / 'old.db'}").close()
    assert set(described(f"sqlite:///{tmp_path / 'old.db'}")) == set(schema.META.tables)
