"""Load the emitted code of a program variant as `Code`, the functions that play calls."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import CodeType, TracebackType
from typing import Any, Protocol

from attrs import define, field

from rulekit.common.errors import RulesError, ScriptError
from rulekit.runtime import chance_barrier, effects, intrinsics
from rulekit.runtime.variants import FULL

State = list[int]
SURE = "sure"  # the full variant, but it stops before anything that nobody knows


class Emitted(Protocol):
    """The parts of `rulekit.runtime.program.Program` that are run: emitted texts and data."""

    name: str
    source: Mapping[str, str]
    lines: Mapping[str, list[str]]
    initial: list[int]
    constants: dict[str, Any]
    _objects: Any


@define
class Code:
    """The emitted functions of one variant, as `rulekit.runtime.program` lists them."""

    blank: Callable[..., State]
    begin: Callable[..., None]
    apply: Callable[..., None]
    layers: Callable[[State], list[tuple[int, int]]]
    who: Callable[[State], int]
    run: Callable[..., None]
    enter: Callable[..., None]
    invariants: Callable[[State], list[int]]
    total: Callable[[State, int, Sequence[int]], int]
    permit: Callable[[State, int, Sequence[int]], int]
    define: Callable[[State, int, Sequence[int]], int]
    explain: Callable[[State, str, int, Sequence[int]], Any]
    why: Callable[[State, int, Sequence[int]], Any]
    cost: Callable[[State, int, Sequence[int]], Sequence[Sequence[int]]]
    purses: Callable[[State, int], Sequence[Sequence[int] | None]]
    seen: Callable[[State, int, Sequence[int]], int]
    identity: Callable[[State, int, int], int]
    space: dict[str, Any] = field(factory=dict, repr=False)


_NAMES = [a.name for a in Code.__attrs_attrs__ if a.name != "space"]


def code_object(program: Emitted, variant: str) -> CodeType:
    """Return the Python code of a variant. It is compiled once for all programs of the game."""
    if variant not in program._objects:
        program._objects[variant] = from_text(program, variant)
    made: CodeType = program._objects[variant]
    return made


def from_text(program: Emitted, variant: str) -> CodeType:
    """Compile the text of a variant."""
    made: CodeType = compile(program.source[variant], f"<{program.name} {variant}>", "exec")
    return made


def frozen(code: CodeType) -> bytes:
    """Return code as bytes that this version of Python can read."""
    return marshal.dumps(code)


def thawed(code: bytes) -> CodeType:
    """Return the code from the bytes of `frozen`."""
    made: CodeType = marshal.loads(code)
    return made


def load(program: Emitted, variant: str) -> Code:
    """Run the module of a variant and return its functions."""
    if variant == SURE:
        made = load(program, FULL)
        made.space.update(chance_barrier.STOPS)
        return made
    space: dict[str, Any] = {
        "__name__": f"rulekit_game_{variant}",
        "INITIAL": program.initial,
        "PROGRAM": program,
        **program.constants,
    }
    space["place_of"] = partial(_place_of, program)
    space.update({name: getattr(intrinsics, name) for name in _RUNTIME})
    space.update({name: getattr(effects, name) for name in _EFFECTS})
    exec(code_object(program, variant), space)
    return Code(**{name: space.get(name, _missing(name, variant)) for name in _NAMES}, space=space)


_RUNTIME = (
    "Over",
    "RulesError",
    "ratio_column",
    "the",
    "there",
    "div_up",
    "div_down",
    "row",
    "key",
    "at",
    "shift",
    "too_long",
    "could_be",
    "compare_ratios",
    "union",
    "union_of",
    "members",
    "looked",
    "shifted",
    "chosen",
)
_EFFECTS = (
    "put_both",
    "put_group",
    "put_all",
    "fill",
    "fill_at",
    "roll_dice",
    "draw_things",
    "put_thing",
    "gather_things",
    "log_revealed",
    "save_frame",
    "load_frame",
    "packed",
    "packed_after",
    "packed_there",
    "pack_masks",
    "group_rest",
    "group_mask",
    "group_classes",
    "in_classes",
    "first_class",
    "members_at",
)


def _missing(name: str, variant: str) -> Callable[..., Any]:
    def absent(*_: object) -> Any:
        raise LookupError(f"the variant {variant} has no {name}")

    return absent


def author_place(program: Emitted, error: BaseException) -> str:
    """Return the place in the author's files of an error inside emitted code, or ""."""
    return next(reversed(_places(program, error)), "")


def _places(program: Emitted, error: BaseException) -> list[str]:
    """Return the places in the author's files that an error has passed, outermost first."""
    found: list[str] = []
    step: TracebackType | None = error.__traceback__
    while step is not None:
        lines = program.lines.get(_variant_of(step.tb_frame.f_code), [])
        found += (
            [lines[step.tb_lineno - 1]]
            if 0 < step.tb_lineno <= len(lines) and lines[step.tb_lineno - 1]
            else []
        )
        step = step.tb_next
    return found


def _circle(program: Emitted, error: RecursionError) -> list[str]:
    """Return the places of an endless recursion, once around.

    They begin at a declaration, which stands in the first column, and end before it comes again.
    """
    places = _places(program, error)
    again = list(dict.fromkeys(places[len(places) // 2 :]))
    begin = min((place for place in again if place.endswith(":1")), key=_in_file, default="")
    at = again.index(begin) if begin else 0
    return [*again[at:], *again[:at]]


def _in_file(place: str) -> tuple[str, int]:
    file, line, _ = place.rsplit(":", 2)
    return file, int(line)


def _variant_of(code: CodeType) -> str:
    """Return the variant of a code object, from the file name that `from_text` gives it, or ""."""
    file = code.co_filename
    return file[:-1].rpartition(" ")[2] if file.startswith("<") and file.endswith(">") else ""


def _place_of(program: Emitted, block: Callable[..., Any]) -> str:
    """Return the place in the author's files of a block of emitted code, or ""."""
    lines = program.lines.get(_variant_of(block.__code__), [])
    return next(
        (
            lines[at - 1]
            for _, _, at in block.__code__.co_lines()
            if at and at <= len(lines) and lines[at - 1]
        ),
        "",
    )


def as_rules_error(program: Emitted, error: Exception) -> RulesError:
    """Return an error inside emitted code as one that names the author's line."""
    if isinstance(error, RulesError) and error.where:
        return error
    if isinstance(error, RecursionError):
        circle = _circle(program, error)
        return RulesError(
            "the rules set each other off without end", circle[0] if circle else "", circle
        )
    if isinstance(error, ScriptError):
        return ScriptError(error.message, error.left, error.drawn, author_place(program, error))
    return RulesError(str(error) or type(error).__name__, author_place(program, error))
