"""Names of people: validation, normal form, and comparison by spelling and by look. See
docs/serve.md.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import groupby

from confusable_homoglyphs import categories, confusables

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _

LONGEST = 40  # characters of a name
MARKS = 3  # combining marks on one letter
# invisible characters of visible categories: Unicode's Default_Ignorable_Code_Point, and blanks
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
_FORBIDDEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Me", "Zl", "Zp")
_TOGETHER = (  # scripts that may be mixed (UTS 39, 5.2: highly restrictive)
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
_ALIKE = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})


def tidy_name(name: str) -> str:
    """Return the normal form of a name. Raise `RulekitError` if it is invalid, for example with
    invisible letters, or with letters of scripts that are not written together.
    """
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    sorts = [unicodedata.category(letter) for letter in name]
    marks = max((len(list(run)) for sort, run in groupby(sorts) if sort == "Mn"), default=0)
    seen = (
        not _UNSEEN.search(name)
        and not set(sorts) & set(_FORBIDDEN)
        and any(sort[0] in "LN" for sort in sorts)
    )
    if not 1 <= len(name) <= LONGEST or not seen or marks > MARKS or sorts[0] == "Mn":
        raise RulekitError(_("a name has 1 to 40 visible characters"))
    scripts = {categories.alias(letter) for letter in name} - {"COMMON", "INHERITED", "Unknown"}
    if len(scripts) > 1 and not any(scripts <= each for each in _TOGETHER):
        raise RulekitError(_("a name must be in one script"))
    return name


def compared(name: str) -> str:
    """Return the key of a name at sign-in, which ignores case and extra spaces."""
    return " ".join(
        unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split()
    )[:80]


def look(name: str) -> str:
    """Return a key that is the same for names that look alike.

    Letters that are drawn like Latin ones become these (UTS 39). Characters other than letters and
    digits are dropped.
    """
    shown = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    plain = (
        "".join(map(_drawn, shown))
        .casefold()
        .translate(_ALIKE)
        .replace("rn", "m")
        .replace("vv", "w")
    )
    letters = "".join(letter for letter in plain if unicodedata.category(letter)[0] in "LMN")
    return (letters or plain)[:80]


@cache
def _drawn(letter: str) -> str:
    """Return the Latin letters or digits that a letter is drawn like, or the letter itself."""
    if letter.isascii():
        return letter
    small = re.fullmatch(r"LATIN LETTER SMALL CAPITAL ([A-Z])", unicodedata.name(letter, ""))
    if small:
        return small[1].lower()
    alike = [
        each["c"]
        for each in confusables.confusables_data.get(letter, [])
        if each["c"].isascii() and each["c"].isalnum()
    ]
    return min(alike, key=lambda each: (len(each), each)) if alike else letter
