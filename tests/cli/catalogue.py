"""The catalogues of messages, as tests read them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from rulekit.common.i18n.languages import LOCALE


def catalogue(path: Path, read: object = read_po) -> Catalog:
    """A catalogue from its file."""
    with path.open("rb") as file:
        return read(file)


def forms(text: object) -> tuple[str, ...]:
    """A text, or the forms of a plural."""
    return tuple(text) if isinstance(text, list | tuple) else (str(text),)


def texts_of(domain: str, lang: str) -> Iterator[tuple[str, str]]:
    """Yield every text of a domain with its translation. A plural gives each form, and the words of
    commands are left out."""
    for message in catalogue(Path(LOCALE) / lang / "LC_MESSAGES" / f"{domain}.po"):
        if message.id and message.context != "command":
            yield from zip(forms(message.id), forms(message.string), strict=True)
