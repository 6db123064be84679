"""The pages of the server for many people: sign in, open, join, play, chat, watch, resign,
administer."""

import json
import random
import re
import sqlite3
import subprocess
import sys

import pytest

from tests.browser.accessibility import find_faults
from tests.browser.clicking_player import PATIENCE, check_hands
from tests.browser.conftest import ONLINE, Server
from tests.server.online.sinks import mail_sink_beside

PASSWORD = "a word that nobody guesses"
EVIL = "<img src=x onerror=alert(1)><script>alert(1)</script>"


def cookies_of(playwright_request, server, name):
    """Create an account and return its session, as a browser stores it."""
    answer = playwright_request.post(
        f"{server.address}/api/accounts",
        headers={"origin": server.address},
        data={"name": name, "password": PASSWORD},
    )
    assert answer.status == 201, answer.text()
    return playwright_request.storage_state()


@pytest.fixture(scope="module")
def accounts(chromium, online_server):
    """The sessions of four accounts. The number of accounts of an address is limited."""
    made = {}
    for name in ("Anna", "Bert", "Olga", "Dora"):
        context = chromium.new_context()
        made[name] = cookies_of(context.request, online_server, name)
        context.request.get(
            f"{online_server.address}/api/games", timeout=1000 * PATIENCE
        )  # the first request compiles all games
        context.close()
    return made


@pytest.fixture
def visit(look, online_server, accounts):
    """A page of a person: `visit("Anna")`. `visit(None)` is an anonymous visitor."""

    def visits(name, path="/", lang="en", **settings):
        page = look(
            online_server,
            locale=lang,
            **({"storage_state": accounts[name]} if name else {}),
            **settings,
        )
        if path != "/":
            page.page.goto(online_server.address + path)
        return page

    return visits


def post(page, path, data=None, method="POST"):
    """Send a request to the API as the person of the page, and return its answer."""
    answer = page.page.request.fetch(
        f"{page.server.address}/api/{path}",
        method=method,
        headers={"origin": page.server.address},
        data=data or {},
    )
    assert answer.ok, answer.text()
    return answer.json() if answer.status != 204 else None


def opened(owner, other, game="skirmish", mine=("red",), **wanted):
    """Open a running game of two with the API, and return its id."""
    id = post(
        owner, "tables", {"game": game, "seed": "7", "mine": list(mine), "access": "open", **wanted}
    )["id"]
    for seat in post(owner, f"tables/{id}", method="GET")["seats"]:
        if seat["who"] is None and seat["machine"] is None:
            post(other, f"tables/{id}/seats/{seat['side']}")
    return id


def at_table(page, id):
    """Go to a table and wait until it is shown."""
    page.page.goto(f"{page.server.address}/table/{id}")
    page.page.wait_for_selector("#prompt .who")
    page.settle()


def frames(page):
    """Collect the messages of the connection from now on."""
    heard = []
    page.page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda text: heard.append(text))
    )
    return heard


def holding_back(page, type):
    """Hold back messages of a type on the pages that are opened from now on. Return the functions
    that deliver them."""
    held = []

    def opens(socket):
        def hears(text):
            if f'"{type}"' in text[:30]:
                held.append(lambda: socket.send(text))
            else:
                socket.send(text)

        socket.connect_to_server().on_message(hears)

    page.page.route_web_socket("**/wire*", opens)
    return held


def play(pages, until, seed=5):
    """Let each page in turn click on random highlighted things."""
    rng = random.Random(seed)
    while not until():
        asked = [page for page in pages if page.lit()]
        for page in asked:
            page.move(rng, 0.7)
        if not asked:
            pages[0].page.wait_for_timeout(40)


def says(page, text):
    page.page.locator("#tab-chat").click()
    page.page.locator(".speak input").fill(text)
    page.page.keyboard.press("Enter")


def arm_and_press(page, word):
    """Press a button that asks for confirmation."""
    page.page.get_by_role("button", name=word, exact=True).click()
    page.page.locator(".ask .armed").click()


# ----------------------------------------------------------------- from registration to the rematch
@pytest.mark.usefixtures("accounts")
def test_two_meet_play_chat_undo_resign_and_play_again(look, online_server):
    """One signs up and opens a game. The other comes by the link as a guest and reads French. Each
    sees only their own hand."""
    one, two = look(online_server, refused=True, locale="en"), look(online_server, locale="fr")
    anna, gwen = one.page, two.page
    anna.get_by_role("button", name="New here").click()
    anna.get_by_label("Name").fill("<b>Ada</b>")
    anna.get_by_label("Password").fill("short")
    anna.get_by_label("Password").evaluate("field => field.removeAttribute('minlength')")
    anna.get_by_role("button", name="Make the account").click()
    assert "8 to 200" in anna.locator("form .wrong").inner_text()
    anna.get_by_label("Password").fill(PASSWORD)
    anna.get_by_role("button", name="Make the account").click()
    anna.locator(".games label", has_text="Sphacteria").click()
    anna.get_by_label("Clock").select_option("fischer")
    anna.get_by_role("button", name="Open the table").click()
    anna.locator(".before").get_by_role("button", name="Invite: Sparta").click()
    link = anna.locator(".before .invite input").input_value()
    assert "Free seats: 1" in one.prompt_text and one.lit() == [], (
        "nobody chooses before all seats are taken"
    )

    hidden = {"athens": frames(one), "sparta": frames(two)}
    anna.reload()
    gwen.goto(link)
    assert "<b>Ada</b> vous invite à jouer à Sphactérie" in gwen.locator(".invited").inner_text()
    gwen.get_by_label("Votre nom").fill("Gwen <i>x</i>")
    gwen.get_by_role("button", name="Jouer Sparte").click()
    gwen.wait_for_selector(".seat .clock.runs")
    anna.wait_for_selector(".seat .clock.runs")
    one.settle()
    two.settle()
    before = anna.locator(".seat .clock.runs").inner_text()
    play([one, two], lambda: one.choice > 9)
    anna.wait_for_function(
        "choice => document.querySelector('.timeline .at b').textContent === choice",
        arg=str(two.choice),
    )
    assert anna.locator(".seat .clock.runs").count() == 1
    anna.wait_for_function(
        "before => document.querySelector('.seat .clock.runs').innerText !== before", arg=before
    )
    assert anna.locator(".seat .person.here").count() == 2, "both are there"
    check_hands(hidden)

    says(one, EVIL)
    gwen.locator("#tab-chat .unread").wait_for()
    assert "(1)" in gwen.title()
    gwen.locator("#tab-chat").click()
    assert (
        EVIL in gwen.locator(".texts .words").inner_text()
        and gwen.locator(".texts img, .texts script").count() == 0
    )
    gwen.locator("#tab-chat .unread").wait_for(state="detached")
    says(two, "<b>Ada</b> speaking")
    anna.locator(".text", has_text="speaking").wait_for()
    assert "guest" in anna.locator(".text", has_text="speaking").locator("small").inner_text(), (
        "who has no account may have any name"
    )
    anna.locator(".note-of-mine textarea").fill(EVIL)
    anna.locator(".note-of-mine textarea").blur()
    anna.wait_for_function(
        "() => document.querySelector('.note-of-mine small').textContent === 'only you read it'"
    )
    assert "alert" not in gwen.locator(".note-of-mine textarea").input_value()
    text = gwen.locator("body").inner_text()
    for english in ("Undo", "Your note", "Players", "Report", "People", "guest", "Waiting for"):
        assert english not in text.replace(EVIL, "")

    anna.locator(".timeline input").fill("5")
    anna.get_by_role("button", name="Ask to go back to here").click()
    gwen.locator(".offer").get_by_role("button", name="Accepter").click()
    for page in (anna, gwen):
        page.wait_for_function(
            "() => document.querySelector('.timeline .at b').textContent === '5'"
        )
        page.locator(".offer").wait_for(state="detached")
    one.settle()
    two.settle()
    play([one, two], lambda: one.choice > 6)

    gwen.locator("#tab-tableStatus").click()
    arm_and_press(two, "Abandonner")
    anna.wait_for_selector(".prompt.over")
    assert (
        "Athens wins" in one.prompt_text
        and "Sparta resigned" in one.prompt_text
        and "committed to at the start" in one.prompt_text
    )
    assert one.lit() == []
    anna.get_by_role("button", name="Again with sides changed").click()
    gwen.locator(".offer").get_by_role("button", name="Accepter").click()
    for page, words in ((anna, "To the next game"), (gwen, "À la partie suivante")):
        page.get_by_role("link", name=words).click()
        page.wait_for_selector(".seat .clock.runs")
    seats = {
        anna.locator(".seat").nth(i).locator("h2").inner_text(): (
            anna.locator(".seat .person").nth(i).inner_text()
        )
        for i in range(2)
    }
    assert "Gwen" in seats["Athens"] and "<b>Ada</b>" in seats["Sparta"]


def test_who_looks_on_sees_no_hand_and_hears_the_observers_only(visit):
    anna, bert, olga, nobody = visit("Anna"), visit("Bert"), visit("Olga"), visit(None)
    id = opened(anna, bert, "sphacteria", ["athens"], access="public")
    post(anna, f"tables/{id}/chat", {"room": "players", "text": "between us two"})
    post(olga, f"tables/{id}/chat", {"room": "observers", "text": "<u>Sparta</u> will lose"})
    heard = frames(nobody)
    nobody.page.reload()
    nobody.page.locator(".lists").get_by_role(
        "link", name=re.compile("^Look: Sphacteria")
    ).first.click()
    nobody.page.wait_for_selector("#prompt .who")
    nobody.settle()
    at_table(anna, id)
    at_table(bert, id)
    play([anna, bert], lambda: anna.choice > 3)
    nobody.page.wait_for_function(
        "() => Number(document.querySelector('.timeline .at b').textContent) > 3"
    )
    told = [json.loads(text) for text in heard if '"state"' in text[:30]]
    assert told and all(
        pool["members"] == []
        for each in told
        for pool in each["position"]["pools"]["hand"].values()
    )
    assert nobody.page.locator(".hand .face").count() == 0 and nobody.lit() == []
    nobody.page.locator("#tab-chat").click()
    said = nobody.page.locator(".chat").inner_text()
    assert (
        "<u>Sparta</u> will lose" in said
        and "between us two" not in said
        and nobody.page.locator(".speak").count() == 0
    )
    assert not any("between us two" in text for text in heard)
    at_table(olga, id)
    says(olga, "hear, hear")
    nobody.page.locator(".text", has_text="hear, hear").wait_for()
    anna.page.locator("#tab-chat").click()
    anna.page.locator(".text", has_text="between us two").wait_for()
    assert "hear, hear" not in anna.page.locator(".chat").inner_text()
    anna.page.locator("#tab-tableStatus").click()
    assert "Olga, 1 without a name" in anna.page.locator(".table-status").inner_text()


# ---------------------------------------------------------------------- the lobby
def test_the_lobby_gives_free_seats_and_says_whose_turn_it_is(visit):
    anna, bert = visit("Anna"), visit("Bert")
    id = post(anna, "tables", {"game": "hex", "mine": [], "access": "open", "clock": "days:2"})[
        "id"
    ]
    post(anna, f"tables/{id}/seats/red")
    bert.page.reload()
    row = bert.page.locator(".rows li", has_text="Hex").filter(has=bert.page.get_by_role("button"))
    assert "Free seats: 1" in row.inner_text() and "2 d for each decision" in row.inner_text()
    row.get_by_role("button").click()
    bert.page.wait_for_url(f"**/table/{id}")
    bert.page.wait_for_selector(".seat .clock.runs")
    post(bert, f"tables/{id}/chat", {"room": "players", "text": "hello"})
    asked, waits = (
        (anna, bert)
        if anna.page.request.get(f"{anna.server.address}/api/tables?which=mine").json()[0]["asked"]
        else (bert, anna)
    )
    for page in (anna, bert):
        page.page.goto(page.server.address)
        page.page.locator(".lists li", has_text="Hex").wait_for()
    own = asked.page.locator(".lists li.asked", has_text="Hex")
    assert (
        "Your turn" in own.inner_text()
        and re.search(r"1 d 23 h|2 d 0 h", own.inner_text())
        and asked.page.title().startswith("(")
    )
    assert "is asked" in waits.page.locator(".lists li", has_text="Hex").inner_text()
    assert anna.page.locator("li", has_text="Hex").locator(".unread").inner_text().startswith("1")


def test_a_game_against_seats_that_play_by_themselves_begins_at_once(visit):
    """Only in such a game may the seed be chosen, because somebody who knows the seed knows the
    dice. Its rematch waits for nobody."""
    page = visit("Anna").page
    page.locator(".games label", has_text="skirmish").click()
    assert page.get_by_label("Seed").count() == 0
    page.locator("aside").get_by_label("Blue").select_option("random")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Open the table").click()
    page.locator("#prompt.mine").wait_for()
    page.locator("#tab-tableStatus").click()
    page.get_by_role("button", name="Compare with the rules of now").click()
    page.get_by_text("They are the same.").wait_for()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.keyboard.press("Escape")
    assert page.locator(".ask .armed").count() == 0
    page.get_by_role("button", name="Resign", exact=True).click()
    page.locator(".ask .armed").click()
    page.get_by_role(
        "button", name="Again with sides changed"
    ).wait_for()  # the game has ended, so its save may be had
    save = page.request.get(f"{page.url.replace('/table/', '/api/tables/')}/save")
    assert save.status == 200
    page.get_by_role("button", name="Again with sides changed").click()
    page.get_by_role("link", name="To the next game").click()
    page.locator("#prompt.mine").wait_for()
    page.goto(page.url.split("/table/")[0])
    page.locator(".games").wait_for()
    for text, then in (
        (b"no save", page.locator(".wrong")),
        (save.body(), page.locator("#prompt.mine")),
    ):
        page.locator(".bring input").set_input_files(
            {"name": "a.save", "mimeType": "text/plain", "buffer": text}
        )
        then.wait_for()


# --------------------------------------------------------------------------- other parts of a table
def test_a_flag_that_fell_lets_the_other_claim(visit, online_server):
    anna, bert = visit("Anna"), visit("Bert")
    id = opened(anna, bert, clock="move:60")
    with sqlite3.connect(online_server.file, timeout=300) as db:
        db.execute(
            "UPDATE hosted SET since = since - 61, falls = falls - 61 WHERE table_id = ?", (id,)
        )
    at_table(bert, id)
    assert bert.page.locator(".seat .clock.late").inner_text() == "0:00"
    bert.page.locator("#tab-tableStatus").click()
    arm_and_press(bert, "Claim the game")
    bert.page.wait_for_selector(".prompt.over")
    assert (
        "Blue wins" in bert.prompt_text
        and "Red left the game, and the win was claimed" in bert.prompt_text
    )


def test_rules_that_do_not_fit_are_told_with_the_first_difference(visit):
    anna, bert = visit("Anna"), visit("Bert")
    id = opened(anna, bert)
    told = {
        "same": False,
        "fits": False,
        "moved": False,
        "difference": f"from choice 3 (red) on, the game would be different {EVIL}",
    }
    anna.page.route("**/rules?*", lambda route: route.fulfill(json=told))
    at_table(anna, id)
    anna.page.locator("#tab-tableStatus").click()
    anna.page.get_by_role("button", name="Compare with the rules of now").click()
    assert (
        "from choice 3 (red)" in anna.page.locator(".difference").inner_text()
        and anna.page.locator(".difference img").count() == 0
    )
    told.update(fits=True, difference=None)
    held = holding_back(anna, "table_status")
    anna.page.goto(f"{anna.server.address}/table/{id}")
    while not held:
        anna.page.wait_for_timeout(20)
    anna.settle()
    assert anna.page.locator("#tab-tableStatus").count() == 0, (
        "the table is laid when all is there: nothing moves under the pointer"
    )
    for send in held:
        send()
    anna.page.locator("#tab-tableStatus").click()
    anna.page.get_by_role("button", name="Compare with the rules of now").click()
    told.update(moved=True)
    anna.page.get_by_role("button", name="Go on by the newer rules").click()
    anna.page.get_by_text("The table is played by the newer rules now.").wait_for()


def test_the_table_is_laid_when_one_has_sat_down(visit):
    """Otherwise parts that only a seat sees would move the things that a player clicks on."""
    anna, bert = visit("Anna"), visit("Bert")
    id = opened(anna, bert)
    held = holding_back(anna, "table")
    anna.page.goto(f"{anna.server.address}/table/{id}")
    for number in (0, 1):  # first as an observer, then in the only seat
        while len(held) == number:
            anna.page.wait_for_timeout(20)
        anna.settle()
        assert anna.page.locator("[role=tab]").count() == 0
        held[number]()
    anna.page.locator("#tab-tableStatus").wait_for()


def test_before_the_game_one_leaves_is_sent_away_and_the_table_goes(visit):
    anna, bert = visit("Anna"), visit("Bert")
    id = post(anna, "tables", {"game": "skirmish", "mine": [], "access": "open"})["id"]
    at_table(anna, id)
    card = anna.page.locator(".before")
    card.get_by_role("button", name="Sit down Red").click()
    card.get_by_role("button", name="Leave: Red").click()
    card.get_by_role(
        "button", name="Sit down Red"
    ).wait_for()  # otherwise both seats are taken and the game begins
    post(bert, f"tables/{id}/seats/blue")
    card.get_by_role("button", name="Send away: Blue").click()
    card.get_by_role("button", name="Sit down Blue").wait_for()
    card.get_by_label("Who may come").select_option("private")
    card.locator("label", has_text="Who may come").get_by_text("Kept.").wait_for()
    assert (
        bert.page.request.post(
            f"{bert.server.address}/api/tables/{id}/seats/blue",
            headers={"origin": bert.server.address},
        ).status
        == 404
    )
    arm_and_press(anna, "Remove this table")
    anna.page.wait_for_url(f"{anna.server.address}/")


# ------------------------------------------------------------ personal page and the operator's page
@pytest.mark.usefixtures("accounts")
def test_the_account_keeps_wishes_and_a_password_that_ends_other_sessions(look, online_server):
    page, other = look(online_server, refused=True), look(online_server)
    state = cookies_of(page.page.request, online_server, "Carl")
    other.page.context.add_cookies(state["cookies"])
    for each in (page, other):
        each.page.reload()
        each.page.locator(".whoami", has_text="Carl").wait_for()
    id = post(page, "tables", {"game": "skirmish", "mine": ["red"], "seats": {"blue": "random"}})[
        "id"
    ]
    signed = other.page.request.post(
        f"{online_server.address}/api/session",
        headers={"origin": online_server.address},
        data={"name": "Carl", "password": PASSWORD},
    )
    assert signed.ok
    at_table(other, id)
    page.page.get_by_role("link", name="Account").click()
    page.page.get_by_label("Mail").fill("no mail")
    page.page.get_by_label("Mail").evaluate("field => { field.type = 'text'; }")
    page.page.get_by_role("button", name="Keep").click()
    page.page.locator(".wrong", has_text="not an email address").wait_for()
    page.page.get_by_label("Mail").fill("carl@example.org")
    page.page.get_by_role("button", name="Keep").click()
    page.page.locator(".fine", has_text="Kept.").wait_for()
    page.page.get_by_label("Your password now").fill(PASSWORD)
    page.page.get_by_label("The new one").fill("another word of mine")
    page.page.get_by_role("button", name="Change the password").click()
    other.page.locator(".health").get_by_role("link", name="Sign in").click()
    other.page.get_by_label("Name").fill("carl")
    other.page.get_by_label("Password").fill("another word of mine")
    other.page.locator("form").get_by_role("button", name="Sign in").click()
    other.page.wait_for_url(f"**/table/{id}")
    other.page.locator("#prompt.mine").wait_for()
    other.page.goto(online_server.address)
    other.page.locator(".whoami", has_text="Carl").wait_for()
    other.page.get_by_role("button", name="Sign out").click()
    other.page.locator(".sign").wait_for()
    page.page.reload()
    assert page.page.get_by_label("Mail").input_value() == "carl@example.org"
    with page.page.expect_download() as kept:
        page.page.get_by_role("link", name="Download it").click()
    assert json.loads(kept.value.path().read_text())["mail"] == "carl@example.org"
    go = page.page.get_by_role("form", name="Be forgotten")
    go.get_by_label("Password").fill("another word of mine")
    go.get_by_role("button", name="Be forgotten").click()
    go.get_by_role("button", name="Yes: forget me for good").click()
    page.page.locator(".wrong", has_text="you still have unfinished games").wait_for()
    post(page, f"tables/{id}/resign", {"side": "red"})
    go.get_by_role("button", name="Be forgotten").click()
    go.get_by_role("button", name="Yes: forget me for good").click()
    page.page.locator(".sign").wait_for()


def test_an_address_waits_until_the_link_of_its_letter_is_opened_and_confirmed(
    look, tmp_path, monkeypatch
):
    """The page says that confirmation is pending and sends the letter again. It reports the
    confirmation by anybody who has the letter."""
    with mail_sink_beside() as sink:
        monkeypatch.setenv("RULEKIT_SMTP", f"smtp://127.0.0.1:{sink.port}")
        monkeypatch.setenv("RULEKIT_MAIL_FROM", "table@example.org")
        server = Server(tmp_path / "tables.db", ONLINE)
        page, elsewhere = look(server), look(server, locale="fr")
        cookies_of(page.page.request, server, "Carl")
        page.page.goto(f"{server.address}/account")
        page.page.get_by_label("Mail").fill("carl@example.org")
        page.page.get_by_role("button", name="Keep").click()
        page.page.locator(".fine", has_text="A letter has gone to carl@example.org").wait_for()
        page.page.get_by_text("carl@example.org waits for you to confirm it.").wait_for()
        page.page.get_by_role("button", name="Send the letter again").click()
        page.page.get_by_role("form", name="Mail").locator(".fine").wait_for()
        assert [to for to, _ in sink.letters] == [["<carl@example.org>"]] * 2
        assert find_faults(page.page) == []
        link = re.search(
            r"/confirm/\S+", sink.letters[1][1].replace("=\n", "").replace("=\r\n", "")
        )[0]
        elsewhere.page.goto(server.address + link)
        elsewhere.page.get_by_text("Carl veut être averti à carl@example.org").wait_for()
        assert find_faults(elsewhere.page) == []
        page.page.reload()
        page.page.get_by_text("carl@example.org waits").wait_for()
        elsewhere.page.get_by_role("button", name="Oui").click()
        elsewhere.page.get_by_text("carl@example.org est confirmée").wait_for()
        page.page.reload()
        page.page.get_by_label("Mail").wait_for()
        page.page.get_by_text("carl@example.org waits").wait_for(state="detached")
        server.end()


def right(page, where):
    """Check that axe finds nothing and nothing scrolls sideways: wide and narrow, light and
    dark."""
    page.page.wait_for_selector(where)
    for width, height in ((390, 844), (1440, 900)):
        page.page.set_viewport_size({"width": width, "height": height})
        for scheme in ("dark", "light"):
            page.page.emulate_media(color_scheme=scheme)
            only = "color-contrast" if scheme == "dark" else None  # the rest is the same in both
            assert (width, scheme, find_faults(page.page, only)) == (width, scheme, [])
        assert page.page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_axe_finds_nothing_on_the_pages_beside_the_tables(visit):
    anna, nobody = visit("Anna"), visit(None)
    right(nobody, ".sign form")
    nobody.page.get_by_role("button", name="New here").click()
    right(nobody, ".sign form")
    id = post(anna, "tables", {"game": "skirmish", "mine": ["red"], "access": "public"})["id"]
    nobody.page.goto(post(anna, f"tables/{id}/invitations", {"side": "blue"})["address"])
    right(nobody, ".invited")
    anna.page.reload()
    anna.page.get_by_label("Clock").select_option("fischer")
    right(anna, ".lists li")
    anna.page.goto(f"{anna.server.address}/account")
    right(anna, "section form")


def test_axe_finds_nothing_at_the_table(visit):
    anna, bert, nobody = visit("Anna"), visit("Bert"), visit(None)
    id = post(
        anna,
        "tables",
        {"game": "skirmish", "mine": ["red"], "clock": "fischer:600+10", "access": "public"},
    )["id"]
    at_table(anna, id)
    anna.page.locator(".before").get_by_role("button", name="Invite: Blue").click()
    right(anna, ".before .invite input")
    post(bert, f"tables/{id}/seats/blue")
    anna.page.wait_for_selector("#prompt.mine")
    post(bert, f"tables/{id}/chat", {"room": "players", "text": "good luck"})
    for tab, where in (("chat", ".text"), ("tableStatus", ".ask .armed")):
        anna.page.set_viewport_size({"width": 390, "height": 844})
        anna.page.locator(".dock button").nth(1).click()
        anna.page.locator(f"#tab-{tab}").click()
        if tab == "tableStatus":
            anna.page.get_by_role("button", name="Resign", exact=True).click()
        right(anna, where)
    at_table(nobody, id)
    right(nobody, "#prompt .who")
    post(bert, f"tables/{id}/resign", {"side": "blue"})
    post(bert, f"tables/{id}/offers", {"side": "blue", "kind": "rematch"})
    anna.page.locator(".dock button").nth(0).dispatch_event("click")
    right(anna, ".offer")


def test_who_runs_the_server_sees_how_it_stands(visit, online_server):
    anna, bert, olga = visit("Anna"), visit("Bert", refused=True), visit("Olga")
    bert.page.goto(f"{online_server.address}/admin")
    assert "only an admin" in bert.page.locator(".wrong").inner_text()
    subprocess.run(
        [
            sys.executable,
            "-m",
            "rulekit",
            "serve",
            "--database",
            str(online_server.file),
            "--make-admin",
            "Olga",
        ],
        check=True,
        capture_output=True,
    )
    id = opened(anna, bert)
    post(anna, f"tables/{id}/chat", {"room": "players", "text": "private"})
    olga.page.reload()
    olga.page.get_by_role("link", name="Server").click()
    olga.page.wait_for_selector(".counts")
    assert find_faults(olga.page) == [] and "private" not in olga.page.locator(
        "main"
    ).inner_text().replace("only who is invited", "")
    rows = olga.page.locator(".rows").first.locator("li")
    many = rows.count()
    rows.first.get_by_role("button", name="Remove").click()
    rows.first.locator(".armed").click()
    olga.page.wait_for_function(
        "many => document.querySelector('.rows').children.length === many - 1", arg=many
    )
    assert anna.page.request.get(f"{online_server.address}/api/tables/{id}").status == 404
    olga.page.get_by_label("Name holds").fill("dor")
    olga.page.get_by_role("button", name="Search").click()
    olga.page.get_by_role("button", name="End sessions: Dora").click()
    olga.page.locator(".armed").click()
    olga.page.get_by_text("Done.").wait_for()
    dora = visit("Dora").page
    dora.locator(".sign").wait_for()


def test_the_lobby_is_used_by_the_keyboard_alone(visit):
    page = visit("Anna").page
    page.locator(".games").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "main", (
        "the first stop skips to the page"
    )
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.type === 'submit'"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    page.wait_for_selector(".before")


def test_who_asks_to_take_back_chooses_how_far_and_both_see_what_goes(visit):
    """The button shows the default target, and the slider goes further. After the agreement both
    are told that the dice are new."""
    anna, bert = visit("Anna"), visit("Bert", lang="fr")
    id = opened(anna, bert)
    for page in (anna, bert):
        at_table(page, id)
    asks = anna.page.get_by_role("button", name="Ask to take back")
    play([anna, bert], lambda: anna.choice > 6 and asks.count() > 0)
    now = anna.choice
    asks.click()
    gone = anna.page.locator("#prompt .goes")
    gone.wait_for()
    near = int(anna.page.locator(".timeline .at b").inner_text())
    assert (
        f"Decisions that would go: {now - near}" in gone.inner_text()
        and "come anew" in gone.inner_text()
    )
    assert anna.page.locator(".offer").count() == 0, "nothing is asked yet"
    anna.page.locator(".timeline input").fill(str(near - 2))
    anna.page.wait_for_function(
        "text => document.querySelector('#prompt .goes').innerText.includes(text)",
        arg=f"would go: {now - near + 2}",
    )
    anna.page.get_by_role("button", name="Ask to go back to here").click()
    for page, words in ((anna, "Decisions that would go"), (bert, "Décisions qui disparaîtraient")):
        page.page.locator(".offer .goes").wait_for()
        assert f"{words}" in page.page.locator(".offer .goes").inner_text()
        assert page.page.locator(".offer .goes li").count() > 0
    bert.page.locator(".offer").get_by_role("button", name="Accepter").click()
    for page, words in (
        (anna, "dice and draws are new from here on"),
        (bert, "les dés et les tirages sont nouveaux"),
    ):
        page.page.wait_for_function(
            "choice => document.querySelector('.timeline .at b').textContent === choice",
            arg=str(near - 2),
        )
        page.page.locator(".anew", has_text=words).wait_for()
        assert (
            page.page.locator(".said", has_text="new" if page is anna else "nouveaux").count() == 1
        )


def test_two_clicks_open_one_table_and_a_seat_sees_no_hand_before_all_are_taken(visit):
    anna, bert = visit("Anna", "/?game=sphacteria"), visit("Bert")
    before = len(post(anna, "tables?which=mine", method="GET"))
    anna.page.get_by_role("button", name="Open the table").dblclick()
    anna.page.wait_for_selector(".before")
    assert len(post(anna, "tables?which=mine", method="GET")) == before + 1
    id = anna.page.url.rsplit("/", 1)[1]
    anna.settle()
    assert (
        anna.page.locator(".hand .face").count() == 0
        and "dealt then" in anna.page.locator(".before").inner_text()
    )
    post(anna, f"tables/{id}/access", {"access": "open"}, "PUT")
    free = next(
        seat["side"]
        for seat in post(anna, f"tables/{id}", method="GET")["seats"]
        if seat["who"] is None
    )
    post(bert, f"tables/{id}/seats/{free}")
    anna.page.locator(".hand .face").first.wait_for()
