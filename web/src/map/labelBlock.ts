// Lays out the label, the piles and the cost of a place as one block around its middle.
import { type Box, bounds, breadth, type Point } from "./geometry";
import { boxAt, type LabelSide } from "./labelSides";
import { holds, isHex, type MapPlace } from "./places";
import type { Measure } from "./textWidth";

export const NAME_FONT = 'italic 500 16.5px "EB Garamond", Georgia, serif',
  TOWN_FONT = '600 18px "EB Garamond", Georgia, serif',
  SIGN_FONT = '600 14.5px "EB Garamond", Georgia, serif',
  FAINT_FONT = "500 9.5px Inter, sans-serif";
const TAG_FONT = "700 11.5px Inter, sans-serif",
  COST_FONT = "700 12.5px Inter, sans-serif";
const LINE = 16,
  GAP = 6,
  LARGE = 46,
  SIGN_HIGH = 15,
  EMBLEM = 19,
  PILL = 23;

/** The smallest counter, in units of the map. */
export const SMALL = 32;

/**
 * The contents of a label. `tag`: the id with which it begins, or ''. `flags`: the number of emblems before
 * it, each of the width `flag`. `faint`: the name is only an id. `least`: the size that a counter should have
 * if there is room.
 */
export interface Contents {
  tag: string;
  name: string;
  town: boolean;
  faint: boolean;
  flags: number;
  flag: number;
  piles: number;
  cost: string;
  least: number;
}
/**
 * A laid out label. `bounds`: of everything but the cost. `lines`: their middles. `flag`: the middle of the
 * first emblem. `piles`: corners of counters of `size`. `cost`: the middle and the width of its pill.
 */
export interface LabelBlock {
  bounds: Box;
  lines: { text: string; at: Point; anchor?: "start" | "end" }[];
  tag: string;
  flag: Point;
  piles: Point[];
  size: number;
  cost: { at: Point; width: number } | null;
}

/** The parts of a label. An id at its beginning is set in small letters. */
export function named(id: string, short: string, label: string): { tag: string; name: string } {
  const tag = [id, short].find((each) => label.startsWith(`${each} `)) ?? "";
  return { tag, name: tag ? label.slice(tag.length + 1) : label };
}

export function labelBlockOf(site: MapPlace, has: Contents, measure: Measure): LabelBlock {
  if (site.sign) return besideSign(site, site.sign, has, measure);
  if (has.faint) return faintly(site, has, measure);
  const { lines, width, first } = written(site, has, measure);
  const high = lines.length * LINE + 1,
    { size, columns } = counters(site, has, high);
  const rows = columns ? Math.ceil(has.piles / columns) : 0,
    pileHigh = rows ? rows * (size + GAP) - GAP : 0;
  const [x, y] = site.at,
    total = high + (rows ? pileHigh + GAP + 1 : 0);
  const top = topOf(site, total);
  const start = site.form === "cell" ? y - pileHigh / 2 : top + high + GAP + 1;
  const labelX = site.form === "cell" && !isHex(site) ? site.box[0] + 6 + width / 2 : x;
  const piles = Array.from({ length: has.piles }, (_, i): Point => {
    const row = Math.floor(i / columns),
      inRow = Math.min(columns, has.piles - row * columns);
    return [
      x - (inRow * (size + GAP) - GAP) / 2 + (i % columns) * (size + GAP),
      start + row * (size + GAP),
    ];
  });
  return {
    bounds: boundsOf(piles, size, [labelX - width / 2, top, labelX + width / 2, top + high]),
    lines: lines.map((text, i) =>
      i === 0 && has.flags > 0 && has.flag > EMBLEM // starts beside its sign and may be longer than measured
        ? { text, at: [labelX - first / 2 + has.flags * has.flag, top + 13], anchor: "start" }
        : { text, at: [labelX + (i === 0 ? (has.flags * has.flag) / 2 : 0), top + 13 + i * LINE] },
    ),
    tag: has.tag,
    flag: [labelX - first / 2 + has.flag / 2 - 1.5, top + 8.5],
    piles,
    size,
    cost: has.cost ? pill(site, [labelX, top], first, total, has.cost, measure) : null,
  };
}

/** The name, and the pieces below or next to the sign. */
function besideSign(
  site: MapPlace,
  sign: NonNullable<MapPlace["sign"]>,
  has: Contents,
  measure: Measure,
): LabelBlock {
  const width = sign.named ? measure(has.name, SIGN_FONT) + 2 : 0,
    [x, y] = site.at,
    box = boxAt(site.at, sign.size + 3, sign.name, [width, SIGN_HIGH]),
    [left, top] = boxAt(site.at, sign.size + 4, sign.pile, [
      has.piles * (SMALL + GAP) - GAP,
      SMALL,
    ]),
    piles = Array.from({ length: has.piles }, (_, i): Point => [left + i * (SMALL + GAP), top]),
    wide = has.cost ? Math.max(30, measure(has.cost, COST_FONT) + 16) : 0;
  return {
    bounds: boundsOf(piles, SMALL, sign.named ? box : site.box),
    lines: sign.named ? [{ text: has.name, ...anchored(sign.name, box) }] : [],
    tag: "",
    flag: site.at,
    piles,
    size: SMALL,
    cost: has.cost ? { at: [x, y - sign.size - 14], width: wide } : null,
  };
}

/**
 * The start, end or middle of the name next to a sign. On the side away from the sign it may be longer than
 * measured.
 */
function anchored(
  [dx]: LabelSide,
  [left, top, right]: Box,
): { at: Point; anchor?: "start" | "end" } {
  const y = top + 11.5;
  return dx > 0
    ? { at: [left, y], anchor: "start" }
    : dx < 0
      ? { at: [right, y], anchor: "end" }
      : { at: [(left + right) / 2, y] };
}

/** A small id at the top, and the pieces in the middle. */
function faintly(site: MapPlace, has: Contents, measure: Measure): LabelBlock {
  const block = labelBlockOf(site, { ...has, name: "", flags: 0, faint: false }, measure),
    down = (LINE + GAP) / 2;
  return {
    ...block,
    lines: [{ text: has.name, at: [site.at[0], site.box[1] + 13] }],
    piles: block.piles.map(([x, y]): Point => [x, y - down + 4]),
  };
}

const boundsOf = (piles: Point[], size: number, label: Box): Box =>
  bounds([
    [label[0], label[1]],
    [label[2], label[3]],
    ...piles,
    ...piles.map(([x, y]): Point => [x + size, y + size]),
  ]);

/**
 * The top of a label. Cells and boxes have their names at the top, others in the middle with their pieces.
 */
function topOf(site: MapPlace, total: number): number {
  if (isHex(site)) return site.box[1] + 7;
  if (site.form === "cell") return site.box[1] + 3;
  if (site.form === "box") return site.box[1] + 8;
  return Math.max(site.form === "node" ? site.box[1] + 6 : -Infinity, site.at[1] - total / 2);
}

/**
 * The name in one line or two. `first`: the width of the first one with its tag and emblems. `width`: that of
 * the widest.
 */
function written(
  site: MapPlace,
  has: Contents,
  measure: Measure,
): { lines: string[]; width: number; first: number } {
  const font = has.town ? TOWN_FONT : NAME_FONT,
    wide = (text: string): number => measure(text, font);
  const before = (has.tag ? measure(has.tag, TAG_FONT) + 5 : 0) + has.flags * has.flag,
    words = has.name.split(" ");
  let lines = [has.name];
  if (before + wide(has.name) > roomFor(site, has.piles > 0) && words.length > 1) {
    let least = Infinity;
    for (let i = 1; i < words.length; i++) {
      const halves = [words.slice(0, i).join(" "), words.slice(i).join(" ")],
        most = Math.max(before + wide(halves[0]!), wide(halves[1]!));
      if (most < least) [least, lines] = [most, halves];
    }
  }
  const first = before + wide(lines[0]!);
  return { lines, first, width: Math.max(first, ...lines.slice(1).map(wide)) };
}

/** The maximum width of a label: that of the site at the label, in the middle or, above piles, at the top. */
function roomFor(site: MapPlace, above: boolean): number {
  if (site.form !== "ring") return Math.max(site.room[0], 60);
  const high = above ? Math.min(30, site.room[1] / 2 - LINE / 2) : 0;
  return Math.max(
    60,
    Math.min(
      ...[high - LINE / 2, high + LINE / 2].map(
        (up) => 2 * breadth(site.at, site.at[1] - up, site.ring) - 8,
      ),
    ),
  );
}

/** Counters as large as possible within the site, in rows as even as possible. */
function counters(site: MapPlace, has: Contents, label: number): { size: number; columns: number } {
  if (has.piles === 0) return { size: LARGE, columns: 0 };
  const room = site.form === "cell" ? site.room[1] : site.room[1] - label - 2,
    inRow = (size: number): number =>
      Math.max(1, Math.min(has.piles, Math.floor((site.room[0] + GAP) / (size + GAP))));
  const high = (size: number): number => Math.ceil(has.piles / inRow(size)) * (size + GAP) - GAP;
  let size = Math.max(site.form === "box" ? 40 : LARGE, has.least);
  while (size > SMALL && high(size) > room) size -= 1;
  const rows = Math.ceil(has.piles / inRow(size));
  return { size, columns: Math.ceil(has.piles / rows) };
}

/** The cost is right of the name, or above it or below the block if it would leave the site. */
function pill(
  site: MapPlace,
  [x, top]: Point,
  first: number,
  total: number,
  cost: string,
  measure: Measure,
): { at: Point; width: number } {
  const width = Math.max(30, measure(cost, COST_FONT) + 16),
    right: Point = [x + first / 2 + width / 2 + 5, top + 8.5];
  const places: Point[] = [
    right,
    [x, top - PILL / 2 - 3],
    [x, top + total + PILL / 2 + 5],
    [x - first / 2 - width / 2 - 5, top + 8.5],
  ];
  const fits = ([px, py]: Point): boolean =>
    holds(site, [px - width / 2, py - PILL / 2, px + width / 2, py + PILL / 2]);
  return { at: places.find(fits) ?? right, width };
}
