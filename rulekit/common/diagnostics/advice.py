"""The default help of each code, for diagnostics without a better one of their own. It repeats the
advice of docs/diagnostics.md.
"""

HELPS = {
    "RK301": (
        "declare it with a word such as 'state', 'define' or 'kind', pass it as a parameter, or "
        "correct the name"
    ),
    "RK303": "rename one of them",
    "RK305": (
        "pass it as a parameter, or write 'in' and the procedure that has it after the name "
        "declared here"
    ),
    "RK306": "write one value for each parameter, in the order in which the rules declare them",
    "RK307": "write the name of one of its clauses",
    "RK309": "write the name of a declaration of the library",
    "RK310": "declare it with the kind of declaration and the parameters that the library needs",
    "RK311": (
        "write the name of an attribute of this kind, or declare one with 'fixed', 'state' or "
        "'define' in the block of the kind"
    ),
    "RK404": (
        "write an attribute of it that is true or false, or a member of an enumeration such as "
        "its type"
    ),
    "RK406": "write a kind, or a range of numbers with known ends",
    "RK408": "write the value itself, or a shorter definition of constant data",
    "RK501": "remove one of the references, or keep the value in a state",
    "RK504": "call it as a statement of a procedure",
    "RK505": "remove it: it has no effect here",
    "RK509": "write 'decides' in exactly one kind",
    "RK608": "write a name that rulings.yaml declares",
    "RK633": "write the name as the rules declare it",
}
