"""The log of a seat: lines with spans that name their subjects."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import rulekit
from rulekit import Seat
from rulekit.common.i18n.message_format import fill, listed, parts_of, trimmed
from rulekit.engine.knowledge.observation import Observer
from rulekit.presentation.rich_text import TextSpan, paragraphs
from rulekit.presentation.rich_text import trimmed as spans_trimmed
from tests.engine.knowledge.twins import swaps
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[2]
SECRETS = ROOT / "tests" / "fixtures" / "secrets"
GAMES = ["games/sphacteria", "games/amphipolis", "examples/skirmish", str(SECRETS)]


def played(path: str, seed: int = 3, choices: int = 90) -> rulekit.State:
    state, rng = rulekit.load(path).new(seed=seed), random.Random(seed)
    for _ in range(choices):
        if state.decision is None:
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("path", GAMES)
def test_the_spans_of_a_line_are_its_text_and_name_what_they_say(path: str, lang: str) -> None:
    """The text is that of the terminal without heading marks. A link has the label of its
    target."""
    state = played(path)
    names = state.in_language(lang).names
    labels = {
        (id, names.label(kind, i))
        for kind, info in enumerate(names.program.kinds)
        for i, id in enumerate(info.members)
    }
    for player in (None, *names.sides):
        observer = Observer(state.in_language(lang), player)
        lines = Seat(state, player, lang).log()
        printed = sorted(observer.state.table.events.lines(observer.events()))
        assert [line.text for line in lines] == [
            text.strip("= ") if text.startswith("==") else text for _, text in printed
        ]
        spans = [span for line in lines for span in line.spans]
        assert {(span.id, span.text) for span in spans if span.sort} <= labels
        assert {span.sort for span in spans} <= {"", "piece", "place", "side", "thing"}
        assert json.loads(json.dumps([line.to_json() for line in lines]))


@pytest.mark.docs("python#what-a-seat-shows-sheet-log-position")
def test_headings_dice_paragraphs_and_whose_doing_it_is() -> None:
    state = played("games/sphacteria")
    lines = Seat(state, "athens").log()
    turn = next(line for line in lines if line.name == "turn_begins")
    phase = next(line for line in lines if line.name == "phase_begun")
    assert (turn.level, turn.text, turn.choice, turn.side) == (
        1,
        "Turn 1",
        0,
        None,
    ) and phase.level == 2
    rolls = [event.params["value"] for event in state.events if event.name == "die_rolled"]
    assert [
        die.value for line in lines for die in line.dice if not die.cancelled
    ] == rolls and rolls
    moved = next(line for line in lines if line.name == "entered")
    assert {span.sort for span in moved.spans} >= {"piece", "place"} and moved.side in (
        "athens",
        "sparta",
    )
    assert all(", " not in ref or ref.startswith("4.2 E") for line in lines for ref in line.ref)
    rolled = next(line for line in lines if line.name == "die_rolled")
    assert rolled.side == rolled.dice[0].who and rolled.dice[0].label


def test_who_reads_on_from_the_first_open_line_has_read_all() -> None:
    """Lines that are not open never change."""
    state, rng = rulekit.load("games/sphacteria").new(seed=5), random.Random(5)
    seat, kept = Seat(state, "sparta"), []
    for _ in range(80):
        opened = next((at for at, line in enumerate(kept) if line.open), len(kept))
        begin = kept[opened].event if opened < len(kept) else kept[-1].event + 1 if kept else 0
        kept = kept[:opened] + seat.log(begin)
        assert kept == seat.log()
        state.apply_action(rng.choice(state.legal_actions()))


def ends_alike(state: rulekit.State) -> int:
    """Compare the log from each event on, for each observer, with the end of the whole log. Return
    the number of comparisons."""
    times = 0
    for who in (*state.names.sides, None):
        whole = Seat(state, who).log()
        for begin in range(whole[-1].event + 2):
            assert Seat(state, who).log(begin) == [line for line in whole if line.event >= begin], (
                who,
                begin,
            )
            times += 1
    return times


@pytest.mark.parametrize(
    "path", ["tests/fixtures/secrets", "tests/fixtures/dice", "games/sphacteria"]
)
def test_the_log_from_an_event_on_is_the_end_of_the_whole(path: str) -> None:
    """Earlier events are not processed again, but the result is the same."""
    state, rng = rulekit.load(ROOT / path).new(seed=8), random.Random(8)
    for _ in range(40):
        if state.decision is not None:
            state.apply_action(rng.choice(state.legal_actions()))
    assert ends_alike(state) > 60


PARTED = """
kind Man = Ann(red) | Bob(red) | Cid(blue) | Dan(blue)
  identity seen by owner, all when open
  fixed owner: Side
  state open: bool
kind Card = c1 | c2 | c3
pool deck of Card seen by none
pool hand(s: Side) of Card seen by s
event fell(n: int)
event hit(n: int)
event met(n: int)
event silent
event found(p: Man) reveals p
  p.open := true
setup
  met(7)
  fell(8)
  met(9)
  each c in Card
    put c in deck
phase main
  fell(1)
  hit(1)
  fell(2)
  hit(2)
  silent()
  fell(3)
  met(1)
  found(Cid)
  fell(4)
  draw 1 from deck to hand(red)
  hit(3)
  draw 1 from deck to hand(red)
  found(Ann)
  roll d = d6 by red for luck
  fell(5)
  hit(4)
  choose by red
    option end
      finish red, won
  finish red, won
"""
PARTED_TEXTS = """
event.fell: "{n} falls"
event.fell.many: "{n:all} fall"
event.hit: "{n} is hit"
event.hit.many: "{n:all} are hit"
event.met: "{n} met"
event.silent: ""
event.found: "{p} is found"
"""


def test_lines_that_are_told_in_one_do_not_hang_on_where_one_begins_to_read(tmp_path: Path) -> None:
    """Cases are alternating events of two lines with draws, a line with a reveal, and events before
    the first phase."""
    write_game(tmp_path, PARTED)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "en.yaml").write_text(PARTED_TEXTS, encoding="utf-8")
    state = rulekit.load(tmp_path).new(seed=1)
    assert ends_alike(state) > 40
    assert "".join(line.text for line in Seat(state).log()).count("fall") == 4


def test_that_a_choice_was_forced_is_told_to_who_made_it() -> None:
    """For other players it would reveal their hand. If nothing is secret, all see it."""
    state, rng = rulekit.load("games/sphacteria").new(seed=5), random.Random(5)
    alone = set()
    for number in range(1, 120):
        legal = state.legal_actions()
        alone |= {number} if len(legal) == 1 else set()
        state.apply_action(rng.choice(legal))
    for player in ("athens", "sparta", None):
        for line in Seat(state, player).log():
            own = (
                line.choice > 0
                and player is not None
                and state.names.sides[state.chooser(line.choice)] == player
            )
            assert line.forced == (own and line.choice in alone)
    assert any(line.forced for player in ("athens", "sparta") for line in Seat(state, player).log())


@pytest.mark.docs("python#what-a-seat-shows-sheet-log-position")
def test_a_seat_speaks_another_language_of_the_same_state() -> None:
    """It is not a copy, so events appear in all of them."""
    state = rulekit.load("games/sphacteria").new(seed=5)
    french, english = Seat(state, "athens", "fr"), Seat(state, "athens", "en")
    before = len(french.log())
    for _ in range(12):
        state.apply_action(state.legal_actions()[0])
    assert len(french.log()) == len(english.log()) > before
    assert "Tour 1" in [line.text for line in french.log()] and "Turn 1" in [
        line.text for line in english.log()
    ]
    assert state.in_language("fr") == state and state.in_language("en") is state
    with pytest.raises(rulekit.RulekitError, match="has no texts in 'xx'"):
        Seat(state, None, "xx").log()


@pytest.mark.docs("python#what-a-seat-shows-sheet-log-position")
@pytest.mark.parametrize("path", GAMES)
def test_prompts_and_labels_are_spans_too(path: str) -> None:
    """Together they are the text. A card is a thing, though it may be in a zone."""
    state, rng = rulekit.load(path).new(seed=3), random.Random(3)
    sorts, roles = set(), set()
    for _ in range(60):
        if state.decision is None:
            break
        asked = Seat(state, state.decision.player, "fr").decision()
        assert asked is not None and asked.options is not None
        assert "".join(span.text for span in asked.spans) == asked.prompt
        for option in asked.options:
            assert "".join(span.text for span in option.spans) == option.label
            sorts |= {span.sort for span in option.spans}
            roles |= {type.role for type in option.types.values() if type.kind == "Face"}
        state.apply_action(rng.choice(state.legal_actions()))
    assert sorts & {"piece", "place", "thing"} and roles <= {"thing"}


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("seed", range(3))
def test_the_log_position_and_sheet_of_a_twin_are_the_same(seed: int, lang: str) -> None:
    """Two things that an observer never could distinguish are swapped. No byte differs."""
    state = played(str(SECRETS), seed, 16 + 8 * seed)

    def told(state: rulekit.State, observer: int) -> str:
        seat = Seat(state, None if observer < 0 else observer, lang)
        return json.dumps(
            [
                [line.to_json() for line in seat.log()],
                seat.position().to_json(),
                seat.sheet().to_json(),
            ]
        )

    for observer in (-1, *range(len(state.names.sides))):
        expected = told(state, observer)
        for swap in list(swaps(state, observer))[::3]:
            assert told(swap.with_past(), observer) == expected


def test_a_log_that_is_not_masked_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: no event is masked."""
    monkeypatch.setattr(
        "rulekit.engine.knowledge.observation.Observer.event", lambda self, event: event
    )
    state = played(str(SECRETS), 1, 24)
    expected = [line.to_json() for line in Seat(state, None).log()]
    assert any(
        [line.to_json() for line in Seat(swap.with_past(), None).log()] != expected
        for swap in swaps(state, -1)
    )


@pytest.mark.docs("python#what-a-seat-shows-sheet-log-position")
def test_paragraphs_stand_by_themselves() -> None:
    assert paragraphs(("8.1, 8.2",)) == ("8.1", "8.2")
    assert paragraphs(("4.2.1, table, Q76", "8.1")) == ("4.2.1", "table", "Q76", "8.1")
    assert paragraphs(("4.2 E, A, 1/2, R",)) == ("4.2 E, A, 1/2, R",)


def test_a_filled_text_keeps_what_fills_it() -> None:
    """This works in cases and at the ends too."""
    state = rulekit.load("games/sphacteria").new(seed=1)
    zone = state.names.kind("Zone")
    told = trimmed(
        fill(" {n|0: none|*: {n} from {z}} ", {"n": "2", "z": state.names.said(zone, 0)})
    )
    assert told == "2 from A Athenian roads"
    assert parts_of(told) == (("2 from ", None), ("A Athenian roads", (zone, "A")))
    assert parts_of(listed(["x", told])) == (
        ("x, 2 from ", None),
        ("A Athenian roads", (zone, "A")),
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("4.2 E", "A, 8.1"), ("4.2 E", "A", "8.1")),
        (("1/2",), ("1/2",)),
        (("4.2 E, A, 1/2", "4.2 E, A, 1/2"), ("4.2 E, A, 1/2",)),
        (("8.1, 8.2", "8.2, A"), ("8.1", "8.2", "8.2, A")),
        ((), ()),
    ],
)
def test_what_goes_on_with_a_paragraph_is_in_the_same_reference(
    given: tuple[str, ...], told: tuple[str, ...]
) -> None:
    """It is never joined with another reference, and each is listed once."""
    assert paragraphs(given) == told


def test_signs_are_taken_off_both_ends_of_spans_and_of_nothing_else() -> None:
    """Empty spans are removed."""

    def cut(*texts: str) -> list[str]:
        return [span.text for span in spans_trimmed((TextSpan(text) for text in texts), "= ")]

    assert cut("== ", "a = b", " ==") == ["a = b"] and cut("= a", "=", "b =") == ["a", "=", "b"]
    assert cut("==", " ") == [] == cut() and cut("=x=") == ["x"] and cut("= ", "==", "x") == ["x"]
    assert spans_trimmed((TextSpan("=Red", "side", "red"),), "=") == (
        TextSpan("Red", "side", "red"),
    )
