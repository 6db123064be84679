"""Takes how mail is sent (an address smtp://USER:PASSWORD@HOST:PORT), sends letters: in plain text, by the standard library."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from attrs import field, frozen

from rulekit.base.errors import RulekitError
from rulekit.play.words import fault

LIMIT = 20.0  # seconds to wait for the server of mail


@frozen
class Mailer:
    """A server of mail. `safe`: TLS from the start (smtps) or by STARTTLS (smtp, unless the host is this machine)."""

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    at_once: bool = False

    def send(self, to: str, subject: str, text: str) -> None:
        """Sends a letter. OSError or SMTPException if it cannot be."""
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = self.sender, to, subject
        letter["Auto-Submitted"] = "auto-generated"
        letter.set_content(text)
        safe = ssl.create_default_context()
        if self.at_once:
            with smtplib.SMTP_SSL(self.host, self.port, timeout=LIMIT, context=safe) as server:
                self._hand_over(server, letter)
            return
        with smtplib.SMTP(self.host, self.port, timeout=LIMIT) as server:
            if self.host not in ("localhost", "127.0.0.1", "::1"):
                server.starttls(context=safe)
            self._hand_over(server, letter)

    def _hand_over(self, server: smtplib.SMTP, letter: EmailMessage) -> None:
        if self.user:
            server.login(self.user, self.password)
        server.send_message(letter)


def mailer(address: str, sender: str) -> Mailer | None:
    """What an address says; None for none. RulekitError for one that says nothing."""
    if not address:
        return None
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or port == -1 or "@" not in sender:
        raise fault(RulekitError, "people.smtp")
    return Mailer(parts.hostname, port or (465 if parts.scheme == "smtps" else 587), sender, unquote(parts.username or ""),
                  unquote(parts.password or ""), parts.scheme == "smtps")
