"""Takes what a person typed at a decision, makes the choices that it stands for in the game under way."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.base.errors import IllegalChoice
from rulekit.cli.menu import Menu, counted
from rulekit.play.composed import is_several
from rulekit.play.decision import Option, matching, number_of, refuse_long
from rulekit.play.saves import Recorder


def take(recorder: Recorder, text: str, menu: Menu, shows: bool) -> list[str]:
    """Makes the choice of a text: a number of the list, an option that is a number itself, words, or several choices in one line.
    Where `shows`, a text that may mean several options makes none: the lines that show them. IllegalChoice where there is none."""
    options = menu.options
    refuse_long(menu.names, text)
    option = _numbered(recorder, text, options)
    if option is not None:
        recorder.apply(option)
        return []
    several = is_several(recorder.state, text)
    lines = _meanings(text, menu) if shows else []
    if lines and not several:
        return lines
    try:
        recorder.apply_line(text)
    except IllegalChoice:
        if lines:
            return lines
        raise
    return []


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
    """The options that a text may mean, if it does not mean one."""
    meant = matching(text, menu.options, menu.names)
    return [] if len(meant) == 1 or not (meant or menu.filtered(text)) else menu.lines(text)
