// The interface between the map and the rest of the page: what the map highlights, and the pointer
// events that it reports.
import type { Handle } from "../handle";

/** What reaching a place takes. `cost`: as people read it, with its unit, or ''; `fight`: going there is a fight; `sure`: nothing can come between. */
export interface Target {
  cost: string;
  fight: boolean;
  sure: boolean;
}

/** What the decision makes of the position. All ids are those of the sheet. */
export interface Highlights {
  /** Pieces that may be clicked now. */
  legal: ReadonlySet<string>;
  /** Pieces that are chosen so far. */
  chosen: ReadonlySet<string>;
  /** Places that may be clicked now. */
  targets: ReadonlyMap<string, Target>;
  /** The place that the chosen pieces leave. */
  origin: string | null;
  /** Places from the first to the last, of the way that is shown. */
  route: readonly string[] | null;
  /** Pieces and places that the report, or a card, points to. */
  glow: ReadonlySet<Handle>;
  /** Is it known of all pieces whether they may be clicked? */
  sure: boolean;
  /** Do places that are no targets fade? */
  fade: boolean;
  /** The place whose stack lies open. */
  open: string | null;
  /** The places that `F` zooms to; where all of it would be too small to read, the map begins there. */
  focus: readonly string[];
}

/** What people did on the map. A drag of pieces to a lit place is `place`, as a click on it; a long press is `hover`. */
export interface PointerHandlers {
  /** A piece was clicked: a single one on the map, or one of the open stack. */
  piece(id: string): void;
  /** A pile of several was clicked: all its pieces, and where they lie. */
  pile(ids: string[], place: string): void;
  place(id: string): void;
  /** Pieces were let go over a place that was not lit: perhaps it was not known yet that they can go there. */
  late(id: string): void;
  /** A piece or a place is pointed to or has the focus; null: nothing any more. */
  hover(id: string | null): void;
  /** The open stack was closed. */
  close(): void;
  /** Exactly these are to be chosen: of the open stack, or of a pile that people have begun to drag. `wholly`: and all that may come along. */
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
