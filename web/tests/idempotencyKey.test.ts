// A request has one key until it is answered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withIdempotencyKey } from "../src/home/idempotencyKey";

test("two clicks have one key, and the same wish later another", async () => {
  const keys: string[] = [];
  const make = async (key: string): Promise<void> => {
    keys.push(key);
    await Promise.resolve();
  };
  await Promise.all([
    withIdempotencyKey("a text", make),
    withIdempotencyKey("a text", make),
    withIdempotencyKey("another", make),
  ]);
  await withIdempotencyKey("a text", make);
  assert.equal(keys[0], keys[1]);
  assert.equal(new Set(keys).size, 3);
  assert.match(keys[0] ?? "", /^[A-Za-z0-9_-]{16,64}$/);
});

test("a request that was lost is asked again with its key, one that was refused with another", async () => {
  const keys: string[] = [];
  for (const error of [new TypeError("lost"), new Error("refused"), null])
    await withIdempotencyKey("a wish", async (key) => {
      keys.push(key);
      if (error !== null) throw error;
    }).catch(() => undefined);
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[1], keys[2]);
});
