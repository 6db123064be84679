"""Errors in the language of their reader."""

from __future__ import annotations

import errno
from collections.abc import Iterable

from rulekit.common.diagnostics.diagnostic import nearest
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import Message, Param, _, rendered

_SYSTEM = {
    errno.ENOENT: _("no such file or directory"),
    errno.EISDIR: _("is a directory"),
    errno.ENOTDIR: _("not a directory"),
    errno.EACCES: _("permission denied"),
    errno.EPERM: _("operation not permitted"),
    errno.EROFS: _("read-only file system"),
    errno.ENOSPC: _("no space left on device"),
    errno.EDQUOT: _("disk quota exceeded"),
    errno.EFBIG: _("file too large"),
    errno.EEXIST: _("file exists"),
    errno.ELOOP: _("too many levels of symbolic links"),
    errno.ENAMETOOLONG: _("file name too long"),
    errno.EIO: _("input/output error"),
    errno.EMFILE: _("too many open files"),
}


def reason(error: Exception) -> Param:
    """Return the text of an error. Of an error of the system it is the reason, without the file."""
    if isinstance(error, RulekitError):
        return error.display_text
    if isinstance(error, OSError) and error.errno:
        text = error.strerror or str(error)
        return _SYSTEM.get(error.errno, _('the system says "{what}"', what=text))
    return _("this is not a valid file name") if isinstance(error, ValueError) else str(error)


def error_text(lang: str, error: Exception) -> str:
    """Return the text of an error, in a language if it is translated into it."""
    return rendered(lang, reason(error))


def near(name: str, known: Iterable[str]) -> Message | None:
    """Return 'did you mean ...?' for the nearest known names, or None if none is near."""
    return did_you_mean(nearest(name, known))


def did_you_mean(names: Iterable[str]) -> Message | None:
    """Return the question whether one of these names was meant, or None without names."""
    listed: Param = ""
    for name in names:
        listed = _("{one} or {other}", one=listed, other=repr(name)) if listed else repr(name)
    return _("did you mean {names}?", names=listed) if listed else None
