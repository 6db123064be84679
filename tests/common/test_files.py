"""Refusals of the reader and writer of files, and no loss of data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rulekit.common.files import FileRefused, printable, read_plain, write_whole


def test_a_file_may_be_exactly_as_long_as_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_plain(tmp_path / "a", 5, tmp_path) == b"12345"
    with pytest.raises(FileRefused, match="larger than 4 bytes"):
        read_plain(tmp_path / "a", 4)


def test_the_size_that_a_file_tells_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may grow while it is read."""
    (tmp_path / "a").write_bytes(b"x")
    monkeypatch.setattr(os, "read", lambda handle, most: b"x" * most)
    with pytest.raises(FileRefused, match="larger than 100 bytes"):
        read_plain(tmp_path / "a", 100)


@pytest.mark.docs("data-files#data-files")
def test_a_link_inside_of_the_folder_is_followed_and_none_out_of_it(tmp_path: Path) -> None:
    inside = tmp_path / "game"
    inside.mkdir()
    (inside / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    (inside / "to_a").symlink_to("a")
    (inside / "to_b").symlink_to("../b")
    assert read_plain(inside / "to_a", 9, inside) == b"a"
    assert read_plain(inside / "to_b", 9) == b"b"
    with pytest.raises(FileRefused) as caught:
        read_plain(inside / "to_b", 9, inside)
    assert caught.value.why == "outside"


def test_a_file_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: Any) -> int:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a").write_bytes(b"a")
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(FileRefused, match="permission denied") as caught:
        read_plain(tmp_path / "a", 9, tmp_path)
    assert caught.value.why == "unreadable"


def test_a_name_that_cannot_be_is_refused(tmp_path: Path) -> None:
    for name in ("a\0b", "x" * 300):
        with pytest.raises(FileRefused):
            read_plain(tmp_path / name, 9)


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk is full, the old file is unchanged and no other file is left."""
    path = tmp_path / "a"
    write_whole(path, b"old")
    path.chmod(0o604)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            write_whole(path, b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["a"] and path.read_bytes() == b"old"
    write_whole(path, b"new")
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o777 == 0o604


def test_nothing_is_written_through_a_link_or_into_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "link").symlink_to("a")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(FileRefused):
            write_whole(tmp_path / name, b"new")
    assert (tmp_path / "a").read_bytes() == b"a"


def test_a_name_is_shown_without_what_steers_a_terminal() -> None:
    assert printable("\x1b[31m\n") == "\\x1b[31m\\x0a" and printable("Ålesund 1") == "Ålesund 1"


def test_a_file_that_is_another_once_it_is_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the check and the opening, a folder took the place of the file."""
    (tmp_path / "plain").write_bytes(b"a")
    (tmp_path / "a").mkdir()
    before = os.lstat(tmp_path / "plain")
    monkeypatch.setattr("rulekit.common.files.os.lstat", lambda _: before)
    with pytest.raises(FileRefused) as caught:
        read_plain(tmp_path / "a", 9)
    assert caught.value.why == "folder"


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0, 0o666)])
def test_a_new_file_has_the_mode_that_any_new_file_gets(
    tmp_path: Path, mask: int, mode: int
) -> None:
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "a", b"x")
        assert (tmp_path / "a").stat().st_mode & 0o7777 == mode
        assert os.umask(mask) == mask  # the umask itself is unchanged
    finally:
        os.umask(before)
