"""Precedence of data files: overlays and their order, the game over its libraries, a member over
its section, scenarios, editions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import GameSource, Provenance
from rulekit.project.loader import Loader

MANIFEST = 'rulekit: {kind}\nname: {name}\ntitle: {name}\nversion: "1"\nlanguage: 1\n'
RULES = """kind Side decides = red | blue
kind Zone
  fixed rough: bool
  fixed depth: 0..9
  fixed cold: -5..-1
kind Border joins Zone
kind Piece
  fixed owner: Side
  fixed front: 1..9
  fixed back: 0..9 = 0
  fixed low: -5..5 = 0
  fixed mate: Piece?
  fixed ways: set Zone
  state zone: Zone?
  state weak: bool
  state strength: 1..9 = 5
fixed area(s: Side): set Zone
fixed last_turn: 1..20
fixed rate(n: 2..4): 1..9 = 3
fixed bonus(s: Side): 1..9
state turn: 1..20 = 3
state points(s: Side): 0..9
state open(z: Zone): bool
state tide(n: 2..4): 0..9
phase main
  choose by red
    option stay
      return
  finish red, win
define held: bool = tie is kept
define length: 1..20 = last_turn
"""
FILES = {
    "game.yaml": (
        MANIFEST.format(kind="game", name="mine")
        + "default_scenario: dawn\neditions: {first: {tie: lost, odd: yes_it_is}, none_of_it: {}}\n"
    ),
    "game.rules": RULES,
    "map.yaml": (
        "places:\n  kind: Zone\n  source: {assumed: x}\n  each: {depth: 2, cold: -2}\n  members:"
        " {A: {at: [0, 0]}, B: {rough: true}, C: {depth: 0, label: Bay}}\nborders: {kind: Border,"
        " source: {assumed: x}, members: [{between: [A, B]}, {between: [B, C]}]}\n"
    ),
    "pieces.yaml": (
        "- kind: Piece\n  place: zone\n  source: {assumed: size}\n  sources: {front: {text: '2'},"
        " back: {derived: half}}\n  each: {owner: red, front: 3}\n  members:\n    red.H1: {back:"
        " 1}\n    red.H2: {front: 5, source: {assumed: own}}\n    red.H3: {sources: {front:"
        " {assumed: own}}}\n- kind: Piece\n  place: zone\n  source: {text: '3'}\n  members:\n   "
        " blue.G1: {owner: blue, front: 9, mate: H2, ways: [A, C], low: -5}\n"
    ),
    "data.yaml": (
        "source: {assumed: all}\nsources: {last_turn: {text: '8'}, bonus: {derived: b}, bonus.red:"
        " {text: r}}\nfixed: {last_turn: 4, bonus: {red: 2, blue: 3}, bonus.red: 5, area.red: [A],"
        " area.blue: []}\n".replace(", bonus.red: 5", "")
    ),
    "rulings.yaml": (
        "- {id: tie, question: q, alternatives: {kept: k, lost: l}, default: lost, reason: r}\n-"
        " {id: odd, question: q, alternatives: {yes_it_is: y, not_so: n}, default: not_so, reason:"
        " r}\n- {id: on_record, question: q, reason: r, default: so}\n"
    ),
    "scenarios/dawn.yaml": (
        "title: At dawn\nset: {turn: 4, points: {red: 2}}\ndeploy: {A: H1, B: [red.H2, {H3: {weak:"
        " true, strength: 1}, blue.G1: {zone: C}}]}\nrulings: {tie: kept}\n"
    ),
    "scenarios/z.yaml": (
        "name: dusk\nset: {points.red: 1, open: [A, C], tide.2-3: 7, points.blue: 9}\n"
    ),
}


def folder(at: Path, name: str = "mine", **changed: str) -> Path:
    """Write the game with some other files: `data="..."` is data.yaml, and `scenarios__z="..."` is
    scenarios/z.yaml."""
    texts = FILES | {f"{file.replace('__', '/')}.yaml": text for file, text in changed.items()}
    for file, text in texts.items():
        path = at / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return at / name


def read(at: Path, *overlays: str) -> tuple[GameSource, list[str]]:
    """Read the folder with overlays of these texts. Return the source and the codes of the
    findings."""
    paths = [at / f"over{i}.yaml" for i in range(len(overlays))]
    for path, text in zip(paths, overlays, strict=True):
        path.write_text(text, encoding="utf-8")
    sink = Sink()
    source = read_game(at, sink, paths)
    assert source is not None
    return source, [d.code for d in sink.in_order()]


def piece(source: GameSource, name: str, attribute: str) -> tuple[Any, str, str]:
    """Return a value with the kind and the words of its source."""
    found = next(m for k in source.kinds for m in k.members if m.id == name)
    origin = found.sources.get(attribute, found.sources.get(""))
    assert origin is not None
    return found.values[attribute].value, origin.kind, origin.note


# ------------------------------------------------------------------------- a member and its section
@pytest.mark.parametrize(
    ("name", "attribute", "told"),
    [
        ("red.H1", "owner", ("red", "assumed", "size")),
        ("red.H1", "front", (3, "text", "2")),
        ("red.H1", "back", (1, "derived", "half")),
        ("red.H2", "front", (5, "assumed", "own")),
        ("red.H2", "owner", ("red", "assumed", "own")),
        ("red.H3", "front", (3, "assumed", "own")),
        ("red.H3", "owner", ("red", "assumed", "size")),
        ("blue.G1", "front", (9, "text", "3")),
        ("A", "depth", (2, "assumed", "x")),
        ("C", "depth", (0, "assumed", "x")),
    ],
)
def test_what_a_member_says_counts_before_its_section(
    tmp_path: Path, name: str, attribute: str, told: tuple[Any, str, str]
) -> None:
    """This holds for values and sources. The order is: the attribute, the member, the attribute in
    the section, the section."""
    source, found = read(folder(tmp_path))
    assert not found and piece(source, name, attribute) == told


def test_a_source_of_the_section_is_of_those_that_have_the_attribute(tmp_path: Path) -> None:
    source, _ = read(folder(tmp_path))
    assert (
        "back" not in next(m for k in source.kinds for m in k.members if m.id == "red.H3").sources
    )


def test_fixed_values_have_the_source_that_is_nearest(tmp_path: Path) -> None:
    """It is that of the key, of all keys, or of the file."""
    source, found = read(folder(tmp_path))
    assert not found
    assert {k: (v.kind, v.note) for k, v in source.fixed_sources.items()} == {
        "last_turn": ("text", "8"),
        "bonus.red": ("text", "r"),
        "bonus.blue": ("derived", "b"),
        "area.red": ("assumed", "all"),
        "area.blue": ("assumed", "all"),
    }
    source, found = read(
        folder(
            tmp_path,
            data=FILES["data.yaml"].replace(
                "bonus: {red: 2, blue: 3}", "bonus.red: 2, bonus.blue: 3"
            ),
        )
    )
    assert not found
    assert (source.fixed_sources["bonus.red"], source.fixed_sources["bonus.blue"]) == (
        Provenance("text", "r"),
        Provenance("derived", "b"),
    )


# ----------------------------------------------------------------------------------------- overlays
@pytest.mark.parametrize(
    ("overlays", "name", "attribute", "told", "codes"),
    [
        (
            ["source: {assumed: mine}\nmembers: {red.H2: {front: 7}}"],
            "red.H2",
            "front",
            (7, "assumed", "mine"),
            [],
        ),
        (
            ["source: {assumed: mine}\nmembers: {red.H2: {front: 7, source: {text: seen}}}"],
            "red.H2",
            "front",
            (7, "text", "seen"),
            [],
        ),
        (
            [
                "source: {assumed: mine}\nmembers: {red.H2: {front: 7, back: 1, source: {text:"
                " seen}, sources: {front: {derived: so}}}}"
            ],
            "red.H2",
            "front",
            (7, "derived", "so"),
            [],
        ),
        (
            ["source: {assumed: mine}\nmembers: {red.H2: {back: 6}}"],
            "red.H2",
            "back",
            (6, "assumed", "mine"),
            [],
        ),  # the base section has this attribute for other members
        (
            ["source: {assumed: mine}\nmembers: {red.H2: {mate: H1}}"],
            "red.H2",
            "mate",
            ("H1", "assumed", "mine"),
            [],
        ),  # another section has the attribute
        (
            ["source: {assumed: mine}\nmembers: {red.H1: {front: 7}}"],
            "red.H1",
            "front",
            (7, "assumed", "mine"),
            ["RK623"],
        ),  # the section has a text as source
        (
            ["source: {assumed: mine}\nmembers: {blue.G1: {front: 7}}"],
            "blue.G1",
            "front",
            (7, "assumed", "mine"),
            ["RK623"],
        ),
        (
            ["source: {assumed: mine}\nmembers: {red.H1: {back: 7}}"],
            "red.H1",
            "back",
            (7, "assumed", "mine"),
            [],
        ),  # derived
        (
            ["source: {assumed: mine}\nmembers: {red.H3: {front: 7}}"],
            "red.H3",
            "front",
            (7, "assumed", "mine"),
            [],
        ),  # the replaced value is assumed too
        (["members: {red.H2: {front: 7}}"], "red.H2", "front", (5, "assumed", "own"), ["RK601"]),
        (
            ["source: {assumed: mine}\nmembers: {red.H2: {size: 7}}"],
            "red.H2",
            "front",
            (5, "assumed", "own"),
            ["RK622"],
        ),
        (
            ["source: {assumed: mine}\nmembers: {red.H9: {front: 7}}"],
            "red.H2",
            "front",
            (5, "assumed", "own"),
            ["RK621"],
        ),
        (
            [
                "source: {assumed: one}\nmembers: {red.H2: {front: 7}}",
                "source: {assumed: two}\nmembers: {red.H2: {front: 8}}",
            ],
            "red.H2",
            "front",
            (8, "assumed", "two"),
            [],
        ),
        (
            [
                "source: {assumed: one}\nmembers: {red.H2: {front: 7}}",
                "source: {assumed: two}\nmembers: {red.H2: {owner: blue}}",
            ],
            "red.H2",
            "front",
            (7, "assumed", "one"),
            [],
        ),
        (
            [
                "source: {text: sheet}\nmembers: {red.H2: {front: 7}}",
                "source: {assumed: two}\nmembers: {red.H2: {front: 8}}",
            ],
            "red.H2",
            "front",
            (8, "assumed", "two"),
            ["RK623"],
        ),
    ],
)
def test_an_overlay_corrects_a_value_with_its_source(
    tmp_path: Path,
    overlays: list[str],
    name: str,
    attribute: str,
    told: tuple[Any, str, str],
    codes: list[str],
) -> None:
    """The nearest source and the last overlay apply. A correction of the rule book causes a
    warning."""
    source, found = read(folder(tmp_path), *overlays)
    assert (piece(source, name, attribute), found) == (told, codes)


def test_an_overlay_leaves_alone_what_it_does_not_name(tmp_path: Path) -> None:
    """Labels and geometry are corrected separately. The ends of a border cannot be corrected."""
    source, found = read(
        folder(tmp_path),
        "source: {assumed: m}\nmembers: {A: {at: [1, 1], label: Hill}, B: {rough: false}}",
    )
    zones = {
        m.id: (m.label, {k: v.value for k, v in m.values.items()}) for m in source.kinds[0].members
    }
    assert found == []
    assert zones == {
        "A": ("Hill", {"depth": 2, "cold": -2}),
        "B": (None, {"depth": 2, "cold": -2, "rough": False}),
        "C": ("Bay", {"depth": 0, "cold": -2}),
    }
    assert source.geometry["A"]["at"] == [1, 1]
    _, found = read(folder(tmp_path), "source: {assumed: m}\nmembers: {A-B: {between: [A, C]}}")
    assert found in (["RK622"], ["RK120"]), found


@pytest.mark.parametrize(
    ("overlay", "values", "codes"),
    [
        ("source: {assumed: m}\nfixed: {last_turn: 9}", {"last_turn": (9, "m")}, []),
        (
            "source: {assumed: m}\nfixed: {bonus: {red: 9}}",
            {"bonus.red": (9, "m"), "bonus.blue": (3, "b")},
            [],
        ),
        (
            "source: {assumed: m}\nsources: {bonus: {text: n}}\nfixed: {bonus: {red: 9, blue: 8}}",
            {"bonus.red": (9, "n"), "bonus.blue": (8, "n")},
            [],
        ),
        (
            (
                "source: {assumed: m}\nsources: {bonus.red: {text: n}}\nfixed: {bonus: {red: 9,"
                " blue: 8}}"
            ),
            {"bonus.red": (9, "n"), "bonus.blue": (8, "m")},
            [],
        ),
        ("fixed: {last_turn: 9}", {"last_turn": (4, "8")}, ["RK601"]),
        ("source: {assumed: m}\nfixed: {rate.2: 9}", {"last_turn": (4, "8")}, ["RK622"]),
    ],
)
def test_an_overlay_corrects_fixed_values_that_the_data_give(
    tmp_path: Path, overlay: str, values: dict[str, tuple[int, str]], codes: list[str]
) -> None:
    source, found = read(folder(tmp_path), overlay)
    assert found == codes
    assert {
        key: (source.fixed[key].value, source.fixed_sources[key].note) for key in values
    } == values


def test_a_corrected_value_is_that_of_the_game(tmp_path: Path) -> None:
    """Its range is checked as usual."""
    at = folder(tmp_path)
    (at / "good.yaml").write_text("source: {assumed: m}\nfixed: {last_turn: 9}\n")
    (at / "bad.yaml").write_text("source: {assumed: m}\nfixed: {last_turn: 21}\n")
    assert [
        rulekit.load(at, overlays=over).new().value_of("length")
        for over in ([], [at / "good.yaml"])
    ] == [4, 9]
    assert [d.code for d in Loader(at, [at / "bad.yaml"]).findings() if d.level == "error"] == [
        "RK636"
    ]


# ------------------------------------------------------------------------ a game over its libraries
LIBRARY = {
    "game.yaml": (
        MANIFEST.format(kind="library", name="base")
        + "default_scenario: noon\neditions: {first: {own: a}, second: {tie: kept, odd:"
        " not_so}}\nvictory_total: points\n"
    ),
    "base.rules": "library base 1\nkind Card\n",
    "rulings.yaml": (
        "- {id: odd, question: below, alternatives: {yes_it_is: y, never: n}, default: yes_it_is,"
        " reason: r}\n- {id: own, question: own, alternatives: {a: y, b: n}, default: b, reason:"
        " r}\n"
    ),
    "texts/en.yaml": "title: Below\noption.main.stay: Wait\n",
    "drawing.yaml": (
        "source: {assumed: x}\nsides: {red: {colour: '#111111', deep: '#222222'}, blue: {colour:"
        " '#333333'}}\nframe: [0, 0, 1, 1]\n"
    ),
}


def layered(at: Path) -> tuple[GameSource, list[str]]:
    for file, text in LIBRARY.items():
        (at / "base" / file).parent.mkdir(parents=True, exist_ok=True)
        (at / "base" / file).write_text(text, encoding="utf-8")
    return read(
        folder(
            at,
            game=FILES["game.yaml"] + "uses: [base]\n",
            texts__en="title: Above\n",
            drawing=(
                "source: {assumed: y}\nsides: {red: {colour: '#444444'}}\nframe: [0, 0, 2, 2]\n"
            ),
        )
    )


def test_what_the_game_says_counts_before_its_library(tmp_path: Path) -> None:
    """Texts and the drawing are merged key by key. Rulings and editions are replaced as a whole, at
    their old position. The manifest is not merged."""
    source, found = layered(tmp_path)
    assert found == []
    assert {k: v.value for k, v in source.texts["en"].items()} == {
        "title": "Above",
        "option.main.stay": "Wait",
    }
    assert source.shared_texts == {"title", "option.main.stay"}
    assert source.drawing is not None
    assert source.drawing.plain() == {
        "source": {"assumed": "y"},
        "frame": [0, 0, 2, 2],
        "sides": {"red": {"colour": "#444444", "deep": "#222222"}, "blue": {"colour": "#333333"}},
    }
    assert [(r.id, r.question, r.default) for r in source.rulings] == [
        ("odd", "q", "not_so"),
        ("own", "own", "b"),
        ("tie", "q", "lost"),
        ("on_record", "q", "so"),
    ]
    assert source.editions == {
        "first": {"tie": "lost", "odd": "yes_it_is"},
        "second": {"tie": "kept", "odd": "not_so"},
        "none_of_it": {},
    }
    assert source.manifest["default_scenario"] == "dawn" and "victory_total" not in source.manifest
    assert source.name == "mine"


def test_what_an_edition_of_a_library_chooses_must_be_there_too(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "game.yaml").write_text(
        LIBRARY["game.yaml"].replace("odd: not_so", "odd: perhaps")
    )
    (tmp_path / "base" / "base.rules").write_text("library base 1\n")
    assert read(folder(tmp_path, game=FILES["game.yaml"] + "uses: [base]\n"))[1] == [
        "RK608",
        "RK608",
    ]


# --------------------------------------------------------------------- scenarios, rulings, editions
@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    return rulekit.load(folder(tmp_path_factory.mktemp("layers")))


def values(state: rulekit.State, *paths: str) -> list[Any]:
    return [state.get(path) for path in paths]


def test_a_scenario_places_pieces_and_sets_states(mine: rulekit.Game) -> None:
    """There are one piece, several, and values of their states. An unambiguous short name suffices.
    The rest is as declared."""
    dawn = mine.new()
    assert values(dawn, "zone.red.H1", "zone.red.H2", "zone.red.H3", "zone.blue.G1") == [
        "A",
        "B",
        "B",
        "C",
    ]
    assert values(dawn, "weak.red.H3", "weak.red.H2", "strength.red.H3", "strength.red.H2") == [
        True,
        False,
        1,
        5,
    ]
    assert values(dawn, "turn", "points.red", "points.blue") == [4, 2, 0]
    dusk = mine.new("dusk")
    assert values(dusk, "zone.red.H1", "turn", "points.red", "points.blue") == [None, 3, 1, 9]
    assert values(dusk, "open.A", "open.B", "open.C") == [True, False, True]
    assert values(dusk, "tide.2", "tide.3", "tide.4") == [7, 7, 0]


@pytest.mark.parametrize(
    ("scenario", "rulings", "held"),
    [
        (None, {}, True),
        ("dusk", {}, False),
        ("dusk", {"tie": "kept"}, True),
        (None, {"tie": "lost"}, False),
    ],
)
def test_a_ruling_is_that_of_who_plays_else_of_the_scenario_else_its_default(
    mine: rulekit.Game, scenario: str | None, rulings: dict[str, str], held: bool
) -> None:
    assert mine.new(scenario, rulings=rulings).value_of("held") is held


@pytest.mark.parametrize(
    ("name", "told"), [("red.H1", (3, 1)), ("red.H2", (5, 0)), ("blue.G1", (9, 0))]
)
def test_what_is_left_out_is_what_the_kind_says_else_false_none_or_empty(
    mine: rulekit.Game, name: str, told: tuple[int, int]
) -> None:
    """A number may be left out only if its declaration has a value for it."""

    def fixed(attribute: str, of: str = name) -> Any:
        kind = next(k for k in mine.new().table.program.kinds if of in k.members)
        type, each = kind.fixed[attribute]
        return mine.new().names.value(type, each[kind.members.index(of)])

    assert (fixed("front"), fixed("back")) == told
    assert [fixed("low"), fixed("mate"), fixed("ways")] == (
        [-5, "red.H2", ["A", "C"]] if name == "blue.G1" else [0, None, []]
    )
    assert [fixed("rough", z) for z in "ABC"] == [False, True, False]


WRONG = {
    "a number that may be 0 and is left out": {"map": FILES["map.yaml"].replace("depth: 2, ", "")},
    "a number that may not be 0 and is left out": {
        "map": FILES["map.yaml"].replace(", cold: -2", "")
    },
    "a fixed value above its range": {
        "data": FILES["data.yaml"].replace("last_turn: 4", "last_turn: 21")
    },
    "a fixed value that is none": {
        "data": FILES["data.yaml"].replace("last_turn: 4", "last_turn: null")
    },
    "a fixed value that nobody gives": {"data": FILES["data.yaml"].replace("last_turn: 4, ", "")},
    "a number above its range": {"pieces": FILES["pieces.yaml"].replace("front: 9", "front: 10")},
    "a number below its range": {"pieces": FILES["pieces.yaml"].replace("low: -5", "low: -6")},
    "a value of a scenario above its range": {"scenarios__z": "name: dusk\nset: {turn: 21}\n"},
    "a value of a scenario below its range": {"scenarios__z": "name: dusk\nset: {turn: 0}\n"},
    "a value of a piece that is placed": {
        "scenarios__z": "name: dusk\ndeploy: {A: {blue.G1: {strength: 10}}}\n"
    },
    "a key outside of its range": {"scenarios__z": "name: dusk\nset: {tide.5: 1}\n"},
    "a key that begins outside of its range": {"scenarios__z": "name: dusk\nset: {tide.1-3: 1}\n"},
    "a set with something else": {"pieces": FILES["pieces.yaml"].replace("[A, C]", "[A, D]")},
    "none where there must be one": {
        "pieces": FILES["pieces.yaml"].replace("owner: blue", "owner: null")
    },
    "a number that may not be left out": {"pieces": FILES["pieces.yaml"].replace("front: 9, ", "")},
    "a short name that two have": {"pieces": FILES["pieces.yaml"].replace("blue.G1", "blue.H1")},
    "a piece placed twice": {"scenarios__z": "name: dusk\ndeploy: {A: [H2], B: [red.H2]}\n"},
    "a place set and deployed": {
        "scenarios__z": "name: dusk\nset: {zone.red.H2: A}\ndeploy: {A: [H2]}\n"
    },
    "a state set in two ways": {
        "scenarios__z": "name: dusk\nset: {points.red: 1, points: {red: 1}}\n"
    },
    "an alternative that is none": {"scenarios__z": "name: dusk\nrulings: {tie: kep}\n"},
    "a ruling without alternatives": {"scenarios__z": "name: dusk\nrulings: {on_record: so}\n"},
    "an edition with an alternative that is none": {
        "game": FILES["game.yaml"].replace("odd: yes_it_is", "odd: perhaps")
    },
    "a default that is no alternative": {
        "rulings": FILES["rulings.yaml"].replace("default: not_so", "default: perhaps")
    },
    "two scenarios of one name": {"scenarios__z": "name: dawn\n"},
}
CODES = [
    "RK632",
    "RK632",
    "RK636",
    "RK635",
    "RK662",
    "RK636",
    "RK636",
    "RK636",
    "RK636",
    "RK636",
    "RK633",
    "RK633",
    "RK633",
    "RK635",
    "RK632",
    "RK604",
    "RK605",
    "RK664",
    "RK603",
    "RK608",
    "RK608",
    "RK608",
    "RK608",
    "RK609",
]


@pytest.mark.parametrize(("what", "code"), list(zip(WRONG, CODES, strict=True)))
def test_what_does_not_fit_is_told(tmp_path: Path, what: str, code: str) -> None:
    at = folder(tmp_path, **WRONG[what])
    assert sorted({d.code for d in Loader(at).findings() if d.level == "error"}) == [code]
