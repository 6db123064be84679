"""Long analyses: variations during the game, and the review of a finished game."""

import json
import threading

import pytest

import rulekit
from rulekit.engine.saves.recorder import replay
from rulekit.engine.saves.save_format import parse_save
from rulekit.engine.search import game_review
from rulekit.engine.search.analysis import analyse
from rulekit.engine.search.game_review import review_game
from rulekit.engine.search.search_agent import Effort
from rulekit.server import background_analysis, protocol
from rulekit.server.access import AccessPolicy
from rulekit.server.background_analysis import Study
from tests.server.table_clients import ROOT

GAME = "tic_tac_toe"


@pytest.fixture
def quick(monkeypatch):
    """Few, counted iterations."""
    monkeypatch.setattr(
        background_analysis, "effort", lambda seconds: Effort(0.0, round(100 * seconds))
    )
    monkeypatch.setattr(background_analysis, "VISITS", 40)
    monkeypatch.setattr(background_analysis, "VISITS_IN_PYTHON", 40)


def plain(value):
    """Return a value as it is sent to a page."""
    return json.loads(json.dumps(value))


def test_who_is_asked_is_told_the_best_lines(opened, open_page, quick):
    """They equal the result of `analyse` for the position."""
    with open_page(opened(game=GAME, hints=True), "x") as page:
        found = page.answer("analyse", at=0, seconds=0.6)["value"]
        state = rulekit.load(ROOT / "examples" / GAME).new(seed=7)
        assert found == plain(analyse(state, Effort(0, 60)).to_json())
        assert found["lines"][0]["choices"][0]["key"] in page.keys and found["lines"][0]["chance"]


@pytest.mark.parametrize(
    "hints, seat, at, why",
    [
        (False, "x", 0, "no hints"),
        (True, "o", 0, "another player"),
        (True, None, 0, "another player"),
        (True, "x", 3, "the game is at choice"),
    ],
)
def test_nobody_else_is_told_them(opened, open_page, quick, hints, seat, at, why):
    with open_page(opened(game=GAME, hints=hints), seat) as page:
        found = page.answer("analyse", at=at)
        assert found["type"] == "refused" and why in found["why"]


def test_a_policy_without_hints_allows_no_analysis(opened, open_page, quick, monkeypatch):
    monkeypatch.setattr(AccessPolicy, "hints", lambda self, room: False)
    with open_page(opened(game=GAME, hints=True), "x") as page:
        assert "no hints" in page.answer("analyse", at=0)["why"]


@pytest.fixture
def long(monkeypatch):
    """An analysis that runs until it is stopped, with events for its begin and end."""
    begun, ended = threading.Event(), threading.Event()

    def analysis(self, seconds):
        begun.set()
        while not self.agent.ended:
            assert not ended.wait(0.01)
        ended.set()
        return analyse(self.state, Effort(0, 1))

    monkeypatch.setattr(Study, "analysis", analysis)
    return begun, ended


def test_other_questions_are_answered_meanwhile(opened, open_page, long):
    begun, ended = long
    with open_page(opened(game=GAME, hints=True), "x") as page:
        number = page.ask("analyse", at=0)
        assert begun.wait(300)
        assert page.answer("odds", at=0)["type"] == "answer" and not ended.is_set()
        page.ask("stop")
        assert page.until_told("answer", value=True) and ended.wait(300)
        assert number


def test_what_was_ended_while_it_waited_is_not_begun(monkeypatch):
    """It takes no time from waiting analyses."""
    monkeypatch.setattr(Study, "analysis", lambda self, seconds: pytest.fail("it was begun"))
    ended = Study(rulekit.load(ROOT / "examples" / GAME).new(seed=7), "x", None)
    ended.end()
    with pytest.raises(rulekit.IllegalChoice, match="before it began"):
        ended.answer(protocol.Analyse(0), {})


@pytest.mark.parametrize("how", ["stop", "analyse", "take", "sit", "leave"])
def test_it_is_ended(opened, open_page, long, how):
    """It ends by a request, by another analysis, by a choice, by another seat or language, and when
    the page closes."""
    begun, ended = long
    with open_page(opened(game=GAME, hints=True), "x") as page:
        page.ask("analyse", at=0)
        assert begun.wait(300)
        if how == "take":
            page.take(page.keys[0])
        elif how != "leave":
            page.ask(how, **{"analyse": {"at": 0}, "sit": {"lang": "en", "seat": "x"}}.get(how, {}))
        assert how == "leave" or ended.wait(300)
    assert ended.wait(300)


def asked_for_whole(page):
    """Return the decisions of the whole review, and the number of its parts."""
    found, begin, parts = [], 1, 0
    while begin is not None:
        told = page.answer("review", at=page.choice, begin=begin)["value"]
        found, begin, parts = found + told["decisions"], told["next"], parts + 1
    return found, parts


def test_the_review_is_for_everybody_when_the_game_is_over(
    client, opened, open_page, quick, monkeypatch
):
    """All parts together equal `review_game`, for every observer. No result is computed twice."""
    thought, judge = [], game_review.judge
    monkeypatch.setattr(background_analysis, "STEP", 0.0)
    monkeypatch.setattr(game_review, "judge", lambda *args: (thought.append(args), judge(*args))[1])
    id = opened(game=GAME, seats={"o": "random"})
    with open_page(id, "x") as page, open_page(id, None) as other:
        assert "only after its end" in page.answer("review", at=page.choice)["why"]
        while page.state["decision"] is not None:
            page.take(page.keys[0]) if page.keys else page.read()
        found, parts = asked_for_whole(page)
        assert parts == page.choice > 4 and len(thought) == len(found)
        other.until(lambda: other.choice == page.choice)
        assert asked_for_whole(other)[0] == found and len(thought) == len(found)
    state = replay(
        rulekit.load(ROOT / "examples" / GAME),
        parse_save(client.get(f"/api/tables/{id}/save").text),
    ).state
    assert found == plain(review_game(state, Effort(0, 40)).to_json()["decisions"])


def test_what_was_found_is_forgotten_when_the_game_goes_another_way(opened, open_page, quick):
    """After an undo and another choice, the last decision is judged again."""
    id = opened(game=GAME)
    with open_page(id, "x") as x, open_page(id, "o") as o:

        def go(page, key):
            page.take(key)
            for each in (x, o):
                each.until(lambda each=each: each.choice == page.choice)

        cells = [key.split()[1] for key in x.keys]
        for number, cell in enumerate((0, 3, 1, 4, 2)):
            go((x, o)[number % 2], f"mark {cells[cell]}")
        assert [each["chosen"]["key"] for each in asked_for_whole(x)[0]][-1] == f"mark {cells[2]}"
        x.answer("undo", at=5)
        for each in (x, o):
            each.until(lambda each=each: each.choice == 4)
        go(x, f"mark {cells[8]}")
        go(o, f"mark {cells[5]}")
        assert [each["chosen"]["key"] for each in asked_for_whole(o)[0]][-2:] == [
            f"mark {cells[8]}",
            f"mark {cells[5]}",
        ]
