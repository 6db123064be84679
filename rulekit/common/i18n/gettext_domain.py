"""Takes a message of the command line, makes it in the language that the line asks for, from the
catalogues under `locale`.

`rulekit` has the messages marked with `_` and `N_` in this folder, `argparse` those of Python's own
parser, of each version of Python. Only the line of arguments is spoken of so; what is said in a
game has words by key in rulekit/common/i18n/catalog.py, as frontends ask for it.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "locale"
OURS, PYTHONS = "rulekit", "argparse"


def _(message: str) -> str:
    """The message in the language that is spoken now."""
    return gettext.dgettext(OURS, message)


def N_(message: str) -> str:
    """Marks a message that is translated where it is printed."""
    return message


@contextmanager
def spoken(lang: str) -> Iterator[None]:
    """The language of messages, argparse's own among them: it asks gettext for them, in the domain
    of the program."""
    if not (lang.isalpha() and (FOLDER / lang).is_dir()):
        yield
        return
    domain, language = gettext.textdomain(), os.environ.get("LANGUAGE")
    for each in (OURS, PYTHONS):
        gettext.bindtextdomain(each, str(FOLDER))
    gettext.textdomain(PYTHONS)
    os.environ["LANGUAGE"] = lang
    try:
        yield
    finally:
        gettext.textdomain(domain)
        os.environ.pop("LANGUAGE")
        if language is not None:
            os.environ["LANGUAGE"] = language
