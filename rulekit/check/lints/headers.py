"""Takes the parsed rules of a game, warns of files that say they belong to another one."""

from __future__ import annotations

from rulekit.check.names.scope import World
from rulekit.syntax import tree as t


def headers(files: list[tuple[t.File, int]], world: World) -> None:
    """Warns of `game NAME` and `library NAME` where the manifest says another name."""
    names = {text.path: text.library for text in world.source.rules}
    if not world.source.manifest:
        return
    for file, _ in files:
        wanted = names.get(file.path, "")
        for decl in [decl for decl in file.decls if isinstance(decl, t.Header) and decl.name != wanted]:
            world.sink.warn("RK708", decl.span, f"these rules say that they are of '{decl.name}', and game.yaml says '{wanted}'",
                            f"write '{decl.what} {wanted}', or mend the name in game.yaml")
