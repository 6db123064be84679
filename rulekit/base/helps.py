"""Takes nothing, makes the help of a finding that has no better one of its own: by its code, what docs/diagnostics.md advises."""

HELPS = {
    "RK301": "look for a slip in the name, or declare it",
    "RK303": "rename one of the two",
    "RK305": "pass it on as a parameter",
    "RK306": "give each parameter its value",
    "RK307": "look for a slip in the name of the clause: total.clause",
    "RK310": "declare it as the library needs it",
    "RK311": "look for a slip in the name, or declare the attribute",
    "RK401": "write something of the type that is wanted here",
    "RK404": "compare with '=', or write something that is true or false of it",
    "RK406": "write bounds that are known and not empty",
    "RK408": "make it simpler",
    "RK501": "a definition may not go round in a circle",
    "RK504": "call it in a statement of its own, and test afterwards what it has done",
    "RK505": "look at docs/language.md for where this may stand",
    "RK509": "only one kind may say 'decides'",
    "RK608": "look for a slip in the name",
    "RK633": "write it as the rules name it",
}
