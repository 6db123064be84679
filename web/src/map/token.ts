// The sign of each place: its form, owner, walls and marks, as the drawing derives them from
// attributes and state.
import type { Board, Game } from "../game";
import type { Json } from "../protocol.gen";

export type Shape = "disc" | "square" | "diamond" | "hexagon";
/**
 * A rule of the drawing. The first matching rule with a property provides it, and each matching rule provides
 * its mark.
 */
export interface Rule {
  name?: string;
  label?: string;
  when?: Record<string, Json>;
  shape?: Shape;
  size?: number;
  owner?: string[];
  number?: string;
  walls?: boolean;
  mark?: string;
  wash?: string;
  islet?: number;
}
/** A sign. `owner`: a member with colours, or null. `number`: the text on it, or ''. */
export interface Token {
  shape: Shape | null;
  size: number;
  owner: string | null;
  number: string;
  walls: boolean;
  marks: string[];
  /** The colour without an owner, or null. */
  wash: string | null;
}

const SIZE = 11;

export const rulesOf = (game: Game): Rule[] => (game.sheet.look.signs ?? []) as Rule[];

/** The printed data of places, by id. */
const printedOf = new WeakMap<Game, Map<string, { kind: string; printed: Record<string, Json> }>>();
function printed(
  game: Game,
  id: string,
): { kind: string; printed: Record<string, Json> } | undefined {
  let all = printedOf.get(game);
  if (all === undefined) {
    const places = [...game.kinds.values()].filter((kind) => kind.sort === "place");
    all = new Map(
      places.flatMap((kind) =>
        kind.members.map(
          (each) =>
            [each.id, { kind: kind.name, printed: each.printed as Record<string, Json> }] as const,
        ),
      ),
    );
    printedOf.set(game, all);
  }
  return all.get(id);
}

/** An attribute of a place, or its state on a board. It is undefined if unknown. */
function value(game: Game, board: Board | null, id: string, name: string): Json | undefined {
  const found = printed(game, id);
  if (found && name in found.printed) return found.printed[name];
  const cells = board?.position.state[`${found?.kind}.${name}`] ?? board?.position.state[name];
  return (cells as Record<string, Json> | undefined)?.[id];
}

export const fits = (game: Game, board: Board | null, id: string, rule: Rule): boolean =>
  Object.entries(rule.when ?? {}).every(
    ([name, wanted]) => value(game, board, id, name) === wanted,
  );

/** The sign of a place. With `board` null it uses only printed data. */
export function tokenOf(game: Game, board: Board | null, id: string): Token {
  const rules = rulesOf(game).filter((rule) => fits(game, board, id, rule)),
    first = <K extends keyof Rule>(name: K): Rule[K] | undefined =>
      rules.find((rule) => rule[name] !== undefined)?.[name];
  const number = first("number"),
    written = number === undefined ? null : value(game, board, id, number);
  return {
    shape: first("shape") ?? null,
    size: first("size") ?? SIZE,
    owner: ownerOf(game, board, id, first("owner") ?? []),
    number: typeof written === "number" && written !== 0 ? String(written) : "",
    walls: first("walls") === true,
    marks: rules.flatMap((rule) => rule.mark ?? []),
    wash: first("wash") ?? null,
  };
}

/** The owner of a place: the first member that one of these attributes and states names. */
function ownerOf(
  game: Game,
  board: Board | null,
  id: string,
  names: readonly string[],
): string | null {
  for (const name of names) {
    const found = value(game, board, id, name);
    if (typeof found === "string") return found;
  }
  return null;
}

/** The colour over the ground of a place, or null. */
export const washOf = (game: Game, id: string): string | null =>
  rulesOf(game).find((rule) => rule.wash !== undefined && fits(game, null, id, rule))?.wash ?? null;

/** The radius of the land around the sign of a place, or null. */
export const isletOf = (game: Game, id: string): number | null =>
  rulesOf(game).find((rule) => rule.islet !== undefined && fits(game, null, id, rule))?.islet ??
  null;

export const sameToken = (token: Token): string =>
  [token.shape, token.size, token.owner, token.number, token.walls, ...token.marks].join("|");
