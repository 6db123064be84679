"""Elision in texts of games: `de` and its like lose their vowel before the vowel of a value."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
