"""Words of the rules language: their grammar, the places of the manual, and short uses in the
games that come with rulekit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import attrs

from rulekit.compiler.source.locate import rules_files, shipped
from rulekit.compiler.syntax import parser_tables
from rulekit.project.manual.pages import Section, sections

_RULE = re.compile(r"^([a-z_?!]\w*)(?:\.\d+)?:[ \t]*(.*(?:\n[ \t]+\|.*)*)", re.MULTILINE)
_LITERAL = re.compile(r'"([a-z]+)"')
_TEXT_OR_COMMENT = re.compile(r'"[^"\n]*"|#.*')
_SHORTEST = 3  # uses that are shown


@attrs.frozen
class WordUse:
    """A line of rules that uses a word."""

    file: str
    line: int
    text: str


@attrs.frozen
class Word:
    """A word of the language.

    Attributes:
        forms: the rules of the grammar in which the word stands, and then the rules for their
            parts.
        sections: the sections that explain it, the one with most mentions first.
        lines: the paragraphs and rows of the first section that mention it.
        uses: the shortest lines of the shipped games with the word.
    """

    word: str
    forms: tuple[str, ...]
    sections: tuple[str, ...]
    lines: tuple[str, ...]
    uses: tuple[WordUse, ...]


def known_words() -> frozenset[str]:
    """Return all words of the language."""
    return frozenset(word for _, text in _grammar() for word in _LITERAL.findall(text))


def word_entry(word: str) -> Word | None:
    """Return what there is about a word, or None if the language has no such word."""
    if word not in known_words():
        return None
    found = sorted(
        ((_mentions(each, word), each) for each in sections("language.md")),
        key=lambda pair: -pair[0],
    )
    about = [each for count, each in found if count >= IN_PROSE and each.heading]
    if not about:  # only examples have it
        about = [each for count, each in found[:1] if count]
    return Word(
        word,
        tuple(_forms(word)),
        tuple(each.heading for each in about),
        tuple(_paragraphs(about[0], word)) if about else (),
        tuple(_uses(word)),
    )


@cache
def _grammar() -> tuple[tuple[str, str], ...]:
    """Return the rules of the grammar: name and text."""
    path = Path(parser_tables.__file__).parent / "grammar.lark"
    text = re.sub(r"^//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return tuple((match[1].lstrip("?!_"), match[2]) for match in _RULE.finditer(text))


def _forms(word: str) -> Iterator[str]:
    """Yield the rules of the grammar with a word, and then those of their parts."""
    rules, parts = dict(_grammar()), dict[str, None]()
    for name, text in _grammar():
        if word not in _LITERAL.findall(text):
            continue
        for alternative in _alternatives(text):
            if word in _LITERAL.findall(alternative):
                yield f"{name}: {_readable(alternative)}"
                parts |= dict.fromkeys(re.findall(r"\b_?([a-z]\w*)\b", _bare(alternative)))
    for part in (each for each in parts if each != "end"):
        text = rules.get(part, "")
        if text and word not in _LITERAL.findall(text) and len(text) < MAX_PART:
            yield f"  {part}: {' | '.join(_readable(each) for each in _alternatives(text))}"


IN_PROSE = 10  # a mention in prose counts as much as ten in examples
MAX_PART = 90  # characters: longer parts, such as expressions, have sections of their own


def _alternatives(text: str) -> list[str]:
    """Return the alternatives of a rule on its outermost level."""
    found, depth, quoted = [""], 0, False
    for sign in " ".join(text.split()):
        quoted ^= sign == '"'
        depth += 0 if quoted else (sign in "([") - (sign in ")]")
        if sign == "|" and not depth and not quoted:
            found.append("")
        else:
            found[-1] += sign
    return [each.strip() for each in found if each.strip()]


def _bare(text: str) -> str:
    """Return an alternative without its literals and its name."""
    return re.sub(r'"[^"]*"|->\s*\w+', " ", text)


def _readable(text: str) -> str:
    """Return an alternative without marks of layout."""
    text = re.sub(r"->\s*\w+", "", text)
    text = text.replace("_INDENT", "{").replace("_DEDENT", "}")
    text = re.sub(r"\b_(?:end|NL)\b", "", text)
    text = re.sub(r'"([a-z]+)"', r"\1", text)
    text = re.sub(r"\b_([a-z])", r"\1", text)
    return " ".join(text.split())


def _mentions(section: Section, word: str) -> int:
    named = re.compile(rf"`[^`]*\b{word}\b[^`]*`")
    bold = re.compile(rf"\*\*{word}\b")
    in_prose = sum(
        100 * len(bold.findall(line)) + IN_PROSE * len(named.findall(line))
        for line in _prose(section)
    )
    in_code = len(re.findall(rf"\b{word}\b", section.text))
    return in_prose + in_code + (50 if re.search(rf"\b{word}s?\b", section.heading.lower()) else 0)


def _prose(section: Section) -> Iterator[str]:
    """Yield the lines of a section outside of its blocks of code."""
    fenced = False
    for line in section.lines:
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield line


def _paragraphs(section: Section, word: str) -> Iterator[str]:
    """Yield the paragraphs, items and rows of a section that mention a word as code."""
    blocks, block = list[list[str]](), list[str]()
    for line in (*_prose(section), ""):
        starts = line.lstrip().startswith(("- ", "| ")) or not line.strip()
        if starts and block:
            blocks.append(block)
            block = []
        if line.strip():
            block.append(line)
    for each in blocks:
        text = "\n".join(each)
        if re.search(rf"`[^`]*\b{word}\b[^`]*`|\*\*{word}\b", text):
            yield text


def _uses(word: str) -> list[WordUse]:
    """Return the shortest lines with a word, in the games and examples of rulekit."""
    found, pattern = dict[str, WordUse](), re.compile(rf"\b{word}\b")
    for base in (shipped()["examples"], shipped()["games"]):
        for folder in sorted(base.iterdir()) if base.is_dir() else ():
            for path in rules_files(folder):
                name = f"{base.name.lstrip('_')}/{path.relative_to(base).as_posix()}"
                for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                    text = _TEXT_OR_COMMENT.sub("", line)
                    if pattern.search(text) and not text.lstrip().startswith(("game ", "library ")):
                        found.setdefault(text.strip(), WordUse(name, number, line.strip()))
    return sorted(found.values(), key=lambda use: (len(use.text), use.file, use.line))[:_SHORTEST]
