// Requests that a busy server refuses are made again, as long as the answer is wanted.

import { equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { repeated } from "../src/retry";
import { NotDone } from "../src/socket";

const BUSY = new NotDone("busy", false, false, true),
  LOST = new NotDone("lost", false, true),
  REFUSED = new NotDone("not offered"),
  STALE = new NotDone("stale", true);

/** A request that fails `failures` times, the pauses between its tries, and their number. */
function server(failures: number, failure = BUSY) {
  const seen = { requests: 0, pauses: 0 };
  return {
    seen,
    request: async () => {
      if (++seen.requests <= failures) throw failure;
      return "odds";
    },
    wait: async () => void seen.pauses++,
  };
}

test("a request that is answered is made once, without a pause", async () => {
  const { seen, request, wait } = server(0);
  equal(await repeated(request, () => true, wait), "odds");
  equal(seen.requests, 1);
  equal(seen.pauses, 0);
});

for (const [what, failure] of [
  ["the server is busy", BUSY],
  ["the connection is lost", LOST],
] as const)
  test(`a request is made again after a pause when ${what}`, async () => {
    const { seen, request, wait } = server(7, failure);
    equal(await repeated(request, () => true, wait), "odds");
    equal(seen.requests, 8);
    equal(seen.pauses, 7);
  });

for (const failure of [REFUSED, STALE])
  test(`a request is not made again when its failure stays: ${failure.why}`, async () => {
    const { seen, request, wait } = server(1, failure);
    await rejects(
      repeated(request, () => true, wait),
      failure,
    );
    equal(seen.requests, 1);
  });

test("after eight failures the last one is the result", async () => {
  const { seen, request, wait } = server(8);
  await rejects(
    repeated(request, () => true, wait),
    BUSY,
  );
  equal(seen.requests, 8);
});

test("a request is not made again when its answer is not wanted any more", async () => {
  const { seen, request, wait } = server(3);
  equal(await repeated(request, () => seen.requests < 2, wait), null);
  equal(seen.requests, 2);
});
