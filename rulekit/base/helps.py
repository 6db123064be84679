"""Takes nothing, makes the help of a finding that has no better one of its own: by its code, what docs/diagnostics.md advises."""

HELPS = {
    "RK301": "declare it, or write the name of something that is declared",
    "RK303": "give one of the two another name",
    "RK305": "pass it as a parameter, or declare this 'in' what gives it a meaning",
    "RK306": "give each parameter one value, in order",
    "RK307": "name a clause that it has",
    "RK309": "name a declaration of the library",
    "RK310": "declare it as the library needs it",
    "RK311": "ask for an attribute that it has, or declare this one",
    "RK404": "name an attribute of it, or a member of the kind of one",
    "RK406": "write a kind, or numbers of a range with known ends",
    "RK408": "work it out of less, or write the value itself",
    "RK501": "let one of them do without the other",
    "RK504": "call it as a statement of a procedure",
    "RK505": "leave it out, or write it where it has a meaning",
    "RK509": "exactly one kind says 'decides'",
    "RK608": "look for a slip in the name",
    "RK633": "write it as the rules name it",
}
