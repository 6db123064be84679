// The glyphs, marks, order and type names that a game's drawing gives to its counters.
import type { Game, Piece } from "../game";
import type { Stroke } from "./glyphs";

interface Look {
  glyphs?: Record<string, string>;
  order?: (string | number)[];
  round?: (string | number)[];
  bonus?: { mark?: string; mark_on?: Record<string, string> };
}

/** The drawing's data about the counters of a game. */
export class Signs {
  readonly art: Record<string, Stroke[]>;
  /** Sides in their order. */
  readonly sides: string[];
  private readonly look: Look;
  private readonly order: string[];
  private readonly rounds: Set<string>;

  constructor(private readonly game: Game) {
    this.look = (game.sheet.look.counter ?? {}) as Look;
    this.art = (game.sheet.look.art ?? {}) as unknown as Record<string, Stroke[]>;
    this.order = (this.look.order ?? []).map(String);
    this.rounds = new Set((this.look.round ?? []).map(String));
    this.sides = game.sheet.sides.map((side) => side.id);
  }

  /** The name of the glyph of a piece, '' if it has none. */
  glyph(piece: Piece): string {
    return piece.glyph === null ? "" : (this.look.glyphs?.[piece.glyph] ?? piece.glyph);
  }

  /**
   * The attribute that divides the pieces of a side into piles: their glyph, or else the beginning of their
   * short names.
   */
  type(piece: Piece): string {
    return piece.glyph ?? tag(piece).replace(/[\d_-]+$/, "");
  }

  /** True for a medallion, which is never part of a pile. */
  isRound(piece: Piece): boolean {
    return piece.glyph !== null && this.rounds.has(piece.glyph);
  }

  /** The symbol of its bonus. */
  mark(piece: Piece): string {
    return (
      (piece.glyph !== null && this.look.bonus?.mark_on?.[piece.glyph]) ||
      this.look.bonus?.mark ||
      "star"
    );
  }

  /** The position of piles of this type among others. */
  rank(type: string | null): number {
    const at = type === null ? -1 : this.order.indexOf(type);
    return at < 0 ? this.order.length : at;
  }

  /** The types of the counters, in their order. */
  types(): string[] {
    const all = new Set<string>();
    for (const piece of this.game.pieces.values()) if (piece.glyph !== null) all.add(piece.glyph);
    return [...all].sort((a, b) => this.rank(a) - this.rank(b));
  }

  /** The label of a type of pieces. */
  typeLabel(type: string): string {
    for (const roles of this.game.sheet.pieces) {
      const kind = this.game.kinds
        .get(roles.kind)
        ?.attributes.find((each) => each.name === roles.glyph)?.kind;
      const member = kind
        ? this.game.kinds.get(kind)?.members.find((each) => each.id === type)
        : undefined;
      if (member) return member.label;
    }
    return type;
  }

  /** The unit of strength in short. */
  strengthUnit(): string {
    for (const roles of this.game.sheet.pieces) {
      const unit = this.game.kinds
        .get(roles.kind)
        ?.attributes.find((each) => each.name === roles.front)?.unit;
      if (unit) return this.game.unit(unit);
    }
    return "";
  }
}

const kept = new WeakMap<Game, Signs>();

/** The signs of a game, created once. */
export function signsOf(game: Game): Signs {
  let signs = kept.get(game);
  if (signs === undefined) {
    signs = new Signs(game);
    kept.set(game, signs);
  }
  return signs;
}

/** The text on a counter that distinguishes it from similar ones: the last part of its short name. */
export const tag = (piece: Piece): string => piece.short.split(".").at(-1) ?? piece.short;
