"""The cache stays within its size. The least recently used entry goes, never one in use, and
several processes may work at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulekit
from rulekit.runtime import cache_folders
from rulekit.runtime.cache import Cache
from rulekit.runtime.cache_folders import (
    DEFAULT_BYTES,
    CacheItem,
    bytes_of,
    clear,
    limit,
    listed,
    set_limit,
    trim,
)

ROOT = Path(__file__).resolve().parents[2]
USES = """import sys, rulekit
state = rulekit.load(sys.argv[1]).new(seed=1)
state.apply(state.decision.options[0])
print("ready", flush=True)
sys.stdin.readline()
print(rulekit.load(sys.argv[1]).program().code("traced") is not None, state.to_json(), flush=True)
"""


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RULEKIT_CACHE_SIZE", raising=False)
    return tmp_path / "cache"


def shelf(base: Path, name: str, size: int, used: float) -> Path:
    """Return an entry that no process uses, as another process has left it."""
    Cache(name, title=name).put("what", "x" * size)
    [found] = [each for each in listed(base) if each.game == name]
    os.utime(found.path / "used", (used, used))
    return found.path


def test_what_was_used_longest_ago_goes_first(base: Path) -> None:
    paths = {
        name: shelf(base, name, 10_000, used)
        for name, used in (("middle", 2000), ("old", 1000), ("new", 3000))
    }
    assert trim(base, 25_000).gone == 1
    assert [name for name, path in paths.items() if path.is_dir()] == ["middle", "new"]
    assert trim(base, 25_000).gone == 0 and trim(base, 0).gone == 2 and not listed(base)


def test_each_writing_keeps_to_the_bound(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEKIT_CACHE_SIZE", "100 kB")
    for number in range(30):
        Cache(f"game {number}", title="game").put("what", "x" * 10_000)
        assert sum(each.size for each in listed(base)) <= 100_000 + 11_000
    assert 8 <= len(listed(base)) <= 10


def test_many_small_writings_list_the_cache_a_few_times(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays within its limit, also once it is full."""
    looks: list[int] = []

    def counted(base: Path) -> list[CacheItem]:
        found = listed(base)
        looks.append(sum(each.size for each in found))
        return found

    monkeypatch.setattr(cache_folders, "listed", counted)
    monkeypatch.setenv("RULEKIT_CACHE_SIZE", "1 MB")
    for number in range(400):
        Cache(f"game {number}", title="game").put("what", "x" * 5_000)
    assert 10 < len(looks) < 150 and 950_000 < max(looks) < 1_030_000
    assert 800_000 < sum(each.size for each in listed(base)) < 1_030_000


def test_a_shelf_is_used_when_it_is_read(base: Path) -> None:
    path = shelf(base, "old", 10, 1000)
    shelf(base, "new", 10, 2000)
    assert Cache("old", title="old").get("what") == "x" * 10
    assert (path / "used").stat().st_mtime > 2000 and listed(base)[0].game == "old"


def test_what_this_process_uses_stays(base: Path) -> None:
    kept = Cache("mine", title="mine")
    kept.put("what", "value")
    assert (
        trim(base, 0).held == 1 and kept.get("what") == "value" and listed(base, ask=True)[0].held
    )
    del kept
    assert not listed(base, ask=True)[0].held and trim(base, 0).gone == 1


def test_what_another_process_uses_stays_until_it_ends(base: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(ROOT / "examples" / "tic_tac_toe", tmp_path / "game")
    with subprocess.Popen(
        [sys.executable, "-c", USES, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        (folder / "game.rules").write_text(
            (folder / "game.rules").read_text().replace("game tic", "# another\ngame tic")
        )
        assert [each.held for each in listed(base, ask=True) if each.game == "game"] == [True]
        trim(base, 0)
        assert [each.game for each in listed(base)] == ["game"]
        told, _ = process.communicate("\n")
        assert told.startswith("True")
    trim(base, 0)
    assert not listed(base)


def test_many_processes_write_read_and_clear_at_once(base: Path, tmp_path: Path) -> None:
    """Each plays the right game to the end, and nothing is incomplete."""
    folders = []
    for number in range(4):
        folders.append(
            shutil.copytree(ROOT / "examples" / "tic_tac_toe", tmp_path / f"game{number}")
        )
        (folders[-1] / "game.rules").write_text(
            (folders[-1] / "game.rules").read_text() + f"# {number}\n"
        )
    code = (
        "import sys, rulekit\nfrom rulekit.runtime.cache_folders import folder, trim\nfor path in"
        " sys.argv[1:]:\n    state = rulekit.load(path).new(seed=4)\n    trim(folder(), 0)\n   "
        " while state.decision: state.apply(state.decision.options[0])\n    print(state.result)"
    )
    environment = {**os.environ, "RULEKIT_CACHE_SIZE": "20 kB"}
    orders = [folders[i:] + folders[:i] for i in range(4)]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, *map(str, order)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for order in orders
    ]
    found = [process.communicate() for process in running]
    assert [error for _, error in found] == [""] * 4
    assert len({line for out, _ in found for line in out.splitlines()}) == 1 and all(
        len(out.splitlines()) == 4 for out, _ in found
    )
    assert not list(base.rglob(".new-*")) and not list(base.glob(".gone-*"))


def test_a_bound_is_that_of_the_environment_else_of_the_folder(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert limit(base) == DEFAULT_BYTES
    set_limit(base, 5_000)
    assert limit(base) == 5_000 and not listed(base)  # the file of the limit is no entry
    monkeypatch.setenv("RULEKIT_CACHE_SIZE", "2 GB")
    assert limit(base) == 2_000_000_000
    monkeypatch.setenv("RULEKIT_CACHE_SIZE", "much")
    assert limit(base) == 5_000
    (base / "limit").write_bytes(b"\xff")
    assert limit(base) == DEFAULT_BYTES


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("300MB", 300_000_000),
        ("2 gb", 2 * 10**9),
        ("1.5k", 1500),
        ("12", 12),
        ("0", 0),
        ("-1", None),
        ("", None),
        ("a lot", None),
        ("5 XB", None),
        ("9" * 40, None),
    ],
)
def test_sizes_are_read_as_people_write_them(text: str, size: int | None) -> None:
    assert bytes_of(text) == size


def test_what_older_versions_and_stopped_processes_left_goes_too(base: Path) -> None:
    """Other files in the folder stay."""
    (base / ".gone-1").mkdir(parents=True)
    (base / ".gone-1" / "x.bin").write_bytes(b"x")
    for name in (f"{'a' * 40}.bin", "grammar-1.tables", "mine.txt", ".new-1"):
        (base / name).write_bytes(b"x" * 10)
    (base / "notes").mkdir()
    os.utime(base / ".new-1", (1000, 1000))
    assert len(listed(base)) == 4 and trim(base, 0).gone == 4
    assert sorted(path.name for path in base.iterdir()) == ["mine.txt", "notes"]


def test_a_folder_that_cannot_be_is_no_error(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "file" / "below"))
    Cache("game").put("what", 1)
    assert (
        Cache("game").get("what") is None
        and listed(tmp_path / "file") == []
        and limit(tmp_path / "file") == DEFAULT_BYTES
    )
    assert rulekit.load(ROOT / "examples" / "tic_tac_toe").new(seed=1).decision is not None


def test_a_shelf_that_is_cleared_while_it_is_opened_is_made_anew(base: Path) -> None:
    one, other = Cache("game", title="game"), Cache("game", title="game")
    one.put("what", 1)
    del one
    assert clear(listed(base)[0])
    assert other.get("what") is None
    other.put("what", 2)
    assert other.get("what") == 2


@pytest.mark.skipif(os.name != "posix", reason="rights of files")
def test_nobody_else_may_write_where_code_is_read_from(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code in the cache is executed, so it is for its user only, and another user's cache is not
    read."""
    before = os.umask(0)
    try:
        shelf(base, "own", 10, 1000)
        [path] = [each.path for each in listed(base)]
        assert [each.stat().st_mode & 0o777 for each in (base, path)] == [0o700, 0o700]
    finally:
        os.umask(before)
    path.chmod(0o777)
    assert (
        Cache("own", title="own").get("what") == "x" * 10 and path.stat().st_mode & 0o777 == 0o755
    )
    base.chmod(0o1777)
    assert (
        Cache("own", title="own").get("what") is None and base.stat().st_mode & 0o7777 == 0o1777
    ), "one that all share is left alone"
    base.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 12345)
    found = Cache("own", title="own").get("what")
    assert found == ("x" * 10 if path.stat().st_uid == 0 else None)
    real = os.stat

    def another(file: object, **how: object) -> os.stat_result:
        status = real(file, **how)  # type: ignore[call-overload]
        return os.stat_result([*status[:4], 4242, *status[5:]])

    monkeypatch.setattr(os, "stat", another)
    assert Cache("own", title="own").get("what") is None
