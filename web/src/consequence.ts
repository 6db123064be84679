// The consequences of an option: own pieces that are lost or weakened in every result of the dice,
// pieces at risk, and points that are won.
import type { Game } from "./game";
import type { Change, Result, Way } from "./protocol.gen";

/**
 * The effects of a plan. `lost`, `weakened`: own pieces, in every result. `losses`: the number of own pieces
 * lost in every result, whichever they are. `atRisk`: own pieces lost in some results only. `points`: changes
 * of victory points by side, if all results agree.
 */
export interface Consequence {
  lost: string[];
  weakened: string[];
  losses: number;
  atRisk: string[];
  points: Record<string, number>;
  rolls: boolean;
  draws: boolean;
  ends: boolean;
}

const everywhere = (lists: string[][]): string[] =>
  (lists[0] ?? []).filter((id) => lists.every((list) => list.includes(id)));

/** The cells that hold the places of pieces of a kind, or that they are reduced. */
function cells(game: Game, role: "place" | "reduced"): Set<string> {
  return new Set(
    game.sheet.pieces.flatMap((each) => {
      const name = each[role];
      return name === null ? [] : [name, `${each.kind}.${name}`];
    }),
  );
}

const bare = (cell: string): string => cell.split(".").at(-1) ?? cell;

export function consequenceOf(way: Way, side: string | null, game: Game): Consequence {
  const where = cells(game, "place"),
    weak = cells(game, "reduced");
  const own = (change: Change): boolean =>
    side !== null && game.pieces.get(change.of)?.owner === side;
  const gone = (result: Result): string[] =>
    result.changes
      .filter(
        (each) =>
          own(each) &&
          (where.has(each.cell) || where.has(bare(each.cell))) &&
          each.before !== null &&
          each.after === null,
      )
      .map((each) => each.of);
  const flipped = (result: Result): string[] =>
    result.changes
      .filter(
        (each) =>
          own(each) && (weak.has(each.cell) || weak.has(bare(each.cell))) && each.after === true,
      )
      .map((each) => each.of);
  const lost = everywhere(way.results.map(gone)),
    numbers = way.results.map((result) => new Set(gone(result)).size + result.further);
  const sides = new Set(way.results.flatMap((result) => Object.keys(result.points)));
  const points = [...sides].flatMap((each): [string, number][] => {
    const [first, ...rest] = way.results.map((result) => result.points[each] ?? 0);
    return first !== undefined && first !== 0 && rest.every((value) => value === first)
      ? [[each, first]]
      : [];
  });
  return {
    lost,
    weakened: everywhere(way.results.map(flipped)).filter((id) => !lost.includes(id)),
    losses: numbers.length > 0 ? Math.min(...numbers) : 0,
    atRisk: [...new Set(way.results.flatMap(gone))].filter((id) => !lost.includes(id)),
    points: Object.fromEntries(points),
    rolls: way.results.some((result) => result.rolls.length > 0 || result.end === "roll"),
    draws: way.results.some((result) => result.end === "draw"),
    ends: way.results.length > 0 && way.results.every((result) => result.end === "over"),
  };
}

/** True if the effects include a permanent loss of one's own. */
export const isHarm = (what: Consequence, side: string | null): boolean =>
  what.losses > 0 || (side !== null && (what.points[side] ?? 0) < 0);
