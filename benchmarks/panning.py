"""Pan a board of 240 hexes with 120 pieces with the mouse in Chromium: `python
benchmarks/panning.py [SECONDS]`.

It prints two measures of frames. One is the time between two frames as the page sees it
(requestAnimationFrame). The other is the work of the page's thread between two frames (its tasks in
the browser's trace). At 60 frames a second, a frame has 16.7 ms.

The rules are those of the example `skirmish`, with another map and other pieces. It needs the
extras of the tests and a Chromium (tests/browser/chromium.py).
"""

from __future__ import annotations

import json
import math
import shutil
import statistics
import sys
import tempfile
from bisect import bisect_right
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
COLUMNS, ROWS, PIECES = 20, 12, 60  # pieces: of each side
SIZE = 30.0

FRAMES = """() => { window.frames_ = []; let last = performance.now();
  const tick = (now) => { window.frames_.push(now - last); last = now;
    window.running_ = requestAnimationFrame(tick); };
  window.running_ = requestAnimationFrame(tick); }"""


def board(folder: Path) -> Path:
    """Write a copy of the skirmish on a board of hexes."""
    shutil.copytree(ROOT / "examples" / "skirmish", folder)
    for gone in ("situations", "drawing.yaml", "texts"):
        path = folder / gone
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    centre = {
        (c, r): (60 + SIZE * 1.5 * c, 60 + SIZE * math.sqrt(3) * (r + 0.5 * (c % 2)))
        for c in range(COLUMNS)
        for r in range(ROWS)
    }
    corners = {at: [_corner(x, y, k) for k in range(6)] for at, (x, y) in centre.items()}
    edges: dict[frozenset[tuple[int, int]], list[str]] = {}
    for at, points in corners.items():
        for k in range(6):
            edges.setdefault(frozenset((points[k], points[(k + 1) % 6])), []).append(_name(at))
    members = {
        _name(at): {
            "ground": "rough" if (at[0] * 7 + at[1] * 5) % 3 == 0 else "clear",
            "worth": 0,
            "at": [round(x), round(y)],
            "shape": [list(p) for p in corners[at]],
            "label": _name(at),
        }
        for at, (x, y) in centre.items()
    }
    borders = [
        {"between": pair, "river": i % 9 == 0}
        for i, pair in enumerate(pair for pair in edges.values() if len(pair) == 2)
    ]
    source = {"assumed": "a board to measure with"}
    _write(
        folder / "map.yaml",
        {
            "places": {"kind": "Zone", "source": source, "members": members},
            "borders": {"kind": "Border", "source": source, "members": borders},
        },
    )
    _write(
        folder / "pieces.yaml",
        [
            {
                "kind": "Piece",
                "place": "zone",
                "source": source,
                "each": {"owner": side},
                "members": {
                    f"{side}.F{n}": {"type": "foot", "strength": 1 + n % 9, "label": f"{side} {n}"}
                    for n in range(PIECES)
                },
            }
            for side in ("red", "blue")
        ],
    )
    names = [_name(at) for at in sorted(centre)]
    deploy = {names[n]: [f"red.F{n}"] for n in range(PIECES)} | {
        names[-1 - n]: [f"blue.F{n}"] for n in range(PIECES)
    }
    _write(
        folder / "scenarios" / "morning.yaml",
        {"name": "morning", "title": "The morning", "deploy": deploy},
    )
    return folder


def _corner(x: float, y: float, k: int) -> tuple[int, int]:
    return round(x + SIZE * math.cos(math.pi / 3 * k)), round(y + SIZE * math.sin(math.pi / 3 * k))


def _name(at: tuple[int, int]) -> str:
    return f"h{at[0]:02}{at[1]:02}"


def _write(path: Path, what: Any) -> None:
    path.write_text(json.dumps(what), encoding="utf-8")  # JSON is YAML


def panned(page: Any, seconds: float) -> list[float]:
    """Drag the board in circles. Return the times between frames, in milliseconds."""
    box = page.locator(".board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.93
    for _ in range(3):
        page.get_by_role("button", name="+").or_(page.locator(".zoom button").first).first.click()
        page.wait_for_timeout(300)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y, steps=4)
    page.evaluate(FRAMES)
    for n in range(int(seconds * 60)):
        page.mouse.move(x + 150 * math.cos(n / 15), y - 120 + 120 * math.sin(n / 15))
    page.mouse.up()
    page.evaluate("() => cancelAnimationFrame(window.running_)")
    frames: list[float] = page.evaluate("() => window.frames_.slice(2)")
    return frames


def tasks(trace: Path) -> list[float]:
    """Return the work of the page's thread between two frames, in milliseconds."""
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    begins = [e for e in events if e.get("name") == "WebFrameWidgetImpl::BeginMainFrame"]
    threads = Counter((e["pid"], e["tid"]) for e in begins)
    thread = threads.most_common(1)[0][0] if threads else None
    starts = sorted(e["ts"] for e in begins if (e["pid"], e["tid"]) == thread)
    work = [0.0] * len(starts)
    for e in events:
        if e.get("name") == "RunTask" and e.get("ph") == "X" and (e["pid"], e["tid"]) == thread:
            frame = bisect_right(starts, e["ts"] + e.get("dur", 0)) - 1
            if frame >= 0:
                work[frame] += e.get("dur", 0) / 1000
    return work


def told(what: str, times: list[float]) -> None:
    if times:
        times = sorted(times)
        print(
            f"{what}: {len(times)} frames, median {statistics.median(times):.1f} ms, 95 in 100"
            f" under {times[int(len(times) * 0.95)]:.1f}, worst {times[-1]:.1f}, over 16.7 ms:"
            f" {sum(t > 16.9 for t in times)}"
        )


def main(seconds: float = 5.0) -> None:
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import found
    from tests.browser.conftest import Server

    work = Path(tempfile.mkdtemp())
    folder, path = board(work / "hexes"), found()
    server = Server(work / "tables.db", ("table", "--no-browser", str(folder), "--file"))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                **({} if path in (None, "playwright") else {"executable_path": path})
            )
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            page.goto(f"{server.address}/?token={server.token}")
            page.get_by_role("button", name="Open the table").click(timeout=60_000)
            page.wait_for_selector(".map .pile", timeout=60_000)
            page.wait_for_timeout(1500)
            print(
                page.locator(".map .place").count(),
                "places,",
                page.locator(".map .pile").count(),
                "piles",
            )
            browser.start_tracing(
                page=page,
                path=str(work / "trace.json"),
                categories=[
                    "devtools.timeline",
                    "disabled-by-default-devtools.timeline",
                    "toplevel",
                    "blink",
                ],
            )
            frames = panned(page, seconds)
            browser.stop_tracing()
            page.screenshot(path=str(work / "panned.png"))
            told("between frames", frames)
            told("work of the page's thread in a frame", tasks(work / "trace.json"))
            print(work / "panned.png")
            browser.close()
    finally:
        server.end()


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
