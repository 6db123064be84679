"""Actions of players beside the game: resign, take back by request, rematch, claim, chat, notes."""

import time

import pytest
from sqlalchemy import text, update

from rulekit.server.database_schema import HOSTED, TABLES
from rulekit.server.online import scheduler


def moves(page):
    page.take("march red.H1", "to ford", "stop")


def write(online, statement):
    with online.site.store.begin() as db:
        db.execute(statement)


def test_who_resigns_has_lost_and_the_seed_is_told(everywhere):
    anna, bert = everywhere.new("Anna"), everywhere.new("Bert")
    id = everywhere.game(anna, bert)
    with anna.looks(id, "red") as red:
        moves(red)
        assert red.answer("frame", choice=0, seat="blue")["type"] == "refused"
        assert (
            bert.post(f"/api/tables/{id}/resign?lang=fr", {"side": "red"})
            .json()["error"]
            .startswith("vous ne jouez pas")
        ), "not another's"
        assert bert.post(f"/api/tables/{id}/resign", {"side": "blue"}).status_code == 204
        red.until_told("table_status", ended=True)
        red.until(lambda: red.table["seed"] is not None)
        assert red.answer("frame", choice=0, seat="blue")["type"] == "answer", (
            "all seats are open now"
        )
        for request in (
            {"type": "take", "at": 3, "keys": ["march red.F1"]},
            {"type": "undo", "at": 3},
            {"type": "redo", "at": 3},
        ):
            found = red.answer(**request)
            assert found["type"] == "refused" and "over" in found["why"]
    assert bert.post(f"/api/tables/{id}/resign", {"side": "blue"}).status_code == 403
    assert anna.get("/api/tables?lang=fr").json()[0]["result"] == "Blue abandonne"
    assert everywhere.site.store.row(id).result == "red:resigned"


def test_a_choice_that_comes_when_the_game_has_ended_elsewhere_is_not_kept(online, anna, bert):
    id = online.game(anna, bert)
    with anna.looks(id, "red") as red:
        write(
            online, update(HOSTED).values(ended=1.0, ending="resigned:blue")
        )  # as another process does before its message arrives
        assert red.answer("take", at=0, keys=["march red.H1"])["type"] == "refused"
    assert online.site.store.row(id).choices == 0


def test_what_both_agree_on_is_taken_back(online, anna, bert):
    id = online.game(anna, bert)
    with anna.looks(id, "red") as red, bert.looks(id, "blue") as blue:
        while not blue.keys:
            red.take(red.keys[-1])
            blue.until(lambda: blue.choice == red.choice)
        stood = red.choice
        blue.take(blue.keys[0])
        red.until(lambda: red.choice == blue.choice)
        after = red.choice
        wish = {"side": "red", "kind": "takeback", "choice": stood - 1}
        assert anna.post(f"/api/tables/{id}/offers", wish | {"choice": after}).status_code == 400
        assert anna.post(f"/api/tables/{id}/offers", wish).status_code == 204
        [offer] = blue.until_told("table_status", offers=True)["offers"]
        reply = f"/api/tables/{id}/offers/{offer['id']}"
        assert anna.post(reply, {"side": "red", "accept": True}).status_code == 403, "not one's own"
        assert anna.post(reply, {"side": "blue", "accept": True}).status_code == 403
        assert bert.post(reply, {"side": "blue", "accept": True}).status_code == 204
        red.until(lambda: red.choice == stood - 1)
        blue.until(lambda: blue.choice == stood - 1)
        assert bert.post(reply, {"side": "blue", "accept": True}).status_code == 404, "once"
        assert red.keys and red.take(red.keys[-1])["type"] == "taken"
    assert online.site.store.lines(id)[-2][1].startswith('{"undo":true,"dice":"')


def test_an_offer_lapses_when_play_goes_on_or_is_refused(online, anna, bert):
    id = online.game(anna, bert)
    wish = {"side": "red", "kind": "takeback", "choice": 0}
    with anna.looks(id, "red") as red:
        moves(red)
        anna.post(f"/api/tables/{id}/offers", wish)
        red.until_told("table_status", offers=True)
        red.take("march red.F1")
        assert red.until_told("table_status")["offers"] == [], "it is told that it lapsed"
        assert anna.table_status(id)["offers"] == []
        for answer in ({"side": "blue", "accept": False}, {"side": "red", "accept": False}):
            anna.post(f"/api/tables/{id}/offers", wish)
            [offer] = anna.table_status(id)["offers"]
            who = bert if answer["side"] == "blue" else anna
            assert who.post(f"/api/tables/{id}/offers/{offer['id']}", answer).status_code == 204
            assert (
                anna.table_status(id)["offers"] == []
                and online.site.store.row(id).choices == red.choice
            )


def test_a_rematch_has_the_sides_changed_and_is_made_once(online, anna, bert):
    id = online.game(anna, bert, clock="days:3", access="public")
    assert (
        anna.post(f"/api/tables/{id}/offers", {"side": "red", "kind": "rematch"}).status_code == 403
    ), "the game is not over"
    bert.post(f"/api/tables/{id}/resign", {"side": "blue"})
    assert (
        anna.post(f"/api/tables/{id}/offers", {"side": "red", "kind": "rematch"}).status_code == 204
    )
    [offer] = bert.table_status(id)["offers"]
    assert (
        bert.post(
            f"/api/tables/{id}/offers/{offer['id']}", {"side": "blue", "accept": True}
        ).status_code
        == 204
    )
    again = anna.table_status(id)["next"]
    new = anna.table_status(again)
    assert (
        {s["side"]: s["who"] for s in new["seats"]} == {"red": "Bert", "blue": "Anna"}
        and new["begun"]
        and new["clock"]["rule"] == "days:3"
    )
    assert (
        bert.post(f"/api/tables/{id}/offers", {"side": "blue", "kind": "rematch"}).status_code
        == 403
    )
    assert online.site.store.row(again).header != online.site.store.row(id).header, "another seed"


def test_a_rematch_that_nobody_has_to_agree_to_is_made_at_once(online, anna):
    id = anna.opens(seats={"blue": "random"}, hints=True)
    assert "takeback" not in anna.table_status(id)["may"], "nobody could agree"
    anna.post(f"/api/tables/{id}/resign", {"side": "red"})
    assert (
        anna.post(f"/api/tables/{id}/offers", {"side": "red", "kind": "rematch"}).status_code == 204
    )
    again = anna.table_status(anna.table_status(id)["next"])
    assert [(s["side"], s["who"], s["machine"]) for s in again["seats"]] == [
        ("blue", "Anna", None),
        ("red", None, "random"),
    ]
    assert '"hints"' in online.site.store.row(anna.table_status(id)["next"]).header
    assert (
        anna.post(f"/api/tables/{id}/offers", {"side": "red", "kind": "rematch"}).status_code == 403
    ), "once"


def test_from_the_first_choice_on_one_may_ask_to_take_back(online, anna, bert):
    id = online.game(anna, bert)
    with bert.looks(id, "blue") as blue, anna.looks(id, "red") as red:
        assert "takeback" not in blue.until_told("table_status")["may"]
        moves(red)
        assert "takeback" in blue.until_told("table_status")["may"]


def test_who_is_there_is_told_when_somebody_comes_or_goes(online, anna, bert, carl):
    id = online.game(anna, bert, access="public")
    with anna.looks(id, "red") as red:
        assert red.until_told("present") == {
            "type": "present",
            "sides": ["red"],
            "observers": [],
            "others": 0,
        }
        with (
            bert.looks(id, "blue"),
            bert.looks(id, "blue"),
            carl.looks(id),
            online.somebody().looks(id),
        ):
            while (told := red.until_told("present"))["others"] == 0:
                pass
            assert sorted(told["sides"]) == ["blue", "red"] and told["observers"] == ["Carl"]
        while red.until_told("present") != {
            "type": "present",
            "sides": ["red"],
            "observers": [],
            "others": 0,
        }:
            pass


def test_a_game_that_was_left_alone_may_be_claimed_after_a_month(online, anna, bert):
    id = online.game(anna, bert)
    assert bert.post(f"/api/tables/{id}/claim", {"side": "blue"}).status_code == 403
    write(online, update(TABLES).values(changed=time.time() - 31 * 86400))
    assert "claim" in bert.table_status(id)["may"] and "claim" not in anna.table_status(id)["may"]
    assert anna.post(f"/api/tables/{id}/claim", {"side": "red"}).status_code == 403, (
        "it is for red to choose"
    )
    assert bert.post(f"/api/tables/{id}/claim", {"side": "blue"}).status_code == 204
    assert online.site.store.row(id).result == "blue:claimed"


# ---------------------------------------------------------------------- clocks
def test_who_has_no_time_left_loses_if_the_owner_said_so(online, anna, bert):
    id = online.game(anna, bert, clock="fischer:60+5", late="loses")
    with bert.looks(id, "blue") as blue:
        write(online, update(HOSTED).values(since=HOSTED.c.since - 61, falls=HOSTED.c.falls - 61))
        with anna.looks(id, "red") as red:
            assert red.answer("take", at=0, keys=["march red.H1"])["type"] == "refused"
        scheduler.fall(online.site, time.time())
        assert blue.until_told("table_status", ended=True)["ending"] == {
            "kind": "time",
            "side": "red",
        }
    assert online.site.store.row(id).result == "blue:time"


def test_else_the_other_may_claim_the_game_or_wait(online, anna, bert):
    id = online.game(anna, bert, clock="move:60")
    write(online, update(HOSTED).values(since=HOSTED.c.since - 61, falls=HOSTED.c.falls - 61))
    scheduler.fall(online.site, time.time())
    assert anna.table_status(id)["ended"] is None and "claim" in bert.table_status(id)["may"]
    with anna.looks(id, "red") as red:
        moves(red)
        assert red.choice == 3
    assert bert.post(f"/api/tables/{id}/claim", {"side": "blue"}).status_code == 403, (
        "he has played since"
    )


def test_clocks_are_told_after_each_choice_and_stand_still_while_no_server_is_there(
    online, anna, bert
):
    id = online.game(anna, bert, clock="fischer:600+10")
    with anna.looks(id, "red") as red:
        moves(red)
        told = red.until_told("clock")
        assert told["running"] == "red" and 590 < told["left"]["red"] <= 600 == told["left"]["blue"]
    scheduler.beat(online.site, time.time())
    falls = text("SELECT falls FROM hosted")
    with online.site.store.reading() as db:
        before = db.execute(falls).scalar()
    scheduler.beat(online.site, time.time() + 1000)
    scheduler.beat(online.site, time.time() + 1001)
    with online.site.store.reading() as db:
        assert db.execute(falls).scalar() == pytest.approx(before + 1000, abs=5)


# ---------------------------------------------------------------------- texts
EVIL = '<img src=x onerror=alert(1)> & "quotes" \u202e\x1b[31m'


def test_html_in_names_and_texts_stays_text(online):
    anna, bert = online.new("<b>Anna</b>"), online.new("Bert")
    id = online.game(anna, bert, access="public")
    with bert.looks(id, "blue") as page:
        answer = anna.post(f"/api/tables/{id}/chat", {"room": "players", "text": EVIL})
        assert (
            answer.headers["content-type"] == "application/json"
            and answer.headers["x-content-type-options"] == "nosniff"
        )
        told = page.until_told("chat_message")
        assert (
            told["text"] == '<img src=x onerror=alert(1)> & "quotes" [31m'
            and told["who"] == "<b>Anna</b>"
        )
    anna.put(f"/api/tables/{id}/note", {"text": EVIL})
    assert anna.get(f"/api/tables/{id}/note").json()["text"].startswith("<img src=x")
    for path in (f"/table/{id}", "/", "/join/%3Cscript%3E", f"/table/{id}?seat=%3Cscript%3E"):
        assert "script>alert" not in anna.get(path).text and "<b>Anna" not in anna.get(path).text


def test_the_players_chat_is_theirs_and_the_observers_opens_when_the_game_is_over(
    online, anna, bert, carl
):
    id = online.game(anna, bert, access="public")
    say = f"/api/tables/{id}/chat"
    assert anna.post(say, {"room": "players", "text": "to you"}).status_code == 201
    with anna.looks(id, "red") as player, carl.looks(id) as spectator:
        assert carl.post(say, {"room": "observers", "text": "red will lose"}).status_code == 201
        assert spectator.until_told("chat_message")["text"] == "red will lose"
        assert bert.post(say, {"room": "players", "text": "hm"}).status_code == 201
        assert player.until_told("chat_message")["text"] == "hm", "and not what the observers say"
    assert (
        [t["text"] for t in carl.get(say).json()]
        == [t["text"] for t in online.somebody().get(say).json()]
        == ["red will lose"]
    )
    assert [t["text"] for t in anna.get(say).json()] == ["to you", "hm"]
    bert.post(f"/api/tables/{id}/resign", {"side": "blue"})
    assert [t["text"] for t in anna.get(f"{say}?since=1").json()] == ["red will lose", "hm"]


def test_a_text_is_taken_away_by_its_writer_or_an_admin(online, anna, bert, carl):
    id = online.game(anna, bert, access="public")
    number = anna.post(f"/api/tables/{id}/chat", {"room": "players", "text": "oh"}).json()["id"]
    assert bert.delete(f"/api/tables/{id}/chat/{number}").status_code == 403
    assert carl.delete(f"/api/tables/{id}/chat/{number}").status_code == 404
    assert anna.delete(f"/api/tables/{id}/chat/{number}").status_code == 204
    [left] = anna.get(f"/api/tables/{id}/chat").json()
    assert left["removed"] and left["text"] == ""
    assert (
        bert.post(
            f"/api/tables/{id}/chat", {"room": "players", "text": "\u200b \u202e"}
        ).status_code
        == 400
    )


def test_what_was_not_read_is_counted_in_the_lobby(everywhere):
    anna, bert, carl = everywhere.new("Anna"), everywhere.new("Bert"), everywhere.new("Carl")
    id, other = everywhere.game(anna, bert, access="public"), everywhere.game(anna, bert)
    carl.post(f"/api/invitations/{anna.invites(id)}")
    say, read = f"/api/tables/{id}/chat", f"/api/tables/{id}/read"

    def unread(who):
        return {
            each["id"]: each["unread"] for each in who.get("/api/tables").json() if each["unread"]
        }

    numbers = [
        anna.post(say, {"room": "players", "text": text}).json()["id"]
        for text in ("one", "two", "three")
    ]
    carl.post(say, {"room": "observers", "text": "hm"})
    bert.post(f"/api/tables/{other}/chat", {"room": "players", "text": "elsewhere"})
    assert unread(bert) == {id: 3} and unread(anna) == {other: 1} and unread(carl) == {}, (
        "one's own, and what one may not read, do not count"
    )
    assert (
        bert.get(read).json() == {"upto": 0}
        and bert.put(read, {"upto": numbers[1]}).status_code == 204
    )
    assert bert.get(read).json() == {"upto": numbers[1]} and unread(bert) == {id: 1}
    anna.delete(f"{say}/{numbers[2]}")
    assert unread(bert) == {}
    bert.post(f"/api/tables/{id}/resign", {"side": "blue"})
    assert unread(bert) == {id: 1}, "the observers' chat is open now"
    assert all(each["unread"] == 0 for each in carl.get("/api/tables?which=public").json())


def test_a_note_is_read_by_its_writer_only(online, anna, bert):
    id = online.game(anna, bert)
    anna.put(f"/api/tables/{id}/note", {"text": "he has the ambush\nI think"})
    assert anna.get(f"/api/tables/{id}/note").json()["text"] == "he has the ambush\nI think"
    assert bert.get(f"/api/tables/{id}/note").json()["text"] == ""
    anna.put(f"/api/tables/{id}/note", {"text": ""})
    assert anna.get(f"/api/tables/{id}/note").json()["text"] == ""
