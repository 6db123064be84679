"""Makes the pictures of the docs: `python -m tests.browser.pictures [NAME ...]` plays at random
until there is something to see, and writes docs/pictures."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

OUT = ROOT / "docs" / "pictures"


def settled(page) -> int:
    """Return the number of choices that the page shows, after zooming to the whole map."""
    page.keyboard.press("0")
    return int(page.locator(".timeline .at b").inner_text())


OTHERS = {
    "athens_sparta": {"sparta": "random"},
    "peloponnesian_war": {"opponent": "charts"},
}  # otherwise greedy plays Sparta
PLAYS = [  # name, size, game, scenario, language, theme, necessary contents, seed
    (
        "move",
        (1440, 900),
        "amphipolis",
        "cleon",
        "en",
        "light",
        lambda page: (
            page.locator(".fan .chosen").count() > 0 and page.locator(".place.target").count() > 3
        ),
        3,
    ),
    (
        "odds",
        (1440, 900),
        "amphipolis",
        "brasidas",
        "en",
        "light",
        lambda page: page.locator(".card .odds tr").count() > 2,
        5,
    ),
    (
        "dark",
        (1440, 900),
        "sphacteria",
        None,
        "en",
        "dark",
        lambda page: page.locator(".place.target").count() > 3,
        2,
    ),
    (
        "hexes",
        (1440, 900),
        "athens_sparta",
        None,
        "en",
        "light",
        lambda page: settled(page) > 12,
        5,
    ),
    (
        "signs",
        (1440, 900),
        "peloponnesian_war",
        None,
        "en",
        "light",
        lambda page: settled(page) > 8,
        3,
    ),
    (
        "phone",
        (390, 844),
        "sphacteria",
        None,
        "fr",
        "light",
        lambda page: page.locator(".place.target").count() > 3,
        4,
    ),
]


def online(browser) -> None:
    """The lobby of a server for many people, and two people who chat while they play."""
    from tests.browser.conftest import Server

    server = Server(
        Path(tempfile.mkdtemp()) / "tables.db", ("serve", "--named-seeds", "--database")
    )
    try:
        _online(browser, server)
    finally:
        server.end()


def _online(browser, server) -> None:
    import random

    from tests.browser.clicking_player import Looker

    lookers = []
    for name in ("Anna", "Bert", "Clara"):
        context = browser.new_context(
            viewport={"width": 1440, "height": 900},
            reduced_motion="reduce",
            color_scheme="light",
            locale="en",
        )
        lookers.append(Looker(context.new_page(), server))
        lookers[-1].page.goto(server.address)
        ask(lookers[-1], "accounts", {"name": name, "password": f"the long word of {name}"})
    anna, bert, clara = lookers
    ids = []
    for game, mine, clock, access in (
        ("sphacteria", "athens", "fischer:1800+15", "public"),
        ("amphipolis", "sparta", "days:3", "private"),
    ):
        ids.append(
            ask(
                anna,
                "tables",
                {"game": game, "mine": [mine], "clock": clock, "access": access, "seed": "425"},
            )["id"]
        )
        address = ask(
            anna,
            f"tables/{ids[-1]}/invitations",
            {"side": "sparta" if mine == "athens" else "athens"},
        )["address"]
        ask(bert, f"invitations/{address.rsplit('/', 1)[1]}", {})
    ask(
        clara,
        "tables",
        {
            "game": "amphipolis",
            "scenario": "brasidas",
            "mine": ["athens"],
            "clock": "days:2",
            "access": "open",
        },
    )
    for each in (anna, bert):
        each.go(ids[0])
    rng = random.Random(4)
    for _ in range(200):
        for each in (anna, bert):
            each.move(rng, 0.7)
        if anna.choice >= 24:
            break
    for who, text in (
        (bert, "Well landed. I did not see the fort coming."),
        (anna, "Wait for spring."),
        (bert, "May I take back the last march? I meant the other leader."),
    ):
        ask(who, f"tables/{ids[0]}/chat", {"room": "players", "text": text})
    side = next(
        seat["side"]
        for seat in ask(bert, f"tables/{ids[0]}", method="GET")["seats"]
        if seat["yours"]
    )
    ask(
        bert,
        f"tables/{ids[0]}/offers",
        {"side": side, "kind": "takeback", "choice": anna.choice - 2},
    )
    ask(anna, f"tables/{ids[0]}/note", {"text": "Two of his leaders stand north."}, "PUT")
    anna.page.reload()
    anna.page.locator("#tab-chat").click()
    anna.page.locator(".offer").wait_for()
    anna.settle()
    anna.page.screenshot(path=OUT / "people.jpg", type="jpeg", quality=82)
    ask(bert, f"tables/{ids[1]}/chat", {"room": "players", "text": "No hurry."})
    anna.page.goto(server.address)
    anna.page.locator(".lists li").first.wait_for()
    anna.page.locator(".games").wait_for()
    anna.page.screenshot(path=OUT / "lobby.jpg", type="jpeg", quality=82)


def analysis(browser, server) -> None:
    """The review of a game between two automatic seats, and its worst turning point."""
    import rulekit
    from rulekit.engine.saves.recorder import Recorder
    from tests.browser.clicking_player import Looker

    state = rulekit.load("sphacteria").new(seed=11)
    game = Recorder(rulekit.load("sphacteria"), state, {"athens": "human", "sparta": "greedy"})
    seats = [rulekit.make_agent(name, state, seed=3) for name in ("search:200", "greedy")]
    while not state.is_terminal():
        game.apply(seats[state.current_player()].choose(state))
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, reduced_motion="reduce", color_scheme="light"
    )
    look = Looker(context.new_page(), server)
    look.page.goto(f"{server.address}/?token={server.token}")
    look.go(look.bring(game.save.text()))
    look.page.get_by_role("button", name="The course of the game").click()
    look.page.wait_for_function(
        "() => document.querySelector('.analysis .think') === null", timeout=300_000
    )
    look.page.locator(".turning .first-choice").first.click()
    look.page.mouse.move(720, 30)
    look.page.locator("figure.review").evaluate("each => each.scrollIntoView()")
    look.page.wait_for_timeout(600)
    look.page.screenshot(path=OUT / "analysis.jpg", type="jpeg", quality=82)
    context.close()


def ask(look, path, data=None, method="POST"):
    """Send a request to the API and return its answer."""
    answer = look.page.request.fetch(
        f"{look.server.address}/api/{path}",
        method=method,
        headers={"origin": look.server.address},
        data=data,
    )
    assert answer.ok, answer.text()
    return answer.json() if answer.status != 204 else None


def main() -> None:
    """Make all pictures, or the named ones."""
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import found
    from tests.browser.clicking_player import Looker
    from tests.browser.conftest import Server

    wanted = sys.argv[1:]

    server = Server(Path(tempfile.mkdtemp()) / "tables.db")
    path = found()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            **({} if path in (None, "playwright") else {"executable_path": path})
        )
        if not wanted or "online" in wanted:
            online(browser)
        if not wanted or "analysis" in wanted:
            analysis(browser, server)
        for name, (width, height), game, scenario, lang, theme, seen, seed in PLAYS:
            if wanted and name not in wanted:
                continue
            context = browser.new_context(
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                color_scheme=theme,
                device_scale_factor=2 if width < 500 else 1,
            )
            look = Looker(context.new_page(), server)
            look.page.goto(f"{server.address}/?token={server.token}")
            if name == "move":
                look.page.wait_for_selector(".games")
                look.page.screenshot(path=OUT / "hall.jpg", type="jpeg", quality=82)
            look.new(game, scenario, OTHERS.get(game, {"sparta": "greedy"}), lang)
            look.play(seed, brisk=0.25, until=lambda page=look.page, seen=seen: seen(page))
            if not seen(look.page):
                sys.exit(
                    f"{name}: with this seed there was nothing to see until the end; take another"
                )
            look.page.mouse.move(width / 2, 30)
            look.page.wait_for_timeout(400)
            look.page.screenshot(path=OUT / f"{name}.jpg", type="jpeg", quality=82)
            context.close()
        browser.close()
    server.end()


if __name__ == "__main__":
    main()
