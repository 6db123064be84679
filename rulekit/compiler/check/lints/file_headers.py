"""Warn of rules files that claim to belong to another game, or to use another version of the
language.
"""

from __future__ import annotations

from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.source.fingerprint import LANGUAGE
from rulekit.compiler.syntax import ast as t


def headers(files: list[tuple[t.File, int]], world: CheckState) -> None:
    """Warn of `game NAME 1` and `library NAME 1` if the manifest has another name or another
    version of the language.
    """
    names = {text.path: text.library for text in world.source.rules}
    if not world.source.manifest:
        return
    for file, _ in files:
        wanted = names.get(file.path, "")
        for decl in [decl for decl in file.decls if isinstance(decl, t.Header)]:
            if decl.name != wanted:
                world.sink.warn(
                    "RK708",
                    decl.span,
                    f"this file is for the game '{decl.name}', but the name in game.yaml is "
                    f"'{wanted}'",
                    f"write '{decl.what} {wanted}', or correct the name in game.yaml",
                )
            if decl.version != LANGUAGE:
                world.sink.warn(
                    "RK708",
                    decl.span,
                    f"this file is in language {decl.version}, but game.yaml says language "
                    f"{LANGUAGE}",
                    f"write '{decl.what} {decl.name} {LANGUAGE}': the number is the version of the"
                    " rules language",
                )
