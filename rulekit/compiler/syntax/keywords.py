"""The keywords of the language by their position, each with its form as a help text shows it."""

from __future__ import annotations

DECLARATIONS: dict[str, str] = {
    "game": "game NAME 1",
    "library": "library NAME 1",
    "use": "use NAME 1",
    "unit": "unit PA, PF",
    "kind": "kind Name [ordered] [decides] [joins Kind] [needs a, b] [= a | b]",
    "extend": "extend kind Name, and an indented block of attributes",
    "members": "members Kind = a | b",
    "fixed": "fixed name: Type [= value]",
    "state": "state name: Type [= value] [per scope] [seen by who]",
    "pool": "pool name of Kind [seen by who]",
    "define": "define name(a: Kind) [in context] [: Type] = expression",
    "replace": (
        "replace define|total|permit|procedure|phase|table|action|reaction|standing|movement ..."
    ),
    "drop": "drop name or drop total.clause",
    "needs": "needs define|total|permit|procedure|phase name(a: Kind) [in context] [: Type]",
    "total": "total name(a: Kind) [in context]: UNIT, and an indented block of clauses",
    "permit": "permit name(a: Kind) [in context], and an indented block of 'bar' lines",
    "modifier": "modifier total.name amount [when condition]",
    "set": "set total.name amount [when condition]",
    "cancel": "cancel total.name [when condition]",
    "bar": "bar permit.name [when condition]",
    "table": 'table name(a: 1..6) -> Type [, round down] [, clamp] [from "tables/name.csv"]',
    "event": "event name(a: Kind) [reveals x], and an indented block of assignments",
    "moment": "moment name [in context] [asks who] or moment name = moment, after event, ...",
    "menu": "menu name in context",
    "action": 'action name(a: Kind) in menu ["label"] [when condition]',
    "reaction": 'reaction name(a: Kind) after|before event or at moment ["label"] [when condition]',
    "standing": 'standing name(a: Kind) in context ["label"] [when condition]',
    "on": "on after|before event or at moment [when condition], and an indented block",
    "whenever": "whenever x in set, and an indented block",
    "procedure": "procedure name(a: Kind) [in context], and an indented block",
    "phase": "phase name(a: Kind) [in context], and an indented block",
    "movement": (
        "movement name(a: Kind) [in context], and an indented block that begins with 'over'"
    ),
    "invariant": "invariant name [after event]: condition",
    "setup": "setup, and an indented block",
}

STATEMENTS: dict[str, str] = {
    "field": "field name: Type [= value]",
    "var": "var name [: Type] = value",
    "let": "let name = value",
    "if": "if condition, and an indented block",
    "else": "else or else if condition, and an indented block",
    "each": "each x in set [by key] [ties who] [live], and an indented block",
    "together": "together each x in set, and an indented block",
    "repeat": (
        "repeat until condition, at most N or repeat at most N or repeat N times, and an indented"
        " block"
    ),
    "choose": 'choose by who [from menu] ["prompt"], and an indented block of options',
    "pick": 'pick x from set by who ["prompt"] [, or none]',
    "pick group": (
        'pick group g from set by who [alike (keys)] ["prompt"] [, low to high] [while condition'
        ' ["reason"]] [, or none]'
    ),
    "roll": "roll x = 2d6 by who for purpose [when condition]",
    "draw": "draw N from pool to pool [when condition]",
    "put": "put thing in pool [when condition]",
    "gather": "gather pool to pool [when condition]",
    "open": "open moment [when condition] or let x = open moment(...)",
    "answer": "answer value [when condition]",
    "leave": "leave [when condition]",
    "return": "return [when condition]",
    "finish": "finish who, level [when condition]",
    "walk": "walk movement(...) from place by who [when condition]",
    "option": 'option name(a: Kind) ["label"] [when condition]',
}

CLAUSES: dict[str, str] = {
    "when": 'when condition ["reason"]',
    "with": "with name = value",
    "for": "for who",
    "at": "at moment or at least N or at most N",
    "limit": "limit N [name] per scope [by key] [unless condition]",
    "pays": "pays N from cell",
    "base": "base amount [when condition]",
    "over": "over Border b from a to z",
    "allowance": "allowance amount",
    "cost": "cost amount",
    "may": 'may enter condition ["reason"] or may end when condition',
    "must": "must stop when condition",
    "on entry": "on entry, and an indented block",
    "stranded": "stranded, and an indented block",
    "slot": "slot name(a: Kind) [: Type [= value]]",
    "rules": "rules while cell as name",
    "identity": "identity seen by who",
}

OPTION_CLAUSES = frozenset(["when", "with", "for", "at", "limit", "pays"])
MEMBER_CLAUSES = frozenset(["when", "limit", "modifier", "set", "cancel", "bar"])

ELSEWHERE: dict[str, str] = {
    "option": (
        "'option' belongs inside 'choose'; in the first column write 'action' (in a menu),"
        " 'reaction' or 'standing'"
    ),
    "ruling": "rulings belong in rulings.yaml; rules test them by name",
    "route": "write 'movement'",
    "fuel": "write 'allowance'",
    "enter": "write 'may enter' or 'on entry'",
    "stop": "write 'must stop when'",
    "end": "write 'may end when'",
    "def": "write 'define' for a value, 'procedure' for steps",
    "function": "write 'define' for a value, 'procedure' for steps",
    "rule": "write 'on after', 'whenever' or 'procedure'",
    "import": "write 'use'",
    "const": "write 'fixed'",
    "constant": "write 'fixed'",
    "enum": "write 'kind Name = a | b'",
    "class": "write 'kind'",
    "while": "write 'repeat until condition, at most N'",
    "foreach": "write 'each'",
    "elif": "write 'else if'",
    "elseif": "write 'else if'",
    "break": "write 'leave'",
    "then": "the block is indented on the lines below",
    "print": "for a log entry write an event",
}


def form_of(head: str, second: str = "") -> str:
    """Return the form of a line that begins with this word, or an empty text."""
    for key in (f"{head} {second}", head):
        for forms in (STATEMENTS, CLAUSES, DECLARATIONS):
            if key in forms:
                return forms[key]
    return ""
