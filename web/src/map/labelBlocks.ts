// Collects the contents of each place's block: label, piles, emblems and cost.
import type { Standing } from "../counters/pile";
import type { Atlas } from "./atlas";
import { type Contents, type LabelBlock, labelBlockOf, named } from "./labelBlock";
import type { Ownership } from "./ownership";
import type { MapPlace } from "./places";
import { measure } from "./textWidth";
import { tokenOf } from "./token";

const FLAG = 19,
  RIM = 5; // walls around a sign

/** Towns have their names in upright letters. */
export const isTown = (atlas: Atlas, site: MapPlace): boolean =>
  site.terrain !== null && atlas.grounds.get(site.terrain)?.texture === "town";

/** A place of a grid with only its id as name. */
export const faint = (atlas: Atlas, site: MapPlace): boolean =>
  atlas.grid && site.form === "ring" && site.place.label === site.id && /\d/.test(site.id);

/**
 * `least`: the size that a counter should have if there is room. `cost`: the text of the cost of reaching it,
 * or ''.
 */
export function contentsOf(
  atlas: Atlas,
  site: MapPlace,
  standing: Standing,
  held: ReadonlyMap<string, Ownership[]>,
  least: number,
  cost = "",
): Contents {
  const { game } = standing.board,
    token = tokenOf(game, null, site.id),
    signed = atlas.signed;
  const flags =
    site.form === "cell"
      ? 0
      : signed
        ? token.shape === null
          ? 0
          : 1
        : (held.get(site.id)?.length ?? 0);
  return {
    ...named(site.id, site.place.short, site.place.label),
    town: isTown(atlas, site),
    faint: faint(atlas, site),
    flags,
    flag: signed ? 2 * (token.size + RIM) + 4 : FLAG,
    piles: standing.in(site.id).length,
    cost,
    least,
  };
}

/** The blocks of all places if no place is highlighted. */
export const labelBlocksOf = (
  atlas: Atlas,
  standing: Standing,
  held: ReadonlyMap<string, Ownership[]>,
  least: number,
): Map<string, LabelBlock> =>
  new Map(
    [...atlas.sites.values()].map((site) => [
      site.id,
      labelBlockOf(site, contentsOf(atlas, site, standing, held, least), measure),
    ]),
  );
