"""Write the name of an emitted function as text, the same in Python and in WebAssembly."""

from __future__ import annotations

from typing import assert_never

from rulekit.compiler.ir.functions import FunctionKind, FunctionName


def function_name(kind: FunctionKind, number: int) -> str:
    """Return the name of the function of a kind with a number."""
    return text_of(FunctionName(kind, number))


def text_of(name: FunctionName) -> str:
    """Return a name as it stands in emitted code: letters for the kind, then numbers."""
    member = f"_{name.member}" if name.member >= 0 else ""
    ending = "b" if name.kind is FunctionKind.PROCEDURE_BODY else ""
    return f"{_letters(name.kind)}{name.number}{member}{ending}"


def _letters(kind: FunctionKind) -> str:  # noqa: C901 - one match over the kinds of functions
    match kind:
        case FunctionKind.HAS_DESTINATION:
            return "A"
        case FunctionKind.BLOCK:
            return "B"
        case FunctionKind.DEFINITION:
            return "D"
        case FunctionKind.EVENT:
            return "E"
        case FunctionKind.HELPER:
            return "F"
        case FunctionKind.DESTINATIONS:
            return "G"
        case FunctionKind.WHENEVER:
            return "H"
        case FunctionKind.IDENTITY_OBSERVERS:
            return "I"
        case FunctionKind.PURSES:
            return "L"
        case FunctionKind.OPTIONS:
            return "O"
        case FunctionKind.PERMIT:
            return "P"
        case FunctionKind.PROCEDURE | FunctionKind.PROCEDURE_BODY:
            return "Q"
        case FunctionKind.RESUMPTION:
            return "R"
        case FunctionKind.SLOT:
            return "S"
        case FunctionKind.TOTAL:
            return "T"
        case FunctionKind.COST:
            return "U"
        case FunctionKind.CELL_OBSERVERS:
            return "V"
        case FunctionKind.STEPS:
            return "W"
        case FunctionKind.PERMIT_TRACE:
            return "XP"
        case FunctionKind.TOTAL_TRACE:
            return "XT"
        case FunctionKind.REACH_TRACE:
            return "XW"
        case FunctionKind.REFUSAL:
            return "Z"
    assert_never(kind)
