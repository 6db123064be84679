"""The default help of each code, for diagnostics without a better one of their own. It repeats the
advice of docs/diagnostics.md.
"""

HELPS = {
    "RK301": (
        "declare it with a word such as 'state', 'define' or 'kind', pass it as a parameter, or"
        " mend the name"
    ),
    "RK303": "give one of the two another name",
    "RK305": (
        "pass it as a parameter, or say 'in' behind the name declared here where it has its value"
    ),
    "RK306": "write one value for each parameter, in the order in which the rules declare them",
    "RK307": "name a clause that it has",
    "RK309": "name a declaration of the library",
    "RK310": "declare it as the library needs it",
    "RK311": (
        "name an attribute of this kind, or declare one: 'fixed', 'state' or 'define' in the block"
        " of the kind"
    ),
    "RK404": (
        "name an attribute of it that is true or false, or a member of an enumeration such as its"
        " type"
    ),
    "RK406": "write a kind, or numbers of a range with known ends",
    "RK408": "write the value itself, or a shorter definition of fixed data",
    "RK501": "let one of them do without the other",
    "RK504": "call it as a statement of a procedure",
    "RK505": "leave it out: it has no effect here",
    "RK509": "exactly one kind says 'decides'",
    "RK608": "write a name that rulings.yaml declares",
    "RK633": "write it as the rules name it",
}
