"""Takes nothing, makes the classes of the checked model: a game with every name resolved and every expression typed.

`check` makes it from syntax trees and data; the reference runs it as it is; `compile` lowers it. Sugar is gone: what is
left is a small core. All classes but types compare by identity. They stand in one module for each subject; here they have
their short names: `from rulekit import model as m`.

Values at run time, everywhere in rulekit: a bool is 0 or 1 (or a Python bool); a number is an int; a member of a kind
is its ordinal in data order, `none` is -1; a set over a kind is an int used as a bit mask (bit i = member i); a ratio
is a pair of ints.

Reading with a hole. Where a key or argument may be -1: an attribute, cell, table or define read through it gives the
"empty" value of its type (`empty(type)`: -1, 0, false, empty set); comparisons are false where either side is -1 (both
`=` and `!=`; the test for `none` itself is `IsNone`); a member -1 is in no set.
"""

from rulekit.model.declarations import Cancel, Clause, Define, Permit, Slot, Table, Total
from rulekit.model.expressions import (
    Aggregate,
    And,
    AppliesTo,
    Arith,
    Between,
    CallDefine,
    CallPermit,
    CallSlot,
    CallTable,
    CallTotal,
    Collect,
    Compare,
    Const,
    CouldBeIn,
    Count,
    Expr,
    FieldOf,
    Filter,
    FirstBy,
    Here,
    If,
    In,
    InRange,
    IsNone,
    Least,
    MakeSet,
    Not,
    Or,
    OrElse,
    RatioOf,
    ReachOf,
    Read,
    ReadCell,
    ReadFixed,
    Running,
    SetOp,
    Shift,
    The,
)
from rulekit.model.game import Model
from rulekit.model.happenings import (
    Event,
    Guarded,
    Hook,
    Invariant,
    Limit,
    Movement,
    Option,
    Pays,
    Procedure,
    Ruling,
    Whenever,
    With,
)
from rulekit.model.statements import (
    Answer,
    Block,
    CallEvent,
    CallProc,
    CallSlotSteps,
    Check,
    Choose,
    Draw,
    Each,
    Finish,
    Gather,
    IfStmt,
    Leave,
    Pick,
    PickGroup,
    Put,
    Repeat,
    Return,
    Roll,
    SetCell,
    SetVar,
    Stmt,
    Together,
    Walk,
    Window,
)
from rulekit.model.things import Cell, Fixed, Key, Kind, Seen, Var
from rulekit.model.types import NO_LIMIT, Bool, Int, MemberOf, RatioT, Record, SetOf, Type, empty, first_value

__all__ = [
    "NO_LIMIT", "Aggregate", "And", "Answer", "AppliesTo", "Arith", "Between", "Block", "Bool", "CallDefine",
    "CallEvent", "CallPermit", "CallProc", "CallSlot", "CallSlotSteps", "CallTable", "CallTotal", "Cancel", "Cell",
    "Check", "Choose", "Clause", "Collect", "Compare", "Const", "CouldBeIn", "Count", "Define", "Draw", "Each", "Event",
    "Expr", "FieldOf", "Filter", "Finish", "FirstBy", "Fixed", "Gather", "Guarded", "Here", "Hook", "If", "IfStmt",
    "In", "InRange", "Int", "Invariant", "IsNone", "Key", "Kind", "Least", "Leave", "Limit", "MakeSet", "MemberOf",
    "Model", "Movement", "Not", "Option", "Or", "OrElse", "Pays", "Permit", "Pick", "PickGroup", "Procedure", "Put",
    "RatioOf", "RatioT", "ReachOf", "Read", "ReadCell", "ReadFixed", "Record", "Repeat", "Return", "Roll", "Ruling",
    "Running", "Seen", "SetCell", "SetOf", "SetOp", "SetVar", "Shift", "Slot", "Stmt", "Table", "The", "Together",
    "Total", "Type", "Var", "Walk", "Whenever", "Window", "With", "empty", "first_value",
]
