// Idempotency keys: a request keeps its key until it is answered, so that a second click or a retry
// does not repeat it.

const going = new Map<string, string>();

const key = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) =>
    each.toString(16).padStart(2, "0"),
  ).join("");

/**
 * Request something with an idempotency key. `wish` is the request as text, and `make` sends it with a key.
 * After a lost request the next try has the same key, because the first one may have been executed.
 */
export async function withIdempotencyKey<T>(
  wish: string,
  make: (key: string) => Promise<T>,
): Promise<T> {
  const own = going.get(wish) ?? key();
  going.set(wish, own);
  try {
    const made = await make(own);
    going.delete(wish);
    return made;
  } catch (error) {
    if (!(error instanceof TypeError)) going.delete(wish);
    throw error;
  }
}
