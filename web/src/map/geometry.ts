// Geometry of outlines: rings whose shared edges are equally rough on both sides, edge lines, and
// the middle of a ring. Units of the map, y downward.

export type Point = readonly [number, number];
export type Ring = readonly Point[];
/** [left, top, right, bottom] */
export type Box = readonly [number, number, number, number];
/**
 * A line between two corners with the outlines that contain it. `inner`: the points between, from `a` to `b`.
 */
export interface Side {
  a: Point;
  b: Point;
  inner: Point[];
  owners: string[];
}

const STEP = 17; // shorter stretches stay straight

export const key = (p: Point): string => `${p[0]},${p[1]}`;
export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
export const between = (a: Point, b: Point, t: number): Point => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
];
export const pairOf = (a: string, b: string): string => (a < b ? `${a}|${b}` : `${b}|${a}`);

/** True if a point lies within a segment, excluding its ends. */
export function onSegment(p: Point, a: Point, b: Point): boolean {
  const length = distance(a, b);
  if (length === 0) return false;
  const off = Math.abs((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / length;
  const along = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / length;
  return off < 0.6 && along > 0.6 && along < length - 0.6;
}

/** Pseudo-random numbers in [-0.5, 0.5) from a text, the same on every screen. */
export function noise(seed: string): () => number {
  let hash = 2166136261;
  for (const letter of seed) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  return () => {
    hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
    hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
    hash ^= hash >>> 16;
    return (hash >>> 0) / 4294967296 - 0.5;
  };
}

/** The points between `a` and `b` of a rough line. From `b` to `a` they are the same in reverse. */
export function roughen(a: Point, b: Point, amount: number): Point[] {
  if (amount === 0) return [];
  const turned = key(a) > key(b),
    [from, to] = turned ? [b, a] : [a, b],
    random = noise(key(from) + key(to));
  const split = (u: Point, v: Point, size: number): Point[] => {
    const length = distance(u, v);
    if (length < STEP) return [];
    const off = random() * size * Math.min(1, length / 60);
    const middle: Point = [
      (u[0] + v[0]) / 2 - ((v[1] - u[1]) / length) * off,
      (u[1] + v[1]) / 2 + ((v[0] - u[0]) / length) * off,
    ];
    return [...split(u, middle, size * 0.62), middle, ...split(middle, v, size * 0.62)];
  };
  const inner = split(from, to, amount * 2.4);
  return turned ? inner.reverse() : inner;
}

/** Insert corners of other outlines that lie on a side, so that neighbours have the same lines. */
function noded(shape: Ring, corners: readonly Point[]): Point[] {
  return shape.flatMap((a, i) => {
    const b = shape[(i + 1) % shape.length]!,
      seen = new Set<string>();
    const on = corners.filter((p) => onSegment(p, a, b) && !seen.has(key(p)) && seen.add(key(p)));
    return [a, ...on.sort((p, q) => distance(a, p) - distance(a, q))];
  });
}

/**
 * Rings and shared sides of outlines by id. `amount` is the roughness of a side with these owners. The
 * straight edge of the map stays straight.
 */
export function outlines(
  shapes: ReadonlyMap<string, Ring>,
  amount: (owners: string[]) => number,
): { rings: Map<string, Ring>; sides: Side[] } {
  const corners = [...shapes.values()].flat(),
    sides = new Map<string, Side>(),
    plain = new Map<string, Point[]>();
  for (const [id, shape] of shapes) {
    const ring = noded(shape, corners);
    plain.set(id, ring);
    ring.forEach((a, i) => {
      const b = ring[(i + 1) % ring.length]!,
        name = pairOf(key(a), key(b));
      const side = sides.get(name) ?? { a, b, inner: [], owners: [] };
      if (!side.owners.includes(id)) side.owners.push(id);
      sides.set(name, side);
    });
  }
  for (const side of sides.values()) {
    const rim = side.owners.length < 2 && (side.a[0] === side.b[0] || side.a[1] === side.b[1]);
    if (!rim) side.inner = roughen(side.a, side.b, amount(side.owners));
  }
  const rings = new Map(
    [...plain].map(([id, ring]) => [
      id,
      ring.flatMap((a, i) => {
        const side = sides.get(pairOf(key(a), key(ring[(i + 1) % ring.length]!)))!;
        return [a, ...(key(side.a) === key(a) ? side.inner : [...side.inner].reverse())];
      }),
    ]),
  );
  return { rings, sides: [...sides.values()] };
}

/** Join sides end to end into as few lines as possible. */
export function chains(sides: readonly Side[]): Point[][] {
  const left = sides.map((side): Point[] => [side.a, ...side.inner, side.b]),
    made: Point[][] = [];
  for (let line = left.pop(); line !== undefined; line = left.pop()) {
    for (let i = 0; i < left.length; i++) {
      const longer: Point[] | null = joined(line, left[i]!);
      if (longer === null) continue;
      line = longer;
      left.splice(i, 1);
      i = -1;
    }
    made.push(line);
  }
  return made;
}

function joined(line: Point[], other: Point[]): Point[] | null {
  const head = key(line[0]!),
    tail = key(line.at(-1)!),
    first = key(other[0]!),
    last = key(other.at(-1)!);
  if (first === tail) return [...line, ...other.slice(1)];
  if (last === tail) return [...line, ...[...other].reverse().slice(1)];
  if (last === head) return [...other, ...line.slice(1)];
  if (first === head) return [...[...other].reverse(), ...line.slice(1)];
  return null;
}

/** The path data of a line or a ring. */
export const path = (points: Ring, close = true): string =>
  points.length === 0
    ? ""
    : `M${points.map((p) => `${Math.round(p[0] * 10) / 10} ${Math.round(p[1] * 10) / 10}`).join("L")}${close ? "Z" : ""}`;

/** A circle as path data. */
export const discPath = ([x, y]: Point, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
export const boxPath = ([left, top, right, bottom]: Box): string =>
  `M${left} ${top}H${right}V${bottom}H${left}Z`;

export function bounds(points: Iterable<Point>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points)
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x),
      Math.max(bottom, y),
    ];
  return left > right ? [0, 0, 0, 0] : [left, top, right, bottom];
}

export function inside(p: Point, ring: Ring): boolean {
  let found = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const a = ring[i]!,
      b = ring[j]!;
    if (
      a[1] > p[1] !== b[1] > p[1] &&
      p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]
    )
      found = !found;
  }
  return found;
}

/** The smaller of a ring's extents left and right of `at` at the height `y`, 0 if it has none. */
export function breadth(at: Point, y: number, ring: Ring): number {
  let left = Infinity,
    right = Infinity,
    crossed = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const a = ring[i]!,
      b = ring[j]!;
    if (a[1] > y === b[1] > y) continue;
    const x = ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0] - at[0];
    crossed = true;
    if (x < 0) left = Math.min(left, -x);
    else right = Math.min(right, x);
  }
  return crossed && Number.isFinite(left) && Number.isFinite(right) ? Math.min(left, right) : 0;
}

/**
 * Half the height of the largest ellipse around a point that crosses no side. It is `stretch` times as wide
 * as high.
 */
export function clearance(p: Point, ring: Ring, stretch = 1): number {
  let best = Infinity;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const ax = (ring[j]![0] - p[0]) / stretch,
      ay = ring[j]![1] - p[1],
      dx = (ring[i]![0] - p[0]) / stretch - ax,
      dy = ring[i]![1] - p[1] - ay;
    const t = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
    best = Math.min(best, Math.hypot(ax + t * dx, ay + t * dy));
  }
  return best;
}

/**
 * The centre of the largest wide ellipse in a ring, and half its height (`room`). The search uses a grid that
 * becomes finer.
 */
export function middle(ring: Ring, stretch = 1.5): { at: Point; room: number } {
  const [left, top, right, bottom] = bounds(ring);
  let step = Math.max(right - left, bottom - top) / 16,
    at: Point = ring[0] ?? [0, 0],
    room = -1;
  const look = (x: number, y: number): void => {
    if (!inside([x, y], ring)) return;
    const found = clearance([x, y], ring, stretch);
    if (found > room + 1e-9) [room, at] = [found, [x, y]];
  };
  for (let x = left + step / 2; x <= right; x += step)
    for (let y = top + step / 2; y <= bottom; y += step) look(x, y);
  for (; step > 1; step /= 2) {
    const [x, y] = at;
    for (let i = -2; i <= 2; i++)
      for (let j = -2; j <= 2; j++) look(x + (i * step) / 2, y + (j * step) / 2);
  }
  return { at, room: Math.max(0, room) };
}

/** A smooth curve through points. The shorter line at each point limits its bend. */
export function curve(points: readonly Point[]): string {
  const bends = points.map((p, i): Point => {
    const before = points[i - 1],
      after = points[i + 1];
    if (!before || !after) return [0, 0];
    const reach =
      (0.3 * Math.min(distance(before, p), distance(p, after))) / (distance(before, after) || 1);
    return [(after[0] - before[0]) * reach, (after[1] - before[1]) * reach];
  });
  const written = (p: Point): string => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`;
  return points
    .map((p, i) => {
      const before = points[i - 1],
        out = bends[i - 1],
        into = bends[i]!;
      return before && out
        ? `C${written([before[0] + out[0], before[1] + out[1]])} ${written([p[0] - into[0], p[1] - into[1]])} ${written(p)}`
        : `M${written(p)}`;
    })
    .join("");
}

export const length = (line: readonly Point[]): number =>
  line.slice(1).reduce((sum, p, i) => sum + distance(line[i]!, p), 0);

/** The point at a part (0 to 1) of the length of a line, and the direction there in degrees. */
export function along(line: readonly Point[], part: number): { at: Point; turn: number } {
  let left = length(line) * part;
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1]!,
      b = line[i]!,
      step = distance(a, b);
    if (left <= step || i === line.length - 1)
      return {
        at: between(a, b, step ? left / step : 0),
        turn: (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI,
      };
    left -= step;
  }
  return { at: line[0] ?? [0, 0], turn: 0 };
}

/** Short strokes across a line, every `gap`, on the side away from `inward` (the teeth of a wall). */
export function teeth(line: readonly Point[], inward: Point, gap: number, size: number): string {
  let made = "",
    first = gap * 0.6;
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1]!,
      b = line[i]!,
      step = distance(a, b);
    for (; first < step; first += gap) {
      const p = between(a, b, first / step),
        normal: Point = [-(b[1] - a[1]) / step, (b[0] - a[0]) / step];
      const sign =
        (inward[0] - p[0]) * normal[0] + (inward[1] - p[1]) * normal[1] > 0 ? -size : size;
      made += `M${p[0].toFixed(1)} ${p[1].toFixed(1)}l${(normal[0] * sign).toFixed(1)} ${(normal[1] * sign).toFixed(1)}`;
    }
    first -= step;
  }
  return made;
}

/** A ring without corners, with bays and capes of `rough` units, the same on every screen. */
export function natural(ring: readonly Point[], rough: number): Point[] {
  const bent = round(ring).map((p): Point => {
    const random = noise(`${Math.round(p[0])},${Math.round(p[1])}`);
    return [p[0] + random() * rough, p[1] + random() * rough];
  });
  return round(bent);
}

/** Cut off each corner by a quarter of the length on both sides. */
const round = (ring: readonly Point[]): Point[] =>
  ring.flatMap((p, i) => {
    const next = ring[(i + 1) % ring.length]!;
    return [between(p, next, 0.25), between(p, next, 0.75)];
  });
