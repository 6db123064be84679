"""Previews and history in the terminal: costs, consequences, warnings, `odds`, `paths`, `since`,
`replay`, in two languages."""

from __future__ import annotations

import io
import random
import re
from contextlib import nullcontext
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.console import Settings
from rulekit.cli.terminal.outcomes import consequence
from rulekit.cli.terminal.replay_steps import at_choice, begin_since, steps
from rulekit.cli.terminal.session import Terminal
from rulekit.engine.notation.move_parser import preview_options
from rulekit.engine.saves.recorder import Recorder

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = str(ROOT / "examples" / "skirmish")
BOTH = {"red": "human", "blue": "human"}
MANIFEST = """\
rulekit: game
language: 1
name: raid
version: "1"
title: A raid
victory_total: vp
default_scenario: dawn
"""
RULES = """\
game raid 1

unit VP
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone
kind Border joins Zone
kind Piece
  fixed owner: Side
  state zone: Zone?
state points(s: Side): 0..40 VP = 5

total vp(s: Side): VP
  base points(s)

event burnt(p: Piece)
  p.zone := none
event paid(s: Side)
  points(s) -= 2
event won(s: Side)
  points(s) += 1

phase main
  repeat 3 times
    choose by red "what now"
      option burn(p: Piece)
        when p.owner = red and p.zone != none "it is not there"
        burnt(p)
      option pay
        paid(red)
      option dare(p: Piece)
        when p.owner = red and p.zone != none "it is not there"
        roll d = d6 by red for trial
        if d <= 2
          burnt(p)
        if d >= 5
          won(red)
      option rest
        won(red)
  finish red, win
"""
MAP = """\
places: {kind: Zone, source: {assumed: x}, members: {camp: {label: the camp}, hill: {}}}
borders: {kind: Border, source: {assumed: x}, members: [{between: [camp, hill]}]}
"""
PIECES = """\
- {kind: Piece, place: zone, source: {assumed: x}, \
members: {red.A: {owner: red, label: the red axes}, blue.B: {owner: blue}}}
"""


@pytest.fixture(scope="module")
def raid(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    """A game in which a player may burn their own piece, pay, or take a risk."""
    folder = tmp_path_factory.mktemp("raid") / "raid"
    (folder / "scenarios").mkdir(parents=True)
    for name, text in (
        ("game.yaml", MANIFEST),
        ("game.rules", RULES),
        ("map.yaml", MAP),
        ("pieces.yaml", PIECES),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "scenarios" / "dawn.yaml").write_text(
        "{name: dawn, title: Dawn, ref: '1', deploy: {camp: [red.A], hill: [blue.B]}}\n",
        encoding="utf-8",
    )
    return rulekit.load(folder)


def typed(
    game: rulekit.Game,
    *lines: str,
    seats: dict[str, str] = BOTH,
    interactive: bool = True,
    seed: int = 7,
) -> tuple[Terminal, str]:
    """Return a game after typed lines, and the output with each line once."""
    out, script = io.StringIO(), io.StringIO("\n".join(lines) + "\n")
    terminal = Terminal(
        game,
        Recorder(game, game.new(None, seed), seats),
        Settings(seats, seed, interactive=interactive, quiet=True),
        script,
        out,
    )
    terminal.play()
    return terminal, out.getvalue()


def test_each_option_tells_what_it_surely_brings_about(raid: rulekit.Game) -> None:
    _, out = typed(raid, "quit")
    told = {found[1]: found[2] for found in re.finditer(r"^ *\d+ (\w+)[^(\n]*\((.*)\)$", out, re.M)}
    assert told == {
        "burn": "the red axes lost for good",
        "pay": "vp: red -2",
        "dare": "the red axes at risk; a roll",
        "rest": "vp: red +1",
    }
    assert (
        re.search(r"burn.* ! \(", out)
        and re.search(r"pay.* ! \(", out)
        and not re.search(r"(dare|rest).* ! \(", out)
    )


def test_to_scripts_the_list_is_as_it_was(raid: rulekit.Game) -> None:
    _, out = typed(raid, "burn A", "quit", interactive=False)
    assert "lost for good" not in out and "at risk" not in out and "Really" not in out


@pytest.mark.parametrize(
    ("line", "answer", "done"),
    [
        ("burn A", "n", False),
        ("burn A", "", False),
        ("burn A", "y", True),
        ("1", "no", False),
        ("pay", "y", True),
        ("pay", "perhaps", False),
    ],
)
def test_what_is_lost_for_good_is_asked_about(
    raid: rulekit.Game, line: str, answer: str, done: bool
) -> None:
    terminal, out = typed(raid, line, answer, "quit")
    assert "Really?" in out and ("nothing was played" in out) is not done
    assert terminal.state.move_number() == done


def test_it_is_told_anew_after_a_choice_and_after_undo(raid: rulekit.Game) -> None:
    _, out = typed(raid, "burn A", "y", "undo", "pay", "y", "quit")
    shown = out.split("what now")[1:]
    assert ["axes lost" in each for each in shown] == [True, False, True, True]


def test_where_each_option_rolls_the_roll_is_not_told(tmp_path: Path) -> None:
    folder = tmp_path / "dice"
    folder.mkdir()
    (folder / "game.yaml").write_text(
        MANIFEST.replace("name: raid", "name: dice").replace("default_scenario: dawn\n", ""),
        encoding="utf-8",
    )
    option = "      option {}\n        roll d = d6 by red for trial\n        won(red)\n"
    rules = (
        RULES[: RULES.index("kind Zone")].replace("game raid", "game dice")
        + RULES[RULES.index("state points") :]
    )
    rules = (
        rules[: rules.index("event burnt")]
        + "event won(s: Side)\n  points(s) += 1\n\nphase main\n  repeat 2 times\n    choose by red"
        ' "what now"\n'
    )
    (folder / "game.rules").write_text(
        rules + option.format("one") + option.format("two") + "  finish red, win\n",
        encoding="utf-8",
    )
    _, out = typed(rulekit.load(folder), "quit")
    assert "(vp: red +1)" in out and "roll" not in out


BAND = """\
      option band
        pick group g from (Piece where owner = red and zone != none) by red "who goes", 0 to 2
        each p in g
          burnt(p)
      option gamble
        roll d = d6 by red for trial
        pick group g from (Piece where owner = red and zone != none) by red "who goes", 0 to 2
        each p in g
          burnt(p)
      option rest
"""


@pytest.fixture(scope="module")
def bands(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    """The same game with a pick of a band, which is burnt when it goes: at once, or after a
    roll."""
    folder = tmp_path_factory.mktemp("bands") / "raid"
    (folder / "scenarios").mkdir(parents=True)
    pieces = PIECES.replace("blue.B: {", "red.C: {owner: red, label: the red slings}, blue.B: {")
    for name, text in (
        ("game.yaml", MANIFEST),
        ("game.rules", RULES.replace("      option rest\n", BAND)),
        ("map.yaml", MAP),
        ("pieces.yaml", pieces),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    text = "{name: dawn, title: Dawn, ref: '1', deploy: {camp: [red.A, red.C], hill: [blue.B]}}\n"
    (folder / "scenarios" / "dawn.yaml").write_text(text, encoding="utf-8")
    return rulekit.load(folder)


@pytest.mark.parametrize(
    ("line", "answer", "lost", "done"),
    [
        ("band A done", "n", "the red axes lost", False),
        ("band A done", "y", "the red axes lost", True),
        ("band A C", "n", "the red axes, the red slings lost", False),
        ("band B", "y", "", False),
        ("gamble A done", "n", "", True),
    ],
)
def test_a_line_is_warned_of_before_it_is_carried_out(
    bands: rulekit.Game, line: str, answer: str, lost: str, done: bool
) -> None:
    """There is one warning, with the losses of its choices. The answer no makes none of the
    choices. There is no warning of an illegal line, or of effects after a die."""
    terminal, out = typed(bands, line, answer, "quit")
    assert out.count("Really?") == bool(lost) and (terminal.state.move_number() > 0) is done
    assert not lost or lost in out.split("Really?")[0].rpartition("! ")[2]


def test_what_is_lost_halfway_and_there_again_at_the_end_is_not_warned_of() -> None:
    """A unit that leaves Pylos for the island holds its end, and gives it up when it goes on. Pylos
    is still held."""
    game = rulekit.load("games/sphacteria")
    lines = ["pass", "3", "activate P H6 A1 Demosthenes to I to R", "quit"]
    _, out = typed(game, *lines, seats={"athens": "human", "sparta": "greedy"}, seed=7)
    assert "Really?" not in out and "Enough from this zone" in out.rpartition("Athens> ")[0]


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("band A done", ["band", "add red.A", "go"]),
        ("gamble A done", ["gamble"]),
        ("band", []),
        ("band B", []),
    ],
)
def test_a_line_is_looked_at_as_far_as_it_can_be_foreseen(
    bands: rulekit.Game, line: str, keys: list[str]
) -> None:
    state = bands.new(None, 7)
    before = state.to_json(), len(state.events)
    assert [option.key for _, option in preview_options(state, line)] == keys and (
        state.to_json(),
        len(state.events),
    ) == before


@pytest.mark.parametrize("line", ["dare A", "rest"])
def test_what_is_not_sure_to_be_lost_is_not_asked_about(raid: rulekit.Game, line: str) -> None:
    terminal, out = typed(raid, line, "quit")
    assert "Really?" not in out and terminal.state.move_number() == 1


def test_a_consequence_is_that_of_all_results(raid: rulekit.Game) -> None:
    seat = rulekit.Seat(raid.new(None, 1), "red")
    burn, dare = (consequence(seat, key, "red") for key in ("burn red.A", "dare red.A"))
    assert (burn.lost, burn.risked, burn.rolls, burn.is_harm("red")) == (
        ("red.A",),
        (),
        False,
        True,
    )
    assert (dare.lost, dare.risked, dare.rolls, dare.is_harm("red"), dare.points) == (
        (),
        ("red.A",),
        True,
        False,
        (),
    )
    assert consequence(seat, "pay", "red").points == (("red", -2),)


def test_odds_tell_each_result_with_its_chance(raid: rulekit.Game) -> None:
    """Equal results share one row. Options without a roll are left out unless they are
    requested."""
    _, out = typed(raid, "odds", "odds rest", "odds 4", "odds nonsense", "quit", interactive=False)
    rows = re.findall(r"^ +(\d/\d) +([\d.]+) % +([\d, ]+?)(?:  |$)", out, re.M)
    assert rows == [("1/3", "33.3", "1, 2"), ("1/3", "33.3", "3, 4"), ("1/3", "33.3", "5, 6")]
    assert out.count("it leads to no roll before the next decision") == 2
    assert "'nonsense' is not offered here" in out
    assert "rest:" not in out.partition("red> odds rest")[0]


def test_paths_tell_places_ways_and_cost() -> None:
    game = rulekit.load(SKIRMISH)
    _, out = typed(game, "paths H1", "paths B9", "paths", "quit", interactive=False)
    shown = out.partition("paths H1\n")[2].partition("Red> ")[0].splitlines()
    assert shown == [
        "  3 PM left",
        "  the ford: 1 PM",
        "  the wood: 2 PM",
        "  the road: 3 PM; to ford to road",
    ]
    assert "'B9' is not offered here" in out and "another choice comes first" in out


def test_what_a_way_costs_is_told_once_and_every_way_as_it_is_typed() -> None:
    """The cost includes that of the beginning. The path includes an automatic last step. Typed like
    this, the move is made."""
    game = rulekit.load("games/sphacteria")
    lines = ["pass", "1", "paths H1 A1", "activate P H1 A1 to I to Q", "quit"]
    _, out = typed(game, *lines, seats={"athens": "human", "sparta": "greedy"}, seed=7)
    assert (
        "  Q Sphacteria, north end: 1 AP, 2 MP; to I to Q\n" in out
        and "  O Approach to Pylos: 1 AP, 1 MP\n" in out
    )
    assert "from P Pylos to Q Sphacteria, north end" in " ".join(out.split())


def test_places_of_which_nothing_more_is_to_be_told_stand_in_one_line() -> None:
    """This is so for the pick of a place without a cost or path. No line ends in a colon."""
    game = rulekit.load("peloponnesian_war")
    _, out = typed(
        game,
        "lead Phormio Amphipolis",
        "none",
        "paths",
        "quit",
        seats={"commander": "human", "opponent": "charts"},
        interactive=False,
        seed=3,
    )
    shown = out.rpartition("> paths\n")[2].partition("the commander> ")[0].splitlines()
    assert (
        len(shown) == 1
        and shown[0].startswith("  ")
        and ", Olynthus" in shown[0]
        and ":" not in shown[0]
    )


def test_paths_are_those_of_the_forecast() -> None:
    """This includes a group in the middle of a march, from its current place."""
    game = rulekit.load(SKIRMISH)
    terminal, out = typed(game, "march H1", "paths", "quit", interactive=False)
    found = rulekit.Seat(terminal.state, "red").forecast(())
    shown = [
        line
        for line in out.rpartition("> paths\n")[2].partition("Red> ")[0].splitlines()
        if " left" not in line
    ]
    assert len(shown) == len(found.places) > 1


def test_where_a_group_is_formed_numbers_of_the_list_stand_for_pieces() -> None:
    game = rulekit.load("sphacteria")
    seats = {"athens": "greedy", "sparta": "human"}
    _, out = typed(
        game,
        "3",
        "activate N",
        "move",
        "paths 1 2",
        "paths H1 H2",
        "paths 1 H2",
        "quit",
        seats=seats,
        interactive=False,
        seed=3,
    )
    told = [re.findall(r"^  .* MP.*$", part, re.M) for part in out.split("> paths ")[1:]]
    assert told[0] == told[1] == told[2] and len(told[0]) > 3


def test_a_game_is_gone_through_step_by_step() -> None:
    game = rulekit.load(SKIRMISH)
    _, out = typed(
        game,
        "march H1",
        "to ford",
        "replay 1",
        "replay next",
        "replay next",
        "replay next",
        "replay back",
        "replay moon",
        "quit",
        interactive=False,
    )
    assert "-- choice 1 of" in out and "this is the present" in out
    assert "'moon' is not a number, next, back, board or end" in out
    parts = out.split("> replay ")
    assert parts[1].splitlines()[1].startswith("-- choice") and "the ford" in parts[1] + parts[2]


def test_enter_goes_on_while_one_goes_through_the_game() -> None:
    game = rulekit.load(SKIRMISH)
    terminal, out = typed(
        game,
        "march H1",
        "to ford",
        "replay 0",
        "",
        "",
        "",
        "",
        "replay end",
        "",
        "quit",
        seats={"red": "human", "blue": "random"},
    )
    assert "the beginning" in out and out.count("-- choice") >= 2 and "this is the present" in out
    assert terminal.step is None


def test_the_position_of_a_step_is_that_of_then() -> None:
    game = rulekit.load(SKIRMISH)
    terminal, out = typed(
        game, "march H1", "to ford", "stop", "replay 0", "replay board", "quit", interactive=False
    )
    then = out.rpartition("replay board")[2]
    assert (
        "camp" in then
        and re.search(r"camp.*H1", then)
        and terminal.state.get("zone.red.H1") == "ford"
    )


def test_what_happened_since_is_what_came_after_ones_own_last_choice() -> None:
    """In random games, the result has no step of the player and nothing before their last one."""
    game = rulekit.load(SKIRMISH)
    for seed in range(6):
        state, rng = game.new(None, seed), random.Random(seed)
        for _ in range(rng.randrange(1, 40)):
            if state.is_terminal():
                break
            state.apply(rng.choice(state.decision.options))
        for who in (0, 1):
            found = steps(state, who)
            begin = begin_since(found, who)
            assert all(step.side != who for step in found[begin:])
            assert begin == 0 or found[begin - 1].side == who
            assert [line for step in found for line in step.lines] == rulekit.Seat(state, who).log()
        for choice in {0, state.move_number() // 2, state.move_number()}:
            there = at_choice(state, choice)
            assert there.move_number() == choice and state.move_number() >= choice


def test_since_is_told_at_the_prompt() -> None:
    game = rulekit.load(SKIRMISH)
    _, out = typed(game, "since", "march H1", "since", "quit", interactive=False)
    first, second = out.split("> since\n")[1:]
    assert (
        "Red" in first.partition("Red> ")[0]
        and "nothing has happened since your last decision" in second
    )


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("chances",), "d'aucun choix ne découle un jet"),
        (("chemins H1",), "reste 3 PM"),
        (("depuis",), "Red"),
        (("revoir",), "-- choix 0 sur 0 : le début --"),
        (("revoir lune",), "n'est pas : un nombre"),
        (("odds 1",), "aucun jet n'en découle"),
    ],
)
def test_it_is_all_told_in_french(lines: tuple[str, ...], told: str) -> None:
    _, out = typed(rulekit.load(SKIRMISH, lang="fr"), *lines, "quitter", interactive=False)
    assert told in out


@pytest.mark.parametrize(
    "line", ["odds", "paths", "hint", "since", "replay 0", "replay next", "board"]
)
def test_no_word_of_it_tells_a_secret(line: str) -> None:
    """Two games that differ only in the other side's secrets have the same output. Games that
    differ in the player's own secrets do not."""
    game = rulekit.load(str(ROOT / "tests" / "fixtures" / "secrets"))
    who = game.new(None, 5).decision.player

    def told(side: str, *strengths: int) -> str:
        state, out = game.new(None, 5), io.StringIO()
        for n, strength in enumerate(strengths, 1):
            state.set(f"strength.{side[0]}{n}", strength)
        script = io.StringIO(f"{line}\nfind r1\nfind b1\nquit\n")
        Terminal(
            game, Recorder(game, state, BOTH), Settings(BOTH, 5, interactive=False), script, out
        ).play()
        return re.sub(r"commitment.*", "", out.getvalue())

    other = "blue" if who == "red" else "red"
    assert told(other, 1, 3, 2) == told(other, 3, 1, 4)
    assert told(who, 1, 3, 2) != told(who, 3, 1, 4)


@pytest.mark.parametrize(
    ("lang", "word", "then"), [("en", "hint", "then "), ("fr", "conseil", "puis ")]
)
def test_a_hint_is_told_in_words_and_nothing_is_chosen(lang: str, word: str, then: str) -> None:
    game = rulekit.load(ROOT / "games" / "sphacteria", lang=lang)
    state = game.new(seed=3)
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    found, count = rulekit.Seat(state, state.decision.player).hint(), state.move_number()  # type: ignore[union-attr]
    out = io.StringIO()
    recorder = Recorder(game, state, dict.fromkeys(game.sides, "human"))
    terminal = Terminal(
        game,
        recorder,
        Settings(dict.fromkeys(game.sides, "human"), 1, interactive=False, quiet=True),
        io.StringIO(f"{word}\n"),
        out,
    )
    assert terminal.play() == 0
    told = ", ".join([found.label, *(then + each for each in found.then)])
    assert f"{word}\n  {told}\n" in out.getvalue() and state.move_number() == count


class _Hands(io.StringIO):
    """Lines that are typed. `^C` is an interruption."""

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline(-1 if size is None else size)
        if line.strip() == "^C":
            raise KeyboardInterrupt
        return line


@pytest.mark.parametrize(
    ("lines", "interactive", "told", "ends"),
    [
        (["^C", "rest", "quit"], True, 1, False),
        (["^C", "odds", "^C", "quit"], True, 2, False),
        (["^C", "^C"], True, 1, True),
        (["^C"], False, 0, True),
    ],
)
def test_who_interrupts_a_game_that_is_saved_nowhere_is_told_so_first(
    raid: rulekit.Game, lines: list[str], interactive: bool, told: int, ends: bool
) -> None:
    """There is one warning at each decision until something else is typed. A script ends at
    once."""
    out, seats = io.StringIO(), dict.fromkeys(raid.new(None, 7).names.sides, "human")
    settings = Settings(seats, 7, interactive=interactive, quiet=True)
    terminal = Terminal(
        raid,
        Recorder(raid, raid.new(None, 7), seats),
        settings,
        _Hands("\n".join(lines) + "\n"),
        out,
    )
    with pytest.raises(KeyboardInterrupt) if ends else nullcontext():
        terminal.play()
    assert out.getvalue().count("this game is not saved") == told
