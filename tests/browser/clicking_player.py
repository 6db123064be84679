"""Plays as a person does: clicks on highlighted things, on buttons, on cards. It knows no game and
no code of the page, only what the page shows."""

from __future__ import annotations

import json
import random
import time

# Everything that can be clicked now: its sort, its name, and a point of it that nothing covers.
LIT = """() => {
  const found = [];
  const point = (el) => {
    const r = el.getBoundingClientRect();
    // Many points of a place of a strange shape.
    const fine = Array.from({ length: 400 }, (_, i) => [
      (i % 20 + .5) / 20, (Math.floor(i / 20) + .5) / 20]);
    const tries = [[.5, .5], [.5, .3], [.5, .7], [.3, .5], [.7, .5], [.25, .25], [.75, .75],
      [.25, .75], [.75, .25], [.5, .12], [.5, .88], [.12, .5], [.88, .5],
      ...(el.dataset.place ? fine : [])];
    for (const [fx, fy] of tries) {
      const x = r.left + r.width * fx, y = r.top + r.height * fy,
        hit = document.elementFromPoint(x, y);
      if (hit && (el.contains(hit) ||
        (el.dataset.place && !hit.closest('[data-ids]') &&
        hit.closest('[data-place]')?.dataset.place === el.dataset.place))) return [x, y];
    }
    return null;
  };
  const add = (kind, selector) => {
    for (const el of document.querySelectorAll(selector)) {
      if (el.disabled || el.closest('[inert]')) continue;
      el.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
      const at = point(el);
      if (at) found.push({ kind, name: el.dataset.key ?? el.getAttribute('aria-label') ??
        el.textContent, x: at[0], y: at[1] });
    }
  };
  add('cover', '.cover .act.main');
  if (found.length || document.querySelector('.prompt.over')) return found;
  add('confirm', '#prompt.mine .acts > .act.main:not([data-key])');
  add('option', '#prompt [data-key], #prompt .number');
  add('way', '#prompt .acts > .act:not([data-key]):not(.main):not(.quiet):not([aria-pressed])');
  add('face', '.hand .face.playable');
  add('piece', '.fan .card-piece.legal[aria-checked="false"]');
  add('pile', '.map .pile.legal:not(.chosen) .take');
  add('place', '.map .place.target');
  return found;
}"""
PATIENCE = 300  # seconds for an answer, on a machine with much else to do
NOW = """() => ['busy ' + document.querySelector('main')?.getAttribute('aria-busy'),
  document.querySelector('#prompt')?.innerText,
  document.querySelector('.timeline .at')?.innerText,
    document.querySelectorAll('.legal, .target, .chosen').length,
  document.querySelector('.prompt.over') !== null, document.querySelector('.cover') !==
    null].join('|')"""

BUSY = "main[aria-busy=true]"
TARGETS = """() => [...document.querySelectorAll('.target, .legal')].map(el => [
  el.dataset.place ?? el.dataset.ids ?? el.getAttribute('aria-label'),
  JSON.stringify(el.getBoundingClientRect()), el.getAttribute('aria-checked')])"""


def check_hands(messages):
    """Check the messages to each side: they show its own hand, and nothing of the other."""
    for side, other in (("athens", "sparta"), ("sparta", "athens")):
        told = [json.loads(text) for text in messages[side] if '"state"' in text[:30]]
        assert told and all(
            each["position"]["pools"]["hand"][other]["members"] == [] for each in told
        )
        assert any(each["position"]["pools"]["hand"][side]["members"] for each in told), (
            "one's own hand is told"
        )


class Looker:
    """A page and the actions of a person on it."""

    def __init__(self, page, server) -> None:
        self.page, self.server = page, server
        self.clicks, self.idle = 0, None  # `idle`: since when nothing can be clicked

    # -------------------------------------------------------------------- opening a table
    def new(self, game, scenario=None, seats=None, lang="en", seed="425", hints=False):
        """Open a table with the API, as the lobby does, and go to it. Return its id."""
        answer = self.page.request.post(
            f"{self.server.address}/api/tables",
            headers={"origin": self.server.address},
            data={
                "game": game,
                "scenario": scenario,
                "seats": seats or {},
                "seed": seed,
                "hints": hints,
            },
            timeout=1000 * PATIENCE,
        )
        assert answer.status == 201, answer.text()
        id = answer.json()["id"]
        self.go(id, lang=lang)
        return id

    def bring(self, save):
        """Open a table that continues from the text of a save. Return its id."""
        answer = self.page.request.post(
            f"{self.server.address}/api/tables/save",
            headers={"origin": self.server.address},
            data=save,
            timeout=1000 * PATIENCE,
        )
        assert answer.status == 201, answer.text()
        return answer.json()["id"]

    def go(self, id, seat=None, lang="en"):
        """Go to a table."""
        self.page.evaluate("lang => localStorage.setItem('rulekit.lang', lang)", lang)
        self.page.goto(f"{self.server.address}/table/{id}" + (f"?seat={seat}" if seat else ""))
        self.page.wait_for_selector(".board")
        self.settle()

    # ----------------------------------------------------------------- visible parts
    def settle(self):
        """Wait until nothing moves any more."""
        end, before, same = time.monotonic() + PATIENCE, None, 0
        while same < 2:
            now = self.page.evaluate(NOW)
            same = same + 1 if now == before and not now.startswith("busy true") else 0
            before = now
            assert time.monotonic() < end, f"the page does not come to rest: {now}"
            self.page.wait_for_timeout(25)

    def lit(self, kind=None):
        """Return the things that can be clicked now."""
        return [each for each in self.page.evaluate(LIT) if kind is None or each["kind"] == kind]

    @property
    def choice(self):
        """Return the number of choices that the page shows."""
        return int(self.page.locator(".timeline .at b").inner_text())

    @property
    def over(self):
        """Return True if the game is over."""
        return self.page.locator(".prompt.over").count() > 0

    @property
    def prompt(self):
        """Return the question."""
        return self.page.locator("#prompt .who p").inner_text()

    @property
    def prompt_text(self):
        """Return all text in the bar of the decision."""
        return self.page.locator("#prompt").inner_text()

    # ----------------------------------------------------------------------- actions
    def click(self, thing):
        """Click on a highlighted thing. A highlighted card must respond."""
        self.clicks += 1
        before = self.page.evaluate(NOW)
        self.page.mouse.click(thing["x"], thing["y"])
        self.settle()
        assert thing["kind"] != "face" or self.page.evaluate(NOW) != before, (
            f"a click on {thing['name']} does nothing: {before}"
        )

    def move(self, rng, brisk=0.5):
        """Click on a random highlighted thing, or wait a moment if there is none.

        Args:
            brisk: the share of clicks on things that continue the game (a button, a place) before
                pieces.
        """
        lit = self.lit()
        if not lit:  # another player decides, or the only option is being taken
            waits = self.page.locator("#prompt.mine").count()
            self.idle = (self.idle or time.monotonic()) if waits else None
            assert not waits or time.monotonic() < self.idle + PATIENCE, (
                f"nothing can be clicked: {self.page.evaluate(NOW)}; lit:"
                f" {self.page.evaluate(TARGETS)}"
            )
            self.page.wait_for_timeout(60)
            return
        self.idle = None
        ready = [each for each in lit if each["kind"] in ("cover", "confirm")]
        onward = [each for each in lit if each["kind"] in ("option", "place")]
        self.click(rng.choice(ready or (onward if onward and rng.random() < brisk else lit)))

    def mine(self):
        """Wait until something can be clicked, and the page has its answers.

        While it waits for an answer, it does not hear a click or a key.
        """
        end = time.monotonic() + PATIENCE
        while not self.over and (self.page.locator(BUSY).count() or not self.lit()):
            assert time.monotonic() < end, f"nothing can be clicked: {self.page.evaluate(NOW)}"
            self.page.wait_for_timeout(25)

    def play(self, seed=1, most=4000, brisk=0.5, until=lambda: False):
        """Play by clicks until the game is over. Return the number of clicks."""
        rng, end = random.Random(seed), time.monotonic() + 900
        while not self.over and not until():
            assert self.clicks < most and time.monotonic() < end, (
                f"not over after {self.clicks} clicks: {self.page.evaluate(NOW)}"
            )
            self.move(rng, brisk)
        return self.clicks
