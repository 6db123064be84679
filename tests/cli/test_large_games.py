"""A game with many pieces and places in the terminal: short forms, look-up, changes."""

from __future__ import annotations

import io

import pytest

import rulekit
from rulekit.cli.terminal.console import Settings
from rulekit.cli.terminal.screen import Screen
from rulekit.cli.terminal.session import Terminal
from rulekit.engine.saves.recorder import Recorder

SEATS = {"red": "human", "blue": "random"}
RULES = """\
game large 1

kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Region = north | south
kind Zone
  fixed region: Region
kind Border joins Zone
kind Card
pool deck          of Card seen by none
pool hand(s: Side) of Card seen by s
kind Piece
  fixed owner: Side
  state zone: Zone?
  state reduced: bool
  state tired: bool

state points(s: Side): 0..99 = 10

event marched(p: Piece, z: Zone)
  p.zone := z
event lost(p: Piece)
  p.reduced := true
event paid(s: Side)
  points(s) -= 1

setup
  each c in Card
    put c in deck

phase main
  draw 2 from deck to hand(red)
  draw 2 from deck to hand(blue)
  repeat 12 times
    day
  finish none, drawn

phase day
  choose by red "move"
    option march(p: Piece, z: Zone) "March"
      when p.owner = red "it is not yours"
      when z != p.zone "it stands there"
      marched(p, z)
      lost(p)
      paid(red)
    option rest "Rest"
      return
  choose by blue "move"
    option march(p: Piece, z: Zone) "March"
      when p.owner = blue "it is not yours"
      when z != p.zone "it stands there"
      marched(p, z)
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    """A game with 30 zones in two regions, 60 pieces and a few cards."""
    folder = tmp_path_factory.mktemp("large")
    (folder / "game.yaml").write_text(
        "rulekit: game\nname: large\ntitle: Large\nversion: '1'\nlanguage: 1\ndefault_scenario:"
        " all\n"
    )
    (folder / "game.rules").write_text(RULES)
    zones = "\n".join(
        f"    Z{i}: {{region: {('north', 'south')[i % 2]}, label: Town {i}}}" for i in range(30)
    )
    lines = "\n".join(f"    - {{between: [Z{i}, Z{i + 1}]}}" for i in range(29))
    source = "source: {assumed: a test}"
    (folder / "map.yaml").write_text(
        f"places:\n  kind: Zone\n  {source}\n  members:\n{zones}\nborders:\n  kind: Border\n "
        f" {source}\n  members:\n{lines}\n"
    )
    pieces = "\n".join(
        f"    {side}.H{i}: {{owner: {side}, label: Hoplites of {side} {i}}}"
        for side in ("red", "blue")
        for i in range(30)
    )
    (folder / "pieces.yaml").write_text(
        f"- kind: Piece\n  place: zone\n  {source}\n  members:\n{pieces}\n"
    )
    cards = "\n".join(f"    C{i}: {{label: Card {i}}}" for i in range(8))
    (folder / "things.yaml").write_text(f"- kind: Card\n  {source}\n  members:\n{cards}\n")
    (folder / "texts").mkdir()
    (folder / "texts" / "en.yaml").write_text("event.marched: '{p} goes to {z}'\n")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "all.yaml").write_text(
        "name: all\ntitle: All\nref: '1'\ndeploy: {Z2: [red.H0, {red.H1: {reduced: true}},"
        " blue.H2], Z3: [blue.H3]}\n"
    )
    return rulekit.load(folder)


def typed(game: rulekit.Game, script: str, interactive: bool = True, others: int = 1) -> str:
    """Return the output for a script. The end of the script leaves the game.

    Args:
        others: the seed of the other seat.
    """
    out = io.StringIO()
    recorder = Recorder(game, game.new(seed=1), SEATS)
    Terminal(
        game, recorder, Settings(SEATS, others, interactive=interactive), io.StringIO(script), out
    ).play()
    return out.getvalue()


def test_the_board_is_a_line_for_each_place_with_something_in_it(game: rulekit.Game) -> None:
    lines = Screen(game.new(seed=1), "red").zones()
    assert lines == [
        "-- north --",
        "Z2 Town 2: red H0 H1* | blue H2",
        "-- south --",
        "Z3 Town 3: blue H3",
        "(* reduced)",
    ]
    assert Screen(game.new(seed=1), "blue").zones()[1] == "Z2 Town 2: blue H2 | red H0 H1*"


def test_the_board_of_a_place_or_a_group(game: rulekit.Game) -> None:
    screen = Screen(game.new(seed=1), "red")
    assert screen.zones("Z3") == ["-- south --", "Z3 Town 3: blue H3"]
    south = screen.zones("south")
    assert len(south) == 16 and "Z5 Town 5: -" in south


def test_find_tells_where_how_and_what_it_can_do(game: rulekit.Game) -> None:
    out = typed(game, "find red.H1\nfind Z2\n")
    assert "red.H1 Hoplites of red 1 (Piece): stands at Town 2; reduced; owner red" in out
    assert "can: 30 March: Hoplites of red 1, Town 0" in out and "... (29)" in out
    assert "red H0 H1* | blue H2" in out


def test_find_never_tells_what_the_enemy_holds(game: rulekit.Game) -> None:
    state = game.new(seed=1)
    held = state.get("hand.blue")[0]
    out = typed(game, f"find {held}\nfind {state.get('hand.red')[0]}\n")
    assert f"  {held} Card {held[1:]} (Card)\n" in out
    assert "in hand red" in out


def test_many_options_are_grouped_and_words_filter_them(game: rulekit.Game) -> None:
    out = typed(game, "options h1 town\n")
    assert (
        "- March: Hoplites of red 0: 1 Town 0, 2 Town 1, 3 Town 3, 4 Town 4 ... (29 options, up"
        in " ".join(out.split())
    )
    assert "no option has 'xyz' in it" in typed(game, "options xyz\n")
    narrowed = typed(game, "H1 Town\n").split("red> ")[1]
    assert (
        "30 March: Hoplites of red 1, Town 0" in narrowed and "Hoplites of red 2," not in narrowed
    )


def test_a_number_still_chooses_from_a_filtered_list(game: rulekit.Game) -> None:
    out = typed(game, "H1 Town\n30\n")
    assert "Hoplites of red 1 goes to Town 0" in out


def test_a_pipe_refuses_words_that_mean_several(
    game: rulekit.Game, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(game, "H1\n", interactive=False)
    assert "may mean" in capsys.readouterr().err


def test_only_the_last_lines_are_told_before_a_decision(game: rulekit.Game) -> None:
    from rulekit.cli.terminal import since_last

    names = game.new(seed=1).names
    assert since_last.condensed(names, ["a"] * 12) == ["a"] * 12
    lines = [*map(str, range(20)), "  ===== Turn 2 =====", *map(str, range(20, 40))]
    assert since_last.condensed(names, lines) == ["  ... 17 more: `log`", *lines[-24:]]
    assert since_last.condensed(names, [lines[20], *lines[:20], *lines[21:]])[:2] == [
        "  ===== Turn 2 =====",
        "  ... 16 more: `log`",
    ]


def test_what_has_changed_is_told_before_the_prompt(game: rulekit.Game) -> None:
    out = typed(game, "march H0 Z5\n", others=9)
    last = out.split("red> ")[1]
    assert "points, red: 10 -> 9" in last
    assert "Hoplites of red 0 goes to Town 5" in last


def test_much_that_happened_is_told_in_short_and_the_log_has_pages(game: rulekit.Game) -> None:
    script = "".join(f"march H0 Z{i}\n" for i in range(9, 20))
    out = typed(game, script + "log\nlog more\nlog all\n")
    assert "lines before: `log more`, `log all`" in out
    assert out.rsplit("red> ", 1)[0].rsplit("red> ", 1)[1].count("\n") > 30


def test_long_lines_are_wrapped_at_80_columns(
    game: rulekit.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = typed(game, "board\noptions\nhelp\nfind H1\n")
    assert max(map(len, out.splitlines())) <= 80
    assert "\033" not in out


@pytest.mark.parametrize("word", ["find", "board", "log", "pass all", "auto pass", "options"])
def test_help_names_the_commands_in_both_languages(word: str) -> None:
    from rulekit.cli.terminal.help_text import helptext

    assert all(f"\n  {word}" in helptext(lang, 100) for lang in ("en", "fr"))


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("width", [60, 80, 130])
def test_the_help_fits_the_terminal(lang: str, width: int) -> None:
    """Explanations stand in one column, whatever the width."""
    from rulekit.cli.terminal.help_text import HELP, INDENT, helptext

    lines = helptext(lang, width).split("\n")
    assert max(map(len, lines)) <= width
    explained = [line for line in lines if line.startswith(" ")]
    assert {len(line) - len(line.lstrip()) for line in explained} == {2, INDENT}
    forms = [message.text(lang).split("\n")[0] for message in HELP if "\n" in message.msgid]
    for form in forms:
        at = next(i for i, line in enumerate(lines) if line.startswith(f"  {form}"))
        beside = lines[at][INDENT - 2 :] if len(form) < INDENT - 3 else f"  {lines[at + 1].strip()}"
        assert beside.startswith("  ") and not beside[2:].startswith(" "), lines[at]
