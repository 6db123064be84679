// The shape of each place on the map: a ring, a box or, in a game that draws none, a computed node.
import type { Game, Place } from "../game";
import type { Spot } from "../protocol.gen";
import { autoLayout } from "./autoLayout";
import {
  type Box,
  bounds,
  boxPath,
  clearance,
  discPath,
  distance,
  inside,
  middle,
  natural,
  noise,
  outlines,
  type Point,
  pairOf,
  path,
  type Ring,
  type Side,
} from "./geometry";
import type { LabelSide } from "./labelSides";
import { isletOf, rulesOf, tokenOf } from "./token";

export type Form = "ring" | "box" | "node" | "cell" | "sign";
/**
 * A place on the drawing. `at`: the middle of its block (label and piles). `room`: the width and height for
 * it. `d`: its outline as a path.
 */
export interface MapPlace {
  id: string;
  place: Place;
  form: Form;
  at: Point;
  room: Point;
  d: string;
  ring: Ring;
  box: Box;
  terrain: string | null;
  water: boolean;
  /**
   * For a sign: the distance from its middle to its edge, whether it has a name next to it, and the slots of
   * the name, the forces and the counters.
   */
  sign: { size: number; named: boolean; name: LabelSide; force: LabelSide; pile: LabelSide } | null;
  /** It is a circle as wide as its box. */
  round: boolean;
}
export interface Ground {
  fill: string;
  dark: string;
  texture: string | null;
  water: boolean;
  /** It contains land and water. */
  shore: boolean;
  /** The style of its sides without a passage, or null. */
  closed: string | null;
  label: string;
}

const NODE: Point = [132, 92],
  DISC = 124, // diameter of a round place
  NODE_GAP = 190,
  CELL = 72,
  DOT = 6,
  RIM = 8, // around a highlighted sign
  STRETCH = 1.5;

/** The terrains of the drawing. */
export function grounds(game: Game): Map<string, Ground> {
  const given = (game.sheet.look.terrain ?? {}) as Record<string, Partial<Ground>>;
  return new Map(
    Object.entries(given).map(([name, each]) => [
      name,
      {
        fill: each.fill ?? "#eee3c6",
        dark: each.dark ?? "#3f3d35",
        texture: each.texture ?? null,
        water: each.water === true,
        shore: each.shore === true,
        closed: each.closed ?? null,
        label: each.label ?? name,
      },
    ]),
  );
}

/**
 * All places, with the sides that outlines share. `scenery`: rings of land that is not a place. `scale`: the
 * factor by which all coordinates of the map are stretched, so that places without outlines have room.
 */
export function mapPlaces(game: Game): {
  sites: Map<string, MapPlace>;
  sides: Side[];
  scenery: Ring[];
  scale: number;
} {
  const spots = game.sheet.map.spots,
    terrain = grounds(game);
  const { rings, sides, scenery } = drawn(game);
  const signed = rulesOf(game).length > 0,
    isSign = (spot: Spot): boolean =>
      signed && spot.at !== null && !spot.hex && !rings.has(spot.id) && !spot.box;
  const loose = spots.filter((spot) => !rings.has(spot.id) && !spot.box && !isSign(spot));
  const alone = rings.size === 0 && !spots.some((spot) => spot.box || isSign(spot)),
    { laid, scale } = laidOut(
      loose,
      alone,
      game.edges.map((edge) => edge.between),
    );
  const made = new Map<string, MapPlace>();
  for (const spot of spots) {
    const place = game.places.get(spot.id);
    if (place === undefined) continue;
    const shared = {
      id: spot.id,
      place,
      terrain: spot.terrain,
      water: (spot.terrain !== null && terrain.get(spot.terrain)?.water) || false,
      sign: null,
      round: false,
    };
    const ring = rings.get(spot.id);
    if (ring) made.set(spot.id, { ...shared, ...ofRing(ring) });
    else if (isSign(spot)) made.set(spot.id, { ...shared, ...ofSign(game, spot) });
    else if (spot.box) made.set(spot.id, { ...shared, ...ofBox(spot.box, "box") });
    else if (spot.hex && spot.at !== null && laid.get(spot.id)!.form === "cell")
      made.set(spot.id, { ...shared, ...ofHex(spot.at) });
    else if (spot.round && laid.get(spot.id)!.form === "node")
      made.set(spot.id, { ...shared, ...ofDisc(middleOf(laid.get(spot.id)!.box)) });
    else
      made.set(spot.id, { ...shared, ...ofBox(laid.get(spot.id)!.box, laid.get(spot.id)!.form) });
  }
  const land = scenery.map((ring) => ring.map(([x, y]): Point => [x * scale, y * scale]));
  return { sites: made, sides, scenery: [...land, ...islets(game, made)], scale };
}

/** Land around the signs of places that ask for it. */
const islets = (game: Game, made: ReadonlyMap<string, MapPlace>): Ring[] =>
  [...made.values()].flatMap(({ id, at, sign }) => {
    const reach = isletOf(game, id),
      random = noise(id);
    if (!sign || reach === null) return [];
    const ring = Array.from({ length: 9 }, (_, i): Point => {
      const far = reach * (1 + random() * 0.5);
      return [
        at[0] + far * 1.15 * Math.cos((i * 2 * Math.PI) / 9),
        at[1] + far * Math.sin((i * 2 * Math.PI) / 9),
      ];
    });
    return [natural(ring, 4)];
  });

function drawn(game: Game): { rings: Map<string, Ring>; sides: Side[]; scenery: Ring[] } {
  const shapes = new Map<string, Ring>(),
    look = game.sheet.look,
    walls = new Set<string>();
  for (const spot of game.sheet.map.spots)
    if (spot.outline.length > 2) shapes.set(spot.id, spot.outline);
  const extra = (look.scenery ?? []) as unknown as Point[][];
  const behind = look.backdrop !== undefined; // then the scenery has a coast of its own and is no neighbour of places
  if (!behind) for (const [i, shape] of extra.entries()) shapes.set(`#${i}`, shape);
  for (const edge of game.edges)
    if (edge.style?.startsWith("wall")) walls.add(pairOf(...edge.between));
  const rough = look.grid === true ? 0 : typeof look.rough === "number" ? look.rough : 6;
  const { rings, sides } = outlines(shapes, (owners) =>
    owners.length === 2 && walls.has(pairOf(owners[0]!, owners[1]!)) ? rough / 4 : rough,
  );
  const scenery = extra.map((shape, i) => (behind ? natural(shape, rough) : rings.get(`#${i}`)!));
  for (const i of extra.keys()) rings.delete(`#${i}`);
  return { rings, sides, scenery };
}

function ofRing(ring: Ring): Pick<MapPlace, "form" | "at" | "room" | "d" | "ring" | "box"> {
  const { at, room } = middle(ring, STRETCH);
  return {
    form: "ring",
    at,
    room: [room * 2.9, room * 1.86],
    d: path(ring),
    ring,
    box: bounds(ring),
  };
}

function ofBox(
  box: Box,
  form: Form,
): Pick<MapPlace, "form" | "at" | "room" | "d" | "ring" | "box"> {
  const [left, top, right, bottom] = box,
    pad: Point = form === "cell" ? [6, 6] : [14, 12];
  return {
    form,
    at: [(left + right) / 2, (top + bottom) / 2],
    room: [right - left - pad[0], bottom - top - pad[1]],
    d: boxPath(box),
    ring: [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ],
    box,
  };
}

const middleOf = ([left, top, right, bottom]: Box): Point => [
  (left + right) / 2,
  (top + bottom) / 2,
];

/** A place that is a circle. */
function ofDisc([x, y]: Point): Pick<
  MapPlace,
  "form" | "at" | "room" | "d" | "ring" | "box" | "round"
> {
  const r = DISC / 2,
    ring = Array.from(
      { length: 24 },
      (_, i): Point => [x + r * Math.cos((i * Math.PI) / 12), y + r * Math.sin((i * Math.PI) / 12)],
    );
  return {
    form: "node",
    at: [x, y],
    room: [DISC - 30, DISC - 44],
    d: discPath([x, y], r),
    ring,
    box: [x - r, y - r, x + r, y + r],
    round: true,
  };
}

/** A sign on the line of paths. One without a form is a dot within another place. */
function ofSign(
  game: Game,
  spot: Spot,
): Pick<MapPlace, "form" | "at" | "room" | "d" | "ring" | "box" | "sign"> {
  const token = tokenOf(game, null, spot.id),
    size = token.shape === null ? DOT : token.size,
    [x, y] = spot.at!,
    ring = Array.from(
      { length: 12 },
      (_, i): Point => [
        x + (size + RIM) * Math.cos((i * Math.PI) / 6),
        y + (size + RIM) * Math.sin((i * Math.PI) / 6),
      ],
    );
  return {
    form: "sign",
    at: [x, y],
    room: [2 * size, 2 * size],
    d: path(ring),
    ring,
    box: bounds(ring),
    sign: { size, named: token.shape !== null, name: [1, 0], force: [-1, 0], pile: [0, 1] },
  };
}

/** A cell with six sides that stands on a corner. `at`: in half cells to the right, and rows. */
function ofHex([across, row]: Point): Pick<
  MapPlace,
  "form" | "at" | "room" | "d" | "ring" | "box"
> {
  const half = CELL / 2,
    radius = CELL / Math.sqrt(3),
    [x, y] = [across * half, row * radius * 1.5];
  const ring: Ring = [
    [x, y - radius],
    [x + half, y - radius / 2],
    [x + half, y + radius / 2],
    [x, y + radius],
    [x - half, y + radius / 2],
    [x - half, y - radius / 2],
  ];
  return {
    form: "cell",
    at: [x, y],
    room: [CELL - 12, radius + 6],
    d: path(ring, true),
    ring,
    box: bounds(ring),
  };
}

/** True for a cell with six sides. */
export const isHex = (site: MapPlace): boolean => site.form === "cell" && site.ring.length === 6;

/**
 * Places that have only a point, or not even that. Alone on the drawing they are spread until nodes have
 * room, those without a point by their borders. Without borders they are the cells of a board. `scale`: the
 * factor by which points are spread.
 */
function laidOut(
  loose: Spot[],
  alone: boolean,
  joined: readonly (readonly [string, string])[],
): { laid: Map<string, { box: Box; form: Form }>; scale: number } {
  const columns = Math.ceil(Math.sqrt(loose.length)),
    linked = joined.length > 0,
    free = alone && linked && loose.some((spot) => spot.at === null);
  const spread = free
      ? autoLayout(
          loose.map((spot) => spot.id),
          joined,
        )
      : null,
    points = loose.map(
      (spot, i): Point => spread?.[i] ?? spot.at ?? [i % columns, Math.floor(i / columns)],
    );
  const near = closest(points),
    cells = alone && !linked;
  const scale = !alone ? 1 : cells ? CELL / near : Math.max(1e-6, NODE_GAP / near);
  const size: Point = cells ? [CELL, CELL] : NODE;
  const laid = new Map(
    loose.map((spot, i): [string, { box: Box; form: Form }] => {
      const [x, y] = [points[i]![0] * scale, points[i]![1] * scale];
      return [
        spot.id,
        {
          box: [x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2],
          form: cells ? "cell" : "node",
        },
      ];
    }),
  );
  return {
    laid,
    scale: loose.length === 0 || loose.some((spot) => spot.at === null || spot.hex) ? 1 : scale,
  };
}

/** The smallest distance between two points, at least a ten-thousandth of the whole. */
function closest(points: Point[]): number {
  const [left, top, right, bottom] = bounds(points),
    sorted = [...points].sort((a, b) => a[0] - b[0]);
  let best = Math.hypot(right - left, bottom - top) || 1;
  const least = best / 10000;
  for (let i = 0; i < sorted.length; i++) {
    for (let j = i + 1; j < sorted.length && sorted[j]![0] - sorted[i]![0] < best; j++) {
      const d = distance(sorted[i]!, sorted[j]!);
      if (d > least) best = Math.min(best, d);
    }
  }
  return best;
}

/** True if a box lies completely within a site. */
export const holds = (site: MapPlace, [left, top, right, bottom]: Box): boolean =>
  (
    [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ] as Point[]
  ).every((p) => inside(p, site.ring)) &&
  clearance([(left + right) / 2, (top + bottom) / 2], site.ring) > (bottom - top) / 2;
