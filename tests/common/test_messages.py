"""Messages: their number and their language are those of the moment at which they are rendered."""

from __future__ import annotations

from rulekit.common.i18n import command_line
from rulekit.common.i18n.messages import ngettext


def test_a_number_that_is_filled_later_chooses_the_form() -> None:
    message = ngettext("{n} game", "{n} games", 1)
    assert message.text("en") == "1 game"
    assert message.with_params(n=3).text("en") == "3 games"
    assert message.with_params(other="x").text("en") == "1 game"


def test_the_language_of_the_command_line_is_the_innermost_that_was_set() -> None:
    before = command_line.language()
    with command_line.spoken("fr"):
        assert command_line.language() == "fr"
        with command_line.spoken("en"):
            assert command_line.language() == "en"
        with command_line.spoken("xx"):
            assert command_line.language() == "en", "no such catalogue"
        assert command_line.language() == "fr"
    assert command_line.language() == before
