// Drafts of moves: the possible next clicks, and the resulting option keys.

import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { cardOf } from "../src/handle";
import { type Ground, MoveDraft, purposeOf, summed, thingsOf } from "../src/moveDraft";
import type { Asked, Forecast, Offered, ParamType, Points, Reach } from "../src/protocol.gen";

const ROLES: Record<string, string> = {
  p: "piece",
  q: "piece",
  z: "place",
  n: "number",
  f: "thing",
  how: "thing",
  s: "side",
};
const KINDS: Record<string, string> = {
  p: "Piece",
  q: "Piece",
  z: "Zone",
  f: "Face",
  how: "How",
  s: "Side",
};

function option(
  key: string,
  params: Record<string, string | number> = {},
  more: Partial<Offered> = {},
): Offered {
  const types = Object.fromEntries(
    Object.keys(params).map((name): [string, ParamType] => [
      name,
      {
        form: name === "n" ? "int" : "member",
        kind: KINDS[name] ?? null,
        role: ROLES[name] ?? "thing",
      },
    ]),
  );
  return {
    key,
    verb: key.split(" ")[0]!,
    label: key,
    params,
    types,
    cost: [],
    ends_at: null,
    may_stop: null,
    ref: [],
    spans: [key],
    ...more,
  };
}

const asked = (kind: string, options: Offered[]): Asked => ({
  player: "red",
  kind,
  prompt: "?",
  ref: [],
  moment: null,
  procedure: "day",
  left: [],
  undo: { may: false, why: "" },
  forced: false,
  options,
  spans: ["?"],
});

const ground = (more: Partial<Ground> = {}): Ground => ({
  inHand: new Set(),
  at: new Map([
    ["a", "wood"],
    ["b", "wood"],
    ["c", "ford"],
  ]),
  movable: new Set(),
  joining: new Set(),
  ...more,
});

const points = (amount: number | null, unit = "MP"): Points => ({ amount, unit, of: "march" });

const reach = (place: string, keys: string[], more: Partial<Reach> = {}): Reach => ({
  place,
  keys,
  stop: "stop",
  may_stop: true,
  way: [place],
  cost: [points(1)],
  fight: null,
  stopped_by: null,
  sure: keys.length,
  left: null,
  ...more,
});

const forecast = (more: Partial<Forecast>): Forecast => ({
  keys: [],
  cost: [],
  left: null,
  places: [],
  stopped_by: null,
  refused: null,
  leads: [],
  steps: {},
  ...more,
});

const march = [
  option("add a", { p: "a" }),
  option("add b", { p: "b" }),
  option("add c", { p: "c" }),
];

test("an option with a piece makes the piece clickable, one with a place lights it, one with a number is a number, others are buttons", () => {
  const plan = new MoveDraft(
    asked("choose", [
      option("rest a", { p: "a" }),
      option("build ford", { z: "ford" }),
      option("pick 2", { n: 2 }),
      option("pass"),
      option("talk blue", { s: "blue" }),
    ]),
    ground(),
  );
  deepEqual([...plan.legal()], ["a"]);
  deepEqual([...plan.lit().keys()], ["ford"]);
  deepEqual(
    plan.buttons().map((each) => each.key),
    ["pick 2", "pass", "talk blue"],
  );
});

test("a piece that stands nowhere yet has a button, alone and in a group", () => {
  const coming = [option("add a", { p: "a" }), option("add new", { p: "new" })];
  for (const kind of ["pick", "group"]) {
    const plan = new MoveDraft(asked(kind, coming), ground());
    deepEqual([...plan.legal()], ["a"]);
    deepEqual(
      plan.buttons().map((each) => each.key),
      ["add new"],
    );
  }
  equal(new MoveDraft(asked("pick", [coming[1]!]), ground()).need(), "nothing");
});

test("a face of a card in the hand is played by a click on it; a thing elsewhere is a button", () => {
  const options = [option("play F1", { f: "F1" }), option("play F2", { f: "F2" })];
  const plan = new MoveDraft(
    asked("window", options),
    ground({ inHand: new Set([cardOf("Face", "F1")]) }),
  );
  deepEqual([...plan.faces().keys()], [cardOf("Face", "F1")]);
  deepEqual(
    plan.buttons().map((each) => each.key),
    ["play F2"],
  );
  const played = plan.play(cardOf("Face", "F1"));
  deepEqual(played.keys(), ["play F1"]);
  equal(played.isCostly, true);
});

test("a card of the hand is not played where a place of the same id is asked for", () => {
  const plan = new MoveDraft(
    asked("choose", [option("to wood", { z: "wood" }), option("to hill", { z: "hill" })]),
    ground({ inHand: new Set([cardOf("Face", "wood")]) }),
  );
  equal(plan.faces().size, 0);
  equal(plan.aim("wood").isCostly, false);
});

test("a card that has the id of a place is no place: it lights none, and a thing of another kind with its id is no card", () => {
  const card = cardOf("Face", "wood"),
    options = [option("play wood", { f: "wood" }), option("as wood", { how: "wood" })];
  const plan = new MoveDraft(asked("choose", options), ground({ inHand: new Set([card]) }));
  deepEqual([...plan.faces().keys()], [card]);
  deepEqual(
    plan.buttons().map((each) => each.key),
    ["as wood"],
  );
  deepEqual([...plan.lit().keys()], []);
  const played = plan.play(card);
  deepEqual(played.clicks.picked, [`card ${card}`]);
  deepEqual(options.map(thingsOf), [[], []], "what it names lies nowhere on the map");
});

test("a second click on what completes a choice confirms it; on anything else it is another click", () => {
  const card = cardOf("Face", "F1"),
    options = [
      option("play F1", { f: "F1" }),
      option("flee a wood", { p: "a", z: "wood" }),
      option("flee a ford", { p: "a", z: "ford" }),
    ];
  const plan = new MoveDraft(asked("choose", options), ground({ inHand: new Set([card]) }));
  equal(plan.confirms(`card ${card}`), false);
  equal(plan.play(card).confirms(`card ${card}`), true);
  equal(plan.play(card).confirms("piece a"), false);
  equal(plan.pick("a").confirms("piece a"), false, "it is not complete");
  equal(plan.pick("a").aim("ford").confirms("place ford"), true);
});

test("what costs must be said twice, what is free need not", () => {
  const plan = new MoveDraft(
    asked("choose", [
      option("enter ford", { z: "ford" }, { cost: [points(2)] }),
      option("enter wood", { z: "wood" }),
    ]),
    ground(),
  );
  equal(plan.aim("ford").isCostly, true);
  equal(plan.aim("wood").isCostly, false);
  deepEqual(plan.aim("ford").keys(), ["enter ford"]);
});

test("what a number is for stands in the words of its option", () => {
  const purpose = (label: string, n: number) => purposeOf(option(`x ${n}`, { n }, { label }));
  deepEqual(
    [
      purpose("Revolt: 3", 3),
      purpose("lose 3 steps", 3),
      purpose("3", 3),
      purpose("F14 takes 4", 4),
    ],
    ["Revolt", "lose … steps", "", "F14 takes"],
  );
  equal(purpose("all of them", 3), null);
});

test("another place may be aimed at instead", () => {
  const plan = new MoveDraft(
    asked("choose", [option("enter ford", { z: "ford" }), option("enter wood", { z: "wood" })]),
    ground(),
  );
  deepEqual(plan.aim("ford").aim("wood").keys(), ["enter wood"]);
});

test("of options with a piece and a place both are clicked, in any order, and one is enough where it decides", () => {
  const plan = new MoveDraft(
    asked("choose", [
      option("flee a wood", { p: "a", z: "wood" }),
      option("flee a ford", { p: "a", z: "ford" }),
      option("flee b hill", { p: "b", z: "hill" }),
    ]),
    ground(),
  );
  equal(plan.pick("a").keys(), null);
  deepEqual([...plan.pick("a").lit().keys()], ["wood", "ford"]);
  deepEqual(plan.pick("a").aim("ford").keys(), ["flee a ford"]);
  deepEqual(plan.aim("hill").keys(), ["flee b hill"]);
  deepEqual(plan.pick("a").aim("ford").aim("wood").keys(), ["flee a wood"]);
});

test("options that the clicks do not tell apart are buttons", () => {
  const plan = new MoveDraft(
    asked("choose", [
      option("siege t storm", { z: "t", how: "storm" }),
      option("siege t wait", { z: "t", how: "wait" }),
      option("pass"),
    ]),
    ground(),
  );
  deepEqual(
    plan.buttons().map((each) => each.key),
    ["pass"],
  );
  const aimed = plan.aim("t");
  equal(aimed.keys(), null);
  equal(aimed.need(), "which");
  deepEqual(
    aimed.buttons().map((each) => each.key),
    ["siege t storm", "siege t wait"],
  );
});

test("pieces of a group toggle in any order; the forecast is asked for the set", () => {
  const plan = new MoveDraft(asked("group", march), ground());
  deepEqual(plan.pick("b").pick("a").wants(), ["add b", "add a"]);
  deepEqual(plan.pick("b").pick("a").pick("b").wants(), ["add a"]);
  equal(plan.wants(), null);
});

test("a group goes to a place of the forecast by its keys, and stops there", () => {
  const ahead = forecast({
    keys: ["add a", "go"],
    places: [
      reach("ford", ["add a", "go", "to ford"]),
      reach("hill", ["add a", "go", "to ford", "to hill"], { stop: "" }),
      reach("wood", ["add a", "go"]),
    ],
  });
  const plan = new MoveDraft(asked("group", march), ground()).pick("a").foreseen(ahead);
  deepEqual([...plan.lit().keys()], ["ford", "hill"], "where it stands is no goal");
  equal(plan.keys(), null, "a place is missing");
  deepEqual(plan.aim("ford").keys(), ["add a", "go", "to ford", "stop"]);
  deepEqual(plan.aim("hill").keys(), ["add a", "go", "to ford", "to hill"]);
});

test("a click on a piece after the aim asks again", () => {
  const plan = new MoveDraft(asked("group", march), ground())
    .pick("a")
    .foreseen(forecast({ places: [reach("ford", ["add a"])] }))
    .aim("ford");
  equal(plan.pick("b").keys(), null);
  equal(plan.pick("b").need(), "forecast");
});

test("a group behind which no place is asked for is closed by its own keys alone", () => {
  const more = forecast({ keys: ["add a", "go", "go"], stopped_by: "choice" });
  deepEqual(
    new MoveDraft(asked("group", [...march, option("go")]), ground())
      .pick("a")
      .foreseen(more)
      .keys(),
    ["add a", "go"],
  );
  deepEqual(
    new MoveDraft(asked("group", march), ground())
      .pick("a")
      .foreseen(forecast({ keys: ["add a"], stopped_by: "choice" }))
      .keys(),
    ["add a"],
    "it ends by itself",
  );
  deepEqual(
    new MoveDraft(asked("group", march), ground())
      .pick("a")
      .foreseen(forecast({ keys: ["add a", "pick 1"], stopped_by: "choice" }))
      .keys(),
    ["add a"],
  );
});

test("a group that needs more is not closed", () => {
  const plan = new MoveDraft(asked("group", march), ground())
    .pick("a")
    .foreseen(forecast({ keys: ["add a"], stopped_by: "group" }));
  equal(plan.keys(), null);
  equal(plan.need(), "more");
});

test("an empty group may be closed by its button", () => {
  const plan = new MoveDraft(asked("group", [...march, option("go")]), ground());
  deepEqual(
    plan.buttons().map((each) => each.key),
    ["go"],
  );
  deepEqual(plan.pick("a").buttons(), []);
});

test("a stack opens by itself if all that may go stand in it", () => {
  equal(new MoveDraft(asked("group", march), ground()).home(), null);
  equal(new MoveDraft(asked("group", march.slice(0, 2)), ground()).home(), "wood");
});

test("a piece that a move can begin with is clickable, and leads into it", () => {
  const plan = new MoveDraft(
    asked("choose", [option("activate wood", { z: "wood" }), option("pass")]),
    ground({ movable: new Set(["a", "b", "c"]) }),
  );
  deepEqual([...plan.legal()], ["a", "b", "c"]);
  const led = plan.pick("a").pick("b");
  deepEqual(led.wants(), ["add a", "add b"]);
  deepEqual([...led.lit().keys()], [], "the places of the decision are not those of the move");
  deepEqual(led.buttons(), []);
  const keys = ["activate wood", "move", "add a", "add b", "go", "to ford"];
  const aimed = led
    .foreseen(forecast({ keys: keys.slice(0, 5), places: [reach("ford", keys)] }))
    .aim("ford");
  deepEqual(aimed.keys(), [...keys, "stop"]);
  equal(aimed.isCostly, true);
});

test("pieces of a move that is led into stand in one place", () => {
  const plan = new MoveDraft(
    asked("choose", [option("pass")]),
    ground({ movable: new Set(["a", "b", "c"]) }),
  );
  deepEqual(plan.pick("a").pick("c").clicks.picked, ["piece c"]);
});

test("who may only come along may be clicked once somebody is chosen, and does not stay alone", () => {
  const plan = new MoveDraft(
    asked("choose", [option("pass")]),
    ground({ movable: new Set(["a"]), joining: new Set(["b"]) }),
  );
  deepEqual([...plan.legal()], ["a"]);
  equal(plan.pick("b"), plan);
  const both = plan.pick("a").pick("b");
  deepEqual([...plan.pick("a").legal()].sort(), ["a", "b"]);
  deepEqual(both.wants(), ["add a", "add b"]);
  deepEqual(both.pick("b").clicks.picked, ["piece a"]);
  deepEqual(both.pick("a").clicks.picked, []);
});

test("where several ways lead to a move one of them is chosen", () => {
  const ways = [["raid"], ["march"]];
  const plan = new MoveDraft(
    asked("choose", [option("raid"), option("march")]),
    ground({ movable: new Set(["a"]) }),
  )
    .pick("a")
    .foreseen(forecast({ stopped_by: "several", leads: ways }));
  deepEqual(plan.ways(), ways);
  equal(plan.need(), "which");
  deepEqual(plan.by(["raid"]).wants(), ["raid", "add a"]);
});

test("several ways that differ by a place light these places; a click on one is way and aim", () => {
  const ways = [
    ["activate wood", "raid", "pick ford"],
    ["activate wood", "raid", "pick hill"],
  ];
  const steps = {
    "activate wood": { label: "", places: ["wood"] },
    raid: { label: "", places: [] },
    "pick ford": { label: "", places: ["ford"] },
    "pick hill": { label: "", places: ["hill"] },
  };
  const plan = new MoveDraft(
    asked("choose", [option("activate wood", { z: "wood" })]),
    ground({ movable: new Set(["a"]) }),
  )
    .pick("a")
    .foreseen(forecast({ stopped_by: "several", leads: ways, steps }));
  deepEqual([...plan.lit().keys()], ["ford", "hill"]);
  equal(plan.need(), "place");
  const aimed = plan.aim("hill");
  deepEqual(aimed.wants(), [...ways[1]!, "add a"]);
  const keys = [...ways[1]!, "add a", "go"];
  deepEqual(
    aimed.foreseen(forecast({ keys, places: [reach("hill", keys, { stop: "" })] })).keys(),
    keys,
  );
  deepEqual(aimed.back()?.clicks.aimed, null);
});

test("a walk goes to any place of its forecast at once; without one to the next place", () => {
  const walk = asked("walk", [option("to ford", { z: "ford" }), option("stop")]);
  const plan = new MoveDraft(walk, ground());
  deepEqual(plan.wants(), []);
  deepEqual(plan.aim("ford").keys(), ["to ford"]);
  const far = plan.foreseen(forecast({ places: [reach("hill", ["to ford", "to hill"])] }));
  deepEqual(far.aim("hill").keys(), ["to ford", "to hill", "stop"]);
  deepEqual(
    far.buttons().map((each) => each.key),
    ["stop"],
  );
});

test("one step back takes the aim, then the last click", () => {
  const plan = new MoveDraft(asked("group", march), ground())
    .pick("a")
    .pick("b")
    .foreseen(forecast({ places: [reach("ford", ["x"])] }))
    .aim("ford");
  equal(plan.back()?.clicks.aimed, null);
  deepEqual(plan.back()?.back()?.clicks.picked, ["piece a"]);
  equal(plan.back()?.back()?.back()?.back(), null);
});

test("exactly some of a stack are chosen, and the others of the group stay", () => {
  const plan = new MoveDraft(asked("group", march), ground()).pick("c");
  deepEqual(plan.exactly(["a", "b"], "wood").clicks.picked, ["piece c", "piece a", "piece b"]);
  deepEqual(plan.exactly(["a", "b"], "wood").exactly([], "wood").clicks.picked, ["piece c"]);
});

test("equal points are added up, unknown ones stay unknown", () => {
  deepEqual(
    summed([points(1), points(2), points(1, "AP")]).map((each) => [each.amount, each.unit]),
    [
      [3, "MP"],
      [1, "AP"],
    ],
  );
  deepEqual(
    summed([points(1), points(null)]).map((each) => each.amount),
    [null],
  );
});

test("a group that stays where it is, whatever is asked next, is confirmed without a place", () => {
  const sail = new MoveDraft(
    asked("group", [option("add a", { p: "a" }), option("add b", { p: "b" })]),
    ground(),
  )
    .pick("a")
    .pick("b");
  const plan = sail.foreseen(
    forecast({
      keys: ["add a", "add b"],
      places: [reach("wood", ["add a", "add b"], { stop: "" })],
      stopped_by: "choice",
    }),
  );
  deepEqual([...plan.lit().keys()], []);
  deepEqual(plan.keys(), ["add a", "add b"]);
  equal(plan.need(), "confirm");
});

test("that the next group wants members does not keep this one open", () => {
  const sail = new MoveDraft(
      asked("group", [option("add a", { p: "a" }), option("add b", { p: "b" })]),
      ground(),
    ),
    wants = (keys: string[]): Forecast => forecast({ keys, stopped_by: "group" });
  deepEqual(
    sail
      .pick("a")
      .pick("b")
      .foreseen(wants(["add a", "add b"]))
      .keys(),
    ["add a", "add b"],
  );
  deepEqual(
    sail
      .pick("a")
      .foreseen(wants(["add a", "go"]))
      .keys(),
    ["add a", "go"],
  );
  equal(
    sail
      .pick("a")
      .foreseen(wants(["add a"]))
      .keys(),
    null,
  );
  equal(
    sail
      .pick("a")
      .foreseen(wants(["add a"]))
      .need(),
    "more",
  );
});
