// Takes a game, makes all of its map that never changes: sites, coasts, lines of borders, marks on them, links, frames. Computed once.
import type { Game } from "../game";
import type { Edge } from "../wire";
import { along, between, bounds, chains, distance, pairOf, path, teeth, type Box, type Point, type Ring, type Side } from "./geometry";
import { grounds, sites, type Ground, type Site } from "./sites";

/** A line of borders. `d`: path data; `teeth`: strokes across it, or ''. */
export interface Line {
  style: string;
  d: string;
  teeth: string;
}
/** A sign on a border: `turn` is the direction of the line there, in degrees. */
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
/** A frame around boxes; `title` is written around `at`, within `room`. */
export interface Frame {
  box: Box;
  title: string;
  at: Point;
  room: number;
}

export interface Atlas {
  frame: Box;
  sites: Map<string, Site>;
  grounds: Map<string, Ground>;
  scenery: string[];
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
  /** Where a way from one place to the next goes through. */
  gate(from: string, to: string): Point | null;
}

const MARGIN = 14,
  TEETH: Record<string, [number, number]> = { wall: [15, 7], "wall-broken": [15, 7], cliff: [9, 8] };

export function atlasOf(game: Game): Atlas {
  const { sites: found, sides, scenery } = sites(game);
  const common = new Map<string, Side[]>();
  for (const side of sides) if (side.owners.length === 2) push(common, pairOf(side.owners[0]!, side.owners[1]!), side);
  const shore = new Set(sides.filter((side) => side.owners.length === 2 && wet(found, side.owners[0]!) !== wet(found, side.owners[1]!)));
  for (const edge of game.edges) if (edge.style === "coast") for (const side of common.get(pairOf(...edge.between)) ?? []) shore.add(side);
  const inner = sides.filter((side) => side.owners.length === 2 && !shore.has(side));
  const styled = new Set(game.edges.filter((edge) => edge.style !== null).flatMap((edge) => common.get(pairOf(...edge.between)) ?? []));
  const plain = inner.filter((side) => !styled.has(side));
  const links = game.edges.filter((edge) => !common.has(pairOf(...edge.between)));
  const linked = new Map(
    links.flatMap((edge) => {
      const made = link(edge, found);
      return made ? [[edge.id, made] as const] : [];
    }),
  );
  return {
    frame: frameOf(game, found, scenery),
    sites: found,
    grounds: grounds(game),
    scenery: scenery.map((ring) => path(ring)),
    coast: drawn([...shore]),
    inland: drawn(plain.filter((side) => !wet(found, side.owners[0]!))),
    inwater: drawn(plain.filter((side) => wet(found, side.owners[0]!))),
    rim: drawn(sides.filter((side) => side.owners.length < 2)),
    lines: lines(game, found, common),
    signs: signs(game, common, linked),
    links: [...linked.values()].map(({ link: each }) => each),
    closed: game.sheet.map.closed.flatMap(([a, b]) => chains(common.get(pairOf(a ?? "", b ?? "")) ?? []).map((line) => path(line, false))),
    corners: corners(game),
    frames: frames(game),
    gate: (from, to) => {
      const line = chains(common.get(pairOf(from, to)) ?? []).sort((a, b) => b.length - a.length)[0];
      return line ? along(line, 0.5).at : null;
    },
  };
}

/** Where places lie. */
export const boxesOf = (atlas: Atlas, places: readonly string[]): Box[] =>
  places.map((id) => atlas.sites.get(id)?.box).filter((box) => box !== undefined);

const push = <T>(map: Map<string, T[]>, name: string, value: T): void => void (map.get(name)?.push(value) ?? map.set(name, [value]));
const wet = (found: Map<string, Site>, id: string): boolean => found.get(id)?.water ?? false;
const drawn = (sides: Side[]): string =>
  chains(sides)
    .map((line) => path(line, false))
    .join("");

function frameOf(game: Game, found: Map<string, Site>, scenery: Ring[]): Box {
  const given = game.sheet.look["frame"];
  if (Array.isArray(given) && given.length === 4) return given as unknown as Box;
  const [left, top, right, bottom] = bounds([...[...found.values()].flatMap((site) => [...site.ring]), ...scenery.flat()]);
  return [left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN];
}

/** Lines of one style in one chain, as far as they have the same inner place. A road joins the middles of its places instead. */
function lines(game: Game, found: Map<string, Site>, common: Map<string, Side[]>): Line[] {
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
      chains(sides).map((line) => {
        const across = TEETH[style],
          inward = found.get(inner ?? "")?.at;
        return { style, d: path(line, false), teeth: across ? teeth(line, inward ?? [Infinity, Infinity], ...across) : "" };
      }),
    ),
  ];
}

function signs(game: Game, common: Map<string, Side[]>, linked: Map<string, { line: Point[] }>): Sign[] {
  return game.edges.flatMap((edge) => {
    const line = chains(common.get(pairOf(...edge.between)) ?? []).sort((a, b) => b.length - a.length)[0] ?? linked.get(edge.id)?.line;
    return line ? edge.marks.map((mark, i) => ({ mark, ...along(line, (i + 1) / (edge.marks.length + 1)) })) : [];
  });
}

/** Points in which two places meet, or four and more: there some of them only touch. */
export const corners = (game: Game): Point[] =>
  game.sheet.map.corners.flatMap((corner) => {
    const at = corner["at"],
      places = corner["between"];
    return Array.isArray(at) && Array.isArray(places) && places.length !== 3 ? [at as unknown as Point] : [];
  });

/** The line of a border between places that have no common side: from rim to rim, by way of the points it is drawn with. */
function link(edge: Edge, found: Map<string, Site>): { link: Link; line: Point[] } | null {
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
    link: { d: path(line, false), style: edge.style, oneWay: edge.one_way, ends: [start, to].flatMap((end) => (end.dot ? [end.at] : [])) },
  };
}

/** Where a line towards a point leaves a site. It ends in a dot a little inside a ring, and at the very rim of a box. */
function rim(site: Site, towards: Point, other: Site): { at: Point; dot: boolean } {
  if (site.form === "node" && other.form === "node") return { at: clipped(site, towards), dot: false };
  if (site.form !== "ring") {
    const [left, top, right, bottom] = site.box,
      inset = 16;
    const x = Math.min(right - inset, Math.max(left + inset, towards[0])),
      y = Math.min(bottom - inset, Math.max(top + inset, towards[1]));
    const beside = towards[0] < left || towards[0] > right;
    return { at: beside ? [towards[0] < left ? left : right, y] : [x, towards[1] < top ? top : bottom], dot: false };
  }
  let best: Point = site.at,
    least = Infinity;
  site.ring.forEach((p, i) => {
    const q = site.ring[(i + 1) % site.ring.length]!,
      size = distance(p, q),
      end = Math.min(0.5, 26 / (size || 1));
    const t = ((towards[0] - p[0]) * (q[0] - p[0]) + (towards[1] - p[1]) * (q[1] - p[1])) / (size * size || 1);
    const on = between(p, q, Math.min(1 - end, Math.max(end, t)));
    if (distance(on, towards) < least) [least, best] = [distance(on, towards), on];
  });
  return { at: between(best, towards, -Math.min(0.5, 14 / (least || 1))), dot: true };
}

/** Where the line from the middle of a box to a point crosses its rim. */
function clipped(site: Site, towards: Point): Point {
  const [x, y] = site.at,
    dx = towards[0] - x,
    dy = towards[1] - y,
    [left, top, right, bottom] = site.box;
  const t = Math.min((right - left) / 2 / (Math.abs(dx) || 1e-9), (bottom - top) / 2 / (Math.abs(dy) || 1e-9));
  return t >= 1 ? site.at : [x + dx * t, y + dy * t];
}

/** Frames around groups of boxes; a title stands left of the first box if there is room, else above it. */
function frames(game: Game): Frame[] {
  const groups = (game.sheet.look["boxes"] ?? {}) as Record<
    string,
    { size?: [number, number]; at?: Record<string, [number, number]>; frame?: [number, number, number, number]; title?: string }
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
        at: (beside ? [frame[0] + left / 2, (frame[1] + frame[3]) / 2] : [(frame[0] + frame[2]) / 2, frame[1] + 12]) as Point,
      },
    ];
  });
}
