"""Idempotency keys: a request that is sent twice takes effect once and gets one answer.

The result of a request is stored for a day, in the transaction that creates it. It holds only the
id of the table, message or person, no text or secret. See docs/decisions/0060.
"""

from __future__ import annotations

import re
import time
from base64 import urlsafe_b64encode
from hashlib import sha256

from attrs import frozen
from sqlalchemy import Connection, delete, insert, select

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import REPEATS

HEADER = "idempotency-key"
LASTS = 86400.0  # seconds for which the result of a request is stored
_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")


class Reused(RulekitError):
    """The key was used for a different request."""


@frozen
class IdempotencyKey:
    """The key of a request.

    Attributes:
        digest: the digest of the key, the person and the endpoint.
        body: the digest of the body.
        token: a secret that is the same for the same request. It is not stored.
    """

    digest: str
    body: str
    token: str


def key_of(text: str, who: str, what: str, body: bytes) -> IdempotencyKey:
    """Return the key of a request. Raise `RulekitError` if the text is malformed."""
    if not _KEY.fullmatch(text):
        raise RulekitError(_("an idempotency key has 16 to 64 letters, digits, - and _"))
    whole = f"{who}\n{what}\n{text}".encode()
    token = urlsafe_b64encode(sha256(b"token\n" + whole).digest()[:24]).decode()
    return IdempotencyKey(sha256(whole).hexdigest(), sha256(body).hexdigest(), token)


def known(db: Connection, key: IdempotencyKey) -> str | None:
    """Return the stored result of the first request with this key, or None. Raise `Reused` if its
    body was different.
    """
    row = db.execute(
        select(REPEATS).where(REPEATS.c.digest == key.digest, REPEATS.c.made > time.time() - LASTS)
    ).first()
    if row is not None and row.body != key.body:
        raise Reused(_("this idempotency key belongs to another request"))
    return None if row is None else str(row.came)


def keep(db: Connection, key: IdempotencyKey, came: str) -> None:
    """Store the result of a request. If another request was first, an `IntegrityError` cancels the
    whole transaction.
    """
    now = time.time()
    db.execute(delete(REPEATS).where(REPEATS.c.made <= now - LASTS))
    db.execute(insert(REPEATS).values(digest=key.digest, body=key.body, came=came, made=now))
