"""The page apart from clicks: keyboard, language, small screens, hidden hands, lost connections,
replay, reasons, odds."""

import random

import pytest

import rulekit
from rulekit.engine.saves.recorder import Recorder
from tests.browser.accessibility import find_faults
from tests.browser.clicking_player import check_hands
from tests.browser.conftest import Server
from tests.presentation.test_preview import written as left_alone


# ------------------------------------------------------------------ keys
def keyed(page, rng):
    """Make one step with the keyboard: confirm if possible, else press a button by its number, else
    go to a highlighted thing and press it."""
    press, lit = page.page.keyboard.press, page.lit()
    kinds = [each["kind"] for each in lit]
    if "confirm" in kinds:
        press("Enter")
    elif "option" in kinds and rng.random() < 0.6:
        press(str(rng.randrange(min(9, kinds.count("option"))) + 1))
    elif any(kind in kinds for kind in ("piece", "pile", "place", "face")):
        for _ in range(rng.randrange(1, 4)):
            press("n")
        press("Enter")
    else:
        press("1")
    page.settle()


def test_a_game_goes_on_by_the_keyboard_alone(server, look):
    page = look(server)
    page.new("sphacteria", seats={"sparta": "greedy"})
    rng, begun = random.Random(3), page.choice
    for _ in range(150):
        page.mine()
        if page.over or page.choice >= begun + 60:
            break
        keyed(page, rng)
    assert page.over or page.choice >= begun + 60


def test_the_keys_are_listed_and_undo_has_one(server, look):
    page = look(server)
    page.new("skirmish", seats={"blue": "random"})
    page.page.keyboard.press("?")
    page.page.locator(".help").wait_for()
    page.page.keyboard.press("Escape")


def test_undo_takes_back_clicks_and_then_choices(server, look):
    page = look(server)
    page.new("sphacteria", seats={"sparta": "greedy"})
    undo = page.page.locator("#prompt .act.quiet").first
    before, rng = page.choice, random.Random(1)
    while page.choice == before or undo.get_attribute("aria-disabled") == "true":
        before = page.choice
        page.play(
            rng.random(), until=lambda then=before: page.choice != then, most=page.clicks + 200
        )
        # the answer of the other seat, or an automatic only option, comes a little later
        page.mine()
    made = page.choice
    for _ in range(9):
        page.page.keyboard.press("u")
        page.settle()
        page.mine()
        if page.choice < made:
            break
    assert page.choice < made
    page.page.keyboard.press("r")
    page.settle()
    page.mine()
    assert page.choice == made


def test_two_at_one_screen_take_back_where_nothing_is_hidden(server, look):
    page = look(server)
    page.new("tic_tac_toe")
    page.play(until=lambda: page.choice == 2)
    for left in (1, 0):
        page.page.keyboard.press("u")
        page.page.wait_for_function(
            "left => document.querySelector('.timeline .at b')?.innerText === String(left)",
            arg=left,
        )
        page.mine()


# ------------------------------------------------------------------ languages and screens
def test_the_language_changes_at_any_moment_log_included(server, look):
    page = look(server)
    page.new("sphacteria", seats={"sparta": "greedy"}, lang="fr")
    start = page.choice
    page.play(until=lambda: page.choice > start + 30)
    text = page.page.locator("body").inner_text()
    for english in (
        "Undo",
        "Your decision",
        "Report",
        "Action Phase",
        "Activate",
        "hand",
        "Strength",
    ):
        assert english not in text
    page.page.locator(".lang button", has_text="EN").click()
    page.page.wait_for_function(
        "() => document.documentElement.lang === 'en' &&"
        " document.querySelector('.lines')?.innerText.includes('Phase of')"
    )
    assert "Phase d" not in page.page.locator(".lines").inner_text()


@pytest.mark.parametrize("width, height", [(390, 844), (820, 1180)])
def test_it_is_played_on_a_small_screen_by_touch(server, look, width, height):
    page = look(server, width, height, has_touch=True, device_scale_factor=2)
    page.new("sphacteria", seats={"sparta": "greedy"})
    start = page.choice
    page.play(brisk=0.6, until=lambda: page.choice > start + 40)
    assert page.page.evaluate("() => document.documentElement.scrollWidth") <= width, (
        "nothing is scrolled sideways"
    )


@pytest.mark.parametrize("width, height", [(1440, 900), (390, 844)])
def test_axe_finds_nothing(server, look, width, height):
    """In the dark theme only the colours are checked, because all else is the same."""
    page = look(server, width, height, color_scheme="light")

    def right():
        for scheme, only in (("dark", "color-contrast"), ("light", None)):
            page.page.emulate_media(color_scheme=scheme)
            assert (scheme, find_faults(page.page, only)) == (scheme, [])

    page.page.wait_for_selector(".games")
    right()
    page.new("amphipolis", "cleon", seats={"sparta": "greedy"})
    right()
    start = page.choice
    page.play(until=lambda: page.choice > start + 12)
    right()


def test_axe_finds_what_is_planted(server, look):
    page = look(server)
    page.new("skirmish", seats={"blue": "random"})
    page.page.evaluate(
        "() => document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\">')"
    )
    assert "image-alt" in dict(find_faults(page.page))


# ------------------------------------------------------------------ two persons
def test_two_browsers_play_each_other_and_see_no_hand_of_the_other(server, look):
    one, two = look(server), look(server)
    id = one.new("sphacteria")
    one.go(id, "athens")
    two.go(id, "sparta")
    hidden = {"athens": [], "sparta": []}
    for side, page in (("athens", one), ("sparta", two)):
        page.page.on(
            "websocket",
            lambda socket, side=side: socket.on(
                "framereceived", lambda text: hidden[side].append(text)
            ),
        )
        page.page.reload()
        page.settle()
    rng = random.Random(5)
    while one.choice <= 40:
        asked = [page for page in (one, two) if page.lit()]
        for page in asked:
            page.move(rng, 0.7)
        if not asked:
            one.page.wait_for_timeout(60)
    while one.choice != two.choice:
        one.page.wait_for_timeout(25)
    assert one.choice > 40
    assert not one.page.locator(".cover").count() and not two.page.locator(".cover").count()
    check_hands(hidden)


def test_between_two_at_one_screen_it_is_covered(server, look):
    page = look(server)
    page.new("sphacteria")
    rng, covered = random.Random(2), 0
    for _ in range(120):
        page.mine()
        lit = page.lit()
        if [each["kind"] for each in lit] == ["cover"]:
            covered += 1
            hidden = page.page.evaluate("() => document.querySelector('.shell').inert")
            assert hidden, "what lies under the cover cannot be reached"
        page.click(rng.choice(lit))
        if covered == 3:
            break
    assert covered == 3


# ------------------------------------------------------------------ lost connections
def test_a_page_goes_on_when_the_server_was_killed_in_the_middle_of_a_move(own_server, look):
    page = look(own_server)
    page.new("sphacteria", seats={"sparta": "greedy"})
    start = page.choice
    page.play(until=lambda: page.choice > start + 8)
    own_server.end(hard=True)
    page.page.wait_for_selector(".health")
    before = page.choice
    own_server.begin()
    page.page.wait_for_selector(".health", state="detached")
    page.settle()
    assert page.choice >= before
    page.play(until=lambda: page.choice > before + 8)


# ------------------------------------------------------- features of this frontend alone
NEWEST_IS_SEEN = """() => { const log = document.querySelector('.lines');
  return log.scrollHeight > log.clientHeight
  && log.scrollHeight - log.scrollTop - log.clientHeight < 2; }"""


def test_replay_shows_the_past_and_comes_back(server, look):
    page = look(server)
    page.page.set_viewport_size({"width": 1280, "height": 720})
    page.new("sphacteria", seats={"sparta": "greedy"})
    page.page.wait_for_function(NEWEST_IS_SEEN)  # the hand above it took room after it was laid out
    start = page.choice
    page.play(until=lambda: page.choice > start + 20)
    page.mine()
    page.settle()
    page.page.wait_for_function(NEWEST_IS_SEEN)
    now, board = page.choice, page.page.locator(".map").inner_html()
    page.page.locator(".timeline input").fill("1")
    page.settle()
    assert page.choice == 1 and page.lit() == [] and page.page.locator(".map").inner_html() != board
    page.page.locator(".timeline .live").click()
    page.settle()
    assert page.choice == now and page.lit()


def finished():
    """Return a finished game of people, with random choices."""
    game = rulekit.load("games/sphacteria")
    recorder = Recorder(game, game.new(seed=7), {"athens": "human", "sparta": "human"})
    rng = random.Random(7)
    while (asked := recorder.state.decision) is not None:
        recorder.apply(rng.choice(asked.options))
    return recorder


def test_after_the_end_it_is_seen_by_other_eyes_and_played_again_with_hints(server, look):
    page = look(server)
    recorder = finished()
    recorder.save.header["hints"] = "search"
    id = page.bring(recorder.save.text())
    page.go(id, "athens")
    title, eyes = page.page.locator(".hand h2"), page.page.locator(".eyes")
    assert title.inner_text().startswith("Your hand")
    eyes.select_option("sparta")
    page.page.wait_for_function(
        "() => document.querySelector('.hand h2').innerText.startsWith('Hand of Sparta')"
    )
    eyes.select_option("")
    page.page.wait_for_function(
        "() => document.querySelector('.hand h2').innerText.startsWith('Your hand')"
    )
    page.page.locator("#prompt .act.main").click()
    page.page.wait_for_url(lambda url: "/table/" in url and id not in url)
    again = page.page.url.rpartition("/")[2]
    assert (
        '"hints"'
        in page.page.request.get(f"{page.server.address}/api/tables/{again}/save")
        .text()
        .split("\n", 1)[0]
    )


def test_on_a_phone_the_tracks_are_told_and_nothing_lies_over_what_is_lit(server, look):
    page = look(server, 390, 844, has_touch=True)
    page.go(page.bring(at_activation().save.text()), "athens")
    mouse, pile = page.page.mouse, page.page.locator(".map .pile.legal[data-ids*=' '] .take").first
    pile.wait_for()
    assert page.page.locator(".turns .now").inner_text().replace("\n", " ").strip() == "Turn 1/7"
    zoom, small = page.page.locator(".zoom"), page.page.locator(".minimap")
    for to, gives_way in ((zoom, zoom), (small, small)):
        box, there = pile.bounding_box(), to.bounding_box()
        mouse.move(60, 480)
        mouse.down()
        mouse.move(
            60 + there["x"] + there["width"] / 2 - box["x"] - box["width"] / 2,
            480 + there["y"] + there["height"] / 2 - box["y"] - box["height"] / 2,
            steps=5,
        )
        mouse.up()
        page.page.wait_for_function(
            "of => document.querySelector(of).classList.contains('yields')",
            arg=f".{gives_way.get_attribute('class').split()[0]}",
        )
        assert any(each["kind"] == "pile" for each in page.lit())
    page.page.locator(".dock button").last.click()
    assert "Supply" in page.page.locator(".seats .facts").inner_text()


@pytest.mark.parametrize(
    "path, told",
    [
        ("/foo", "Il n'y a rien ici."),
        ("/table/", "Il n'y a rien ici."),
        ("/table/nothere", "il n'y a pas de table 'nothere'"),
    ],
)
def test_where_there_is_nothing_one_is_told_and_led_to_the_hall(server, look, path, told):
    page = look(server, refused=True)
    page.page.evaluate("() => localStorage.setItem('rulekit.lang', 'fr')")
    page.page.goto(server.address + path)
    page.page.locator(".empty-table", has_text=told).wait_for()
    page.page.locator(".empty-table a").click()
    page.page.wait_for_selector(".hall")


def test_a_seat_that_there_is_not_is_told(server, look):
    page = look(server)
    id = page.new("skirmish", seats={"blue": "random"})
    page.go(id, "nobody")
    page.page.locator(".said", has_text="There is no seat nobody").wait_for()
    page.mine()


def test_what_may_be_taken_back_says_so(server, look):
    """The undo button is enabled, and its tooltip names the effect."""
    page = look(server)
    page.go(page.bring(at_activation().save.text()), "athens")
    undo = page.page.locator("#prompt .act.quiet", has_text="Undo")
    assert undo.get_attribute("aria-disabled") == "false"
    assert undo.get_attribute("title") == "Takes back what you chose last"


def test_a_greyed_piece_says_why_not(server, look):
    page = look(server)
    page.new("skirmish", seats={"blue": "random"})
    page.page.locator(".map .pile:not(.legal) .take").first.hover(force=True)
    tip = page.page.locator(".tip")
    tip.wait_for()
    assert len(tip.inner_text().strip().splitlines()) >= 2


def at_activation():
    """Return a game in which Athens may activate a zone."""
    game = rulekit.load("games/sphacteria")
    recorder = Recorder(game, game.new(seed=7), {"athens": "human", "sparta": "human"})
    while (asked := recorder.state.decision).kind == "window" or asked.player != "athens":
        recorder.apply(
            next(
                o
                for o in asked.options
                if o.key in ("pass", "attack", "pick 1", "end") or len(asked.options) == 1
            )
        )
    while recorder.state.decision.kind != "choose":
        recorder.apply("pass" if recorder.state.decision.kind == "window" else "pick 2")
    return recorder


def test_a_plan_goes_on_where_the_machine_only_passed(server, look):
    """In a window on the way, no stop is reported and nothing has to be pressed."""
    game = rulekit.load("games/sphacteria")
    recorder = Recorder(game, game.new(seed=1), {"athens": "greedy", "sparta": "human"})
    while "activate N" not in [option.key for option in recorder.state.decision.options]:
        keys = [option.key for option in recorder.state.decision.options]
        recorder.apply(next((key for key in ("pass", "pick 3", "end") if key in keys), keys[0]))
    seat = rulekit.Seat(recorder.state.clone(), "sparta")
    reach = next(each for each in seat.forecast(["add sparta.H1"]).places if each.place == "K")
    assert seat.plan(reach.keys).stopped_by == "window"
    page = look(server)
    page.go(page.bring(recorder.save.text()), "sparta")
    page.page.locator(".map .pile.legal[data-ids*='sparta.H1'] .take").first.click()
    page.page.locator(".fan [data-piece='sparta.H1'].legal").click()
    page.page.locator(".map .place.target[data-place='K']").first.wait_for()
    page.settle()
    page.click(next(each for each in page.lit("place") if each["name"].startswith("K ")))
    page.page.keyboard.press("Enter")
    page.page.locator(".line", has_text="K North country").wait_for()
    page.mine()
    assert (
        page.page.locator("#prompt", has_text="Go on as planned").count() == 0
        and page.page.locator(".said p").count() == 0
    )


def test_all_are_all_that_may_come_along(server, look):
    """All includes soldiers, and leaders who can only go with them. The button stays pressed while
    all are chosen, with or without a target."""
    page = look(server)
    page.go(page.bring(at_activation().save.text()), "athens")
    page.page.locator(".map .pile.legal[data-ids*=' '] .take").first.click()
    every = page.page.locator(".fan .quick button").first
    assert every.get_attribute("aria-pressed") == "false"
    every.click()
    page.page.wait_for_function(
        "() => document.querySelector('.fan .quick button').getAttribute('aria-pressed') === 'true'"
    )
    assert page.page.locator(".fan .card-piece[aria-checked='false']").count() == 0
    many = page.page.locator(".fan .card-piece[aria-checked='true']").count()
    page.click(page.lit("place")[0])
    page.settle()
    assert (
        every.get_attribute("aria-pressed") == "true"
        and page.page.locator(".fan .card-piece[aria-checked='true']").count() == many
    )
    page.page.locator(".fan .card-piece[aria-checked='true']").last.click()
    page.settle()
    assert every.get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize("known", [False, True])
def test_a_pile_of_several_is_dragged_to_a_place(server, look, known):
    """The whole pile moves, also if the decision is only the first of its move. It moves even if it
    is dropped before its reachable places are known."""
    recorder = at_activation()
    page = look(server)
    page.go(page.bring(recorder.save.text()), "athens")
    pile = page.page.locator(".map .pile.legal[data-ids*=' '] .take").first
    pile.wait_for()
    mouse, box, to = (
        page.page.mouse,
        pile.bounding_box(),
        page.page.locator('.map .place[data-place="O"]').first.bounding_box(),
    )
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=4)
    if known:
        page.page.locator('.map .place.target[data-place="O"]').first.wait_for()
    mouse.up()
    page.page.locator("#prompt .way", has_text="O").wait_for()
    assert page.page.locator("#prompt .steps .group .counter").count() == 2


def test_a_number_opens_how_it_comes_about(server, look):
    page = look(server)
    page.new("sphacteria", seats={"sparta": "greedy"})
    page.page.locator(".seat .num").first.click()
    tree = page.page.locator(".tip.rich")
    tree.wait_for()
    assert "§" in tree.inner_text()


def test_a_number_is_told_though_the_page_is_behind(server, look):
    """The other side may choose between the click and the answer. Then the page asks again about
    the current position."""
    page, held, refused = look(server), [], []

    def between(route):
        def hears(text):
            if holding and '"state"' in text[:30]:
                held.append((route, text))
            else:
                route.send(text)
                if '"refused"' in text[:30]:
                    refused.append(text)

        route.connect_to_server().on_message(hears)

    holding = False
    page.page.route_web_socket("**/wire*", between)
    page.new("sphacteria", seats={"sparta": "greedy"})
    page.mine()
    holding, rng = True, random.Random(2)
    while not held:
        if things := page.lit():
            thing = rng.choice(things)
            page.page.mouse.click(thing["x"], thing["y"])
        page.page.wait_for_timeout(100)
    refused.clear()
    page.page.locator(".seat .num").first.click()
    while not refused:
        page.page.wait_for_timeout(25)
    assert not page.page.locator(".tip.rich").count()
    holding = False
    for route, text in held:
        route.send(text)
    tree = page.page.locator(".tip.rich")
    tree.wait_for()
    assert tree.locator("li").count()
    page.page.keyboard.press("Escape")
    page.mine()  # from here on no other player moves
    page.settle()
    said, paragraph = page.page.locator(".says-what"), page.page.locator(".lines .cite .says").last
    paragraph.hover()
    assert "§" in said.inner_text() and len(said.inner_text()) > 40, "what the paragraph says"
    page.page.locator(".top h1").hover()
    said.wait_for(state="detached")
    paragraph.focus()
    said.wait_for()


def test_odds_are_told_before_the_deed(server, look):
    """In the small game `rest` leads to a battle. Its odds are those of the API."""
    game = rulekit.load("examples/skirmish")
    for seed in range(40):
        recorder, rng = (
            Recorder(game, game.new(seed=7), {"red": "human", "blue": "human"}),
            random.Random(seed),
        )
        while not recorder.state.is_terminal() and recorder.state.move_number() < 40:
            asked = recorder.state.decision
            way = next(
                (
                    way
                    for way in rulekit.Seat(recorder.state, asked.player).odds().ways
                    if len(way.results) > 1
                ),
                None,
            )
            if way is not None:
                break
            recorder.apply(rng.choice(asked.options))
        else:
            continue
        break
    page = look(server)
    id = page.bring(recorder.save.text())
    page.go(id, asked.player)
    page.page.locator("#prompt .acts > .act[aria-pressed]").click()
    text = page.page.locator(".card").inner_text()
    assert "%" in text and all(line in text for result in way.results for line in result.lines[-1:])


def test_the_strengths_of_a_fight_stand_in_the_colours_of_their_sides(server, look):
    """Nothing covers them, and each shows its derivation."""
    game = rulekit.load("games/sphacteria")
    recorder, rng = (
        Recorder(game, game.new(seed=5), {"athens": "human", "sparta": "human"}),
        random.Random(5),
    )
    while not (asked := recorder.state.decision).prompt.startswith("The odds are known"):
        recorder.apply(rng.choice(asked.options))
    page = look(server)
    page.go(page.bring(recorder.save.text()), asked.player)
    page.page.locator("#prompt .acts > .act[aria-pressed]").click()
    strengths = page.page.locator(".card .versus .num")
    strengths.first.wait_for()
    for one in strengths.all():
        one.click(trial=True)
    colours = page.page.locator(".versus > div").evaluate_all(
        "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert len(colours) == 2 == len(set(colours)) and find_faults(page.page) == []


def test_one_gesture_passes_and_wishes_are_of_one_seat(server, look):
    game = rulekit.load("examples/skirmish")
    recorder = next(one for seed in range(40) if (one := at_window(game, seed)) is not None)
    page, asked = look(server), recorder.state.decision
    wish = page.page.locator(".help").get_by_label("Let me confirm every choice")
    id = page.bring(recorder.save.text())
    page.go(id, asked.player)
    page.page.keyboard.press("?")
    wish.check()
    page.go(id, "red" if asked.player == "blue" else "blue")
    page.page.keyboard.press("?")
    assert not wish.is_checked(), "another seat, other wishes"
    page.go(id, asked.player)
    page.page.keyboard.press("?")
    assert wish.is_checked()
    page.page.keyboard.press("Escape")
    page.page.locator('#prompt [data-key="pass"]').click()
    assert (
        page.page.locator("#prompt .armed").count() == 1
        and page.choice == recorder.state.move_number()
    ), "it is asked twice"
    page.page.get_by_role("button", name="Pass till the phase ends").click()
    page.page.wait_for_function(
        "n => Number(document.querySelector('.timeline .at b').textContent) > n",
        arg=recorder.state.move_number(),
    )


def test_a_march_that_does_harm_is_warned_of_before_it_is_made(look, tmp_path):
    """In this game the last piece in the camp is lost. The march of the other one away from there
    shows a warning."""
    game = left_alone(tmp_path / "game")
    recorder = Recorder(game, game.new(seed=1), {"red": "human", "blue": "human"})
    for key in ("march red.H1", "to ford", "stop", "march red.F1"):
        recorder.apply(key)
    server = Server(
        tmp_path / "tables.db", ("table", str(tmp_path / "game"), "--no-browser", "--file")
    )
    try:
        page = look(server)
        page.go(page.bring(recorder.save.text()), "red")
        page.click(next(each for each in page.lit("place") if each["name"].startswith("the wood")))
        page.page.get_by_role("button", name="Confirm You lose the red line for good").wait_for()
        assert page.choice == 4
        page.page.get_by_role("button", name="FR", exact=True).click()
        page.page.get_by_role("button", name="Vous perdez").wait_for()
        page.page.get_by_role("button", name="Vous perdez").click()
        page.page.wait_for_function(
            "() => document.querySelector('.timeline .at b').textContent === '5'"
        )
    finally:
        server.end()


def at_window(game, seed):
    """Return a game at a window in which a player could do more than pass, or None if the seed
    leads to none."""
    recorder, rng = (
        Recorder(game, game.new(seed=seed), {"red": "human", "blue": "human"}),
        random.Random(seed),
    )
    while recorder.state.decision is not None and recorder.state.move_number() < 30:
        if recorder.state.decision.kind == "window":
            return recorder if len(recorder.state.decision.options) > 1 else None
        recorder.apply(rng.choice(recorder.state.decision.options))
    return None


def test_the_hall_opens_a_table(server, look):
    page = look(server)
    page.page.locator(".games label", has_text="Amphipolis").click()
    page.page.locator("form select").first.select_option("nicias")
    page.page.get_by_label("Hints may be asked for").check()
    page.page.locator("form .act.main").click()
    page.page.wait_for_selector("#prompt")
    assert "Nicias" in page.page.locator("body").inner_text()
    page.page.get_by_role("button", name="A hint").click()
    advice = page.page.locator(".advice", has_text="What search would do")
    advice.wait_for()
    assert advice.locator("b").inner_text()


def test_what_is_lit_is_in_sight_again_when_there_is_room_for_the_whole_map(server, look):
    """With a high decision bar or a low window, the map shows only the highlighted part. This lasts
    only as long as needed."""
    page = look(server)
    page.new("peloponnesian_war", "war431", seats={"opponent": "charts"})
    seen = """() => {
      const map = document.querySelector('.board-map').getBoundingClientRect(),
        inside = ({ left, right, top, bottom }) =>
        (left + right) / 2 > map.left && (left + right) / 2 < map.right &&
          (top + bottom) / 2 > map.top && (top + bottom) / 2 < map.bottom;
      return [...document.querySelectorAll('.map .place')].every((place) =>
        inside(place.getBoundingClientRect()));
    }"""
    page.page.wait_for_function(seen)
    for height, whole in ((900, True), (620, False), (900, True)):
        page.page.set_viewport_size({"width": 1440, "height": height})
        page.page.wait_for_function(seen if whole else f"() => !({seen})()")
        page.settle()
        assert page.page.evaluate(seen) == whole


def test_the_list_of_forces_has_what_the_rules_count(server, look):
    """The list has the values next to the places, by side and place, with their sum. It does not
    count pieces that nobody moves."""
    page = look(server)
    page.new("peloponnesian_war", "war431", seats={"opponent": "charts"})
    page.page.get_by_role("tab", name="Forces").click()
    told = page.page.locator(".forces section").all_inner_texts()
    assert [section.split()[:2] for section in told] == [["Athens", "37"], ["Sparta", "26"]]
    assert page.page.locator(".forces .force", has_text="Athens").first.inner_text().split() == [
        "Athens",
        "7",
        "2",
        "10",
        "19",
    ]


def keep_the_hand(page):
    """Keep the hand, again if the other side draws anew. Return the first card to play."""
    keep = page.page.get_by_role("button", name="Keep the hand")
    card = page.page.locator(".hand button.playable").first
    page.mine()
    while keep.is_visible():
        before = page.choice
        keep.click()
        page.page.wait_for_function(
            "n => Number(document.querySelector('.timeline .at b').textContent) > n", arg=before
        )
        page.mine()
    return card


def test_a_card_that_has_the_id_of_a_place_is_no_place_and_enter_plays_it(server, look):
    """The cards of the hand have the same numbers as the hexes of the map. The choice is described
    by the text of the card, and no hex is marked."""
    page = look(server)
    page.new("athens_sparta", seats={"sparta": "random"}, hints=True)
    card = keep_the_hand(page)
    label = card.locator("h3").inner_text().replace("\n", " ")
    card.click()
    page.page.locator(".hand .chosen").wait_for()
    assert page.page.locator("#prompt .goal").inner_text() == label
    assert page.page.locator(".place.glow, .pile.glow").count() == 0
    before = page.choice
    card.press("Enter")
    page.page.wait_for_function(
        "n => Number(document.querySelector('.timeline .at b').textContent) > n", arg=before
    )
    page.page.wait_for_function("() => document.querySelector('.hand .chosen') === null")


def test_a_second_click_plays_a_card(server, look):
    page = look(server)
    page.new("athens_sparta", seats={"sparta": "random"})
    card = keep_the_hand(page)
    card.click()
    page.page.locator(".hand .chosen").wait_for()
    before = page.choice
    page.page.locator(".hand .chosen").click()
    page.page.wait_for_function(
        "n => Number(document.querySelector('.timeline .at b').textContent) > n", arg=before
    )


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1000, 760), (390, 844)])
def test_the_map_keeps_its_size_whatever_is_asked(server, look, width, height):
    """A decision bar that is too large overlaps the map, which does not shrink under the
    pointer."""
    page = look(server, width, height)
    page.new("amphipolis", "cleon", seats={"sparta": "greedy"})
    rng, sizes = random.Random(7), set()
    for _ in range(60):
        page.move(rng)
        if page.page.locator(".board").is_visible() and not page.over:
            sizes.add(tuple(page.page.locator(".board").bounding_box().values()))
    assert len(sizes) == 1


def test_names_of_seats_are_whole(server, look):
    page = look(server)
    page.new("peloponnesian_war", "war431", seats={"opponent": "charts"})
    cut = page.page.evaluate(
        "() => [...document.querySelectorAll('.seat header *')].filter(each => each.scrollWidth >"
        " each.clientWidth + 1).length"
    )
    assert cut == 0 and "you" in page.page.locator(".seat").first.inner_text()
