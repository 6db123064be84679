// The verdict on the dice of a finished game.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { verdict } from "../src/table/commitment";

const seed = "425",
  salt = "0a1b",
  commitment = createHash("sha256").update(`rulekit ${salt} ${seed}`).digest("hex");

test("the dice are fair if seed and salt give the commitment, and only then", async () => {
  assert.equal(await verdict({ commitment, seed, salt }), "fair");
  assert.equal(await verdict({ commitment, seed: "426", salt }), "unfair");
  assert.equal(await verdict({ commitment, seed, salt: "0a1c" }), "unfair");
});

test("while seed and salt are not told, nothing is said against the browser", async () => {
  assert.equal(await verdict({ commitment, seed: null, salt: null }), "checking");
  assert.equal(await verdict({ commitment, seed, salt: null }), "checking");
});

test("a browser without a hash says so", async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "crypto")!;
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    assert.equal(await verdict({ commitment, seed, salt }), "unchecked");
  } finally {
    Object.defineProperty(globalThis, "crypto", own);
  }
});
