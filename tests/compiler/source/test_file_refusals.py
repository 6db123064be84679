"""Refusals of files, YAML and CSV: bounds, places and words, and the last accepted values."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink, guess
from rulekit.common.files import FileRefused, Why
from rulekit.compiler.source import text_file
from rulekit.compiler.source.csv_reader import parse_csv
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.schema_validation import validate
from rulekit.compiler.source.text_file import decode, read_stream, read_text
from rulekit.compiler.source.yaml_reader import parse_yaml


def yaml(text: str) -> list[Diagnostic]:
    sink = Sink()
    parse_yaml(text, "f.yaml", sink)
    return sink.found


def csv(text: str) -> list[Diagnostic]:
    sink = Sink()
    assert (parse_csv(text, "t.csv", sink) is None) == bool(sink.found)
    return sink.found


def places(found: list[Diagnostic]) -> list[tuple[str, int, int]]:
    return [(d.code, d.span.line, d.span.column) for d in found if d.level == "error" and d.help]


# -------------------------------------------------------------------------------------------- files
REFUSED: dict[Why, tuple[str, str]] = {
    "missing": ("RK101", "spelling"),
    "folder": ("RK102", "kind and its permissions"),
    "unreadable": ("RK102", "kind and its permissions"),
    "large": ("RK105", "split"),
    "outside": ("RK107", "copy"),
    "special": ("RK107", "copy"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_each_sort_of_file_that_is_not_read_has_its_code(
    why: Why, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, most: int, within: Path) -> bytes:
        raise FileRefused(path, why, "the reason")

    monkeypatch.setattr(text_file, "read_plain", refuse)
    sink = Sink()
    assert read_text(tmp_path / "a.yaml", sink, tmp_path) is None
    assert [(d.code, d.level, d.message, d.span.file, d.span.line) for d in sink.found] == [
        (REFUSED[why][0], "error", "the reason", text_file.shown_path(tmp_path / "a.yaml"), 1)
    ]
    assert REFUSED[why][1] in sink.found[0].help and not sink.texts


@pytest.mark.parametrize(
    ("raw", "line", "column"),
    [
        (b"\xff", 1, 1),
        (b"ab\n\xc3\xa9c\xffd", 2, 3),
        (b"\xef\xbb\xbfab\xff", 1, 3),
        (b"a\r\nb\rc\xfe", 3, 2),
        (b"\xff\n\xff", 1, 1),
    ],
)
def test_the_first_byte_that_is_no_text_is_named(raw: bytes, line: int, column: int) -> None:
    sink = Sink()
    assert decode(raw, "f", sink) is None
    assert places(sink.found) == [("RK103", line, column)]
    assert "0xf" in sink.found[0].label


TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize(
    "character", [*TURNING, "\0", "\x1b", "\x7f", "\x80", "\x0b"], ids=lambda c: f"{ord(c):x}"
)
def test_a_control_character_is_refused_and_one_that_turns_the_direction_too(
    character: str,
) -> None:
    sink = Sink()
    assert decode(f"é\nab{character}c".encode(), "f", sink) is None
    assert (
        places(sink.found) == [("RK104", 2, 3)]
        and f"code {ord(character)}" in sink.found[0].message
    )
    assert places(yaml(f'a: "b\\u{ord(character):04x}"\n')) == [("RK104", 1, 4)]


def test_what_people_write_is_text() -> None:
    sink = Sink()
    assert (
        decode("a\tb\r\nc\rd é \u2029\u202f \U0001f600".encode(), "f", sink)
        == "a\tb\nc\nd é \u2029\u202f \U0001f600"
        and not sink.found
    )


def test_a_file_may_have_two_megabytes_and_no_more(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    for size, codes in ((2_000_000, []), (2_000_001, [("RK105", 1, 1)])):
        file.write_bytes(b"x" * size)
        sink = Sink()
        assert (read_text(file, sink, tmp_path) is None) == bool(codes)
        assert places(sink.found) == codes
        with file.open("rb") as stream:
            sink = Sink()
            assert (read_stream(stream, "<stdin>", sink) is None) == bool(codes)
            assert places(sink.found) == codes


def test_all_files_of_a_game_may_have_ten_megabytes_together(tmp_path: Path) -> None:
    """The finding is reported once, not for each further file."""
    (tmp_path / "a.yaml").write_text("x")
    sink = Sink(amount=9_999_999)
    assert read_text(tmp_path / "a.yaml", sink, tmp_path) == "x" and not sink.found
    assert read_text(tmp_path / "a.yaml", sink, tmp_path) is None
    (tmp_path / "b.yaml").write_text("x")
    assert read_text(tmp_path / "b.yaml", sink, tmp_path) is None
    assert places(sink.found) == [("RK105", 1, 1)] and "10 MB together" in sink.found[0].message


# --------------------------------------------------------------------------------------------- YAML
@pytest.mark.parametrize(
    ("within", "beyond", "place"),
    [
        ("[" + "0," * 99_999 + "]", "[" + "0," * 100_000 + "]", (1, 200_000)),
        ("[" * 40 + "]" * 40, "[" * 41 + "]" * 41, (1, 41)),
        ("a: " * 0 + "{a: " * 40 + "1" + "}" * 40, "{a: " * 41 + "1" + "}" * 41, (1, 161)),
        ("a: " + "x" * 10_000, "a: " + "x" * 10_001, (1, 4)),
        ("a: '" + "1" * 10_000 + "'", "a: '" + "1" * 10_001 + "'", (1, 4)),
    ],
    ids=["values", "lists", "mappings", "text", "quoted"],
)
def test_a_file_holds_so_much_and_no_more(within: str, beyond: str, place: tuple[int, int]) -> None:
    assert yaml(within) == []
    assert places(yaml(beyond)) == [("RK106", *place)]


def test_a_table_holds_so_much_and_no_more() -> None:
    assert csv("a,b\n" + "1,2\n" * 49_999) == []
    assert places(csv("a,b\n" + "1,2\n" * 50_000)) == [("RK106", 50_001, 1)]


YAML = {  # a text, the finding, its position, parts of the message and of the help
    "a colon that is missing": (
        "a: 1\nb\nc: 2\n",
        "RK110",
        3,
        1,
        "neither `key: value` nor a list item",
        "write ':' after the key",
    ),
    "no colon in the last line": (
        "a: 1\nx y\n",
        "RK110",
        2,
        4,
        "neither `key: value` nor a list item",
        "write ':' after the key",
    ),
    "a bracket that is not closed": (
        "a: [1, 2\nb: 3\n",
        "RK110",
        1,
        4,
        "a '[' is not closed",
        "close with ']'",
    ),
    "a brace that is not closed": (
        "a: {x: 1\nb: 3\n",
        "RK110",
        1,
        4,
        "a '{' is not closed",
        "close with '}'",
    ),
    "a quote that is not closed": (
        "a: 'x\nb: 3\n",
        "RK110",
        1,
        4,
        "not closed before the end of the file",
        "close the quotes",
    ),
    "a quote before a document": (
        "a: 'x\n---\nb: 1\n",
        "RK110",
        1,
        4,
        "a quoted text is not closed",
        "close the quotes",
    ),
    "an escape": ('a: "\\q"\n', "RK110", 1, 5, "no such escape", "a backslash"),
    "indented more": (
        "a: 1\n  b: 2\n",
        "RK110",
        2,
        3,
        "indented more than the key above it",
        "alike",
    ),
    "indented less": (
        "a:\n  b: 1\n c: 2\n",
        "RK110",
        3,
        2,
        "does not fit the mapping above it",
        "alike",
    ),
    "two colons": ("a: x: 1\n", "RK110", 1, 5, "there is a ':' where no key can be", "in quotes"),
    "no dash": (
        "a:\n  - 1\n  b: 2\n",
        "RK110",
        3,
        3,
        "does not begin with '- '",
        "all in one column",
    ),
    "a dash behind a key": ("a: - 1\n", "RK110", 1, 4, "cannot begin here", "a line of its own"),
    "a tab": ("a:\n\t- 1\n", "RK110", 2, 1, "a tab", "spaces"),
    "a sign": ("a: @x\n", "RK110", 1, 4, "cannot begin a value", "in quotes"),
    "a star": ("a: *\n", "RK110", 1, 5, "'&' and '*' have a meaning", "in quotes"),
    "an exclamation": ("a: !x!y z\n", "RK110", 1, 4, "tags are not used", "in quotes"),
    "a bar": ("a: | x\n  y\n", "RK110", 1, 6, "'|' and '>' begin a long text", "in quotes"),
    "a percent sign": ("%X\na: 1\n", "RK110", 1, 3, "begins with '%'", "remove it"),
    "a value that is missing": (
        "a: [1,,2]\n",
        "RK110",
        1,
        7,
        "a value is missing",
        "write a value",
    ),
    "a key that stands twice": (
        "a: 1\nb: 2\na: 3\n",
        "RK111",
        3,
        1,
        "key 'a' is written twice",
        "rename it",
    ),
    "an anchor": ("a: &x 1\n", "RK112", 1, 4, "anchor '&x'", "write the value out"),
    "an alias": ("a: *x\n", "RK112", 1, 4, "alias '*x'", "write the value out"),
    "a tag": ("a: !!str 1\n", "RK112", 1, 4, "tag 'tag:yaml.org,2002:str'", "plain values"),
    "a tag of a list": ("a: !x [1]\n", "RK112", 1, 4, "tag '!x'", "plain values"),
    "an anchor of a list": ("a: &x [1]\n", "RK112", 1, 4, "anchor '&x'", "write the value out"),
    "a second document": ("a: 1\n---\nb: 1\n", "RK112", 2, 1, "a second document", "two files"),
    "merging": ("<<: {a: 1}\n", "RK112", 1, 1, "merge key", "write the keys out"),
    "a key that is a list": ("[a, b]: c\n", "RK113", 1, 1, "a key is a list", "in quotes"),
    "a key that is a mapping": ("{a: 1}: c\n", "RK113", 1, 1, "a key is a mapping", "in quotes"),
    "a key that is not there": ("{: c}\n", "RK113", 1, 2, "a key is missing", "write `key: value`"),
    "a key that is not there in a block": (
        "a: 1\n: c\n",
        "RK113",
        2,
        1,
        "a key is missing",
        "write `key: value`",
    ),
    "an empty key": ("? \n: c\n", "RK113", 1, 2, "a key is missing", "write `key: value`"),
    "a colon in a bracket": (
        "a: {x: b: c}\n",
        "RK110",
        1,
        9,
        "a text with ':' needs quotes",
        "put the whole text in quotes",
    ),
    "a colon further down": (
        "a: {x: 1,\n  y: b: c, z: 2}\n",
        "RK110",
        2,
        7,
        "a text with ':' needs quotes",
        "a ',' is missing before it",
    ),
    "a colon in a list": (
        "a: [x, b: c: d]\n",
        "RK110",
        1,
        12,
        "a text with ':' needs quotes",
        "in quotes",
    ),
    "a colon at the end": (
        "a: {x: b:}\n",
        "RK110",
        1,
        9,
        "a text with ':' needs quotes",
        "in quotes",
    ),
    "a number sign": (
        "a: {x: b #1, y: 2}\n",
        "RK110",
        1,
        10,
        "'#' after a space begins a comment",
        "in quotes",
    ),
    "a number sign further up": (
        "a: {x: b #1}\nc: 2\n",
        "RK110",
        1,
        10,
        "'#' after a space begins a comment",
        "in quotes",
    ),
    "a number sign in a list": (
        "a: [b #1, c]\n",
        "RK110",
        1,
        7,
        "'#' after a space begins a comment",
        "in quotes",
    ),
    "a brace in a text": (
        "a: {x: the {s} y}\n",
        "RK110",
        1,
        12,
        "a text with '{' needs quotes here",
        "in quotes",
    ),
    "a text that begins with a brace": (
        "a: {s} b\n",
        "RK110",
        1,
        8,
        "a text that begins with '{' needs quotes",
        "in quotes",
    ),
    "a text that begins with a bracket": (
        "a: {x: [s] b}\n",
        "RK110",
        1,
        12,
        "a text that begins with '[' needs quotes",
        "in quotes",
    ),
    "an item that begins with a brace": (
        "- {s} b\n",
        "RK110",
        1,
        7,
        "a text that begins with '{' needs quotes",
        "in quotes",
    ),
    "an apostrophe in a text": (
        "a: 'l'x'\n",
        "RK110",
        1,
        7,
        "the quoted text ends before this, at the '",
        "two ' for each '",
    ),
    "a quote in a text": (
        'a: {x: "b "c" d"}\n',
        "RK110",
        1,
        12,
        'the quoted text ends before this, at the "',
        "a \\ before each",
    ),
    "an apostrophe at the start": (
        "a: 'tis\n",
        "RK110",
        1,
        4,
        "not closed",
        "begins with an apostrophe in double quotes",
    ),
    "a comma that is missing": (
        "a: {x: {y: 1} z: 2}\n",
        "RK110",
        1,
        15,
        "a ',' is missing",
        "separate the entries",
    ),
    "a comma that is missing in a list": (
        "a: ['b' 'c']\n",
        "RK110",
        1,
        9,
        "a ',' is missing",
        "separate the items",
    ),
    "a comma that is missing above": (
        "a: {x: 1\n  y: 2}\n",
        "RK110",
        1,
        4,
        "a ',' is missing",
        "separate the entries",
    ),
    "a backtick": ("a: {x: `b}\n", "RK110", 1, 8, "'`' cannot begin a value", "in quotes"),
    "a tab before a value": ("a: [\t@]\n", "RK110", 1, 6, "'@' cannot begin a value", "in quotes"),
    "a question mark": ("a: ? b\n", "RK110", 1, 4, "'?' has a meaning in YAML", "in quotes"),
    "an exclamation alone": ("a: ! b\n", "RK112", 1, 4, "tag '!'", "begins with '!' in quotes"),
    "an exclamation in a bracket": (
        "a: {x: !b}\n",
        "RK110",
        1,
        10,
        "tags are not used",
        "begins with '!' in quotes",
    ),
    "a large number": (
        "a: 2147483648\n",
        "RK114",
        1,
        4,
        "too large: at most 2147483647",
        "in quotes",
    ),
    "a large number below zero": ("a: -2147483648\n", "RK114", 1, 4, "too large", "in quotes"),
    "a number of many digits": (
        "a: 00000000000000000001\n",
        "RK114",
        1,
        4,
        "too large",
        "in quotes",
    ),
}


@pytest.mark.parametrize("case", YAML)
def test_yaml_that_is_not_read_is_told_at_its_place_with_its_mend(case: str) -> None:
    text, code, line, column, said, help = YAML[case]
    found = yaml(text)
    assert places(found) == [(code, line, column)]
    assert said in found[0].message and help in found[0].help, found


@pytest.mark.parametrize(
    "text",
    [
        "a: {a: 1}\nb: {a: 1}\n",
        "a: '2147483648'\n",
        "a: -2147483647\n",
        "'[a]': c\n",
        "'<<': 1\n",
        "a: '*x'\n",
        "a: '!x'\n",
        "--- \na: 1\n",
        "a: '&x'\n",
        "a: 99999999999x\n",
        "'': c\n",
    ],
)
def test_what_is_like_it_is_read(text: str) -> None:
    assert yaml(text) == []


def test_of_a_key_that_stands_twice_the_first_counts_and_is_shown() -> None:
    sink = Sink()
    datum = parse_yaml("a: 1\na: {b: [2]}\nc: 3\n", "f", sink)
    assert datum is not None and datum.plain() == {"a": 1, "c": 3}
    second = sink.found[0].second
    assert second is not None and (second.line, second.column, sink.found[0].second_label) == (
        1,
        1,
        "the first one is here",
    )


# ----------------------------------------------------------------------------------- forms of files
MANIFEST = 'rulekit: game\nname: a\ntitle: A\nversion: "1"\nlanguage: 1\n'
# the schema, a text, and: code, line, column, parts of the message, of the help and of the label
FORMS = {
    "no key near it": (
        "manifest",
        MANIFEST + "zzzzz: 1\n",
        "RK120",
        6,
        1,
        "'zzzzz' is not a key of a game manifest",
        "its keys are rulekit, name, title",
        "",
    ),
    "a key near it": (
        "manifest",
        MANIFEST + "titles: 1\n",
        "RK120",
        6,
        1,
        "'titles'",
        "did you mean 'title'",
        "",
    ),
    "a key is missing": (
        "manifest",
        MANIFEST.replace("title: A\n", ""),
        "RK121",
        1,
        1,
        "needs the key 'title'",
        "write `title:`",
        "",
    ),
    "a number for a text": (
        "manifest",
        MANIFEST.replace('"1"', "1"),
        "RK122",
        4,
        10,
        "'version' must be a text, not the number 1",
        '"1"',
        "",
    ),
    "a list for a mapping": (
        "manifest",
        MANIFEST + "editions: [a]\n",
        "RK122",
        6,
        11,
        "must be a mapping, not a list",
        "",
        "",
    ),
    "one of several": (
        "manifest",
        MANIFEST.replace("game\n", "play\n", 1),
        "RK123",
        1,
        10,
        "cannot be 'play'",
        "expected one of game, library",
        "expected one of game, library",
    ),
    "a name with a space": (
        "manifest",
        MANIFEST.replace("name: a", "name: a b"),
        "RK124",
        2,
        7,
        "'a b' is not",
        "rename",
        "",
    ),
    "too few items": (
        "map",
        "closed: [{between: [A], source: {text: '1'}}]\n",
        "RK124",
        1,
        20,
        "exactly 2 items, but has 1",
        "two places",
        "",
    ),
    "nothing": (
        "manifest",
        "# nothing\n",
        "RK125",
        1,
        1,
        "the file is empty",
        "remove the file",
        "",
    ),
}


@pytest.mark.parametrize("case", FORMS)
def test_what_does_not_fit_its_schema_is_told_at_its_place(case: str) -> None:
    schema, text, code, line, column, said, help, label = FORMS[case]
    sink = Sink()
    datum = parse_yaml(text, "f", sink)
    assert datum is not None and not validate(datum, schema, sink)
    assert places(sink.found) == [(code, line, column)]
    assert (
        said in sink.found[0].message
        and help in sink.found[0].help
        and label in sink.found[0].label
    ), sink.found


# ---------------------------------------------------------------------------------------------- CSV
TABLES = {
    "too few cells": (
        "a,b\n1\n",
        "RK130",
        2,
        1,
        "1 cell, the header 2",
        "one cell for each column",
    ),
    "too many cells": ("a,b\n1,2,3\n", "RK130", 2, 5, "3 cells, the header 2", "in quotes"),
    "a comma without quotes": (
        "a,b\n1,x, y\n",
        "RK130",
        2,
        6,
        "3 cells",
        "put a text that holds a ',' in quotes",
    ),
    "quotes that are not closed": ('a,b\n1,"2\n', "RK131", 2, 3, "not closed", "on the same line"),
    "text behind quotes": (
        'a,b\n1,"2" x\n',
        "RK131",
        2,
        7,
        "after the closing quotes",
        "quote the whole cell",
    ),
    "a quote that is not doubled": (
        'a,b\n1,"2"x"\n',
        "RK131",
        2,
        6,
        "after the closing quotes",
        "quote the whole cell",
    ),
    "quotes inside": ('a,b\n1,2"x"\n', "RK131", 2, 4, "in the middle of a cell", "the whole cell"),
    "no rows": ("a,b\n", "RK132", 1, 1, "a header but no row", "below the header"),
    "nothing": ("# a comment\n\n", "RK132", 1, 1, "the table is empty", "at least one more row"),
    "no name": ("a,\n1,2\n", "RK132", 1, 3, "no name", "in the first row"),
    "a name twice": ("a,a\n1,2\n", "RK132", 1, 3, "two columns are named 'a'", "rename"),
}


@pytest.mark.parametrize("case", TABLES)
def test_a_table_that_is_not_read_is_told_at_its_place(case: str) -> None:
    text, code, line, column, said, help = TABLES[case]
    found = csv(text)
    assert places(found) == [(code, line, column)]
    assert said in found[0].message and help in found[0].help, found


# ------------------------------------------------------------------------------------------ folders
def read(place: str) -> list[tuple[str, str, int, int]]:
    sink = Sink()
    read_game(Path(place), sink)
    assert all(d.help and d.level == "error" for d in sink.found)
    return [(d.code, d.span.file, d.span.line, d.span.column) for d in sink.in_order()]


def game(folder: Path, more: str = "", sort: str = "game") -> None:
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(MANIFEST.replace("game", sort, 1) + more)
    (folder / "game.rules").write_text("kind A\n")


@pytest.mark.docs("data-files#data-files")
def test_a_folder_is_a_game_by_its_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game(Path("sound"))
    Path("bare").mkdir()
    assert read("sound") == []
    assert read("nowhere") == [("RK101", "nowhere", 1, 1)]
    assert read("bare") == [("RK140", "bare/game.yaml", 1, 1)]
    assert read("sound/game.rules") == [("RK140", "sound/game.rules", 1, 1)]


@pytest.mark.parametrize(("language", "said"), [(0, "no such version"), (2, "too old for it")])
def test_a_game_of_another_version_of_the_language_is_not_read(
    language: int, said: str, tmp_path: Path
) -> None:
    game(tmp_path / "a")
    (tmp_path / "a" / "game.yaml").write_text(
        MANIFEST.replace("language: 1", f"language: {language}")
    )
    sink = Sink()
    assert read_game(tmp_path / "a", sink) is None
    found = [d for d in sink.found if d.code == "RK141"]
    assert (
        places(found) == [("RK141", 5, 11)]
        and said in found[0].message
        and "language 1" in found[0].help
    )


def test_a_library_lies_beside_the_game_or_in_a_folder_games_near_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game(Path("a/b/c/mine"), "uses: [beside, near, nearer]\n")
    for place in ("a/b/c/beside", "a/b/games/near", "a/games/nearer"):
        game(Path(place), sort="library")
    assert read("a/b/c/mine") == []
    game(Path("a/b/c/other"), "uses: [far, further]\n")
    for place in ("a/far", "games/further"):
        game(Path(place), sort="library")
    assert read("a/b/c/other") == [
        ("RK142", "a/b/c/other/game.yaml", 6, 8),
        ("RK142", "a/b/c/other/game.yaml", 6, 13),
    ]


def test_what_is_used_is_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game(Path("other"))
    game(Path("mine"), "uses: [other]\n")
    assert read("mine") == [("RK144", "mine/game.yaml", 6, 8)]
    game(Path("one"), "uses: [two]\n", "library")
    game(Path("two"), "uses: [one]\n", "library")
    assert read("one") == [("RK143", "two/game.yaml", 6, 8)]


def test_rules_stand_in_the_folder_or_in_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game(Path("mine"))
    Path("mine/game.rules").unlink()
    assert read("mine") == [("RK145", "mine/game.yaml", 1, 1)]
    Path("mine/rules").mkdir()
    Path("mine/rules/a.rules").write_text("kind A\n")
    assert read("mine") == []


# ------------------------------------------------------------------------------------ common to all
def test_a_guess_names_three_at_most() -> None:
    assert (
        guess("holdr", ["holder", "folder", "border", "other"])
        == "did you mean 'holder' or 'folder'?"
    )
    assert guess("name", ["name1", "name2", "name3", "name4", "name5"]).count("'") == 6
    assert guess("zzz", ["holder"]) == ""


def test_shapes_of_too_many_corners_are_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two shapes of 100 corners each and one of 400 are 180,000 pairs of edges with themselves, the
    first two 20,000."""
    monkeypatch.chdir(tmp_path)
    game(Path("mine"))

    def shape(x: int, corners: int) -> str:
        points = [(x + i // 2, 2 * (i % 2) - 9 if i == 1 else i % 2) for i in range(corners)]
        return str([list(p) for p in points])

    for corners, codes in ((100, {"RK686"}), (400, {"RK407"})):
        places = ", ".join(f"A{n}: {{shape: {shape(n * 1000, corners)}}}" for n in range(2))
        Path("mine/map.yaml").write_text(
            f"places: {{kind: A, source: '1', members: {{{places}}}}}\n"
        )
        found = read("mine")
        assert {code for code, *_ in found} == codes, found
