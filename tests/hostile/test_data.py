"""Folders that try to break the reader, or to make it read forbidden files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.hostile.hostile_case import HEAD, MAIN, MANIFEST, Case, Command

Files = dict[str, str | bytes]
MEMBERS = "kind: Piece\nsource: {text: '1'}\nmembers:\n"
TABLE = 'table t(i: 1..2) -> int from "{}"\n'

FOLDERS: dict[str, tuple[str, Files, str]] = {  # rules, files, the code of a diagnostic
    "a table above the folder": (TABLE.format("../../etc/passwd"), {}, "RK650"),
    "a table with a whole path": (TABLE.format("/etc/passwd"), {}, "RK650"),
    "a library above the folder": ("", {"game.yaml": MANIFEST + "uses: ['../../etc']\n"}, "RK142"),
    "a game that uses itself": ("", {"game.yaml": MANIFEST + "uses: [hostile]\n"}, "RK142"),
    "data with a control character": ("", {"things.yaml": b"kind: Piece\0\n"}, "RK104"),
    "a text that turns the direction": ("", {"texts/en.yaml": "title: 'a\u202eb'\n"}, "RK104"),
    "a text that turns it behind a code": ("", {"texts/en.yaml": 'title: "a\\u2067b"\n'}, "RK104"),
    "a rule that turns the direction": ('permit p\n  bar b when 1 = 1 "no\u202ax"\n', {}, "RK104"),
    "a YAML bomb": (
        "",
        {
            "things.yaml": (
                "a: &a [x, x, x]\n"
                + "".join(
                    f"{b}: &{b} [*{a}, *{a}, *{a}]\n"
                    for a, b in zip("abcdefgh", "bcdefghi", strict=True)
                )
            )
        },
        "RK112",
    ),
    "lists in lists": ("", {"things.yaml": "[" * 100_000}, "RK106"),
    "mappings in mappings": ("", {"data.yaml": "fixed: " + "{a: " * 50_000}, "RK106"),
    "a number of a million digits": (
        "",
        {"data.yaml": "fixed: {a: " + "9" * 1_000_000 + "}"},
        "RK114",
    ),
    "a text of a million letters": (
        "",
        {"texts/en.yaml": "title: '" + "x" * 1_000_000 + "'\n"},
        "RK106",
    ),
    "a key of a million letters": (
        "",
        {"texts/en.yaml": "? '" + "x" * 1_000_000 + "'\n: a\n"},
        "RK106",
    ),
    "a text with a hundred thousand cases": (
        "",
        {"texts/en.yaml": "title: '{n|" + "|".join(f"{i}: x" for i in range(100_000)) + "}'\n"},
        "RK106",
    ),
    "a library with a name of 5,000 letters": (
        "",
        {"game.yaml": MANIFEST + f"uses: [{'x' * 5000}]\n"},
        "RK142",
    ),
    "ten thousand libraries": (
        "",
        {"game.yaml": MANIFEST + f"uses: [{', '.join(f'l{i}' for i in range(10_000))}]\n"},
        "RK124",
    ),
    "a tag of Python": ("", {"things.yaml": "!!python/object/apply:os.system ['true']\n"}, "RK112"),
    "many unknown attributes": (
        "kind Piece\n",
        {"things.yaml": MEMBERS + "".join(f"  a{i}: {{x: 1}}\n" for i in range(4000))},
        "RK218",
    ),
    "many unknown members": (
        "kind Piece\n  fixed k: Piece\n",
        {"things.yaml": MEMBERS + "".join(f"  aaaa{i}: {{k: bbbb{i}}}\n" for i in range(3000))},
        "RK218",
    ),
    "a key of many parts": (
        "kind Piece = a\nfixed b(x: Piece, y: Piece, z: Piece): int\n",
        {"data.yaml": "fixed:\n  b." + "q." * 40 + "x: {value: 1, source: {text: '1'}}\n"},
        "RK633",
    ),
    "a list of many": (
        "kind Piece\nfixed a: set Piece\n",
        {"data.yaml": "fixed:\n  a: {value: [" + "Q," * 20_000 + "], source: {text: '1'}}\n"},
        "RK633",
    ),
    "a wide table": (
        'table t(i: 1..9) -> int from "tables/t.csv"\n',
        {"tables/t.csv": ",".join(f"c{i}" for i in range(40_000)) + "\n"},
        "RK132",
    ),
    "a table of commas": (
        'table t(i: 1..9) -> int from "tables/t.csv"\n',
        {"tables/t.csv": "," * 1_900_000},
        "RK106",
    ),
    "a table of columns without names": (
        'table t(i: 1..9) -> int from "tables/t.csv"\n',
        {"tables/t.csv": "," * 99_000},
        "RK132",
    ),
    "a table of many quotes": (
        'table t(i: 1..9) -> int from "tables/t.csv"\n',
        {"tables/t.csv": "i,v\n" + '"1,2\n' * 90_000},
        "RK131",
    ),
    "a table of many long rows": (
        'table t(i: 1..9) -> int from "tables/t.csv"\n',
        {"tables/t.csv": "i,v\n" + "1,2,3\n" * 30_000},
        "RK130",
    ),
    "a long table with a gap": (
        'table t(i: 1..90000) -> int from "tables/t.csv"\n',
        {"tables/t.csv": "i,v\n" + "".join(f"{i},1\n" for i in range(1, 15_000))},
        "RK654",
    ),
    "texts of nothing": (
        "",
        {"texts/en.yaml": "".join(f"member.Side.x{i}: a\n" for i in range(8000))},
        "RK218",
    ),
}


@pytest.mark.parametrize(("rules", "files", "code"), FOLDERS.values(), ids=FOLDERS)
def test_hostile_data_get_a_diagnostic(case: Case, rules: str, files: Files, code: str) -> None:
    told = case(rules, files)
    assert code in told["codes"], told["text"][:2000]
    assert len(told["codes"]) <= 250
    assert "root:" not in told["text"]


def test_a_seed_of_a_situation_is_a_seed(case: Case, command: Command, tmp_path: Path) -> None:
    """An impossible seed is refused, and not replaced by another one."""
    case("", {"situations/a.yaml": "- name: a\n  seed: -1\n  then: [{decision: none}]\n"})
    code, text = command("check", tmp_path)
    assert code == 1 and "RK124" in text


def test_libraries_in_a_circle(case: Case, tmp_path: Path) -> None:
    for name, other in (("one", "two"), ("two", "one")):
        (tmp_path.parent / name).mkdir(exist_ok=True)
        (tmp_path.parent / name / "game.yaml").write_text(
            f"rulekit: library\nname: {name}\ntitle: {name}\nversion: '1'\nlanguage: 1\nuses:"
            f" [{other}]\n"
        )
    assert case("", {"game.yaml": MANIFEST + "uses: [one]\n"})["codes"] == ["RK143"]


@pytest.mark.parametrize(
    "name",
    ["tables/t.csv", "z.rules", "things.yaml", "game.yaml", "texts/en.yaml", "coverage.yaml"],
)
def test_a_link_out_of_the_folder_is_not_followed(case: Case, tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).symlink_to("/etc/passwd")
    told = case("")
    assert told["codes"] == ["RK107"], told["text"]
    assert "root:" not in told["text"]


@pytest.mark.parametrize("name", ["rules", "scenarios"])
def test_a_folder_elsewhere_is_not_read(case: Case, tmp_path: Path, name: str) -> None:
    other = tmp_path.parent / f"elsewhere {name}"
    other.mkdir(exist_ok=True)
    for suffix in ("rules", "yaml"):
        (other / f"a.{suffix}").write_text("secret: here\n")
    (tmp_path / name).symlink_to(other)
    told = case("")
    assert set(told["codes"]) == {"RK107"}
    assert "secret" not in told["text"]


def test_a_device_is_not_read(case: Case, tmp_path: Path) -> None:
    (tmp_path / "a.rules").symlink_to("/dev/zero")
    assert case("")["codes"] == ["RK107"]


@pytest.mark.parametrize("play", [False, True])
def test_a_pipe_is_not_waited_for(case: Case, tmp_path: Path, play: bool) -> None:
    os.mkfifo(tmp_path / "a.rules")
    assert case("", play=play)["codes"] == ["RK107"]


def test_a_link_to_itself(case: Case, tmp_path: Path) -> None:
    (tmp_path / "a.rules").symlink_to(tmp_path / "a.rules")
    assert case("")["codes"] in (["RK107"], ["RK102"], ["RK101"])


def test_many_files(case: Case) -> None:
    assert case("", {f"rules/r{i}.rules": f"fixed a{i}: int = 1\n" for i in range(800)})["model"]


MAP = HEAD + "kind Zone\n" + MAIN
PLACES = "places:\n  kind: Zone\n  source: {text: '1'}\n  members:\n"


@pytest.mark.parametrize(
    "shapes",
    [
        [[(i * i % 977, i) for i in range(9000)]],
        [[(i, 0), (9000, i), (9000, i + 1)] for i in range(2000)],
        [[(100 * i, 0), (100 * i + 99, 0), (100 * i + 99, 9), (100 * i, 9)] for i in range(2000)],
    ],
    ids=["of many corners", "upon each other", "in a long row"],
)
def test_many_shapes(case: Case, shapes: list[list[tuple[int, int]]]) -> None:
    """Shapes are compared only with shapes nearby, so a long row is allowed."""
    members = "".join(
        f"    z{i}: {{at: [{shape[0][0] + 1}, 1], shape: {[list(p) for p in shape]}}}\n"
        for i, shape in enumerate(shapes)
    )
    told = case(MAP, {"map.yaml": PLACES + members}, whole=True)
    row = len(shapes[0]) == 4
    assert bool({"RK407", "RK218"} & set(told["codes"])) is not row, told["codes"]


def test_a_large_map(case: Case) -> None:
    """The map has two thousand places in a row."""
    places = "".join(f"    z{i}: {{at: [{i}, {i * i % 977}]}}\n" for i in range(2000))
    borders = "".join(f"    - {{between: [z{i}, z{i + 1}]}}\n" for i in range(1999))
    section = "  kind: {}\n  source: {{text: '1'}}\n  members:\n"
    text = (
        "places:\n"
        + section.format("Zone")
        + places
        + "borders:\n"
        + section.format("Border")
        + borders
    )
    rules = (
        HEAD
        + "kind Zone\nkind Border joins Zone\ndefine far(z: Zone) = z.within(2, Border)\n"
        + MAIN
    )
    assert case(rules, {"map.yaml": text}, whole=True)["model"]


@pytest.mark.parametrize(
    "words",
    [
        "".join(
            f"- name: S{i}\n  scenario: nowhere{i}\n  do: [go]\n  then: [asked: nobody{i}]\n"
            for i in range(5000)
        ),
        "- name: S\n  then:\n" + "".join(f"    - total t{i}: 3\n" for i in range(5000)),
        "- name: S\n  then: [asked: red]\n" * 5000,
        "".join(f"- name: S{i}\n  do: [go]\n" for i in range(5000)),
    ],
    ids=["names", "lines", "one name", "nothing checked"],
)
def test_many_faults_in_a_file_of_situations(
    case: Case, command: Command, tmp_path: Path, words: str
) -> None:
    """A file full of errors is not checked to its end, and the findings say so."""
    case("", {"situations/a.yaml": words})
    exit_code, told = command("check", tmp_path)
    assert exit_code == 1 and "RK218" in told and told.count("error[") <= 102
