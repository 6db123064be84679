"""Lines that a person types: whole moves, their meaning, their undo, and the language of the
answers."""

from __future__ import annotations

import io
import random
import re

import pytest

import rulekit
from rulekit.cli.terminal.console import Settings
from rulekit.cli.terminal.session import Terminal
from rulekit.common.i18n.messages import DOMAIN
from rulekit.engine.saves.recorder import Recorder
from tests.cli.catalogue import texts_of
from tests.games.plays import game_of

SEATS = {"athens": "greedy", "sparta": "human"}


def opened(
    seats: dict[str, str],
    script: io.StringIO,
    game: rulekit.Game,
    scenario: str | None = None,
    seed: int = 3,
) -> tuple[Terminal, io.StringIO]:
    out = io.StringIO()
    terminal = Terminal(
        game,
        Recorder(game, game.new(scenario, seed), seats),
        Settings(seats, seed, interactive=True, quiet=True),
        script,
        out,
    )
    return terminal, out


def typed(*lines: str, lang: str = "en") -> tuple[Terminal, str]:
    """Return a game after these typed lines, and the output."""
    terminal, out = opened(SEATS, io.StringIO("\n".join(lines) + "\n"), game_of("sphacteria", lang))
    terminal.play()
    return terminal, out.getvalue()


def test_undo_takes_back_a_whole_line_with_the_passes_in_it_and_redo_makes_it_again() -> None:
    terminal, out = typed("3", "activate N", "move H2 H1 to K to L")
    assert {terminal.state.get(f"zone.sparta.{p}") for p in ("H1", "H2")} == {"L"}
    keys = [option.key for option in terminal.state.choices]
    undone, out = typed("3", "activate N", "move H2 H1 to K to L", "undo")
    assert "taken back: Stop here" in out
    assert [option.key for option in undone.state.choices] == keys[: keys.index("move")]
    again, out = typed("3", "activate N", "move H2 H1 to K to L", "undo", "redo")
    assert [option.key for option in again.state.choices] == keys
    assert [record.choice for record in again.recorder.save.choices] == keys


def test_a_line_that_may_not_end_where_it_says_is_refused_whole_with_the_rule() -> None:
    terminal, out = typed(
        "3", "activate N", "move H1 H2 H3 H5 H6 to K", "why move H1 to Q", "why move H1 to K"
    )
    told = re.sub(r"\s+", " ", out)
    assert (
        "the move cannot end at K North country: Too many units in one zone [3.2]; Stacking limit ="
        " 4 [3.2]" in told
    )
    assert "Q Sphacteria, north end is not next to N Spartan camp" in told
    assert "'move H1 to K' is offered" in told
    assert terminal.state.choices[-1].label != "Move a group"


@pytest.mark.parametrize("line", ["stop", "1 stop", "H1 H2 stop"])
def test_a_stop_that_ends_no_walk_is_refused_with_the_whole_line(line: str) -> None:
    group = ["3", "activate N", "2"]
    before, out = typed(*group)
    after, told = typed(*group, line)
    assert after.state == before.state and "`stop`" in told.removeprefix(out[:-30])


@pytest.mark.parametrize("number", ["4", "9"])
def test_why_speaks_of_the_number_that_was_typed(number: str) -> None:
    _, out = typed(f"why {number}", "quit")
    assert f"'{number}' is " in out and "pick" not in out


@pytest.mark.parametrize(
    ("lang", "label"), [("en", "Victory points"), ("fr", "Points de victoire")]
)
def test_a_total_is_named_as_players_read_it(lang: str, label: str) -> None:
    _, out = typed("total", "total vp sparta", "quit", lang=lang)
    assert f"total vp ({label})" in out and re.search(rf"{label} \(Spart[ae]\) = ", out)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("D", "'D'"),
        ("attack", "cannot be chosen now"),
        ("activate Q", "No unit of yours that may still move stands there. [2.C2]"),
    ],
)
def test_what_is_named_as_a_whole_means_nothing_else(line: str, told: str) -> None:
    """A zone is not an abbreviation of `done`, and an action is not a word of a card."""
    terminal, out = typed("3", *([] if line.startswith("activate") else ["activate N"]), line)
    assert told in re.sub(r"\s+", " ", out)
    assert terminal.state.decision is not None
    assert terminal.state.decision.player == "sparta" and terminal.state.choices[-1].key != "done"


def test_the_only_option_of_a_list_is_taken_and_told() -> None:
    """This holds for a person who plays alone. With `--ask-all` they are asked."""
    told = []
    for asks in (False, True):
        terminal, out = opened(
            {"athens": "human", "sparta": "random"},
            io.StringIO(),
            game_of("sphacteria", "en"),
            None,
            5,
        )
        terminal.settings.ask_all, rng = asks, random.Random(2)
        steps = 0
        while not terminal.state.is_terminal() and steps < 400:
            asked, steps = terminal.state.decision, steps + 1
            assert asked is not None
            if terminal.agents[terminal.state.current_player()] is None and not terminal.idle(
                asked
            ):
                terminal.recorder.apply(rng.choice(list(asked.options)))
            else:
                terminal._step() if not asks else terminal.recorder.apply(asked.options[0])
        told.append("(the only choice)" in out.getvalue())
    assert told == [True, False]


@pytest.mark.parametrize("word", ["annuler", "undo"])
def test_commands_are_known_in_french_and_in_english(word: str) -> None:
    _, out = typed("3", "activer N", word, lang="fr")
    assert "repris : Activer N" in out


ENGLISH = [
    piece
    for english, french in texts_of(DOMAIN, "fr")
    for piece in re.split(r"\{[^{}]*\}|[|`]", english)
    if len(piece.strip(" .,;:'()")) >= 8 and piece not in french
]


class _Script(io.StringIO):
    """The lines of a person who plays at random and tries every command on everything."""

    def __init__(self, rounds: int, rng: random.Random) -> None:
        super().__init__()
        self.rounds, self.rng, self.waiting = rounds, rng, list[str]()
        self.terminal: Terminal | None = None

    def readline(self, size: int | None = -1, /) -> str:
        if not self.waiting and self.rounds > 0:
            self.rounds -= 1
            self.waiting = self._round()
        return self.waiting.pop(0) + "\n" if self.waiting else ""

    def _round(self) -> list[str]:
        assert self.terminal is not None and self.terminal.state.decision is not None
        state, rng = self.terminal.state, self.rng
        program, options = state.table.program, state.decision.options if state.decision else ()
        id = rng.choice(rng.choice([k for k in program.kinds if len(k.members) > 8]).members)
        family = rng.choice(program.families)
        key = state.table.book.option(family.base + rng.randrange(family.size)).key
        more = [
            f"why {key}",
            "why",
            f"why {id}",
            f"chercher {id}",
            "plateau",
            "carte",
            "journal",
            "choix xyz",
            "suite",
            "annuler",
            "refaire",
            "total",
            f"total {rng.choice(program.totals).name}",
            "aide",
            "sauter",
            "skip x",
            "sauter off",
            "auto x",
            "enregistrer",
            "charger",
            "charger rien",
            key,
            id,
            f"vers {id}",
            "999",
            f"why move {id} vers {id}",
            f"ajouter {id}",
        ]
        number = rng.randrange(len(options))
        choice = options[number].label if options[number].label.isdigit() else str(number + 1)
        return [*rng.sample(more, 6), choice]


@pytest.mark.parametrize("name", ["sphacteria", "amphipolis"])
def test_french_has_no_english_in_it(name: str) -> None:
    """In whole games with all commands, no answer has English words of the program or of the
    game."""
    game = game_of(name, "fr")
    names = game.new().names
    own = {
        text
        for key, text in names._home.items()
        if len(text.split()) > 1 and "{" not in text and text not in names._own.values()
    }
    for seed in range(1 if name == "amphipolis" else 2):
        script = _Script(12, random.Random(seed))
        terminal, out = opened({"athens": "human", "sparta": "random"}, script, game, None, seed)
        terminal.settings.quiet, script.terminal = False, terminal
        terminal.play()
        told = re.sub(r"\s+", " ", out.getvalue())
        assert [
            text
            for text in (*ENGLISH, *own)
            if text in told and re.search(re.escape(text) + r"(?!\w)", told)
        ] == []
        assert not re.search(
            r"\b(?:the|is not|cannot|only|No such file)\b", told.replace("why the", "")
        )
