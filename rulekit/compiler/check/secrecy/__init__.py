"""Information-flow analysis: a forward dataflow analysis that finds secrets which reach players
who may not know them.
"""
