"""Messages of the command line, translated with gettext from the catalogues under `locale`.

The domain `rulekit` has the messages marked with `_` and `N_`, the domain `argparse` has those of
the argument parser of every supported version of Python. Messages of games have keys
(rulekit/common/i18n/catalog.py), because frontends request them by key.
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
    """Return the message in the current language."""
    return gettext.dgettext(OURS, message)


def N_(message: str) -> str:  # noqa: N802 - the usual name of gettext for it
    """Mark a message that is translated where it is printed."""
    return message


@contextmanager
def spoken(lang: str) -> Iterator[None]:
    """Switch the current language of messages, also of those of argparse, which asks gettext for
    them in the current domain of the program."""
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
