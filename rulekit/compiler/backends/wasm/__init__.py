"""The WebAssembly target: a module that plays, counts and searches without Python. See
docs/native.md."""
