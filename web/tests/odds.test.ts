// Groups of results, and certain consequences.

import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { consequenceOf, isHarm } from "../src/consequence";
import { Game } from "../src/game";
import { bundles, bySide, columnsOf, printedValues } from "../src/odds";
import type { Change, Kind, Result, Sheet, Way } from "../src/protocol.gen";

const member = (id: string, label = id, printed: Kind["members"][number]["printed"] = {}) => ({
  id,
  label,
  short: id,
  printed,
});
const kind = (
  name: string,
  sort: string,
  members: Kind["members"],
  attributes: Kind["attributes"] = [],
): Kind => ({ name, label: name, sort, attributes, members, ordered: false, secret: false });
const number = (name: string, low: number, high: number) => ({
  name,
  label: name,
  form: "int",
  kind: null,
  unit: null,
  low,
  high,
});
const link = (name: string, label: string, of: string) => ({
  name,
  label,
  form: "member",
  kind: of,
  unit: null,
  low: null,
  high: null,
});

const sheet: Sheet = {
  game: "g",
  title: "G",
  version: "1",
  rules: "",
  scenario: "s",
  scenario_title: "S",
  rulings: {},
  lang: "en",
  languages: ["en"],
  sides: [member("red", "Red"), member("blue", "Blue")],
  kinds: [
    kind("Side", "side", [member("red", "Red"), member("blue", "Blue")]),
    kind("Zone", "place", [member("R", "River"), member("wood", "Wood")]),
    kind("Piece", "piece", [
      member("a", "A", { owner: "red" }),
      member("b", "B", { owner: "red" }),
      member("x", "X", { owner: "blue" }),
    ]),
    kind(
      "Loss",
      "thing",
      [member("R", "none", { parts: 0 }), member("half", "half", { parts: 2 })],
      [number("parts", 0, 4)],
    ),
    kind(
      "Outcome",
      "thing",
      [member("o1", "O1", { att: "R", def: "half" })],
      [link("att", "attacker", "Loss"), link("def", "defender", "Loss")],
    ),
  ],
  pieces: [
    {
      kind: "Piece",
      place: "zone",
      owner: "owner",
      glyph: null,
      front: null,
      back: null,
      reduced: "weak",
      bonus: null,
      band: null,
    },
  ],
  map: { spots: [], edges: [], closed: [], corners: [] },
  tracks: [],
  faces: [],
  units: {},
  paragraphs: {},
  look: { sides: {} },
  card_kind: null,
  face_kind: null,
  cells: {},
};
const game = new Game(sheet);

const result = (die: number | null, more: Partial<Result> = {}): Result => ({
  chance: die === null ? [1, 1] : [1, 6],
  rolls: die === null ? [] : [{ purpose: "fight", who: "red", value: die }],
  end: "decision",
  outcome: null,
  events: [],
  lines: [],
  tables: [],
  changes: [],
  points: {},
  further: 0,
  hidden: false,
  ...more,
});
const way = (results: Result[], more: Partial<Way> = {}): Way => ({
  key: "k",
  label: "k",
  results,
  complete: true,
  splits: [],
  turns: [],
  workings: [],
  hidden: false,
  ...more,
});
const gone = (of: string): Change => ({ cell: "zone", of, before: "wood", after: null });
const outcome = (params: Record<string, number | string>, printed = {}) => ({
  name: "fought",
  params,
  printed,
  kinds: {},
});

test("results that differ by their dice alone are one; their chances add up; lines that all tell stay", () => {
  const all = bundles(
    [1, 2, 3].map((die) =>
      result(die, {
        outcome: outcome({ die, won: die > 2 ? "yes" : "no" }),
        lines: [`rolls ${die}`, die > 2 ? "won" : "lost"],
      }),
    ),
  );
  deepEqual(
    all.map((each) => [each.chance, each.rolls, each.lines]),
    [
      [[1, 3], [[1], [2]], ["lost"]],
      [[1, 6], [[3]], ["rolls 3", "won"]],
    ],
  );
});

test("a number that is the die and a modifier is but the die", () => {
  equal(
    bundles([1, 2].map((die) => result(die, { outcome: outcome({ total: die + 3 }) }))).length,
    1,
  );
});

test("what is printed on a result has the labels of its own kind, though another kind has the same ids", () => {
  const first = result(1, {
    outcome: outcome({ result: "o1" }, { result: { att: { id: "R" }, def: { id: "half" } } }),
  });
  deepEqual(printedValues(first, game), [
    { label: "attacker", text: "none", share: 0 },
    { label: "defender", text: "half", share: 0.5 },
  ]);
});

test("the share of each side is that of the split by sides", () => {
  const splits = [
    { param: "winner", value: "red", chance: [2, 3] as [number, number], rolls: [] },
    { param: "winner", value: "blue", chance: [1, 3] as [number, number], rolls: [] },
  ];
  deepEqual(
    bySide(way([result(1)], { splits }), game)?.map((each) => [each.side, each.chance]),
    [
      ["red", [2, 3]],
      ["blue", [1, 3]],
    ],
  );
  equal(bySide(way([result(1)]), game), null);
});

test("no columns are shown where none is read", () => {
  equal(columnsOf(way([result(1)]), game), null);
});

test("what is lost in every result is lost for sure; in some it is at risk", () => {
  const what = consequenceOf(
    way([
      result(1, { changes: [gone("a"), gone("b"), gone("x")] }),
      result(2, { changes: [gone("a")] }),
    ]),
    "red",
    game,
  );
  deepEqual([what.lost, what.atRisk, what.rolls], [["a"], ["b"], true]);
  equal(isHarm(what, "red"), true);
});

test("so many are lost for sure, though which of them is not: by the dice, or by what one chooses next", () => {
  const either = consequenceOf(
    way([result(1, { changes: [gone("a")] }), result(2, { changes: [gone("b")] })]),
    "red",
    game,
  );
  deepEqual([either.lost, either.losses, isHarm(either, "red")], [[], 1, true]);
  const crowded = consequenceOf(way([result(null, { further: 2 })]), "red", game);
  deepEqual([crowded.lost, crowded.losses, isHarm(crowded, "red")], [[], 2, true]);
  const perhaps = consequenceOf(way([result(1, { further: 1 }), result(2)]), "red", game);
  deepEqual([perhaps.losses, isHarm(perhaps, "red")], [0, false]);
});

test("what the other side loses is no harm", () => {
  const what = consequenceOf(way([result(null, { changes: [gone("x")] })]), "red", game);
  deepEqual([what.lost, isHarm(what, "red")], [[], false]);
});

test("points that all results agree on are told; a loss of one's own is harm", () => {
  const what = consequenceOf(
    way([result(1, { points: { red: -2, blue: 1 } }), result(2, { points: { red: -2 } })]),
    "red",
    game,
  );
  deepEqual(what.points, { red: -2 });
  equal(isHarm(what, "red"), true);
});
