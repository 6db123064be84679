"""The page on data files about the parts of a folder, sources, the manifest and sections: small
folders, one promise each."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.cli.terminal.screen import Screen
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.files import FileRefused
from rulekit.compiler.source import locate
from rulekit.compiler.source.folder import count_sources, read_game
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.source.locate import game_files
from rulekit.compiler.source.schema_validation import schema_folder, validate
from rulekit.compiler.source.yaml_reader import parse_yaml
from rulekit.engine.search.agent_registry import greedy_total, victory_total
from rulekit.presentation.sheet import sheet_of
from rulekit.project.loader import Loader

MANIFEST = 'rulekit: game\nname: mine\ntitle: Mine\nversion: "1"\nlanguage: 1\n'
RULES = """kind Side decides = red | blue
kind Zone
kind Border joins Zone
  fixed wall: bool  # allow RK701: a test
kind Piece
  fixed owner: Side
  fixed front: 0..9 = 0  # allow RK701: a test
  state zone: Zone?
phase main
  choose by red
    option go(p: Piece, z: Zone)
      p.zone := z
    option stay
      return
  finish red, win
total vp(s: Side): int
  base count(Piece where owner = s)
total worth(s: Side): int  # allow RK701: a test
  base count(Piece where owner = s and zone != none)
"""
MAP = """places:
  kind: Zone
  source: {assumed: x}
  members: {A: {at: [0, 0], label: The bay}, B: {at: [4, 0]}, C: {at: [8, 0]}}
borders:
  kind: Border
  source: {assumed: x}
  members: [{between: [A, B]}, {between: [B, C], one_way: true, id: ford}]
"""
PIECES = """kind: Piece
place: zone
source: {text: "2.1"}
members: {red.H1: {owner: red, front: 4}, blue.H1: {owner: blue, front: 4}, blue.C1: {owner: blue}}
"""


def write(folder: Path, **files: str) -> Path:
    """Write a sound game with some other files: `map="..."` is map.yaml."""
    for name, text in {"game": MANIFEST, "map": MAP, "pieces": PIECES, **files}.items():
        (folder / f"{name.replace('__', '/')}.yaml").parent.mkdir(exist_ok=True)
        (folder / f"{name.replace('__', '/')}.yaml").write_text(text, encoding="utf-8")
    (folder / "game.rules").write_text(RULES, encoding="utf-8")
    return folder


def read(folder: Path) -> tuple[GameSource | None, list[str]]:
    sink = Sink()
    source = read_game(folder, sink)
    return source, [d.code for d in sink.in_order()]


def sound(folder: Path) -> GameSource:
    source, found = read(folder)
    assert source is not None and not found
    return source


# ---------------------------------------------------------------------------------------- the files
@pytest.mark.parametrize("schema", sorted(path.stem for path in schema_folder().glob("*.json")))
def test_each_kind_of_file_has_a_schema_in_which_an_unknown_key_is_an_error(schema: str) -> None:
    lists = schema in ("rulings", "situations")
    datum = parse_yaml("- zzzz: {a: 1}\n" if lists else "zzzz: {a: 1}\n", "f", sink := Sink())
    assert datum is not None and not validate(datum, schema, sink)
    if schema != "texts":  # the keys of texts come from the rules
        assert ("RK120", 3 if lists else 1) in [(d.code, d.span.column) for d in sink.found]


def test_files_of_rules_are_one_unit_in_the_order_of_their_names(tmp_path: Path) -> None:
    """Declarations are visible in all files, before and after. Files next to the manifest come
    before those in `rules`."""
    (tmp_path / "rules").mkdir()
    for name, text in (
        ("rules/b", "define two = one + 1  # allow RK701: a test\n"),
        ("rules/a", "define one = three\n"),
        ("z", "define three = 3\n"),
    ):
        (tmp_path / f"{name}.rules").write_text(text)
    source = sound(write(tmp_path))
    assert [Path(text.path).name for text in source.rules] == [
        "game.rules",
        "z.rules",
        "a.rules",
        "b.rules",
    ]
    assert Loader(tmp_path).findings() == []


def test_links_inside_of_the_folder_are_followed(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "kept").mkdir()
    (tmp_path / "pieces.yaml").rename(tmp_path / "kept" / "all.yaml")
    (tmp_path / "pieces.yaml").symlink_to("kept/all.yaml")
    assert [m.id for k in sound(tmp_path).kinds for m in k.members][-1] == "blue.C1"


def test_a_folder_may_have_a_thousand_files_of_a_sort(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "texts").mkdir()
    for i in range(1000):
        (tmp_path / f"texts/{i}.yaml").touch()
    assert len(game_files(tmp_path)) == 1004
    (tmp_path / "texts/more.yaml").touch()
    with pytest.raises(FileRefused, match="1000"):
        game_files(tmp_path)


# ------------------------------------------------------------------------------------------ sources
# a section of pieces: the codes, and the source of each value of its member, by attribute
SOURCED = {
    "at the section": (
        "source: {text: '1'}\nmembers: {a: {front: 4, owner: red}}\n",
        [],
        {"front": "text 1", "owner": "text 1"},
    ),
    "at the member": (
        "members: {a: {front: 4, source: {derived: x}}}\n",
        [],
        {"front": "derived x"},
    ),
    "the member before the section": (
        "source: {text: '1'}\nmembers: {a: {front: 4, source: {assumed: y}}}\n",
        [],
        {"front": "assumed y"},
    ),
    "one attribute": (
        (
            "source: {text: '1'}\nmembers: {a: {front: 4, owner: red, sources: {front: {assumed:"
            " y}}}}\n"
        ),
        [],
        {"front": "assumed y", "owner": "text 1"},
    ),
    "each attribute": (
        "members: {a: {front: 4, sources: {front: {assumed: y}}}}\n",
        [],
        {"front": "assumed y"},
    ),
    "not each attribute": (
        "members: {a: {front: 4, owner: red, sources: {front: {assumed: y}}}}\n",
        ["RK601"],
        {"front": "assumed y"},
    ),
    "attributes of the section": (
        "sources: {front: {text: '2'}, owner: {text: '3'}}\nmembers: {a: {front: 4, owner: red}}\n",
        [],
        {"front": "text 2", "owner": "text 3"},
    ),
    "of each": (
        "source: {text: '1'}\neach: {front: 2}\nmembers: {a: {}}\n",
        [],
        {"front": "text 1"},
    ),
    "none": ("members: {a: {front: 4}}\n", ["RK601"], {}),
    "none of each": ("each: {front: 4}\nmembers: {a: {}}\n", ["RK601"], {}),
    "none of a member alone": ("members: {a: {}}\n", ["RK601"], {}),
}


@pytest.mark.docs("data-files#where-a-datum-comes-from")
@pytest.mark.parametrize("case", SOURCED)
def test_every_datum_has_a_source(tmp_path: Path, case: str) -> None:
    text, codes, sources = SOURCED[case]
    source, found = read(write(tmp_path, pieces=f"kind: Piece\nplace: zone\n{text}"))
    assert found == codes and source is not None
    (member,) = next(k for k in source.kinds if k.kind == "Piece").members
    told = {name: member.sources.get(name, member.sources.get("")) for name in member.values}
    assert {
        name: f"{each.kind} {each.note}" for name, each in told.items() if each is not None
    } == sources


SECTION = "kind: Piece\nplace: zone\nsource: {assumed: x}\n"
GRID = (
    "hexes:\n  kind: Zone\n  borders: Border\n  source: {assumed: x}\n  sources: {SOURCE: {text:"
    " '1'}}\n  letters: {c: {ground: clear}}\n  rows: [c c]\n  sides: {open: {wall: false}}\n "
    " joined: {cc: open}\n  members: {a1: {label: Here, sources: {OWN: {text: '2'}}}}\n"
)


@pytest.mark.parametrize(
    ("file", "words", "told"),
    [
        (
            "data",
            "source: {text: '1'}\nsources: {lsat: {text: '2'}}\nfixed: {last: 3}\n",
            "did you mean 'last'?",
        ),
        (
            "data",
            "source: {text: '1'}\nsources: {turns: {text: '2'}}\n",
            "give a value 'turns' here",
        ),
        (
            "data",
            (
                "source: {text: '1'}\nsources: {points.green: {text: '2'}}\nfixed: {points: {red:"
                " 3}}\n"
            ),
            "did you mean",
        ),
        (
            "data",
            (
                "source: {text: '1'}\nsources: {points.red: {text: '2'}, last: {text: '3'}}\nfixed:"
                " {points: {red: 3}, last: 4}\n"
            ),
            "",
        ),
        (
            "data",
            "source: {text: '1'}\nsources: {points: {text: '2'}}\nfixed: {points.red: 3}\n",
            "",
        ),
        (
            "pieces",
            SECTION + "sources: {frnt: {text: '2'}}\nmembers: {a: {front: 4}}\n",
            "did you mean 'front'?",
        ),
        (
            "pieces",
            SECTION + "sources: {front: {text: '2'}}\nmembers: {a: {front: 4}, b: {}}\n",
            "",
        ),
        (
            "pieces",
            SECTION + "sources: {front: {text: '2'}}\neach: {front: 4}\nmembers: [a, b]\n",
            "",
        ),
        (
            "pieces",
            SECTION + "members: {a: {front: 4, sources: {owner: {text: '3'}}}}\n",
            "give an attribute 'owner' here",
        ),
        (
            "pieces",
            SECTION
            + "each: {owner: red}\nmembers: {a: {front: 4, label: A, sources: {owner: {text: '3'},"
            " label: {text: '4'}}}}\n",
            "",
        ),
        (
            "map",
            MAP.replace("label: The bay", "label: The bay, sources: {lable: {text: '1'}}"),
            "did you mean 'label'?",
        ),
        (
            "map",
            MAP.replace(
                "{between: [A, B]}",
                "{between: [A, B], sources: {between: {text: '1'}, wall: {text: '2'}}}",
            ),
            "give an attribute 'wall'",
        ),
        ("map", GRID.replace("SOURCE", "wall").replace("OWN", "ground"), ""),
        ("map", GRID.replace("SOURCE", "wal").replace("OWN", "ground"), "'wall'?"),
        (
            "map",
            GRID.replace("SOURCE", "ground").replace("OWN", "wall"),
            "give an attribute 'wall'",
        ),
        (
            "overlays/a",
            "sources: {last: {text: '2'}}\nfixed: {points.red: {}}\n",
            "give a correction of 'last' here",
        ),
        (
            "overlays/a",
            (
                "source: {text: '1'}\nmembers: {blue.C1: {owner: red, sources: {front: {text:"
                " '3'}}}}\n"
            ),
            "give a correction of 'front'",
        ),
    ],
)
def test_what_says_where_it_comes_from_is_given(
    tmp_path: Path, file: str, words: str, told: str
) -> None:
    folder, sink = write(tmp_path, **{file.replace("/", "__"): words}), Sink()
    read_game(folder, sink, [folder / f"{file}.yaml"] if "/" in file else [])
    found = [d.help for d in sink.in_order() if d.code == "RK149"]
    assert len(found) == bool(told) and all(told in help for help in found), sink.found


@pytest.mark.docs("data-files#where-a-datum-comes-from")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  kind: Zone\n  source: {assumed: x}\n", "  kind: Zone\n"),
        ("  kind: Border\n  source: {assumed: x}\n", "  kind: Border\n"),
    ],
)
def test_places_and_borders_have_a_source(tmp_path: Path, old: str, new: str) -> None:
    assert set(read(write(tmp_path, map=MAP.replace(old, new)))[1]) == {"RK601"}


@pytest.mark.docs("data-files#where-a-datum-comes-from")
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("source: {text: '1'}\nfixed: {last: 3}\n", []),
        ("sources: {last: {derived: x}}\nfixed: {last: 3}\n", []),
        ("fixed: {last: 3}\n", ["RK601"]),
        ("sources: {other: {derived: x}}\nfixed: {last: 3}\n", ["RK149", "RK601"]),
    ],
)
def test_a_fixed_value_has_a_source(tmp_path: Path, text: str, codes: list[str]) -> None:
    assert read(write(tmp_path, data=text))[1] == codes


@pytest.mark.docs("data-files#where-a-datum-comes-from")
def test_a_source_is_one_of_three(tmp_path: Path) -> None:
    assert read(write(tmp_path, pieces=PIECES.replace('{text: "2.1"}', "{said: x}")))[1]
    assert read(write(tmp_path, pieces=PIECES.replace('{text: "2.1"}', "{text: a, derived: b}")))[
        1
    ] == ["RK124"]
    assert count_sources(sound(write(tmp_path))) == {"text": 5, "derived": 0, "assumed": 7}


# ------------------------------------------------------------------------------------- the manifest
@pytest.mark.docs("data-files#the-manifest")
@pytest.mark.parametrize(
    ("keys", "won", "greedy"),
    [
        ({}, "vp", "vp"),
        ({"victory_total": "worth"}, "worth", "worth"),
        ({"greedy": "worth"}, "vp", "worth"),
        ({"greedy": "pure", "victory_total": "worth"}, "worth", "pure"),
    ],
)
def test_the_manifest_names_the_totals_of_victory_and_of_the_greedy_seat(
    keys: dict[str, str], won: str, greedy: str
) -> None:
    state: Any = SimpleNamespace(
        table=SimpleNamespace(program=SimpleNamespace(info={"manifest": keys}))
    )
    assert (victory_total(state), greedy_total(state)) == (won, greedy)


WON = """unit VP
kind Side decides = red | blue
state points(s: Side): 0..9 VP
total vp(s: Side): VP
  base points(s)
total worth(s: Side): int
  base 7
phase main
  choose by red
    option lose
      points(red) := 1
    option gain
      points(red) := 5
    option stay
      points(red) := 2
  choose by blue
    option end
      points(blue) := 0
    option last
      points(blue) := 0
  finish red, win
"""


def test_the_total_of_the_greedy_seat_may_have_a_unit(tmp_path: Path) -> None:
    write(
        tmp_path,
        map="places: {kind: Side, source: '1', members: {}}\n",
        pieces="kind: Side\nsource: '1'\nmembers: {}\n",
    )
    (tmp_path / "game.rules").write_text(WON)
    state = rulekit.load(tmp_path).new(seed=1)
    assert {
        state.table.book.option(rulekit.make_agent("greedy", state, seed).choose(state)).key
        for seed in range(5)
    } == {"gain"}


BET = """kind Side decides = red | blue
kind Card = c1 | c2 | c3 | c4 | c5 | c6
state points(s: Side): 0..9 seen by none
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
total vp(s: Side): int
  base points(s)
setup
  draw 1 from deck to hand(blue)
phase main
  choose by red
    option sure
      points(red) := 8
    option BET
  choose by blue
    option end
      points(blue) := 0
    option last
      points(blue) := 0
  finish red, win
"""
DICE = "bet(n: 1..6)\n      roll d = d6 by red for luck\n      points(red) := 9 when d = n"
CARDS = "bet(c: Card)\n      points(red) := 9 when c in hand(blue)"


@pytest.mark.parametrize("bet", [DICE, CARDS], ids=["dice", "cards"])
def test_the_greedy_seat_knows_neither_what_will_be_rolled_nor_what_others_hold(
    tmp_path: Path, bet: str
) -> None:
    """It does not bet on one of six for a little more, though one of the bets will win."""
    write(
        tmp_path,
        map="places: {kind: Side, source: '1', members: {}}\n",
        pieces="kind: Side\nsource: '1'\nmembers: {}\n",
    )
    (tmp_path / "game.rules").write_text(BET.replace("BET", bet))
    state = rulekit.load(tmp_path).new(seed=1)
    assert {
        state.table.book.option(rulekit.make_agent("greedy", state, seed).choose(state)).key
        for seed in range(4)
    } == {"sure"}


@pytest.mark.parametrize(
    ("keys", "said"), [("", "red 5, blue 0"), ("victory_total: worth\n", "red 7, blue 7")]
)
def test_the_total_of_victory_is_shown_at_the_end(
    tmp_path: Path, keys: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        game=MANIFEST + keys + "greedy: vp\n",
        map="places: {kind: Side, source: '1', members: {}}\n",
        pieces="kind: Side\nsource: '1'\nmembers: {}\n",
    )
    (tmp_path / "game.rules").write_text(WON)
    assert main(["play", str(tmp_path), "--seat", "greedy", "--seed", "1"]) == 0
    assert said in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.docs("python#python")
def test_a_library_may_be_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes from a package, or with rulekit itself."""
    package, bundle = tmp_path / "site" / "wargames", tmp_path / "bundle"
    for place in (package / "below" / "ancients", bundle / "naval"):
        place.mkdir(parents=True)
        (place / "game.yaml").write_text(MANIFEST.replace("game", "library", 1))
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(
        locate, "_entry_points", lambda: [("ancients", "wargames", "below/ancients")]
    )
    monkeypatch.setattr(locate, "_bundles", lambda: [bundle])
    (tmp_path / "mine").mkdir()
    sound(write(tmp_path / "mine", game=MANIFEST + "uses: [ancients, naval]\n"))
    assert read(write(tmp_path / "mine", game=MANIFEST + "uses: [other]\n"))[1] == ["RK142"]


# ----------------------------------------------------------------------------------------- sections
def members(folder: Path, kind: str) -> dict[str, dict[str, Any]]:
    return {
        m.id: {k: v.plain() for k, v in m.values.items()}
        for k in sound(folder).kinds
        if k.kind == kind
        for m in k.members
    }


def test_each_holds_for_all_members_that_do_not_say_otherwise(tmp_path: Path) -> None:
    text = (
        "kind: Piece\nplace: zone\nsource: {text: '1'}\neach: {owner: red, front: 3}\nmembers: {a:"
        " {}, b: {front: 5}, c: {owner: blue}}\n"
    )
    assert members(write(tmp_path, pieces=text), "Piece") == {
        "a": {"owner": "red", "front": 3},
        "b": {"owner": "red", "front": 5},
        "c": {"owner": "blue", "front": 3},
    }


@pytest.mark.docs("data-files#map-pieces-things")
def test_what_is_for_drawing_and_the_label_are_no_attributes(tmp_path: Path) -> None:
    text = MAP.replace("at: [0, 0],", "at: [0, 0], inset: [0, 9], shape: box,").replace(
        "[A, B]}", "[A, B], via: [[2, 1]], wall: true}"
    )
    folder = write(tmp_path, map=text)
    assert members(folder, "Zone") == {"A": {}, "B": {}, "C": {}}
    assert members(folder, "Border") == {
        "A-B": {"between": ["A", "B"], "wall": True},
        "ford": {"between": ["B", "C"]},
    }
    source = sound(folder)
    assert source.geometry["A"] == {
        "at": [0, 0],
        "inset": [0, 9],
        "shape": "box",
    } and source.geometry["A-B"] == {"via": [[2, 1]]}


def test_a_border_leads_both_ways_unless_it_says_one_way(tmp_path: Path) -> None:
    """`one_way` leads from the first place only. The name of a border consists of its places in
    order."""
    rules = RULES.replace("z: Zone)\n", "z: Zone)\n      when z in p.zone.within(1, Border)\n")
    folder = write(tmp_path)
    (folder / "game.rules").write_text(rules)
    state = rulekit.load(folder).new(seed=1)
    for at, reached in (("A", {"A", "B"}), ("B", {"A", "B", "C"}), ("C", {"C"})):
        state.set("zone.red.H1", at)
        found = {
            option.params["z"]
            for option in state.decision.options
            if option.params.get("p") == "red.H1"
        }
        assert found == reached, at


@pytest.mark.parametrize(
    ("one", "other", "codes"),
    [
        ("one_way: true, wall: true", "one_way: true", []),
        ("one_way: true", "one_way: true, wall: true", []),
        ("one_way: true, wall: true", "", []),
        ("wall: true", "one_way: true", []),
        ("one_way: true, label: Up", "one_way: true, label: Down", []),
        ("one_way: true", "one_way: true", ["RK683"]),
        ("one_way: true, wall: true", "one_way: true, wall: true", ["RK683"]),
        ("one_way: true", "one_way: true, wall: false", ["RK683"]),
        ("", "one_way: true", ["RK683"]),
        ("one_way: true", "", ["RK683"]),
    ],
)
def test_two_borders_of_which_one_leads_one_way_are_wanted_where_they_differ(
    tmp_path: Path, one: str, other: str, codes: list[str]
) -> None:
    text = MAP.replace(
        "{between: [A, B]}", f"{{between: [A, B], {one}}}, {{between: [B, A], {other}}}"
    )
    folder = write(tmp_path, map=text)
    assert [d.code for d in Loader(folder).findings()] == codes


@pytest.mark.parametrize(
    ("place", "listed", "codes"),
    [
        ("A", "[B]", []),
        ("A", "[]", ["RK682"]),
        ("A", "[B, C]", ["RK682"]),
        ("A", "[C]", ["RK682", "RK682"]),
        ("B", "[C, A]", []),
        ("C", "[B]", []),
        ("C", "[]", ["RK682"]),
    ],
)
def test_neighbours_that_are_given_are_those_of_the_borders(
    tmp_path: Path, place: str, listed: str, codes: list[str]
) -> None:
    text = MAP.replace(f"{place}: {{at:", f"{place}: {{neighbours: {listed}, at:")
    assert text != MAP and read(write(tmp_path, map=text))[1] == codes


def test_a_place_without_borders_is_told_unless_it_says_that_it_lies_apart(tmp_path: Path) -> None:
    for more, codes in (
        (", D: {at: [0, 8]}", ["RK680"]),
        (", D: {at: [0, 8], neighbours: []}", []),
    ):
        assert (
            read(write(tmp_path, map=MAP.replace("C: {at: [8, 0]}", "C: {at: [8, 0]}" + more)))[1]
            == codes
        )


# --------------------------------------------------------------------------- pieces, places, things
@pytest.mark.docs("data-files#pieces")
def test_a_piece_is_called_by_its_id_where_that_is_clear(tmp_path: Path) -> None:
    state = rulekit.load(write(tmp_path)).new(seed=1)
    state.set("zone.C1", "A")
    assert state.get("zone.blue.C1") == "A"
    with pytest.raises(rulekit.RulekitError):
        state.set("zone.H1", "A")
    state.set("zone.red.H1", "B")
    assert (state.get("zone.red.H1"), state.get("zone.blue.H1")) == ("B", None)


SORTS = """kind Flag = f1 | f2
  state at: Zone?
kind Box = b1 | b2
kind Chit
  state box: Box?
kind Mood = low | high
"""


@pytest.mark.docs("data-files#pieces")
def test_for_frontends_pieces_are_what_the_data_place_and_places_what_they_stand_on_or_borders_join(
    tmp_path: Path,
) -> None:
    folder = write(
        tmp_path, things="kind: Chit\nplace: box\nsource: {text: '1'}\nmembers: {c1: {}}\n"
    )
    (folder / "game.rules").write_text(RULES.replace("phase main", SORTS + "phase main"))
    sheet = sheet_of(rulekit.load(folder).new(seed=1).names)
    assert {kind.name: kind.sort for kind in sheet.kinds} == {
        "Side": "side",
        "Zone": "place",
        "Border": "border",
        "Piece": "piece",
        "Flag": "thing",
        "Box": "place",
        "Chit": "piece",
        "Mood": "thing",
    }


@pytest.mark.docs("data-files#pieces")
def test_on_the_board_stands_a_label_of_one_word_or_else_the_id(tmp_path: Path) -> None:
    text = (
        PIECES.replace("red.H1: {", "red.H1: {label: First,")
        .replace("blue.C1: {", "blue.C1: {label: The second,")
        .replace("members: {", "members: {red.C1: {owner: red},")
    )
    state = rulekit.load(write(tmp_path, pieces=text)).new(seed=1)
    screen = Screen(state, 0)
    kind = state.names.kind("Piece")
    ids = state.table.program.kinds[kind].members
    assert {id: screen.short(kind, i) for i, id in enumerate(ids)} == {
        "red.C1": "red.C1",
        "red.H1": "First",
        "blue.H1": "blue.H1",
        "blue.C1": "C1",
    }


# ----------------------------------------------------------------------------------------- checking
@pytest.mark.docs("diagnostics#diagnostics")
def test_a_game_with_warnings_only_is_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)
    for line, code, level in (
        ("unit PA\n", 0, "warning[RK515]"),
        ("state x: Sid\n", 1, "error[RK301]"),
    ):
        (tmp_path / "game.rules").write_text(line + RULES)
        assert main(["check", str(tmp_path)]) == code
        assert level in capsys.readouterr().out
        assert main(["check", "--strict", str(tmp_path)]) == 1


def test_what_was_found_sound_is_looked_at_again_when_a_file_has_changed(tmp_path: Path) -> None:
    """A warning is reported each time."""
    write(tmp_path)
    assert Loader(tmp_path).findings() == [] == Loader(tmp_path).findings()
    (tmp_path / "game.rules").write_text("unit PA\n" + RULES)
    for _ in range(2):
        assert [d.code for d in Loader(tmp_path).findings()] == ["RK515"]
    (tmp_path / "game.rules").write_text(RULES)
    (tmp_path / "situations").mkdir()
    (tmp_path / "situations" / "a.yaml").write_text("- name: a\n  thn: []\n")
    assert [d.code for d in Loader(tmp_path).findings()]
