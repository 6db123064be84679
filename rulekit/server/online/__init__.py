"""The server for many people: accounts, seats, clocks, chat. The local table imports nothing of it.
See docs/serve.md.
"""
