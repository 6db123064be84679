"""Public functions that bind the data of a game folder to the model.

Bad data is reported with its place and never raises an exception. The modules for each sort of data
are re-exported here.
"""

from rulekit.compiler.check.data.adjacency import (
    arcs,
    bind_borders,
    distances,
    ends,
    grid,
    lines,
    neighbours,
    shift,
    within,
)
from rulekit.compiler.check.data.members import ABOUT, bind_fixed, bind_members
from rulekit.compiler.check.data.scenarios import (
    Scenario,
    bind_rulings,
    bind_scenarios,
    bind_texts,
    check_texts,
    edition_rulings,
)
from rulekit.compiler.check.data.tables import bind_table
from rulekit.compiler.check.data.values import assignments, convert, member_ordinal

__all__ = [
    "ABOUT",
    "Scenario",
    "arcs",
    "assignments",
    "bind_borders",
    "bind_fixed",
    "bind_members",
    "bind_rulings",
    "bind_scenarios",
    "bind_table",
    "bind_texts",
    "check_texts",
    "convert",
    "distances",
    "edition_rulings",
    "ends",
    "grid",
    "lines",
    "member_ordinal",
    "neighbours",
    "shift",
    "within",
]
