"""Static analysis of a game: name resolution, type checking, lints and the information-flow
check.
"""
