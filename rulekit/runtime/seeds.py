"""Takes a text or chance, makes seeds: drawn, typed, shown, and committed to before a game so that
they can be checked after it.

A seed below 2**64, also below 0, is for analysis: its dice are quick, and who sees a few of them
can find the seed. One from there on, below 2**128, is a key: dice that were seen say nothing of
those to come. A game for which no seed is named gets a key.
"""

from __future__ import annotations

import re
import secrets
from hashlib import blake2b, sha256

from rulekit.common.errors import RulekitError
from rulekit.runtime.intrinsics import KEYS, SEEDS

SALT = 16  # bytes
_SEED = re.compile(r"-?[0-9]+|0x[0-9a-f]+", re.IGNORECASE)


def draw_seed() -> int:
    """A key that nobody knows."""
    return KEYS + secrets.randbelow(SEEDS - KEYS)


def draw_salt() -> str:
    """What makes a commitment unguessable, however small the seed."""
    return secrets.token_hex(SALT)


def check_seed(seed: int) -> int:
    """The seed. RulekitError if it is beyond the bound, TypeError if it is no whole number."""
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise TypeError(f"a seed is a whole number, not {seed!r}")
    if abs(seed) >= SEEDS:
        raise RulekitError("a seed is a whole number below 2**128, and above -2**128")
    return seed


def seed_of(text: str) -> int:
    """The seed that a text is: decimal, or hexadecimal after `0x`. ValueError if it is none,
    RulekitError if it is too large."""
    if not _SEED.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no seed")
    return check_seed(
        int(text, 16 if text[:2].casefold() == "0x" else 10) if len(text) <= 60 else SEEDS
    )


def seed_text(seed: int) -> str:
    """A seed as it is shown and kept: a small one in decimal, a key in hexadecimal."""
    return str(seed) if seed < KEYS else f"0x{seed:032x}"


def commitment(seed: int, salt: str) -> str:
    """What is published before a game: the SHA-256 of the text `rulekit SALT SEED`, the salt and
    the seed as they are shown after it."""
    return sha256(f"rulekit {salt} {seed_text(seed)}".encode()).hexdigest()


def draw_entropy() -> str:
    """What the dice are drawn anew by, when players have agreed to take back."""
    return secrets.token_hex(16)


def renewed(seed: int, entropy: str) -> int:
    """The key of the dice that are drawn anew: it needs both, so that the commitment to the seed
    holds for them too."""
    digest = blake2b(f"rulekit {entropy} {seed_text(seed)}".encode(), digest_size=16).digest()
    return KEYS + int.from_bytes(digest, "little") % (SEEDS - KEYS)


def seed_hash(seed: int) -> str:
    """What was published instead of a commitment in saves of format 1."""
    return sha256(f"rulekit seed {seed}".encode()).hexdigest()
