// Renders the layers that change: fading, lit places, route, labels, piles and costs. A place is
// rendered again only if its own highlights change.

import type { ComponentChildren, VNode } from "preact";
import { Behind, Counter, EmblemDisc, Many, Unknown } from "../counters/Counter";
import { type Pile, type Standing, size } from "../counters/pile";
import { signsOf } from "../counters/signs";
import type { Game } from "../game";
import { handle } from "../handle";
import { mapPieceLabel, placeLabel } from "./ariaLabels";
import type { Atlas } from "./atlas";
import { type Box, between, curve, type Point } from "./geometry";
import type { Highlights } from "./highlights";
import type { LabelBlock } from "./labelBlock";
import { faint, isTown } from "./labelBlocks";
import { useMemoizedNode } from "./memo";
import type { Ownership } from "./ownership";
import type { MapPlace } from "./places";

export interface Scene {
  game: Game;
  atlas: Atlas;
  standing: Standing;
  held: ReadonlyMap<string, Ownership[]>;
  blocks: ReadonlyMap<string, LabelBlock>;
  marks: Highlights;
  lang: string;
  prefix: string;
}

/** No side holds a place. */
export const NOBODY: Ownership[] = [];
const has = (set: ReadonlySet<string>, ids: readonly string[]): boolean =>
  ids.some((id) => set.has(id));
/** The shape of a site, as a part of a drawing. */
export const shape = (site: MapPlace, props: Record<string, unknown>): VNode => {
  if (site.form === "ring" || site.form === "cell" || site.form === "sign" || site.round)
    return <path d={site.d} {...props} />;
  const [left, top, right, bottom] = site.box;
  return <rect x={left} y={top} width={right - left} height={bottom - top} rx="9" {...props} />;
};

/** Unreachable places fade. */
export function Veil({ atlas, marks }: Scene) {
  const kept = useMemoizedNode(),
    off = marks.fade && marks.targets.size > 0;
  return (
    <g class="layer-veil" aria-hidden="true">
      {off &&
        [...atlas.sites.values()].map(
          (site) =>
            !marks.targets.has(site.id) &&
            site.id !== marks.origin &&
            kept(site.id, "", () => shape(site, { key: site.id, class: "veil" })),
        )}
    </g>
  );
}

/** The clickable places. */
export function Places({ game, atlas, standing, held, marks, lang }: Scene) {
  const kept = useMemoizedNode();
  return (
    <g class="layer-places">
      {[...atlas.sites.values()].map((site) => {
        const target = marks.targets.get(site.id),
          ariaLabel = placeLabel(
            game,
            site.id,
            standing.in(site.id),
            held.get(site.id) ?? NOBODY,
            target,
            lang,
          );
        const name = [
          "place",
          site.form === "cell" && "f-cell",
          site.form === "sign" && "f-sign",
          target && "target",
          target?.fight && "fight",
          target && !target.sure && "unsure",
          site.id === marks.origin && "origin",
          marks.glow.has(handle("place", site.id)) && "glow",
        ]
          .filter(Boolean)
          .join(" ");
        return kept(site.id, `${name}|${ariaLabel}`, () =>
          shape(site, {
            key: site.id,
            class: name,
            "data-place": site.id,
            "aria-label": ariaLabel,
            ...(target ? { role: "button", tabindex: 0, "data-lit": "place" } : { role: "img" }),
          }),
        );
      })}
    </g>
  );
}

/**
 * The displayed path, through the middles of the borders that it crosses. It begins and ends next to the
 * labels and piles there.
 */
export function Route({ atlas, blocks, marks, prefix }: Scene) {
  const way = (marks.route ?? []).filter((id) => atlas.sites.has(id));
  if (way.length < 2) return <g class="layer-route" />;
  const through = way.slice(1).flatMap((id, i): Point[] => {
    const gate = atlas.gate(way[i]!, id);
    return gate ? [gate] : i + 2 < way.length ? [atlas.sites.get(id)!.at] : [];
  });
  const end = (id: string, next: Point): Point =>
    outside(atlas.sites.get(id)!.at, next, blocks.get(id)!.bounds);
  const first = atlas.sites.get(way[0]!)!.at,
    last = atlas.sites.get(way.at(-1)!)!.at;
  const points: Point[] = [
      end(way[0]!, through[0] ?? last),
      ...through,
      end(way.at(-1)!, through.at(-1) ?? first),
    ],
    d = curve(points);
  return (
    <g class="layer-route" aria-hidden="true">
      <path class="route-back" d={d} />
      <path class="route" d={d} marker-end={`url(#${prefix}-arrow)`} />
      {through.map(([x, y]) => (
        <circle class="route-stop" cx={x} cy={y} r="6" />
      ))}
    </g>
  );
}

/**
 * The point where the line from `from`, in the middle of a box, to `to` leaves the box, at most 70 percent
 * along.
 */
function outside(from: Point, to: Point, [left, top, right, bottom]: Box): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]],
    pad = 9,
    part = (at: number, low: number, high: number, d: number): number =>
      d > 0 ? (high + pad - at) / d : d < 0 ? (low - pad - at) / d : Infinity;
  return between(
    from,
    to,
    Math.max(0, Math.min(0.7, part(from[0], left, right, dx), part(from[1], top, bottom, dy))),
  );
}

export function Labels({ game, atlas, held, blocks, lang }: Scene) {
  const kept = useMemoizedNode();
  return (
    <g class="layer-labels" aria-hidden="true">
      {[...atlas.sites.values()].map((site) => {
        const block = blocks.get(site.id)!,
          holders = held.get(site.id) ?? NOBODY,
          town = isTown(atlas, site);
        const sign = `${lang}|${block.lines.map((line) => `${line.text}@${line.at}`).join()}|${holders.map((hold) => hold.side).join()}`;
        return kept(site.id, sign, () => (
          <g
            key={site.id}
            class={`label f-${site.form} ${faint(atlas, site) ? "faint" : ""} ${town ? "town" : ""} ${site.water ? "wet" : ""}`}
          >
            {site.form === "cell" || atlas.signed
              ? null
              : holders.map((hold, i) => (
                  <g
                    class="flag"
                    transform={`translate(${block.flag[0] + i * 19} ${block.flag[1]}) scale(.5)`}
                  >
                    <EmblemDisc game={game} side={hold.side} />
                  </g>
                ))}
            {block.lines.map(({ text, at, anchor }, i) => (
              <text
                x={at[0].toFixed(1)}
                y={at[1].toFixed(1)}
                style={anchor && { textAnchor: anchor }}
              >
                {i === 0 && block.tag ? (
                  <>
                    <tspan class="label-id">{block.tag}</tspan>
                    {` ${text}`}
                  </>
                ) : (
                  text
                )}
              </text>
            ))}
          </g>
        ));
      })}
    </g>
  );
}

export function Piles({ game, atlas, standing, held, blocks, marks, lang }: Scene) {
  const kept = useMemoizedNode();
  return (
    <g class="layer-piles">
      {[...atlas.sites.values()].flatMap((site) => {
        const block = blocks.get(site.id)!,
          stones = site.form === "cell" ? (held.get(site.id) ?? NOBODY) : NOBODY;
        return [
          ...stones.map((hold) =>
            kept(
              `${site.id}|${hold.side}`,
              String(marks.glow.has(handle("place", site.id))),
              () => (
                <Stone key={`${site.id}|${hold.side}`} game={game} site={site} side={hold.side} />
              ),
            ),
          ),
          ...standing.in(site.id).map((pile, i) => {
            const legal = has(marks.legal, pile.ids),
              chosen = pile.ids.filter((id) => marks.chosen.has(id)).length,
              lit = pile.ids.some((id) => marks.glow.has(handle("piece", id)));
            const key = `${site.id}|${pile.key}`,
              at = block.piles[i]!,
              sign = [
                at,
                block.size,
                pile.ids.join(),
                pile.unknown,
                pile.owner,
                pile.sum,
                legal,
                chosen,
                lit,
                lang,
              ].join("|");
            return kept(key, sign, () => (
              <PileView
                key={key}
                game={game}
                pile={pile}
                at={at}
                side={block.size}
                legal={legal}
                chosen={chosen}
                lit={lit}
                place={site.id}
                ariaLabel={mapPieceLabel(game, pile, site.id, marks, lang)}
              />
            ));
          }),
        ];
      })}
    </g>
  );
}

interface PileProps {
  game: Game;
  pile: Pile;
  at: Point;
  side: number;
  legal: boolean;
  chosen: number;
  lit: boolean;
  place: string;
  ariaLabel: string;
}

function PileView({ game, pile, at, side, legal, chosen, lit, place, ariaLabel }: PileProps) {
  const many = size(pile),
    round = isRound(game, pile);
  const name = ["pile", legal && "legal", chosen > 0 && "chosen", lit && "glow"]
    .filter(Boolean)
    .join(" ");
  return (
    <g
      class={name}
      data-place={place}
      data-ids={pile.ids.join(" ")}
      transform={`translate(${at[0].toFixed(1)} ${at[1].toFixed(1)}) scale(${(side / 48).toFixed(3)})`}
    >
      <g aria-hidden="true">
        <PilePicture game={game} pile={pile}>
          {(legal || chosen > 0 || lit) &&
            (round ? (
              <circle class="ring" cx="24" cy="24" r="26.5" />
            ) : (
              <rect class="ring" x="-2.5" y="-2.5" width="53" height="53" rx="9.5" />
            ))}
        </PilePicture>
        {chosen > 0 && (
          <g class="tick" transform="translate(45 4)">
            <circle r="9.5" />
            {many === 1 ? <path d="M-4 0l3 3.2 5-6" /> : <text y="4.2">{chosen}</text>}
          </g>
        )}
      </g>
      <rect
        class="take"
        x="-3"
        y="-3"
        width="54"
        height="54"
        rx={round ? 27 : 10}
        role="button"
        tabindex={legal ? 0 : -1}
        aria-label={ariaLabel}
        aria-pressed={legal || chosen > 0 ? chosen > 0 : undefined}
        data-lit={legal ? "piece" : undefined}
      />
    </g>
  );
}

const isRound = (game: Game, pile: Pile): boolean => {
  const piece = game.pieces.get(pile.ids[0] ?? "");
  return piece !== undefined && signsOf(game).isRound(piece);
};

/**
 * A pile in a box of 48: its first counter with its shadow, the cards behind it, and the number. Further
 * parts are drawn below the number.
 */
export function PilePicture({
  game,
  pile,
  children,
}: {
  game: Game;
  pile: Pile;
  children?: ComponentChildren;
}) {
  const many = size(pile);
  return (
    <>
      {isRound(game, pile) ? (
        <circle class="shade" cx="24.8" cy="26" r="23.5" />
      ) : (
        <rect class="shade" x="2.5" y="3.5" width="45" height="46" rx="7" />
      )}
      <Behind many={many} deep={game.colours(pile.owner).deep} />
      {pile.unknown ? (
        <Unknown game={game} owner={pile.owner} />
      ) : (
        <Counter
          game={game}
          id={pile.ids[0]!}
          owner={pile.owner}
          reduced={pile.reduced}
          many={many}
          sum={pile.sum}
        />
      )}
      {children}
      <Many many={many} />
    </>
  );
}

/** A stone on a cell of a board without pieces. */
export function Stone({ game, site, side }: { game: Game; site: MapPlace; side: string }) {
  return (
    <g
      class="stone"
      aria-hidden="true"
      transform={`translate(${site.at[0]} ${site.at[1] + 4}) scale(1.5)`}
    >
      <circle class="shade" cx=".6" cy="1.4" r="16.5" />
      <EmblemDisc game={game} side={side} />
    </g>
  );
}

export function Costs({ atlas, blocks, marks }: Scene) {
  const kept = useMemoizedNode();
  return (
    <g class="layer-costs" aria-hidden="true">
      {[...marks.targets].map(([id, target]) => {
        const cost = blocks.get(id)?.cost;
        if (!cost || !atlas.sites.has(id)) return null;
        const name = `cost ${target.fight ? "fight" : ""}`,
          width = cost.width;
        return kept(id, `${name}|${target.cost}|${cost.at}|${target.sure}`, () => (
          <g
            key={id}
            class={name}
            transform={`translate(${cost.at[0].toFixed(1)} ${cost.at[1].toFixed(1)})`}
          >
            <rect
              x={-width / 2}
              y="-11.5"
              width={width}
              height="23"
              rx="11.5"
              stroke-dasharray={target.sure ? undefined : "4 2.5"}
            />
            <text y="4.5">{target.cost}</text>
          </g>
        ));
      })}
    </g>
  );
}
