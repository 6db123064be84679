// Analysis requests: their contents and order, what they forget, and what stays lit.

import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { Analyst, runsOf } from "../src/analysis";
import type { Analysis, Choice, Judged, Part } from "../src/protocol.gen";
import { gameOf, member, spot } from "./sheets";

const pick = (side: string, key: string | null): Choice => ({
  side,
  key,
  label: key ?? "?",
  asked: "",
  things:
    key === "move a wood"
      ? [
          ["Piece", "a"],
          ["Zone", "wood"],
          ["Type", "ford"],
        ]
      : [],
});
const judged = (choice: number, side: string): Judged => ({
  choice,
  side,
  prompt: "?",
  best: pick(side, "move a wood"),
  chosen: pick(side, "rest"),
  best_visits: 9,
  chosen_visits: 9,
  loss: 0,
  sure: 0.1,
  lead: 0,
  lead_chosen: 0,
  chance: null,
  turning: false,
});
const part = (decisions: number[], next: number | null): Part => ({
  sides: ["red", "blue"],
  total: "Points",
  horizon: null,
  choices: 6,
  natively: true,
  visits: 10,
  next,
  decisions: decisions.map((each) => judged(each, "red")),
});
const game = gameOf(
  [spot("wood"), spot("ford")],
  [member("a", { type: "F" }), member("b", { type: "F" })],
);

/** A store of which one may say how it stands; `asked`: what was asked of the table, and how it is answered. */
function store(more: Record<string, unknown> = {}) {
  const asked: { what: { type: string; begin?: number }; done(value: unknown): void }[] = [];
  const made = {
    choice: signal(6),
    seat: signal("red"),
    isOver: signal(true),
    frame: signal<number | null>(null),
    eyes: signal<string | null>(null),
    game: signal(game),
    table: signal({ hints: true, secrets: true, sheet: { lang: "en" } }),
    state: signal({ decision: { player: "red", options: [] } }),
    say: signal(() => ""),
    went: [] as number[],
    asked,
    goTo(choice: number) {
      made.went.push(choice);
      made.frame.value = choice;
      return Promise.resolve();
    },
    query: (what: { type: string }) => new Promise((done) => asked.push({ what, done })),
    link: { ask: (what: { type: string }) => new Promise((done) => asked.push({ what, done })) },
    ...more,
  };
  return made;
}
const rest = () => new Promise((done) => setTimeout(done, 0));
type Made = ReturnType<typeof store>;
const analystOf = (made: Made) => new Analyst(made as never);

test("the review is requested part by part, from where the last one ended", async () => {
  const made = store(),
    analyst = analystOf(made),
    done = analyst.look();
  for (const [each, next] of [
    [[1, 2], 4],
    [[4], 5],
    [[5, 6], null],
  ] as [number[], number | null][]) {
    equal(analyst.isWhole.value, false);
    made.asked.at(-1)!.done(part(each, next));
    await rest();
  }
  await done;
  deepEqual(
    made.asked.map(({ what }) => what.begin),
    [1, 4, 5],
  );
  deepEqual(
    analyst.decisions.value.map((each) => each.choice),
    [1, 2, 4, 5, 6],
  );
  deepEqual(
    [analyst.isWhole.value, analyst.isReviewing.value, analyst.done.value],
    [true, false, 6],
  );
});

test("it asks no more when it is stopped or not seen; it goes on when it is seen again, but not when it was stopped", async () => {
  for (const [stop, more] of [
    [(each: InstanceType<typeof Analyst>) => each.stop(), 0],
    [(each: InstanceType<typeof Analyst>) => each.seen(false), 1],
  ] as const) {
    const made = store(),
      analyst = analystOf(made),
      done = analyst.look();
    stop(analyst);
    equal(made.asked.at(-1)!.what.type, "stop");
    made.asked[0]!.done(part([1], 2));
    await done;
    deepEqual([made.asked.length, analyst.decisions.value.length], [2, 1]);
    analyst.seen(true);
    deepEqual(
      [made.asked.length, made.asked.at(-1)!.what.begin],
      [2 + more, more === 1 ? 2 : undefined],
    );
  }
});

test("what comes after the game went on is not listened to", async () => {
  const made = store({ isOver: signal(false) }),
    analyst = analystOf(made),
    end = analyst.heed();
  const found = {
    choice: 7,
    player: "red",
    prompt: "?",
    total: null,
    horizon: null,
    lead: null,
    visits: 9,
    failed: 0,
    natively: true,
    lines: [],
  } satisfies Analysis;
  const late = analyst.think(1);
  made.choice.value = 7;
  made.asked[0]!.done(found);
  await late;
  deepEqual([analyst.found.value, analyst.thinking.value], [null, null]);
  const now = analyst.think(5);
  equal(analyst.thinking.value, 5);
  made.asked[1]!.done(found);
  await now;
  equal(analyst.found.value, found);
  made.choice.value = 8;
  equal(analyst.found.value, null);
  end();
});

test("who is not asked, and who looks on, may not let think", () => {
  const made = store({ isOver: signal(false) }),
    analyst = analystOf(made);
  equal(analyst.may.value, true);
  made.seat.value = "blue";
  equal(analyst.may.value, false);
  made.table.value = { ...made.table.value, hints: false };
  deepEqual([analyst.may.value, analyst.isOffered.value], [false, false]);
  made.isOver.value = true;
  equal(analyst.isOffered.value, true);
});

test("the past is shown where the choice was made, by the eyes of who made it; what was better stays lit there", () => {
  const made = store(),
    analyst = analystOf(made);
  analyst.show(judged(4, "blue"));
  deepEqual(
    [made.went, made.eyes.value, [...analyst.lit.value]],
    [[3], "blue", ["piece a", "place wood"]],
  );
  made.frame.value = 5;
  deepEqual([...analyst.lit.value], []);
  analyst.show(judged(2, "red"));
  deepEqual([made.went, made.eyes.value], [[3, 1], null]);
});

test("of what a choice names, pieces and places are lit, and not a place that has the id of a thing", () => {
  deepEqual(
    ["move a wood", "pick 3", null].map((key) => game.onMap(pick("red", key).things)),
    [["piece a", "place wood"], [], []],
  );
});

test("choices of one side that follow each other stand together", () => {
  deepEqual(
    runsOf(["red", "red", "blue", "red"].map((side) => pick(side, "rest"))).map((run) => [
      run.side,
      run.choices.length,
    ]),
    [
      ["red", 2],
      ["blue", 1],
      ["red", 1],
    ],
  );
});
