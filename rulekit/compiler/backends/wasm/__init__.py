"""The WebAssembly backend: a module that plays, counts and searches without Python.

See docs/native.md.
"""
