"""Tables as pages see them: opened, played, undone, stored."""

import json

import pytest

import rulekit
from rulekit.server.storage import StoreError
from tests.server.table_clients import LIBRARY, serving


def test_what_can_be_played_is_told_in_both_languages(client):
    names = {game["id"]: game for game in client.get("/api/games").json()}
    skirmish = names["skirmish"]
    assert [side["id"] for side in skirmish["sides"]] == ["red", "blue"]
    assert [seat["id"] for seat in skirmish["seats"]] == [
        "human",
        "random",
        "search:easy",
        "search",
        "search:hard",
    ], "it has no total for a greedy seat"
    french = {game["id"]: game for game in client.get("/api/games?lang=fr").json()}
    assert [seat["label"] for seat in french["skirmish"]["seats"]][:3] == [
        "humain",
        "aléatoire : n'importe quel choix",
        "recherche facile : voit venir un peu",
    ]


def test_a_table_is_opened_and_listed(client, opened):
    id = opened(seats={"blue": "random"})
    [listed] = client.get("/api/tables").json()
    assert (
        listed["id"] == id
        and listed["seats"] == {"red": "human", "blue": "random"}
        and listed["decides"] == "red"
    )


@pytest.mark.parametrize(
    "wanted, why",
    [
        ({"game": "chess"}, "chess"),
        ({"game": "skirmish", "seats": {"green": "human"}}, "green"),
        ({"game": "skirmish", "seats": {"red": "fish"}}, "fish"),
        ({"game": "skirmish", "seats": {"red": "greedy"}}, "greedy"),
        ({"game": "skirmish", "seed": "seven"}, "seven"),
        ({"game": "skirmish", "scenario": "alps"}, "alps"),
        ({"game": "skirmish", "rulings": {"a": "b"}}, "'a'"),
        ({"game": 3}, "game"),
        ({"game": "skirmish", "edition": "2nd"}, "2nd"),
        ({"game": "skirmish", "seed": "9" * 99}, "seed"),
        ({}, "game"),
        ([], "object"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(client, wanted, why):
    answer = client.post("/api/tables", json=wanted)
    assert answer.status_code == 400 and why in answer.json()["error"]
    assert client.store.count() == 0


def test_a_plan_is_one_gesture_and_undo_takes_it_back_whole(opened, open_page):
    with open_page(opened(), "red") as page:
        begun, lines = page.state["position"], page.state["lines"]
        assert page.take("march red.H1", "to ford", "to road")["plan"]["taken"] == 3
        moved = page.state["position"]
        assert moved["state"]["zone"]["red.H1"] == "road"
        assert page.answer("undo", at=3)["value"] == 3
        page.until(lambda: page.choice == 0)
        assert page.state["position"] == begun and page.state["lines"] == lines
        assert page.answer("redo", at=0)["value"] == 3
        page.until(lambda: page.choice == 3)
        assert page.state["position"] == moved


def test_at_one_screen_the_other_one_s_move_is_taken_back_where_nothing_is_hidden(
    opened, open_page
):
    """The page has turned to the next player, and the move before was made at the same page."""
    with open_page(opened(game="tic_tac_toe"), "x") as page:
        first, *_ = page.keys
        page.take(first)
        with_x = page.state["position"]["undo"]
        page.answer("sit", seat="o")
        page.until(lambda: page.table["seat"] == "o" and page.keys)
        assert page.state["position"]["undo"] == with_x and with_x["steps"] == 1
        assert page.answer("undo", at=1)["value"] == 1
        page.until(lambda: page.choice == 0)
        assert page.answer("redo", at=0)["value"] == 1
        page.until(lambda: page.choice == 1)
        page.take(page.keys[0])
        assert page.answer("undo", at=2)["value"] == 1, "one's own comes first"


@pytest.mark.parametrize("seats", [{"x": "random"}, {}])
def test_what_was_not_moved_at_this_page_stays(seats, opened, open_page, monkeypatch):
    """This covers the move of an automatic seat, and any move of another player in a game with
    secrets."""
    monkeypatch.setattr(LIBRARY.game("tic_tac_toe").new().table, "has_secrets", not seats)
    with open_page(opened(game="tic_tac_toe", seats=seats), "o") as page:
        if not seats:
            page.answer("sit", seat="x")
            page.until(lambda: page.keys)
            page.take(page.keys[0])
            page.answer("sit", seat="o")
        page.until(lambda: page.choice == 1 and page.keys)
        assert page.state["position"]["undo"]["steps"] == 0
        assert page.answer("undo", at=1)["type"] == "refused"


def test_what_was_done_since_cannot_be_made_again(opened, open_page):
    with open_page(opened(), "red") as page:
        page.take("march red.H1", "to ford", "stop")
        page.answer("undo", at=page.choice)
        page.until(lambda: page.choice == 0)
        page.take("march red.F1")
        assert page.answer("redo", at=page.choice)["type"] == "refused"


def test_a_choice_about_another_position_is_refused_and_the_present_one_told(opened, open_page):
    with open_page(opened(), "red") as page:
        found = page.take("march red.H1", at=5)
        assert found["type"] == "refused" and found["stale"]
        assert page.read()["type"] == "state" and page.choice == 0


def test_a_choice_that_is_not_offered_changes_nothing_and_is_told_why(client, opened, open_page):
    id = opened()
    with open_page(id, "red") as page:
        before = client.get(f"/api/tables/{id}/save").text
        found = page.take("march blue.F1")
        assert found["type"] == "refused" and not found["stale"] and "blue" in found["why"].lower()
        assert client.get(f"/api/tables/{id}/save").text == before


def test_only_who_is_asked_decides(opened, open_page):
    id = opened()
    with open_page(id, "blue") as blue, open_page(id) as spectator:
        assert blue.state["decision"]["options"] is None
        assert blue.answer("take", at=0, keys=["rest"])["type"] == "refused"
        assert spectator.answer("take", at=0, keys=["rest"])["type"] == "refused"
        assert blue.choice == spectator.choice == 0


def test_a_seat_that_a_machine_has_is_nobodys(opened, open_page, client):
    id = opened(seats={"blue": "random"})
    with client.wire(id) as socket:
        socket.send_json({"type": "sit", "seat": "blue", "re": 4})
        found = socket.receive_json()
        assert found["type"] == "refused" and "blue" in found["why"]


@pytest.mark.parametrize(("lang", "word"), [("en", "random"), ("fr", "aléatoire")])
def test_what_plays_by_itself_is_called_so_in_ones_language(lang, word, opened, open_page):
    with open_page(opened(seats={"blue": "random"}), lang=lang) as page:
        assert page.table["called"] == {"blue": word}


def test_both_players_are_told_of_a_choice(opened, open_page):
    id = opened()
    with open_page(id, "red") as red, open_page(id, "blue", "fr") as blue:
        red.take("march red.H1", "to ford", "stop")
        blue.until(lambda: blue.choice == red.choice)
        assert blue.state["position"]["state"] == red.state["position"]["state"]
        assert blue.table["sheet"]["lang"] == "fr" and red.table["sheet"]["lang"] == "en"


def test_a_whole_game_against_a_machine_ends_with_the_seed_that_was_committed_to(opened, open_page):
    id = opened(seats={"blue": "random"})
    with open_page(id, "red") as page:
        assert page.table["seed"] is None and page.table["salt"] is None
        for _ in range(500):
            page.until(lambda: page.keys or page.state["decision"] is None)
            if page.state["decision"] is None:
                break
            page.take(page.keys[-1])
        page.until(lambda: page.table["seed"] is not None)
        from rulekit.runtime.seeds import commitment, seed_of

        assert (
            commitment(seed_of(page.table["seed"]), page.table["salt"]) == page.table["commitment"]
        )
        assert page.state["position"]["result"]


def test_a_table_goes_on_after_the_server_has_ended(tmp_path):
    from tests.server.table_clients import Page

    with serving(tmp_path / "t.db") as client:
        id = client.post("/api/tables", json={"game": "skirmish", "seed": "7"}).json()["id"]
        with client.wire(id) as socket:
            page = Page(socket, "red")
            page.take("march red.H1", "to ford", "stop")
            page.take("march red.F1", "to ford", "stop")
            before = page.state
    with serving(tmp_path / "t.db") as client, client.wire(id) as socket:
        page = Page(socket, "red")
        assert (
            page.state["position"] == before["position"] and page.state["lines"] == before["lines"]
        )
        page.answer("undo", at=page.choice)
        page.until(lambda: page.choice < before["choice"])
        assert page.state["position"]["state"]["zone"]["red.H1"] == "ford", "one gesture only"


def test_a_save_is_read_by_everything_else_and_comes_back(client, opened, open_page, tmp_path):
    id = opened()
    with open_page(id, "red") as page:
        page.take("march red.H1", "to ford", "stop")
        page.answer("undo", at=page.choice)
        page.until(lambda: page.choice == 0)
        page.take("march red.F1")
    text = client.get(f"/api/tables/{id}/save").text
    (tmp_path / "x.save").write_text(text)
    game = rulekit.load("examples/skirmish")
    assert rulekit.replay(game, rulekit.read_save(tmp_path / "x.save")).ok
    answer = client.post("/api/tables/save", content=text)
    assert answer.status_code == 201 and answer.json()["choices"] == page.choice
    assert client.get(f"/api/tables/{answer.json()['id']}/save").text == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[" * 100_000,
        '{"format": "rulekit-save", "format_version": 9}',
        "\x00",
        '{"a": 1}\n' * 9,
    ],
)
def test_what_is_no_save_is_refused(client, text):
    answer = client.post("/api/tables/save", content=text)
    assert answer.status_code == 400 and answer.json()["error"]
    assert client.store.count() == 0


def test_a_save_that_is_too_long_is_not_read(client):
    assert (
        "longer than"
        in client.post("/api/tables/save", content=b" " * ((2 << 20) + 1)).json()["error"]
    )


def test_answers_are_those_of_the_seat(opened, open_page):
    with open_page(opened(), "red") as page:
        seat = rulekit.Seat(rulekit.load("examples/skirmish").new(seed=7), "red")
        assert page.answer("forecast", at=0, keys=["march red.H1"])["value"] == json.loads(
            json.dumps(seat.forecast(["march red.H1"]).to_json())
        )
        assert page.answer("odds", at=0, key="rest")["value"] == json.loads(
            json.dumps(seat.odds("rest").to_json())
        )
        assert (
            page.answer("why", at=0, key="march blue.F1")["value"][0]["text"]
            == seat.why("march blue.F1")[0].text
        )
        assert page.answer("why_not", at=0, thing="blue.F1")["value"]
        assert page.answer("explain", at=0, name="vp", args=["red"])["type"] in (
            "answer",
            "refused",
        )


def test_a_past_position_is_as_it_was(opened, open_page):
    with open_page(opened(), "red") as page:
        begun = page.state["position"]
        page.take("march red.H1", "to ford", "stop")
        frame = page.answer("frame", choice=0)["value"]
        assert frame["state"] == begun["state"] and frame["choice"] == 0
        assert page.answer("frame", choice=99)["type"] == "refused"
        assert page.answer("frame", choice=0, seat="blue")["type"] == "refused", (
            "another seat's eyes only after the end"
        )


def test_a_table_that_is_not_there_is_said_to_be_not_there(client):
    assert client.get("/api/tables/nowhere/save").status_code == 404
    with client.wire("nowhere") as socket:
        assert socket.receive_json()["type"] == "closed"


@pytest.mark.parametrize("path", ["/foo", "/table/"])
def test_where_there_is_no_page_a_page_says_so_and_a_program_is_told_as_data(client, path):
    page = client.get(path, headers={"accept": "text/html,*/*"})
    assert page.status_code == 404 and page.text == client.get("/").text
    assert "error" in client.get(path, headers={"accept": "application/json"}).json()
    assert "error" in client.get("/api/nothing", headers={"accept": "text/html"}).json()


def test_a_table_that_is_removed_is_closed_for_all(client, opened, open_page):
    id = opened()
    with open_page(id, "red") as page:
        assert client.delete(f"/api/tables/{id}").status_code == 204
        assert page.read()["type"] == "closed"
    assert (
        client.get("/api/tables").json() == []
        and client.get(f"/api/tables/{id}/save").status_code == 404
    )


@pytest.mark.parametrize(
    "text", ["", "{", '{"type": "take"}', '{"type": "take", "at": -1, "keys": []}', "[" * 60_000]
)
def test_what_is_no_message_is_answered_and_play_goes_on(opened, open_page, text):
    with open_page(opened(), "red") as page:
        page.socket.send_text(text)
        assert page.read()["type"] == "refused"
        assert page.take("march red.H1")["type"] == "taken"


def test_what_can_be_passed_only_is_passed_by_itself_if_wished(opened, open_page):
    with open_page(opened(), "red") as page:
        assert page.answer("prefer", ask_forced=True)["value"] is True


def test_what_cannot_be_kept_did_not_happen_and_play_goes_on_later(
    client, opened, open_page, monkeypatch
):
    id = opened()
    with open_page(id, "red") as red, open_page(id, "blue") as blue:

        def full(*_):
            raise StoreError("the disk is full")

        before = red.state
        monkeypatch.setattr(client.store, "append", full)
        found = red.answer("take", at=0, keys=["march red.H1", "to ford", "stop"])
        assert (
            found["type"] == "refused"
            and "did not happen" in found["why"]
            and "the disk is full" in found["why"]
        )
        red.until(lambda: red.state is not before)
        assert (
            red.state["position"] == before["position"]
            and client.get(f"/api/tables/{id}/save").text.count("\n") == 2
        )
        monkeypatch.undo()
        assert red.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3
        blue.until(lambda: blue.choice == 3)


def test_choices_that_two_pages_of_a_seat_make_at_once_are_made_once(opened, open_page):
    id = opened()
    with open_page(id, "red") as one, open_page(id, "red") as two:
        one.ask("take", at=0, keys=["march red.H1"])
        two.ask("take", at=0, keys=["march red.H1"])
        told = []
        for page in (one, two):
            page.until(lambda page=page: page.choice == 1)
        for page in (one, two):
            number = page.ask("forecast", at=1, keys=[])
            while (found := page.read()).get("re") != number:
                told.append(found["type"])
        assert one.choice == two.choice == 1


@pytest.mark.parametrize("asks", [False, True])
def test_the_only_option_is_taken_without_asking_unless_one_wishes(client, open_page, asks):
    """The game has no secrets and no winner until the last cell."""
    id = client.post("/api/tables", json={"game": "tic_tac_toe"}).json()["id"]
    with open_page(id, "x") as x, open_page(id, "o") as o:
        x.answer("prefer", ask_forced=asks)
        for n, cell in enumerate(["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3"]):
            for page in (x, o):
                page.until(lambda page=page, n=n: page.choice == n)
            (x, o)[n % 2].take(f"mark {cell}")
        if asks:
            x.until(lambda: x.choice == 8)
            assert x.keys == ["mark c3"]
            x.take("mark c3")
        x.until(lambda: x.choice == 9)
        assert x.state["decision"] is None and x.state["position"]["result"]["level"]
        assert x.state["lines"][-2]["forced"] or x.state["lines"][-1]["forced"]


def test_a_wish_that_comes_twice_with_one_key_opens_one_table(client):
    wanted, headers = {"game": "skirmish"}, {"idempotency-key": "a-key-that-is-new-0001"}
    assert (
        client.post("/api/tables", json=wanted | {"game": "chess"}, headers=headers).status_code
        == 400
    )
    first, second = (client.post("/api/tables", json=wanted, headers=headers) for _ in range(2))
    assert (
        first.status_code == second.status_code == 201
        and first.json()["id"] == second.json()["id"]
        and client.store.count() == 1
    )
    save = client.get(f"/api/tables/{first.json()['id']}/save").content
    brought = [
        client.post(
            "/api/tables/save", content=save, headers={"idempotency-key": "another-key-that-is"}
        ).json()["id"]
        for _ in range(2)
    ]
    assert brought[0] == brought[1] and client.store.count() == 2
    assert client.post("/api/tables", json=wanted).status_code == 201 and client.store.count() == 3
