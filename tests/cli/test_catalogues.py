"""The help of the command line is in its catalogues, in each language: no message is missing,
obsolete or English."""

from __future__ import annotations

import argparse
import ast
import gettext
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_from_file
from babel.messages.mofile import read_mo

from rulekit.cli.main import COMMANDS, main
from rulekit.cli.terminal.help_text import HELP
from rulekit.common.i18n.command_line import PARSER
from rulekit.common.i18n.languages import HOME, LANGUAGES, LOCALE
from rulekit.common.i18n.messages import DOMAIN
from tests.cli.catalogue import catalogue, forms
from tools.extract_messages import extract

WRAPPED = {message.msgid for message in HELP}  # fitted to the terminal when they are printed

PACKAGE = Path(__file__).resolve().parents[2] / "rulekit"
COMMAND_LINE = PACKAGE / "cli"
CATALOGUES = sorted(Path(LOCALE).glob("*/LC_MESSAGES/*.po"))
OURS = [path for path in CATALOGUES if path.stem == DOMAIN]
PLACES = re.compile(r"%(?:\(\w+\))?[a-z]|\{\w+\}")
COUNTED = re.compile(  # a number, with at most one word between it and a plural noun
    r"(?<!choice )(?<!event )\{(?:n|m|all|most|least|count|visits|seconds|games|decisions)\}"
    r" (?:[a-z]+ )?(?!(?:is|was|has|this|less)\b)[a-z]+s\b"
)
ALWAYS_MANY = {  # their number is a constant of the program, above 1
    "a password has {least} to {most} characters",
    "a plan has at most {n} keys",
    "a process died {n} times in the same games (exit code {why}); is there enough memory?",
    "the message is longer than {n} bytes",
    "the request did not arrive within {n} seconds",
    "The first {n} of {all} runs are drawn; the table has all.",
    "this folder has more than {n} files",
    "this is too long (at most {n} characters)",
    "you can take back at most {n} choices at once",
    "{n} bytes",
    "({n} options, up to {last}; `options WORDS`)",
    "{seat} thinks too long for a shared server: at most {seconds} seconds or {visits} visits",
}
TOLD_TO_PROGRAMMERS = re.compile(  # of argparse: wrong declarations and unused sorts of arguments
    r"dest=|conflict|subparser|not callable|call__|prefix_chars|'required'|must be"
    r" optional|unknown"
    r" parser|merge actions|mode %r|action|metavar|deprecated"
)


def entries(catalog: Catalog) -> dict[object, object]:
    """Context and message the translation of each message, with the forms of a plural as tuples."""
    return {
        (message.context, forms(message.id)): forms(message.string)
        for message in catalog
        if message.id
    }


def marked() -> set[object]:
    """Context and message of each call in the source."""
    found = extract_from_dir(
        str(PACKAGE),
        method_map=[("**.py", extract)],
        options_map={},
        keywords={**DEFAULT_KEYWORDS, "pgettext": ((1, "c"), 2)},
    )
    return {(context, forms(message)) for _, _, message, _, context in found}


def test_each_language_but_english_has_its_catalogues() -> None:
    assert {path.parts[-3] for path in CATALOGUES} == set(LANGUAGES) - {HOME}
    assert [path.stem for path in CATALOGUES] == [PARSER, DOMAIN] * (len(LANGUAGES) - 1)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.parts[-3])
def test_every_message_of_the_source_is_in_the_catalogue_and_nothing_else(path: Path) -> None:
    known = catalogue(path)
    assert len(known) > 600 and not known.obsolete
    assert set(entries(known)) == marked(), "run: make messages"


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.parts[-3])
def test_a_number_beside_a_noun_has_a_singular_and_a_plural(path: Path) -> None:
    """Otherwise a reader sees "1 choices"."""
    single = [each.id for each in catalogue(path) if isinstance(each.id, str)]
    assert {text for text in single if COUNTED.search(text)} == ALWAYS_MANY
    assert COUNTED.search("{n} choices stand now") and COUNTED.search("{n} connected pages")
    assert not COUNTED.search("choice {n} has no reason")


def test_a_call_is_found_wherever_it_stands() -> None:
    source = b"""f"{say(_('in a text'))}"; _("outer", x=[", ".join(_("inner"))])
ngettext("a", "b", 1)"""
    found = [texts for _, _, texts, _ in extract(io.BytesIO(source), {"_", "ngettext"}, (), {})]
    assert found == ["in a text", "outer", "inner", ("a", "b")]
    with pytest.raises(ValueError, match="not a literal"):
        list(extract(io.BytesIO(b"_(x)"), {"_"}, (), {}))


def _of_argparse() -> set[object]:
    return {(None, forms(found[1])) for found in extract_from_file("python", argparse.__file__)}


@pytest.mark.parametrize(
    "path",
    [path for path in CATALOGUES if path.stem == PARSER],
    ids=lambda path: path.parts[-3],
)
def test_every_message_of_this_python_s_parser_is_in_the_catalogue(path: Path) -> None:
    known, spoken = entries(catalogue(path)), _of_argparse()
    assert {each for each in spoken if not TOLD_TO_PROGRAMMERS.search(str(each))} <= set(known)
    assert len(spoken & set(known)) > 15


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: "/".join((path.parts[-3], path.stem)))
def test_every_entry_is_translated_and_keeps_its_places(path: Path) -> None:
    for message in catalogue(path):
        if message.id:
            ids, strings = forms(message.id), forms(message.string)
            assert all(strings) and not message.fuzzy, message.id
            for string in strings:
                assert sorted(PLACES.findall(string)) in (
                    [sorted(PLACES.findall(each)) for each in ids] + [["%(value)r"]]
                ), message.id
                assert (
                    "\n" not in string
                    or message.id in WRAPPED
                    or max(map(len, string.splitlines())) <= 130
                ), message.id


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: "/".join((path.parts[-3], path.stem)))
def test_what_is_read_is_the_build_of_what_is_written(path: Path) -> None:
    built = entries(catalogue(path.with_suffix(".mo"), read_mo))
    assert built == entries(catalogue(path)), "run: make messages"


def _added() -> Iterator[tuple[str, ast.expr]]:
    """Yield every expression of the command line that --help prints."""
    for path in sorted(COMMAND_LINE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in (
                "add_argument",
                "add_argument_group",
                "ArgumentParser",
            ):
                yield from (
                    (path.name, each.value)
                    for each in node.keywords
                    if each.arg in ("help", "title", "description", "epilog")
                )
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "attr", "") in (
                "description",
                "epilog",
            ):
                yield path.name, node.value


def test_no_help_is_unmarked() -> None:
    """Every text in it, except layout, is in a call of `gettext`."""
    loose = []
    for name, value in _added():
        marked = {
            id(inner)
            for call in ast.walk(value)
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "gettext"
            for inner in ast.walk(call)
        }
        loose += [
            f"{name}: {node.value!r}"
            for node in ast.walk(value)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.search("[a-z]{3}", node.value)
            and id(node) not in marked
        ]
    assert not loose and len(list(_added())) > 50


@pytest.mark.parametrize(
    "words",
    [(), *((command,) for command in COMMANDS)],
    ids=lambda words: "".join(words) or "rulekit",
)
def test_the_help_is_french_where_french_is_asked_for(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Afterwards it is in English again, and the process is unchanged."""
    before = gettext.textdomain(), dict(os.environ)
    assert main([*words, "--help"]) == 0
    english = capsys.readouterr().out
    assert main([*words, "--help", "--lang", "fr"]) == 0
    french = capsys.readouterr().out
    assert (gettext.textdomain(), dict(os.environ)) == before
    assert french != english and french.startswith("usage : ")
    bare = re.sub(
        r"`[^`]*`|\[[^\]]*\]|\(sinon : \w+\)|\(default: \w+\)|--[\w-]+|\b[A-Z_]+\b|^ "
        r" where\b|rulekit where",
        "",
        french,
        flags=re.MULTILINE,
    )
    assert not re.search(
        r"\b(?:the|is|not|only|with|there|this|such|what|and|how|where|show)\b", bare
    ), bare
    assert main([*words, "--help"]) == 0
    assert capsys.readouterr().out == english


@pytest.mark.parametrize("lang", ["xx", "..", "../fr", "fr/LC_MESSAGES", "", "FR"])
def test_a_language_that_has_no_catalogue_is_english(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--help", "--lang", lang]) == 0
    assert capsys.readouterr().out.startswith("usage: rulekit play")


def test_the_language_of_the_system_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "fr")
    assert main(["perft"]) == 2
    assert "are required: PATH, --depth" in capsys.readouterr().err
    assert main(["perft", "--lang", "fr"]) == 2
    assert "il manque : PATH, --depth" in capsys.readouterr().err
    assert os.environ["LANGUAGE"] == "fr"
