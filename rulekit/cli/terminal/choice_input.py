"""Takes what a person typed at a decision, makes the choices that it stands for in the game under
way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulekit.cli.terminal.menu import Menu, counted
from rulekit.common.errors import IllegalChoice
from rulekit.common.invisible_characters import bare
from rulekit.engine.explain.refusals import of_unknown
from rulekit.engine.kernel.decision import Option, matching, number_of, words_of
from rulekit.engine.notation.move_parser import is_several
from rulekit.engine.saves.recorder import Recorder

_NOTE = re.compile(r"(^|\s)#.*", re.DOTALL)


def plain_line(text: str) -> str:
    """What a line says: without what nobody sees at its ends (a byte order mark of a pipe, too),
    and without a comment."""
    text = bare(text).replace("\u00a0", " ")
    return bare(_NOTE.sub("", text))


def take(
    recorder: Recorder, text: str, menu: Menu, shows: bool, through: bool
) -> tuple[list[str], str]:
    """Makes the choice of a text: a number of the list, an option that is a number itself, words,
    or several choices in one line. Where `shows`, a text that may mean several options makes none:
    the lines that show them. Beside them what is left of a line that waits for another player.
    IllegalChoice where there is no such choice."""
    options = menu.options
    option = _numbered(recorder, text, options)
    if option is not None:
        recorder.apply(option)
        return [], ""
    if unknown := of_unknown(recorder.state, text):
        raise IllegalChoice(unknown)
    several = is_several(recorder.state, text)
    lines = _meanings(text, menu) if shows else []
    if lines and not several:
        return lines, ""
    try:
        return [], recorder.apply_line(text, through)
    except IllegalChoice:
        if lines:
            return lines, ""
        raise


def _numbered(recorder: Recorder, text: str, options: Sequence[Option]) -> Option | None:
    """The option that a number means; None if the text is none."""
    names = recorder.state.names
    meant = next((o for o in options if counted(o) and o.label == text), None)
    number = number_of(text)
    if meant is not None or number is None or any(o.key == text for o in options):
        return meant
    if any(map(counted, options)):
        raise IllegalChoice(names.word("not_offered", text=text))
    if not 1 <= number <= len(options):
        raise IllegalChoice(names.word("no_option", n=text, last=str(len(options))))
    return options[number - 1]


def _meanings(text: str, menu: Menu) -> list[str]:
    """The options that a text may mean, if it does not mean one. What is named as a whole (an
    action, a member) and is not offered is refused with its reason instead."""
    meant = matching(text, menu.options, menu.names)
    words = words_of(text)
    named = (
        bool(words)
        and not meant
        and (words[0] in menu.names.verbs or all(word in menu.names.called for word in words))
    )
    return (
        [] if len(meant) == 1 or named or not (meant or menu.filtered(text)) else menu.lines(text)
    )
