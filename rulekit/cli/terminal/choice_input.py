"""Parsing of the input at a decision into the choices that it stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulekit.cli.terminal.menu import Menu, counted
from rulekit.common.errors import IllegalChoice
from rulekit.common.i18n.messages import _
from rulekit.common.invisible_characters import bare
from rulekit.engine.explain.refusals import of_unknown
from rulekit.engine.kernel.decision import Option, matching, number_of, words_of
from rulekit.engine.notation.move_plan import is_multi_step
from rulekit.engine.saves.recorder import Recorder

_NOTE = re.compile(r"(^|\s)#.*", re.DOTALL)


def plain_line(text: str) -> str:
    """Return a line without invisible characters at its ends (such as the byte order mark of a
    pipe) and without a comment.
    """
    text = bare(text).replace("\u00a0", " ")
    return bare(_NOTE.sub("", text))


def take(
    recorder: Recorder, text: str, menu: Menu, shows: bool, through: bool
) -> tuple[list[str], str]:
    """Make the choice of a text: a number of the list, an option that is itself a number, words, or
    several choices in one line.

    With `shows`, an ambiguous text makes no choice. Return the lines that list its meanings, and
    the rest of a line that waits for another player. Raise `IllegalChoice` if there is no such
    choice.
    """
    options = menu.options
    option = _numbered(recorder, text, options)
    if option is not None:
        recorder.apply(option)
        return [], ""
    if unknown := of_unknown(recorder.state, text):
        raise IllegalChoice(unknown)
    several = is_multi_step(recorder.state, text)
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
    """Return the option of a number, or None if the text is not a number."""
    names = recorder.state.names
    meant = next((o for o in options if counted(o) and o.label == text), None)
    number = number_of(text)
    if meant is not None or number is None or any(o.key == text for o in options):
        return meant
    if any(map(counted, options)):
        raise IllegalChoice(names.say(_("{text} is not offered here", text=text)))
    if not 1 <= number <= len(options):
        raise IllegalChoice(
            names.say(
                _(
                    "there is no option {n}: the numbers are 1 to {last}",
                    n=text,
                    last=str(len(options)),
                )
            )
        )
    return options[number - 1]


def _meanings(text: str, menu: Menu) -> list[str]:
    """Return the options that an ambiguous text may mean. If the text is the full name of an action
    or member that is not offered, return nothing, so that it is refused with a reason.
    """
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
