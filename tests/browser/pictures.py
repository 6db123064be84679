"""Makes the pictures of the docs: `python -m tests.browser.pictures` plays by chance until there is something to see, and writes docs/pictures."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

OUT = ROOT / "docs" / "pictures"
PLAYS = [  # name, size, game, scenario, language, theme, what there must be to see, seed
    ("move", (1440, 900), "amphipolis", "cleon", "en", "light", lambda page: page.locator(".fan .chosen").count() > 0 and page.locator(".place.target").count() > 3, 8),
    ("odds", (1440, 900), "amphipolis", "brasidas", "en", "light", lambda page: page.locator(".card .odds tr").count() > 2, 5),
    ("dark", (1440, 900), "sphacteria", None, "en", "dark", lambda page: page.locator(".place.target").count() > 3, 2),
    ("phone", (390, 844), "sphacteria", None, "fr", "light", lambda page: page.locator(".place.target").count() > 3, 4),
]


def main() -> None:
    """All of them."""
    from playwright.sync_api import sync_playwright

    from browser.chromium import found
    from browser.conftest import Server
    from browser.looker import Looker

    server = Server(Path(tempfile.mkdtemp()) / "tables.db")
    path = found()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**({} if path in (None, "playwright") else {"executable_path": path}))
        for name, (width, height), game, scenario, lang, theme, seen, seed in PLAYS:
            context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme=theme,
                                          device_scale_factor=2 if width < 500 else 1)
            look = Looker(context.new_page(), server)
            look.page.goto(f"{server.address}/?token={server.token}")
            if name == "move":
                look.page.wait_for_selector(".games")
                look.page.screenshot(path=OUT / "hall.jpg", type="jpeg", quality=82)
            look.new(game, scenario, {"sparta": "greedy"}, lang)
            look.play(seed, brisk=0.25, until=lambda page=look.page, seen=seen: seen(page))
            look.page.mouse.move(width / 2, 30)
            look.page.wait_for_timeout(400)
            look.page.screenshot(path=OUT / f"{name}.jpg", type="jpeg", quality=82)
            context.close()
        browser.close()
    server.end()


if __name__ == "__main__":
    main()
