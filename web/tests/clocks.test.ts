// Formatting and reading of clocks and times.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sayIn } from "../src/i18n/say";
import { ruleOf, ruleText, shown } from "../src/online/clocks";

const say = sayIn("en"),
  dit = sayIn("fr");

test("a clock shows the second that has begun, and days where there are some", () => {
  for (const [seconds, text] of [
    [0, "0:00"],
    [-3, "0:00"],
    [8.2, "0:09"],
    [61, "1:01"],
    [3600, "1:00:00"],
    [86399, "23:59:59"],
    [2 * 86400 + 3 * 3600 + 59, "2 d 3 h"],
  ] as const)
    assert.equal(shown(seconds, say), text);
  assert.equal(shown(86400, dit), "1 j 0 h");
});

test("what is chosen is the rule that the server knows, and reads as it was chosen", () => {
  const chosen = { minutes: "10", seconds: "15", days: "3" };
  for (const [kind, rule, text] of [
    ["none", "none", "no clock"],
    ["move", "move:600", "10 min for each decision"],
    ["fischer", "fischer:600+15", "10 min, and 15 s more for each turn"],
    ["days", "days:3", "3 d for each decision"],
  ] as const) {
    assert.equal(ruleOf({ ...chosen, kind }), rule);
    assert.equal(ruleText(rule, say), text);
  }
  assert.equal(ruleText("move:90", say), "90 s for each decision");
  assert.equal(ruleText("move:7200", dit), "2 h pour chaque décision");
});
