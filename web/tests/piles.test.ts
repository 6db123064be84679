// Piles, label blocks and places.
import assert from "node:assert/strict";
import { test } from "node:test";
import { piles, Standing, size } from "../src/counters/pile";
import { placeLabel } from "../src/map/ariaLabels";
import { atlasOf } from "../src/map/atlas";
import { type Box, inside, type Point } from "../src/map/geometry";
import { type Contents, labelBlockOf, named } from "../src/map/labelBlock";
import { boxAt, FORCE, labelSidesOf } from "../src/map/labelSides";
import { ownershipOf } from "../src/map/ownership";
import { popoverPlacement } from "../src/map/popoverPlacement";
import type { Json } from "../src/protocol.gen";
import { boardOf, edge, gameOf, member, spot } from "./sheets";

const look = { counter: { order: ["F", "H"], round: ["L"] } };
const piece = (
  id: string,
  owner: string,
  type: string | null,
  front: number | null = 2,
  back: number | null = 1,
) => member(id, { owner, type, front, back });
const PIECES = [
  piece("b.F1", "blue", "F"),
  piece("r.H1", "red", "H"),
  piece("r.F1", "red", "F"),
  piece("r.F2", "red", "F", 3),
  piece("r.L1", "red", "L", null, null),
  piece("r.L2", "red", "L", null, null),
];
const AREAS = [
  spot("a", {
    outline: [
      [0, 0],
      [200, 0],
      [200, 160],
      [0, 160],
    ],
  }),
  spot("b", {
    outline: [
      [200, 0],
      [400, 0],
      [400, 160],
      [200, 160],
    ],
  }),
];
const measure = (text: string): number => text.length * 7;

test("a pile is of one side, type and face; medallions lie singly; sides and types have their order", () => {
  const game = gameOf(AREAS, PIECES, [], look),
    made = piles(game, game.pieces.values(), new Set());
  assert.deepEqual(
    made.map((pile) => pile.ids.join("+")),
    ["r.F1+r.F2", "r.H1", "r.L1", "r.L2", "b.F1"],
  );
  assert.deepEqual(
    made.map((pile) => pile.sum),
    [5, 2, null, null, 2],
  );
});

test("a reduced piece lies by itself and counts what its back says", () => {
  const game = gameOf(AREAS, PIECES, [], look),
    made = piles(game, [game.pieces.get("r.F1")!, game.pieces.get("r.F2")!], new Set(["r.F2"]));
  assert.deepEqual(
    made.map(({ ids, sum, reduced }) => [ids[0], sum, reduced]),
    [
      ["r.F1", 2, false],
      ["r.F2", 1, true],
    ],
  );
});

test("pieces without a type lie together by what their names begin with", () => {
  const game = gameOf(
    AREAS,
    [piece("r.F1", "red", null), piece("r.F2", "red", null), piece("r.H1", "red", null)],
    [],
    look,
  );
  assert.deepEqual(
    piles(game, game.pieces.values(), new Set()).map((pile) => pile.ids.length),
    [2, 1],
  );
});

test("what nobody may know stands where it is seen, as one pile without ids", () => {
  const game = gameOf(AREAS, PIECES, [], look),
    standing = new Standing(
      boardOf(
        game,
        { "r.F1": "a" },
        {},
        { Piece: [{ zone: "a" }, { zone: "a" }, { zone: null }, { zone: "?" }] },
      ),
    );
  assert.deepEqual(
    standing.in("a").map((pile) => [size(pile), pile.ids.length]),
    [
      [1, 1],
      [2, 0],
    ],
  );
  assert.deepEqual(standing.in("b"), []);
});

test("of a side are counted those that are known on the map, and those of which one knows no more than whose they are", () => {
  const game = gameOf(AREAS, PIECES, [], look),
    unknown: Record<string, Json> = {
      Piece: [
        { zone: "a", owner: "red" },
        { zone: null, owner: "red" },
        { zone: "b", owner: "blue" },
        { zone: "b" },
      ],
    };
  const counted = (given: Record<string, Json>): number[] => {
    const standing = new Standing(boardOf(game, { "r.F1": "a", "r.F2": "b" }, {}, given));
    return ["red", "blue", "green"].map((side) => standing.of(side));
  };
  assert.deepEqual(counted({}), [2, 0, 0]);
  assert.deepEqual(counted(unknown), [3, 1, 0]);
});

test("a side holds a place by a state of the place, or of a thing printed with it", () => {
  const game = gameOf(AREAS, PIECES, [], look),
    found = ownershipOf(
      boardOf(
        game,
        {},
        { holder: { b: "blue", a: null }, taken: { keep: "red" }, score: { red: 3, blue: 0 } },
      ),
    );
  assert.deepEqual(
    [...found].map(([place, list]) => [place, list[0]!.side, list[0]!.label]),
    [
      ["b", "blue", null],
      ["a", "red", "The keep"],
    ],
  );
});

test("counters shrink before they leave their place, and never below the least", () => {
  const site = atlasOf(gameOf(AREAS, PIECES)).sites.get("a")!,
    has: Contents = {
      tag: "",
      name: "Alpha",
      town: false,
      faint: false,
      flags: 0,
      flag: 19,
      piles: 1,
      cost: "",
      least: 32,
    };
  const [one, nine, many] = [1, 9, 40].map((count) =>
    labelBlockOf(site, { ...has, piles: count }, measure),
  );
  assert.equal(one!.size, 46);
  assert.ok(nine!.size < 46 && nine!.size >= 32);
  assert.equal(many!.size, 32);
  for (const block of [one!, nine!])
    for (const [x, y] of block.piles)
      for (const far of [0, block.size])
        assert.ok(inside([x + far, y + far], site.ring), `${x} ${y}`);
});

test("no two counters of a block overlap", () => {
  const site = atlasOf(gameOf(AREAS, PIECES)).sites.get("a")!,
    { piles: at, size: side } = labelBlockOf(
      site,
      {
        tag: "",
        name: "Alpha",
        town: false,
        faint: false,
        flags: 0,
        flag: 19,
        piles: 11,
        cost: "",
        least: 32,
      },
      measure,
    );
  for (const [i, a] of at.entries())
    for (const b of at.slice(i + 1))
      assert.ok(Math.abs(a[0] - b[0]) >= side || Math.abs(a[1] - b[1]) >= side);
});

test("a cost stays in its place where it can", () => {
  const site = atlasOf(gameOf(AREAS, PIECES)).sites.get("a")!,
    { cost } = labelBlockOf(
      site,
      {
        tag: "",
        name: "A name of many letters",
        town: false,
        faint: false,
        flags: 0,
        flag: 19,
        piles: 0,
        cost: "3 MP",
        least: 32,
      },
      measure,
    );
  for (const side of [-1, 1])
    assert.ok(inside([cost!.at[0] + (side * cost!.width) / 2, cost!.at[1]], site.ring));
});

test("a label that begins with its id has it set apart", () => {
  assert.deepEqual(named("T12", "T12", "T12 Old town"), { tag: "T12", name: "Old town" });
  assert.deepEqual(named("camp", "camp", "the camp"), { tag: "", name: "the camp" });
});

test("places without outlines are spread until they have room; without borders they are cells side by side", () => {
  const points = [spot("a", { at: [0, 1] }), spot("b", { at: [2, 0] }), spot("c", { at: [2, 2] })],
    nodes = [...atlasOf(gameOf(points, [], [edge("a", "b"), edge("b", "c")])).sites.values()];
  for (const a of nodes)
    for (const b of nodes)
      if (a !== b)
        assert.ok(
          a.box[2] < b.box[0] || b.box[2] < a.box[0] || a.box[3] < b.box[1] || b.box[3] < a.box[1],
        );
  const cells = atlasOf(
    gameOf([spot("a1", { at: [1, -1] }), spot("b1", { at: [2, -1] })], []),
  ).sites;
  assert.equal(cells.get("a1")!.box[2], cells.get("b1")!.box[0]);
});

test("a border of places side by side is a line and has a gate; another one is a link, by way of its points", () => {
  const box = spot("c", { box: [500, 40, 600, 120] }),
    edges = [
      edge("a", "b", { style: "river", marks: ["bridge"] }),
      edge("b", "c", { via: [[450, 20]] }),
    ],
    atlas = atlasOf(gameOf([...AREAS, box], [], edges));
  assert.deepEqual(
    atlas.lines.map((line) => line.style),
    ["river"],
  );
  assert.ok(Math.abs(atlas.gate("a", "b")![0] - 200) < 20 && atlas.gate("b", "c") === null);
  assert.ok(Math.abs(atlas.signs[0]!.at[1] - 80) < 20);
  assert.ok(atlas.links.length === 1 && atlas.links[0]!.d.includes("450 20"));
});

test("a card beside a place hides neither it nor, if it can, what is lit", () => {
  const lit: [number, number][] = [
      [600, 300],
      [620, 340],
    ],
    spot = popoverPlacement({
      host: [1000, 700],
      size: [300, 200],
      at: [450, 320],
      room: 60,
      lit,
      busy: [],
    });
  const hides = ([x, y]: [number, number]): boolean =>
    x > spot.left && x < spot.left + 300 && y > spot.top && y < spot.top + 200;
  assert.ok(![[450, 320] as [number, number], ...lit].some(hides));
  assert.ok(spot.left >= 8 && spot.top >= 8 && spot.left <= 692 && spot.top <= 492);
});

test("a card that lies somewhere stays there, unless it hides what may be clicked", () => {
  const board = {
    host: [1000, 700] as [number, number],
    size: [300, 200] as [number, number],
    at: [450, 320] as [number, number],
    room: 60,
    busy: [],
  };
  const first = popoverPlacement({ ...board, lit: [] }),
    under: [number, number] = [first.left + 150, first.top + 100],
    far: [number, number] = [first.left - 30, 10];
  const moved = popoverPlacement({ ...board, lit: [under], kept: first });
  assert.notDeepEqual([moved.left, moved.top], [first.left, first.top]);
  assert.deepEqual(popoverPlacement({ ...board, lit: [far], kept: first }), first);
  assert.deepEqual(popoverPlacement({ ...board, lit: [far], kept: moved }), moved);
});

test("what a side holds of things that have the id of a place holds no place", () => {
  const game = gameOf(AREAS, PIECES, [], look);
  assert.equal(
    ownershipOf(boardOf(game, {}, { taken: { a: "red" }, colour: { a: "red" } })).size,
    0,
  );
});

test("what is said of a place: who holds it, who stands there, whether and at what cost it may be clicked", () => {
  const game = gameOf(AREAS, PIECES, [], look),
    board = boardOf(game, { "r.F1": "a", "r.F2": "a" }, { holder: { a: "blue" } });
  const label = placeLabel(
    game,
    "a",
    new Standing(board).in("a"),
    ownershipOf(board).get("a") ?? [],
    { cost: "2 MP", fight: true, sure: true },
    "en",
  );
  for (const part of ["a", "held by blue", "2 × Foot (red), 5", "may be clicked, 2 MP, a fight"])
    assert.ok(label.includes(part), label);
  assert.ok(!placeLabel(game, "b", [], [], undefined, "en").includes("clicked"));
});

test("where forces stand beside signs, a counter stands where it hides neither names nor forces, of neighbours neither", () => {
  const spots = [
      { id: "north", at: [100, 60] as Point, size: 9, name: [50, 15] as Point },
      { id: "south", at: [84, 110] as Point, size: 9, name: [46, 15] as Point },
    ],
    found = labelSidesOf(spots, [[spots[0]!.at, spots[1]!.at]], null, true),
    over = (a: Box, b: Box): boolean =>
      Math.min(a[2], b[2]) > Math.max(a[0], b[0]) && Math.min(a[3], b[3]) > Math.max(a[1], b[1]),
    taken = spots.flatMap(({ id, at, size, name }): Box[] => [
      boxAt(at, size + 3, found.get(id)!.name, name),
      boxAt(at, size + 3, found.get(id)!.force, FORCE),
    ]);
  for (const { id, at, size } of spots) {
    const counter = boxAt(at, size + 3, found.get(id)!.pile, [32, 32]);
    assert.equal(
      taken.some((box) => over(counter, box)),
      false,
      id,
    );
  }
  assert.deepEqual(
    labelSidesOf(spots, [], null, false).get("north")!.pile,
    [0, 1],
    "nobody is in their way",
  );
});
