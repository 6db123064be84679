// The plot of a review: the decisions of each side, round numbers, zero always in sight.

import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import type { Judged } from "../src/protocol.gen";
import {
  expectedValue,
  nearest,
  rounds,
  scaleOf,
  stepOf,
  turningPoints,
  waysOf,
} from "../src/review";

const pick = (side: string, key: string) => ({ side, key, label: key, asked: "", things: [] });
const judged = (
  choice: number,
  side: string,
  lead: number | null,
  more: Partial<Judged> = {},
): Judged => ({
  choice,
  side,
  prompt: "?",
  best: pick(side, "rest"),
  chosen: pick(side, "rest"),
  best_visits: 9,
  chosen_visits: 9,
  loss: 0,
  sure: 0.1,
  lead,
  lead_chosen: lead,
  chance: null,
  turning: false,
  ...more,
});
const share = (choice: number, side: string, of: number) =>
  judged(choice, side, null, {
    chance: { share: of, low: null, high: null, of: "visits", number: 9 },
  });
const box = { left: 10, right: 110, top: 0, bottom: 100 };

test("each side's way goes through its own decisions: its lead, without one its chance", () => {
  const all = [
    judged(1, "red", 2),
    judged(2, "blue", -2),
    judged(5, "red", 3),
    share(6, "red", 0.25),
    judged(7, "blue", null),
  ];
  deepEqual(waysOf(all, ["red", "blue"]), [
    [
      { choice: 1, value: 2 },
      { choice: 5, value: 3 },
      { choice: 6, value: 0.25 },
    ],
    [{ choice: 2, value: -2 }],
  ]);
  equal(expectedValue(judged(7, "blue", null)), null);
});

test("the turning points stand the worst first, those as bad in the order of the game", () => {
  const all = [
    judged(1, "red", 0, { turning: true, loss: 0.2 }),
    judged(2, "red", 0, { loss: 2 }),
    judged(3, "blue", 0, { turning: true, loss: 0.5 }),
    judged(4, "red", 0, { turning: true, loss: 0.2 }),
  ];
  deepEqual(
    turningPoints(all).map((each) => each.choice),
    [3, 1, 4],
  );
});

test("numbers at the axes are round, and not many more than wanted", () => {
  deepEqual(
    [1, 7, 9.9, 0.3, 240].map((width) => stepOf(width, 4)),
    [0.2, 2, 2, 0.1, 50],
  );
  deepEqual(rounds(-3.2, 5.1, 4), [-2, 0, 2, 4]);
  deepEqual(rounds(-0.25, 0.16, 4), [-0.2, -0.1, 0, 0.1]);
  for (let width = 0.01; width < 5000; width *= 1.37)
    ok(
      rounds(-width / 3, width, 4).length <= 7 && rounds(-width / 3, width, 4).includes(0),
      String(width),
    );
});

test("zero and all values lie in the plot; the first and the last choice at its ends", () => {
  for (const values of [[4, 5], [-4, -5], [0], [-1, 30]]) {
    const scale = scaleOf([values.map((value, i) => ({ choice: i + 1, value }))], 30, false, box);
    deepEqual([scale.x(1), scale.x(30)], [10, 110]);
    for (const value of [0, ...values, ...scale.values])
      ok(scale.y(value) >= 0 && scale.y(value) <= 100, `${value} of ${values}`);
    ok(scale.y(1) < scale.y(0) && scale.values.includes(0));
    ok(scale.choices.every((each) => each >= 1 && each <= 30) && scale.choices.length > 2);
  }
});

test("chances have the half in the middle, whatever was expected", () => {
  const scale = scaleOf([[{ choice: 1, value: 0.9 }]], 9, true, box);
  deepEqual([scale.y(0), scale.y(0.5), scale.y(1)], [100, 50, 0]);
});

test("a game of one choice, or of none that were looked at, has a plot", () => {
  const scale = scaleOf([[], []], 1, false, box);
  ok(Number.isFinite(scale.x(1)) && Number.isFinite(scale.y(0)));
});

test("a click belongs to the nearest decision", () => {
  const all = [judged(2, "red", 0), judged(9, "blue", 0)];
  deepEqual(
    [-3, 5, 6, 40].map((at) => nearest(all, at)?.choice),
    [2, 2, 9, 9],
  );
  equal(nearest([], 3), null);
});
