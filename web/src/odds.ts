// Groups the results of a roll that have the same effect, with their dice and probability, and
// lists the differences between the groups.
import type { Game } from "./game";
import type { Derivation, Json, Kind, Member, Result, Way } from "./protocol.gen";

/** Results that differ only in their dice. `lines`: the lines of the log that all of them have. */
export interface Bundle {
  chance: [number, number];
  rolls: number[][];
  lines: string[];
  first: Result;
}

/** A printed value of the result of a roll, as a share of its highest value if it has one. */
export interface PrintedValue {
  label: string;
  text: string;
  share: number | null;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

function plus([a, b]: [number, number], [c, d]: [number, number]): [number, number] {
  const top = a * d + c * b,
    bottom = b * d,
    by = gcd(top, bottom);
  return [top / by, bottom / by];
}

const dice = (result: Result): number[] => result.rolls.map((roll) => roll.value);

/** The params of the outcome that only repeat the die, by the same sum in each result. */
function echoes(results: readonly Result[]): Set<string> {
  const [first] = results;
  return new Set(
    Object.keys(first?.outcome?.params ?? {}).filter((name) => {
      const over = results.map((result) => {
        const value = result.outcome?.params[name],
          die = dice(result).at(-1);
        return typeof value === "number" && die !== undefined ? value - die : null;
      });
      return over[0] !== null && over.every((each) => each === over[0]);
    }),
  );
}

export function bundles(results: readonly Result[]): Bundle[] {
  const repeated = echoes(results),
    out = new Map<string, Bundle>();
  for (const result of results) {
    const params = Object.entries(result.outcome?.params ?? {}).filter(
      ([name]) => !repeated.has(name),
    );
    const same = JSON.stringify([
      result.outcome?.name,
      params,
      result.outcome?.printed,
      result.changes,
      result.points,
      result.end,
      result.outcome === null ? dice(result) : null,
    ]);
    const known = out.get(same);
    if (known === undefined)
      out.set(same, {
        chance: result.chance,
        rolls: [dice(result)],
        lines: result.lines,
        first: result,
      });
    else {
      known.chance = plus(known.chance, result.chance);
      known.rolls.push(dice(result));
      known.lines = known.lines.filter((line) => result.lines.includes(line));
    }
  }
  return [...out.values()];
}

/**
 * The printed data of the things that an outcome names, by attribute. Ids of different kinds may be equal, so
 * the kind is the one with these attributes.
 */
export function printedValues(result: Result, game: Game): PrintedValue[] {
  const outcome = result.outcome;
  if (outcome === null) return [];
  return Object.entries(outcome.printed).flatMap(([param, printed]) => {
    const values = (printed ?? {}) as Record<string, Json>,
      id = outcome.params[param];
    const kind = [...game.kinds.values()].find(
      (each) =>
        each.members.some((member) => member.id === id) &&
        Object.keys(values).every((name) =>
          each.attributes.some((attribute) => attribute.name === name),
        ),
    );
    return Object.entries(values).map(([name, value]): PrintedValue => {
      const attribute = kind?.attributes.find((each) => each.name === name),
        of = idOf(value);
      const member =
        attribute?.kind == null
          ? undefined
          : game.kinds.get(attribute.kind)?.members.find((each) => each.id === of);
      return {
        label: attribute?.label ?? name,
        text: member?.label ?? String(of ?? value),
        share: member === undefined ? null : shareOf(member, game.kinds.get(attribute!.kind!)!),
      };
    });
  });
}

const idOf = (value: Json): string | null => {
  if (typeof value === "string") return value;
  const id = value !== null && typeof value === "object" && !Array.isArray(value) ? value.id : null;
  return typeof id === "string" ? id : null;
};

/** The position on its scale of a member whose only number has a lowest and a highest value. */
function shareOf(member: Member, kind: Kind): number | null {
  const [scale, ...more] = kind.attributes.filter(
    (each) => each.form === "int" && each.high !== null,
  );
  if (scale === undefined || more.length > 0) return null;
  const value = member.printed[scale.name],
    low = scale.low ?? 0,
    high = scale.high ?? 1;
  return typeof value === "number" && high > low ? (value - low) / (high - low) : null;
}

/** A row of columns with the one that is read, and the one before the shift. */
export interface Columns {
  names: string[];
  now: number;
  base: number;
}

/** The columns of a ratio after the shift. */
export function columnsOf(way: Way, game: Game): Columns | null {
  const shift = way.workings.find((each) => each.what === "shift"),
    table = way.workings.find((each) => Array.isArray(each.data.columns));
  if (shift !== undefined) {
    const members = (shift.data.members ?? []) as string[];
    return {
      names: members.map((id) => game.called(shift.name, id)),
      now: members.indexOf(String(shift.data.after)),
      base: members.indexOf(String(shift.data.before)),
    };
  }
  if (table === undefined) return null;
  const columns = table.data.columns as number[][],
    results = table.data.results as string[] | undefined,
    at = Number(table.data.column);
  return {
    names: results?.length === columns.length ? results : columns.map((ratio) => ratio.join(":")),
    now: at,
    base: at,
  };
}

/** The chances of the sides by which an outcome is split, or null if there are none. */
export function bySide(way: Way, game: Game): { side: string; chance: [number, number] }[] | null {
  const sides = way.splits.filter(
    (split) => typeof split.value === "string" && game.sides.has(split.value),
  );
  const [first] = sides;
  if (first === undefined) return null;
  return sides
    .filter((split) => split.param === first.param)
    .map((split) => ({ side: String(split.value), chance: split.chance }));
}

/** The derivations with a name. */
export const working = (way: Way, name: Json | undefined): Derivation[] =>
  typeof name === "string" ? way.workings.filter((each) => each.name === name) : [];
