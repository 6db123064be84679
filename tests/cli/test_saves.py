"""Saves on the command line: no choice is lost, and a resumed game has the same seats and rules."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit.cli.main import main
from rulekit.engine.saves.save_format import read_save

ROOT = Path(__file__).resolve().parents[2]
SMALL = str(ROOT / "examples" / "tic_tac_toe")
SKIRMISH = str(ROOT / "examples" / "skirmish")
CHOICES = str(ROOT / "tests" / "fixtures" / "choices")
Play = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs `rulekit play PATH --quiet WORDS` with input lines."""

    def call(script: str, *words: str, command: str = "play") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(script))
        code = main([command, *words, *(["--quiet"] if command == "play" else [])])
        out = capsys.readouterr()
        assert "Traceback" not in out.err
        return code, out.out, out.err

    return call


def made(path: Path) -> list[str]:
    return [record.choice or "" for record in read_save(path).choices]


# -------------------------------------------------------------------- files
@pytest.mark.docs("python#saves")
def test_a_game_goes_on_in_its_own_file(play: Play, tmp_path: Path) -> None:
    """`--load X --save X` appends to X, and all existing bytes stay."""
    file = tmp_path / "a"
    play("a1\nb1\n", SMALL, "--save", str(file), "--seed", "1")
    before = file.read_bytes()
    code, _, err = play(
        "a2\nundo\na3\nquit\n",
        SMALL,
        "--free-undo",
        "--load",
        str(file),
        "--save",
        f"{tmp_path}/./a",
    )
    assert (code, err) == (0, "")
    assert file.read_bytes().startswith(before)
    assert made(file) == ["mark a1", "mark b1", "mark a3"]
    assert play("", str(file), "--game", SMALL, "--verify", command="replay")[0] == 0
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("words", [("--save", ""), ("--load", ""), ("--load", "", "--save", "")])
def test_a_file_without_a_name_is_wrong_usage(play: Play, words: tuple[str, ...]) -> None:
    """With `--save "$UNSET"`, no game is played without being saved."""
    code, out, err = play("a1\n", SMALL, *words)
    assert (code, out) == (2, "") and "the name of a file is empty" in err


def test_a_file_taken_away_in_play_is_told_with_exit_code_1(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the folder of a running game is removed, the next choice reports it, and the player can
    save elsewhere."""
    folder = tmp_path / "stick"
    folder.mkdir()

    class Lines(io.StringIO):
        def readline(self, size: int = -1) -> str:  # type: ignore[override]
            said = super().readline(size)
            if said == "b1\n":
                folder.rename(tmp_path / "away")
            return said

    monkeypatch.setattr(sys, "stdin", Lines(f"a1\nb1\na2\nsave {tmp_path}/b\nquit\n"))
    code = main(["play", SMALL, "--save", str(folder / "a"), "--quiet"])
    assert code == 1 and made(tmp_path / "b") == ["mark a1", "mark b1", "mark a2"]
    assert made(tmp_path / "away" / "a") == ["mark a1"]


@pytest.mark.docs("python#saves")
@pytest.mark.parametrize("words", [(), ("--load", "other")])
def test_a_file_that_is_there_is_not_written_over(
    play: Play, tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--save X` is refused if X is another file, before anything is played. The message explains
    how to continue X."""
    monkeypatch.chdir(tmp_path)
    for name in ("other", "there"):
        play("a1\n", SMALL, "--save", name, "--seed", "1")
    before = Path("there").read_bytes()
    code, out, err = play("b1\n", SMALL, "--save", "there", *words)
    assert (code, out) == (1, "") and "`--load there --save there`" in err
    assert Path("there").read_bytes() == before


def test_a_game_that_is_loaded_leaves_the_file_of_the_one_before(
    play: Play, tmp_path: Path
) -> None:
    """After `load` at the prompt the old game stays in its file, and the loaded one is saved to a
    new file next to it."""
    kept, new = tmp_path / "kept", tmp_path / "new.save"
    play("a1\nb2\n", SMALL, "--save", str(kept), "--seed", "1")
    before = kept.read_bytes()
    code, out, _ = play(f"c1\nload {kept}\nc3\nload {kept}\na3\nquit\n", SMALL, "--save", str(new))
    assert code == 0 and f"loaded {kept}, 2 choices" in out and "new-2.save" in out
    assert made(new) == ["mark c1"]
    assert made(tmp_path / "new-2.save") == ["mark a1", "mark b2", "mark c3"]
    assert made(tmp_path / "new-3.save") == ["mark a1", "mark b2", "mark a3"]
    assert kept.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 4


def test_the_save_command_loses_nothing(play: Play, tmp_path: Path) -> None:
    """`save` overwrites its own earlier output in this game. The file of another game, the file of
    this game and a loaded one are unchanged."""
    one, two, own = (str(tmp_path / name) for name in ("one", "two", "own"))
    play("a1\n", SMALL, "--save", one)
    code, out, _ = play(
        f"save {one}\nsave {two}\nb1\nsave {two}\nsave {own}\nload {own}\nc1\nquit\n",
        SMALL,
        "--save",
        own,
    )
    assert (
        code == 0
        and "not an earlier part of this game" in out
        and f"every choice is written to {own}" not in out
    )
    assert made(Path(one)) == ["mark a1"]
    assert made(Path(two)) == ["mark b1"]
    assert made(Path(own)) == ["mark b1", "mark c1"]


def process(*words: str, limit: str = "") -> subprocess.Popen[str]:
    program = (
        "import sys, resource\nfrom rulekit.cli.main import"
        f" main\n{limit}\nsys.exit(main(sys.argv[1:]))"
    )
    # -B: a limit of sizes would also cut the bytecode of modules that are imported first here.
    return subprocess.Popen(
        [sys.executable, "-B", "-c", program, "play", *words, "--quiet"],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def prompts(game: subprocess.Popen[str], count: int) -> None:
    """Read until `count` prompts have been printed, so that the game waits for the next line."""
    assert game.stdout is not None
    seen = ""
    while seen.count("> ") < count:
        letter = game.stdout.read(1)
        assert letter, seen
        seen += letter


@pytest.mark.docs("python#saves")
def test_a_process_that_is_killed_has_lost_nothing_that_was_chosen(
    play: Play, tmp_path: Path
) -> None:
    """If it is killed at any prompt, the file has all earlier choices, and the game can continue.
    While it lives, no other process writes there."""
    file = str(tmp_path / "a")
    lines = ["a1", "b1", "a2", "b2"]
    for count in (1, 3, 4):
        before = made(Path(file)) if count > 1 else []
        words = ("--load", file, "--save", file) if before else ("--save", file)
        with process(SMALL, *words) as game:
            assert game.stdin is not None
            game.stdin.write("".join(f"{line}\n" for line in lines[len(before) : count]))
            game.stdin.flush()
            prompts(game, count - len(before) + 1)
            assert made(Path(file)) == [f"mark {line}" for line in lines[:count]]
            held = Path(file).read_bytes()
            for attempt in (("--load", file, "--save", file), ("--save", file)):
                code, _, err = play("c3\n", SMALL, *attempt)
                assert code == 1 and (
                    "already exists" in err or f"by process {game.pid} on " in err
                )
            code, out, _ = play(f"c3\nsave {file}\n", SMALL, "--load", file)
            assert code == 0 and f"by process {game.pid} on " in out
            assert Path(file).read_bytes() == held
            game.send_signal(signal.SIGKILL)
        assert Path(file).read_bytes() == held
    code, out, _ = play("a3\n", SMALL, "--load", file, "--save", file)
    assert code == 0 and f"process {game.pid} on " in out and "result: x: win" in out
    assert made(Path(file)) == [f"mark {line}" for line in [*lines, "a3"]]


@pytest.mark.parametrize("room", [300, 450, 600, 700])
def test_on_a_full_disk_the_game_goes_on_and_the_file_stays_whole(
    tmp_path: Path, room: int
) -> None:
    """When a file reaches its maximum size, one line reports that it is incomplete. The game
    continues, and all lines of the file are whole."""
    file = tmp_path / "a"
    script = "a1\nb1\na2\nb2\na3\n"
    with process(
        SMALL,
        "--save",
        str(file),
        limit=f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))",
    ) as game:
        out, err = game.communicate(script)
    assert game.returncode == 1
    if room == 300:
        assert out == "" and err == f"rulekit: {file}: file too large\n" and not file.exists()
        return
    assert (
        err == ""
        and "result: x: win" in out
        and out.count("file too large") == 1
        and "`save` the game in another file" in out
    )
    assert file.stat().st_size <= room and file.read_bytes().endswith(b"\n")
    assert made(file) == ["mark a1", "mark b1", "mark a2", "mark b2", "mark a3"][: len(made(file))]


# -------------------------------------------------------------------- who plays
@pytest.mark.docs("python#saves")
def test_the_seats_are_those_of_the_save(play: Play, tmp_path: Path) -> None:
    """Automatic seats stay so after `--load` and `load`. A change of seat is reported, and
    requested seats apply."""
    file = str(tmp_path / "a")
    play("a1\n", SMALL, "--seat", "o=random", "--save", file, "--seed", "1")
    out = play("quit\n", SMALL, "--load", file)[1]
    assert "x: human, o: random" in out and "in the save" not in out
    out = play(f"load {file}\n2\nquit\n", SMALL)[1]
    assert "x: human, o: random" in out.split("loaded")[1]
    assert "o>" not in out.split("loaded")[1] and out.split("loaded")[1].count("s o") == 1
    out = play("quit\n", SMALL, "--load", file, "--seat", "o=human")[1]
    assert "x: human, o: human" in out and "o: human now, random in the save" in out
    code, out, _ = play("", SMALL, "--load", file, "--seat", "random")
    assert code == 0 and "x: random now, human in the save" in out and "result:" in out


@pytest.mark.parametrize("seats", [{"x": "human", "o": "clever"}, {"x": "human", "z": "random"}])
def test_a_seat_that_there_is_not_is_refused(
    play: Play, tmp_path: Path, seats: dict[str, str]
) -> None:
    """A seat or a side in a save that the program does not have is an error, not a person."""
    file = changed(play, tmp_path, SMALL, seats=seats)
    code, _, err = play("quit\n", SMALL, "--load", str(file))
    assert code == 1 and err.startswith(f"rulekit: {file}:1: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("--scenario", "standard"), ("--seed", "0"), ("--ruling", "a=b"), ("--edition", "x")]
)
def test_what_a_save_decides_cannot_be_asked_for(
    play: Play, tmp_path: Path, words: tuple[str, str]
) -> None:
    """Scenario, seed and rulings are those of the save. Options for others are wrong usage."""
    file = tmp_path / "a"
    play("a1\n", SMALL, "--save", str(file))
    code, _, err = play("b1\n", SMALL, "--load", str(file), *words)
    assert code == 2 and f"leave out {words[0]}" in err


# -------------------------------------------------------------------- rules
def changed(
    play: Play, tmp_path: Path, game: str, script: str = "1\n1\n", **header: object
) -> Path:
    """Return a save with a changed header. None removes an entry."""
    file = tmp_path / "changed"
    play(script, game, "--save", str(file), "--seed", "1")
    head, _, rest = file.read_text("utf-8").partition("\n")
    new = {key: value for key, value in (json.loads(head) | header).items() if value is not None}
    file.write_text(json.dumps(new) + "\n" + rest, "utf-8")
    return file


RULINGS = {
    "steep_paths": "open",
    "lone_walkers": "free",
    "heights_count": "never",
    "tie_goes_to": "nobody",
}


@pytest.mark.parametrize(
    ("rulings", "told"),
    [
        ({"steep_path": "open"}, "did you mean 'steep_paths'?"),
        ({"steep_paths": "oppen"}, "did you mean 'open'?"),
        ({"x\x1b": "open"}, '"rulings"'),
    ],
)
def test_a_ruling_that_there_is_not_is_refused(
    play: Play, tmp_path: Path, rulings: dict[str, str], told: str
) -> None:
    """A misspelt ruling in a save is an error with a guess, for play, replay and explain."""
    file = str(changed(play, tmp_path, CHOICES, rulings=RULINGS | rulings))
    for command, words in (
        ("play", (CHOICES, "--load", file)),
        ("replay", (file, "--game", CHOICES)),
        ("replay", (file, "--game", CHOICES, "--verify")),
        ("explain", (file, "--game", CHOICES, "--event", "1")),
    ):
        code, _, err = play("quit\n", *words, command=command)
        assert code == 1 and told in err and err.count("\n") == 1


def test_a_ruling_that_is_left_out_is_found(play: Play, tmp_path: Path) -> None:
    """The rulings of a save are compared too. If the rules are the same, a missing one must have
    been removed."""
    file = str(
        changed(
            play,
            tmp_path,
            CHOICES,
            rulings={k: v for k, v in RULINGS.items() if k != "tie_goes_to"},
        )
    )
    code, out, _ = play("", file, "--game", CHOICES, "--verify", command="replay")
    assert (
        code == 1
        and "ruling tie_goes_to: none in the save, nobody now" in out
        and "not as recorded" in out
    )
    told = json.loads(play("", file, "--game", CHOICES, "--verify", "--json", command="replay")[1])
    assert (told["ok"], len(told["differences"])) == (False, 1)
    code, _, err = play("quit\n", CHOICES, "--load", file)
    assert code == 1 and "the save was changed" in err and "tie_goes_to" in err


def test_other_rules_that_do_the_same_are_said(play: Play, tmp_path: Path) -> None:
    """A save of other rules continues if all its events are the same, with a line for each
    difference. It does not continue in its own file."""
    file = str(changed(play, tmp_path, SMALL, rules="0123", game_version="0.9"))
    code, out, _ = play("quit\n", SMALL, "--load", file)
    assert code == 0 and "made with other rules" in out
    assert (
        "version of the game: 0.9 in the save, 1.0 now" in out
        and "digest of the rules: 0123 in the save" in out
    )
    code, out, _ = play("", file, "--game", SMALL, "--verify", command="replay")
    assert code == 0 and "digest of the rules" in out
    before = Path(file).read_bytes()
    code, _, err = play("quit\n", SMALL, "--load", file, "--save", file)
    assert code == 1 and "another file" in err and Path(file).read_bytes() == before
    new = tmp_path / "new"
    assert play("quit\n", SMALL, "--load", file, "--save", str(new))[0] == 0
    assert play("quit\n", SMALL, "--load", str(new), "--save", str(new))[0] == 0
    assert read_save(new).commitment == read_save(file).commitment


def test_other_rules_that_do_otherwise_are_refused(play: Play, tmp_path: Path) -> None:
    """If the current rules differ in an event, the save is refused with the difference, and nothing
    is played."""
    file = changed(play, tmp_path, SMALL, rules="0123")
    text = file.read_text("utf-8")
    file.write_text(text.replace('"marked"', '"scratched"'), "utf-8")
    code, out, err = play("quit\n", SMALL, "--load", str(file))
    assert (
        (code, out) == (1, "")
        and "does not fit the rules" in err
        and "digest of the rules: 0123" in err
    )


# -------------------------------------------------------------------- the seed
def test_the_seed_is_committed_to_and_shown_after_the_game(play: Play, tmp_path: Path) -> None:
    """A person sees the commitment first, and at the end the seed and the salt that prove it. This
    holds for a loaded game too."""
    from hashlib import sha256

    file = str(tmp_path / "a")
    out = play("a1\nb1\n", SMALL, "--save", file)[1]
    told = out.split("commitment to the seed: ")[1].split()[0]
    assert len(told) == 64 and "0x" not in out and "salt" not in out
    out = play("a2\nb2\na3\n", SMALL, "--load", file)[1]
    assert f"commitment to the seed: {told}" in out
    text = out.split("is the SHA-256 of '")[1].split("'")[0]
    assert sha256(text.encode()).hexdigest() == told
    assert (
        text.split()[0] == "rulekit" and len(text.split()[1]) == 32 and len(text.split()[2]) == 34
    )
    assert (
        play("a1\n", SMALL, "--seed", "1")[1].split("commitment")[1]
        != play("a1\n", SMALL, "--seed", "1")[1].split("commitment")[1]
    )


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("0x10", "seed 16"),
        ("0xABCDEF0123456789AB", "seed 0x00000000000000abcdef0123456789ab"),
        ("18446744073709551616", "seed 0x00000000000000010000000000000000"),
        ("-3", "seed -3"),
    ],
)
def test_a_seed_is_typed_in_either_way(play: Play, typed: str, told: str) -> None:
    """It is decimal, or hexadecimal after 0x. A small one is shown in decimal."""
    assert told in play("", SMALL, "--seat", "random", f"--seed={typed}")[1]


@pytest.mark.parametrize(
    "typed", ["²", "1" * 5000, "0x" + "f" * 33, str(2**128), "1_0", "", "0xg", "1.5"]
)
def test_what_is_no_seed_is_wrong_usage(play: Play, typed: str) -> None:
    """A number beyond 128 bits or another text has exit code 2 and a message that does not repeat
    all of it."""
    code, _, err = play("", SMALL, "--seat", "random", "--seed", typed)
    assert code == 2 and len(err) < 3000


def test_a_save_of_format_1_goes_on(play: Play, tmp_path: Path) -> None:
    """Saves with a numeric seed and an unsalted hash are read, verified, continued in their file,
    and retain their format."""
    file = tmp_path / "old"
    rules = json.loads(changed(play, tmp_path, SMALL).read_text("utf-8").partition("\n")[0])[
        "rules"
    ]
    head = {
        "format": "rulekit-save",
        "format_version": 1,
        "game": "tic_tac_toe",
        "game_version": "1.0",
        "rules": rules,
        "scenario": "standard",
        "rulings": {},
        "seats": {"x": "human", "o": "random"},
        "seed": 7,
        "seed_hash": "e153d1592f2fbea7b0f6585396d3bed96d3382e911356901de7dc8a03e3cc741",
    }
    file.write_text(
        json.dumps(head) + "\n" + '{"n":0,"events":[["phase_begun",{"phase":"main"}]]}\n'
    )
    before = file.read_bytes()
    code, out, err = play("a1\nquit\n", SMALL, "--load", str(file), "--save", str(file))
    assert (code, err) == (0, "") and "commitment to the seed: e153d15" in out
    assert file.read_bytes().startswith(before) and len(made(file)) == 2
    assert play("", str(file), "--game", SMALL, "--verify", command="replay")[0] == 0


def test_a_save_is_readable_while_it_is_played(play: Play, tmp_path: Path) -> None:
    """`replay` or `--load` alone can show a running game without a lock."""
    file = str(tmp_path / "a")
    with process(SMALL, "--save", file) as game:
        prompts(game, 1)
        assert play("", file, "--game", SMALL, command="replay")[0] == 0
        assert play("a1\n", SMALL, "--load", file)[0] == 0
        game.communicate("quit\n")
    assert not os.path.exists(f"{file}.lock")
