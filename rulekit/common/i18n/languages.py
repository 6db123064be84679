"""The languages of the frontend's own texts: which there are, and where their catalogues are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

LOCALE = Path(__file__).resolve().parents[1] / "locale"
HOME = "en"  # the language of the texts in the source
LANGUAGES = (HOME, *sorted(path.name for path in LOCALE.iterdir() if path.is_dir()))

_VOWEL = re.compile(
    r"[AEIOUÀÂÉÈÊÎÔaeiouàâéèêîô]\w"
)  # of a word; a letter alone is the name of something
_ELIDED = {"fr": re.compile(r"\b([Dd])e (\{(\w+(?::\w+)?)\})")}  # de Paul, but d'Anne


def elided(lang: str, text: str, params: Mapping[str, str]) -> str:
    """A text of a game in which `de {x}` is `d'{x}` before a vowel, if the language elides."""
    if lang not in _ELIDED:
        return text
    return _ELIDED[lang].sub(
        lambda m: f"{m[1]}'{m[2]}" if _VOWEL.match(params.get(m[3], "")) else m[0], text
    )
