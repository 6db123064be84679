"""Count the gestures of a game: `python -m tests.browser.gestures [GAME] [SCENARIO] [SIDE]`.

One side is played in the browser with the choices of the greedy seat, against the greedy seat.
Clicks and drags are counted. Next to them stands the number of gestures with counters on a table.

On a table, these count for the one side: each stack (or part of one) moved to another place, each
piece turned over or removed, each die of one's own, each card drawn, put or played, and each marker
moved on a track. A spoken action, such as a pass, costs nothing there. In the browser it costs its
click.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from itertools import takewhile
from pathlib import Path

import rulekit
from rulekit.engine.saves.save_format import parse_save
from rulekit.engine.search.agent_registry import make_agent
from rulekit.presentation.seat import Seat
from rulekit.runtime import cells
from rulekit.runtime.slots import DIE_ROLLED, DRAWN, PUT

ROOT = Path(__file__).parents[2]
LIT = (
    "() => [...document.querySelectorAll('.map .place.target')].map(each =>"
    " each.dataset.place).join(' ')"
)


class Table:
    """The game of the page, followed by its save.

    Attributes:
        hand: the gestures with counters.
    """

    def __init__(self, look, id: str, game: rulekit.Game, side: str) -> None:
        self.look, self.id, self.side = look, id, side
        save = self.save()
        self.state = game.new(save.header["scenario"], save.seed, save.header["rulings"])
        self.hand: Counter[str] = Counter()
        self.follow()

    def save(self):
        answer = self.look.page.request.get(f"{self.look.server.address}/api/tables/{self.id}/save")
        assert answer.status == 200, answer.text()
        return parse_save(answer.text())

    def follow(self) -> int:
        """Make the new choices of the page, and return their number."""
        known, save = self.state.move_number(), self.save()
        for choice in save.choices[known:]:
            assert self.state.decision is not None
            mine, begin = self.state.decision.player == self.side, len(self.state.log)
            before, marks = places(self.state), markers(self.state)
            self.state.apply(choice.choice)
            self.count(mine, before, marks, begin)
        return self.state.move_number() - known

    def count(
        self, mine: bool, before: dict[str, str], marks: dict[str, object], begin: int
    ) -> None:
        """Count the gestures with counters."""
        me, now = self.state.names.side(self.side), places(self.state)
        for record in self.state.log[begin:]:
            if record[0] == DIE_ROLLED and record[2] == me:
                self.hand["die"] += 1
            elif record[0] in (DRAWN, PUT) and mine:
                self.hand["card"] += 1
        if mine:
            self.hand["stack"] += len(
                {(before.get(id), place) for id, place in now.items() if before.get(id) != place}
            )
            self.hand["taken away"] += sum(id not in now for id in before)
            self.hand["marker"] += sum(
                marks[at] != value for at, value in markers(self.state).items()
            )


def markers(state: rulekit.State) -> dict[str, object]:
    """Return the position of each marker on its track."""
    program = state.table.program
    look = program.info.get("drawing") or {}
    tracks = {entry["cell"] for entry in look.get("tracks", ()) if "cell" in entry} | {
        look.get("seat", {}).get("points")
    }
    return {
        f"{cell.name} {keys}": cells.read(state.slots, cell, keys)
        for cell in program.cells
        if cell.name in tracks and not cell.pool
        for keys in cells.places(cell)
    }


def places(state: rulekit.State) -> dict[str, str]:
    """Return the place of each piece."""
    out = {}
    for kind, cell in state.names.place_cells.items():
        for id in state.table.program.kinds[kind].members:
            place = state.get(f"{cell.name}.{id}")
            if place is not None:
                out[id] = place
    return out


def after(state: rulekit.State, keys: list[str]) -> dict[str, str]:
    """Return the place of each piece after some choices."""
    copy = state.clone()
    for key in keys:
        copy.apply(key)
    return places(copy)


class Hand:
    """Makes and counts the clicks and drags of a person who knows their plan."""

    def __init__(self, look) -> None:
        self.look, self.page = look, look.page
        self.made: Counter[str] = Counter()

    def press(self, what: str, locator) -> bool:
        """Click on the first match. Return False if there is none."""
        if locator.count() == 0:
            return False
        locator.first.click()
        self.made[what] += 1
        self.look.settle()
        return True

    def button(self, key: str) -> bool:
        here = self.page.locator(f'#prompt [data-key="{key}"]')
        if here.count() and not here.first.is_visible():
            self.press("button", self.page.locator("#prompt .more summary, #prompt .more > button"))
        return self.press("button", here)

    def confirm(self) -> bool:
        return self.press(
            "confirm", self.page.locator("#prompt.mine .acts > .act.main:not([data-key])")
        )

    def lit(self, place: str) -> bool:
        return self.page.locator(f'.map .place.target[data-place="{place}"]').count() > 0

    def place(self, place: str) -> bool:
        if not self.lit(place):
            return False
        target = self.page.locator(f'.map .place.target[data-place="{place}"]').first
        if self.at("place", target):
            return True
        self.press("close", self.page.locator(".fan .close"))  # close the fan that covers the place
        return self.at("place", target)

    def at(self, what: str, locator) -> bool:
        """Click on an uncovered point of a thing on the map."""
        point = locator.evaluate(
            """el => { const r = el.getBoundingClientRect();
          for (let i = 1; i < 12; i++) for (let j = 1; j < 12; j++)
            { const x = r.left + r.width * (i * 5 % 12) / 12, y = r.top + r.height * (j * 5 % 12)
            / 12;
            const hit = document.elementFromPoint(x, y); if (hit && el.contains(hit))
              return [x, y]; } return null; }"""
        )
        if point is None:
            return False
        self.page.mouse.click(*point)
        self.made[what] += 1
        self.look.settle()
        return True

    def chosen(self) -> set[str]:
        return set(
            self.page.evaluate(
                """() => [...document.querySelectorAll('.fan [data-piece][aria-checked="true"]')]
          .map(e => e.dataset.piece)
          .concat([...document.querySelectorAll('.map .pile.chosen')].filter(e =>
            !e.dataset.ids.includes(' ')).map(e => e.dataset.ids))"""
            )
        )

    def drag(self, id: str, place: str) -> bool:
        """Drag a piece on the map or in an open stack, and drop it on a place."""
        held = self.page.locator(
            f'.fan [data-piece="{id}"].legal, .map .pile.legal[data-ids="{id}"] .take'
        ).first
        if held.count() == 0:
            return False
        box, before = held.bounding_box(), self.look.choice
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(
            box["x"] + box["width"] / 2 + 15, box["y"] + box["height"] / 2 + 15, steps=4
        )
        target = self.page.locator(f'.map .place.target[data-place="{place}"]').first
        try:
            target.wait_for(timeout=3000)
            to = target.bounding_box()
            self.page.mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=6)
        finally:
            self.page.mouse.up()
        self.look.settle()
        self.made["drag"] += 1
        return self.look.choice > before

    def pieces(self, ids: list[str]) -> bool:
        """Choose these pieces: by a pile on the map, or in the stack that it opens. Choose all at
        once if these are all."""
        for id in ids:
            if id in self.chosen():
                continue
            card = self.page.locator(f'.fan [data-piece="{id}"].legal')
            if not card.count():
                pile = self.page.locator(f'.map .pile.legal[data-ids~="{id}"] .take')
                if not pile.count() or not self.at("piece", pile.first):
                    return False
                if id in self.chosen():
                    continue
                card = self.page.locator(f'.fan [data-piece="{id}"].legal')
            legal = set(
                self.page.evaluate(
                    "() => [...document.querySelectorAll('.fan [data-piece].legal')].map(e =>"
                    " e.dataset.piece)"
                )
            )
            if len(legal) > 1 and legal == set(ids) and not self.chosen() & legal:
                self.press("all", self.page.locator(".fan .quick button"))
                continue
            if not card.count() or not self.press("piece", card):
                return False
        return True


def intended(state: rulekit.State, agent, side: str) -> list[str]:
    """Return the next keys that a seat would choose until another side decides or a die is
    rolled."""
    copy, keys = state.clone(), []
    while copy.decision is not None and copy.decision.player == side and len(keys) < 60:
        begin = len(copy.log)
        option = copy.find(agent.choose(copy))
        keys.append(option.key)
        copy.apply(option)
        if any(record[0] in (DIE_ROLLED, DRAWN) for record in copy.log[begin:]):
            break
    return keys


def step(table: Table, hand: Hand, keys: list[str]) -> None:
    """Execute the next part of the plan on the page, split up if the page cannot do it at once."""
    state, first = table.state, keys[0]
    if move_group(state, hand, keys):
        return
    seat = Seat(state, table.side)
    offered = next(each for each in seat.decision().options if each.key == first)
    before = hand.look.choice
    if hand.button(first):
        if hand.look.choice == before:
            hand.confirm()
        if hand.look.choice > before:
            return
    for name, type in offered.types.items():
        choose_value(state, hand, offered, type.role, offered.params[name])
        if hand.look.choice > before:
            return
    if hand.look.choice == before and not hand.button(first) and not hand.confirm():
        raise AssertionError(
            f"{first!r} cannot be done by hand: {hand.look.prompt_text!r}, lit"
            f" {hand.look.lit()[:8]}"
        )
    if hand.look.choice == before:
        hand.confirm()


def move_group(state: rulekit.State, hand: Hand, keys: list[str]) -> bool:
    """Choose the pieces that the plan adds to a group, and move them together. Return True if the
    page made a choice."""
    group, run = added_pieces(keys)
    if (
        not group
        or not hand.page.locator(
            f'.map .pile.legal[data-ids~="{group[0]}"], .fan [data-piece="{group[0]}"]'
        ).count()
    ):
        return False
    goal, before = goal_of(state, keys, run, group[0]), hand.look.choice
    if (
        goal is not None
        and len(group) > 1
        and hand.pieces(group[:-1])
        and hand.look.choice == before
        and hand.drag(group[-1], goal)
    ):
        return True
    if hand.pieces(group):
        if hand.look.choice > before:
            return True
        if goal is not None:
            hand.place(goal)
        if hand.look.choice == before:
            hand.confirm()
        if hand.look.choice > before:
            return True
    lit = hand.page.evaluate(LIT)
    print(f"not in one: {keys[: run + 1]} to {goal}, lit {lit}", file=sys.stderr)
    clear(hand)
    return False


def added_pieces(keys: list[str]) -> tuple[list[str], int]:
    """Return the pieces that a plan adds to a group first, and the index of the key after them."""
    first = next((at for at, key in enumerate(keys) if key.startswith("add ")), None)
    if first is None or any(key.startswith(("to ", "stop", "pick ")) for key in keys[:first]):
        return [], 0
    group = [key.split()[1] for key in takewhile(lambda key: key.startswith("add "), keys[first:])]
    return group, first + len(group)


def goal_of(state: rulekit.State, keys: list[str], run: int, piece: str) -> str | None:
    """Return the place to which the steps of a plan from an index on move a piece, if any."""
    end = next(
        (
            at
            for at in range(run, len(keys))
            if not keys[at].startswith("to ") and keys[at] not in ("go", "pass", "stop")
        ),
        len(keys),
    )
    if not any(key.startswith("to ") for key in keys[run:end]):
        return None
    return after(state, keys[:end]).get(piece)


def choose_value(state: rulekit.State, hand: Hand, offered, role: str, value) -> None:
    """Choose one parameter of an option where the page shows it."""
    if role == "number":
        hand.press("number", hand.page.locator("#prompt .number").filter(has_text=str(value)))
    elif not isinstance(value, str):
        return
    elif role == "piece":
        hand.pieces([value])
    elif role == "place":
        hand.place(value if hand.lit(value) else offered.ends_at or value)
    else:
        face = hand.page.locator(".hand .face.playable")
        labels = [face.nth(one).inner_text() for one in range(face.count())]
        known = label(state, value)
        at = next((one for one, text in enumerate(labels) if known in text), 0)
        if labels:
            hand.press("face", face.nth(at))


def label(state: rulekit.State, id: str) -> str:
    names = state.names
    for kind, info in enumerate(state.table.program.kinds):
        if id in info.members:
            return names.label(kind, info.members.index(id))
    return id


def clear(hand: Hand) -> None:
    """Undo the clicks without effect. They still count."""
    for _ in range(12):
        if not hand.page.locator(".fan .chosen, .map .pile.chosen").count():
            return
        hand.page.keyboard.press("u")
        hand.made["back"] += 1
        hand.look.settle()


def main(
    name: str = "sphacteria",
    scenario: str = "",
    side: str = "athens",
    seed: str = "425",
    most: str = "4000",
) -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import found
    from tests.browser.clicking_player import Looker
    from tests.browser.conftest import Server

    game = rulekit.load(ROOT / "games" / name)
    server, path = Server(Path(tempfile.mkdtemp()) / "tables.db"), found()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                **({} if path in (None, "playwright") else {"executable_path": path})
            )
            page = browser.new_context(
                viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
            ).new_page()
            page.set_default_timeout(10_000)
            page.goto(f"{server.address}/?token={server.token}")
            look = Looker(page, server)
            id = look.new(
                name,
                scenario or None,
                {each: "greedy" for each in game.sides if each != side},
                seed=seed,
            )
            play(Table(look, id, game, side), Hand(look), int(most))
            browser.close()
    finally:
        server.end()


def play(table: Table, hand: Hand, most: int) -> None:
    """Play to the end and print the counts."""
    look, side, agent = hand.look, table.side, make_agent("greedy", table.state, 7)
    while not look.over and sum(hand.made.values()) < most:
        look.mine()
        table.follow()
        if table.state.decision is None or table.state.decision.player != side:
            look.page.wait_for_timeout(50)
            continue
        keys = intended(table.state, agent, side)
        try:
            before = hand.made.copy()
            step(table, hand, keys)
            print(table.state.decision.kind, keys[:6], dict(hand.made - before), file=sys.stderr)
        except Exception:
            shot = Path(tempfile.gettempdir()) / "gestures.png"
            look.page.screenshot(path=str(shot))
            print(f"stopped at {keys}: see {shot}", file=sys.stderr)
            raise
        table.follow()
    own = sum(
        table.state.chooser(n + 1) == table.state.names.side(side)
        for n in range(table.state.move_number())
    )
    made, counters = sum(hand.made.values()), sum(table.hand.values())
    print(
        f"{table.state.names.program.name}: {'over' if look.over else 'broken off'} after {own}"
        f" choices of {side}"
    )
    print(f"browser {made}: {dict(hand.made)}")
    print(f"counters {counters}: {dict(table.hand)}")
    print(f"ratio {made / max(1, counters):.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
