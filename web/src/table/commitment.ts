// Verifies the dice of a finished game against the commitment to its seed.
import type { Table } from "../protocol.gen";

export type Verdict = "checking" | "fair" | "unfair" | "unchecked";

/**
 * Check the commitment of the start against seed and salt. `checking`: they are not known yet. `unchecked`:
 * this page may not use the browser's hash function.
 */
export async function verdict(
  table: Pick<Table, "commitment" | "seed" | "salt">,
): Promise<Verdict> {
  if (table.seed === null || table.salt === null) return "checking";
  if (globalThis.crypto?.subtle === undefined) return "unchecked";
  const hash = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(`rulekit ${table.salt} ${table.seed}`),
  );
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("") ===
    table.commitment
    ? "fair"
    : "unfair";
}
