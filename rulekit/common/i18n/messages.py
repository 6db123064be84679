"""Messages for people: an English text in the source, translated with gettext.

`_("no piece {name}", name=x)` is a `Message`. It is rendered later, in the language of its
reader: `message.text(lang)`. A text that depends on a number is
`ngettext("{n} game", "{n} games", n)`. A text that needs two translations gets a context:
`pgettext("a ruling", "none")`. `make messages` collects these calls into the catalogues under
`rulekit/common/locale`. Texts of games are no messages: see `message_format`.
"""

from __future__ import annotations

import gettext as catalogues
from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias, Union

from rulekit.common.i18n.languages import HOME, LANGUAGES, LOCALE

DOMAIN = "rulekit"
Param: TypeAlias = Union[str, int, Exception, "Message"]
NO_PARAMS: Mapping[str, Param] = {}


class Message:
    """A text that is rendered in the language of its reader. `count` chooses between the singular
    and `plural`.

    Every command needs messages at its start, so this is a plain class: importing attrs takes as
    long as the rest of `rulekit --help`.
    """

    __slots__ = ("context", "count", "msgid", "params", "plural")

    def __init__(
        self,
        msgid: str,
        params: Mapping[str, Param] = NO_PARAMS,
        plural: str = "",
        count: int = 1,
        context: str = "",
    ) -> None:
        self.msgid: Final = msgid
        self.params: Final = params
        self.plural: Final = plural
        self.count: Final = count
        self.context: Final = context

    def text(self, lang: str, /, **params: Param) -> str:
        """Return the text in a language. It is English if the language is not known. `params` fill
        its places.
        """
        pattern = self.pattern(lang)
        if "{" not in pattern:
            return pattern
        from rulekit.common.i18n.message_format import fill

        given = {**self.params, **params} if params else self.params
        return fill(pattern, {name: rendered(lang, x) for name, x in given.items()})

    def with_params(self, **params: Param) -> Message:
        """Return the message with more of its places filled."""
        number = params.get("n", self.count)
        count = number if self.plural and isinstance(number, int) else self.count
        return Message(self.msgid, {**self.params, **params}, self.plural, count, self.context)

    def pattern(self, lang: str) -> str:
        """Return the text in a language, with its places unfilled."""
        known = _catalogue(lang)
        if self.context:
            return known.pgettext(self.context, self.msgid)
        if self.plural:
            return known.ngettext(self.msgid, self.plural, self.count)
        return known.gettext(self.msgid)

    def _fields(self) -> tuple[object, ...]:
        return (self.msgid, self.params, self.plural, self.count, self.context)

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if isinstance(other, Message) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # the parameters are a dictionary

    def __repr__(self) -> str:
        return f"Message{self._fields()!r}"

    def __str__(self) -> str:
        return str(self.text(HOME))


def _(msgid: str, /, **params: Param) -> Message:
    """Return a message. `params` fill its places `{name}`, now or when it is rendered."""
    return Message(msgid, params)


def ngettext(one: str, many: str, number: int, /, **params: Param) -> Message:
    """Return a message that depends on a number. The number fills the place `{n}`."""
    return Message(one, {"n": number, **params}, plural=many, count=number)


def pgettext(context: str, msgid: str, /, **params: Param) -> Message:
    """Return a message with a translation of its own in a context."""
    return Message(msgid, params, context=context)


def rendered(lang: str, param: Param) -> str:
    """Return the text that fills a place, in a language."""
    if isinstance(param, str):
        return param
    text = getattr(param, "display_text", param)  # of an error of ours: its message
    return text.text(lang) if isinstance(text, Message) else str(text)


@cache
def _catalogue(lang: str) -> catalogues.NullTranslations:
    if lang == HOME or lang not in LANGUAGES:
        return catalogues.NullTranslations()
    return catalogues.translation(DOMAIN, LOCALE, [lang])
