// Requests that a busy server refuses are made again, as long as the answer is wanted.

import { equal } from "node:assert/strict";
import { test } from "node:test";
import { repeated } from "../src/retry";

/** A request that is refused `refusals` times, the pauses between its tries, and their number. */
function server(refusals: number) {
  const seen = { requests: 0, pauses: 0 };
  return {
    seen,
    request: async () => (++seen.requests > refusals ? "odds" : null),
    wait: async () => void seen.pauses++,
  };
}

test("a request that is answered is made once, without a pause", async () => {
  const { seen, request, wait } = server(0);
  equal(await repeated(request, () => true, wait), "odds");
  equal(seen.requests, 1);
  equal(seen.pauses, 0);
});

test("a refused request is made again after a pause", async () => {
  const { seen, request, wait } = server(7);
  equal(await repeated(request, () => true, wait), "odds");
  equal(seen.requests, 8);
  equal(seen.pauses, 7);
});

test("after eight refusals there is no answer", async () => {
  const { seen, request, wait } = server(8);
  equal(await repeated(request, () => true, wait), null);
  equal(seen.requests, 8);
});

test("a request is not made again when its answer is not wanted any more", async () => {
  const { seen, request, wait } = server(3);
  equal(await repeated(request, () => seen.requests < 2, wait), null);
  equal(seen.requests, 2);
});
