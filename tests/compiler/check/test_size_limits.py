"""The bounds of a game, each at the last allowed value and the first forbidden one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.source.game_source import GameSource, RulesText
from tests.compiler.checked_rules import findings

HEAD = (
    "game bounds 1\nkind Side decides = red | blue\nstate x: 0..9\nstate free(s: Side): bool\nstate"
    " many: int\n"
)
END = "  finish red, win\n"
ASKED = "  pick last_one from Side by red\n"


def said(text: str) -> list[str]:
    return [each.split(" ")[0] for each in findings(text)[1]]


def phase(*lines: str, before: str = "", asks: bool = False) -> str:
    return (
        HEAD
        + before
        + "phase main\n"
        + "".join(f"  {line}\n" for line in lines)
        + (ASKED if asks else "")
        + END
    )


def nested(open: str, depth: int) -> str:
    return (
        HEAD
        + "phase main\n"
        + "".join("  " * (i + 1) + open + "\n" for i in range(depth))
        + "  " * (depth + 1)
        + "x := 1\n"
        + END
    )


def padded(n: int) -> str:
    text = phase()
    lines, rest = divmod(n - len(text), 100)
    return text + ("#" + "-" * 98 + "\n") * lines + "#" * rest


def calling(n: int) -> str:
    chain = "".join(f"procedure p{i + 1}\n  p{i}\n" for i in range(n))
    return phase(f"p{n}", before="procedure p0\n  x := 1\n" + chain)


def contexts(n: int) -> str:
    """Return rules with a procedure nested in n others."""
    return (
        HEAD
        + "".join(f"procedure p{i} in p{i + 1}\n  x := 1\n" for i in range(n))
        + f"procedure p{n}\n  x := 1\nphase main\n"
        + END
    )


BOUNDS: dict[str, tuple[Callable[[int], str], int, str]] = {
    "characters of the rules": (padded, 600_000, "RK213"),
    "values of a state": (
        lambda n: phase(before=f"state y(i: 1..{n}): bool\n"),
        1_000_000,
        "RK407",
    ),
    "values of a state with two keys": (
        lambda n: phase(before=f"state y(i: 1..{n}, j: 1..1000): bool\n"),
        1_000,
        "RK407",
    ),
    "values of all states": (
        lambda n: phase(
            before="".join(f"state y{i}(i: 1..1000000): bool\n" for i in range(3))
            + f"state z(i: 1..{n}): bool\n"
        ),
        1_000_000 - 4,
        "RK407",
    ),  # minus the cells x, many, and free of each side
    "lines of a table": (
        lambda n: phase(before=f"table t(i: 1..{n}) -> int\n  1 | 2\n"),
        100_000,
        "RK407",
    ),
    "combinations of an option": (
        lambda n: (
            HEAD
            + f"phase main\n  choose by red\n    option go(i: 1..{n}, j: 1..1000)\n      x := 1\n"
            + END
        ),
        250,
        "RK407",
    ),
    "numbers of a pick": (lambda n: phase(f"pick n from 1..{n} by red"), 250_000, "RK407"),
    "branches": (
        lambda n: phase("if x = 0", "  x := 1", *["else if x = 1", "  x := 2"] * (n - 1)),
        60,
        "RK407",
    ),
    "cases": (
        lambda n: phase(
            before="define f: int\n"
            + "".join(f"  = {i} when x = {i % 10}\n" for i in range(n - 1))
            + "  = 3\n"
        ),
        200,
        "RK407",
    ),
    "definitions deep": (
        lambda n: phase(
            before="define f0 = x\n" + "".join(f"define f{i} = f{i - 1} + 1\n" for i in range(1, n))
        ),
        100,
        "RK511",
    ),
    "procedures deep": (calling, 98, "RK511"),
    "contexts": (contexts, 19, "RK511"),
    "rounds of a loop": (lambda n: phase(f"repeat {n} times", "  x := 1"), 100_000, "RK407"),
    "rounds of a loop until": (
        lambda n: phase(f"repeat until x = 1, at most {n}", "  x := 1"),
        100_000,
        "RK407",
    ),
    "rounds of a loop at most": (
        lambda n: phase(f"repeat at most {n}", "  x := 1"),
        100_000,
        "RK407",
    ),
    "rounds of a loop over numbers": (
        lambda n: phase(f"each i in 1..{n}", "  x := 1"),
        100_000,
        "RK407",
    ),
    "rounds of all loops in it": (
        lambda n: phase("repeat 7 times", f"  repeat {n} times", "    x := 1"),
        42_855,
        "RK513",
    ),
    "brackets": (
        lambda n: phase(before="define f = " + "(" * n + "1" + ")" * n + "\n"),
        100,
        "RK214",
    ),
    "blocks": (lambda n: nested("if x = 0", n - 1), 40, "RK215"),
    "digits": (lambda n: phase(before=f"define f = {'9' * n}\n"), 9, "RK216"),
}


@pytest.mark.docs("language#16-what-the-language-does-not-have")
@pytest.mark.parametrize("what", BOUNDS)
def test_so_much_may_be_and_no_more(what: str) -> None:
    made, most, code = BOUNDS[what]
    assert code not in said(made(most)), findings(made(most))[1]
    assert code in said(made(most + 1))


@pytest.mark.docs("language#16-what-the-language-does-not-have")
@pytest.mark.parametrize(
    ("bound", "most", "made"),
    [
        ("STATEMENTS", 5_000, lambda n: phase(*["x := 1"] * (n - 1))),
        (
            "STATEMENTS",
            5_000,
            lambda n: phase("p", *["x := 1"] * (n - 4), before="procedure p\n  x := 2\n  x := 3\n"),
        ),
        (
            "MEMBERS",
            20_000,
            lambda n: (
                HEAD + "kind K = " + " | ".join(f"a{i}" for i in range(n)) + "\nphase main\n" + END
            ),
        ),
        ("MEMBERS", 20_000, lambda n: HEAD + f"kind K = grid {n} by 1\nphase main\n" + END),
        ("FAMILY", 1_000_000, lambda n: phase(before=f"fixed y(i: 1..{n}): int = 3\n")),
    ],
)
def test_so_much_as_the_bound_says(
    bound: str, most: int, made: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound that is slow to reach is checked by its number and by a smaller one."""
    assert getattr(limits, bound) == most
    monkeypatch.setattr(limits, bound, 12)
    assert "RK407" not in said(made(12)), findings(made(12))[1]
    assert "RK407" in said(made(13))


@pytest.mark.docs("language#16-what-the-language-does-not-have")
@pytest.mark.parametrize(("more", "codes"), [(0, []), (1, ["RK213"])])
def test_the_characters_of_libraries_count_too(more: int, codes: list[str]) -> None:
    texts = {"base.rules": "library base 1\n" + "#\n" * 150_000, "g.rules": ""}
    texts["g.rules"] = padded(600_000 + more - len(texts["base.rules"]))
    sink = Sink()
    check(
        GameSource(
            "long",
            Path(),
            rules=[
                RulesText(name, text, layer, name)
                for layer, (name, text) in enumerate(texts.items())
            ],
            files=texts,
        ),
        sink,
    )
    assert [d.code for d in sink.found if d.level == "error"] == codes


def long(more: str = "", hook: str = "") -> str:
    """Return rules with a procedure of 600,000 statements. Each round of a loop, calls, an event
    and its hook count."""
    called = "  repeat 1000 times\n" + "    called\n" * 290
    alone = "  repeat 1000 times\n    x := 1\n  hit\n  repeat 8495 times\n    x := 1\n"
    before = (
        f"event hit\n  x := 1\non after hit\n  x := 3\n  x := 4\n  x := 5\n{hook}procedure called\n"
        "  x := 2\n"
    )
    return (
        HEAD
        + before
        + "procedure long\n"
        + called
        + alone
        + more
        + "phase main\n  long\n"
        + ASKED
        + END
    )


@pytest.mark.docs("language#16-what-the-language-does-not-have")
@pytest.mark.parametrize(
    ("text", "codes"),
    [(long(), []), (long(more="  x := 1\n"), ["RK513"]), (long(hook="  x := 6\n"), ["RK513"])],
)
def test_so_many_statements_may_run_in_a_procedure_without_decisions(
    text: str, codes: list[str]
) -> None:
    """One more statement in it, or in the hook of its event, is too much."""
    assert [code for code in said(text) if code == "RK513"] == codes
