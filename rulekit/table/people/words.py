"""Takes how a game ended otherwise than by its rules, and other things that stand beside a game; makes what a person reads."""

from __future__ import annotations

from rulekit.play.words import filled

ENDINGS = ("resigned", "time", "claimed")


def told_ending(ending: str | None, lang: str) -> str | None:
    """KIND:SIDE in words; None if the game ended by its rules or goes on."""
    if ending is None:
        return None
    kind, side = ending.split(":", 1)
    return filled(lang, f"people.ending_{kind}", side=side)
