// Outlines and lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  along,
  bounds,
  breadth,
  chains,
  clearance,
  curve,
  inside,
  key,
  middle,
  outlines,
  type Point,
  type Ring,
  roughen,
  teeth,
} from "../src/map/geometry";

const SQUARE: Ring = [
    [0, 0],
    [100, 0],
    [100, 100],
    [0, 100],
  ],
  NEXT: Ring = [
    [100, 0],
    [200, 0],
    [200, 100],
    [100, 100],
  ];
const rough = () => 8;

test("a rough line from a to b is the one from b to a, backwards", () => {
  const a: Point = [3, 5],
    b: Point = [180, 77],
    there = roughen(a, b, 8);
  assert.ok(there.length > 3);
  assert.deepEqual(roughen(b, a, 8), [...there].reverse());
});

test("a rough line stays near the straight one, and none that is not rough leaves it", () => {
  for (const p of roughen([0, 0], [300, 0], 8)) assert.ok(Math.abs(p[1]) < 30);
  for (const p of roughen([0, 0], [300, 0], 0)) assert.equal(Math.abs(p[1]), 0);
});

test("neighbours have the same points on the side that they share", () => {
  const { rings, sides } = outlines(
      new Map([
        ["a", SQUARE],
        ["b", NEXT],
      ]),
      rough,
    ),
    shared = sides.filter((side) => side.owners.length === 2);
  assert.equal(shared.length, 1);
  assert.ok(shared[0]!.inner.length > 2);
  for (const name of ["a", "b"])
    for (const p of shared[0]!.inner)
      assert.ok(
        rings.get(name)!.some((each) => key(each) === key(p)),
        `${key(p)} is not in ${name}`,
      );
});

test("the straight rim of the map stays straight, a slanting one does not", () => {
  const { sides } = outlines(
    new Map([
      [
        "a",
        [
          [0, 0],
          [200, 0],
          [120, 150],
        ] as Ring,
      ],
    ]),
    rough,
  );
  assert.deepEqual(
    sides.map((side) => side.inner.length > 0),
    [false, true, true],
  );
});

test("a corner of a neighbour in the middle of a side parts it", () => {
  const lower: Ring = [
      [0, 100],
      [50, 100],
      [50, 200],
      [0, 200],
    ],
    { sides, rings } = outlines(
      new Map([
        ["a", SQUARE],
        ["c", lower],
      ]),
      () => 0,
    );
  assert.deepEqual(
    sides
      .filter((side) => side.owners.length === 2)
      .map((side) => [side.a, side.b].map(key).sort()),
    [["0,100", "50,100"]],
  );
  assert.ok(rings.get("a")!.some((p) => key(p) === "50,100"));
});

test("chains join sides end to end, whichever way they lie", () => {
  const side = (a: Point, b: Point) => ({ a, b, inner: [], owners: [] });
  const lines = chains([
    side([0, 0], [1, 0]),
    side([2, 0], [1, 0]),
    side([9, 9], [8, 8]),
    side([3, 0], [2, 0]),
  ]);
  assert.deepEqual(lines.map((line) => line.length).sort(), [2, 4]);
  const long = lines.find((line) => line.length === 4)!.map(key);
  assert.ok([long.join(" "), [...long].reverse().join(" ")].includes("0,0 1,0 2,0 3,0"));
});

test("the middle of a ring lies in it, even if the middle of its box does not", () => {
  const hook: Ring = [
      [0, 0],
      [300, 0],
      [300, 40],
      [40, 40],
      [40, 300],
      [0, 300],
    ],
    { at, room } = middle(hook);
  assert.ok(inside(at, hook));
  assert.ok(Math.abs(room - clearance(at, hook, 1.5)) < 1e-9 && room > 15);
});

test("the largest ellipse of a rectangle is as high as it, or two thirds of its width", () => {
  const flat = middle([
      [0, 0],
      [400, 0],
      [400, 100],
      [0, 100],
    ]),
    tall = middle([
      [0, 0],
      [90, 0],
      [90, 400],
      [0, 400],
    ]);
  assert.ok(Math.abs(flat.room - 50) < 1.5, String(flat.room));
  assert.ok(Math.abs(tall.room - 30) < 1.5, String(tall.room));
});

test("the breadth at a height is what is free on both sides", () => {
  assert.equal(breadth([30, 50], 50, SQUARE), 30);
  assert.equal(breadth([30, 50], 500, SQUARE), 0);
});

test("a curve goes through its points and does not run ahead of a short stretch", () => {
  const d = curve([
      [0, 0],
      [10, 0],
      [10, 400],
    ]),
    numbers = d.match(/-?[\d.]+/g)!.map(Number);
  assert.deepEqual(d.match(/[MC]/g), ["M", "C", "C"]);
  const [left, top, right, bottom] = bounds(
    numbers.flatMap((x, i): Point[] => (i % 2 === 0 ? [[x, numbers[i + 1]!]] : [])),
  );
  assert.ok(left >= 0 && right <= 14 && top >= -5 && bottom <= 400, d);
});

test("half way along a line is half its length", () => {
  assert.deepEqual(
    along(
      [
        [0, 0],
        [10, 0],
        [10, 30],
      ],
      0.5,
    ),
    { at: [10, 10], turn: 90 },
  );
});

test("teeth point away from the inner side", () => {
  const made = teeth(
    [
      [0, 0],
      [60, 0],
    ],
    [30, 50],
    15,
    7,
  );
  assert.ok((made.match(/M/g) ?? []).length >= 3);
  for (const stroke of made.match(/l[-\d.]+ ([-\d.]+)/g)!)
    assert.ok(stroke.endsWith("-7.0"), stroke);
});
