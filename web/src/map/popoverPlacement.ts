// Places a popover next to its place, so that it covers as little as possible. Pixels of the board.
import type { Point } from "./geometry";

/**
 * `room`: the distance of the card from the middle `at` of its place. `lit`: places that can be clicked.
 * `busy`: places with pieces. `kept`: the current position of the card, which moves only if it hides
 * clickable things.
 */
export interface Board {
  host: Point;
  size: Point;
  at: Point;
  room: number;
  lit: readonly Point[];
  busy: readonly Point[];
  kept?: Spot | null;
}
/**
 * `side`: the side of its place on which the card lies. `notch`: the position of the place along that side.
 */
export interface Spot {
  left: number;
  top: number;
  side: "left" | "right" | "far";
  notch: number;
}

const EDGE = 8,
  CORNER = 12,
  TOOLS = 60;

export function popoverPlacement({
  host,
  size: [w, h],
  at: [x, y],
  room,
  lit,
  busy,
  kept = null,
}: Board): Spot {
  const spots: [number, number, Spot["side"]][] = [
    [x + room * 1.4, y - h / 2, "right"],
    [x - room * 1.4 - w, y - h / 2, "left"],
    [x - w / 2, y - room - h, "far"],
    [x - w / 2, y + room, "far"],
    [CORNER, CORNER, "far"],
    [CORNER, host[1] - h - CORNER, "far"],
    [host[0] - w - TOOLS, CORNER, "far"],
    [host[0] - w - CORNER, host[1] - h - CORNER, "far"],
  ];
  const inside = (at: number, size: number, whole: number): number =>
    Math.max(EDGE, Math.min(whole - size - EDGE, at));
  const hides = (l: number, t: number, [px, py]: Point, pad: number): boolean =>
    px > l - pad && px < l + w + pad && py > t - pad && py < t + h + pad;
  if (
    kept !== null &&
    kept.top + h <= host[1] &&
    !lit.some((p) => hides(kept.left, kept.top, p, 0))
  )
    return kept;
  const rated = spots.map(([left, top, side]) => {
    const l = inside(left, w, host[0]),
      t = inside(top, h, host[1]);
    const cost =
      lit.filter((p) => hides(l, t, p, 20)).length * 4 +
      busy.filter((p) => hides(l, t, p, 10)).length +
      (hides(l, t, [x, y], 30) ? 30 : 0) +
      Math.hypot(l + w / 2 - x, t + h / 2 - y) / 160 +
      (side === "far" ? 0.5 : 0) +
      Math.abs(l - left) / 10;
    return { cost, spot: { left: l, top: t, side, notch: Math.max(18, Math.min(h - 18, y - t)) } };
  });
  return rated.reduce((best, each) => (each.cost < best.cost ? each : best)).spot;
}
