/** Requests that are repeated when a busy server refuses them. */

import { NotDone } from "./socket";

const TRIES = 8,
  PAUSE_MS = 1000;

const pause = () => new Promise<void>((done) => setTimeout(done, PAUSE_MS));

/**
 * Make a request until it is answered.
 *
 * Only a request that failed because the server is busy, or the connection lost, is made again. `isWanted`
 * is asked before each try: if it returns false, the result is null. `wait` returns a promise for the end of
 * a pause between two tries.
 *
 * @throws the failure of the last try, or of one that would fail again.
 */
export async function repeated<T>(
  request: () => Promise<T>,
  isWanted: () => boolean,
  wait: () => Promise<void> = pause,
): Promise<T | null> {
  for (let tries = 1; isWanted(); tries++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof NotDone) || !(error.busy || error.lost) || tries === TRIES)
        throw error;
    }
    await wait();
  }
  return null;
}
