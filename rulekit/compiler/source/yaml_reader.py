"""Reader of YAML files that records the place of every value and key.

Only plain data is accepted: no anchors, aliases, merge keys or tags, so that a small file cannot
become a big value. The tree is built from the events of the parser, without recursion. Reading
stops at the first value that exceeds the limit on depth or number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml
from attrs import define, field

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.invisible_characters import bare, is_blank
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.missing_blanks import before, begun_with, message, unfinished
from rulekit.compiler.source.text_file import NOT_TEXT, shorter
from rulekit.compiler.source.unquoted_text import cause

MAX_DEPTH = 40
MAX_VALUES = 100_000
MAX_NUMBER = 2**31 - 1
MAX_NUMBER_CHARACTERS = len(f"-{MAX_NUMBER}")
MAX_TEXT = 10_000  # characters of a text or key
MAX_FINDINGS = 50  # in one file: further findings of the same mistake help nobody

_INT = re.compile(r"[-+]?[0-9]+\Z")
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_LOOKS_BLANK = re.compile(
    r"^(?=.*[^ \n!-~]).*$", re.M
)  # a line with something else than what stands in most
_UNSEEN = re.compile(
    "^ *[\u00a0\u00ad\u200b-\u200d\u2000-\u200a\u2060\u202f\u205f\u3000\ufeff]", re.M
)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Stop(Exception):
    """Raised to end reading after a diagnostic was added to the sink."""


def parse_yaml(text: str, path: str, sink: Sink) -> Datum | None:
    """Return the document as positioned data (an empty one is a `Datum` of None), or None if it
    cannot be read as a whole.

    A finding that leaves the rest readable (a duplicate key) goes to the sink, and the tree is
    still built.
    """
    text = _LOOKS_BLANK.sub(_blanked, text) if _LOOKS_BLANK.search(text) else text
    unseen = _UNSEEN.search(text)
    if unseen:
        line, column = (
            text.count("\n", 0, unseen.end()) + 1,
            unseen.end() - text.rfind("\n", 0, unseen.end()) - 1,
        )
        message = (
            f"there is an invisible character (U+{ord(unseen[0][-1]):04X}) where only spaces are"
            " allowed"
        )
        sink.error(
            "RK110", Span(path, line, column, line, column + 1), message, "indent with spaces"
        )
        return None
    try:
        return _Builder(path, sink).build(text)
    except _Stop:
        return None
    except yaml.YAMLError as why:
        deep = None
        if "nesting depth" in str(
            getattr(why, "problem", "")
        ):  # a bound of the parser, which looks ahead: ours is reached before
            try:
                deep = _nested(text)
            except yaml.YAMLError as other:
                why = other
        if deep is None:
            _syntax_error(why, text, path, sink)
        else:
            _too_deep(_between(path, deep), sink)
        return None


def _blanked(line: re.Match[str]) -> str:
    """Return a line as the reader should see it: empty if nothing in it is visible, and with spaces
    for tabs before a comment.
    """
    text = line[0]
    if is_blank(text):
        return ""
    begin = len(text) - len(text.lstrip())
    return text[:begin].replace("\t", " ") + text[begin:] if text[begin] == "#" else text


@define
class _Open:
    """A list or mapping that is being read."""

    span: Span
    key_span: Span
    mapping: bool
    flow: bool
    items: list[Datum] = field(factory=list)
    entries: dict[str, Datum] = field(factory=dict)
    key: str | None = None  # of a mapping: the key that waits for its value
    at: Span = NOWHERE  # where that key stands
    plain: bool = False  # it stands there without quotes
    dropped: bool = False  # it stands there a second time: its value is read and forgotten


@define
class _Builder:
    path: str
    sink: Sink
    stack: list[_Open] = field(factory=list)
    root: Datum | None = None
    count: int = 0
    findings: int = 0

    def build(self, text: str) -> Datum:
        for event in _events(text):
            if isinstance(event, yaml.ScalarEvent):
                self.counted(event)
                self.scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self.counted(event)
                self.opened(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.closed(event)
            elif isinstance(event, yaml.AliasEvent):
                self.stop(
                    "RK112",
                    self.span(event),
                    f"alias '*{event.anchor}': anchors and aliases are not used here",
                    "write the value out; put a text that begins with '*' in quotes",
                )
            elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
                self.stop(
                    "RK112",
                    self.span(event),
                    "a second document begins here; a file holds one",
                    "remove the line '---', or make two files",
                )
        return self.root if self.root is not None else Datum(None, Span(self.path, 1, 1, 1, 1))

    def span(self, event: Any) -> Span:
        return _between(self.path, event)

    def stop(self, code: str, span: Span, message: str, help: str) -> None:
        self.sink.error(code, span, message, help)
        raise _Stop

    def counted(self, event: Any) -> None:
        """Check the limits for every value: the total number, no anchor, no tag."""
        self.count += 1
        if self.count > MAX_VALUES:
            self.stop(
                "RK106",
                self.span(event),
                f"the file has more than {MAX_VALUES} values",
                "split it into several files",
            )
        if event.anchor is not None:
            at = self.span(event)
            short = Span(at.file, at.line, at.column, at.line, at.column + len(event.anchor) + 1)
            self.stop(
                "RK112",
                short,
                f"anchor '&{event.anchor}': anchors and aliases are not used here",
                "write the value out where it is needed; put a text that begins with '&' in quotes",
            )
        if event.tag is not None:
            at = self.span(event)
            short = Span(at.file, at.line, at.column, at.line, at.column + 1)
            self.stop(
                "RK112",
                short,
                f"tag '{event.tag}': tags are not used here",
                "remove the tag; write plain values; put a text that begins with '!' in quotes",
            )

    def found(
        self, code: str, span: Span, message: str, help: str, second: Span | None = None
    ) -> None:
        """Report a finding that does not stop reading, unless there are too many."""
        self.sink.error(
            code,
            span,
            message,
            help,
            second=second,
            second_label="the first one is here" if second else "",
        )
        self.findings += 1
        if self.findings >= MAX_FINDINGS:
            raise _Stop

    def scalar(self, event: yaml.ScalarEvent) -> None:
        span = self.span(event)
        top = self.stack[-1] if self.stack else None
        if len(event.value) > MAX_TEXT and (event.style or not _INT.match(event.value)):
            self.stop(
                "RK106",
                span,
                f"the text has more than {MAX_TEXT} characters",
                "shorten it, or divide it into several texts",
            )
        if event.style == '"' and (bad := NOT_TEXT.search(event.value)):
            message = f"the text has a control character (code {ord(bad.group())}) after a '\\'"
            self.stop("RK104", span, message, "remove it: texts are printed as they are")
        if top is not None and top.mapping and top.key is None:
            self.key(top, event, span)
        elif (
            top is not None
            and top.flow
            and top.key is not None
            and span == _end(top.at)
            and self.glued(top)
        ):
            return
        else:
            self.add(
                Datum(
                    self.resolved(event, span),
                    span,
                    top.at if top is not None and top.mapping else NOWHERE,
                    event.value[:1] if not event.style and is_blank(event.value) else "",
                )
            )

    def resolved(self, event: yaml.ScalarEvent, span: Span) -> str | int | bool | None:
        """Resolve a scalar as in YAML 1.2.

        Only true, false, null and whole numbers are special. Words such as `no`, `on`, `1/2` and
        `4.2` are text.
        """
        value: str = event.value
        if event.style not in (None, ""):
            return value
        value = value if value.isascii() else bare(value)
        if value in _WORDS:
            return _WORDS[value]
        if _INT.match(value):
            if len(value) > MAX_NUMBER_CHARACTERS or abs(int(value)) > MAX_NUMBER:
                message = f"the number is too large: at most {MAX_NUMBER}"
                self.found("RK114", span, message, "write it in quotes if it is a text")
                return 0
            return int(value)
        return value

    def glued(self, top: _Open) -> bool:
        """Return True if the key without a value is a key and a value without a blank in between.

        This is reported, and the intended entry is added.
        """
        at, parts = top.at, begun_with(top.key or "") if top.plain else None
        if parts is None or top.dropped or at.line != at.end_line:
            return False
        name, words = parts
        middle = at.column + len(name)
        self.found("RK113", at, *message(name, words))
        if name in top.entries:
            self.twice(top, name, at)
        read = yaml.ScalarEvent(None, None, (True, True), words, style=None)
        top.key, top.at = name, Span(at.file, at.line, at.column, at.line, middle)
        if words[0] in "\"'":
            read = yaml.ScalarEvent(None, None, (False, True), words[1:-1], style=words[0])
        span = Span(at.file, at.line, middle + 1, at.line, at.end_column)
        self.add(Datum(self.resolved(read, span), span, top.at))
        return True

    def twice(self, top: _Open, name: str, span: Span) -> None:
        said = f"key '{shorter(name)}' is written twice in one mapping"
        self.found(
            "RK111", span, said, "remove one of the two, or rename it", top.entries[name].key_span
        )
        top.dropped = True

    def key(self, top: _Open, event: yaml.ScalarEvent, span: Span) -> None:
        name: str = event.value
        if event.style in (None, ""):
            if name == "<<":
                self.stop(
                    "RK112", span, "merge key '<<': merging is not used here", "write the keys out"
                )
            if name == "":
                self.found("RK113", span, "a key is missing before ':'", "write `key: value`")
            if (parts := begun_with(name)) is not None and unfinished(parts[1]):
                self.stop("RK113", span, *message(*parts))
        if name in top.entries:
            self.twice(top, name, span)
        top.key, top.at, top.plain = name, span, event.style in (None, "")

    def opened(self, event: Any) -> None:
        span = self.span(event)
        mapping = isinstance(event, yaml.MappingStartEvent)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.mapping and top.key is None:
            self.stop(
                "RK113",
                span,
                f"a key is a {'mapping' if mapping else 'list'} here; a key must be one word or"
                " text",
                "in YAML, brackets before ':' make a key; put a text that begins with a bracket in"
                " quotes",
            )
        if len(self.stack) >= MAX_DEPTH:
            _too_deep(span, self.sink)
            raise _Stop
        flow = bool(event.flow_style)
        self.stack.append(
            _Open(span, top.at if top is not None and top.mapping else NOWHERE, mapping, flow)
        )

    def closed(self, event: Any) -> None:
        done = self.stack.pop()
        value: Any = done.entries if done.mapping else done.items
        span = done.span
        if done.flow:
            span = span.to(self.span(event))
        elif value:
            last = (list(value.values()) if done.mapping else value)[-1]
            span = span.to(last.span)
        self.add(Datum(value, span, done.key_span))

    def add(self, datum: Datum) -> None:
        if not self.stack:
            self.root = datum
            return
        top = self.stack[-1]
        if not top.mapping:
            top.items.append(datum)
            return
        assert top.key is not None
        if not top.dropped:
            top.entries[top.key] = datum
        top.key, top.dropped = None, False


def _nested(text: str) -> Any:
    """Return the event at which values are nested too deeply, or None.

    It uses the parser that has no depth limit of its own.
    """
    depth = 0
    for event in _events(text, yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
            event, yaml.CollectionEndEvent
        )
        if depth > MAX_DEPTH:
            return event
    return None


def _end(span: Span) -> Span:
    """Return the empty span after something."""
    return Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)


def _between(path: str, event: Any) -> Span:
    start, end = event.start_mark, event.end_mark
    return Span(path, start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def _too_deep(span: Span, sink: Sink) -> None:
    sink.error(
        "RK106",
        span,
        f"values are nested more than {MAX_DEPTH} deep",
        "move the inner values out: no file of a game needs such depth",
    )


def _events(text: str, kind: Any = _LOADER) -> Iterator[Any]:
    loader = kind(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


# ------------------------------------------------------------------------------------------------ s
# A part of the parser's problem (or context) -> our message, and the help.
_PLAIN: tuple[tuple[str, str, str], ...] = (
    (
        "hanging line",
        "this line is indented more than the key above it, which already has a value",
        "indent the keys of one mapping alike",
    ),
    ("found character '\\t'", "there is a tab where only spaces are allowed", "indent with spaces"),
    (
        "mapping values are not allowed",
        "there is a ':' where no key can be",
        (
            "put a text that has ': ' in it in quotes, and see that the line is indented like its"
            " neighbours"
        ),
    ),
    (
        "could not find expected ':'",
        "a line is neither `key: value` nor a list item",
        "write ':' after the key, followed by a space",
    ),
    (
        "unexpected end of stream",
        "a quoted text is not closed before the end of the file",
        "close the quotes; put a text that begins with an apostrophe in double quotes",
    ),
    ("unexpected document", "a quoted text is not closed", "close the quotes"),
    (
        "unknown escape character",
        "there is no such escape after '\\'",
        "in double quotes write '\\\\' for a backslash, or use single quotes",
    ),
    (
        "expected ',' or '}'",
        "a '{' is not closed, or a ',' is missing",
        "separate the entries by ',' and close with '}'",
    ),
    (
        "expected ',' or ']'",
        "a '[' is not closed, or a ',' is missing",
        "separate the items by ',' and close with ']'",
    ),
    (
        "expected '-' indicator",
        "an item of this list does not begin with '- '",
        "begin each item with '- ', all in one column",
    ),
    (
        "block sequence entries are not allowed",
        "a list item '- ' cannot begin here",
        "begin the list on a line of its own, or put a text that begins with '-' in quotes",
    ),
    (
        "expected key",
        "this line does not fit the mapping above it",
        "indent the keys of one mapping alike, and write `key: value`",
    ),
    (
        "expected <block end>",
        "this line does not fit the lines above it",
        "indent the keys of one mapping alike, and begin each list item with '- '",
    ),
    (
        "node content",
        "a value is missing here",
        "write a value, or remove the sign before it; put a text that begins with a sign in quotes",
    ),
    (
        "expected alphabetic or numeric character",
        "'&' and '*' have a meaning in YAML at the start of a value",
        "put the text in quotes",
    ),
    (
        "mapping keys are not allowed",
        "'?' has a meaning in YAML at the start of a value",
        "put the text in quotes",
    ),
    (
        "whitespace or line break",
        "tags are not used here",
        "put a text that begins with '!' in quotes",
    ),
    (
        "non-alphabetical character",
        "a line that begins with '%' is not used here",
        "put the text in quotes",
    ),
    ("undefined tag handle", "tags are not used here", "put a text that begins with '!' in quotes"),
    (
        "expected chomping or indentation",
        "'|' and '>' begin a long text, which starts on the next line",
        "put the text in quotes, or begin it on the next line",
    ),
    (
        "expected comment or line break",
        "'|' and '>' begin a long text, which starts on the next line",
        "put the text in quotes, or begin it on the next line",
    ),
    (
        "expected <document start>",
        "the document has ended before this line",
        "indent this line like its neighbours",
    ),
    (
        "directive",
        "a line that begins with '%' is not used here",
        "remove it, or put the text in quotes",
    ),
)

_IN_TEXT = re.compile(
    r"expected (',' or|key|<block end>|'-' indicator)|found unexpected ':'"
)  # problems that lacking quotes may be behind


def _syntax_error(why: yaml.YAMLError, text: str, path: str, sink: Sink) -> None:
    """Report a problem of the parser in plain words, at the place where the author has to look."""
    problem = str(getattr(why, "problem", "") or "").replace("did not find expected", "expected")
    context = str(getattr(why, "context", "") or "")
    begun = getattr(why, "context_mark", None)
    mark = getattr(why, "problem_mark", None) or begun
    span, second, said = _at(path, text, mark), None, ""
    lines = text.split("\n")
    line = lines[span.line - 1]
    if (found := before(lines, span, _at(path, text, begun) if begun else None)) is not None:
        sink.error("RK113", *found)
        return
    if line[span.column - 1 : span.column + 1] in (":", ": ") and problem in (
        "expected key",
        "expected node content",
    ):
        sink.error("RK113", span, "a key is missing before ':'", "write `key: value`")
        return
    sign = line[span.column - 1 : span.column]
    if "cannot start any token" in problem and sign != "\t":
        sink.error(
            "RK110",
            span,
            f"'{sign}' cannot begin a value",
            f"put a text that begins with '{sign}' in quotes",
        )
        return
    if _IN_TEXT.match(problem) and (
        found := cause(text, span, _at(path, text, begun) if begun else None, "flow" in context)
    ):
        sink.error("RK110", *found)
        return
    if line.lstrip(" ").startswith("\t") or sign == "\t":
        problem = "found character '\\t'"
    elif "flow mapping" in context and problem == "expected key":
        problem = "expected ',' or '}'"
    elif "quoted" in context and begun is not None:
        span = (
            _at(path, text, begun)
            if "end of stream" in problem or "unexpected document" in problem
            else span
        )
    elif "mapping values" in problem and _hangs(text, span):
        problem = "hanging line"
        span = Span(path, span.line, len(line) - len(line.lstrip()) + 1, span.line, span.column)
    if (
        begun is not None
        and mark is not None
        and begun.line != mark.line
        and span.line != begun.line + 1
    ):
        second, said = _at(path, text, begun), "what is read here began here"
        if "expected ',' or" in problem:
            span, second, said = second, span, "read as far as here"
    message, help = next(
        ((m, h) for part, m, h in _PLAIN if part in problem),
        (
            "this is not YAML",
            "see that quotes and brackets are closed and lines are indented alike",
        ),
    )
    sink.error("RK110", span, message, help, second=second, second_label=said)


def _hangs(text: str, span: Span) -> bool:
    """Return True if the ':' at a place is the first of a line that is indented more than the line
    above.
    """
    lines = text.split("\n")
    line, above = lines[span.line - 1], lines[span.line - 2] if span.line > 1 else ""
    indent, over = (len(x) - len(x.lstrip(" ")) for x in (line, above))
    return indent > over and ":" not in line[: span.column - 1] and ":" in above


def _at(path: str, text: str, mark: Any) -> Span:
    if mark is None:
        return Span(path, 1, 1, 1, 2)
    lines = text.split("\n")
    line, column = mark.line, mark.column
    if line >= len(lines) or (
        line == len(lines) - 1 and not lines[line] and line > 0
    ):  # the end of the file: show the last line
        line = max(i for i, t in enumerate(lines) if t.strip() or i == 0)
        column = len(lines[line])
    return Span(path, line + 1, column + 1, line + 1, column + 2)
