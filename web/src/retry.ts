/** Requests that are repeated when a busy server refuses them. */

const TRIES = 8,
  PAUSE_MS = 1000;

const pause = () => new Promise<void>((done) => setTimeout(done, PAUSE_MS));

/**
 * Make a request until it is answered.
 *
 * `request` returns null if it was refused. `isWanted` is asked before each try: if it returns false, or
 * if all tries were refused, the result is null. `wait` returns a promise for the end of a pause between
 * two tries.
 */
export async function repeated<T>(
  request: () => Promise<T | null>,
  isWanted: () => boolean,
  wait: () => Promise<void> = pause,
): Promise<T | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await wait();
    if (!isWanted()) return null;
    const answer = await request();
    if (answer !== null) return answer;
  }
  return null;
}
