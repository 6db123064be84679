"""The TypeScript types of the messages between server and browser. `python web/wiretypes.py` writes
them to web/src/protocol.gen.ts, from the Python classes."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs
import msgspec

from rulekit.engine.explain.derivation import Derivation
from rulekit.engine.search.analysis import AnalysedChoice, Analysis, WinChance
from rulekit.engine.search.game_review import ReviewPart
from rulekit.presentation import decision, forecast, log, odds, plan, position, refusal, sheet
from rulekit.presentation.hint import Hint
from rulekit.presentation.rich_text import TextSpan
from rulekit.server import catalogue, protocol
from rulekit.server.online import protocol as online_protocol

OUT = Path(__file__).parent / "src" / "protocol.gen.ts"
PLAIN = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    type(None): "null",
    Any: "Json",
    Fraction: "[number, number]",
    TextSpan: "Span",
}
HEAD = """// Made by web/wiretypes.py of the Python classes that go over the wire; not to be edited.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A piece of a text, and what it names: a piece, a place, a side, or a thing. */
export type Span =
  | string
  | { text: string; piece?: string; place?: string; side?: string; thing?: string };
"""
# Message fields that hold the result of an API method.
HOLDS = {
    ("Table", "sheet"): "Sheet",
    ("State", "position"): "Position",
    ("State", "decision"): "Asked | null",
    ("State", "lines"): "Line[]",
    ("Taken", "plan"): "Plan",
}
ROOTS = [
    sheet.Sheet,
    decision.SeatDecision,
    position.SeatPosition,
    log.LogLine,
    forecast.Forecast,
    odds.Odds,
    plan.Plan,
    refusal.Refusal,
    Hint,
    Analysis,
    ReviewPart,
    Derivation,
]
# names in TypeScript where Python has another one
NAMES = {
    AnalysedChoice: "Choice",
    WinChance: "Chance",
    ReviewPart: "Part",
    protocol.ForecastRequest: "Ahead",
    protocol.ReviewRequest: "Review",
    protocol.FrameRequest: "Frame",
    protocol.HintRequest: "AskHint",
    protocol.StopRequest: "Stop",
    protocol.UndoRequest: "Undo",
    protocol.AnswerMessage: "Answer",
    protocol.RefusedMessage: "Refused",
    protocol.StateMessage: "State",
    protocol.TableData: "Table",
    catalogue.ListedTable: "Listed",
    online_protocol.SideOffer: "Offer",
    online_protocol.TableVisibility: "Open",
    online_protocol.ReadMark: "Read",
    online_protocol.ServerStatus: "Standing",
    online_protocol.TableMoved: "Moved",
    online_protocol.TextBody: "Text",
    position.ReachableUndo: "ReachBack",
    decision.SeatDecision: "Asked",
    decision.SeatOption: "Offered",
    position.Field: "Field",
    sheet.Map: "Geography",
    sheet.KindSheet: "Kind",
    sheet.MemberSheet: "Member",
    sheet.StateSheet: "Cell",
    forecast.GroupStep: "Step",
    forecast.ReachablePlace: "Reach",
    log.LogLine: "Line",
    odds.OddsResult: "Result",
    odds.OddsRoll: "Roll",
    position.SeatPosition: "Position",
    position.RunningProcedure: "Running",
}


class Types:
    """The interfaces in the order of the first request for each."""

    def __init__(self) -> None:
        self.made: dict[type, str] = {}

    def name(self, cls: type) -> str:
        """Return the name of a class in TypeScript. Two Python classes with the same name are
        distinguished by their modules."""
        own = NAMES.get(cls, cls.__name__)
        clash = any(
            other is not cls and NAMES.get(other, other.__name__) == own for other in self.made
        )
        return f"{cls.__module__.rsplit('.', 1)[-1].title()}{own}" if clash else own

    def of(self, hint: Any) -> str:
        """Return the type of a type hint."""
        if hint in PLAIN:
            return PLAIN[hint]
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.of(args[0])
        if origin is Literal:
            return " | ".join(f'"{each}"' for each in args)
        if origin in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.of(each) for each in args))
        if origin in (list, set):
            return self.array(args[0])
        if origin is tuple:
            return (
                self.array(args[0])
                if args[-1] is Ellipsis
                else f"[{', '.join(self.of(each) for each in args)}]"
            )
        if origin in (dict, Mapping):
            return f"Record<string, {self.of(args[1])}>"
        if isinstance(hint, type) and (attrs.has(hint) or issubclass(hint, msgspec.Struct)):
            return self.interface(hint)
        raise TypeError(f"no TypeScript type for {hint}")

    def array(self, of: Any) -> str:
        written = self.of(of)
        return f"({written})[]" if "|" in written else f"{written}[]"

    def interface(self, cls: type) -> str:
        """Return the name of a class's interface, which is created at the first request."""
        name = self.name(cls)
        if cls in self.made:
            return name
        self.made[cls] = ""
        lines = [*_comment(cls), f"export interface {name} {{"]
        tag = getattr(getattr(cls, "__struct_config__", None), "tag", None)
        if tag is not None:
            lines.append(f'  type: "{tag}";')
        optional = _optional(cls)
        for field, hint in get_type_hints(cls).items():
            if not field.startswith("_"):
                written = HOLDS.get((name, field)) if issubclass(cls, msgspec.Struct) else None
                shown = odds.WIRE_NAMES.get(field, field) if cls is odds.Way else field
                lines.append(
                    f"  {shown}{'?' if field in optional else ''}: {written or self.of(hint)};"
                )
        self.made[cls] = "\n".join([*lines, "}"])
        return name


def _comment(cls: type) -> list[str]:
    """Return the docstring of a class as the lines of a JSDoc comment."""
    lines = inspect.cleandoc(cls.__doc__ or "").splitlines()
    if len(lines) <= 1:
        return [f"/** {' '.join(lines)} */"]
    return ["/**", *(f" * {line}".rstrip() for line in lines), " */"]


def _optional(cls: type) -> set[str]:
    """Return the fields that a page may omit."""
    if not issubclass(cls, msgspec.Struct) or not _is_request(cls):
        return set()
    return {field.name for field in msgspec.structs.fields(cls) if not field.required}


def _is_request(cls: type) -> bool:
    return cls in get_args(protocol.Request) or cls in (catalogue.Wanted, *online_protocol.SENT)


def text() -> str:
    """Return the text of the file."""
    made = Types()
    for root in ROOTS:
        made.of(root)
    for message in (
        *get_args(protocol.Request),
        *get_args(protocol.ServerMessage),
        *catalogue.MESSAGES,
        *get_args(online_protocol.SocketMessage),
        *online_protocol.SENT,
        *online_protocol.GIVEN,
    ):
        made.of(message)
    unions = [
        f"export type {name} = {' | '.join(made.name(each) for each in get_args(union))};"
        for name, union in (
            ("Request", protocol.Request),
            ("ServerMessage", protocol.ServerMessage),
            ("SocketMessage", online_protocol.SocketMessage),
        )
    ]
    return "\n".join([HEAD, *made.made.values(), *unions]) + "\n"


if __name__ == "__main__":
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"{OUT}\n")
