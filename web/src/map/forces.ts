// Reads the numbers of troops in each place, where the rules count them instead of using pieces.
import type { Board, Game } from "../game";
import type { Json } from "../protocol.gen";

/**
 * The drawing's entry for forces. `cell`: a state of a place and a thing. Attributes of the things give their
 * side (`side`) and glyph. `army`: for moving forces, a state of a thing and a state with its place.
 */
export interface ForceLook {
  cell: string;
  side?: string;
  glyph_by?: string;
  glyphs?: Record<string, string>;
  army?: { cell: string; at: string };
}
/**
 * The force of one side in a place: the number of each glyph. `moving`: it is on its way. `label`: as words.
 */
export interface Force {
  side: string | null;
  moving: boolean;
  arms: { glyph: string; many: number }[];
  label: string;
}

export const forceLook = (game: Game): ForceLook | null =>
  (game.sheet.look.forces as ForceLook | undefined) ?? null;

/** The counted things. */
function counted(
  game: Game,
  keys: Iterable<string>,
): Map<string, { label: string; printed: Record<string, Json> }> {
  const ids = new Set<string>();
  for (const key of keys) ids.add(key.slice(key.indexOf(".") + 1));
  for (const kind of game.kinds.values()) {
    if (kind.members.some((each) => ids.has(each.id)) && kind.sort === "thing")
      return new Map(
        kind.members.map((each) => [
          each.id,
          { label: each.label, printed: each.printed as Record<string, Json> },
        ]),
      );
  }
  return new Map();
}

/** The forces of each side, by place. */
export function forcesOf(board: Board): Map<string, Force[]> {
  const look = forceLook(board.game),
    found = new Map<string, Force[]>(),
    state = board.position.state,
    cells = look && (state[look.cell] as Record<string, Json> | undefined);
  if (!look || !cells) return found;
  const things = counted(board.game, Object.keys(cells));
  const stand = (place: string, thing: string, many: Json, moving: boolean): void => {
    const what = things.get(thing);
    if (typeof many !== "number" || many <= 0 || !what || !board.game.places.has(place)) return;
    const side = look.side === undefined ? null : (what.printed[look.side] as string | null),
      type = look.glyph_by === undefined ? thing : String(what.printed[look.glyph_by]),
      glyph = look.glyphs?.[type] ?? "",
      all = found.get(place) ?? found.set(place, []).get(place)!;
    let force = all.find((each) => each.side === side && each.moving === moving);
    if (!force) {
      force = { side, moving, arms: [], label: "" };
      all.push(force);
    }
    const arm = force.arms.find((each) => each.glyph === glyph);
    if (arm) arm.many += many;
    else force.arms.push({ glyph, many });
    force.label = [force.label, `${many} ${what.label}`].filter(Boolean).join(", ");
  };
  for (const [key, many] of Object.entries(cells))
    stand(key.slice(0, key.indexOf(".")), key.slice(key.indexOf(".") + 1), many, false);
  const spot = look.army && state[look.army.at];
  if (look.army && typeof spot === "string")
    for (const [thing, many] of Object.entries(
      (state[look.army.cell] ?? {}) as Record<string, Json>,
    ))
      stand(spot, thing, many, true);
  return found;
}
