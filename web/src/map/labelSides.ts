// Selects the sides where the name, the troops and the counters of a sign stand, so that they cover
// as little as possible.
import { type Box, distance, type Point } from "./geometry";

/** A direction from the middle of a sign. */
export type LabelSide = readonly [number, number];
export interface Spot {
  id: string;
  at: Point;
  /** The distance from the middle to the edge. */
  size: number;
  /** The width and height of the name. */
  name: Point;
}

const SLOTS: readonly LabelSide[] = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ],
  BELOW = SLOTS[2]!,
  ROUNDS = 4,
  NEAR = 170;
/** The usual size of a force. */
export const FORCE: Point = [56, 18];
/** The size of a counter next to a sign. */
const COUNTER: Point = [32, 32];

/** The box of a thing of this size at a slot. */
export function boxAt([x, y]: Point, reach: number, [dx, dy]: LabelSide, [w, h]: Point): Box {
  const off = dx !== 0 && dy !== 0 ? reach * 0.72 : reach,
    left = dx > 0 ? x + off : dx < 0 ? x - off - w : x - w / 2,
    top = dy > 0 ? y + off : dy < 0 ? y - off - h : y - h / 2;
  return [left, top, left + w, top + h];
}

const common = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
  Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

/** The approximate length of a line within a box. */
function within([left, top, right, bottom]: Box, [a, b]: readonly [Point, Point]): number {
  let [from, to] = [0, 1];
  for (const [start, step, low, high] of [
    [a[0], b[0] - a[0], left, right],
    [a[1], b[1] - a[1], top, bottom],
  ] as const) {
    if (step === 0) {
      if (start < low || start > high) return 0;
      continue;
    }
    const [t, u] = [(low - start) / step, (high - start) / step];
    [from, to] = [Math.max(from, Math.min(t, u)), Math.min(to, Math.max(t, u))];
  }
  return Math.max(0, to - from) * distance(a, b);
}

/**
 * For each place, different slots for its name, its forces and its counters. Without `forces`, counters are
 * below.
 */
export function labelSidesOf(
  spots: readonly Spot[],
  lines: readonly (readonly [Point, Point])[],
  frame: Box | null,
  forces: boolean,
): Map<string, { name: LabelSide; force: LabelSide; pile: LabelSide }> {
  const near = spots.map((spot) =>
      spots.filter((other) => other !== spot && distance(other.at, spot.at) < NEAR),
    ),
    by = spots.map((spot) =>
      lines.filter(
        (line) =>
          within(
            [spot.at[0] - NEAR, spot.at[1] - NEAR / 2, spot.at[0] + NEAR, spot.at[1] + NEAR / 2],
            line,
          ) > 0,
      ),
    );
  const chosen = new Map(
      spots.map((spot) => [spot.id, { name: SLOTS[0]!, force: SLOTS[1]!, pile: BELOW }]),
    ),
    done = new Set<string>(),
    boxes = (spot: Spot): Box[] => {
      const has = chosen.get(spot.id)!;
      return [
        boxAt(spot.at, spot.size + 3, has.name, spot.name),
        ...(forces ? [boxAt(spot.at, spot.size + 3, has.force, FORCE)] : []),
      ];
    };
  const body = ({ at: [x, y], size }: Spot): Box => [x - size, y - size, x + size, y + size];
  const cost = (i: number, box: Box, rank: number): number => {
    let sum = rank * 9;
    for (const other of near[i]!) {
      sum += 9 * common(box, body(other));
      if (done.has(other.id)) for (const taken of boxes(other)) sum += 8 * common(box, taken);
    }
    for (const line of by[i]!) sum += 5 * within(box, line);
    return frame &&
      (box[0] < frame[0] || box[1] < frame[1] || box[2] > frame[2] || box[3] > frame[3])
      ? sum + 5000
      : sum;
  };
  const best = (i: number, size: Point, taken: LabelSide | null): LabelSide => {
    const spot = spots[i]!;
    let least = Infinity,
      slot = SLOTS[0]!;
    SLOTS.forEach((each, rank) => {
      const box = boxAt(spot.at, spot.size + 3, each, size),
        found =
          each === taken
            ? Infinity
            : cost(i, box, rank) +
              (taken ? 4 * common(box, boxAt(spot.at, spot.size + 3, taken, spot.name)) : 0);
      if (found < least) [least, slot] = [found, each];
    });
    return slot;
  };
  const order = spots.map((_, i) => i).sort((a, b) => near[b]!.length - near[a]!.length);
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of order) {
      const spot = spots[i]!,
        name = best(i, spot.name, null);
      chosen.set(spot.id, { name, force: best(i, FORCE, name), pile: BELOW });
      done.add(spot.id);
    }
  }
  if (forces)
    spots.forEach((spot, i) => {
      const own = chosen.get(spot.id)!,
        free = SLOTS.filter((each) => each !== own.name && each !== own.force),
        costs = free.map((each) => {
          const box = boxAt(spot.at, spot.size + 3, each, COUNTER);
          const hidden = boxes(spot).reduce((sum, taken) => sum + 8 * common(box, taken), 0);
          return cost(i, box, each === BELOW ? 0 : 1) + hidden;
        });
      own.pile = free[costs.indexOf(Math.min(...costs))]!;
    });
  return chosen;
}
