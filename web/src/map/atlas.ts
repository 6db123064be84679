// Everything on a game's map that never changes, computed once: places, coasts, borders with their
// marks, links and frames.
import type { Game } from "../game";
import type { Edge } from "../protocol.gen";
import { hostsOf, landOf } from "./coast";
import { forceLook } from "./forces";
import {
  along,
  type Box,
  between,
  bounds,
  chains,
  distance,
  type Point,
  pairOf,
  path,
  type Ring,
  type Side,
  teeth,
} from "./geometry";
import { SIGN_FONT } from "./labelBlock";
import { labelSidesOf } from "./labelSides";
import { type Ground, grounds, type MapPlace, mapPlaces } from "./places";
import { measure } from "./textWidth";
import { rulesOf, washOf } from "./token";

/** A line of borders. `d`: path data. `teeth`: strokes across it, or ''. */
export interface Line {
  style: string;
  d: string;
  teeth: string;
}
/** A symbol on a border. `turn`: the direction of the line there, in degrees. */
export interface Sign {
  mark: string;
  at: Point;
  turn: number;
}
/** A line to a place without an outline. `ends`: dots where it enters a ring. */
export interface Link {
  d: string;
  style: string | null;
  oneWay: boolean;
  ends: Point[];
}
/** A frame around boxes. `title` is written around `at`, within `room`. */
export interface Frame {
  box: Box;
  title: string;
  at: Point;
  room: number;
}

/** A name written across the map, of a sea or a country. */
export interface Word {
  text: string;
  at: Point;
  size: number;
  turn: number;
  sea: boolean;
}

export interface Backdrop {
  fill: string;
  dark: string;
  texture?: string;
  land?: { fill: string; dark: string; texture?: string };
}

export interface Atlas {
  frame: Box;
  sites: Map<string, MapPlace>;
  grounds: Map<string, Ground>;
  scenery: string[];
  /** The land of places with land and water, as one path, or null if coasts follow the sides of places. */
  land: string | null;
  /** The sides of places are thin lines, because they are not borders of the country. */
  grid: boolean;
  words: Word[];
  /** The background: its colours, and those of land that is not a place. */
  backdrop: Backdrop | null;
  /** Places have symbols of the drawing, and no emblems next to their names. */
  signed: boolean;
  /** Colours over the ground, by place. */
  washes: Map<string, string>;
  /** The places that contain other places, by the contained ones. */
  hosts: Map<string, string>;
  coast: string;
  inland: string;
  inwater: string;
  rim: string;
  lines: Line[];
  signs: Sign[];
  links: Link[];
  closed: string[];
  /** Points in which places only touch. */
  corners: Point[];
  frames: Frame[];
  /** The point through which the path from one place to the next goes. */
  gate(from: string, to: string): Point | null;
}

const MARGIN = 14,
  TEETH: Record<string, [number, number]> = {
    wall: [15, 7],
    "wall-broken": [15, 7],
    cliff: [9, 8],
    ridge: [9, 7],
  };

export function atlasOf(game: Game): Atlas {
  const { sites: found, sides, scenery, scale } = mapPlaces(game),
    at = placed(scale),
    edges = game.edges.map((edge) => ({ ...edge, via: edge.via.map(at) as [number, number][] }));
  const common = new Map<string, Side[]>();
  for (const side of sides)
    if (side.owners.length === 2) push(common, pairOf(side.owners[0]!, side.owners[1]!), side);
  const shore = new Set(
    sides.filter(
      (side) =>
        side.owners.length === 2 && wet(found, side.owners[0]!) !== wet(found, side.owners[1]!),
    ),
  );
  for (const edge of game.edges)
    if (edge.style === "coast")
      for (const side of common.get(pairOf(...edge.between)) ?? []) shore.add(side);
  const inner = sides.filter((side) => side.owners.length === 2 && !shore.has(side));
  const terrains = grounds(game),
    hosts = hostsOf(found),
    land = landOf(game, found, sides, terrains, hosts),
    host = (id: string): string => hosts.get(id) ?? id,
    paired = (edge: Edge): string => pairOf(host(edge.between[0]), host(edge.between[1]));
  const styled = new Set(
    game.edges
      .filter((edge) => edge.style !== null)
      .flatMap((edge) => common.get(pairOf(...edge.between)) ?? []),
  );
  const plain = inner.filter((side) => !styled.has(side));
  const inward = (edge: Edge): boolean => host(edge.between[0]) === host(edge.between[1]),
    links = edges.filter(
      (edge) => !common.has(paired(edge)) && (!inward(edge) || edge.style !== null),
    );
  name(game, found, links, scale);
  const linked = new Map(
    links.flatMap((edge) => {
      const made = link(edge, found);
      return made ? [[edge.id, made] as const] : [];
    }),
  );
  const shut = land === null ? [] : closedSides(game, found, terrains, common, paired);
  return {
    frame: frameOf(game, found, scenery, scale),
    sites: found,
    grounds: terrains,
    scenery: scenery.map((ring) => path(ring)),
    land,
    grid: game.sheet.look.grid === true,
    words: words(game).map((word) => ({ ...word, at: at(word.at) })),
    backdrop: (game.sheet.look.backdrop as unknown as Backdrop | undefined) ?? null,
    signed: rulesOf(game).length > 0,
    washes: new Map(
      [...found.keys()].flatMap((id) =>
        washOf(game, id) === null ? [] : [[id, washOf(game, id)!] as const],
      ),
    ),
    hosts,
    coast: land === null ? drawn([...shore]) : "",
    inland: drawn(plain.filter((side) => !wet(found, side.owners[0]!))),
    inwater: drawn(plain.filter((side) => wet(found, side.owners[0]!))),
    rim: drawn(sides.filter((side) => side.owners.length < 2)),
    lines: [
      ...lines(game, found, common),
      ...shut.flatMap(({ style, sides: ridge }) =>
        style === null ? [] : striped(style, ridge, null),
      ),
    ],
    signs: signs(game, found, common, linked, paired),
    links: [...linked.values()].map(({ link: each }) => each),
    closed: [
      ...game.sheet.map.closed.flatMap(([a, b]) =>
        chains(common.get(pairOf(a ?? "", b ?? "")) ?? []).map((line) => path(line, false)),
      ),
      ...shut.flatMap(({ style, sides: plainly }) =>
        style === null ? chains(plainly).map((line) => path(line, false)) : [],
      ),
    ],
    corners: corners(game).map(at),
    frames: frames(game),
    gate: (from, to) => {
      const line = chains(common.get(pairOf(from, to)) ?? []).sort(
        (a, b) => b.length - a.length,
      )[0];
      return line ? along(line, 0.5).at : null;
    },
  };
}

/** The boxes of places. */
export const boxesOf = (atlas: Atlas, places: readonly string[]): Box[] =>
  places.map((id) => atlas.sites.get(id)?.box).filter((box) => box !== undefined);

const push = <T>(map: Map<string, T[]>, name: string, value: T): void =>
  void (map.get(name)?.push(value) ?? map.set(name, [value]));
const wet = (found: Map<string, MapPlace>, id: string): boolean => found.get(id)?.water ?? false;
const drawn = (sides: Side[]): string =>
  chains(sides)
    .map((line) => path(line, false))
    .join("");

/** Converts a point of the map's files to the drawing. */
const placed =
  (scale: number) =>
  ([x, y]: Point): Point => [x * scale, y * scale];

/** The visible part of the map, according to drawing.yaml. */
function framed(game: Game, scale: number): Box | null {
  const given = game.sheet.look.frame;
  if (!Array.isArray(given) || given.length !== 4) return null;
  const [left, top, right, bottom] = given as unknown as Box;
  return [left * scale, top * scale, right * scale, bottom * scale];
}

function frameOf(game: Game, found: Map<string, MapPlace>, scenery: Ring[], scale: number): Box {
  const given = framed(game, scale);
  if (given) return given;
  const [left, top, right, bottom] = bounds([
    ...[...found.values()].flatMap((site) => [...site.ring]),
    ...scenery.flat(),
  ]);
  return [left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN];
}

/**
 * Lines of one style in one chain, as far as they have the same inner place. A road connects the middles of
 * its places instead.
 */
function lines(game: Game, found: Map<string, MapPlace>, common: Map<string, Side[]>): Line[] {
  const groups = new Map<string, { style: string; inner: string | null; sides: Side[] }>(),
    roads: Line[] = [];
  for (const edge of game.edges) {
    const sides = common.get(pairOf(...edge.between));
    if (edge.style === null || edge.style === "coast" || !sides) continue;
    if (edge.style === "road") {
      const [a, b] = [found.get(edge.between[0])!, found.get(edge.between[1])!],
        gate = along(chains(sides)[0]!, 0.5).at;
      roads.push({ style: "road", d: `M${a.at}Q${gate} ${gate}T${b.at}`, teeth: "" });
      continue;
    }
    const name = `${edge.style}|${edge.inner ?? ""}`,
      group = groups.get(name) ?? { style: edge.style, inner: edge.inner, sides: [] };
    group.sides.push(...sides);
    groups.set(name, group);
  }
  return [
    ...roads,
    ...[...groups.values()].flatMap(({ style, inner, sides }) =>
      striped(style, sides, found.get(inner ?? "")?.at ?? null),
    ),
  ];
}

const striped = (style: string, sides: Side[], inward: Point | null): Line[] =>
  chains(sides).map((line) => {
    const across = TEETH[style];
    return {
      style,
      d: path(line, false),
      teeth: across ? teeth(line, inward ?? [Infinity, Infinity], ...across) : "",
    };
  });

/** The sides without a passage, by the style of their ground (null: none). */
function closedSides(
  game: Game,
  found: Map<string, MapPlace>,
  terrains: Map<string, Ground>,
  common: Map<string, Side[]>,
  paired: (edge: Edge) => string,
): { style: string | null; sides: Side[] }[] {
  const open = new Set(game.edges.map(paired)),
    made = new Map<string | null, Side[]>();
  for (const [pair, sides] of common) {
    const places = pair.split("|").map((id) => found.get(id)!);
    if (open.has(pair) || places.every((site) => site.water)) continue;
    const style =
      places
        .map((site) => terrains.get(site.terrain ?? "")?.closed ?? null)
        .find((each) => each !== null) ?? null;
    made.set(style, [...(made.get(style) ?? []), ...sides]);
  }
  return [...made].map(([style, sides]) => ({ style, sides }));
}

/** Names across the map. */
function words(game: Game): Word[] {
  const given = (game.sheet.look.words ?? []) as unknown as {
    label?: string;
    at: Point;
    size?: number;
    turn?: number;
    sea?: boolean;
  }[];
  return given.map(({ label = "", at, size = 26, turn = 0, sea = false }) => ({
    text: label,
    at,
    size,
    turn,
    sea,
  }));
}

/** The position of the name of a sign. */
function name(
  game: Game,
  found: Map<string, MapPlace>,
  links: readonly Edge[],
  scale: number,
): void {
  const spots = [...found.values()].filter((site) => site.sign?.named),
    ends = (edge: Edge): Point[] => edge.between.map((id) => found.get(id)!.at),
    lines = links.flatMap((edge) => {
      const [a, b] = ends(edge) as [Point, Point],
        all = [a, ...edge.via, b];
      return all.slice(1).map((p, i) => [all[i]!, p] as const);
    });
  const slots = labelSidesOf(
    spots.map(({ id, at, sign, place }) => ({
      id,
      at,
      size: sign!.size,
      name: [measure(place.label, SIGN_FONT) + 2, 15],
    })),
    lines,
    framed(game, scale),
    forceLook(game) !== null,
  );
  for (const site of spots) Object.assign(site.sign!, slots.get(site.id));
}

function signs(
  game: Game,
  found: Map<string, MapPlace>,
  common: Map<string, Side[]>,
  linked: Map<string, { line: Point[] }>,
  paired: (edge: Edge) => string,
): Sign[] {
  return game.edges.flatMap((edge) => {
    if (edge.marks.length === 0) return [];
    const [a, b] = edge.between.map((id) => found.get(id)?.at) as [Point, Point],
      line = chains(common.get(paired(edge)) ?? []).sort((p, q) => q.length - p.length)[0] ??
        linked.get(edge.id)?.line ?? [a, b];
    return line
      ? edge.marks.map((mark, i) => ({ mark, ...along(line, (i + 1) / (edge.marks.length + 1)) }))
      : [];
  });
}

/** Points in which two places meet, or four and more, some of which only touch. */
export const corners = (game: Game): Point[] =>
  game.sheet.map.corners.flatMap((corner) => {
    const at = corner.at,
      places = corner.between;
    return Array.isArray(at) && Array.isArray(places) && places.length !== 3
      ? [at as unknown as Point]
      : [];
  });

/**
 * The line of a border between places without a common side: from edge to edge, through the points of the
 * drawing.
 */
function link(edge: Edge, found: Map<string, MapPlace>): { link: Link; line: Point[] } | null {
  const a = found.get(edge.between[0]),
    b = found.get(edge.between[1]);
  if (!a || !b) return null;
  const via = edge.via,
    from = rim(a, via[0] ?? b.at, b),
    to = rim(b, via.at(-1) ?? from.at, a),
    start = via.length ? from : rim(a, to.at, b);
  const line: Point[] = [start.at, ...via, to.at];
  return {
    line,
    link: {
      d: path(line, false),
      style: edge.style,
      oneWay: edge.one_way,
      ends: [start, to].flatMap((end) => (end.dot ? [end.at] : [])),
    },
  };
}

/**
 * The end of a line from a site towards a point. It ends in a dot inside a ring, and at the edge of a box.
 */
function rim(site: MapPlace, towards: Point, other: MapPlace): { at: Point; dot: boolean } {
  if (site.form === "sign")
    return {
      at: between(
        site.at,
        towards,
        Math.min(0.5, site.sign!.size / (distance(site.at, towards) || 1)),
      ),
      dot: false,
    };
  if (site.form === "node" && other.form === "node")
    return { at: clipped(site, towards), dot: false };
  if (site.form !== "ring") {
    const [left, top, right, bottom] = site.box,
      inset = 16;
    const x = Math.min(right - inset, Math.max(left + inset, towards[0])),
      y = Math.min(bottom - inset, Math.max(top + inset, towards[1]));
    const beside = towards[0] < left || towards[0] > right;
    return {
      at: beside ? [towards[0] < left ? left : right, y] : [x, towards[1] < top ? top : bottom],
      dot: false,
    };
  }
  let best: Point = site.at,
    least = Infinity;
  site.ring.forEach((p, i) => {
    const q = site.ring[(i + 1) % site.ring.length]!,
      size = distance(p, q),
      end = Math.min(0.5, 26 / (size || 1));
    const t =
      ((towards[0] - p[0]) * (q[0] - p[0]) + (towards[1] - p[1]) * (q[1] - p[1])) /
      (size * size || 1);
    const on = between(p, q, Math.min(1 - end, Math.max(end, t)));
    if (distance(on, towards) < least) [least, best] = [distance(on, towards), on];
  });
  return { at: between(best, towards, -Math.min(0.5, 14 / (least || 1))), dot: true };
}

/** The point where the line from the middle of a box or circle to a point crosses its edge. */
function clipped(site: MapPlace, towards: Point): Point {
  if (site.round)
    return between(
      site.at,
      towards,
      Math.min(1, (site.box[2] - site.box[0]) / 2 / (distance(site.at, towards) || 1)),
    );
  const [x, y] = site.at,
    dx = towards[0] - x,
    dy = towards[1] - y,
    [left, top, right, bottom] = site.box;
  const t = Math.min(
    (right - left) / 2 / (Math.abs(dx) || 1e-9),
    (bottom - top) / 2 / (Math.abs(dy) || 1e-9),
  );
  return t >= 1 ? site.at : [x + dx * t, y + dy * t];
}

/** Frames around groups of boxes. A title is left of the first box if there is room, else above it. */
function frames(game: Game): Frame[] {
  const groups = (game.sheet.look.boxes ?? {}) as Record<
    string,
    {
      size?: [number, number];
      at?: Record<string, [number, number]>;
      frame?: [number, number, number, number];
      title?: string;
    }
  >;
  return Object.values(groups).flatMap(({ size = [0, 0], at = {}, frame, title = "" }) => {
    if (!frame) return [];
    const left = Math.min(...Object.values(at).map(([x]) => x - size[0] / 2)) - frame[0],
      beside = left > 60;
    return [
      {
        box: frame,
        title,
        room: beside ? left - 12 : frame[2] - frame[0],
        at: (beside
          ? [frame[0] + left / 2, (frame[1] + frame[3]) / 2]
          : [(frame[0] + frame[2]) / 2, frame[1] + 12]) as Point,
      },
    ];
  });
}
