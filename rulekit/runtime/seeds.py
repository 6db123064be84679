"""Seeds: draw them, parse them, print them, and commit to them before a game.

A commitment can be checked after the game. A seed below 2**64, or below 0, is for analysis: its
dice are fast, and a few of them are enough to find the seed. From there on and below 2**128, a seed
is a key: past dice reveal nothing of future ones. A game without a given seed gets a key.
"""

from __future__ import annotations

import re
import secrets
from hashlib import blake2b, sha256

from rulekit.common.errors import RulekitError
from rulekit.runtime.intrinsics import KEYS, SEEDS

_MAX_SEED_CHARACTERS = 60
SALT = 16  # the length of a salt in bytes
_SEED = re.compile(r"-?[0-9]+|0x[0-9a-f]+", re.IGNORECASE)


def draw_seed() -> int:
    """Return a random key."""
    return KEYS + secrets.randbelow(SEEDS - KEYS)


def draw_salt() -> str:
    """Return a random salt. It makes a commitment unguessable, however small the seed."""
    return secrets.token_hex(SALT)


def check_seed(seed: int) -> int:
    """Return the seed if it is valid.

    Raises:
        RulekitError: it is out of bounds.
        TypeError: it is no whole number.
    """
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise TypeError(f"a seed is a whole number, not {seed!r}")
    if abs(seed) >= SEEDS:
        raise RulekitError("a seed is a whole number below 2**128, and above -2**128")
    return seed


def seed_of(text: str) -> int:
    """Return the seed of a text: decimal, or hexadecimal after `0x`.

    Raises:
        ValueError: the text is no seed.
        RulekitError: the seed is too large.
    """
    if not _SEED.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no seed")
    return check_seed(
        int(text, 16 if text[:2].casefold() == "0x" else 10)
        if len(text) <= _MAX_SEED_CHARACTERS
        else SEEDS
    )


def seed_text(seed: int) -> str:
    """Return a seed as text: a small one in decimal, a key in hexadecimal."""
    return str(seed) if seed < KEYS else f"0x{seed:032x}"


def commitment(seed: int, salt: str) -> str:
    """Return the value to publish before a game: the SHA-256 of the text `rulekit SALT SEED`.

    The salt and the seed are published after it, in the same form.
    """
    return sha256(f"rulekit {salt} {seed_text(seed)}".encode()).hexdigest()


def draw_entropy() -> str:
    """Return random entropy for new dice after an undo that the players agreed on."""
    return secrets.token_hex(16)


def renewed(seed: int, entropy: str) -> int:
    """Return the key of the new dice.

    It depends on the seed and the entropy, so that the commitment to the seed holds for them too.
    """
    digest = blake2b(f"rulekit {entropy} {seed_text(seed)}".encode(), digest_size=16).digest()
    return KEYS + int.from_bytes(digest, "little") % (SEEDS - KEYS)


def seed_hash(seed: int) -> str:
    """Return the value that saves of format 1 have instead of a commitment."""
    return sha256(f"rulekit seed {seed}".encode()).hexdigest()
