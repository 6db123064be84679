"""A table is upgraded to the current rules of the server if its choices replay."""

import shutil

import pytest

from rulekit.server.game_library import Library
from rulekit.server.storage import file_address
from tests.server.table_clients import ROOT
from tests.server.test_rule_pins import change
from tests.server.visitors import serving_online


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(ROOT / "examples" / "skirmish", tmp_path / "skirmish")


@pytest.mark.parametrize(
    "pairs, fits, told",
    [
        ([], True, None),
        ([("A skirmish", "A fight")], True, None),
        ([("ford", "bridge")], False, "ford is called bridge"),
        ([("it is the enemy's", "the enemy has it")], True, "the enemy has it"),
        ([("set_out(p)\n", "set_out(p)\n  set_out(p)\n")], False, "choice 1"),
    ],
)
def test_a_table_is_moved_if_its_choices_replay(folder, tmp_path, pairs, fits, told):
    file = tmp_path / "t.db"
    with serving_online(file_address(file), library=Library([folder])) as online:
        anna = online.new("Anna")
        id = anna.opens(mine=["red", "blue"])
        with anna.looks(id, "red") as page:
            page.take("march red.H1", "to ford", "stop")
        cookie = anna.cookie
    change(folder, *pairs)
    with serving_online(file_address(file), library=Library([folder])) as online:
        anna = online.somebody()
        anna.cookie = cookie
        before = (online.site.store.row(id).header, online.site.store.pinned(id))
        with anna.looks(id, "red") as page:
            tried = anna.post(f"/api/tables/{id}/rules", {"only_try": True}).json()
            assert "same" in tried, tried
            assert (tried["same"], tried["fits"], tried["moved"]) == (not pairs, fits, False)
            assert (online.site.store.row(id).header, online.site.store.pinned(id)) == before
            done = anna.post(f"/api/tables/{id}/rules", {"only_try": False}).json()
            assert done["moved"] is (fits and bool(pairs))
            assert done["difference"] is None if told is None else told in done["difference"], done[
                "difference"
            ]
            page.answer("frame", choice=0)
            assert page.take("march red.F1")["type"] == "taken"
        assert (online.site.store.pinned(id) != before[1]) is done["moved"]
        if done["moved"]:
            assert anna.post(f"/api/tables/{id}/rules", {}).json()["same"] is True
