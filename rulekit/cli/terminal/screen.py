"""The screen of a terminal: header, boards, zones with pieces, tracks and pools, for any game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulekit.cli.terminal.place_names import borders, sort_of
from rulekit.common.i18n.messages import _
from rulekit.engine.explain.annotations import effects
from rulekit.engine.game.state import State
from rulekit.engine.kernel.events import HIDDEN
from rulekit.engine.kernel.names import Names, tidy
from rulekit.engine.kernel.scoring import TURNS
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime import cells
from rulekit.runtime.program import CellInfo, KindInfo

WIDTH = 80  # used if the width of the terminal is unknown
MANY_PLACES = 25  # more places than this are shown in groups
MARKS = "*+'^~"  # of the flags of a piece, in the order of their declaration


class Screen:
    """One observer's view of one state, as text."""

    def __init__(self, state: State, player: int | str | None) -> None:
        self.observer = Observer(state, player)
        self.state = state
        self.names: Names = state.names
        self.program = state.table.program
        self._grids = {i for i, k in enumerate(self.program.kinds) if _grid(k)}
        self._places = {c.type.kind for c in self.names.place_cells.values()} | {
            k.joins for k in self.program.kinds if k.joins >= 0
        }
        self._colon = self.names.colon
        self._shown_cells = [
            c
            for c in self.program.cells
            if not c.hidden and not self.names.is_silent(f"cell.{c.name}")
        ]
        self._plain_cells = [c for c in self._shown_cells if not c.pool]
        # for each kind, the cells with a member as the only key
        self._own_cells: dict[int, list[CellInfo]] = {}
        for cell in self._plain_cells:
            if len(cell.keys) == 1:
                self._own_cells.setdefault(cell.owner, []).append(cell)

    # ---------------------------------------------------------------- header
    def header(self) -> str:
        """Return the current turn and phases in one line."""
        parts = [
            self.names.text("title")
            or str(self.program.info.get("manifest", {}).get("title") or self.program.name)
        ]
        for cell in self._plain_cells:
            if not cell.keys and cell.name in TURNS:
                parts.append(f"{self._cell_text(cell)} {self._shown(cell, ())}")
        parts += [
            self.state.table.events.phase_text(name, params)
            for name, params in self.observer.phases_shown()
        ]
        return " | ".join(filter(None, parts))

    def _cell_text(self, cell: CellInfo) -> str:
        return self.names.text(f"cell.{cell.name}", tidy(cell.name))

    def _shown(self, cell: CellInfo, keys: tuple[int, ...]) -> str:
        if not self.observer.sees(self.program.cells.index(cell), keys):
            return HIDDEN
        value = self.state.raw(cell, keys)
        return self.observer.shown_of(cell, value)

    def _valued(self, cell: CellInfo, keys: tuple[int, ...], sign: str = " ") -> str:
        """Return the value to print after the name of a cell, after a sign. It is empty for a true
        flag.
        """
        seen = self.observer.sees(self.program.cells.index(cell), keys)
        plain = cell.type.form == "bool" and seen and self.state.raw(cell, keys)
        return "" if plain else f"{sign}{self._shown(cell, keys)}"

    def _is_changed(self, cell: CellInfo, keys: tuple[int, ...]) -> bool:
        """Return True if the observer may know the value and it differs from the initial one."""
        return (
            self.observer.sees(self.program.cells.index(cell), keys)
            and self.state.raw(cell, keys) != cell.initial
        )

    # ---------------------------------------------------------------- tracks
    def tracks(self) -> list[str]:
        """Return the cells that have no key, or only a side."""
        out, sides = [], self.program.sides
        single = [
            self._cell_text(c) + self._valued(c, (), self._colon)
            for c in self._plain_cells
            if not c.keys
            and (self._is_changed(c, ()) or (c.type.form == "member" and not c.type.optional))
        ]
        if single:
            out.append(self.names.semicolon.join(single))
        for side in range(len(self.names.sides)):
            values = [
                self._cell_text(c) + self._valued(c, (side,))
                for c in self._plain_cells
                if len(c.keys) == 1
                and c.keys[0].kind == sides
                and sides >= 0
                and self._is_changed(c, (side,))
            ]
            if values:
                out.append(f"{self.names.label(sides, side)}{self._colon}{', '.join(values)}")
        return out + self._keyed_tracks() + self.fields()

    def _keyed_tracks(self) -> list[str]:
        """Return the cells with other keys than places and pieces (for example a treasury of each
        nation), one line each.
        """
        out, sides = [], self.program.sides
        for cell in self._plain_cells:
            kinds = [key.kind for key in cell.keys]
            if cell.owner < 0 and kinds and kinds != [sides] and kinds[0] not in self._places:
                changed = (keys for keys in cells.places(cell) if self._is_changed(cell, keys))
                values = [
                    self._keys_text(cell, keys) + self._valued(cell, keys) for keys in changed
                ]
                if values:
                    out.append(f"{self._cell_text(cell)}{self._colon}{', '.join(values)}")
        return out

    def _keys_text(self, cell: CellInfo, keys: Sequence[int], without: int = -1) -> str:
        """Return the keys of a cell as text, without the one at the index `without`."""
        return " ".join(
            str(k) if key.kind < 0 else self.names.label(key.kind, k)
            for number, (key, k) in enumerate(zip(cell.keys, keys, strict=True))
            if number != without
        )

    def keyed(self, kind: int, member: int) -> list[str]:
        """Return the known, non-initial values of a member in cells that are not attributes of it
        alone.
        """
        out = []
        for cell in self._plain_cells:
            at = next((i for i, key in enumerate(cell.keys) if key.kind == kind), -1)
            if at < 0 or (len(cell.keys) == 1 and cell.owner == kind):
                continue
            for keys in cells.places(cell):
                if keys[at] == member and self._is_changed(cell, keys):
                    rest = self._keys_text(cell, keys, at)
                    out.append(
                        f"{self._cell_text(cell)}{f' {rest}' if rest else ''}"
                        f"{self._valued(cell, keys)}"
                    )
        return out

    def fields(self) -> list[str]:
        """Return the values of the running phases' own variables, except empty ones."""
        texts = []
        for at, proc in enumerate(self.program.procs):
            if proc.word == "phase" and self.state.running(at):
                known = [
                    v
                    for v in proc.vars
                    if v.shared and v.slot >= 0 and not self.names.is_silent(f"cell.{v.name}")
                ]
                texts += [
                    f"{self.names.text(f'cell.{v.name}', tidy(v.name))}"
                    f" {self.observer.said(v, self.state.held(v))}"
                    for v in known
                    if not self.observer.knows_value(v)
                    or self.state.held(v) != (-1 if v.type.form == "member" else 0)
                ]
        return [self.names.semicolon.join(texts)] if texts else []

    # ---------------------------------------------------------------- pools
    def pools(self) -> list[str]:
        """Return the hands, cups and piles: the size, and the members that the observer may
        know.
        """
        out = []
        for cell in self._shown_cells:
            if not cell.pool:
                continue
            for name, pool in self.observer.pool(self.program.cells.index(cell)).items():
                if pool["size"]:
                    known = [self._member(cell.type.kind, m) for m in pool["members"]]
                    members_text = f"{self._colon}{', '.join(known)}" if known else ""
                    out.append(f"{self.pool_text(cell, name)} ({pool['size']}){members_text}")
                    if any(key.kind == self.program.sides for key in cell.keys):
                        out += [
                            f"    {text}"
                            for id in pool["members"]
                            for text in self._effects(cell.type.kind, id)
                        ]
        return out

    def _effects(self, kind: int, id: str) -> list[str]:
        at = self.names.ordinals[kind].get(id)
        return effects(self.names, kind, at) if at is not None else []

    def pool_text(self, cell: CellInfo, name: str) -> str:
        """Return the label of one pool of a cell.

        Args:
            name: the keys of the pool, separated by dots.
        """
        return " ".join(
            [self._cell_text(cell), ", ".join(self._key_label(cell, name)) if name else ""]
        ).strip()

    def _key_label(self, cell: CellInfo, name: str) -> Iterator[str]:
        __, keys = self.names.cell(f"{cell.name}.{name}")
        return (
            str(k) if key.kind < 0 else self.names.label(key.kind, k)
            for key, k in zip(cell.keys, keys, strict=True)
        )

    def _member(self, kind: int, id: str) -> str:
        at = self.names.ordinals[kind].get(id)
        if at is None:
            return id
        label = self.names.label(kind, at)
        if label.startswith(f"{tidy(id)} "):
            return label
        return id if label in (id, self.names.shorts[kind][at]) else f"{id} {label}"

    # ---------------------------------------------------------------- boards
    def boards(self) -> list[str]:
        """Return the grids, one square board for each cell with values on it."""
        out = []
        for kind_at in sorted(self._grids):
            kind = self.program.kinds[kind_at]
            for cell in self._plain_cells:
                if (
                    cell.owner == kind_at
                    and len(cell.keys) == 1
                    and cell.type.form in ("member", "bool", "int")
                ):
                    out += self._board(kind, cell)
        return out

    def _board(self, kind: KindInfo, cell: CellInfo) -> list[str]:
        rows, cols = _grid(kind) or ([], [])
        signs: dict[tuple[int, int], str] = {}
        for member in range(len(kind.members)):
            signs[rows[member], cols[member]] = self._sign(cell, member)
        wide = max(len(s) for s in signs.values())
        lo, hi = min(cols), max(cols)
        letters = _lettered(kind)
        head = " ".join((chr(96 + c) if letters else str(c)).rjust(wide) for c in range(lo, hi + 1))
        out = [f"{self._cell_text(cell)}{self._colon}".rstrip(), f"     {head}"]
        for row in sorted(set(rows), reverse=True):
            out.append(
                f"{row:4} "
                + " ".join(signs.get((row, c), "").rjust(wide) for c in range(lo, hi + 1))
            )
        return out

    def _sign(self, cell: CellInfo, member: int) -> str:
        if not self.observer.sees(self.program.cells.index(cell), (member,)):
            return HIDDEN
        value = self.state.raw(cell, (member,))
        if cell.type.form == "member":
            known = self.observer.knows(cell.type.kind, value)
            return (
                HIDDEN
                if not known
                else self.names.shorts[cell.type.kind][value][:1]
                if value >= 0
                else "."
            )
        return str(value) if value else "."

    # ---------------------------------------------------------------- zones
    def zones(self, word: str = "") -> list[str]:
        """Return a line for each place with its pieces, the observer's own first. Many places are
        grouped.

        Places that are empty and in their initial state are left out. With a word, return the
        places of a group with that name, and those that contain it.
        """
        out: list[str] = []
        for group, head, contents in self._grouped():
            if not (contents or word) or (
                word and word.casefold() not in f"{group} {head}{self._colon}{contents}".casefold()
            ):
                continue
            if group and f"-- {group} --" not in out:
                out.append(f"-- {group} --")
            out.append(f"{head}{self._colon}{contents or '-'}")
        return out + self._legend(out)

    def _legend(self, lines: Sequence[str]) -> list[str]:
        entries = {
            f"{mark} {self._cell_text(c).lower()}"
            for kind in self.names.place_cells
            for c, mark in self._flags(kind)
            if any(
                re.search(rf"[^\s:]{re.escape(mark)}(\s|$|[{re.escape(MARKS)}])", line)
                for line in lines
            )
        }
        return [f"({', '.join(sorted(entries))})"] if entries else []

    def _grouped(self) -> list[tuple[str, str, str]]:
        """Return the group, the heading and the contents of each place. The places of a group are
        adjacent.
        """
        out = []
        for kind_at in sorted(self._places - self._grids):
            kind = self.program.kinds[kind_at]
            grouping = self._grouping(kind) if len(kind.members) > MANY_PLACES else None
            order = sorted(range(len(kind.members)), key=lambda i, g=grouping: g[1][i] if g else 0)  # type: ignore[misc]
            for place in order:
                group = (
                    self.names.label(grouping[0], grouping[1][place])
                    if grouping and grouping[1][place] >= 0
                    else ""
                )
                out.append((group, self._head(kind_at, place), self._place_line(kind_at, place)))
        return out

    def _grouping(self, kind: KindInfo) -> tuple[int, list[int]] | None:
        """Return the first attribute that divides the places into a few groups."""
        for type, values in kind.fixed.values():
            if (
                type.form == "member"
                and type.kind not in self._places
                and 1 < len(set(values)) <= len(values) // 3
            ):
                return type.kind, values
        return None

    def places(self, word: str = "") -> Iterator[tuple[str, str]]:
        """Yield each place and its contents. With a word, yield those that contain it."""
        for __, head, contents in self._grouped():
            if word.casefold() in f"{head} {contents}".casefold():
                yield head, contents

    def _head(self, kind: int, place: int) -> str:
        id, name = self.program.kinds[kind].members[place], self.names.label(kind, place)
        return name if id in name.split() else f"{id} {name}"

    def map(self) -> list[str]:
        """Return every place with its terrain, its neighbours and its contents."""
        out = []
        lines = [
            line
            for at, kind in enumerate(self.program.kinds)
            if kind.joins in self._places
            for line in borders(self.names, at)
        ]
        for kind_at in sorted(self._places - self._grids):
            kind = self.program.kinds[kind_at]
            for place, id in enumerate(kind.members):
                sort = sort_of(self.names, kind, place)
                near = [
                    f"{other}{f' ({line.sort})' if line.sort else ''}"
                    for line in lines
                    for other in ([line.b] if line.a == id else [line.a] if line.b == id else [])
                ]
                out.append(self._head(kind_at, place) + (f", {sort}" if sort else ""))
                if near:
                    beside = _("next to {what}", what=", ".join(dict.fromkeys(near)))
                    out.append(f"    {self.names.say(beside)}")
                if place_line := self._place_line(kind_at, place):
                    out.append(f"    {place_line}")
        return out

    def _place_line(self, kind: int, place: int) -> str:
        groups: dict[int, list[str]] = {}
        for piece_kind, cell in self.names.place_cells.items():
            if cell.type.kind != kind:
                continue
            at = self.program.cells.index(cell)
            for piece in range(len(self.program.kinds[piece_kind].members)):
                if self.state.raw(cell, (piece,)) == place and self.observer.sees(at, (piece,)):
                    groups.setdefault(self.owner(piece_kind, piece), []).append(
                        self._piece(piece_kind, piece)
                    )
        for group in groups.values():
            group.sort(
                key=lambda piece: piece == HIDDEN
            )  # its position in the list would reveal its identity
        changed = [c for c in self._own_cells.get(kind, ()) if self._is_changed(c, (place,))]
        notes = [self._cell_text(c) + self._valued(c, (place,)) for c in changed]
        notes += self.keyed(kind, place)
        order = sorted(groups, key=lambda owner: (owner != self.observer.me, owner < 0, owner))
        texts = [
            f"{self.names.label(self.program.sides, o) + ' ' if o >= 0 else ''}"
            f"{' '.join(groups[o])}"
            for o in order
        ]
        fast = [f"[{text}]" for text in self._fast(kind, place)]
        return " ".join(
            filter(None, [" | ".join(texts), *fast, f"({', '.join(notes)})" if notes else ""])
        )

    def _fast(self, kind: int, place: int) -> Iterator[str]:
        """Yield the things that stand at a place permanently and have a state of their own, with
        that state in short.
        """
        for at, other in enumerate(self.program.kinds):
            states = self._own_cells.get(at)
            if other.joins >= 0 or at == kind or at in self.names.place_cells or not states:
                continue
            stands = next(
                (v for t, v in other.fixed.values() if t.form == "member" and t.kind == kind), ()
            )
            for member, where in enumerate(stands):
                if where == place:
                    texts = [text for cell in states if (text := self._state(cell, member))]
                    yield self.names.label(at, member) + (
                        f"{self._colon}{', '.join(texts)}" if texts else ""
                    )

    def _state(self, cell: CellInfo, member: int) -> str:
        """Return a state of a thing in short, '' if it is initial."""
        if cell.type.form == "member":
            return self._shown(cell, (member,))
        if not self._is_changed(cell, (member,)):
            return ""
        return self._cell_text(cell).lower() + self._valued(cell, (member,))

    def standing_at(self, kind: int, member: int) -> str:
        """Return the contents of a member if it is a place."""
        return self._place_line(kind, member) if kind in self._places else ""

    def changed(self, kind: int, member: int) -> list[str]:
        """Return the known, non-initial state of a member, without its place."""
        found = [
            c for c in self._own_cells.get(kind, ()) if c is not self.names.place_cells.get(kind)
        ]
        return (
            [
                self._cell_text(c).lower() + self._valued(c, (member,))
                for c in found
                if self._is_changed(c, (member,))
            ]
            if kind not in self._places
            else []
        )

    def owner(self, kind: int, piece: int) -> int:
        """Return the owner of a piece, -1 if there is none."""
        columns = (
            v
            for t, v in self.program.kinds[kind].fixed.values()
            if t.form == "member" and t.kind == self.program.sides
        )
        return next((values[piece] for values in columns), -1)

    def _flags(self, kind: int) -> list[tuple[CellInfo, str]]:
        """Return the flags of the pieces of a kind with their marks."""
        found = [c for c in self._own_cells.get(kind, ()) if c.type.form == "bool"]
        return list(zip(found, MARKS, strict=False))

    def _piece(self, kind_at: int, piece: int) -> str:
        """Return a piece in short, with a mark for each flag."""
        if not self.observer.knows(kind_at, piece):
            return HIDDEN
        return self.short(kind_at, piece) + self.marks(kind_at, piece)

    def short(self, kind: int, member: int) -> str:
        """Return the short id of a member, or its name if that is a single word."""
        owned = self.owner(kind, member) >= 0
        name = (
            self.program.kinds[kind].members[member].rsplit(".", 1)[-1]
            if owned
            else self.names.shorts[kind][member]
        )
        label = self.names.label(kind, member)
        return name if " " in label else label

    def marks(self, kind: int, piece: int) -> str:
        """Return the marks of the flags that are set for a piece."""
        return "".join(mark for cell, mark in self._flags(kind) if self._is_changed(cell, (piece,)))

    # ---------------------------------------------------------------- all
    def everything(self) -> list[str]:
        """Return the whole screen above the prompt."""
        return [
            "",
            f"=== {self.header()}",
            *self.boards(),
            *self.zones(),
            *self.tracks(),
            *self.pools(),
        ]

    def since(self, before: Sequence[str]) -> list[str]:
        """Return the changes since a screen that the observer saw: new lines, and places that are
        empty now.
        """
        boards, zones = self.boards(), self.zones()
        heads = [head for head, contents in self.places() if not contents]
        gone = [
            f"{head}{self._colon}-"
            for head in heads
            if any(line.startswith(f"{head}{self._colon}") for line in before)
        ]
        changed = boards if any(line not in before for line in boards) else []
        return [*changed, *(line for line in zones if line not in before), *gone]

    def values(self) -> dict[tuple[int, int], tuple[str, str]]:
        """Return the name and value of each known cell that has no key, or only a side. The key of
        the mapping is the cell and the place in it.
        """
        out: dict[tuple[int, int], tuple[str, str]] = {}
        sides = self.program.sides
        for cell in self._plain_cells:
            at = self.program.cells.index(cell)
            if not cell.keys and self.observer.sees(at, ()):
                out[at, 0] = self._cell_text(cell), self._shown(cell, ())
            elif len(cell.keys) == 1 and cell.keys[0].kind == sides >= 0:
                for side in range(len(self.names.sides)):
                    if self.observer.sees(at, (side,)):
                        out[at, side] = (
                            f"{self._cell_text(cell)}, {self.names.label(sides, side)}",
                            self._shown(cell, (side,)),
                        )
        return out


def _grid(kind: KindInfo) -> tuple[list[int], list[int]] | None:
    rows, cols = kind.fixed.get("row"), kind.fixed.get("column") or kind.fixed.get("col")
    return (
        (rows[1], cols[1])
        if rows and cols and rows[0].form == "int" and len(rows[1]) == len(kind.members)
        else None
    )


def _lettered(kind: KindInfo) -> bool:
    return bool(kind.members) and kind.members[0][:1].isalpha() and kind.members[0][1:].isdigit()
