"""Seats, invitations, the lobby, and rights at a table."""

import time

import pytest
from sqlalchemy import select, update
from starlette.websockets import WebSocketDisconnect

import rulekit
from rulekit.engine.saves.recorder import Recorder
from rulekit.server.database_schema import INVITATIONS
from rulekit.server.online.accounts import digest
from rulekit.server.storage import file_address
from tests.server.visitors import PASSWORD, serving_online


def lists(visitor, which):
    return [each["id"] for each in visitor.get(f"/api/tables?which={which}").json()]


def test_a_game_between_two_begins_when_the_second_has_come(everywhere):
    anna, bert = everywhere.new("Anna"), everywhere.new("Bert")
    id = anna.opens(access="open")
    assert (
        anna.table_status(id)["begun"] is None
        and lists(bert, "open") == [id]
        and lists(bert, "mine") == []
    )
    with anna.looks(id, "red") as red:
        found = red.answer("take", at=0, keys=["rest"])
        assert found["type"] == "refused" and "seats are taken" in found["why"]
        assert bert.post(f"/api/tables/{id}/seats/blue").status_code == 204
        red.until_told("table_status", begun=True)
        with bert.looks(id, "blue") as blue:
            assert red.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3
            blue.until(lambda: blue.choice == 3)
    assert lists(bert, "mine") == [id] == lists(anna, "mine") and lists(bert, "open") == []
    [mine] = anna.get("/api/tables").json()
    assert [(s["side"], s["who"], s["yours"]) for s in mine["seats"]] == [
        ("red", "Anna", True),
        ("blue", "Bert", False),
    ]


def test_a_guest_comes_by_an_invitation_and_may_stay(online, anna):
    id = anna.opens()
    token = anna.invites(id, "blue")
    guest = online.somebody()
    assert guest.get(f"/api/invitations/{token}").json()["side"] == "blue"
    assert guest.post(f"/api/invitations/{token}").status_code == 400, "a guest has a name"
    assert guest.post(f"/api/invitations/{token}", {"name": "Gwen"}).json() == {"id": id}
    assert guest.get("/api/me").json() | {"lang": ""} == {
        "name": "Gwen",
        "guest": True,
        "admin": False,
        "lang": "",
        "mail": None,
        "hook": None,
        "sign_up": True,
        "letters": False,
        "confirmed": False,
        "letter": None,
        "given_up": [],
    }
    assert (
        online.somebody().post(f"/api/invitations/{token}", {"name": "Late"}).status_code == 404
    ), "good once"
    assert guest.post("/api/accounts", {"name": "Gwen", "password": PASSWORD}).status_code == 201
    assert guest.get("/api/me").json()["guest"] is False
    assert [s["who"] for s in guest.table_status(id)["seats"]] == [
        "Gwen",
        "Anna",
    ] and guest.table_status(id)["seats"][0]["yours"]


def test_an_observer_comes_by_an_invitation_and_chooses_nothing(online, anna, bert, carl):
    id = online.game(anna, bert)
    token = anna.invites(id)
    assert carl.get(f"/api/tables/{id}").status_code == 404
    for _ in range(2):
        assert carl.post(f"/api/invitations/{token}").status_code == 200
    with carl.looks(id) as spectator:
        assert spectator.table["yours"] == [] and spectator.state["decision"]["options"] is None
        assert spectator.answer("take", at=0, keys=["rest"])["type"] == "refused"
        assert spectator.answer("sit", seat="red")["type"] == "refused"


@pytest.mark.parametrize("side", ["blue", None])
def test_an_invitation_lets_nobody_in_when_its_time_is_over(online, anna, bert, side):
    id = anna.opens()
    token, other = anna.invites(id, side), anna.invites(id, side)
    with online.site.store.begin() as db:
        ends = db.execute(select(INVITATIONS.c.ends)).scalars().all()
        assert all(13.9 * 86400 < each - time.time() < 14.1 * 86400 for each in ends)
        db.execute(
            update(INVITATIONS)
            .where(INVITATIONS.c.digest == digest(token))
            .values(ends=time.time() - 0.001)
        )
    for who, name in ((online.somebody(), {"name": "Late"}), (bert, {})):
        assert who.get(f"/api/invitations/{token}").status_code == 404
        assert who.post(f"/api/invitations/{token}", name).status_code == 404
    assert bert.get(f"/api/tables/{id}").status_code == 404 and [
        each["who"] for each in anna.table_status(id)["seats"]
    ] == [None, "Anna"]
    assert bert.post(f"/api/invitations/{other}").status_code == 200, "another one is still good"


@pytest.mark.parametrize("token", ["", "x", "x" * 200, "%00", "../me"])
def test_an_invitation_that_is_none_lets_nobody_in(online, token):
    somebody = online.somebody()
    assert somebody.get(f"/api/invitations/{token}").status_code in (404, 405) or token == "../me"
    assert somebody.post(f"/api/invitations/{token}", {"name": "Eve"}).status_code in (404, 405)
    assert somebody.get("/api/me").json()["name"] is None


def test_anothers_seat_cannot_be_taken_read_or_chosen_for(online, anna, bert, carl):
    id = online.game(anna, bert, access="public")
    for who, own in ((anna, "red"), (bert, "blue"), (carl, None), (online.somebody(), None)):
        with who.looks(id, own) as page:
            for side in ("red", "blue"):
                if side != own:
                    assert page.answer("sit", seat=side)["type"] == "refused"
            for ask in (
                {"type": "take", "at": 0, "keys": ["rest"]},
                {"type": "undo", "at": 0},
                {"type": "redo", "at": 0},
            ):
                assert own == "red" or page.answer(**ask)["type"] == "refused"
            assert (
                page.answer("frame", choice=0, seat="blue" if own != "blue" else "red")["type"]
                == "refused"
            )
    for side in ("red", "blue"):
        assert carl.post(f"/api/tables/{id}/seats/{side}").status_code == 403
    assert [s["who"] for s in anna.table_status(id)["seats"]] == ["Bert", "Anna"]


def test_a_seat_is_given_up_before_play_begins_and_not_after(online, anna, bert, carl):
    id = anna.opens(access="open", mine=[])
    assert bert.post(f"/api/tables/{id}/seats/blue").status_code == 204
    assert carl.delete(f"/api/tables/{id}/seats/blue").status_code in (403, 404)
    assert anna.delete(f"/api/tables/{id}/seats/blue").status_code == 204, (
        "the owner may send somebody away"
    )
    for who, side in ((bert, "blue"), (carl, "red")):
        assert who.post(f"/api/tables/{id}/seats/{side}").status_code == 204
    assert bert.delete(f"/api/tables/{id}/seats/blue").status_code == 403


def test_who_may_not_look_any_more_is_sent_away(online, anna, bert, carl):
    id = online.game(anna, bert, access="public")
    with carl.looks(id) as spectator:
        assert anna.put(f"/api/tables/{id}/access", {"access": "private"}).status_code == 204
        while spectator.read()["type"] != "closed":
            pass
    assert carl.get(f"/api/tables/{id}").status_code == 404
    assert bert.put(f"/api/tables/{id}/access", {"access": "public"}).status_code == 403


def test_a_private_table_is_known_to_those_only_who_sit_there(online, anna, bert, carl):
    id = online.game(anna, bert)
    for who in (carl, online.somebody()):
        assert (
            who.get(f"/api/tables/{id}").status_code == 404
            and lists(who, "public") == lists(who, "open") == []
        )
        with pytest.raises((WebSocketDisconnect, AssertionError)), who.looks(id) as page:
            assert page.table
    with anna.looks(id, "red") as page:
        assert page.table["yours"] == ["red"]


def test_who_is_nobody_sees_public_tables_only_in_the_lobby(online, anna):
    ids = {access: anna.opens(access=access) for access in ("private", "open", "public")}
    assert (
        lists(online.somebody(), "open") == [ids["public"]]
        and lists(online.somebody(), "mine") == []
    )
    assert set(lists(online.new("Dora"), "open")) == {ids["open"], ids["public"]}


def test_two_processes_let_one_take_the_last_seat(online, anna, bert, carl):
    id = anna.opens(access="open")
    codes = sorted(who.post(f"/api/tables/{id}/seats/blue").status_code for who in (bert, carl))
    assert codes == [204, 403]


def test_against_a_machine_play_begins_at_once(online, anna):
    id = anna.opens(seats={"blue": "random"})
    with anna.looks(id, "red") as page:
        page.take("march red.H1", "to ford", "stop")
        assert page.choice >= 3


@pytest.mark.parametrize(
    "wanted, why",
    [
        ({"mine": ["green"]}, "green"),
        ({"mine": ["blue"], "seats": {"blue": "random"}}, "blue"),
        ({"clock": "fast"}, "fast"),
        ({"clock": "move:1"}, "move:1"),
        ({"seats": {"red": "random", "blue": "random"}, "mine": []}, "person"),
        ({"access": "all"}, "access"),
        ({"save": "{}"}, "save"),
        ({"game": "chess"}, "chess"),
        ({"late": "x"}, "late"),
        ({"mine": "red"}, "mine"),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_not_kept(online, anna, wanted, why):
    answer = anna.post("/api/tables", {"game": "skirmish", "mine": ["red"], **wanted})
    assert answer.status_code == 400 and why in answer.json()["error"]
    assert online.site.store.count() == 0


def test_a_table_is_removed_before_play_has_begun(online, anna, bert):
    id = anna.opens(access="open")
    assert bert.delete(f"/api/tables/{id}").status_code == 403
    assert (
        anna.delete(f"/api/tables/{id}").status_code == 204
        and anna.get(f"/api/tables/{id}").status_code == 404
    )
    id = online.game(anna, bert)
    assert anna.delete(f"/api/tables/{id}").status_code == 403 and online.site.store.count() == 1


def test_a_save_is_given_when_the_game_is_over_and_goes_on_elsewhere(online, anna, bert):
    id = online.game(anna, bert)
    with anna.looks(id, "red") as page:
        page.take("march red.H1", "to ford", "stop")
    assert anna.get(f"/api/tables/{id}/save").status_code == 403
    assert bert.post(f"/api/tables/{id}/resign", {"side": "blue"}).status_code == 204
    text = anna.get(f"/api/tables/{id}/save").text
    again = anna.opens(save=text, mine=["red", "blue"])
    assert anna.table_status(again)["begun"] and anna.get("/api/tables").json()[0]["choices"] == 3


# --------------------------------------------------------------- each endpoint, each wrong identity
# method, path, body; then the answers to: nobody, a stranger, an observer, the player of blue,
# the owner (who plays red)
TRIED = [
    ("GET", "", None, 404, 404, 200, 200, 200),
    ("GET", "/save", None, 404, 404, 403, 403, 403),
    ("DELETE", "", None, 401, 404, 403, 403, 403),
    ("PUT", "/access", {"access": "private"}, 401, 404, 403, 403, 204),
    ("POST", "/seats/blue", None, 401, 404, 403, 403, 403),
    ("DELETE", "/seats/blue", None, 401, 404, 403, 403, 403),
    ("POST", "/invitations", {"side": None}, 401, 404, 403, 403, 201),
    ("POST", "/resign", {"side": "red"}, 401, 404, 403, 403, None),
    ("POST", "/claim", {"side": "red"}, 401, 404, 403, 403, 403),
    ("POST", "/offers", {"side": "red", "kind": "takeback", "choice": 0}, 401, 404, 403, 403, 400),
    ("POST", "/offers/1", {"side": "red", "accept": True}, 401, 404, 403, 403, 404),
    ("GET", "/chat", None, 404, 404, 200, 200, 200),
    ("POST", "/chat", {"room": "players", "text": "x"}, 401, 404, 403, 201, 201),
    ("POST", "/chat", {"room": "observers", "text": "x"}, 401, 404, 201, 403, 403),
    ("DELETE", "/chat/1", None, 401, 404, 404, 404, 404),
    ("POST", "/rules", {"only_try": True}, 401, 404, 403, 403, 200),
    ("GET", "/read", None, 401, 404, 200, 200, 200),
    ("PUT", "/read", {"upto": 3}, 401, 404, 204, 204, 204),
    ("GET", "/note", None, 401, 404, 200, 200, 200),
    ("PUT", "/note", {"text": "x"}, 401, 404, 204, 204, 204),
]


@pytest.mark.parametrize(
    "method, path, body, nobody, stranger, observer, blue, owner",
    TRIED,
    ids=[f"{t[0]} {t[1]}" for t in TRIED],
)
def test_each_endpoint_is_tried_with_each_identity(
    online, anna, bert, carl, method, path, body, nobody, stranger, observer, blue, owner
):
    id, dora = online.game(anna, bert), online.new("Dora")
    assert carl.post(f"/api/invitations/{anna.invites(id)}").status_code == 200
    found = [
        who.ask(method, f"/api/tables/{id}{path}", body).status_code
        for who in (online.somebody(), dora, carl, bert)
    ]
    assert found == [nobody, stranger, observer, blue]
    if owner is not None:
        assert anna.ask(method, f"/api/tables/{id}{path}", body).status_code == owner
    row = online.site.store.row(id)
    assert (
        row.choices == 0
        and row.result is None
        and [s["who"] for s in anna.table_status(id)["seats"]] == ["Bert", "Anna"]
    )


def test_all_endpoints_of_a_table_are_tried():
    from rulekit.server.online.api import ENDPOINTS

    start = "/api/tables/{id}"
    known = {
        (e.method, e.path[len(start) :].replace("{side}", "blue").replace("{n:int}", "1"))
        for e in ENDPOINTS
        if e.path.startswith(start)
    }
    assert known <= {(method, path) for method, path, *_ in TRIED}


@pytest.mark.parametrize(
    "wanted, known",
    [
        ({"seed": "7"}, True),
        ({"seed": "7", "mine": []}, True),
        ({"seed": "7", "mine": ["red", "blue"]}, False),
        ({"seed": "7", "seats": {"blue": "random"}}, False),
        ({"seed": ""}, False),
        ({"seed": None}, False),
    ],
)
def test_nobody_names_the_seed_of_a_game_against_another_person(tmp_path, wanted, known):
    """They would know the dice. Against themselves or an automatic seat they may."""
    with serving_online(file_address(tmp_path / "tables.db"), named_seeds=False) as online:
        answer = online.new("Anna").post(
            "/api/tables", {"game": "skirmish", "mine": ["red"], **wanted}
        )
        assert answer.status_code == (400 if known else 201)
        assert not known or ("dice" in answer.json()["error"] and online.site.store.count() == 0)


@pytest.mark.parametrize(
    ("seat", "taken"),
    [
        ("search:hard", True),
        ("search:2s", True),
        ("search:2.1s", False),
        ("search:20000", True),
        ("search:20001", False),
        ("search:600s", False),
    ],
)
def test_no_seat_thinks_so_long_that_others_wait(tmp_path, seat, taken):
    """This covers a new table and one from a save."""
    game = rulekit.load("examples/skirmish")
    recorder = Recorder(game, game.new(seed=7), {"red": "human", "blue": seat})
    with serving_online(file_address(tmp_path / "tables.db"), named_seeds=True) as online:
        anna = online.new("Anna")
        for wanted in ({"seats": {"blue": seat}}, {"save": recorder.save.text()}):
            answer = anna.post("/api/tables", {"game": "skirmish", "mine": ["red"], **wanted})
            assert answer.status_code == (201 if taken else 400)
            assert taken or seat in answer.json()["error"]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    ("seats", "mine", "alone"),
    [
        (["human", "human"], ["red"], False),
        (["human", "human"], [], False),
        (["human", "human"], ["red", "blue"], True),
        (["human", "random"], ["red"], True),
    ],
)
def test_who_brings_a_save_plays_against_no_other_person(tmp_path, named, seats, mine, alone):
    """They know its seed and hidden information. With named seeds it is allowed, and nobody takes a
    seat afterwards."""
    game = rulekit.load("examples/skirmish")
    recorder = Recorder(game, game.new(seed=7), dict(zip(["red", "blue"], seats, strict=True)))
    recorder.apply("rest")
    with serving_online(file_address(tmp_path / "tables.db"), named_seeds=named) as online:
        anna = online.new("Anna")
        answer = anna.post(
            "/api/tables", {"game": "skirmish", "mine": mine, "save": recorder.save.text()}
        )
        assert answer.status_code == (201 if alone or named else 400)
        if alone:
            id = answer.json()["id"]
            assert (
                anna.delete(f"/api/tables/{id}/seats/red").status_code == 403
                and anna.table_status(id)["begun"]
            )
        elif not named:
            assert "dice" in answer.json()["error"] and online.site.store.count() == 0
