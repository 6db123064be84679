// Requests of the start page: lists of games and tables, and new tables.
import { language } from "../preferences";
import type { Listed, Playable, Table, Wanted } from "../protocol.gen";
import { withIdempotencyKey } from "./idempotencyKey";

/** Return the value of an answer. An error has the server's own words. */
export async function ask<T>(path: string, options?: RequestInit): Promise<T> {
  const answer = await fetch(path, options);
  const value: unknown = await answer.json().catch(() => null);
  if (!answer.ok)
    throw new Error(isError(value) ? value.error : `${answer.status} ${answer.statusText}`);
  return value as T;
}

const isError = (value: unknown): value is { error: string } =>
  typeof value === "object" &&
  value !== null &&
  "error" in value &&
  typeof value.error === "string";

export const playables = (lang: string): Promise<Playable[]> =>
  ask(`/api/games?lang=${encodeURIComponent(lang)}`);
export const tables = (): Promise<Listed[]> => ask(`/api/tables?lang=${language.value}`);
export const opened = (wanted: Wanted): Promise<Listed> =>
  made("/api/tables", "application/json", JSON.stringify(wanted));
export const uploaded = (save: string): Promise<Listed> =>
  made("/api/tables/save", "text/plain; charset=utf-8", save);

/** Create a table, once for any number of simultaneous requests. */
const made = (path: string, type: string, body: string): Promise<Listed> =>
  withIdempotencyKey(`${path} ${body}`, (key) =>
    ask(`${path}?lang=${language.value}`, {
      method: "POST",
      headers: { "Content-Type": type, "Idempotency-Key": key },
      body,
    }),
  );

/** Create the same game again, with the players moved on by one side. Return its id. */
export async function rematch(table: Table): Promise<string> {
  const sides = table.sheet.sides.map((side) => side.id);
  const seats = Object.fromEntries(
    sides.map((side, i) => [side, table.seats[sides[(i + 1) % sides.length] ?? side] ?? "human"]),
  );
  const listed = (await tables()).find((each) => each.id === table.id);
  const { scenario, rulings } = table.sheet;
  return (
    await opened({
      game: listed?.game ?? table.sheet.game,
      scenario,
      rulings,
      seats,
      hints: table.hints,
    })
  ).id;
}
