// The interface between the map and the rest of the page: what the map highlights, and the pointer
// events that it reports.
import type { Handle } from "../handle";

/**
 * The cost of reaching a place. `cost`: as text with its unit, or ''. `fight`: the move there is a fight.
 * `sure`: nothing can intervene.
 */
export interface Target {
  cost: string;
  fight: boolean;
  sure: boolean;
}

/** The effect of the decision on the map. All ids are those of the sheet. */
export interface Highlights {
  /** Pieces that can be clicked now. */
  legal: ReadonlySet<string>;
  /** Pieces chosen so far. */
  chosen: ReadonlySet<string>;
  /** Places that can be clicked now. */
  targets: ReadonlyMap<string, Target>;
  /** The place that the chosen pieces leave. */
  origin: string | null;
  /** The places of the displayed path, from first to last. */
  route: readonly string[] | null;
  /** Pieces and places that the report or a card points to. */
  glow: ReadonlySet<Handle>;
  /** True if all clickable pieces are known. */
  sure: boolean;
  /** True if places that are not targets fade. */
  fade: boolean;
  /** The place with the open stack. */
  open: string | null;
  /** The places to which `F` zooms. The map begins there if it would be too small to read as a whole. */
  focus: readonly string[];
}

/**
 * The actions of people on the map. A drag of pieces to a highlighted place is `place`, like a click on it. A
 * long press is `hover`.
 */
export interface PointerHandlers {
  /** A single piece on the map, or one of the open stack, was clicked. */
  piece(id: string): void;
  /** A pile of several was clicked: all its pieces, and their place. */
  pile(ids: string[], place: string): void;
  place(id: string): void;
  /**
   * Pieces were dropped on a place that was not highlighted. Their reachable places may not have been known
   * yet.
   */
  late(id: string): void;
  /** A piece or a place is pointed at or has the focus. Null: none has. */
  hover(id: string | null): void;
  /** The open stack was closed. */
  close(): void;
  /**
   * Exactly these are to be chosen, of the open stack or of a dragged pile. With `wholly`, all pieces that
   * may accompany them are included.
   */
  all(ids: string[], wholly?: boolean): void;
}

export const NO_HIGHLIGHTS: Highlights = {
  legal: new Set(),
  chosen: new Set(),
  targets: new Map(),
  origin: null,
  route: null,
  glow: new Set(),
  sure: true,
  fade: false,
  open: null,
  focus: [],
};
