// The plot of a game review: the line of expected results for each side, turning points, and a
// scale with round numbers.
import type { Judged } from "./protocol.gen";

export interface Point {
  choice: number;
  value: number;
}
/** The position of choices and values in a box, and round numbers with their positions. */
export interface Scale {
  x(choice: number): number;
  y(value: number): number;
  choices: number[];
  values: number[];
}
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The number of turning points with a number in the plot. */
export const NUMBERED = 12;

/** The expectation at a decision: the lead, or the chance to win in a game without leads. */
export const expectedValue = (judged: Judged): number | null =>
  judged.lead ?? judged.chance?.share ?? null;

/** The expectations of each side at its decisions, in order. */
export function waysOf(decisions: readonly Judged[], sides: readonly string[]): Point[][] {
  return sides.map((side) =>
    decisions.flatMap((each) => {
      const value = expectedValue(each);
      return each.side === side && value !== null ? [{ choice: each.choice, value }] : [];
    }),
  );
}

/** The turning points, the worst first. */
export const turningPoints = (decisions: readonly Judged[]): Judged[] =>
  decisions.filter((each) => each.turning).sort((a, b) => b.loss - a.loss || a.choice - b.choice);

/** The step for about `many` round numbers over a width: 1, 2 or 5 times a power of ten. */
export function stepOf(width: number, many: number): number {
  const least = width / many,
    power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least * 0.8) ?? least;
}

/** Round numbers in a range. */
export function rounds(low: number, high: number, many: number): number[] {
  const step = stepOf(high - low, many),
    out: number[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++)
    out.push(Number((n * step).toPrecision(12)));
  return out;
}

/**
 * The scale of a plot. `all`: the number of choices of the game. `shares`: values are shares of 1. It always
 * includes zero, or a half for shares.
 */
export function scaleOf(
  ways: readonly (readonly Point[])[],
  all: number,
  shares: boolean,
  box: Box,
): Scale {
  const values = ways.flat().map((each) => each.value),
    [low, high] = shares ? [0, 1] : reach(values),
    last = Math.max(all, 2);
  return {
    x: (choice) => box.left + ((choice - 1) / (last - 1)) * (box.right - box.left),
    y: (value) => box.bottom - ((value - low) / (high - low)) * (box.bottom - box.top),
    choices: rounds(1, last, 5).filter((each) => Number.isInteger(each)),
    values: shares ? [0, 0.25, 0.5, 0.75, 1] : rounds(low, high, 4),
  };
}

/** The range of the values and zero, with a margin. */
function reach(values: readonly number[]): [number, number] {
  const low = Math.min(0, ...values),
    high = Math.max(0, ...values),
    rim = (high - low || 2) * 0.08;
  return [low - rim, high + rim];
}

/** The decision nearest to a choice. */
export function nearest(decisions: readonly Judged[], choice: number): Judged | null {
  return decisions.reduce<Judged | null>(
    (best, each) =>
      best === null || Math.abs(each.choice - choice) < Math.abs(best.choice - choice)
        ? each
        : best,
    null,
  );
}
