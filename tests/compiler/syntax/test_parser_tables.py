"""The tables of the parser are cached between runs. The parser works whatever the cache
contains."""

import ast
import logging
from hashlib import sha256
from pathlib import Path

import lark
import pytest
from lark.parsers.lalr_interactive_parser import InteractiveParser

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.syntax import lexer, parser_tables
from rulekit.compiler.syntax.parser import parse
from rulekit.compiler.syntax.scanner import Token


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables as they are written to an empty folder."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEKIT_CACHE", str(folder))
        parser_tables.parser.cache_clear()
        assert works()
    (kept,) = folder.iterdir()
    return kept


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the cache, without a loaded parser before or after the test."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path))
    parser_tables.parser.cache_clear()
    return tmp_path


def works() -> bool:
    sink = Sink()
    file = parse("unit PA\nphase a\n  b(1 PA)\n", "f", sink)
    parser_tables.parser.cache_clear()
    return len(file.decls) == 2 and not sink.found


def test_the_tables_are_written_once_and_read_again(fresh: Path) -> None:
    assert works()
    (kept,) = fresh.iterdir()
    stamp = kept.stat().st_mtime_ns
    assert works()
    assert kept.stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    "damage", [b"", b"nonsense", b"\0" * 5000], ids=["empty", "short", "zeros"]
)
def test_damaged_tables_are_made_again(fresh: Path, whole: Path, damage: bytes) -> None:
    kept = fresh / whole.name
    kept.write_bytes(damage)
    assert works()
    mended = kept.read_bytes()
    assert sha256(mended[32:]).digest() == mended[:32]


def test_a_folder_that_cannot_be_written_is_no_fault(
    tmp_path: Path, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing folder is no fault either."""
    monkeypatch.setenv("RULEKIT_CACHE", "")
    assert works()
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("RULEKIT_CACHE", str(blocker / "below"))
    assert works()


def test_the_grammar_has_no_conflict(caplog: pytest.LogCaptureFixture) -> None:
    """Lark resolves a shift-reduce conflict silently and mentions it only in its log."""
    grammar = Path(parser_tables.__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    lark.logger.addHandler(caplog.handler)
    try:
        with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
            lark.Lark(grammar, parser="lalr", start="piece", lexer="basic", debug=True)
    finally:
        lark.logger.removeHandler(caplog.handler)
    assert not [r.getMessage() for r in caplog.records if "conflict" in r.getMessage().lower()]


def test_every_rule_of_the_grammar_makes_something() -> None:
    """A rule without a method of the builder would leave a tree of Lark in ours."""
    made = parser_tables.parser()
    names = {rule.alias or rule.origin.name for rule in made.rules}
    missing = {
        name
        for name in names
        if not name.startswith("_") and not hasattr(parser_tables.Builder, name)
    }
    assert missing <= {rule.origin.name for rule in made.rules if rule.options.expand1}


def test_tables_that_are_not_those_that_were_written_are_not_read(fresh: Path, whole: Path) -> None:
    """They are complete, but have another digest."""
    kept = fresh / whole.name
    kept.write_bytes(whole.read_bytes()[:-1] + b"?")
    assert works()
    assert not kept.read_bytes().endswith(b"?")


@pytest.mark.parametrize(
    "path", sorted(Path(parser_tables.__file__).parent.glob("*.py")), ids=lambda path: path.name
)
def test_only_what_lark_makes_public_is_used(path: Path) -> None:
    """No attribute of Lark with a leading underscore is used, and no internal state of its
    parser."""
    inside = {
        "parser_state",
        "parse_conf",
        "state_stack",
        "value_stack",
        "memo_serialize",
        "lexer_thread",
    }
    used = {
        node.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }
    private = {
        name
        for name in dir(lark.Lark) + dir(InteractiveParser)
        if name.startswith("_") and not name.startswith("__")
    }
    assert not used & (inside | private)


WORDS = (
    "unit set\nphase set\n  set(1)\n",
    "kind group\n  fixed start: end\nphase a\n  start := end\n",
    "phase a\n  each each in A where it.by(by) = 1\n    let x = the\n",
    "phase a\n  roll roll = 2d6 by me for x\n  roll(1)\n  draw.x()\n",
    "phase a\n  pick group group from x by me\n  pick(group)\n",
    "phase a\n  repeat 3 times\n    repeat(3)\n  choose := 4\n  choose by choose\n",
)


@pytest.mark.parametrize("text", WORDS)
def test_a_word_is_settled_by_what_the_parser_accepts(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fast path (feed a word, and go back on failure) has the same result as asking the parser
    each time."""

    def asked(cursor: InteractiveParser, token: Token, word: str) -> InteractiveParser:
        accepted = cursor.accepts()
        token.type = (
            word if "NAME" not in accepted or (word in accepted and lexer._meant(token)) else "NAME"
        )
        cursor.feed_token(token)
        return cursor

    short, long = Sink(), Sink()
    made = parse(text, "f", short)
    monkeypatch.setattr(lexer, "_feed_word_or_name", asked)
    assert repr(parse(text, "f", long)) == repr(made) and [str(d) for d in long.found] == [
        str(d) for d in short.found
    ]
