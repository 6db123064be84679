// Lays out the places of a game that draws none, from the links between them.
import type { Point } from "./geometry";

const ROUNDS = 120,
  CROWD = 250; // if there are more points, they stay on a circle, because the cost is quadratic

/**
 * Points whose distances approximate the number of steps between places (stress majorization). They are the
 * same for the same game.
 */
export function autoLayout(
  places: readonly string[],
  joined: readonly (readonly [string, string])[],
): Point[] {
  const n = places.length,
    xs = places.map((_, i) => n * Math.cos((2 * Math.PI * i) / n)),
    ys = places.map((_, i) => n * Math.sin((2 * Math.PI * i) / n));
  const wanted = n <= CROWD ? steps(places, joined) : [];
  for (let round = 0; round < (wanted.length ? ROUNDS : 0); round++) {
    for (let i = 0; i < n; i++) {
      let [weight, x, y] = [0, 0, 0];
      for (let j = 0; j < n; j++) {
        if (i === j) continue;
        const want = wanted[i]![j]!,
          away = Math.hypot(xs[i]! - xs[j]!, ys[i]! - ys[j]!) || 1e-6,
          w = 1 / (want * want);
        weight += w;
        x += w * (xs[j]! + (want * (xs[i]! - xs[j]!)) / away);
        y += w * (ys[j]! + (want * (ys[i]! - ys[j]!)) / away);
      }
      if (weight) [xs[i], ys[i]] = [x / weight, y / weight];
    }
  }
  return places.map((_, i): Point => [xs[i]!, ys[i]!]);
}

/** The number of steps between any two places, a large number if there is no path. */
function steps(
  places: readonly string[],
  joined: readonly (readonly [string, string])[],
): number[][] {
  const at = new Map(places.map((id, i) => [id, i])),
    near = places.map((): number[] => []),
    far = Math.sqrt(places.length) + 2;
  for (const [a, b] of joined) {
    const [i, j] = [at.get(a), at.get(b)];
    if (i === undefined || j === undefined || i === j) continue;
    near[i]!.push(j);
    near[j]!.push(i);
  }
  return places.map((_, from) => {
    const found = new Array<number>(places.length).fill(far),
      queue = [from],
      seen = new Set(queue);
    found[from] = 0;
    for (const here of queue) {
      for (const next of near[here]!) {
        if (seen.has(next)) continue;
        seen.add(next);
        found[next] = found[here]! + 1;
        queue.push(next);
      }
    }
    return found;
  });
}
