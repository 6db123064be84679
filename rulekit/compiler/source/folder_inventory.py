"""Finds files in the folder of a game or library that are not read, although they seem to be meant
for the game.

A file is reported if a mistake in its name, its ending or its folder keeps it from being read, or
if its content is that of a game file. Files that are plainly something else (a README, a licence, a
picture, files of git or an editor) are not reported.
"""

from __future__ import annotations

import difflib
import locale
import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from attrs import frozen

from rulekit.common.diagnostics.diagnostic import MIN_LIKENESS, Sink
from rulekit.common.diagnostics.span import Span
from rulekit.common.files import FileRefused, read_plain
from rulekit.compiler.source.locate import MANIFEST, MOST_FILES, REVERSALS
from rulekit.compiler.source.text_file import MAX_BYTES, shown_path

_LETTERS_OF_LISTED_CODE = 2  # of a language, after ISO 639-1
UNREAD, LANGUAGE_NAME = "RK146", "RK147"
MAX_REPORTED = 50  # in one folder
DEEP = 3  # folders within each other that are looked into
MAX_LOOKED = 20_000  # characters of a file, which may say what it was meant as

TOP = (
    MANIFEST,
    "map.yaml",
    "pieces.yaml",
    "things.yaml",
    "data.yaml",
    "drawing.yaml",
    "rulings.yaml",
    "coverage.yaml",
    REVERSALS,
)
FOLDERS = {
    "rules": ".rules",
    "tables": ".csv",
    "scenarios": ".yaml",
    "texts": ".yaml",
    "situations": ".yaml",
    "overlays": ".yaml",
}
# What people call these folders and files elsewhere.
_FOLDER_WORDS = {
    "src": "rules",
    "csv": "tables",
    "charts": "tables",
    "setups": "scenarios",
    "deployments": "scenarios",
    "tests": "situations",
    "cases": "situations",
    "lang": "texts",
    "langs": "texts",
    "locale": "texts",
    "locales": "texts",
    "i18n": "texts",
    "translations": "texts",
    "strings": "texts",
    "corrections": "overlays",
}
_FILE_WORDS = {
    "manifest": MANIFEST,
    "counters": "pieces.yaml",
    "units": "pieces.yaml",
    "board": "map.yaml",
    "places": "map.yaml",
    "zones": "map.yaml",
    "borders": "map.yaml",
    "cards": "things.yaml",
    "chits": "things.yaml",
    "fixed": "data.yaml",
    "mutations": REVERSALS,
    "values": "data.yaml",
    "look": "drawing.yaml",
    "inventory": "coverage.yaml",
    "covers": "coverage.yaml",
}
_ENDINGS = {
    ".yaml": (".yml", ".json", ".ymal", ".yalm", ".yam"),
    ".rules": (".rule", ".rls", ".ruls", ".rul"),
    ".csv": (".tsv", ".tab", ".cvs", ".ods", ".xls", ".xlsx"),
}
_SHEETS = (".ods", ".xls", ".xlsx")  # what a table may have been exported from
_OTHER_ENDINGS = re.compile(
    r"\.(md|rst|pdf|png|jpe?g|gif|svg|webp|html|css|js|ts|py|sh|toml|ini|cfg|lock|log|save|zip|db|docx?|odt|mo|bak|orig|old|sw[po]|tmp|rej|"
    r"patch|diff)",
    re.I,
)
_OTHER_NAMES = re.compile(
    r"(readme|licen[cs]e|copying|changelog|changes|authors|contributing|notice|makefile|thumbs|desktop|\.ds_store)\b.*|[._]?mkdocs.*|"
    r"(docker-)?compose.*|codecov.*|_config.*|package(-lock)?\.json|tsconfig.*|pnpm-.*|environment\.ya?ml|appveyor.*|azure-.*|\.[_#~].*|.*~|#.*#",
    re.I,
)
# What a file holds, by lines that begin in its first column: where all patterns of an entry are
# found, such a file belongs there.
_CONTENTS = tuple(
    (place, [re.compile(pattern, re.M) for pattern in patterns])
    for place, *patterns in (
        (MANIFEST, r"^rulekit *: *(game|library)\b"),
        ("rules", r"\A(?:[ \t]*(?:#[^\n]*)?\n)*(?:game|library) +\w+ +\d+\b"),
        ("", r"^games? *:"),  # a sweep, which is named when it is run
        ("scenarios", r"^deploy *:"),
        ("map.yaml", r"^(places|borders|hexes) *:"),
        (
            "texts",
            (
                r"^(option|event|member|prompt|clause|why|cell|level|moment|phase|scenario|effect|note)"
                r"\.[\w.]+ *:"
            ),
        ),
        ("rulings.yaml", r"^- +(\{ *)?id *:", r"\bquestion *:"),
        ("situations", r"^- +(\{ *)?name *:", r"\b(then|given|do|run) *:"),
        ("pieces.yaml", r"^(- +)?kind *: *\w+", r"^ *members *:", r"^ *place *:"),
        ("things.yaml", r"^(- +)?kind *: *\w+", r"^ *members *:"),
        ("data.yaml", r"^fixed *:"),
        ("drawing.yaml", r"^(terrain|terrain_by|counter|tracks|signs|backdrop) *:"),
        ("coverage.yaml", r"^ids *:"),
        ("scenarios", r"^set *:"),
    )
)
_APART = re.compile(
    r"(old|back-?ups?|attic|archives?|drafts?|tmp|temp|build|dist|notes?|docs?|saves?|sweeps?|node_modules|venv|__pycache__)\b.*",
    re.I,
)
_SORTS = {
    "rules": "rules",
    "tables": "a table",
    "scenarios": "a scenario",
    "texts": "texts",
    "situations": "situations",
    "overlays": "an overlay",
}
_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")  # of a language, as in BCP 47
# The second letters of the codes of two letters, ISO 639-1, by the first; `sh` went out of use and
# is met still.
_CODES = {
    "a": "abefkmnrsvyz",
    "b": "aegimnors",
    "c": "aehorsuvy",
    "d": "aevz",
    "e": "elnostu",
    "f": "afijory",
    "g": "adlnuv",
    "h": "aeiortuyz",
    "i": "adegikostu",
    "j": "av",
    "k": "agijklmnorsuvwy",
    "l": "abginotuv",
    "m": "ghiklnrsty",
    "n": "abdeglnorvy",
    "o": "cjmrs",
    "p": "ailst",
    "q": "u",
    "r": "mnouw",
    "s": "acdeghiklmnoqrstuvw",
    "t": "aeghiklnorstwy",
    "u": "gkrz",
    "v": "eio",
    "w": "ao",
    "x": "h",
    "y": "io",
    "z": "ahu",
}
# What is written for one: the code of a country, or one that was in use before.
_MEANT = {
    "al": "sq",
    "at": "de",
    "by": "be",
    "cn": "zh",
    "cz": "cs",
    "dk": "da",
    "gb": "en",
    "gr": "el",
    "il": "he",
    "in": "id",
    "iq": "ar",
    "ir": "fa",
    "iw": "he",
    "ji": "yi",
    "jp": "ja",
    "md": "ro",
    "me": "sr",
    "mx": "es",
    "rs": "sr",
    "ua": "uk",
    "us": "en",
    "vn": "vi",
}


@frozen
class Stray:
    """Something in a folder that is not read and looks as if it should be.

    Attributes:
        place: the intended place (`scenarios/dawn.yaml`), or '' if it is not known.
        holds: for a folder, a file in it that shows its purpose.
    """

    path: Path
    message: str
    help: str
    place: str = ""
    code: str = UNREAD
    holds: Path | None = None


def report_strays(folders: list[Path], sink: Sink) -> None:
    """Warn of the files in the folders of a game and its libraries that are not read."""
    for folder in folders:
        for stray in islice(strays(folder), MAX_REPORTED):
            _warn(stray, sink)


def report_situations(folder: Path, sink: Sink) -> None:
    """Warn of the files that were meant as situations and are not read."""
    for stray in islice(strays(folder), MAX_REPORTED):
        if stray.place.startswith("situations"):
            _warn(stray, sink)


def report_rules(folder: Path, sink: Sink) -> None:
    """Warn of the files that were meant as rules and are not read."""
    for stray in islice(strays(folder), MAX_REPORTED):
        if stray.place.endswith(".rules"):
            _warn(stray, sink)


def _warn(stray: Stray, sink: Sink) -> None:
    second = Span(shown_path(stray.holds), 1, 1) if stray.holds is not None else None
    sink.warn(
        stray.code,
        Span(shown_path(stray.path), 1, 1),
        stray.message,
        stray.help,
        second=second,
        second_label="this file is in it" if second else "",
    )


def strays(folder: Path) -> Iterator[Stray]:
    """Yield the files and folders of a game folder that are not read and look as if they were meant
    for it.
    """
    for entry in _entries(folder) if (folder / MANIFEST).is_file() else ():
        path = folder / entry.name
        if not _is_folder(entry):
            yield from _top_file(folder, path)
        elif entry.name in FOLDERS:
            for within in _entries(path):
                yield from (_below if _is_folder(within) else _inside)(folder, path / within.name)
        elif (
            not entry.name.startswith(".")
            and not _APART.fullmatch(entry.name)
            and not (path / MANIFEST).is_file()
        ):
            yield from _top_folder(folder, path)


def manifest_like(folder: Path) -> str:
    """Return the name of a file that seems to be meant as the game.yaml of a folder without one, or
    ''.
    """
    for entry in _entries(folder):
        if (
            not _is_folder(entry)
            and _like(entry.name, ".yaml")
            and MANIFEST in (_as_top(entry.name), _contents(folder / entry.name))
        ):
            return entry.name
    return ""


def games_in(folder: Path) -> list[str]:
    """Return the names of the folders in a folder that are games."""
    return [
        entry.name
        for entry in _entries(folder)
        if _is_folder(entry) and (folder / entry.name / MANIFEST).is_file()
    ]


# ------------------------------------------------------------------------------------------------ p
def _top_file(folder: Path, path: Path) -> Iterator[Stray]:
    """Check a file next to game.yaml."""
    name = path.name
    plain = _without_copy(name.removeprefix("."))
    if name in TOP or (name.endswith(".rules") and name == name.lstrip(".")) or _is_other(name):
        return
    if name.startswith("."):
        if plain in TOP or plain.endswith(".rules"):
            yield _stray(path, folder / plain, "its name begins with a dot")
    elif ending := _like(name, ".rules"):
        yield _renamed(path, folder / (_stem(name, ending) + ".rules"))
    elif target := _as_top(name):
        yield _renamed(path, folder / target)
    elif (ending := _like(name, ".csv")) and (target := _as_top(_stem(name, ending) + ".yaml")):
        yield _stray(path, folder / target, f"this must be YAML, in {target}")
    elif ending:
        yield _stray(
            path,
            folder / "tables" / (_stem(name, ending) + ".csv"),
            "tables belong in the folder 'tables'",
        )
    elif (ending := _like(name, ".yaml")) or path.suffix == ".txt":
        yield from _by_content(folder, path, ending)


def _by_content(folder: Path, path: Path, ending: str) -> Iterator[Stray]:
    """Check a file with a name that no file of a game has.

    Args:
        ending: the ending if it is like .yaml, otherwise ''.
    """
    name, place = path.name, _contents(path)
    stem = _stem(name, ending)
    if place is None and ending and FOLDERS.get(_as_folder(stem)) == ".yaml":
        place = _as_folder(stem)
    if place == "rules":
        yield _stray(path, folder / f"{path.stem}.rules", "files of rules end in .rules")
    elif place in FOLDERS and ending:
        target = "en" if place == "texts" and not _CODE.match(stem) else stem
        yield _stray(
            path,
            folder / place / f"{target}.yaml",
            f"it looks like {_SORTS[place]}, which belongs in the folder '{place}'",
        )
    elif place and ending:
        yield _stray(path, folder / place, "no file of a game has this name")
    elif place is None and ending and not ending.startswith(".json"):
        known = (
            f"the files of a game are {', '.join(TOP)}, *.rules, and those in {', '.join(FOLDERS)}"
        )
        yield Stray(
            path,
            f"'{name}' is not read: no file of a game has this name",
            f"{known}; put other files into a folder of their own",
        )


def _top_folder(folder: Path, path: Path) -> Iterator[Stray]:
    """Check a folder with a name that no folder of a game has."""
    found = [file for file in _walk(path, DEEP) if not _is_other(file.name)]
    named = _as_folder(path.name)
    held = next(
        (
            place
            for file in found
            if _like(file.name, ".yaml") and (place := _contents(file)) in FOLDERS
        ),
        "",
    )
    wanted = held if named and held else named
    meant = next((file for file in found if wanted and _like(file.name, FOLDERS[wanted])), None)
    if meant is not None:
        help = (
            f"move its files into '{wanted}'"
            if (folder / wanted).is_dir()
            else f"rename it to '{wanted}'"
        )
        yield Stray(
            path,
            f"the folder '{path.name}' is not read: no folder of a game has this name",
            help,
            wanted,
            holds=meant,
        )
        return
    for file in found:
        name, why = file.name, "it is in a folder that is not read"
        if name in TOP:
            yield _stray(file, folder / name, why)
        elif ending := _like(name, ".rules"):
            yield _stray(file, folder / "rules" / (_stem(name, ending) + ".rules"), why)
        elif (ending := _like(name, ".yaml")) and (place := _contents(file)) in FOLDERS:
            yield _stray(file, folder / place / (_stem(name, ending) + ".yaml"), why)


def _below(folder: Path, path: Path) -> Iterator[Stray]:
    """Check a folder inside one that is read."""
    home = path.parent
    for file in (
        () if _APART.fullmatch(path.name) or path.name.startswith(".") else _walk(path, DEEP - 1)
    ):
        if (
            (ending := _like(file.name, FOLDERS[home.name]))
            and not _is_other(file.name)
            and home.name != "overlays"
        ):
            target = home / (_stem(file.name, ending) + FOLDERS[home.name])
            yield _stray(file, target, f"folders within '{home.name}' are not looked into")


def _inside(folder: Path, path: Path) -> Iterator[Stray]:
    """Check a file in a folder that is read."""
    home, name = path.parent, path.name
    wanted = FOLDERS[home.name]
    if home.name == "overlays" or _is_other(name):
        return
    if name.startswith("."):
        if name.endswith(wanted):
            yield _stray(path, home / name.lstrip("."), "its name begins with a dot")
    elif name.endswith(wanted):
        if home.name == "texts":
            yield from _language(path)
    elif ending := _like(name, wanted):
        target = home / (_stem(name, ending) + wanted)
        if ending not in _SHEETS or not target.exists():
            yield _renamed(path, target)
    elif ending := next(
        (
            ending
            for each in _ENDINGS
            if (ending := _like(name, each)) and ending not in (".json", *_SHEETS)
        ),
        "",
    ):
        sort = next(each for each in _ENDINGS if _like(name, each))
        place = {".rules": "rules", ".csv": "tables"}.get(sort) or _as_top(name) or _contents(path)
        target = folder / (
            f"{place}/{_stem(name, ending)}{FOLDERS[place]}" if place in FOLDERS else place or name
        )
        yield _stray(path, target, f"in '{home.name}' are files that end in {wanted}")


def _is_code(name: str) -> bool:
    """Return True if a name is the code of a language.

    Codes of three letters are too numerous to be listed here, so any is accepted.
    """
    first = name.partition("-")[0]
    return bool(_CODE.match(name)) and (
        len(first) > _LETTERS_OF_LISTED_CODE or first[1] in _CODES.get(first[0], "")
    )


def _language(path: Path) -> Iterator[Stray]:
    """Check a file of texts whose name is not a language."""
    if _is_code(path.stem):
        return
    words = path.stem.casefold().replace("-", "_")
    first = words.partition("_")[0]
    known = next(
        (found for each in (words, first) if (found := str(locale.locale_alias.get(each, "")))), ""
    )
    code = _MEANT.get(first) or re.split(r"[_.@]", known)[0] or first
    yield Stray(
        path,
        f"'{path.stem}' is not the code of a language, so these texts are never shown",
        (
            f"rename it to {code}.yaml"
            if _is_code(code)
            else "name it by the code of its language: en.yaml, fr.yaml, de.yaml"
        ),
        "texts",
        LANGUAGE_NAME,
    )


# ------------------------------------------------------------------------------------------------ n
def _renamed(path: Path, target: Path) -> Stray:
    ends = path.name.endswith(target.suffix)
    return _stray(
        path,
        target,
        "no file of a game has this name" if ends else f"its name does not end in {target.suffix}",
    )


def _stray(path: Path, target: Path, why: str) -> Stray:
    """Report a file that was meant as `target`."""
    below = target.parent.name in FOLDERS
    place = f"{target.parent.name}/{target.name}" if below else target.name
    there = target.parent == path.parent
    shown = target.name if there else place
    if path.suffix.lower() in _SHEETS:
        help = f"export it as {place}"
    elif os.path.lexists(target) and not _same(path, target):
        help = (
            f"{shown} is read instead: move the contents of this file into it, or remove this file"
        )
    elif there:
        help = f"rename it to {shown}"
    else:
        help = f"move it to {shown}" + ("" if below else " beside game.yaml")
    return Stray(path, f"'{path.name}' is not read: {why}", help, place)


def _is_other(name: str) -> bool:
    """Return True if a name is plainly not that of a game file."""
    return bool(_OTHER_NAMES.fullmatch(name)) or bool(
        _OTHER_ENDINGS.fullmatch(os.path.splitext(name)[1])
    )


def _like(name: str, wanted: str) -> str:
    """Return the ending of a name if it equals or resembles the wanted one, otherwise ''.

    An additional `.txt` counts as a part of the ending.
    """
    base = name.removesuffix(".txt").removesuffix(".TXT")
    ending = os.path.splitext(base)[1]
    if not ending or _OTHER_ENDINGS.fullmatch(ending):
        return ""
    near = ending.lower() == wanted or ending.lower() in _ENDINGS[wanted]
    others = [each for endings in _ENDINGS.items() for each in (endings[0], *endings[1])]
    near = near or (
        ending.lower() not in others
        and difflib.SequenceMatcher(None, ending.lower(), wanted).ratio() >= MIN_LIKENESS
    )
    return ending + name[len(base) :] if near else ""


def _stem(name: str, ending: str) -> str:
    return name[: len(name) - len(ending)]


def _without_copy(name: str) -> str:
    """Return the name without the marks of a copy: `map (1).yaml`, `map - Copy.yaml`, `Copy of
    map.yaml`, `map_old.yaml`, `map2.yaml`.
    """
    stem, ending = os.path.splitext(name)
    stem = re.sub(r"\A(copy of|old|new|my)[ _-]+", "", stem, flags=re.I)
    return (
        re.sub(r"([ _.-]*(\(\d+\)|copy|old|new|backup|bak|v?\d+))+\Z", "", stem, flags=re.I)
        + ending
    )


def _as_top(name: str) -> str:
    """Return the file next to game.yaml that a name seems to mean, or ''."""
    ending = _like(name, ".yaml")
    if not ending:
        return ""
    stem = os.path.splitext(_without_copy(_stem(name, ending) + ".yaml"))[0].lower()
    known = {each.removesuffix(".yaml"): each for each in TOP} | (
        {} if ending.lower().startswith(".json") else _FILE_WORDS
    )
    return known[near] if (near := _near(stem, known)) else ""


def _as_folder(name: str) -> str:
    """Return the folder of a game that a name seems to mean, or ''."""
    known = {each: each for each in FOLDERS} | _FOLDER_WORDS
    near = _near(name.lower().strip("_-. "), known)
    return known[near] if near else ""


def _near(word: str, known: dict[str, str]) -> str:
    return next(iter(difflib.get_close_matches(word, list(known), 1, 0.8)), "")


# ------------------------------------------------------------------------------------------------ c
def _contents(path: Path) -> str | None:
    """Return the place for a file with this content: a folder, or a file next to game.yaml.

    It is '' if the file belongs nowhere in a game, and None if the content does not tell.
    """
    try:
        return _said(read_plain(path, MAX_BYTES).decode("utf-8-sig"))
    except (FileRefused, UnicodeDecodeError):
        return None


def misplaced(words: str, folder: str) -> str:
    """Return a help text for a file whose content belongs elsewhere than in this folder, or ''."""
    place = _said(words)
    if not place or place == folder:
        return ""
    return (
        f"it looks like {_SORTS[place]}: move it to the folder '{place}'"
        if place in _SORTS
        else f"it looks like {place}: move it there"
    )


def _said(words: str) -> str | None:
    """Return the same as `_contents`, for a text."""
    text = words.replace("\r\n", "\n")[:MAX_LOOKED]
    return next(
        (
            place
            for place, patterns in _CONTENTS
            if all(pattern.search(text) for pattern in patterns)
        ),
        None,
    )


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that goes round in a circle
        return False


def _same(one: Path, other: Path) -> bool:
    """Return True if two names mean the same file, for example where case does not matter."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(islice(found, MOST_FILES), key=lambda entry: entry.name)
    except OSError:
        return []


def _walk(folder: Path, deep: int) -> Iterator[Path]:
    """Yield the files of a folder and of its folders, `deep` levels in total. Other games and links
    are not entered.
    """
    for entry in _entries(folder) if not (folder / MANIFEST).is_file() else ():
        if not entry.is_dir(follow_symlinks=False):
            yield folder / entry.name
        elif deep > 1 and not entry.name.startswith("."):
            yield from _walk(folder / entry.name, deep - 1)
