"""The tables of the parser are kept between runs; whatever lies in the cache, the parser works."""

import logging
import marshal
from pathlib import Path

import lark
import pytest

from rulekit.base.diagnostic import Sink
from rulekit.syntax import tables
from rulekit.syntax.parse import parse


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the cache, and no parser made yet; afterwards none either."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path))
    tables.parser.cache_clear()
    return tmp_path


def works() -> bool:
    sink = Sink()
    file = parse("unit PA\nphase a\n  b(1 PA)\n", "f", sink)
    tables.parser.cache_clear()
    return len(file.decls) == 2 and not sink.found


def test_the_tables_are_written_once_and_read_again(fresh: Path) -> None:
    assert works()
    (kept,) = fresh.iterdir()
    stamp = kept.stat().st_mtime_ns
    assert works()
    assert kept.stat().st_mtime_ns == stamp


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\0" * 5000], ids=["empty", "short", "zeros"])
def test_damaged_tables_are_made_again(fresh: Path, damage: bytes) -> None:
    assert works()
    (kept,) = fresh.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    assert works()
    assert len(kept.read_bytes()) == len(whole)


def test_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path, fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is none at all."""
    monkeypatch.setenv("RULEKIT_CACHE", "")
    assert works()
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("RULEKIT_CACHE", str(blocker / "below"))
    assert works()


def test_the_grammar_has_no_conflict(caplog: pytest.LogCaptureFixture) -> None:
    """Lark settles a conflict between shifting and reducing silently; it only says so in its log."""
    grammar = Path(tables.__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    lark.logger.addHandler(caplog.handler)
    try:
        with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
            lark.Lark(grammar, parser="lalr", start="piece", lexer=tables.WordLexer, debug=True)
    finally:
        lark.logger.removeHandler(caplog.handler)
    assert not [r.getMessage() for r in caplog.records if "conflict" in r.getMessage().lower()]


def test_every_rule_of_the_grammar_makes_something() -> None:
    """A rule without a method of the builder would leave a tree of Lark's in ours."""
    made = tables.parser()
    names = {rule.alias or rule.origin.name for rule in made.rules}
    missing = {name for name in names if not name.startswith("_") and not hasattr(tables.Builder, name)}
    assert missing <= {rule.origin.name for rule in made.rules if rule.options.expand1}


def test_tables_that_are_not_those_that_were_written_are_not_read(fresh: Path) -> None:
    """They are whole, but their digest is that of others."""
    assert works()
    (kept,) = fresh.iterdir()
    digest, plain = kept.read_bytes()[:32], marshal.loads(kept.read_bytes()[32:])
    kept.write_bytes(digest + marshal.dumps({**plain, "other": True}))
    assert works()
    assert marshal.loads(kept.read_bytes()[32:]).keys() == plain.keys()
