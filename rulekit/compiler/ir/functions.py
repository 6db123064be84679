"""The names of emitted functions: a kind and a number. Only the backends write them as text."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import NamedTuple


class FunctionKind(IntEnum):
    """The purpose of an emitted function. Requested functions are lowered in this order."""

    HAS_DESTINATION = auto()  # of a movement: can a walk end anywhere?
    DEFINITION = auto()
    EVENT = auto()
    DESTINATIONS = auto()  # of a movement: the places where a walk could end
    WHENEVER = auto()
    PERMIT = auto()
    PROCEDURE = auto()  # one that asks nothing
    SLOT = auto()  # a behaviour slot: a table of functions, or the function of one member
    TOTAL = auto()
    STEPS = auto()  # of a movement: the legal steps from a place

    BLOCK = auto()
    PROCEDURE_BODY = auto()  # without the resets that follow it
    RESUMPTION = auto()  # the effect of the option that was chosen at a decision
    OPTIONS = auto()  # the options of a decision
    HELPER = auto()
    CELL_OBSERVERS = auto()  # the players who may see a cell
    IDENTITY_OBSERVERS = auto()  # the players who may know which member of a kind it is

    COST = auto()  # the price of one option of a family
    PURSES = auto()  # where the options of a family take their price from
    REFUSAL = auto()  # the clause that makes an option of a family illegal
    TOTAL_TRACE = auto()
    PERMIT_TRACE = auto()
    REACH_TRACE = auto()  # of a movement: why a single step is no walk


class FunctionName(NamedTuple):
    """The name of an emitted function."""

    kind: FunctionKind
    number: int  # of the declaration, block, decision or family; helpers are counted
    member: int = -1  # of a behaviour slot: the member that the function belongs to
