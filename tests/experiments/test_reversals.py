"""A reversal is detected if a situation that covers its id fails in the changed game. Survivors and
impossible ones are reported."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.errors import RulekitError
from rulekit.compiler.source.reversals import Reversal, Unplaced, read_reversals
from rulekit.experiments.reversals import (
    Verdict,
    attempt,
    claims,
    failing,
    sample,
    trials,
    verdicts,
)
from tests.commands import ran

LIBRARY = {
    "game.yaml": 'rulekit: library\nname: marks\ntitle: Marks\nversion: "1"\nlanguage: 1\n',
    "game.rules": (
        "game marks 1\n\nkind Side decides = x(o) | o(x)\n  fixed enemy: Side\ndefine opener: Side"
        " = x\n"
    ),
}
GAME = {
    "game.yaml": (
        'rulekit: game\nname: steps\ntitle: Steps\nversion: "1"\nlanguage: 1\nuses: [marks]\n'
    ),
    "game.rules": (
        """\
game steps 1

state done(s: Side): 0..3
event stepped(s: Side, n: 0..3)
  done(s) += n
total worth(s: Side): int
  base done(s)
  modifier begins +1 when s = opener
phase main
  each s in [opener, opener.enemy]
    choose by s "a step"
      option one "One"
        stepped(s, 1)
      option two "Two"
        when s = o "only o"
        stepped(s, 2)
  finish x, won
"""
    ),
    "coverage.yaml": (
        'ids: {R1: {ref: "1"}, R2: {ref: "2"}, R3: {ref: "3"}, R4: {ref: "4"}, R5: {ref: "5"}}\n'
    ),
    "situations/all.yaml": (
        """\
- name: One is one
  covers: [R1, R4]
  do: [one]
  then: [{done.x: 1}, {decision: o}]
- name: Two is for o
  covers: [R2]
  then: [{legal: [one]}, {why two: only o}]
- name: It begins
  covers: [R3, R5]
  then: [{"total worth(x)": 1}]
"""
    ),
    "reversals.yaml": (
        """\
reversals:
  R1: {file: game.rules, find: "stepped(s, 1)", put: "stepped(s, 2)"}
  R2: {file: game.rules, after: "option two", find: "when s = o", put: "when s = x"}
  R3: {file: game.rules, find: "stepped(s, 2)", put: "stepped(s, 3)"}
  R4: {library: marks, file: game.rules, find: "Side = x\\n", put: "Side = o\\n"}
  R5: {reason: "a word of the book"}
"""
    ),
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    for name, files in (("marks", LIBRARY), ("steps", GAME)):
        for path, words in files.items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(words, encoding="utf-8")
    return tmp_path / "steps"


def listed(game: Path) -> list[Reversal]:
    found = read_reversals(game, Sink())
    assert found is not None
    return found


def changed(game: Path, id: str, **values: str) -> Verdict:
    """Return the verdict on one reversal with other values."""
    made = trials(game, [Reversal(id, listed(game)[0].span, **values)])
    return attempt(made)[0]


@pytest.mark.docs("situations#covers-means-proves")
def test_what_a_situation_of_the_id_notices_is_killed_by_it_and_the_rest_survives(
    game: Path,
) -> None:
    found = {each.id: attempt([each])[0] for each in trials(game, listed(game))}
    assert {id: (each.state, each.by) for id, each in found.items()} == {
        "R1": ("killed", "One is one"),
        "R2": ("killed", "Two is for o"),
        "R3": ("survived", ""),
        "R4": ("killed", "One is one"),
    }
    assert "expected 1, is 2" in found["R1"].why


def test_only_the_situations_that_cover_the_id_are_run(game: Path) -> None:
    """Another situation would detect the reversal of R1, but R3 does not cover it."""
    assert (
        changed(game, "R3", file="game.rules", find="stepped(s, 1)", put="stepped(s, 2)").state
        == "survived"
    )


def test_what_makes_the_same_change_is_compiled_once_and_judged_each_by_its_own_situations(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = list[list[str]]()
    monkeypatch.setattr("rulekit.experiments.reversals._pool", lambda _: ThreadPoolExecutor(1))
    monkeypatch.setattr(
        "rulekit.experiments.reversals.attempt",
        lambda group: groups.append([t.id for t in group]) or attempt(group),
    )
    words = (game / "reversals.yaml").read_text(encoding="utf-8")
    line = next(each for each in words.splitlines() if "R1:" in each)
    old = next(each for each in words.splitlines() if "R3:" in each)
    (game / "reversals.yaml").write_text(
        words.replace(old, line.replace("R1:", "R3:")), encoding="utf-8"
    )
    found = {each.id: each.state for each in verdicts(trials(game, listed(game)))}
    assert sorted(groups) == [["R1", "R3"], ["R2"], ["R4"]]
    assert found == {"R1": "killed", "R2": "killed", "R3": "survived", "R4": "killed"}


def test_a_total_that_play_is_traced_for_notices_too(game: Path) -> None:
    assert (
        changed(game, "R3", file="game.rules", find="begins +1", put="begins +2").state == "killed"
    )


@pytest.mark.docs("situations#covers-means-proves")
@pytest.mark.parametrize("put", ["stepped(s)", "when so", "stepped(s, nothing)", ")"])
def test_a_changed_game_with_a_fault_proves_nothing(game: Path, put: str) -> None:
    found = changed(game, "R1", file="game.rules", find="stepped(s, 1)", put=put)
    assert found.state == "refused" and found.why.startswith("RK") and "game.rules:13" in found.why


@pytest.mark.docs("situations#covers-means-proves")
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"find": "stepped(s, 9)"}, "`find` is not in the file"),
        ({"find": "stepped"}, "`find` occurs 3 times"),
        ({"find": "when", "after": "option"}, "`after` occurs 2 times"),
        ({"find": "total", "after": "option two"}, "does not come after"),
        ({"find": "stepped(s, 1)", "put": "stepped(s, 1)"}, "`put` is the same text as `find`"),
    ],
)
def test_the_place_of_a_change_must_be_clear(game: Path, values: dict[str, str], why: str) -> None:
    with pytest.raises(Unplaced, match=why.replace("(", r"\(")):
        trials(game, [Reversal("R1", listed(game)[0].span, file="game.rules", **values)])


@pytest.mark.docs("situations#covers-means-proves")
def test_a_file_that_is_none_of_the_game_cannot_be_changed(game: Path) -> None:
    with pytest.raises(RulekitError, match=r"no file 'game\.rule'"):
        trials(game, [Reversal("R1", listed(game)[0].span, file="game.rule", find="x", put="y")])


def test_situations_that_fail_without_a_change_are_told(game: Path) -> None:
    assert not failing(game, trials(game, listed(game)))
    file = game / "situations" / "all.yaml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("{done.x: 1}", "{done.x: 2}"), encoding="utf-8"
    )
    assert failing(game, trials(game, listed(game))) == ["One is one"]
    code, _, err = ran("reversals", str(game))
    assert code == 1 and "One is one" in err


def test_verdicts_are_kept_as_long_as_the_changed_game_and_its_situations_are_the_same(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, tried = tmp_path / "kept.json", list[str]()
    monkeypatch.setattr("rulekit.experiments.reversals._pool", lambda _: ThreadPoolExecutor(1))
    monkeypatch.setattr(
        "rulekit.experiments.reversals.attempt",
        lambda group: [tried.append(trial.id) or Verdict(trial.id, "killed") for trial in group],
    )

    def tried_now() -> list[str]:
        tried.clear()
        assert {each.state for each in verdicts(trials(game, listed(game)), 1, kept)} == {"killed"}
        return sorted(tried)

    assert tried_now() == ["R1", "R2", "R3", "R4"]
    assert tried_now() == []
    file = game / "situations" / "all.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("only o}", "o}"), encoding="utf-8")
    assert tried_now() == ["R2"]
    (game / "texts").mkdir()
    (game / "texts" / "fr.yaml").write_text('option.one: "Un"\n', encoding="utf-8")
    assert tried_now() == []
    rules = game / "game.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("0..3", "0..2"), encoding="utf-8")
    assert tried_now() == ["R1", "R2", "R3", "R4"]
    kept.write_text("half a file", encoding="utf-8")
    assert tried_now() == ["R1", "R2", "R3", "R4"]


def test_nothing_of_a_changed_game_comes_into_the_cache(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    attempt(trials(game, listed(game))[:1])
    assert not (tmp_path / "cache").exists() and os.environ["RULEKIT_CACHE"] == str(
        tmp_path / "cache"
    )


def test_a_sample_is_the_same_for_the_same_game_and_moves_with_it(game: Path) -> None:
    samples = set()
    for number in range(12):
        every = trials(game, listed(game))
        assert sample(every, 2) == sample(every[::-1], 2)
        samples.add(frozenset(each.id for each in sample(every, 2)))
        with (game / "game.rules").open("a", encoding="utf-8") as file:
            file.write(f"# {number}\n")
    assert len(samples) > 1


@pytest.mark.docs("situations#covers-means-proves")
def test_the_command_tells_survivors_as_lines_and_as_json(game: Path) -> None:
    code, out, _ = ran("reversals", str(game), "-v", "--jobs", "2")
    lines = out.splitlines()
    assert (
        code == 1
        and lines[-1]
        == "5 reversals: 3 noticed, 1 survived, 0 with a faulty game, 1 with a reason instead"
    )
    assert "survived  R3: no situation that covers it fails" in lines
    assert any(line.startswith("noticed   R1: One is one: ") for line in lines)
    code, out, _ = ran("reversals", str(game), "--json", "--id", "R1", "R5")
    found = json.loads(out)
    assert code == 0 and found["killed"] == found["same"] == 1
    assert [(each["id"], each["state"], each["by"]) for each in found["reversals"]] == [
        ("R1", "killed", "One is one"),
        ("R5", "same", ""),
    ]


@pytest.mark.docs("situations#covers-means-proves")
def test_check_asks_for_a_reversal_only_where_there_are_some(game: Path) -> None:
    """In a game with `reversals.yaml` each covered id has one, or a reason."""
    file = game / "reversals.yaml"
    file.write_text(
        "\n".join(
            line for line in file.read_text(encoding="utf-8").splitlines() if "R3:" not in line
        ),
        encoding="utf-8",
    )
    code, out, _ = ran("check", str(game))
    assert code == 0 and out.count("RK678") == 1 and "'R3' is covered, but has no reversal" in out
    file.unlink()
    assert "RK678" not in ran("check", str(game))[1]


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        (
            'find: "stepped(s, 1)"',
            'find: "stepped"',
            "RK629",
            "its `find` occurs 3 times in the file",
        ),
        (
            'after: "option two"',
            'after: "option"',
            "RK629",
            "its `after` occurs 2 times in the file",
        ),
        (
            'put: "when s = x"',
            'put: "when s = o"',
            "RK629",
            "its `put` is the same text as `find`, so nothing changes",
        ),
        ("library: marks", "library: mark", "RK629", "'mark' is not a library of this game"),
        (
            '{file: game.rules, find: "stepped(s, 2)',
            '{file: rules/1.rules, find: "stepped(s, 2)',
            "RK629",
            "'rules/1.rules' is not a file of the game",
        ),
        ("R5:", "R6:", "RK628", "coverage.yaml has no id 'R6'"),
        ("R3:", "R1:", "RK111", "key 'R1' is written twice"),
        ('find: "stepped(s, 1)"', 'find: ""', "RK124", "'find' needs at least 1 character"),
        ("reversals:", "reversals: []", "RK1", ""),
    ],
)
def test_the_command_tells_a_fault_of_its_file_as_the_check_does(
    game: Path, old: str, new: str, code: str, words: str
) -> None:
    file = game / "reversals.yaml"
    before = file.read_text(encoding="utf-8")
    assert before.count(old) == 1
    file.write_text(before.replace(old, new), encoding="utf-8")
    for command in (["check", str(game)], ["reversals", str(game), "--jobs", "1"]):
        found, out, err = ran(*command)
        assert (
            found == 1
            and code in out + err
            and words in out + err
            and "reversals.yaml:" in out + err
        )


def test_wrong_use_is_told(game: Path) -> None:
    assert ran("reversals", str(game), "--id", "R6")[0] == 2
    assert ran("reversals", str(game), "--sample", "0")[0] == 2
    assert ran("reversals", str(game), "--jobs", "0")[0] == 2
    (game / "reversals.yaml").unlink()
    code, _, err = ran("reversals", str(game))
    assert code == 1 and "has no reversals.yaml" in err


def test_what_is_asked_of_searching_seats_is_left_out(game: Path) -> None:
    with (game / "situations" / "all.yaml").open("a", encoding="utf-8") as file:
        file.write('- name: A seat\n  covers: [R1]\n  then: [{"seat search:20": {only: [one]}}]\n')
    assert [case.name for case in claims(game)["R1"]] == ["One is one"]
