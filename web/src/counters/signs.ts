// The glyphs, marks, order and type names that a game's drawing gives to its counters.
import type { Game, Piece } from "../game";
import type { Stroke } from "./glyphs";

interface Look {
  glyphs?: Record<string, string>;
  order?: (string | number)[];
  round?: (string | number)[];
  bonus?: { mark?: string; mark_on?: Record<string, string> };
}

/** What the drawing says of the counters of a game. */
export class Signs {
  readonly art: Record<string, Stroke[]>;
  /** Sides by their order. */
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

  /** The name of the glyph of a piece; '': none was given. */
  glyph(piece: Piece): string {
    return piece.glyph === null ? "" : (this.look.glyphs?.[piece.glyph] ?? piece.glyph);
  }

  /** What tells pieces of a side apart that lie in one pile: their glyph, or without any what their short names begin with. */
  type(piece: Piece): string {
    return piece.glyph ?? tag(piece).replace(/[\d_-]+$/, "");
  }

  /** Is it a medallion? Those lie singly. */
  isRound(piece: Piece): boolean {
    return piece.glyph !== null && this.rounds.has(piece.glyph);
  }

  /** The sign that stands for its bonus. */
  mark(piece: Piece): string {
    return (
      (piece.glyph !== null && this.look.bonus?.mark_on?.[piece.glyph]) ||
      this.look.bonus?.mark ||
      "star"
    );
  }

  /** Where piles of this type lie among others. */
  rank(type: string | null): number {
    const at = type === null ? -1 : this.order.indexOf(type);
    return at < 0 ? this.order.length : at;
  }

  /** The types that stand on counters, in their order. */
  types(): string[] {
    const all = new Set<string>();
    for (const piece of this.game.pieces.values()) if (piece.glyph !== null) all.add(piece.glyph);
    return [...all].sort((a, b) => this.rank(a) - this.rank(b));
  }

  /** What people call a type of pieces. */
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

  /** The unit of strength, in short. */
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

/** The signs of a game, made once. */
export function signsOf(game: Game): Signs {
  let signs = kept.get(game);
  if (signs === undefined) {
    signs = new Signs(game);
    kept.set(game, signs);
  }
  return signs;
}

/** What stands on a counter to tell it from its like: the last part of its short name. */
export const tag = (piece: Piece): string => piece.short.split(".").at(-1) ?? piece.short;
