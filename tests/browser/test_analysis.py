"""Analysis on the page, of a position and of a whole game: variations, the review, turning
points."""

from tests.browser.accessibility import find_faults

# The place of the first line glows while its button has the focus. A message from the table at this
# moment removes the glow.
LIT = """() => {
    if (document.querySelector('.map .place.glow')) return true
    const button = document.querySelector('.best-lines .first-choice')
    button.blur(); button.focus()
    return false
}"""


def test_a_game_is_looked_at_while_it_is_played_and_when_it_is_over(server, look):
    """The keyboard is used where there is nothing to click on the map. The page shows the position
    at a turning point."""
    page = look(server)
    page.new("connect_four", seats={"red": "random"}, hints=True)
    on, press = page.page, page.page.keyboard.press
    page.play(until=lambda: page.choice >= 6)
    page.mine()
    press("e")
    on.get_by_role("button", name="Think for 1 s").press("Enter")
    lines = on.locator(".best-lines > li")
    lines.first.wait_for()
    assert (
        1 <= lines.count() <= 5
        and "of the visits" in lines.first.inner_text()
        and "to win" in lines.first.inner_text()
    )
    assert on.locator(".analysis [role=status]").inner_text().startswith("Best: drop: ")
    assert find_faults(on) == []
    on.wait_for_function(LIT)
    number = lines.first.locator(".first-choice").inner_text().removeprefix("drop: ")
    on.locator("#prompt .number", has_text=number).click()
    on.wait_for_function("() => document.querySelector('.best-lines') === null")

    page.play(2)
    assert on.get_by_role("tab", name="Analysis").get_attribute("aria-selected") == "true"
    on.get_by_role("button", name="The course of the game").click()
    on.wait_for_function("() => document.querySelector('.analysis .think') === null")
    points = on.locator(".turning > li")
    assert points.count() > 0, "who plays by chance misses something"
    assert (
        on.locator(".analysis svg[role=img]").get_attribute("aria-label")
        == f"Expected chance to win. {points.count()} turning points"
    )
    assert find_faults(on) == []
    then = points.nth(0).locator(".first-choice")
    number = int(then.inner_text().split(",")[1].split(":")[0])
    then.press("Enter")
    on.wait_for_function(
        "then => document.querySelector('.timeline .at b').innerText === String(then)",
        arg=number - 1,
    )
    assert "chosen: drop" in page.prompt_text and "better: drop" in page.prompt_text
    on.get_by_role("button", name="FR", exact=True).click()
    on.get_by_role("button", name="Regarder toute la partie").wait_for()


def test_a_seat_that_thinks_is_let_choose_at_once(server, look):
    """The seat has a minute. Its opponent does not wait for that, and decides again."""
    page, sent = look(server), []
    page.page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(text)))
    page.new("connect_four", seats={"red": "search:60s"})
    on = page.page
    page.mine()
    assert on.get_by_role("button", name="Choose now").count() == 0
    on.locator("#prompt .number").first.click()
    now = on.get_by_role("button", name="Choose now")
    now.wait_for()
    assert now.get_attribute("title") == "Who plays red chooses by what the search has found so far"
    now.click()
    on.locator("#prompt.mine").wait_for()
    assert page.choice == 2 and any('"move_now"' in text for text in sent)
    assert find_faults(on) == []
