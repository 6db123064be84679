"""Nobody has more than their share of a server: sockets, messages, undos, questions, tables. A
limit is reported."""

import contextlib
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.websockets import WebSocketDisconnect

from rulekit.common.errors import RulekitError
from rulekit.engine.saves.save_format import parse_save
from rulekit.server import app, hub, query_threads
from rulekit.server.online import connection_limits
from rulekit.server.online.access import undone_by
from rulekit.server.online.rate_limits import CAPS, RATES, Limits, read_limits
from rulekit.server.online.socket_admission import Admission, TooMany, descriptors
from rulekit.server.storage import file_address
from tests.server.table_clients import ROOT, Page
from tests.server.visitors import FREE, PUBLIC, serving_online


@contextlib.contextmanager
def capped(tmp_path, rates=None, **caps):
    with serving_online(
        file_address(tmp_path / "x.db"), limits=Limits({**FREE, **(rates or {})}, caps=caps)
    ) as online:
        yield online


def wire(visitor, id):
    headers = {"origin": PUBLIC, **({"cookie": visitor.cookie} if visitor.cookie else {})}
    return visitor.client.websocket_connect(
        f"ws://table.test/api/tables/{id}/wire", headers=headers
    )


def refused(visitor, id):
    """Return the message to a socket beyond the limit, and the code with which it is closed."""
    with wire(visitor, id) as socket:
        told = socket.receive_json()
        assert told["type"] == "closed"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        return told["why"], closed.value.code


# ---------------------------------------------------------------------- sockets
@pytest.mark.parametrize(
    "cap, who",
    [
        ("sockets_address", "somebody"),
        ("sockets_person", "anna"),
        ("sockets_table", "somebody"),
        ("sockets", "somebody"),
    ],
)
def test_so_many_sockets_and_no_more(tmp_path, cap, who):
    """A socket beyond the limit gets the reason, and a code for programs. When another one closes,
    it may connect."""
    with capped(tmp_path, **{cap: 3}) as online:
        anna = online.new("Anna")
        id, visitor = (
            anna.opens(access="public", mine=["red", "blue"]),
            (anna if who == "anna" else online.somebody()),
        )
        with contextlib.ExitStack() as held:
            pages = [held.enter_context(visitor.looks(id)) for _ in range(3)]
            why, code = refused(visitor, id)
            assert "3 " in why and "pages" in why and "limit" in why and code == app.LIMITED == 4429
            if cap == "sockets_person":
                with online.somebody().looks(id):
                    pass
            assert all(
                page.answer("forecast", at=0, keys=[])["type"] in ("answer", "refused")
                for page in pages
            )
        with visitor.looks(id):
            pass


def test_a_socket_that_goes_counts_no_more_however_it_went():
    admission = Admission(Limits(caps={"sockets_address": 1}))
    for _ in range(3):
        with pytest.raises(KeyError), admission.admits("t", "p", "a"):
            raise KeyError
    with admission.admits("t", "p", "a"), pytest.raises(TooMany), admission.admits("t", None, "a"):
        pass
    with admission.admits("t", None, "a"), admission.admits("t", None, "b"):
        pass
    assert not admission._open


def test_sockets_leave_descriptors_for_all_else(monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (264, 264))
    assert descriptors() == 200
    admission = Admission(Limits(caps={"sockets_address": 1000, "sockets_table": 1000}))
    with contextlib.ExitStack() as held:
        for _ in range(160):
            held.enter_context(admission.admits("t", None, "a"))
        with pytest.raises(TooMany), admission.admits("t", None, "b"):
            pass


# ---------------------------------------------------------------------- messages and choices
def test_who_writes_too_quickly_is_refused_with_the_reason_and_then_sent_away(tmp_path):
    with capped(tmp_path, {"messages": (5, 3600.0)}) as online:
        anna, bert = online.new("Anna"), online.new("Bert")
        id = online.game(anna, bert)
        with bert.looks(id, "blue") as blue, wire(anna, id) as socket:
            red = Page(socket, "red")
            told = [red.answer("forecast", at=0, keys=[])["type"] for _ in range(4)]
            assert told == ["answer"] * 4 or "refused" in told
            late = red.answer("take", at=0, keys=["rest"])
            assert (
                late["type"] == "refused"
                and late["busy"]
                and "too many attempts" in late["why"]
                and online.site.store.row(id).choices == 0
            )
            with pytest.raises(WebSocketDisconnect) as closed:
                for _ in range(app.MOST_REFUSED):
                    red.ask("prefer")
                while True:
                    last = socket.receive_json()
            assert (
                last["type"] == "closed"
                and "too many requests" in last["why"]
                and closed.value.code == app.LIMITED
            )
            assert blue.answer("forecast", at=0, keys=[])["type"] in ("answer", "refused")


def test_choices_are_counted_by_all_sockets_of_a_person(tmp_path):
    with capped(tmp_path, {"choices": (4, 3600.0)}) as online:
        anna = online.new("Anna")
        id, other = anna.opens(mine=["red", "blue"]), anna.opens(mine=["red", "blue"])
        with anna.looks(id, "red") as one, anna.looks(other, "red") as two:
            assert one.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3
            assert two.answer("take", at=0, keys=["march red.H1", "to ford"])["type"] == "refused"
            assert one.answer("undo", at=3)["type"] == "answer"
            assert (
                two.answer("take", at=0, keys=["march red.H1"])["type"] == "refused"
                and online.site.store.row(other).choices == 0
            )


def test_choosing_and_taking_back_without_end_ends(tmp_path):
    """The limit is for each side, so one side cannot use up the other's. It persists when the table
    is opened again."""
    with capped(tmp_path, undone=6) as online:
        anna, bert = online.new("Anna"), online.new("Bert")
        id = online.game(anna, bert)

        def lines():
            return len(online.site.store.lines(id))

        with anna.looks(id, "red") as red:
            for _ in range(2):
                red.take("march red.H1", "to ford", "stop")
                red.answer("undo", at=red.choice)
                red.until(lambda: red.choice == 0)
            red.take("march red.H1", "to ford", "stop")
            before = lines()
            told = red.answer("undo", at=3)
            assert told["type"] == "refused" and "taken back 6" in told["why"] and lines() == before
        with anna.looks(id, "red") as red, bert.looks(id, "blue") as blue:
            assert red.answer("undo", at=3)["type"] == "refused", "after the room was closed"
            while red.state["decision"]["player"] == "red":
                red.take("rest" if "rest" in red.keys else red.keys[-1])
            blue.until(lambda: blue.choice == red.choice)
            blue.take(
                next(key for key in blue.keys if key.startswith("march"))
            )  # this choice rolls no dice
            assert blue.answer("undo", at=blue.choice)["type"] == "answer"
        save = parse_save(
            online.site.store.row(id).header
            + "".join(text for _, text in online.site.store.lines(id))
        )
        assert undone_by(save, "red") == 6 and undone_by(save, "blue") >= 1


# ---------------------------------------------------------------------- questions
class Held:
    """Answers that wait until a test releases them."""

    def __init__(self, monkeypatch):
        self.begun, self.go_on = threading.Semaphore(0), threading.Event()
        monkeypatch.setattr(query_threads, "answer", self.answer)

    def answer(self, *_):
        self.begun.release()
        assert self.go_on.wait(60)
        return {}


@pytest.mark.parametrize(
    "kind, pool",
    [("odds", "COSTLY"), ("preview", "COSTLY"), ("forecast", "QUICK"), ("why", "QUICK")],
)
def test_what_pages_ask_holds_up_nobody_who_plays(tmp_path, monkeypatch, kind, pool):
    """All sockets of a person count together. The rest of the queue is for others."""
    each, most = getattr(query_threads, f"{pool}_EACH"), 6
    monkeypatch.setattr(query_threads, pool, most)
    more = {"forecast": {"keys": []}, "preview": {"keys": []}, "why": {"key": "rest"}}.get(kind, {})
    with capped(tmp_path) as online, contextlib.ExitStack() as held:
        anna, bert = online.new("Anna"), online.new("Bert")
        id, game = online.game(anna, bert, access="public"), online.game(anna, bert)
        play = held.enter_context(anna.looks(game, "red"))
        many = max(each, most) + 1
        pages = [held.enter_context(online.somebody().looks(id)) for _ in range(many)]
        answers = Held(monkeypatch)
        for page in pages:
            page.number += 1
            page.socket.send_json({"type": kind, "re": page.number, "at": 0, **more})
        answers.begun.acquire()
        told = [page.until_told("refused") for page in pages[min(each, most) :]]
        assert all(
            "too many" in each["why"] or "the server is busy" in each["why"] for each in told
        )
        assert play.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3, (
            "while they all wait"
        )
        answers.go_on.set()
        for page in pages[: min(each, most)]:
            page.until_told("answer")


def test_seats_that_think_hold_up_nobody_who_plays(tmp_path, monkeypatch):
    go_on, begun = threading.Event(), threading.Event()

    def thinks(self, state):
        begun.set()
        assert go_on.wait(60)
        return state.decision.options[0]

    monkeypatch.setattr("rulekit.engine.search.agent_registry.RandomAgent.choose", thinks)
    with capped(tmp_path) as online, contextlib.ExitStack() as held:
        anna, bert = online.new("Anna"), online.new("Bert")
        game = online.game(anna, bert)
        play = held.enter_context(anna.looks(game, "red"))
        try:
            for _ in range(16):  # more than the threads for play
                id = bert.opens(mine=["blue"], seats={"red": "random"}, access="public")
                held.enter_context(online.somebody().looks(id))
            assert begun.wait(60)
            assert play.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3
        finally:
            go_on.set()


def test_who_opens_long_games_holds_up_nobody_who_plays(tmp_path, monkeypatch):
    """Replaying the choices takes time, and anybody who looks at a public table may cause it."""
    go_on, begun, whole = threading.Event(), threading.Semaphore(0), hub.reopened

    def slow(*args):
        begun.release()
        assert go_on.wait(60)
        return whole(*args)

    with capped(tmp_path) as online, contextlib.ExitStack() as held:
        anna, bert = online.new("Anna"), online.new("Bert")
        play = held.enter_context(anna.looks(online.game(anna, bert), "red"))
        others = [online.game(anna, bert, access="public") for _ in range(16)]
        monkeypatch.setattr(hub, "reopened", slow)
        sockets = [held.enter_context(wire(online.somebody(), id)) for id in others]
        begun.acquire()
        try:
            assert play.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3
        finally:
            go_on.set()
        assert all(Page(socket).choice == 0 for socket in sockets)


# ---------------------------------------------------------------------- tables and saves
def test_so_many_tables_of_a_person_that_have_not_ended(tmp_path):
    with capped(tmp_path, tables=2) as online:
        anna = online.new("Anna")
        first, _ = anna.opens(), anna.opens()
        answer = anna.post("/api/tables", {"game": "skirmish", "mine": ["red"]})
        assert (
            answer.status_code == 403
            and "open tables, which is the limit" in answer.json()["error"]
        )
        assert (
            online.new("Bert").opens()
            and anna.delete(f"/api/tables/{first}").status_code == 204
            and anna.opens()
        )


def test_a_save_with_too_many_choices_is_refused_before_it_is_played(tmp_path):
    with capped(tmp_path, records=8) as online:
        anna, bert = online.new("Anna"), online.new("Bert")
        id = online.game(anna, bert)
        with anna.looks(id, "red") as red:
            red.take("march red.H1", "to ford", "stop")
        anna.post(f"/api/tables/{id}/resign", {"side": "red"})
        save = anna.get(f"/api/tables/{id}/save").text
        head, *lines = save.splitlines(keepends=True)
        long = head + "".join([*lines, *['{"undo":1}\n', lines[-1]] * 10])
        answer = anna.post(
            "/api/tables", {"game": "skirmish", "mine": ["red", "blue"], "save": long}
        )
        assert answer.status_code == 400
        assert (
            anna.post(
                "/api/tables", {"game": "skirmish", "mine": ["red", "blue"], "save": save}
            ).status_code
            == 201
        )


def test_who_opens_tables_waits_for_his_own_and_not_the_players(tmp_path, monkeypatch):
    begun, go_on = threading.Semaphore(0), threading.Event()
    with capped(tmp_path) as online, ThreadPoolExecutor(8) as pool:
        anna, bert = online.new("Anna"), online.new("Bert")
        id = online.game(anna, bert)
        whole = online.site.hub.begun

        def slow(wanted):
            begun.release()
            assert go_on.wait(60)
            return whole(wanted)

        with anna.looks(id, "red") as red:
            monkeypatch.setattr(online.site.hub, "begun", slow)
            asked = [
                pool.submit(bert.post, "/api/tables", {"game": "skirmish", "mine": ["red"]})
                for _ in range(8)
            ]
            begun.acquire()
            assert red.take("march red.H1", "to ford", "stop")["plan"]["taken"] == 3
            go_on.set()
            codes = [each.result().status_code for each in asked]
        assert set(codes) <= {201, 503} and codes.count(201) >= 1


# ---------------------------------------------------------------------- connections
@contextlib.contextmanager
def listening(limits):
    """A server on a port, with the protocol that counts its connections."""

    async def fine(_):
        return PlainTextResponse("fine\n")

    config = uvicorn.Config(
        Starlette(routes=[Route("/", fine)]),
        log_config=None,
        http=connection_limits.bounded_http(limits, False),
        lifespan="off",
    )
    server, heard = uvicorn.Server(config), socket.socket()
    heard.bind(("127.0.0.1", 0))
    heard.listen(64)
    thread = threading.Thread(target=server.run, args=([heard],))
    thread.start()
    try:
        yield heard.getsockname()
    finally:
        server.should_exit = True
        thread.join()
        heard.close()


def says(connection, text):
    """Return the answer, or b"" if the connection is closed."""
    answered = b""
    with contextlib.suppress(ConnectionError):
        connection.sendall(text)
        while not answered.endswith(b"fine\n") and (more := connection.recv(4096)):
            answered += more
    return answered


ASKS = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def test_connections_that_ask_for_nothing_are_few_and_the_next_address_is_answered():
    with listening(Limits(caps={"connections": 3})) as where, contextlib.ExitStack() as held:
        few = [held.enter_context(socket.create_connection(where, 30)) for _ in range(3)]
        assert says(few[0], ASKS).endswith(b"fine\n"), "all three are there"
        one_more = says(held.enter_context(socket.create_connection(where, 30)), ASKS)
        assert one_more.startswith(b"HTTP/1.1 503") and b"at most 3 for each address" in one_more, (
            "who is one too many is told"
        )
        other = held.enter_context(socket.create_connection(where, 30, ("127.0.0.2", 0)))
        assert says(other, ASKS).endswith(b"fine\n")
        few[1].close()
        answered = b""
        while not answered:  # until the server has noticed the disconnection
            with socket.create_connection(where, 30) as again:
                answered = says(again, ASKS)
        assert answered.endswith(b"fine\n")


def test_connections_that_are_too_many_wait_for_their_answer_in_small_number(monkeypatch):
    monkeypatch.setattr(connection_limits, "REFUSED", 2)
    monkeypatch.setattr(connection_limits, "SOON", 600.0)
    with listening(Limits(caps={"connections": 1})) as where, contextlib.ExitStack() as held:
        first = held.enter_context(socket.create_connection(where, 30))
        assert says(first, ASKS).endswith(b"fine\n")
        waiting = [held.enter_context(socket.create_connection(where, 30)) for _ in range(2)]
        assert says(held.enter_context(socket.create_connection(where, 30)), ASKS) == b"", (
            "beyond them nothing is said"
        )
        assert all(says(each, ASKS).startswith(b"HTTP/1.1 503") for each in waiting)
        answered = b""
        while not answered:  # until the server has noticed the disconnections
            answered = says(held.enter_context(socket.create_connection(where, 30)), ASKS)
        assert answered.startswith(b"HTTP/1.1 503"), "and the next is told again"


@pytest.mark.parametrize(
    "text",
    [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow:", ASKS + b"GET / HTTP/1.1\r\n"],
    ids=["nothing", "slow", "second"],
)
def test_a_request_that_does_not_come_is_not_waited_for(monkeypatch, text):
    monkeypatch.setattr(connection_limits, "SECONDS", 0.3)
    with listening(Limits()) as where, socket.create_connection(where, 30) as connection:
        connection.sendall(text)
        with contextlib.suppress(ConnectionError):
            while connection.recv(4096):
                pass


# ---------------------------------------------------------------------- settings
def test_limits_are_named_when_the_server_is_begun():
    assert read_limits(["guess=7/30", "sockets_table=9"]) == (
        {"guess": (7, 30.0)},
        {"sockets_table": 9},
    )
    limits = Limits(*read_limits(["undone=9"])[:1], caps=read_limits(["undone=9"])[1])
    assert limits.most("undone") == 9 and limits.most("records") == CAPS["records"]
    for text in (
        "guess=7",
        "sockets=7/3",
        "nothing=1",
        "guess",
        "guess=1/0",
        "guess=-1/5",
        "undone=x",
        "=1",
    ):
        with pytest.raises(RulekitError, match="is not a limit"):
            read_limits([text])


def test_the_page_for_who_runs_a_server_names_every_limit_with_its_number():
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"^\| `(\w+)` \| ([\d,/ a-z]+) \|", page, re.M))
    wanted = {name: f"{times}/{seconds:g}" for name, (times, seconds) in RATES.items()} | {
        name: str(most) for name, most in CAPS.items()
    }
    wanted["sockets"] = "descriptors"
    assert said == wanted
