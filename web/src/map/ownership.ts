// Finds the owners of places: any state that names a side, of a place or of a thing that is printed
// with exactly one place.
import type { Board } from "../game";
import type { Json } from "../protocol.gen";
import { rulesOf, tokenOf } from "./token";

/** `label`: the held thing, if it is not the place itself. */
export interface Ownership {
  side: string;
  label: string | null;
}

/** Ownership by place. A board without pieces consists only of such states (`stones`). */
export function ownershipOf(board: Board): Map<string, Ownership[]> {
  const { game } = board,
    found = new Map<string, Ownership[]>(),
    things = printed(board);
  if (rulesOf(game).length > 0) return signed(board);
  for (const [name, values] of Object.entries(board.position.state)) {
    if (values === null || typeof values !== "object" || Array.isArray(values)) continue;
    const { key, value: of } = game.sheet.cells[name] ?? { key: null, value: null },
      keys = game.kinds.get(key ?? "")?.sort;
    if (game.kinds.get(of ?? "")?.sort !== "side") continue;
    for (const [id, value] of Object.entries(values as Record<string, Json>)) {
      if (typeof value !== "string") continue;
      const thing = things.get(`${key} ${id}`),
        place = keys === "place" ? id : thing?.place;
      if (place === undefined) continue;
      const list = found.get(place) ?? [];
      if (!list.some((each) => each.side === value))
        list.push({ side: value, label: thing?.label ?? null });
      found.set(place, list);
    }
  }
  return found;
}

/** The owners of the signs of places, if the drawing names the states that show them. */
function signed(board: Board): Map<string, Ownership[]> {
  const found = new Map<string, Ownership[]>();
  for (const id of board.game.places.keys()) {
    const { shape, owner } = tokenOf(board.game, board, id);
    if (shape !== null && owner !== null) found.set(id, [{ side: owner, label: null }]);
  }
  return found;
}

/** Things other than pieces with one printed place. */
function printed(board: Board): Map<string, { place: string; label: string }> {
  const { game } = board,
    found = new Map<string, { place: string; label: string }>();
  for (const kind of game.kinds.values()) {
    if (kind.sort !== "thing") continue;
    const names = kind.attributes
      .filter((each) => each.form === "member" && game.kinds.get(each.kind ?? "")?.sort === "place")
      .map((each) => each.name);
    if (names.length !== 1) continue;
    for (const member of kind.members) {
      const place = member.printed[names[0]!];
      if (typeof place === "string")
        found.set(`${kind.name} ${member.id}`, { place, label: member.label });
    }
  }
  return found;
}
