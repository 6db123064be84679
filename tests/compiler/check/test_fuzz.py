"""The checker never raises: mutated rules end with diagnostics or with a well-formed model."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check_files
from rulekit.compiler.model import Model
from rulekit.compiler.source.folder import read_game
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.parser import parse
from tests.compiler.check.wellformed import problems
from tests.counts import cases

ROOT = Path(__file__).parents[3]
GAMES = sorted(
    [
        *(ROOT / "examples").iterdir(),
        *(ROOT / "tests" / "fixtures").iterdir(),
        *(ROOT / "games").glob("sphacteria"),
    ]
)
MUTANTS = 8  # of each game
TOKEN = re.compile(r'[A-Za-z_]\w*|\d+|"[^"\n]*"|:=|\+=|-=|->|\?\?|\.\.|!=|<=|>=|\S')
NUMBERS = ("0", "1", "7", "64", "999999999", "1000000000", "9" * 40)
SPARE = (
    "it",
    "none",
    "here",
    "me",
    "true",
    "main",
    "all",
    "set",
    "int",
    "bool",
    "Moment",
    "Scope",
    "(",
    ")",
    "{",
    "}",
    ",",
    ".",
    "=",
    "+",
    "-",
    "*",
    "where",
    "when",
    "if",
    "else",
    "not",
    "and",
    "or",
    "in",
    "is",
    "of",
    "by",
    "..",
    "??",
    "up",
    "/",
    "some",
    "count",
    "the",
)


@cache
def game(folder: Path) -> tuple[GameSource, tuple[tuple[t.File, int], ...]]:
    """Return the sources of a game and its parsed files."""
    sink = Sink()
    source = read_game(folder, sink)
    assert source is not None
    return source, tuple((parse(text.text, text.path, sink), text.layer) for text in source.rules)


# ---------------------------------------------------------------------------------------- mutations
def at_tokens(
    text: str,
    rng: random.Random,
    change: Callable[[list[re.Match[str]], int], tuple[re.Match[str], str]],
) -> str:
    found = list(TOKEN.finditer(text))
    place, new = change(found, rng.randrange(len(found)))
    return text[: place.start()] + new + text[place.end() :]


def delete(text: str, rng: random.Random) -> str:
    return at_tokens(text, rng, lambda found, i: (found[i], ""))


def duplicate(text: str, rng: random.Random) -> str:
    return at_tokens(text, rng, lambda found, i: (found[i], f"{found[i][0]} {found[i][0]}"))


def swap(text: str, rng: random.Random) -> str:
    found = list(TOKEN.finditer(text))
    i = rng.randrange(len(found) - 1)
    a, b = found[i], found[min(len(found) - 1, i + rng.randint(1, 3))]
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


def rename(text: str, rng: random.Random) -> str:
    """Replace a name by another of the file."""
    names = [f for f in TOKEN.finditer(text) if f[0][0].isalpha()]
    place = rng.choice(names)
    return text[: place.start()] + rng.choice(names)[0] + text[place.end() :]


def replace(text: str, rng: random.Random) -> str:
    return at_tokens(text, rng, lambda found, i: (found[i], rng.choice(SPARE)))


def number(text: str, rng: random.Random) -> str:
    found = [f for f in TOKEN.finditer(text) if f[0].isdigit()]
    if not found:
        return delete(text, rng)
    place = rng.choice(found)
    return text[: place.start()] + rng.choice(NUMBERS) + text[place.end() :]


def on_lines(text: str, rng: random.Random, change: Callable[[list[str], int], None]) -> str:
    lines = text.split("\n")
    change(lines, rng.randrange(len(lines)))
    return "\n".join(lines)


def remove_line(text: str, rng: random.Random) -> str:
    return on_lines(text, rng, lambda lines, i: lines.pop(i) and None)


def repeat_line(text: str, rng: random.Random) -> str:
    return on_lines(text, rng, lambda lines, i: lines.insert(rng.randrange(len(lines)), lines[i]))


def indent(text: str, rng: random.Random) -> str:
    def change(lines: list[str], i: int) -> None:
        lines[i] = "  " + lines[i] if rng.random() < 0.5 else lines[i].removeprefix("  ")

    return on_lines(text, rng, change)


def drop(text: str, rng: random.Random) -> str:
    """Remove a whole declaration."""
    pieces = re.split(r"\n(?=[a-z])", text)
    pieces.pop(rng.randrange(len(pieces)))
    return "\n".join(pieces)


MUTATIONS = (
    delete,
    duplicate,
    swap,
    rename,
    rename,
    rename,
    replace,
    number,
    remove_line,
    repeat_line,
    indent,
    drop,
)


def mutant(text: str, rng: random.Random) -> str:
    """Return a mutated text, most often with one change. Of several faults only the first would be
    reported."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(MUTATIONS)(text, rng)
        if not TOKEN.search(text):
            break
    return text


def checked(folder: Path, which: int, text: str) -> tuple[Model | None, Sink]:
    """Check the game with one of its files replaced."""
    source, files = game(folder)
    sink = Sink()
    changed = list(files)
    changed[which] = (parse(text, source.rules[which].path, sink), files[which][1])
    return check_files(changed, source, sink), sink


def attempt(folder: Path, seed: int) -> None:
    """Check one mutant: no exception, and a sound model or at least one error."""
    source, _ = game(folder)
    rng = random.Random(f"{folder.name} {seed}")
    which = rng.randrange(len(source.rules))
    text = mutant(source.rules[which].text, rng)
    model, sink = checked(folder, which, text)
    if model is None:
        assert sink.errors, f"seed {seed}: no model and no error"
    else:
        assert not problems(model), f"seed {seed}"


@pytest.mark.parametrize("folder", GAMES, ids=lambda p: p.name)
def test_no_mutant_makes_the_checker_raise(folder: Path) -> None:
    """Each of a fixed number of mutants ends with diagnostics or with a sound model."""
    for seed in cases(MUTANTS):
        attempt(folder, seed)


@pytest.mark.parametrize("folder", GAMES, ids=lambda p: p.name)
def test_the_games_themselves_are_of_good_form(folder: Path) -> None:
    source, files = game(folder)
    sink = Sink()
    model = check_files(list(files), source, sink)
    assert model is not None, sink.errors
    assert not problems(model)
