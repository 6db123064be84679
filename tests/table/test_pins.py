"""A table goes on by the rules that it was begun with, whatever became of the game's files."""

import pickle
import shutil
import zlib

import pytest

import rulekit
from rulekit.base.errors import RulekitError
from rulekit.table.library import Library
from rulekit.table.pins import pin, unpinned
from table.tables import ROOT, Page, serving


@pytest.fixture
def folder(tmp_path):
    """A copy of the small game that may be changed."""
    return shutil.copytree(ROOT / "examples" / "skirmish", tmp_path / "skirmish")


def change(folder, *pairs):
    """Other rules from now on."""
    for file in folder.rglob("*.*"):
        text = file.read_text(encoding="utf-8")
        for old, new in pairs:
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")


def test_a_game_comes_back_from_its_bytes_and_plays_alike():
    game = rulekit.load(ROOT / "examples" / "skirmish")
    again = unpinned(pin(game).body)
    one, other = (each.new(seed=5, rulings={}) for each in (game, again))
    while one.decision:
        option = one.decision.options[len(one.decision.options) // 2]
        assert other.decision.prompt == one.decision.prompt
        one.apply(option)
        other.apply(option.key)
    assert other.to_json() == one.to_json() and pin(again).digest == pin(game).digest


class Evil:
    def __reduce__(self):
        import os

        return os.system, ("false",)


@pytest.mark.parametrize("body", [b"", b"x", zlib.compress(b"x"), zlib.compress(pickle.dumps((1, 2, 3))), zlib.compress(pickle.dumps(Evil())),
                                  zlib.compress(b"crulekit.play.game\nSTATE_FORMAT\n."), zlib.compress(b"crulekit.play.game\nruntime.the\n.")])
def test_bytes_that_are_no_game_are_refused_and_nothing_is_run(body):
    with pytest.raises(RulekitError, match="not known to this version"):
        unpinned(body)


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
            assert page.state["position"] == before["position"] and page.state["lines"] == before["lines"]
            assert page.take("march red.F1")["type"] == "taken"
            page.answer("undo", at=page.choice)


def test_the_rules_of_many_tables_are_kept_once(tmp_path, folder):
    from sqlalchemy import text

    with serving(tmp_path / "t.db", Library([folder])) as client:
        for _ in range(3):
            client.post("/api/tables", json={"game": "skirmish"})
        with client.store.reading() as db:
            assert db.execute(text("SELECT count(*), max(length(body)) < 200000 FROM programs")).one() == (1, 1)
