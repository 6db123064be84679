// Renders a map as one self-contained SVG with styles and legend, from plain data and without a
// browser.
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { Standing } from "./counters/pile";
import { Board, Game } from "./game";
import { pileLabel, placeLabel } from "./map/ariaLabels";
import { type Atlas, atlasOf } from "./map/atlas";
import { Base, Lines, type Paint } from "./map/Ground";
import { NO_HIGHLIGHTS } from "./map/highlights";
import { Labels, NOBODY, PilePicture, type Scene, Stone, shape } from "./map/Layers";
import { SMALL } from "./map/labelBlock";
import { labelBlocksOf } from "./map/labelBlocks";
import { ownershipOf } from "./map/ownership";
import { Textures } from "./map/Textures";
import { Tokens } from "./map/Tokens";
import { measure } from "./map/textWidth";
import type { Position, Sheet } from "./protocol.gen";
import { forceRows, groundRows, lineRows, pieceRows, type Row, signRows } from "./sidebar/Legend";
import colours from "./styles/colours.css";
import looks from "./styles/picture.css";

export type Theme = "light" | "dark";

/** `position` null: the empty map. */
export interface Wanted {
  sheet: Sheet;
  position: Position | null;
  lang: string;
  theme: Theme;
}

const PREFIX = "map",
  EDGE = 22,
  HEAD = 64,
  ROW = 46,
  LETTERS = "500 13px Inter, sans-serif",
  TITLE = '600 26px "EB Garamond", Georgia, serif';
const OWN = `
.paper { fill: var(--paper); } .told { fill: transparent; }
.map .title { font: ${TITLE.replace(/px .*/, "px")} var(--serif); fill: var(--ink); font-variant-numeric: lining-nums; } .map .subtitle { font: 500 14px var(--sans); fill: var(--soft); }
.map .means { font: 500 13px var(--sans); fill: var(--ink); }`;

export function draw({ sheet, position, lang, theme }: Wanted): string {
  const game = new Game(sheet),
    atlas = atlasOf(game),
    board = new Board(game, position ?? NOTHING),
    named = sheet.scenario_title === sheet.title ? "" : sheet.scenario_title,
    head = named ? HEAD : HEAD - 18,
    paint: Paint = (fill, dark) => ({ fill: theme === "dark" ? dark : fill });
  const [left, top, right, bottom] = atlas.frame,
    rows = [
      ...(position ? pieceRows(game, lang) : []),
      ...signRows(game),
      ...forceRows(game),
      ...groundRows(game, PREFIX, paint),
      ...lineRows(game, lang),
    ],
    wide = Math.max(right - left, 420, measure(sheet.title, TITLE)) + 2 * EDGE,
    legend = legendOf(rows, wide - 2 * EDGE),
    high = head + bottom - top + (rows.length ? EDGE : 0) + legend.high + EDGE;
  return `${renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="map"
      viewBox={`0 0 ${round(wide)} ${round(high)}`}
      width={round(wide)}
      height={round(high)}
      role="img"
    >
      <title>{[sheet.title, named].filter(Boolean).join(", ")}</title>
      <style dangerouslySetInnerHTML={{ __html: styles(theme) }} />
      <rect class="paper" width={round(wide)} height={round(high)} />
      <text class="title" x={EDGE} y="32">
        {sheet.title}
      </text>
      {named && (
        <text class="subtitle" x={EDGE} y="51">
          {named}
        </text>
      )}
      <g transform={`translate(${round((wide - (right - left)) / 2 - left)} ${round(head - top)})`}>
        <Picture game={game} atlas={atlas} board={board} lang={lang} paint={paint} />
      </g>
      <g transform={`translate(${EDGE} ${round(head + bottom - top + EDGE)})`}>{legend.drawn}</g>
    </svg>,
  ).replaceAll("]]>", "]]&gt;")}\n`; // XML needs this, HTML does not
}

const NOTHING = { state: {}, unknown: {} } as unknown as Position;
const round = (n: number): number => Math.round(n * 10) / 10;

/** The map with its pieces, and the tooltips of each place and pile. */
function Picture({
  game,
  atlas,
  board,
  lang,
  paint,
}: {
  game: Game;
  atlas: Atlas;
  board: Board;
  lang: string;
  paint: Paint;
}) {
  const standing = new Standing(board),
    held = ownershipOf(board),
    blocks = labelBlocksOf(atlas, standing, held, SMALL),
    scene: Scene = {
      game,
      atlas,
      standing,
      held,
      blocks,
      marks: NO_HIGHLIGHTS,
      lang,
      prefix: PREFIX,
    };
  return (
    <>
      <Textures prefix={PREFIX} />
      <Base atlas={atlas} prefix={PREFIX} paint={paint} />
      <Lines atlas={atlas} />
      <Labels {...scene} />
      <Tokens atlas={atlas} board={board} blocks={blocks} />
      {[...atlas.sites.values()].map((site) => {
        const block = blocks.get(site.id)!,
          piles = standing.in(site.id),
          holders = held.get(site.id) ?? NOBODY;
        const ground = site.terrain === null ? "" : (atlas.grounds.get(site.terrain)?.label ?? "");
        return (
          <g>
            {site.form === "cell" &&
              holders.map((hold) => <Stone game={game} site={site} side={hold.side} />)}
            <g>
              <title>
                {[placeLabel(game, site.id, piles, holders, undefined, lang), ground]
                  .filter(Boolean)
                  .join(". ")}
              </title>
              {shape(site, { class: "told" })}
            </g>
            {piles.map((pile, i) => (
              <g
                transform={`translate(${block.piles[i]!.map(round).join(" ")}) scale(${(block.size / 48).toFixed(3)})`}
              >
                <title>{`${pileLabel(game, pile, lang)}${pile.ids.length > 1 ? `: ${pile.ids.map((id) => game.label("piece", id)).join(", ")}` : ""}`}</title>
                <PilePicture game={game} pile={pile} />
              </g>
            ))}
          </g>
        );
      })}
    </>
  );
}

/** The signs in columns as wide as the longest. */
function legendOf(rows: Row[], room: number): { drawn: VNode[]; high: number } {
  const wide = Math.max(0, ...rows.map(({ label }) => measure(label, LETTERS))) + 36 + 12 + 24,
    columns = Math.max(1, Math.floor((room + 24) / wide)),
    lines = Math.ceil(rows.length / columns);
  const drawn = rows.map(({ label, picture }, i) => (
    <g transform={`translate(${round(Math.floor(i / lines) * wide)} ${(i % lines) * ROW})`}>
      <g transform={`translate(0 ${picture.props && "size" in picture.props ? 2 : 7})`}>
        {picture}
      </g>
      <text class="means" x="48" y="25">
        {label}
      </text>
    </g>
  ));
  return { drawn, high: lines * ROW };
}

/**
 * The styles with the values of a theme instead of the page's properties, which not every SVG program
 * supports.
 */
export function styles(theme: Theme): string {
  const values = new Map<string, string>(),
    dark = '[data-theme="dark"]';
  for (const [, of, body] of colours.matchAll(/(:root|\[data-theme="dark"\]) \{([^}]*)\}/g))
    if (of === ":root" || theme === "dark")
      for (const [, name, value] of body!.matchAll(/(--[\w-]+): ([^;]+);/g))
        values.set(name!, value!);
  const rules = `${looks}${OWN}`
    .replace(/\/\*.*?\*\//gs, "")
    .split("\n")
    .filter((line) => theme === "dark" || !line.startsWith(dark))
    .map((line) => line.replace(dark, "").trim())
    .filter(Boolean);
  return `\n${rules
    .join("\n")
    .replace(/var\(--(?:fill|dark), (var\([\w-]+\))\)/g, "$1")
    .replace(/var\((--[\w-]+)\)/g, (_, name: string) => values.get(name) ?? "")}\n`;
}

/**
 * The function that the engine calls. Its string is in an object, because engines return strings built from
 * parts only in this way.
 */
(globalThis as Record<string, unknown>).draw = (wanted: Wanted) => ({ svg: draw(wanted) });
