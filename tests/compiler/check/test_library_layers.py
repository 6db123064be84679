"""Rules over rules: clauses of a game take precedence over those of its libraries, in any order."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.check import check
from rulekit.compiler.reference.interpreter import Reference
from rulekit.compiler.source.game_source import GameSource, RulesText

LIBRARY = """library base 1
kind Side decides = red | blue
state got: 0..99
total might(n: 0..9): int
  base 5
  set alone 20 when n = 1
  set few 30 when n <= 2
  modifier hills +1
"""
GAME = """game layers 1
CLAUSE
phase main
  pick n from 0 .. 9 by red "how many"
  got := might(n)
  finish none, drawn
"""


def layered(clause: str) -> tuple[m.Model | None, Sink]:
    texts = {"base.rules": LIBRARY, "g.rules": GAME.replace("CLAUSE", clause)}
    rules = [
        RulesText(name, text, layer, name.split(".")[0])
        for layer, (name, text) in enumerate(texts.items())
    ]
    sink = Sink()
    return check(GameSource("layers", Path(), rules=rules, files=texts), sink), sink


@pytest.mark.docs("language#15-libraries-changes-by-name-rulings")
@pytest.mark.parametrize(
    ("clause", "n", "got"),
    [
        ("", 1, 21),
        ("", 2, 31),
        ("", 3, 6),
        ("set might.ours 40 when n = 1", 1, 41),
        ("set might.ours 40 when n < 9", 2, 41),
        ("set might.ours 40 when n = 1", 2, 31),
        ("modifier might.ours +2", 1, 23),
        ("drop might.alone", 1, 31),
        ("cancel might.few", 2, 6),
        ("drop might.hills", 3, 5),
        ("cancel might.hills when n = 3", 3, 5),
    ],
)
def test_a_game_adds_to_a_total_of_its_library_cancels_drops_and_goes_before_it(
    clause: str, n: int, got: int
) -> None:
    model, sink = layered(clause)
    assert model is not None and not sink.found, [d.message for d in sink.found]
    reference = Reference(model)
    reference.apply(n)
    assert reference.cells()["got"] == [got]


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        (
            "replace total might: int\n  base 1",
            "'might' has 1 parameters; its replacement must have the same",
        ),
        (
            "replace total might(n: 0..9, k: 0..9): int\n  base 1",
            "'might' has 1 parameters; its replacement must have the same",
        ),
        ("replace total night(n: 0..9): int\n  base 1", "there is no total 'night' to replace"),
        (
            "replace define might(n: 0..9): int = 1",
            "'might' is a total; a define cannot replace it",
        ),
    ],
)
def test_what_replaces_a_declaration_is_one_like_it(clause: str, message: str) -> None:
    _, sink = layered(clause)
    assert message in [d.message for d in sink.found if d.code == "RK309"]


SORTS = """library base 1
kind Side decides = red | blue
  fixed enemy: Side = red
kind Spot = s1 | s2
  fixed wet: bool = false
  define dry: bool = not wet
kind Road joins Spot
state got: 0..99
define worth(n: 0..9) = n + 1
define best(n: 0..9): int = 5
total might(n: 0..9): int
  base 5
permit may(n: 0..9)
  bar nay when n = 1 "no"
table loss(n: 1..2) -> att: 0..9, def: bool
  1 | 1 | true
  2 | 2 | false
procedure fight(n: 0..9)
  got += 10
phase rest
  got += 1
menu orders in main
action march(n: 0..1) in orders
  got := 1
action halt in orders
  got := 2
event hit
  got += 1
reaction cry after hit
  limit 1 per game
  got := 3
standing resign in main
  got := 4
movement walk_on(z: Spot)
  over Road r from a to b
  allowance 1
  cost 1
define all_of(n: 0..9): int = worth(n) * 10 + might(n)
"""
PLAYED = """game layers 1
CHANGE
phase main
  VALUE
  pick n from 0 .. 9 by red "how many"
  finish none, drawn
"""


def sorts(
    change: str, value: str = "got := 0", library: str = SORTS
) -> tuple[m.Model | None, list[str]]:
    texts = {
        "base.rules": library,
        "g.rules": PLAYED.replace("CHANGE", change).replace("VALUE", value),
    }
    rules = [
        RulesText(name, text, layer, name.split(".")[0])
        for layer, (name, text) in enumerate(texts.items())
    ]
    sink = Sink()
    model = check(GameSource("layers", Path(), rules=rules, files=texts), sink)
    return model, [f"{d.code} {d.message}" for d in sink.found if d.level == "error"]


@pytest.mark.docs("language#15-libraries-changes-by-name-rulings")
@pytest.mark.parametrize(
    ("change", "value", "got"),
    [
        ("replace define worth(n: 0..9) = n + 3", "got := all_of(1)", 45),
        (
            "replace define best(k: 0..9): int\n  = 7 when k > 3\n  = 8",
            "got := best(4) * 10 + best(1)",
            78,
        ),
        ("replace total might(n: 0..9): int\n  base 6", "got := all_of(1)", 26),
        (
            'replace permit may(n: 0..9)\n  bar nay when n = 2 "no"',
            "got := (2 if may(1) else 1) * 10 + (2 if may(2) else 1)",
            21,
        ),
        (
            "replace table loss(n: 1..2) -> att: 0..9, def: bool\n  1 | 3 | true\n  2 | 4 | true",
            "got := loss(1).att * 10 + loss(2).att",
            34,
        ),
        ("replace procedure fight(n: 0..9)\n  got += 2 * n", "fight(4)", 8),
        ("replace phase rest\n  got += 7", "rest", 7),
        ("replace define Spot.dry: bool = it = s2", "got := 3 when s2.dry and not s1.dry", 3),
        (
            (
                "extend kind Spot\n  fixed size: 0..9 = 4\n  state men: 0..9 = 3\n  define both:"
                " int = size * 10 + men"
            ),
            "got := s1.both",
            43,
        ),
        ("total more(n: 0..9): int\n  base might(n) + 1", "got := more(1)", 6),
        ("define fights: int = worth(1)", "got := fights", 2),
    ],
)
def test_what_a_game_puts_in_place_of_a_declaration_holds_wherever_it_is_used(
    change: str, value: str, got: int
) -> None:
    """This includes the library."""
    model, found = sorts(change, value)
    assert model is not None and not found, found
    assert Reference(model).cells()["got"] == [got]


@pytest.mark.docs("language#15-libraries-changes-by-name-rulings")
@pytest.mark.parametrize(
    ("change", "offered"),
    [
        ("", ["march", "march", "halt", "resign"]),
        ("drop halt", ["march", "march", "resign"]),
        ("drop resign", ["march", "march", "halt"]),
        (
            "replace action march(n: 0..1) in orders\n  when n = 1\n  got := 5",
            ["march", "halt", "resign"],
        ),
        ("replace standing resign in main\n  when got > 0\n  got := 5", ["march", "march", "halt"]),
        ("drop march\ndrop halt\naction run in orders\n  got := 5", ["run", "resign"]),
    ],
)
def test_an_action_is_dropped_or_replaced_by_its_name(change: str, offered: list[str]) -> None:
    model, found = sorts(change, 'choose by red from orders "what"')
    assert model is not None and not found, found
    decision = Reference(model).decision
    assert decision is not None and [o.family for o in decision.offers] == offered


@pytest.mark.parametrize(
    ("change", "got"),
    [
        ("", 3),
        ("replace reaction cry after hit\n  limit 1 per game\n  got := 8", 8),
        ("drop cry", 1),
    ],
)
def test_a_reaction_is_dropped_or_replaced_by_its_name(change: str, got: int) -> None:
    model, found = sorts(change, "hit")
    assert model is not None and not found, found
    reference = Reference(model)
    while reference.decision is not None:
        reference.apply(0)
    assert reference.cells()["got"] == [got]


def test_a_movement_is_replaced_by_its_name() -> None:
    model, found = sorts(
        "replace movement walk_on(z: Spot)\n  over Road r from a to b\n  allowance 4\n  cost 2"
    )
    assert model is not None and not found, found
    [movement] = model.movements
    assert isinstance(movement.allowance, m.Const) and movement.allowance.value == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("replace define best(n: 0..8): int = 1", "'best' takes n: 0..9, not 0..8"),
        ("replace define best(n: Side): int = 1", "'best' takes n: 0..9, not Side"),
        ("replace define best(n: 0..9): bool = true", "'best' gives int, not bool"),
        ("replace total might(n: 0..9): 0..9\n  base 1", "'might' gives int, not 0..9"),
        (
            'replace permit may(n: Spot)\n  bar nay when n = s1 "no"',
            "'may' takes n: 0..9, not Spot",
        ),
        (
            "replace table loss(n: 1..2) -> att: 0..9, def: 0..1\n  1 | 1 | 1\n  2 | 2 | 0",
            "'loss' gives def: bool, not 0..1",
        ),
        (
            "replace table loss(n: 1..2) -> att: 0..9\n  1 | 1\n  2 | 2",
            "'loss' gives att, def, not att",
        ),
        ("replace procedure fight(n: set Spot)\n  got += 1", "'fight' takes n: 0..9, not set Spot"),
        ("replace action march(n: 0..2) in orders\n  got := 1", "'march' takes n: 0..1, not 0..2"),
        (
            (
                "replace movement walk_on(z: Spot?)\n  over Road r from a to b\n  allowance 1\n "
                " cost 1"
            ),
            "'walk_on' takes z: Spot, not Spot?",
        ),
    ],
)
def test_what_replaces_a_declaration_takes_and_gives_the_same(change: str, message: str) -> None:
    _, found = sorts(change)
    assert [each for each in found if each.startswith("RK309")] == [
        f"RK309 {message}; its replacement must have the same"
    ]


@pytest.mark.parametrize(
    "change",
    [
        "define worth(n: 0..9) = n + 3",
        "total might(n: 0..9): int\n  base 6",
        'permit may(n: 0..9)\n  bar nay when n = 2 "no"',
        "table loss(n: 1..2) -> att: 0..9, def: bool\n  1 | 3 | true\n  2 | 4 | true",
        "procedure fight(n: 0..9)\n  got += 1",
        "phase rest\n  got += 7",
        "action halt in orders\n  got := 1",
        "reaction cry after hit\n  limit 1 per game\n  got := 8",
        "standing resign in main\n  got := 5",
        "movement walk_on(z: Spot)\n  over Road r from a to b\n  allowance 1\n  cost 1",
        "event hit\n  got += 2",
        "state got: 0..99",
        "kind Spot = s3",
        "modifier might.nine +1\nmodifier might.nine +2",
        "extend kind Spot\n  fixed wet: bool = true",
        "menu orders in main",
    ],
)
def test_a_second_declaration_of_a_name_is_an_error(change: str) -> None:
    """This holds also for a name of a library, which only `replace` replaces."""
    _, found = sorts(change)
    assert [each[:5] for each in found] == ["RK303"], found


REQUIRED = """library base 1
unit VP
kind Side decides
  fixed enemy: Side
kind Rank ordered needs low, high
state held(s: Side): Rank
needs define worth(s: Side): VP
needs define rounds: int
needs procedure finale(s: Side)
total score(s: Side): VP
  base worth(s)
  modifier high +2 when held(s) is high
  modifier late -1 when rounds >= 3
state got: 0..99
phase day(s: Side)
  finale(s)
  got += 1 when score(s) > 3 VP
"""
FILLED = {
    "side": "members Side = red(blue) | blue(red)",
    "rank": "members Rank = low | middle | high",
    "worth": "define worth(s: Side): VP = 3 VP",
    "rounds": "define rounds: int = 3",
    "finale": "procedure finale(s: Side)\n  held(s) := high",
}


def filled(**other: str) -> list[str]:
    return sorts(
        "\n".join(text for text in (FILLED | other).values() if text),
        "each s in Side\n    day(s)",
        REQUIRED,
    )[1]


@pytest.mark.docs("language#15-libraries-changes-by-name-rulings")
def test_a_game_declares_the_needs_of_its_library() -> None:
    assert filled() == []
    model, _ = sorts("\n".join(FILLED.values()), "each s in Side\n    day(s)", REQUIRED)
    assert model is not None and Reference(model).cells()["got"] == [2]


@pytest.mark.docs("language#15-libraries-changes-by-name-rulings")
@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"worth": ""}, "the library needs a define 'worth', but the game does not declare it"),
        ({"rounds": ""}, "the library needs a define 'rounds'"),
        ({"finale": ""}, "the library needs a procedure 'finale'"),
        (
            {"worth": "total worth(s: Side): VP\n  base 3"},
            "the library needs 'worth' to be a define",
        ),
        (
            {"rounds": "define rounds(s: Side): int = 3"},
            "the library needs 'rounds' with 0 parameters",
        ),
        ({"rank": "members Rank = low | middle"}, "high"),
    ],
)
def test_a_need_that_is_not_declared_is_reported(other: dict[str, str], message: str) -> None:
    found = filled(**other)
    assert [each[:5] for each in found] == ["RK310"] and message in found[0], found


@pytest.mark.docs("language#15-libraries-changes-by-name-rulings")
def test_a_kind_that_is_left_open_must_get_the_members_that_its_library_names() -> None:
    assert filled(rank="") == [
        f"RK310 the library needs Rank to have a member '{name}'" for name in ("low", "high")
    ]


@pytest.mark.parametrize(
    ("clause", "message", "help"),
    [
        (
            "total might(n: 0..9): int\n  base 1",
            "'might' is declared twice (first as a total at base.rules:4:1)",
            "write 'replace total might'",
        ),
        (
            "define might(n: 0..9): int = 1",
            "'might' is declared twice",
            "give this one another name",
        ),
        ("state got: 0..9", "'got' is declared twice", "a state of a library cannot be replaced"),
        (
            "define mine = 1\ndefine mine = 2",
            "'mine' is declared twice",
            "give one of them another name",
        ),
        ("replace total might(n: 0..9): int\n  base 1", "", ""),
        ("define mine = 1", "", ""),
    ],
)
def test_a_name_of_a_library_is_replaced_by_that_word(clause: str, message: str, help: str) -> None:
    _, sink = layered(clause)
    found = [(d.message, d.help) for d in sink.found if d.code == "RK303"]
    assert len(found) == len(sink.found) == bool(message)
    assert not found or (message in found[0][0] and help in found[0][1])


@pytest.mark.parametrize(
    ("open", "rest", "told"),
    [
        (
            "kind Side decides",
            "",
            [
                ("RK310", "Side decides but has no members", "members Side = a | b"),
            ],
        ),
        (
            "kind Weather",
            "state sky: Weather",
            [
                (
                    "RK310",
                    "'sky' must have a member of Weather, which has no members",
                    "'kind: Weather' with 'members' in the data",
                )
            ],
        ),
        (
            "kind Weather",
            "state sky(n: 1..2): Weather",
            [("RK310", "'sky' must have a member of Weather", "or allow none: Weather?")],
        ),
        (
            "kind Weather",
            "extend kind Side\n  state sky: Weather",
            [("RK310", "'sky' must have a member of Weather", "members Weather = a | b")],
        ),
        (
            "kind Weather",
            (
                "state sky: Weather?\nstate wind(w: Weather): Weather\nextend kind Weather\n  state"
                " next: Weather"
            ),
            [],
        ),
        (
            "kind Weather",
            "state sky: Weather?\ndefine bad: bool = sky = storm",
            [("RK301", "unknown name 'storm'", "Weather has no members; write 'members Weather")],
        ),
        (
            "kind Weather",
            "state sky: Weather?\ndefine bad: bool = sky is storm",
            [("RK404", "'storm' does not apply", "Weather has no members; write 'members Weather")],
        ),
        (
            "kind Weather",
            "state sky: Weather?\ndefine bad: bool = sky = skyy",
            [("RK301", "unknown name 'skyy'", "did you mean 'sky'?")],
        ),
        (
            "kind Weather = fine",
            "state sky: Weather\ndefine bad: bool = sky is storm",
            [("RK404", "'storm' does not apply", "write an attribute of it")],
        ),
        (
            "kind Weather = fine",
            "state sky: Weather\ndefine bad: bool = sky = storm",
            [("RK301", "unknown name 'storm'", "declare it")],
        ),
    ],
)
def test_a_kind_that_is_left_open_may_lack_members_only_where_none_is_needed(
    open: str, rest: str, told: list[tuple[str, str, str]]
) -> None:
    """The finding names the kind and the way to give members."""
    sides = "" if "Side" in open else "kind Side decides = red | blue\n"
    texts = {
        "base.rules": f"library base 1\n{sides}{open}\n",
        "g.rules": f"game g 1\n{rest}\nphase main\n  finish none, drawn\n",
    }
    sink = Sink()
    check(
        GameSource(
            "g",
            Path(),
            rules=[RulesText(n, text, i, n[0]) for i, (n, text) in enumerate(texts.items())],
            files=texts,
        ),
        sink,
    )
    assert [d.code for d in sink.errors] == [code for code, *_ in told], [
        (d.code, d.message, d.help) for d in sink.errors
    ]
    for found, (_, message, help) in zip(sink.errors, told, strict=True):
        assert message in found.message
        assert help in found.help


NEEDS = """library base 1
kind Side decides = red | blue
needs define rank(s: Side): int
state got: 0..99
define double(s: Side): int = 2 * rank(s)
phase main
  got := double(red) + rank(blue)
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("define rank(s: Side): int = 1", []),
        (
            "define other = 1",
            ["the library needs a define 'rank', but the game does not declare it"],
        ),
        ("define rank: int = 1", ["the library needs 'rank' with 1 parameters"]),
        ("define rank(s: Side, n: 0..9): int = 1", ["the library needs 'rank' with 1 parameters"]),
        (
            "total rank(s: Side): int\n  base 1",
            ["the library needs 'rank' to be a define, but it is a total"],
        ),
    ],
)
def test_what_a_library_needs_is_declared_as_it_needs_it(given: str, told: list[str]) -> None:
    """Until then nothing is reported about the rules that use it."""
    texts = {"base.rules": NEEDS, "g.rules": f"game g 1\n{given}\n"}
    sink = Sink()
    check(
        GameSource(
            "g",
            Path(),
            rules=[RulesText(n, text, i, n) for i, (n, text) in enumerate(texts.items())],
            files=texts,
        ),
        sink,
    )
    assert [(d.code, d.message, bool(d.help)) for d in sink.found] == [
        ("RK310", message, True) for message in told
    ]


def lone(rules: str) -> list[tuple[str, int, int, str]]:
    text = f"kind Side decides = red | blue\n{rules}\nphase main\n  finish none, drawn\n"
    sink = Sink()
    check(
        GameSource(
            "g", Path(), rules=[RulesText("g.rules", text, 0, "g")], files={"g.rules": text}
        ),
        sink,
    )
    return [(d.code, d.span.line, d.span.column, d.message) for d in sink.found]


def test_what_is_no_name_cannot_be_called() -> None:
    assert lone("define two(n: 0..9): int = n\ndefine odd = two(3)(4)") == [
        ("RK401", 3, 14, "this cannot be called")
    ]
    assert lone("define two(n: 0..9): int = n\ndefine even = two(3)") == []


def test_a_search_over_many_places_is_no_fault() -> None:
    """4,096 places are too many for a stored table (tests/language/test_path_queries.py)."""
    assert (
        lone(
            "kind Zone = grid 64 by 64\nkind Border joins Zone\ndefine near(z: Zone) ="
            " z.within(100, Border)"
        )
        == []
    )


AMBIGUOUS = """kind Colour = red | white
kind Flag = white | green
kind Pole = p1
  state side: Side
  state flag: Flag
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("define a = white", True),
        ("define a = red", True),
        ("define a = Flag.white", False),
        ("define a = green", False),
        ("define a(f: Flag): bool = f = white", False),
        ("define a: Colour = white", False),
        ("define a = Pole where white", False),
        ("define a(p: Pole): bool = p is white", False),
        ("define a = {green, white}", False),
        ("define a = {white, green}", True),
    ],
)
def test_a_name_of_several_members_is_told_where_nothing_says_which_is_meant(
    line: str, told: bool
) -> None:
    found = lone(AMBIGUOUS + line)
    assert [(code, message.split("'")[2]) for code, _, _, message in found] == [
        ("RK302", " is a member of several kinds")
    ] * told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("define a(flag: Flag) = Pole where flag = green", True),
        ("define a(flag: Flag) = Pole where it.flag = green", False),
        ("define a(f: Flag) = Pole where flag = f", False),
        ("define a(flag: Flag) = count(Pole) if flag = green else 0", False),
        ("define a(flag: Flag): bool = p1 is (flag = green)", True),
    ],
)
def test_a_local_name_that_is_an_attribute_is_told_inside_of_a_filter(
    line: str, told: bool
) -> None:
    found = [code for code, *_ in lone(AMBIGUOUS.replace("green", "green | grey") + line)]
    assert found == ["RK304"] * told
