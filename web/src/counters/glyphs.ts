// The strokes of built-in signs: glyphs of pieces, emblems of sides, and marks. A game may bring
// its own in the same form (`art` in its drawing).

/**
 * One path: an area in ink. With `hole` it shows the ground. With `line` it is a line of this many tenths
 * instead of an area.
 */
export interface Stroke {
  d: string;
  hole?: boolean;
  line?: number;
}
/** A drawing within [0, box] in both directions. */
export interface Sign {
  box: number;
  strokes: Stroke[];
}

const ink = (d: string): Stroke => ({ d }),
  line = (tenths: number, d: string): Stroke => ({ d, line: tenths });
const hole = (d: string): Stroke => ({ d, hole: true }),
  cut = (tenths: number, d: string): Stroke => ({ d, line: tenths, hole: true });
const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

const GLYPHS: Record<string, Stroke[]> = {
  // Under sail: hull with ram, oars, mast and square sail.
  ship: [
    ink(
      "M2.5 19.5h4l1.6 2.2h15.4c2.2 0 3.6-1.3 4-3.4l.7-3.6c.2-1 1-1.4 1.6-1-.1 5.9-1.6 11.8-6.2 11.8H9.2c-2.3 0-3.5-1.3-4.2-3.4L2.5 20.8z",
    ),
    ink(
      "M9 4.6c4.1-1.7 9.6-1.7 13.5 0-1 4.2-1 8 .1 12.1-4.4-1.6-9.3-1.6-13.7 0 1.1-4.1 1.1-7.9.1-12.1z",
    ),
    cut(11, "M10.6 8.2c3.4-1 7.2-1 10.5 0M10.5 12.4c3.5-1 7.3-1 10.7 0"),
    line(15, "M9.5 26.2l-2 3.6M13.5 26.2l-2 3.6M17.5 26.2l-2 3.6M21.5 26.2l-2 3.6"),
  ],
  // A round shield, a crested helmet above it, a spear behind.
  shield: [
    ink("M25.2 2.2l1.5 4.3-1 .1.7 23.2-1.4.1L24.3 6.7l-1 .1z"),
    ink(
      "M7.5 8.6c0-4.4 3-7.2 7.4-7.2 3.6 0 6 1.8 6.8 4.6-1.4-.9-2.6-1.3-3.8-1.3 1.3 1.2 1.9 2.8 1.9 4.7v1.3H7.5z",
    ),
    ink(disc(13.5, 20.2, 10.3)),
    cut(13, disc(13.5, 20.2, 7.9)),
    hole("M13.5 14.6l5 11h-2.3l-2.7-6.3-2.7 6.3H8.5z"),
  ],
  // A crescent shield, two javelins.
  javelins: [
    ink("M21.5 1.8l2.8 2.6-1.3.6 6.3 22-1.5.5-6.4-22-1 .6z"),
    ink("M14.8 3.2l3 2.3-1.2.8 8 22.2-1.5.6-8.1-22.1-1.2.5z"),
    ink(
      "M3.6 9.2c3.5 3.3 9.6 3.3 13.3-.2 2.6 2.7 4 6.1 3.6 9.9-.5 5.8-4.7 10-10 10S1.2 24.8.9 19c-.2-3.8.8-7.2 2.7-9.8z",
    ),
    cut(13, "M4.4 13c3.6 2.3 8.3 2.2 11.9-.1"),
    cut(13, disc(10.5, 20.6, 2.7)),
  ],
  bow: [
    line(29, "M7 2.5c10.6 2.6 16.6 8.5 16.6 13.5S17.6 26.9 7 29.5"),
    line(12, "M7 2.5L11 16 7 29.5"),
    line(21, "M2.5 16h23"),
    ink("M31 16l-7.4-3.7v7.4zM1 12.6l4.6 3.4L1 19.4l2.6-3.4z"),
  ],
  // A horse's head.
  horse: [
    ink(
      "M11.3 2.3l2.6 2.9c4.7-.1 8.6 1.7 11.1 5.3 2.7 3.9 3.5 9.6 3.6 19.3H11.2c-.3-4.6 1.2-7.6 4.6-10.3-2.7.8-4.9.8-7 .2l-2.4 3.1c-.9 1.1-2.6 1.2-3.6.2L1.5 21.6c-.8-.9-.8-2.2-.2-3.2l5.5-9.1c.5-1.6 1.4-2.9 2.8-3.9z",
    ),
    hole(disc(11.3, 10.8, 1.3)),
    cut(14, "M19 7.6c4 3.2 6.3 9 6.4 18.6"),
    cut(12, "M3.8 20.2l2.1-1.1"),
  ],
  // A helmet in profile with a high crest.
  leader: [
    ink(
      "M4.5 9.7C6.6 3.6 11.5.8 17.2 1.1 24.6 1.5 29.8 7 30.3 15.5c.2 4.3-.2 7.9-1.3 11.6-1.5-9.2-3.6-15-8.3-18.3-4-2.7-9.5-2.7-16.2.9z",
    ),
    ink(
      "M6.3 12.4c2.4-2.6 5.2-3.7 8.4-3.4 6.2.5 9.3 5.6 9.8 12.1.3 3.4.2 6.2.6 9.7h-7.2l-.9-7.6-2.6 1.2.3 6.7-4.1-1.9c-1.6-2.2-2.3-4.6-2.4-7.7-.1-1.9-2.5-1.7-3.3-3.1z",
    ),
    hole("M8.6 16.3c2.4-.6 4.6-.3 6.5.9-1 1.7-3.4 2.2-5.7 1.5z"),
  ],
  unknown: [
    line(30, "M10 11.5c.2-3.6 2.7-5.7 6.2-5.7 3.6 0 6 2 6 5.1 0 4.6-5.6 4.5-5.6 8.8"),
    ink(disc(16.6, 25, 2.1)),
  ],
};

const EMBLEMS: Record<string, Stroke[]> = {
  owl: [
    ink(
      "M5 3.5c2.6 1.6 4.7 2 7 2s4.4-.4 7-2c.6 2.7.5 4.7 0 6.3.9 6.2-1.4 9.8-4.3 11.2l.8 1.5h-7l.8-1.5C6.4 19.6 4.1 16 5 9.8c-.5-1.6-.6-3.6 0-6.3z",
    ),
    cut(13, disc(8.8, 10, 2.5)),
    cut(13, disc(15.2, 10, 2.5)),
    hole("M12 11.8l1 2.2h-2z"),
  ],
  lambda: [ink("M12 2.5L22 21.5h-4.7L12 11.2 6.7 21.5H2z")],
  star: [ink("M12 2l2.9 6.6 7.1.7-5.3 4.8 1.5 7L12 17.5l-6.2 3.6 1.5-7L2 9.3l7.1-.7z")],
  cross: [ink("M9.5 2h5v7.5H22v5h-7.5V22h-5v-7.5H2v-5h7.5z")],
  ring: [line(38, disc(12, 12, 7.5))],
};

/** Marks have their centre in (0, 0) and are ten wide. */
export const MARKS: Record<string, string> = {
  star: "M0-5l1.5 3.2 3.5.4-2.6 2.4.7 3.5L0 2.8l-3.1 1.7.7-3.5L-5-1.4l3.5-.4z",
  sword: "M-.9-6h1.8v7.3h2.2v1.5H.9V6H-.9V2.8h-2.2V1.3h2.2z",
  bar: "M-1.6-4.5h3.2v9h-3.2z",
  dot: disc(0, 0, 3.2),
};

type Art = Record<string, Stroke[]>;
const found = (table: Art, box: number, name: string, art: Art): Sign | null => {
  const own = art[name];
  return own !== undefined
    ? { box: 32, strokes: own }
    : table[name] !== undefined
      ? { box, strokes: table[name] }
      : null;
};

/** The glyph of a name, preferably of the game's own art. If there is none (null), a letter replaces it. */
export const glyph = (name: string, art: Art): Sign | null => found(GLYPHS, 32, name, art);
export const emblem = (name: string, art: Art): Sign | null =>
  found(EMBLEMS, 24, name, art) ?? found(GLYPHS, 32, name, art);
