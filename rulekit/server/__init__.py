"""The server for playing in a browser: running games, their players, and the protocol with the
pages. See docs/table.md.
"""
