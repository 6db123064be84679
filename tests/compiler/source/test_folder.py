"""Game folders: libraries and the game in layers, overlays, provenance, names, and the hash for the
cache."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source import locate
from rulekit.compiler.source.fingerprint import digest, layers
from rulekit.compiler.source.folder import (
    content_hash,
    count_sources,
    find_game,
    quick_hash,
    read_game,
)
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.source.locate import find_library


def manifest(name: str, kind: str = "game", rest: str = "") -> str:
    return f'rulekit: {kind}\nname: {name}\ntitle: {name}\nversion: "1.0"\nlanguage: 1\n{rest}'


FILES = {
    "base/game.yaml": manifest("base", "library"),
    "base/rules/one.rules": "library base 1\n",
    "ancients/game.yaml": manifest("ancients", "library", "uses: [base]\n"),
    "ancients/rules/two.rules": "library ancients 1\n",
    "ancients/tables/crt.csv": "die,even\n1,hit\n",
    "ancients/tables/odd.csv": "die,even\n1,hit\n",
    "ancients/texts/en.yaml": "option.march: March\noption.stay: Stay\n",
    "ancients/rulings.yaml": (
        "- {id: r1, question: q, default: yes, reason: r}\n- {id: r2, question: q, default: yes,"
        " reason: r}\n"
    ),
    "mine/game.yaml": manifest("mine", rest="uses:\n  - base   # first\n  - ancients\n"),
    "mine/rules/b.rules": "# b\n",
    "mine/rules/a.rules": "game mine 1\n",
    "mine/tables/crt.csv": "die,even\n1,miss\n",
    "mine/texts/en.yaml": "option.march: Go\n",
    "mine/rulings.yaml": "- {id: r1, question: q, ref: 4.2, default: no, reason: r}\n",
    "mine/map.yaml": (
        "places:\n  kind: Zone\n  source: {text: '1'}\n  members: {A: {at: [0, 0], ground: sea,"
        " label: Bay}, B: {ground: clear}}\nborders: {kind: Border, source: '1', members:"
        " [{between: [A, B], coast: true, via: [[1, 1]]}]}\n"
    ),
    "mine/pieces.yaml": (
        "kind: Piece\nplace: zone\nsource: {assumed: x}\nsources: {front: {text: '2'}}\neach:"
        " {owner: red, front: 3}\nmembers:\n  red.H1: {back: 1}\n  red.H2: {front: 5, back: 2,"
        " sources: {back: {derived: half}}}\n"
    ),
    "mine/data.yaml": (
        "fixed: {area: {red: [A]}, last_turn: 4}\nsource: '3'\nsources: {last_turn: {assumed: long"
        " enough}}\n"
    ),
    "mine/scenarios/dawn.yaml": (
        "ref: 7.1\nset: {turn: 1, points: {red: 2}}\ndeploy: {A: [H1, {red.H2: {weak: true}}]}\n"
    ),
    "mine/overlays/mine.yaml": (
        "source: {text: my counters}\nmembers: {red.H1: {back: 2, label: First}}\nfixed:"
        " {last_turn: 5}\n"
    ),
    "mine/coverage.yaml": "ids: {X-1: {ref: 1}, X-2: {reason: no behaviour}}\n",
    "mine/situations/s.yaml": "- name: nothing\n",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(path: str, *overlays: str) -> GameSource:
    sink = Sink()
    source = read_game(Path(path), sink, [Path(p) for p in overlays])
    assert source is not None and not sink.found, sink.found
    return source


@pytest.mark.docs("language#the-rules-language-version-1")
def test_libraries_come_first_and_the_game_last(here: Path) -> None:
    source = read("mine")
    assert [(r.path, r.layer, r.library) for r in source.rules] == [
        ("base/rules/one.rules", 0, "base"),
        ("ancients/rules/two.rules", 1, "ancients"),
        ("mine/rules/a.rules", 2, "mine"),
        ("mine/rules/b.rules", 2, "mine"),
    ]
    assert [p.name for p in layers(here / "mine")] == ["base", "ancients", "mine"]


def test_the_game_takes_the_place_of_what_a_library_says(here: Path) -> None:
    source = read("mine/game.yaml")
    assert source.tables["tables/crt.csv"].rows[0][1].value == "miss"
    assert source.tables["tables/odd.csv"].rows[0][1].value == "hit"
    assert {k: v.value for k, v in source.texts["en"].items()} == {
        "option.march": "Go",
        "option.stay": "Stay",
    }
    assert [(r.id, r.default, r.ref) for r in source.rulings] == [
        ("r1", "no", ("4.2",)),
        ("r2", "yes", ()),
    ]


@pytest.mark.docs("data-files#data-files", "data-files#situations")
def test_members_scenarios_and_geometry(here: Path) -> None:
    source = read("mine")
    zones, borders, pieces = source.kinds
    assert [(m.id, m.label) for m in zones.members] == [("A", "Bay"), ("B", None)]
    assert [m.id for m in borders.members] == ["A-B"]
    assert source.geometry == {"A": {"at": [0, 0]}, "A-B": {"via": [[1, 1]]}}
    assert {k: v.value for k, v in pieces.members[0].values.items()} == {
        "owner": "red",
        "front": 3,
        "back": 1,
    }
    scenario = source.scenarios[0]
    assert (scenario.name, scenario.ref, {k: v.value for k, v in scenario.set.items()}) == (
        "dawn",
        ("7.1",),
        {"turn": 1, "points.red": 2},
    )
    assert [
        (p.value, {k: v.value for k, v in values.items()}) for p, values in scenario.deploy
    ] == [
        ("red.H1", {"zone": "A"}),
        ("red.H2", {"zone": "A", "weak": True}),
    ]
    assert source.coverage_ids == {
        "X-1": {"ref": "1", "reason": None},
        "X-2": {"ref": None, "reason": "no behaviour"},
    }
    assert source.situations == [Path("mine/situations/s.yaml")]


@pytest.mark.docs("data-files#where-a-datum-comes-from")
def test_every_datum_is_counted_by_its_source(here: Path) -> None:
    assert count_sources(read("mine")) == {"text": 7, "derived": 1, "assumed": 4}


def test_an_overlay_puts_values_with_their_sources_over_the_game(here: Path) -> None:
    source = read("mine", "mine/overlays/mine.yaml")
    piece = source.kinds[2].members[0]
    assert (piece.values["back"].value, piece.sources["back"].note, piece.label) == (
        2,
        "my counters",
        "First",
    )
    assert (source.fixed["last_turn"].value, source.fixed_sources["last_turn"].kind) == (5, "text")
    assert count_sources(source) == {"text": 9, "derived": 1, "assumed": 2}


def test_both_hashes_agree_and_see_every_change(here: Path) -> None:
    overlay = Path("mine/overlays/mine.yaml")
    first = quick_hash(Path("mine"))
    assert first == content_hash(read("mine"))
    assert quick_hash(Path("mine"), [overlay]) == content_hash(read("mine", str(overlay))) != first
    seen = {first}
    for name in FILES:
        if "overlays" in name or "situations" in name or "coverage" in name:
            continue
        (here / name).write_text(FILES[name] + "# changed\n", encoding="utf-8")
        seen.add(quick_hash(Path("mine")))
    assert len(seen) == len(FILES) - 2


def test_a_hash_does_not_see_where_a_folder_is_nor_its_line_ends_nor_its_tests(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = quick_hash(Path("mine"))
    (here / "mine/game.yaml").write_bytes(FILES["mine/game.yaml"].replace("\n", "\r\n").encode())
    (here / "mine/situations/s.yaml").write_text("- name: another\n", encoding="utf-8")
    monkeypatch.chdir("/")
    assert quick_hash(here / "mine") == first == content_hash(read(str(here / "mine")))


def test_the_hash_needs_no_reader() -> None:
    code = (
        "import sys, rulekit.compiler.source.fingerprint\nprint({'yaml', 'jsonschema', 'lark',"
        " 'networkx'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("name: x\n", []),
        ("uses: [a, b-c]  # [d]\nname: x\n", ["a", "b-c"]),
        ("uses: [\n  a,\n  # no\n  b\n]\nname: x\n", ["a", "b"]),
        ("uses:\n- a\n- 'b'\nname: x\n", ["a", "b"]),
        ("uses:\n\n  - a\n\n  - b\nname: x\n", ["a", "b"]),
    ],
)
def test_libraries_are_found_without_a_yaml_reader(text: str, names: list[str]) -> None:
    assert locate.quick_uses(text) == names


def test_games_are_found_by_path_and_by_name(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_game("mine") == Path("mine")
    assert find_game(here / "mine" / "game.yaml") == here / "mine"
    assert find_game("no_such_game") is None and find_game("../x y") is None
    monkeypatch.setattr(locate, "_bundles", lambda: [here])
    monkeypatch.chdir("/")
    assert find_game("mine") == here / "mine"
    assert {"mine", "ancients"} <= set(locate.known_games())


@pytest.mark.docs("data-files#the-manifest")
def test_an_installed_package_can_be_a_game(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = here / "site" / "wargames"
    (package / "outpost").mkdir(parents=True)
    (package / "outpost" / "game.yaml").write_text(manifest("outpost"), encoding="utf-8")
    info = here / "site" / "wargames-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: wargames\nVersion: 1\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(
        "[rulekit.games]\noutpost = wargames:outpost\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(here / "site"))
    assert find_game("outpost") == package / "outpost"


def test_a_folder_is_read_from_elsewhere_with_a_whole_path(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here / "mine")
    assert read(str(here / "mine")).rules[0].path == (here / "base/rules/one.rules").as_posix()


BOMBS = {
    "anchors": (
        "a: &a [x]\n"
        + "".join(
            f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefghijk", "bcdefghijkl", strict=True)
        )
    ),
    "brackets": "[" * 100_000,
    "dashes": "- " * 100_000,
    "keys": "? " * 100_000,
    "numbers": "[" + "1," * 900_000 + "]",
    "digits": "a: " + "9" * 1_900_000,
    "twice": "a: 1\n" * 60_000,
    "one_line": "a" * 1_900_000 + ": 1",
    "unknown_keys": "".join(f"k{i}: 1\n" for i in range(40_000)),
}


@pytest.mark.parametrize("bomb", sorted(BOMBS))
def test_a_hostile_file_gives_a_clean_error_in_two_seconds_and_200_mib(
    bomb: str, here: Path
) -> None:
    (here / "mine" / "game.yaml").write_text(BOMBS[bomb], encoding="utf-8")
    code = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (2, 2))\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (200 * 2**20, 200 * 2**20))\n"
        "from pathlib import Path\n"
        "from rulekit.common.diagnostics.diagnostic import Sink\n"
        "from rulekit.compiler.source.folder import read_game\n"
        "sink = Sink()\n"
        "assert read_game(Path('mine'), sink) is None\n"
        "print(sink.found[0].code, len(sink.found))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.startswith("RK1") and int(done.stdout.split()[1]) <= 200


def test_an_entry_of_a_package_that_is_not_there_is_no_game(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is skipped, and others of its name are searched for."""
    package = here / "site" / "wargames"
    (package / "outpost").mkdir(parents=True)
    (package / "outpost" / "game.yaml").write_text(manifest("outpost"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(here / "site"))
    monkeypatch.setattr(
        locate,
        "_entry_points",
        lambda: [
            ("outpost", "no_such_package.inner", "x"),
            ("outpost", "..", "x"),
            ("outpost", "wargames", "outpost"),
            ("other", "wargames", "x"),
        ],
    )
    assert find_game("outpost") == package / "outpost"


def test_a_rules_file_that_cannot_be_read_is_told_and_no_more(here: Path) -> None:
    """Missing rules are reported only if there is no file."""
    for name in ("a", "b"):
        (here / f"mine/rules/{name}.rules").unlink()
    (here / "mine/game.yaml").write_text(manifest("mine"), encoding="utf-8")
    for text, codes in ((None, ["RK145"]), (b"\xff\xfe", ["RK103"])):
        if text is not None:
            (here / "mine/rules/a.rules").write_bytes(text)
        sink = Sink()
        read_game(Path("mine"), sink)
        assert [d.code for d in sink.in_order()] == codes


def test_sections_of_one_kind_give_their_members_in_written_order(here: Path) -> None:
    (here / "mine/things.yaml").write_text(
        "- {kind: Flag, source: '1', members: {b: {}, a: {}}}\n- {kind: Flag, source: '1', members:"
        " {c: {}}}\n"
    )
    assert [m.id for data in read("mine").kinds if data.kind == "Flag" for m in data.members] == [
        "b",
        "a",
        "c",
    ]


def test_a_hash_is_that_of_the_names_and_contents_in_order() -> None:
    """It is recomputed here, so that later versions find old entries."""
    told = b"rulekit language 1\na 1\nxb 3\ny\nz"
    assert digest([("a", b"x"), ("b", b"\xef\xbb\xbfy\r\nz")]) == sha256(told).hexdigest()


@pytest.mark.parametrize(
    ("user", "found"), [("g", True), ("a/g", True), ("a/b/g", True), ("a/b/c/g", False)]
)
def test_a_library_lies_in_a_folder_games_up_to_two_folders_out(
    user: str, found: bool, tmp_path: Path
) -> None:
    library = tmp_path / "games" / "shared_rules"
    library.mkdir(parents=True)
    (library / "game.yaml").write_text("rulekit: library\nname: shared_rules\n", encoding="utf-8")
    assert find_library("shared_rules", tmp_path / user) == (library if found else None)
