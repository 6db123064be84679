"""Messages of the command line that are needed as plain texts at once: helps and usage errors.

`gettext` renders them in the language that `--lang` names. The domain `argparse` has the messages
of Python's own parser, for each version of Python.
"""

from __future__ import annotations

import gettext as catalogues
import os
from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.common.i18n.languages import HOME, LANGUAGES, LOCALE
from rulekit.common.i18n.messages import Message, Param

PARSER = "argparse"
_spoken = HOME


def gettext(msgid: str, /, **params: Param) -> str:
    """Return a message in the language of the command line."""
    return Message(msgid, params).text(_spoken)


def language() -> str:
    """Return the language of `gettext`."""
    return _spoken


@contextmanager
def spoken(lang: str) -> Iterator[None]:
    """Set the language of `gettext` and of argparse. A language without a catalogue is English.

    argparse looks up its messages in the domain of the program.
    """
    global _spoken
    lang = lang if lang in LANGUAGES else HOME
    before, domain, language = _spoken, catalogues.textdomain(), os.environ.get("LANGUAGE")
    catalogues.bindtextdomain(PARSER, LOCALE)
    catalogues.textdomain(PARSER)
    _spoken, os.environ["LANGUAGE"] = lang, lang
    try:
        yield
    finally:
        catalogues.textdomain(domain)
        _spoken = before
        os.environ.pop("LANGUAGE")
        if language is not None:
            os.environ["LANGUAGE"] = language
