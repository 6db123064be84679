"""Accounts, guests and sessions, and the hashing of passwords. See docs/serve.md, "Passwords,
sessions, requests".

Of a token only the SHA-256 is stored. A password is stored as its Argon2id hash.
"""

from __future__ import annotations

import secrets
import time
from hashlib import sha256
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from attrs import evolve, frozen
from sqlalchemy import Connection, case, delete, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.languages import LANGUAGES
from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import ACCOUNTS, SESSIONS
from rulekit.server.online.display_names import compared, look, tidy_name
from rulekit.server.online.mail import tidy_mail

MIN_DIFFERENT_CHARACTERS = 3  # of a password
LASTS = 60 * 86400.0  # seconds of a session
SESSIONS_EACH = 50  # of a person, the oldest ends first
SHORTEST, LONGEST = 8, 200  # characters of a password
COMMON = frozenset(
    [
        "12345678",
        "123456789",
        "1234567890",
        "password",
        "password1",
        "password123",
        "passw0rd",
        "qwertyuiop",
        "qwerty123",
        "1q2w3e4r",
        "1qaz2wsx",
        "iloveyou",
        "sunshine",
        "princess",
        "football",
        "baseball",
        "superman",
        "trustno1",
        "letmein1",
        "welcome1",
        "abcd1234",
        "abcdefgh",
        "11111111",
        "00000000",
        "88888888",
        "87654321",
        "asdfghjk",
        "zxcvbnm1",
        "computer",
        "whatever",
        "starwars",
        "michelle",
        "jennifer",
        "mercedes",
        "changeme",
        "administrator",
        "motdepasse",
        "azertyuiop",
        "azerty123",
        "soleil123",
        "bonjour1",
        "jetaime1",
        "doudou123",
    ]
)


class WrongPassword(RulekitError):
    """The name and the password do not match."""


@frozen
class Person:
    """Somebody with a session. A guest has no password.

    Attributes:
        session: the digest of the session's token.
    """

    id: str
    name: str
    guest: bool
    admin: bool
    lang: str
    mail: str | None
    hook: str | None
    session: str = ""
    confirmed: bool = False  # the mail address


class Passwords:
    """Hashes and verifies passwords. Each call takes 64 MiB and some time, so a server runs them in
    separate threads (`Site.hashing`).
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._nobody = self._hasher.hash(secrets.token_urlsafe(8))

    def made(self, password: str, name: str) -> str:
        """Return the hash of a new password. Raise `RulekitError` if it is too weak."""
        ask_strong(password, name)
        return str(self._hasher.hash(password))

    def fit(self, kept: str | None, password: str) -> bool:
        """Return True if the password belongs to this hash. If there is no hash, the call takes
        equally long.
        """
        try:
            return (
                bool(self._hasher.verify(kept or self._nobody, password[:LONGEST]))
                and kept is not None
            )
        except (Argon2Error, InvalidHashError, UnicodeError):
            return False


def ask_strong(password: str, name: str) -> None:
    """Raise `RulekitError` if a password has a wrong length or is among the first that are
    guessed.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise RulekitError(
            _("a password has {least} to {most} characters", least=str(SHORTEST), most=str(LONGEST))
        )
    if (
        password.casefold() in COMMON
        or compared(password) == compared(name)
        or len(set(password)) < MIN_DIFFERENT_CHARACTERS
    ):
        raise RulekitError(_("this password is too common"))


def digest(token: str) -> str:
    """Return the stored form of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def tidy_lang(lang: str | None) -> str:
    """Return `lang` if there are texts in this language, else the default language."""
    return lang if lang in LANGUAGES else LANGUAGES[0]


# ---------------------------------------------------------------------- people
def person_of(row: Any) -> Person:
    """Return the person of a row of the database."""
    return Person(
        row.id,
        row.name,
        row.password is None,
        bool(row.admin),
        row.lang,
        row.mail,
        row.hook,
        "",
        row.confirmed is not None,
    )


def enter(
    db: Connection, name: str, password: str | None, lang: str | None, mail: str | None = None
) -> Person:
    """Create an account, or a guest if `password` (a hash) is None. Raise `RulekitError` if the
    name, or one that looks like it, is taken.
    """
    name, id = tidy_name(name), secrets.token_urlsafe(12)
    ask_free(db, name)
    key = compared(name) if password is not None else f"guest {id}"
    try:
        with db.begin_nested():
            db.execute(
                insert(ACCOUNTS).values(
                    id=id,
                    name=name,
                    key=key,
                    password=password,
                    mail=tidy_mail(mail),
                    lang=tidy_lang(lang),
                    admin=False,
                    created=time.time(),
                    look=look(name),
                )
            )
    except IntegrityError:
        raise RulekitError(
            _("the name {name} is taken, or looks like one that is", name=name)
        ) from None
    return Person(id, name, password is None, False, tidy_lang(lang), tidy_mail(mail), None)


def ask_free(db: Connection, name: str, but: str = "") -> None:
    """Raise `RulekitError` if an account has this name or one that looks like it. The account with
    the id `but` is exempt.
    """
    if db.dialect.name != "sqlite":  # serialize; SQLite has one writer anyway
        db.execute(text("SELECT pg_advisory_xact_lock(4251)"))
    alike = (ACCOUNTS.c.key == compared(name)) | (ACCOUNTS.c.look == look(name))
    if (
        db.execute(
            select(ACCOUNTS.c.id).where(
                alike, ACCOUNTS.c.password.is_not(None), ACCOUNTS.c.id != but
            )
        ).first()
        is not None
    ):
        raise RulekitError(_("the name {name} is taken, or looks like one that is", name=name))


def look_at_names(db: Connection) -> None:
    """Fill in the look of names that were stored before the column for it existed."""
    for id, name in db.execute(
        select(ACCOUNTS.c.id, ACCOUNTS.c.name).where(ACCOUNTS.c.look.is_(None))
    ).all():
        db.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == id).values(look=look(name)))


def settle(db: Connection, guest: Person, name: str, password: str, mail: str | None) -> None:
    """Turn a guest into an account that keeps the guest's seats. A new mail address has to be
    confirmed again.
    """
    values = {} if mail is None else address_values(tidy_mail(mail))
    _named(db, guest, name, {"key": compared(tidy_name(name)), "password": password, **values})


def address_values(mail: str | None) -> dict[str, Any]:
    """Return the column values for a mail address. It stays confirmed only if it equals the stored
    one.

    The comparison is done in the database: the `Person` of a request may be older than the row if
    the body of the request came slowly.
    """
    return {
        "mail": mail,
        "confirmed": case((ACCOUNTS.c.mail == mail, ACCOUNTS.c.confirmed), else_=None),
    }


def rename(db: Connection, who: Person, name: str) -> Person:
    """Change the name of a person. Raise `RulekitError` if it is taken."""
    return evolve(
        who, name=_named(db, who, name, {} if who.guest else {"key": compared(tidy_name(name))})
    )


def _named(db: Connection, who: Person, name: str, more: dict[str, Any]) -> str:
    name = tidy_name(name)
    ask_free(db, name, who.id)
    try:
        with db.begin_nested():
            db.execute(
                update(ACCOUNTS)
                .where(ACCOUNTS.c.id == who.id)
                .values(name=name, look=look(name), **more)
            )
    except IntegrityError:
        raise RulekitError(
            _("the name {name} is taken, or looks like one that is", name=name)
        ) from None
    return name


def by_id(db: Connection, id: str) -> Person:
    """Return an existing person."""
    return person_of(db.execute(select(ACCOUNTS).where(ACCOUNTS.c.id == id)).one())


def by_name(db: Connection, name: str) -> Any:
    """Return the row of an account, or None if no account has this name."""
    return db.execute(
        select(ACCOUNTS).where(ACCOUNTS.c.key == compared(name), ACCOUNTS.c.password.is_not(None))
    ).first()


# ---------------------------------------------------------------------- sessions
def begin_session(db: Connection, person: str) -> str:
    """Begin a session and return its token. Only the newest `SESSIONS_EACH` sessions of a person
    remain.
    """
    token, now = secrets.token_urlsafe(32), time.time()
    db.execute(delete(SESSIONS).where(SESSIONS.c.ends < now))
    own = SESSIONS.c.person == person
    newest = (
        select(SESSIONS.c.digest)
        .where(own)
        .order_by(SESSIONS.c.created.desc())
        .limit(SESSIONS_EACH - 1)
    )
    db.execute(delete(SESSIONS).where(own, SESSIONS.c.digest.not_in(newest)))
    db.execute(
        insert(SESSIONS).values(digest=digest(token), person=person, created=now, ends=now + LASTS)
    )
    return token


def end_session(db: Connection, token: str) -> None:
    """End one session."""
    db.execute(delete(SESSIONS).where(SESSIONS.c.digest == digest(token)))


def end_sessions(db: Connection, person: str) -> None:
    """End all sessions of a person."""
    db.execute(delete(SESSIONS).where(SESSIONS.c.person == person))


def who_has(db: Connection, token: str) -> Person | None:
    """Return the person with this session token, or None if it is invalid or has expired."""
    found = db.execute(
        select(ACCOUNTS)
        .join(SESSIONS, SESSIONS.c.person == ACCOUNTS.c.id)
        .where(SESSIONS.c.digest == digest(token), SESSIONS.c.ends > time.time())
    ).first()
    return evolve(person_of(found), session=digest(token)) if found else None


def sessions_of(db: Connection, person: str) -> set[str]:
    """Return the digests of a person's sessions."""
    return set(db.execute(select(SESSIONS.c.digest).where(SESSIONS.c.person == person)).scalars())
