"""A table continues with the rules with which it began, whatever happens to the game's files."""

import ast
import pickle
import shutil
import zlib
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select, update

import rulekit
from rulekit.common.errors import RulekitError
from rulekit.server import rule_pins
from rulekit.server.database_schema import PINS, PROGRAMS
from rulekit.server.game_library import Library
from rulekit.server.rule_pins import pin, unpinned
from rulekit.server.storage import Store, file_address
from tests.server.table_clients import ROOT, Page, serving

pytest.importorskip("argon2")

from rulekit.server.online.accounts import begin_session, by_name
from rulekit.server.online.auth import cookie_name
from tests.server.visitors import PUBLIC, serving_online

BEFORE = (
    Path(__file__).parent / "fixtures" / "before_pins_of_files.db"
)  # a database of version 0004 with a table of tic-tac-toe


@pytest.fixture
def folder(tmp_path):
    """A copy of the small game that may be changed."""
    return shutil.copytree(ROOT / "examples" / "skirmish", tmp_path / "skirmish")


def change(folder, *pairs):
    """Change the rules."""
    for file in folder.rglob("*.*"):
        text = file.read_text(encoding="utf-8")
        for old, new in pairs:
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")


def test_a_game_comes_back_from_its_bytes_and_plays_alike(tmp_path):
    game = rulekit.load(ROOT / "examples" / "skirmish")
    folder = ROOT / "examples" / "skirmish"
    again = unpinned(pin(game, folder).body, tmp_path)
    one, other = (each.new(seed=5, rulings={}) for each in (game, again))
    while one.decision:
        option = one.decision.options[len(one.decision.options) // 2]
        assert other.decision.prompt == one.decision.prompt
        one.apply(option)
        other.apply(option.key)
    assert other.to_json() == one.to_json()
    assert pin(again, next(tmp_path.rglob("skirmish"))) == pin(game, folder), "wherever it lies"


RAN = []


class Evil:
    """An object that pickle would execute."""

    def __reduce__(self):
        return RAN.append, ("it ran",)


def body(**changed):
    """Return the stored form of a game, with changes."""
    kept = rule_pins.PinnedFiles("game", {"game/game.yaml": b"rulekit: game\n"})
    return rule_pins.MAGIC + zlib.compress(
        msgspec.msgpack.encode({**msgspec.to_builtins(kept, builtin_types=(bytes,)), **changed})
    )


OLD = [
    b"",
    b"x",
    zlib.compress(b"x"),
    zlib.compress(pickle.dumps((1, 2, 3))),
    zlib.compress(pickle.dumps(Evil())),
]


@pytest.mark.parametrize(
    "kept",
    [
        *OLD,
        *(rule_pins.MAGIC + each for each in OLD),
        rule_pins.MAGIC + pickle.dumps(Evil()),
        body(),
        body(more=1),
        body(name=".."),
        body(name="other"),
        body(files={}),
        rule_pins.MAGIC + zlib.compress(b"\x00" * (3 * rule_pins.MAX_ALL)),
        body(files={f"game/{n}.rules": b"" for n in range(3000)}),
        *(
            body(files={"game/game.yaml": b"", path: b"x"})
            for path in (
                "../evil",
                "game/../../evil",
                "/etc/evil",
                "game//evil",
                "game/.hidden",
                "game/a/b/evil",
                "evil",
                "game/x\0y",
                "game/c:evil",
                "game/a\\b",
                "game/x.",
                "game/\n",
            )
        ),
    ],
    ids=lambda each: ascii(each[:24]),
)
def test_bytes_that_are_no_game_are_refused_and_nothing_is_run_or_written_elsewhere(kept, tmp_path):
    with pytest.raises(RulekitError, match="does not know the rules"):
        unpinned(kept, tmp_path / "a" / "b")
    assert not RAN and not list(tmp_path.rglob("evil")) and not list(tmp_path.rglob(".hidden"))


def test_a_library_that_is_not_among_the_files_is_not_taken_from_elsewhere(tmp_path):
    """A game with bundled libraries finds them among its own files, or not at all."""
    game = rulekit.load(ROOT / "games" / "sphacteria")
    kept = msgspec.msgpack.decode(
        zlib.decompress(pin(game, ROOT / "games" / "sphacteria").body[len(rule_pins.MAGIC) :]),
        type=rule_pins.PinnedFiles,
    )
    assert {path.split("/")[0] for path in kept.files} == {"sphacteria", "peloponnesian"}
    own = {path: text for path, text in kept.files.items() if path.startswith("sphacteria/")}
    with pytest.raises(RulekitError, match="does not know the rules"):
        unpinned(body(name="sphacteria", files=own), tmp_path)


def test_a_changed_row_is_data_and_runs_nothing(folder, tmp_path):
    """A changed database or backup can change rules, but never executes code."""
    with serving(tmp_path / "t.db", Library([folder])) as client:
        id = client.post("/api/tables", json={"game": "skirmish", "seed": "7"}).json()["id"]
    for kept in (
        rule_pins.MAGIC + zlib.compress(pickle.dumps(Evil())),
        body(),
        zlib.compress(pickle.dumps(Evil())),
    ):
        store = Store(file_address(tmp_path / "t.db"))
        with store.begin() as db:
            db.execute(update(PROGRAMS).values(body=kept))
        store.close()
        with serving(tmp_path / "t.db", Library([])) as client, client.wire(id) as socket:
            if kept.startswith(rule_pins.MAGIC):
                assert "does not know the rules" in socket.receive_json()["why"]
            else:  # in the old format: it is not read, and the game is installed
                assert (
                    Page(socket, "red").take("march red.H1", "to ford", "stop")["type"] == "taken"
                )
        assert not RAN


def readers_of_code(file):
    """Return the modules and built-in functions by which a module turns data into code."""
    tree = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    own = {node.name for node in tree if isinstance(node, ast.FunctionDef)}
    own |= {
        alias.asname or alias.name
        for node in tree
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    modules = {alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in tree if isinstance(node, ast.ImportFrom)}
    called = {
        node.func.id
        for node in tree
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    unsafe = {
        node.attr
        for node in tree
        if isinstance(node, ast.Attribute)
        and node.attr in ("unsafe_load", "full_load", "UnsafeLoader", "FullLoader")
    }
    return (
        modules & {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle"}
        | (called - own) & {"exec", "eval", "compile"}
        | unsafe
    )


def test_nothing_that_others_may_write_is_read_as_code():
    """Only these modules read code: compiled games in the user's own cache, and the copies of a
    checked model that `prove` hands to its own processes."""
    files = sorted((ROOT / "rulekit").rglob("*.py"))
    found = {
        file.relative_to(ROOT).as_posix(): words
        for file in files
        if (words := readers_of_code(file))
    }
    assert found == {
        "rulekit/prove/judge.py": {"pickle"},
        "rulekit/prove/probe.py": {"compile"},
        "rulekit/prove/proving.py": {"pickle"},
        "rulekit/runtime/cache.py": {"pickle"},
        "rulekit/runtime/code.py": {"marshal", "exec", "compile"},
    }


def test_a_database_of_the_version_before_is_carried_on_and_plays(tmp_path, caplog):
    """Its pinned rules are pickles, which nobody reads. The game replays under the current
    rules."""
    file = shutil.copy(BEFORE, tmp_path / "tables.db")
    store = Store(file_address(file), upgrade=True)
    with store.begin() as db:
        anna = by_name(db, "Anna")
        token, [(id, old)] = (
            begin_session(db, anna.id),
            db.execute(select(PINS.c.table_id, PINS.c.digest)).all(),
        )
    store.close()
    with serving_online(file_address(file)) as online:
        visitor = online.somebody()
        visitor.cookie = f"{cookie_name(PUBLIC)}={token}"
        with visitor.looks(id, "x") as page:
            assert (
                page.choice == 2 and page.take(page.keys[0])["type"] == "taken" and page.choice == 3
            )
        new = online.site.store.pinned(id)
        assert (
            new != old
            and "choices replay" in caplog.text
            and online.site.store.program(new).startswith(rule_pins.MAGIC)
        )
    with (
        serving_online(file_address(file), library=Library([])) as online,
        online.somebody().looks(id, None) as page,
    ):
        assert page.choice == 3, "by what is kept alone"


def test_a_game_that_would_go_otherwise_now_is_left_as_it_is(tmp_path):
    folder = shutil.copytree(ROOT / "examples" / "tic_tac_toe", tmp_path / "tic_tac_toe")
    change(folder, ("mark", "sign"))
    file = shutil.copy(BEFORE, tmp_path / "tables.db")
    store = Store(file_address(file), upgrade=True)
    with store.reading() as db:
        [(id, old)] = db.execute(select(PINS.c.table_id, PINS.c.digest)).all()
    store.close()
    with serving_online(file_address(file), library=Library([folder])) as online:
        with online.client.websocket_connect(
            f"ws://table.test/api/tables/{id}/wire", headers={"origin": PUBLIC}
        ) as socket:
            assert "finish" in socket.receive_json()["why"]
        assert online.site.store.pinned(id) == old


def test_a_table_goes_on_after_the_files_of_its_game_have_changed_or_are_gone(folder, tmp_path):
    with serving(tmp_path / "t.db", Library([folder])) as client:
        id = client.post("/api/tables", json={"game": "skirmish", "seed": "7"}).json()["id"]
        with client.wire(id) as socket:
            page = Page(socket, "red")
            page.take("march red.H1", "to ford", "stop")
            before = page.state
    change(folder, ("ford", "bridge"))
    for library in (Library([folder]), Library([])):
        with serving(tmp_path / "t.db", library) as client, client.wire(id) as socket:
            page = Page(socket, "red")
            assert (
                page.state["position"] == before["position"]
                and page.state["lines"] == before["lines"]
            )
            assert page.take("march red.F1")["type"] == "taken"
            page.answer("undo", at=page.choice)


def test_the_rules_of_many_tables_are_kept_once(tmp_path, folder):
    from sqlalchemy import text

    with serving(tmp_path / "t.db", Library([folder])) as client:
        for _ in range(3):
            client.post("/api/tables", json={"game": "skirmish"})
        with client.store.reading() as db:
            assert db.execute(
                text("SELECT count(*), max(length(body)) < 200000 FROM programs")
            ).one() == (1, 1)
