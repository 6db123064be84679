// Layout of maps without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Standing } from "../src/counters/pile";
import { atlasOf } from "../src/map/atlas";
import { autoLayout } from "../src/map/autoLayout";
import { distance } from "../src/map/geometry";
import { NAME_FONT, SMALL, TOWN_FONT } from "../src/map/labelBlock";
import { labelBlocksOf } from "../src/map/labelBlocks";
import { ownershipOf as heldBy } from "../src/map/ownership";
import { summed } from "../src/map/textWidth";
import { boardOf, edge, gameOf, member, spot } from "./sheets";

test("widths of words: narrow letters are narrower, accents cost nothing, twice the size is twice as wide", () => {
  assert.ok(summed("ill", NAME_FONT) < summed("mow", NAME_FONT) / 2);
  assert.equal(summed("Éion", TOWN_FONT), summed("Eion", TOWN_FONT));
  assert.equal(summed("abc", "600 20px Inter"), 2 * summed("abc", "600 10px Inter"));
  assert.notEqual(summed("abc", NAME_FONT), summed("abc", NAME_FONT.replace("italic ", "")));
  assert.ok(summed("日本", NAME_FONT) > 0);
});

test("places without points are spread by their borders: neighbours lie nearer than others", () => {
  const ring = ["a", "b", "c", "d", "e", "f"],
    joined = ring.map((id, i) => [id, ring[(i + 1) % 6]!] as const),
    points = autoLayout(ring, joined);
  const gap = (i: number, j: number): number => distance(points[i]!, points[j]!);
  for (let i = 0; i < 6; i++)
    assert.ok(
      gap(i, (i + 1) % 6) < gap(i, (i + 2) % 6) && gap(i, (i + 2) % 6) < gap(i, (i + 3) % 6) + 0.01,
    );
  assert.deepEqual(autoLayout(ring, joined), points);
  assert.deepEqual(autoLayout([], []), []);
  const apart = autoLayout(["a", "b", "c"], [["a", "b"]]);
  assert.ok(distance(apart[0]!, apart[1]!) < distance(apart[0]!, apart[2]!));
});

test("nodes of a game that draws none do not lie on each other", () => {
  const ids = [..."abcdefgh"],
    game = gameOf(
      ids.map((id) => spot(id)),
      [],
      ids.slice(1).map((id, i) => edge(ids[i]!, id)),
    ),
    boxes = [...atlasOf(game).sites.values()].map((site) => site.box);
  for (const [i, one] of boxes.entries())
    for (const other of boxes.slice(i + 1))
      assert.ok(
        one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1],
      );
});

test("corners of four are shown, those of three are not", () => {
  const game = gameOf([spot("a"), spot("b")], []);
  Object.assign(game.sheet.map, {
    corners: [
      { between: ["a", "b", "c", "d"], at: [4, 5] },
      { between: ["a", "b", "c"], at: [1, 1] },
      { between: ["a", "b"], at: null },
    ],
  });
  assert.deepEqual(atlasOf(game).corners, [[4, 5]]);
});

test("points of places, of lines and of the frame are of one system, also where places have no outlines", () => {
  const at = (id: string, x: number, y: number) => spot(id, { at: [x, y] }),
    game = gameOf(
      [at("a", 0, 0), at("b", 10, 0), at("c", 30, 0)],
      [],
      [edge("a", "b", { via: [[5, 5]] }), edge("b", "c")],
      {
        frame: [-5, -5, 35, 10],
        words: [{ name: "sea", label: "Sea", at: [20, 5] }],
      },
    );
  Object.assign(game.sheet.map, { corners: [{ between: ["a", "b"], at: [5, 0] }] });
  const atlas = atlasOf(game),
    [a, b] = [atlas.sites.get("a")!.at, atlas.sites.get("b")!.at],
    scale = (b[0] - a[0]) / 10;
  assert.ok(scale > 1);
  assert.deepEqual(atlas.frame, [-5 * scale, -5 * scale, 35 * scale, 10 * scale]);
  assert.deepEqual(
    [atlas.words[0]!.at, atlas.corners[0]],
    [
      [20 * scale, 5 * scale],
      [5 * scale, 0],
    ],
  );
  const passes = atlas.links[0]!.d.match(/-?[\d.]+[ ,]-?[\d.]+/g)!.map((p) =>
    p.split(/[ ,]/).map(Number),
  );
  assert.ok(
    passes.some(([x, y]) => Math.abs(x! - 5 * scale) < 0.1 && Math.abs(y! - 5 * scale) < 0.1),
    String(passes),
  );
});

test("a place that is a circle is round, and lines end at its rim", () => {
  const game = gameOf(
      [spot("a", { at: [0, 0], round: true }), spot("b", { at: [1, 1] })],
      [],
      [edge("a", "b")],
    ),
    atlas = atlasOf(game),
    site = atlas.sites.get("a")!,
    r = (site.box[2] - site.box[0]) / 2;
  assert.ok(site.round && !atlas.sites.get("b")!.round);
  for (const p of site.ring) assert.ok(Math.abs(distance(p, site.at) - r) < 1e-6);
  const [x, y] = atlas.links[0]!.d.match(/-?[\d.]+/g)!.map(Number);
  assert.ok(Math.abs(distance([x!, y!], site.at) - r) < 0.1);
});

test("each place has a block with a counter for each pile", () => {
  const game = gameOf([spot("a"), spot("b")], [member("p", { owner: "red", type: "F", front: 2 })]),
    board = boardOf(game, { p: "b" }),
    blocks = labelBlocksOf(atlasOf(game), new Standing(board), heldBy(board), SMALL);
  assert.deepEqual(
    [...blocks].map(([id, block]) => [id, block.piles.length]),
    [
      ["a", 0],
      ["b", 1],
    ],
  );
});
