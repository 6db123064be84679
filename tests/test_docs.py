"""The examples of the docs work: the code of the README, the language reference, the tutorial."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import pytest

import rulekit
from rulekit.cli.main import COMMANDS
from rulekit.project.loader import Loader
from tests.commands import ran
from tests.compiler.reference.agree import agree
from tests.fences import Fenced, blocks

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PAGES_WITH_PYTHON = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted(DOCS.rglob("*.md")),
    *sorted((ROOT / "benchmarks").rglob("*.md")),
]

MANIFEST = 'rulekit: game\nname: example\ntitle: Example\nversion: "1.0"\nlanguage: 1\n'
LANGUAGE = DOCS / "language.md"


def shown(block: Fenced) -> str:
    return f"line {block.line}"


@pytest.mark.docs("python#python", "python#numbers-and-where-they-come-from")
@pytest.mark.parametrize("page", PAGES_WITH_PYTHON, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_python_of_a_page_does_what_it_says(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    scope: dict[str, object] = {}
    for block in blocks(page, "python"):
        test = doctest.DocTestParser().get_doctest(
            block.text, scope, page.name, str(page), block.line
        )
        assert test.examples, "a block of Python shows a dialogue with >>>"
        runner = doctest.DocTestRunner(optionflags=SAME)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        assert not runner.failures, "".join(report)
        scope = test.globs


def words_of_the_example() -> list[str]:
    rules = (ROOT / "examples" / "tic_tac_toe" / "game.rules").read_text(encoding="utf-8")
    return [
        word for line in rules.splitlines() if not line.startswith("#") for word in line.split()
    ]


def test_the_game_of_the_readme_is_the_example() -> None:
    (there,) = blocks(ROOT / "README.md", "rules")
    assert there.text.split() == words_of_the_example()


def preamble() -> list[Fenced]:
    """Return the game that contains all examples of the reference: its files and the head of its
    rules."""
    return [block for block in blocks(LANGUAGE) if block.words.startswith("preamble")]


def examples() -> list[Fenced]:
    return [b for b in blocks(LANGUAGE, "rules") if b.words not in ("preamble", "library")]


def diagnose(folder: Path) -> list[str]:
    """Return the errors of `check` as 'code: message'."""
    try:
        rulekit.load(folder)
    except rulekit.GameError as error:
        return [f"{d.code}: {d.span}: {d.message}" for d in error.diagnostics if d.level == "error"]
    return []


def write_game(block: Fenced, folder: Path) -> None:
    """Write the game of a block.

    ```` ```rules ```` is part of the game of the preamble. ```` ```rules uses ```` is a game that
    uses the library of the last ```` ```rules library ```` before it.
    """
    manifest, rules = MANIFEST, block.text
    if block.words == "uses":
        library = [
            b for b in blocks(LANGUAGE, "rules") if b.words == "library" and b.line < block.line
        ][-1]
        (folder.parent / "common").mkdir()
        told = MANIFEST.replace("rulekit: game", "rulekit: library").replace("example", "common")
        (folder.parent / "common" / "game.yaml").write_text(told, encoding="utf-8")
        (folder.parent / "common" / "game.rules").write_text(library.text, encoding="utf-8")
        manifest += "uses: [common]\n"
    else:
        for part in preamble():
            if part.language == "rules":
                rules = part.text + "\n" + rules
            else:
                (folder / part.words.split()[1]).write_text(part.text, encoding="utf-8")
    (folder / "game.yaml").write_text(manifest, encoding="utf-8")
    (folder / "game.rules").write_text(rules, encoding="utf-8")


@pytest.mark.docs(
    "language#the-rules-language-version-1",
    "language#13-hidden-information",
    "language#15-libraries-changes-by-name-rulings",
)
@pytest.mark.parametrize("block", examples(), ids=shown)
def test_an_example_of_the_reference_is_right(block: Fenced, tmp_path: Path) -> None:
    """An example passes the checker, or has the error of ```` ```rules error RKnnn ````. The
    emitted variants and the reference interpreter play it alike."""
    folder = tmp_path / "example"
    folder.mkdir()
    write_game(block, folder)
    found = diagnose(folder)
    if block.words.startswith("error"):
        assert {line.split(":")[0] for line in found} == {block.words.split()[1]}, found
        return
    assert found == []
    loader = Loader(folder)
    for seed in range(5):
        agree(loader.model(), loader.program("", {}), seed, limit=60)


def test_the_game_of_the_data_files_is_right(tmp_path: Path) -> None:
    """```` ```language FILE ```` shows a file of one small game. Its situations and its overlay
    work."""
    for block in blocks(DOCS / "data-files.md"):
        target = tmp_path / "skirmish" / block.words
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.text, encoding="utf-8")
    assert diagnose(tmp_path / "skirmish") == []
    assert "1 game checked" in run(
        "$ rulekit check skirmish --overlay skirmish/overlays/my-counters.yaml", tmp_path
    )
    tested = run("$ rulekit test skirmish --coverage", tmp_path)
    assert "2 passed" in tested and "1 of 2 ids covered, 1 excused, 0 uncovered" in tested


@pytest.mark.docs("situations#situations", "situations#do")
def test_the_situations_of_their_page_hold(tmp_path: Path) -> None:
    """They belong to the game of the language reference, with the declarations that its sections
    give for their names."""
    folder = tmp_path / "example"
    (folder / "situations").mkdir(parents=True)
    named = (
        "table losses",
        "total attack",
        "define cost_of",
        "define best",
        "action march_out",
        "total battle_bonus",
    )
    told = [
        block.text
        for block in examples()
        if not block.words and any(f"\n{name}" in f"\n{block.text}" for name in named)
    ]
    write_game(Fenced("rules", "", "\n".join(told), 0), folder)
    (folder / "situations" / "page.yaml").write_text(
        "\n".join(b.text for b in blocks(DOCS / "situations.md", "yaml")), encoding="utf-8"
    )
    assert run("$ rulekit test example", tmp_path) == "9 situations: 9 passed, 0 failed\n"


@pytest.mark.skipif(
    not (ROOT / "games").is_dir(), reason="the series library is a package of its own"
)
def test_the_next_game_of_the_series_can_be_written_from_its_page(tmp_path: Path) -> None:
    """After each file, `check` misses only parts that come later on the page.

    At the end the game lacks only the French texts. Its situations pass and cover the inventory,
    and the game can be played to its end.
    """
    shutil.copytree(ROOT / "games" / "peloponnesian", tmp_path / "games" / "peloponnesian")
    folder = tmp_path / "games" / "potidaea"
    wanting = []
    for block in blocks(DOCS / "new-game.md"):
        if "." in block.words:
            target = folder / block.words
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
            wanting.append({line.split(":")[0] for line in diagnose(folder)})
    assert wanting[0] == {"RK310", "RK610"}, "after the manifest: members and the scenario"
    assert wanting[1] <= {"RK662", "RK610"}, "after the members: fixed values and the scenario"
    assert (
        all(codes <= {"RK662", "RK610", "RK632"} for codes in wanting[1:]) and wanting[-1] == set()
    )
    tested = run("$ rulekit test games/potidaea --coverage", tmp_path)
    assert "5 passed" in tested and "4 of 5 ids covered, 1 excused, 0 uncovered" in tested
    assert "40 games" in run("$ rulekit simulate games/potidaea --games 40", tmp_path)
    loader = Loader(folder)
    assert loader.missing_texts("en") == {}
    french = loader.missing_texts("fr")
    assert french["member.Terrain.plain"] == "plain" and not any(
        "may_set_out" in key for key in french
    )
    assert "Athens H1 H2 Callias" in run("$ rulekit play games/potidaea --seed 3", tmp_path)


@pytest.mark.skipif(
    not (ROOT / "games").is_dir(), reason="the series library is a package of its own"
)
def test_what_a_game_of_the_series_lacks_is_said_of_the_game(tmp_path: Path) -> None:
    """If a game has only its members, the missing sequence of play is reported in the game and not
    in the library."""
    shutil.copytree(ROOT / "games" / "peloponnesian", tmp_path / "games" / "peloponnesian")
    manifest, rules, *_ = [block for block in blocks(DOCS / "new-game.md") if "." in block.words]
    folder = tmp_path / "games" / "potidaea"
    folder.mkdir()
    (folder / "game.yaml").write_text(manifest.text, encoding="utf-8")
    told = [
        line
        for line in rules.text.splitlines(keepends=True)
        if line.startswith(("members", "define"))
    ]
    (folder / "game.rules").write_text("".join(told), encoding="utf-8")
    found = [line for line in diagnose(folder) if line.startswith("RK510")]
    assert len(found) == 1 and "potidaea" in found[0]


def run(command: str, folder: Path) -> str:
    """Run a command of the tutorial and return its output. `rulekit` is the one of this
    environment."""
    words = shlex.split(command.removeprefix("$ "))
    if words[0] == "mkdir":
        (folder / words[1]).mkdir(parents=True)
        return ""
    assert words[0] == "rulekit", f"the tutorial uses mkdir and rulekit only, not {words[0]}"
    with chdir(folder), patch.dict(os.environ, NO_COLOR="1", COLUMNS="100"):
        code, told, errors = ran(*words[1:])
    assert code in (0, 1), errors
    return told + errors


def test_the_tutorial_can_be_followed_to_the_letter(tmp_path: Path) -> None:
    """```` ```yaml PATH ```` and ```` ```rules PATH ```` write a file, or append to it with `more`.
    ```` ```console ```` runs each `$` line and compares the output."""
    checker = doctest.OutputChecker()
    for block in blocks(DOCS / "tutorial.md"):
        if block.language in ("rules", "yaml"):
            path, *more = block.words.split()
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            before = target.read_text(encoding="utf-8") if more else ""
            target.write_text(before + block.text, encoding="utf-8")
        elif block.language == "console":
            for step in block.text.split("$ ")[1:]:
                command, _, expected = step.partition("\n")
                got = run(command, tmp_path)
                assert checker.check_output(expected, got, SAME), (
                    f"line {block.line}: {command}\n{got}"
                )


def test_the_game_of_the_tutorial_is_the_example() -> None:
    assert blocks(DOCS / "tutorial.md", "rules")[-1].text.split() == words_of_the_example()


def test_the_page_of_the_command_line_lists_every_command() -> None:
    listed = re.findall(r"^\| `rulekit (\w+) ", (DOCS / "cli.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)


def links(page: Path) -> list[str]:
    return [
        t.split("#")[0]
        for t in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8"))
        if "://" not in t
    ]


@pytest.mark.parametrize("page", PAGES_WITH_PYTHON, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    broken = [link for link in links(page) if link and not (page.parent / link).exists()]
    assert not broken


DECISIONS = sorted((DOCS / "decisions").glob("0*.md"))


@pytest.mark.parametrize("page", DECISIONS, ids=lambda p: p.stem)
def test_a_decision_is_short_and_has_three_parts(page: Path) -> None:
    text = page.read_text("utf-8")
    parts = re.findall(r"^\*\*(\w+)\.\*\* ", text, re.MULTILINE)
    assert parts == ["Context", "Decision", "Consequences"]
    assert len(text.split()) <= 200
    assert re.match(rf"# {int(page.name[:4])}\. .+\n\n\d{{4}}-\d\d-\d\d", text)


def test_the_index_of_decisions_has_each_number_with_its_title() -> None:
    index = (DOCS / "decisions" / "README.md").read_text("utf-8")
    titles = [page.read_text("utf-8").partition("\n")[0].partition(". ")[2] for page in DECISIONS]
    rows = re.findall(r"^\| \[(\d+)\]\((.+?)\) \| (.+) \|$", index, re.MULTILINE)
    assert rows == [
        (str(int(page.name[:4])), page.name, title)
        for page, title in zip(DECISIONS, titles, strict=True)
    ]
    numbers = [int(n) for n in re.findall(r"^\| \[?(\d+)", index, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_first_pages_are_short() -> None:
    for name, most in (("README.md", 90), ("CHANGELOG.md", 60)):
        assert len((ROOT / name).read_text("utf-8").splitlines()) <= most
