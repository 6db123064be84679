// Takes an atlas and what stands on it, makes what the block of a place has to hold: its label, piles, emblems, cost.
import type { Standing } from "../counters/pile";
import type { Atlas } from "./atlas";
import { blockOf, named, type Block, type Contents } from "./block";
import type { Hold } from "./held";
import { measure } from "./measure";
import type { Site } from "./sites";

/** Towns have their names in upright letters. */
export const isTown = (atlas: Atlas, site: Site): boolean => site.terrain !== null && atlas.grounds.get(site.terrain)?.texture === "town";

/** `least`: how large a counter should be, where it has room; `cost`: what is written of reaching it, or ''. */
export function contentsOf(
  atlas: Atlas,
  site: Site,
  standing: Standing,
  held: ReadonlyMap<string, Hold[]>,
  least: number,
  cost = "",
): Contents {
  const flags = site.form === "cell" ? 0 : (held.get(site.id)?.length ?? 0);
  return {
    ...named(site.id, site.place.short, site.place.label),
    town: isTown(atlas, site),
    flags,
    piles: standing.in(site.id).length,
    cost,
    least,
  };
}

/** The blocks of all places, where no place is lit. */
export const blocksOf = (atlas: Atlas, standing: Standing, held: ReadonlyMap<string, Hold[]>, least: number): Map<string, Block> =>
  new Map([...atlas.sites.values()].map((site) => [site.id, blockOf(site, contentsOf(atlas, site, standing, held, least), measure)]));
