"""Takes the key of a request, says what came of the first one that had it: who asks twice for the
same gets one answer, and one thing.

What came of a request is kept in the transaction that makes it, for a day. Texts and secrets are
not kept again: only which table, text or person it was. See docs/decisions/0060."""

from __future__ import annotations

import re
import time
from base64 import urlsafe_b64encode
from hashlib import sha256

from attrs import frozen
from sqlalchemy import Connection, delete, insert, select

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault
from rulekit.server.schema import REPEATS

HEADER = "idempotency-key"
LASTS = 86400.0  # seconds for which it is known what came of a request
_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")


class Reused(RulekitError):
    """A key that came with another request before."""


@frozen
class Key:
    """The key of a request. `digest`: of the key, who asks and what for; `body`: of what was sent;
    `token`: a secret that is the same for the same request, and kept nowhere."""

    digest: str
    body: str
    token: str


def key_of(text: str, who: str, what: str, body: bytes) -> Key:
    """The key of a request. RulekitError for a text that is none."""
    if not _KEY.fullmatch(text):
        raise fault(RulekitError, "people.no_key")
    whole = f"{who}\n{what}\n{text}".encode()
    token = urlsafe_b64encode(sha256(b"token\n" + whole).digest()[:24]).decode()
    return Key(sha256(whole).hexdigest(), sha256(body).hexdigest(), token)


def known(db: Connection, key: Key) -> str | None:
    """What came of the first request with this key; None: there was none. Reused if something else
    was sent with it."""
    row = db.execute(
        select(REPEATS).where(REPEATS.c.digest == key.digest, REPEATS.c.made > time.time() - LASTS)
    ).first()
    if row is not None and row.body != key.body:
        raise fault(Reused, "people.key_used")
    return None if row is None else str(row.came)


def keep(db: Connection, key: Key, came: str) -> None:
    """Keeps what came of a request. An IntegrityError, and so nothing of this transaction, if
    another one was first."""
    now = time.time()
    db.execute(delete(REPEATS).where(REPEATS.c.made <= now - LASTS))
    db.execute(insert(REPEATS).values(digest=key.digest, body=key.body, came=came, made=now))
