// Groups the pieces of one place into piles: one for each side, type and face. Round counters and
// pieces that nobody knows stand alone.
import type { Board, Game, Piece } from "../game";
import { signsOf } from "./signs";

/**
 * A pile. `key` distinguishes it from others in the same place. `sum`: of the strengths, null if none has
 * one. `unknown`: the number of pieces with faces that this page does not know, with an empty `ids`.
 */
export interface Pile {
  key: string;
  owner: string | null;
  type: string | null;
  reduced: boolean;
  ids: string[];
  sum: number | null;
  unknown: number;
}

/** The piles of these pieces: by side, then by type, whole ones before reduced ones. */
export function piles(game: Game, pieces: Iterable<Piece>, reduced: ReadonlySet<string>): Pile[] {
  const signs = signsOf(game),
    found = new Map<string, Pile>();
  for (const piece of pieces) {
    const weak = reduced.has(piece.id),
      alone = signs.isRound(piece),
      type = signs.type(piece);
    const key = [piece.owner, piece.kind, type, weak ? "weak" : "", alone ? piece.id : ""].join(
      "|",
    );
    let pile = found.get(key);
    if (pile === undefined) {
      pile = { key, owner: piece.owner, type, reduced: weak, ids: [], sum: null, unknown: 0 };
      found.set(key, pile);
    }
    pile.ids.push(piece.id);
    const strength = weak ? (piece.back ?? piece.front) : piece.front;
    if (strength !== null) pile.sum = (pile.sum ?? 0) + strength;
  }
  const rank = (pile: Pile): number =>
    (signs.sides.indexOf(pile.owner ?? "") * 100 + signs.rank(pile.type)) * 2 +
    (pile.reduced ? 1 : 0);
  return [...found.values()].sort((a, b) => rank(a) - rank(b));
}

const NONE: Pile[] = [];

/** The piles of each place with pieces. */
export class Standing {
  private readonly made = new Map<string, Pile[]>();
  private readonly pieces = new Map<string, Piece[]>();
  private readonly unknown = new Map<string, Map<string | null, number>>(); // by place and by side

  constructor(readonly board: Board) {
    for (const [id, place] of board.at) this.list(place).push(board.piece(id)!);
    for (const roles of board.game.sheet.pieces) {
      const seen = (board.position.unknown[roles.kind] ?? []) as Record<string, unknown>[];
      for (const each of seen) {
        const place = each[roles.place];
        if (typeof place !== "string" || !board.game.places.has(place)) continue;
        const owner = roles.owner === null ? undefined : each[roles.owner],
          side = typeof owner === "string" ? owner : null,
          here = this.unknown.get(place) ?? this.unknown.set(place, new Map()).get(place)!;
        here.set(side, (here.get(side) ?? 0) + 1);
      }
    }
  }

  in(place: string): Pile[] {
    const pieces = this.pieces.get(place),
      unknown = this.unknown.get(place);
    if (pieces === undefined && unknown === undefined) return NONE;
    let made = this.made.get(place);
    if (made === undefined) {
      made = piles(this.board.game, pieces ?? [], this.board.reduced);
      for (const [owner, many] of unknown ?? [])
        made.push({
          key: owner === null ? "unknown" : `unknown ${owner}`,
          owner,
          type: null,
          reduced: false,
          ids: [],
          sum: null,
          unknown: many,
        });
      this.made.set(place, made);
    }
    return made;
  }

  /** The number of pieces of a side on the map, with known or unknown faces. */
  of(side: string): number {
    const seen = [...this.board.at.keys()].filter(
      (id) => this.board.piece(id)?.owner === side,
    ).length;
    return [...this.unknown.values()].reduce((sum, here) => sum + (here.get(side) ?? 0), seen);
  }

  /** The number of pieces with unknown faces in a place. */
  unknownIn(place: string): number {
    return [...(this.unknown.get(place)?.values() ?? [])].reduce((sum, many) => sum + many, 0);
  }

  private list(place: string): Piece[] {
    let list = this.pieces.get(place);
    if (list === undefined) {
      list = [];
      this.pieces.set(place, list);
    }
    return list;
  }
}

/** The number of pieces in a pile. */
export const size = (pile: Pile): number => pile.ids.length + pile.unknown;
