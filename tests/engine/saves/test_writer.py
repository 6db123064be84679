"""The file of a running game: written lines are not lost, whatever the disk does, and nobody writes
to another player's file."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.saves import writer
from rulekit.engine.saves.recorder import Recorder, parse_save, read_save, replay

ROOT = Path(__file__).resolve().parents[3]
CARDS = ROOT / "tests" / "fixtures" / "cards"


def new(seed: int = 6) -> Recorder:
    game = rulekit.load(CARDS)
    return Recorder(game, game.new(seed=seed), dict.fromkeys(game.sides, "random"))


def step(recorder: Recorder, rng: random.Random) -> None:
    """Make a choice, or sometimes undo one."""
    if recorder.state.decision is None:
        recorder.state.undo()
        recorder.undone()
        return
    recorder.apply(rng.choice(recorder.state.decision.options))
    if rng.random() < 0.2:
        recorder.state.undo()
        recorder.undone()


def begun(path: Path, steps: int = 6) -> Recorder:
    recorder, rng = new(), random.Random(1)
    recorder.keep_in(writer.begin(str(path), recorder.save, "en"))
    for _ in range(steps):
        step(recorder, rng)
    return recorder


def test_the_file_is_the_save_after_every_step(tmp_path: Path) -> None:
    """After each step the file on the disk is the whole save, byte for byte."""
    path, recorder, rng = tmp_path / "a", new(), random.Random(1)
    recorder.keep_in(writer.begin(str(path), recorder.save, "en"))
    while recorder.state.decision:
        assert path.read_text("utf-8") == recorder.save.text()
        step(recorder, rng)
    recorder.keep_in(None)
    assert path.read_text("utf-8") == recorder.save.text()
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_a_file_cut_anywhere_goes_on_with_all_its_whole_lines(tmp_path: Path) -> None:
    """If a crash has cut the file after its header, the game continues. Complete lines stay, and
    the rest is overwritten."""
    path = tmp_path / "a"
    recorder = begun(path, 3)
    recorder.keep_in(None)
    raw = path.read_bytes()
    begin = raw.index(b"\n")
    first, last = raw.index(b"\n", begin + 1) + 2, raw.rindex(b"\n", 0, -1) - 1
    for length in [
        *range(begin, first),
        *range(first, last, 97),
        *range(last, len(raw) + 1),
    ]:  # each byte of the first and of the last line
        path.write_bytes(raw[:length])
        keeper = writer.proceed(str(path), "en")
        assert path.read_bytes() == raw[:length], (
            "nothing is written before it is known to be a game that can go on"
        )
        assert len(keeper.save.records) >= raw[:length].count(b"\n") - 1
        keeper.save = recorder.save  # as after replaying the rest
        keeper.keep()
        keeper.close()
        assert path.read_bytes() == raw


def test_of_a_line_that_was_cut_nothing_stays_behind_a_shorter_one(tmp_path: Path) -> None:
    """If a file ends within a long line, a short one replaces it and ends the file."""
    path = tmp_path / "a"
    recorder = begun(path)
    recorder.keep_in(None)
    path.write_bytes(path.read_bytes() + b'{"n":' + b" " * 400)
    keeper = writer.proceed(str(path), "en")
    keeper.save = recorder.save
    recorder.keeper = keeper
    recorder.state.undo()
    recorder.undone()
    assert path.read_text("utf-8") == recorder.save.text()
    keeper.close()


def failing(after: int) -> Callable[[int, bytes], int]:
    """Return an `os.write` that writes a number of bytes in all, and then finds the disk full."""
    left, write = after, os.write

    def full(handle: int, data: bytes) -> int:
        nonlocal left
        if not left:
            raise OSError(28, "No space left on device")
        part = data[:left]
        left -= len(part)
        return write(handle, part)

    return full


@pytest.mark.parametrize("room", [0, 1, 40, 200])
def test_a_line_that_finds_no_room_is_not_there_at_all_and_comes_when_there_is(
    tmp_path: Path, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk the file has whole lines and no part of another. The game continues, and when
    there is room, all of it is written."""
    path, rng = tmp_path / "a", random.Random(5)
    recorder = begun(path)
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", failing(room))
        for _ in range(4):
            step(recorder, rng)
    kept = path.read_bytes()
    assert recorder.keeper is not None and recorder.keeper.trouble == "no space left on device"
    assert (
        kept.startswith(before)
        and kept.endswith(b"\n")
        and recorder.save.text().encode().startswith(kept)
    )
    parse_save(kept)
    step(recorder, rng)
    assert recorder.keeper.trouble == ""
    assert path.read_text("utf-8") == recorder.save.text()


def test_what_is_not_on_the_disk_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line is written again if the disk did not confirm it."""
    path = tmp_path / "a"
    recorder = begun(path)

    def broken(_: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", broken)
        step(recorder, random.Random(2))
    assert recorder.keeper is not None and recorder.keeper.trouble == "input/output error"
    step(recorder, random.Random(3))
    assert path.read_text("utf-8") == recorder.save.text()


@pytest.mark.parametrize("room", [0, 30, 400])
def test_a_game_that_cannot_be_written_at_all_is_not_begun(
    tmp_path: Path, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without room for its header and set-up there is no file."""
    recorder = new()
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", failing(room))
        with pytest.raises(rulekit.SaveError, match="no space left"):
            writer.begin(str(tmp_path / "a"), recorder.save, "en")
    assert not [p.name for p in tmp_path.iterdir() if p.name == "a"]


def test_a_file_that_is_there_is_never_begun_anew(tmp_path: Path) -> None:
    """An existing file is refused and unchanged, whatever its contents."""
    for content in (b"\n", b"my novel\n"):
        (tmp_path / "a").write_bytes(content)
        with pytest.raises(rulekit.SaveError, match="already"):
            writer.begin(str(tmp_path / "a"), new().save, "en")
        assert (tmp_path / "a").read_bytes() == content


def test_an_empty_file_holds_nothing_and_a_game_is_begun_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill before the first line leaves such a file. A game can be saved to it but not loaded
    from it. If saving fails it stays empty."""
    path = tmp_path / "a"
    path.touch()
    with pytest.raises(rulekit.SaveError, match="it is empty"):
        writer.proceed(str(path), "en")
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", failing(10))
        with pytest.raises(rulekit.SaveError, match="no space left"):
            writer.begin(str(path), new().save, "en")
    assert path.read_bytes() == b""
    recorder = begun(path)
    with pytest.raises(rulekit.SaveError, match="already"):
        writer.begin(str(path), new().save, "en")
    recorder.keep_in(None)
    assert path.read_text("utf-8") == recorder.save.text()
    other = tmp_path / "b"
    other.touch()
    writer.put(str(other), recorder.save, "en")
    assert other.read_bytes() == path.read_bytes()


def test_two_who_begin_in_one_file_do_not_take_it_from_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that created the file but finds it locked or begun by another one leaves it in
    place."""
    path, claim = tmp_path / "a", writer._claim
    first: list[writer.Keeper] = []

    def later(*args: object) -> None:
        monkeypatch.setattr(writer, "_claim", claim)
        first.append(writer.begin(str(path), new().save, "en"))
        claim(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(writer, "_claim", later)
    with pytest.raises(rulekit.SaveError):
        writer.begin(str(path), new(7).save, "en")
    assert path.read_text("utf-8") == first[0].save.text()
    first[0].close()


def test_a_whole_save_takes_the_place_only_of_what_it_holds(tmp_path: Path) -> None:
    """`put` creates a file and overwrites an earlier part of the same game. It does not overwrite
    another game, a longer one or anything else."""
    path, recorder, rng = tmp_path / "a", new(), random.Random(1)
    writer.put(str(path), recorder.save, "en")
    first = path.read_bytes()
    for _ in range(5):
        step(recorder, rng)
        writer.put(str(path), recorder.save, "en")
        assert path.read_text("utf-8") == recorder.save.text()
    longer = path.read_bytes()
    for other in (parse_save(first), new().save, new(7).save):
        with pytest.raises(rulekit.SaveError, match="not an earlier part"):
            writer.put(str(path), other, "en")
        assert path.read_bytes() == longer
    for content in (b"my novel\n", longer[:-1] + b" \n"):
        path.write_bytes(content)
        if content.startswith(b"{"):
            continue  # the same records with other spaces
        with pytest.raises(rulekit.SaveError, match="not an earlier part"):
            writer.put(str(path), recorder.save, "en")
        assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_another_course_of_the_same_game_is_not_written_over(tmp_path: Path) -> None:
    """Two games diverged after their third choice. The file of one is not overwritten by the other,
    though it is longer."""
    path, first, rng = tmp_path / "a", new(), random.Random(4)
    for _ in range(3):
        first.apply(first.state.decision.options[0])
    parted = parse_save(first.save.text())
    other = Recorder(
        rulekit.load(CARDS),
        first.state.clone(),
        dict.fromkeys(first.state.names.sides, "random"),
        parted,
    )
    first.apply(first.state.decision.options[0])
    writer.put(str(path), first.save, "en")
    before = path.read_bytes()
    other.apply(other.state.decision.options[-1])
    for _ in range(4):
        assert first.save.same_game(other.save)
        with pytest.raises(rulekit.SaveError, match="not an earlier part"):
            writer.put(str(path), other.save, "en")
        assert path.read_bytes() == before
        other.apply(rng.choice(other.state.decision.options))


def test_a_save_that_finds_no_room_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`put` on a full disk changes nothing and leaves no partial file."""
    path, recorder = tmp_path / "a", new()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    for there in (False, True):
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            with pytest.raises(rulekit.SaveError, match="no space"):
                writer.put(str(path), recorder.save, "en")
        assert path.exists() == there and len(list(tmp_path.iterdir())) == there
        writer.put(str(path), recorder.save, "en")
        step(recorder, random.Random(1))


def test_one_game_at_a_time_is_played_in_a_file_however_it_is_called(tmp_path: Path) -> None:
    """A second player is refused with the name of the first, also for a link or a second name.
    Afterwards the file is free again."""
    path = tmp_path / "a"
    recorder = begun(path)
    before = path.read_bytes()
    (tmp_path / "link").symlink_to("a")
    os.link(path, tmp_path / "second")
    for name in ("a", "link", "second"):
        with pytest.raises(rulekit.SaveError, match="is being saved in this file") as refused:
            writer.proceed(str(tmp_path / name), "en")
        assert name == "second" or f"process {os.getpid()} on " in str(refused.value)
        with pytest.raises(rulekit.SaveError, match="is being saved in this file"):
            writer.put(str(tmp_path / name), recorder.save, "en")
    assert path.read_bytes() == before
    recorder.keep_in(None)
    keeper = writer.proceed(str(tmp_path / "link"), "en")
    assert keeper.left == "" and keeper.save.records == recorder.save.records
    keeper.close()


def test_a_lock_that_was_left_is_taken_over_with_a_word(tmp_path: Path) -> None:
    """FILE.lock of a dead process blocks nobody, whatever its contents."""
    path = tmp_path / "a"
    begun(path).keep_in(None)
    note = tmp_path / "a.lock"
    for content, told in (
        (
            json.dumps({"pid": 7, "host": "h\x1b[2J", "since": "then"}),
            "process 7 on h\\x1b[2J, since then",
        ),
        ("", "another process"),
        ("[" * 100_000, "another process"),
        ('{"pid": {}}', "another process"),
    ):
        note.write_text(content)
        keeper = writer.proceed(str(path), "en")
        assert keeper.left == told
        keeper.close()
    note.unlink(missing_ok=True)
    note.mkdir()
    writer.proceed(str(path), "en").close()


def test_a_file_beside_another_gets_the_first_free_number(tmp_path: Path) -> None:
    """The names are a.save, a-2.save, a-3.save."""
    save = new().save
    for name in ("a-2.save", "a-3.save"):
        writer.beside(str(tmp_path / "a.save"), save, "en").close()
        assert read_save(tmp_path / name).header == save.header


@pytest.mark.parametrize("name", ["no/such/folder", "a\0b", "x" * 300, ".", "pipe", "loop"])
def test_what_cannot_be_a_file_is_refused_in_a_line(tmp_path: Path, name: str) -> None:
    """A folder, a pipe or an impossible name is a SaveError for every request."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    path, save = f"{tmp_path}/{name}", new().save
    for call in (
        lambda: writer.begin(path, save, "en"),
        lambda: writer.proceed(path, "en"),
        lambda: writer.put(path, save, "en"),
        lambda: read_save(path),
    ):
        with pytest.raises(rulekit.SaveError) as refused:
            call()
        assert "\n" not in str(refused.value)


def test_no_longer_file_is_written_than_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the maximum size of a save the game continues in memory, and the file stays readable."""
    monkeypatch.setattr(writer, "MAX_SAVE_BYTES", 4000)
    path = tmp_path / "a"
    recorder = begun(path, 60)
    assert recorder.keeper is not None and "not longer than" in recorder.keeper.trouble
    assert path.stat().st_size <= 4000
    assert read_save(path).records == recorder.save.records[: len(read_save(path).records)]


def test_a_save_beside_a_full_one_leaves_out_what_was_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game with more undos than a file may hold is saved elsewhere without undone choices, in a
    readable file."""
    recorder = new()
    short = len(recorder.save.text())
    for _ in range(40):
        recorder.apply(recorder.state.decision.options[0])  # type: ignore[union-attr]
        recorder.state.undo()
        recorder.undone()
    recorder.apply(recorder.state.decision.options[0])  # type: ignore[union-attr]
    monkeypatch.setattr(writer, "MAX_SAVE_BYTES", short + 1000)
    writer.put(str(tmp_path / "a"), recorder.save, "en")
    kept = read_save(tmp_path / "a")
    assert len((tmp_path / "a").read_bytes()) <= short + 1000
    assert [each.choice for each in kept.records] == [None, recorder.save.choices[0].choice]
    assert replay(rulekit.load(CARDS), kept).state == recorder.state
    monkeypatch.setattr(writer, "MAX_SAVE_BYTES", short - 1)
    with pytest.raises(rulekit.SaveError, match="b: a saved game is not longer than"):
        writer.put(str(tmp_path / "b"), recorder.save, "en")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_no_longer_line_is_written_than_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A save with an unreadably long line is refused, and no file is left."""
    recorder = new()
    recorder.apply(recorder.state.decision.options[0])  # type: ignore[union-attr]
    longest = max(len(text) for text in recorder.save.text().encode().split(b"\n"))
    monkeypatch.setattr(writer, "LONGEST_LINE", longest - 1)
    with pytest.raises(rulekit.SaveError, match="a saved game is not longer than"):
        writer.put(str(tmp_path / "a"), recorder.save, "en")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(writer, "LONGEST_LINE", longest)
    writer.put(str(tmp_path / "a"), recorder.save, "en")
    assert read_save(tmp_path / "a").records == recorder.save.records


def _other(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.write_text("another")


TAKEN: dict[str, Callable[[Path], object]] = {
    "removed": Path.unlink,
    "moved": lambda path: path.rename(path.with_name("moved")),
    "replaced": _other,
    "cut": lambda path: os.truncate(path, 100),
}


@pytest.mark.parametrize("how", TAKEN)
def test_a_file_that_was_taken_away_is_told_and_what_stands_there_stays(
    tmp_path: Path, how: str
) -> None:
    """A line counts as saved only if it is in the file of that name, after all earlier lines."""
    path = tmp_path / "a"
    recorder = begun(path)
    whole = path.read_bytes()
    TAKEN[how](path)
    left = path.read_bytes() if path.exists() else None
    for seed in (2, 3):
        step(recorder, random.Random(seed))
        assert recorder.keeper is not None and "moved, removed or cut" in recorder.keeper.trouble
        assert (path.read_bytes() if path.exists() else None) == left
    if how in ("moved", "replaced"):
        assert (tmp_path / "moved").read_bytes() == whole
        (tmp_path / "moved").replace(path)
        step(recorder, random.Random(4))
        assert recorder.keeper.trouble == "" and path.read_text("utf-8") == recorder.save.text()


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="the system has no such flag")
def test_a_link_that_is_put_there_meanwhile_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the path is resolved, a link takes its place. Nothing is written to its target."""
    other, path = tmp_path / "other", tmp_path / "a"
    other.touch()
    path.symlink_to(other)
    monkeypatch.setattr(writer.os.path, "realpath", lambda path, strict=False: str(path))
    with pytest.raises(rulekit.RulekitError):
        writer.begin(str(path), new().save, "en")
    assert other.read_bytes() == b"" and path.is_symlink()
