"""Sends plain text letters by SMTP, each within one deadline. The address of the mail server is
smtp://USER:PASSWORD@HOST:PORT.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr
from urllib.parse import unquote, urlsplit

import aiosmtplib
from attrs import field, frozen
from email_validator import EmailNotValidError, validate_email

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.online.dns_resolver import Resolver

MAX_ADDRESS_CHARACTERS = 254  # after RFC 5321
DEADLINE = 20.0  # seconds for a letter, from the connection to the server's receipt
GOODBYE = 2.0  # seconds to wait for the server's goodbye after it accepted the letter
SLOTS = 4  # letters sent at a time
NO_LETTER = (
    ValueError,
    MessageError,
    IndexError,
)  # exceptions of the email library for an invalid address
HERE = ("localhost", "127.0.0.1", "::1")


def tidy_mail(mail: str | None) -> str | None:
    """Return the normal form of one mail address, or None for an empty text. Raise `RulekitError`
    for anything else: names, comments, groups, two addresses.
    """
    if not mail:
        return None
    try:
        found = validate_email(
            mail,
            check_deliverability=False,
            allow_smtputf8=False,
            allow_quoted_local=False,
            allow_domain_literal=False,
            allow_display_name=False,
            strict=True,
        )
        plain = found.ascii_email
        if (
            plain is None
            or len(plain) > MAX_ADDRESS_CHARACTERS
            or _addressed("a@b.org", plain, "", "")["To"] != plain
        ):
            raise ValueError(mail)
    except (EmailNotValidError, *NO_LETTER):
        raise RulekitError(_("this is not an email address")) from None
    return plain


def _addressed(sender: str, to: str, subject: str, text: str) -> EmailMessage:
    """Return a letter to one address. Raise one of `NO_LETTER` if the address is invalid."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, Address(addr_spec=to), subject
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(text)
    return letter


@frozen
class Mailer:
    """A mail server.

    Attributes:
        at_once: True for TLS from the start (smtps). Otherwise STARTTLS is used, unless the host is
            this machine.
    """

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    at_once: bool = False
    _names: Resolver = field(factory=lambda: Resolver(2 * SLOTS), eq=False, repr=False)

    async def send(self, to: str, subject: str, text: str) -> None:
        """Send a letter to one address. Raise `OSError` (also at the deadline), `SMTPException` or
        `ValueError` on failure.
        """
        letter = _addressed(self.sender, to, subject, text)
        own = parseaddr(self.sender)[1]
        later = not self.at_once and self.host not in HERE
        client = aiosmtplib.SMTP(
            hostname=self.host,
            local_hostname=own.rpartition("@")[2],
            timeout=DEADLINE,
            use_tls=self.at_once,
            start_tls=later,
            username=self.user or None,
            password=self.password or None,
            tls_context=ssl.create_default_context() if self.at_once or later else None,
        )
        async with asyncio.timeout(DEADLINE):
            made = await self._names.connected(self.host, self.port)
            try:
                await client.connect(sock=made)
                await client.send_message(letter, sender=own, recipients=[to])
                with suppress(aiosmtplib.SMTPException):  # the server has accepted the letter
                    await client.quit(timeout=GOODBYE)
            finally:
                if isinstance(client.transport, asyncio.WriteTransport):
                    client.transport.abort()
                client.close()
                asyncio.get_running_loop().call_soon(
                    made.close
                )  # when the transport has released it


def mailer(address: str, sender: str) -> Mailer | None:
    """Parse the address of a mail server. Return None for an empty one. Raise `RulekitError` if the
    address or the sender is invalid.
    """
    if not address:
        return None
    parts = urlsplit(address)
    try:
        port = parts.port
        _addressed(sender, "a@b.org", "", "")
    except NO_LETTER:
        port = -1
    if (
        parts.scheme not in ("smtp", "smtps")
        or not parts.hostname
        or port == -1
        or not all(parseaddr(sender)[1].partition("@"))
    ):
        raise RulekitError(
            _("mail needs smtp://USER:PASSWORD@HOST:PORT (or smtps://) and a sender address")
        )
    return Mailer(
        parts.hostname,
        port or (465 if parts.scheme == "smtps" else 587),
        sender,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        parts.scheme == "smtps",
    )
