"""Show how far the situations of a game prove its rules.

`mutants` changes the rules in one place at a time and reports each change that no situation
notices.
"""
