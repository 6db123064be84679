"""The command `doc`: looks up a word of the language, a diagnostic code, or a name of a game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rulekit.cli.arguments import add_json, add_lang, folder_of
from rulekit.cli.main import UsageError
from rulekit.cli.output import print_json
from rulekit.common.files import printable
from rulekit.common.i18n.command_line import gettext
from rulekit.common.i18n.messages import Message, _, ngettext
from rulekit.common.i18n.reasons import near

if TYPE_CHECKING:
    from rulekit.compiler.source.game_source import GameSource
    from rulekit.project.manual.game_names import DeclaredName, GameName
    from rulekit.project.manual.pages import Section
    from rulekit.project.manual.words import Word

_SHOWN = 12  # uses and situations of a name


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = gettext(
        "Looks something up for an author:\n- a word of the rules language: its grammar, what the"
        " manual says of it, and short uses in games,\n- a code such as RK301: the fault, its cause"
        " and the correction,\n- with --game, a name of a game: where it is declared, with its"
        " comment and paragraph, and where it is used."
    )
    parser.add_argument(
        "word",
        metavar="WORD",
        help=gettext("a word of the language, a code, or a name of the game"),
    )
    parser.add_argument(
        "--game", metavar="PATH", help=gettext("the game (a folder or a name) that has the name")
    )
    parser.add_argument(
        "--all", action="store_true", help=gettext("all uses of a name, not only the first ones")
    )
    add_lang(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print everything that bears the word."""
    from rulekit.project.manual.pages import code_section
    from rulekit.project.manual.words import word_entry

    section = code_section(args.word)
    word = word_entry(args.word)
    named: GameName | None = None
    source: GameSource | None = None
    if args.game is not None:
        from rulekit.project.manual.game_names import game_name, source_of

        source = source_of(folder_of(args.game, args.lang))
        named = game_name(source, args.word)
    if section is None and word is None and named is None:
        raise UsageError(_unknown(args.word, source).text(args.lang))
    if args.json:
        print_json(_as_json(section, word, named))
        return 0
    parts = [
        *([_section(section)] if section is not None else []),
        *([_word(word, args.lang)] if word is not None else []),
        *([_named(named, args.lang, args.all)] if named is not None else []),
    ]
    print("\n\n".join(parts))
    return 0


def _unknown(word: str, source: GameSource | None) -> Message:
    """Return the message for a word that nothing has, with a guess."""
    from rulekit.project.manual.pages import codes, is_code
    from rulekit.project.manual.words import known_words

    if is_code(word):
        text, known = _("there is no code {word}", word=word), frozenset(codes())
    elif source is None:
        text = _(
            "the language has no word {word}; with --game PATH a name of a game is looked up",
            word=repr(word),
        )
        known = known_words()
    else:
        from rulekit.project.manual.game_names import names_of

        text = _("neither the language nor the game has {word}", word=repr(word))
        known = known_words() | names_of(source)
    close = near(word, known)
    return text if close is None else _("{text}; {close}", text=text, close=close)


def _section(section: Section) -> str:
    return f"{section.heading}\n\n{section.text}"


def _word(word: Word, lang: str) -> str:
    lines = [*word.forms]
    if word.lines:
        head = _("language.md, section {section}:", section=repr(word.sections[0]))
        lines += ["", head.text(lang), "", "\n\n".join(word.lines)]
    others = word.sections[1:] if word.lines else word.sections
    if others:
        shown = ", ".join(repr(each) for each in others)
        lines += ["", _("also in language.md: {sections}", sections=shown).text(lang)]
    if word.uses:
        lines += ["", _("for example:").text(lang)]
        lines += [f"  {each.file}:{each.line}\n    {each.text}" for each in word.uses]
    return printable_lines("\n".join(lines))


def _named(found: GameName, lang: str, every: bool) -> str:
    lines = [_declared(each, lang) for each in found.declared]
    lines += _listed(
        _("used in:").text(lang), [f"{each.place}  {each.text}" for each in found.used], lang, every
    )
    lines += _listed(_("named by situations:").text(lang), list(found.situations), lang, every)
    return printable_lines("\n".join(lines))


def _declared(each: DeclaredName, lang: str) -> str:
    lines = [f"{each.what}  {each.place}", f"  {each.text}"]
    lines += [f"  # {each.comment}"] if each.comment else []
    if each.ref:
        lines.append(f"  {_('paragraph {ref}', ref=', '.join(each.ref)).text(lang)}")
    return "\n".join(lines)


def _listed(title: str, lines: list[str], lang: str, every: bool) -> list[str]:
    if not lines:
        return []
    shown = lines if every else lines[:_SHOWN]
    more = len(lines) - len(shown)
    rest = ngettext("... {n} more; --all shows it", "... {n} more; --all shows them", more)
    return [
        "",
        title,
        *(f"  {each}" for each in shown),
        *([f"  {rest.text(lang)}"] if more else []),
    ]


def printable_lines(text: str) -> str:
    """Return a text of several lines without control characters that affect a terminal."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _as_json(section: Section | None, word: Word | None, named: GameName | None) -> dict[str, Any]:
    import attrs

    return {
        "code": None if section is None else {"heading": section.heading, "text": section.text},
        "word": None if word is None else attrs.asdict(word),
        "name": None if named is None else attrs.asdict(named),
    }
