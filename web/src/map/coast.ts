// Computes the line between land and water through places that hold both.
import type { Game } from "../game";
import type { Json } from "../protocol.gen";
import {
  between,
  bounds,
  distance,
  inside,
  key,
  natural,
  noise,
  type Point,
  pairOf,
  path,
  type Side,
} from "./geometry";
import type { Ground, MapPlace } from "./places";

/** The passages across a side that two places share. */
interface Over {
  land: boolean;
  water: boolean;
}
/** A point with its amount of land: above 0 it is land, below 0 water. */
interface Sample {
  at: Point;
  high: number;
  name: string;
}

const CHANNEL = 0.55, // position of a strait between the middle of a place (0) and its side (1)
  BEYOND = 60,
  SMALLEST = 90;

/**
 * The land as one path of closed rings, or null if the drawing has no coasts. `hosts`: the places that
 * contain others.
 */
export function landOf(
  game: Game,
  sites: ReadonlyMap<string, MapPlace>,
  sides: readonly Side[],
  grounds: ReadonlyMap<string, Ground>,
  hosts: ReadonlyMap<string, string>,
): string | null {
  const given = game.sheet.look.coast as
    | { land?: Record<string, Json>; water?: Record<string, Json> }
    | undefined;
  if (given === undefined) return null;
  const field = new Field(game, sites, sides, grounds, hosts, given.land ?? {}, given.water ?? {}),
    rough = typeof game.sheet.look.rough === "number" ? game.sheet.look.rough : 6;
  return field
    .rings()
    .filter((ring) => size(ring) > SMALLEST)
    .map((ring) => path(natural(ring, rough)))
    .join("");
}

class Field {
  private readonly over = new Map<string, Over>();
  private readonly far = new Map<string, Set<string>>(); // for each place, the places that its far bank leads to
  private readonly high = new Map<string, number>(); // by point
  private readonly ring = new Map<string, { side: Side; mid: Sample }[]>();
  private readonly crossings = new Map<string, { at: Point; next: string[] }>();

  constructor(
    game: Game,
    private readonly sites: ReadonlyMap<string, MapPlace>,
    private readonly sides: readonly Side[],
    private readonly grounds: ReadonlyMap<string, Ground>,
    hosts: ReadonlyMap<string, string>,
    land: Record<string, Json>,
    water: Record<string, Json>,
  ) {
    this.read(game, hosts, land, water);
    for (const side of sides)
      for (const owner of side.owners) this.around(owner).push({ side, mid: this.middle(side) });
    this.corners();
    for (const id of this.ring.keys()) this.place(id);
    for (const side of sides) if (side.owners.length === 1) this.beyond(side);
  }

  private around(id: string): { side: Side; mid: Sample }[] {
    return this.ring.get(id) ?? this.ring.set(id, []).get(id)!;
  }

  /**
   * Read the passages of each side from the attributes of its borders. Those of a place within a place count
   * for both.
   */
  private read(
    game: Game,
    hosts: ReadonlyMap<string, string>,
    land: Record<string, Json>,
    water: Record<string, Json>,
  ): void {
    const printed = new Map<string, Record<string, Json>>();
    for (const kind of game.kinds.values())
      if (kind.sort === "border")
        for (const each of kind.members) printed.set(each.id, each.printed as Record<string, Json>);
    const fits = (id: string, when: Record<string, Json>): boolean =>
      Object.entries(when).every(([name, value]) => printed.get(id)?.[name] === value);
    for (const edge of game.edges) {
      const [a, b] = edge.between.map((id) => hosts.get(id) ?? id) as [string, string],
        found = this.over.get(pairOf(a, b)) ?? { land: false, water: false };
      if (a === b) continue;
      this.over.set(pairOf(a, b), {
        land: found.land || fits(edge.id, land),
        water: found.water || fits(edge.id, water),
      });
      if (!fits(edge.id, land)) continue;
      for (const [part, other] of [
        [edge.between[0], b],
        [edge.between[1], a],
      ] as const) {
        const host = hosts.get(part);
        if (host !== undefined)
          (this.far.get(host) ?? this.far.set(host, new Set()).get(host)!).add(other);
      }
    }
  }

  private sort(id: string): "land" | "water" | "both" {
    const ground = this.grounds.get(this.sites.get(id)?.terrain ?? "");
    return ground?.water ? "water" : ground?.shore ? "both" : "land";
  }

  private middle(side: Side): Sample {
    const at = between(side.a, side.b, 0.5);
    return { at, high: this.sideHigh(side), name: key(at) };
  }

  private sideHigh({ owners }: Side): number {
    const sorts = owners.map((id) => this.sort(id)),
      over = owners.length === 2 ? this.over.get(pairOf(owners[0]!, owners[1]!)) : undefined;
    const all = (sort: string): boolean => sorts.every((each) => each === sort);
    if (all("water")) return -1;
    if (over?.land && over.water) return 0.02;
    if (over?.land) return 1;
    if (over?.water) return -1;
    if (all("land")) return 1;
    if (all("both")) return owners.length === 2 ? -0.6 : 0.3;
    return !sorts.includes("water") ? 0.8 : sorts.includes("land") ? 0.02 : -1;
  }

  /** Set each corner from its sides. At the mouth of a strait it is water. */
  private corners(): void {
    const sums = new Map<string, number[]>(),
      mouths = new Map<string, number>();
    for (const side of this.sides) {
      for (const end of [side.a, side.b]) {
        (sums.get(key(end)) ?? sums.set(key(end), []).get(key(end))!).push(this.sideHigh(side));
        for (const owner of side.owners)
          if (this.isFar(owner, side))
            mouths.set(`${owner}|${key(end)}`, (mouths.get(`${owner}|${key(end)}`) ?? 0) + 1);
      }
    }
    for (const [name, all] of sums)
      this.high.set(
        name,
        all.reduce((sum, each) => sum + each, 0) / all.length + noise(name)() * 0.2 + 0.02,
      );
    for (const [name, times] of mouths) {
      const corner = name.slice(name.indexOf("|") + 1);
      if (times === 1) this.high.set(corner, Math.min(-0.35, this.high.get(corner)!));
    }
  }

  private isFar = (owner: string, side: Side): boolean =>
    this.far.get(owner)?.has(side.owners.find((each) => each !== owner) ?? "") ?? false;

  /** The triangles of a place: from its middle to a ring halfway, and from there to its sides. */
  private place(id: string): void {
    const site = this.sites.get(id);
    if (!site) return;
    const sort = this.sort(id),
      heart: Sample = { at: site.at, high: sort === "water" ? -1 : 1.2, name: `#${id}` },
      sides = this.around(id),
      near = new Set(
        sides
          .filter(({ side }) => this.isFar(id, side))
          .flatMap(({ side }) => [key(side.a), key(side.b)]),
      );
    const half = (outer: Sample, strait: boolean): Sample => ({
      at: between(heart.at, outer.at, CHANNEL),
      high: strait ? -0.5 : heart.high + (outer.high - heart.high) * CHANNEL,
      name: `${id}|${outer.name}`,
    });
    for (const { side, mid } of sides) {
      const inner = half(mid, this.isFar(id, side));
      for (const end of [side.a, side.b]) {
        const corner: Sample = { at: end, high: this.high.get(key(end))!, name: key(end) },
          halfCorner = half(corner, near.has(key(end)));
        this.cut(heart, inner, halfCorner);
        this.cut(inner, mid, corner);
        this.cut(inner, corner, halfCorner);
      }
    }
  }

  /** Extend the land at the edge of the map beyond it. */
  private beyond(side: Side): void {
    const centre = this.sites.get(side.owners[0]!)?.at,
      mid = this.middle(side);
    if (!centre) return;
    const outward = (at: Point, name: string): Sample => {
      const owners = this.sides
          .filter((each) => key(each.a) === name || key(each.b) === name)
          .flatMap((each) => each.owners.map((id) => this.sites.get(id)!.at)),
        from: readonly Point[] = owners.length ? owners : [centre];
      const middle: Point = [
        from.reduce((sum, p) => sum + p[0], 0) / from.length,
        from.reduce((sum, p) => sum + p[1], 0) / from.length,
      ];
      return {
        at: between(at, middle, -BEYOND / (distance(at, middle) || 1)),
        high: -1,
        name: `>${name}`,
      };
    };
    const out = outward(mid.at, mid.name);
    for (const end of [side.a, side.b]) {
      const corner: Sample = { at: end, high: this.high.get(key(end))!, name: key(end) },
        off = outward(end, key(end));
      this.cut(mid, corner, off);
      this.cut(mid, off, out);
    }
  }

  /** Find the coast in a triangle. */
  private cut(a: Sample, b: Sample, c: Sample): void {
    const ends = (
      [
        [a, b],
        [b, c],
        [c, a],
      ] as const
    )
      .filter(([p, q]) => p.high > 0 !== q.high > 0)
      .map(([p, q]) => this.crossing(p, q));
    if (ends.length !== 2) return;
    this.crossings.get(ends[0]!)!.next.push(ends[1]!);
    this.crossings.get(ends[1]!)!.next.push(ends[0]!);
  }

  private crossing(p: Sample, q: Sample): string {
    const name = pairOf(p.name, q.name);
    if (!this.crossings.has(name))
      this.crossings.set(name, { at: between(p.at, q.at, p.high / (p.high - q.high)), next: [] });
    return name;
  }

  /** The crossings, joined to rings. */
  rings(): Point[][] {
    const left = new Set(this.crossings.keys()),
      made: Point[][] = [];
    for (const first of this.crossings.keys()) {
      const ring: Point[] = [];
      for (let name: string | undefined = first; name !== undefined && left.delete(name); ) {
        const here: { at: Point; next: string[] } = this.crossings.get(name)!;
        ring.push(here.at);
        name = here.next.find((each) => left.has(each));
      }
      if (ring.length > 2) made.push(ring);
    }
    return made;
  }
}

const size = (ring: readonly Point[]): number => {
  const [left, top, right, bottom] = bounds(ring);
  return (right - left) * (bottom - top);
};

/** The places within others: those with a point and no outline, by the outline around it. */
export function hostsOf(sites: ReadonlyMap<string, MapPlace>): Map<string, string> {
  const rings = [...sites.values()].filter((site) => site.form === "ring");
  return new Map(
    [...sites.values()].flatMap((site) => {
      const host =
        site.form === "sign" ? rings.find((each) => inside(site.at, each.ring)) : undefined;
      return host ? [[site.id, host.id] as const] : [];
    }),
  );
}
