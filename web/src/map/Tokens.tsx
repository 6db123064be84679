// Renders the signs of places, in the colours of their owners, and the numbers of troops that the
// rules count there.
import type { VNode } from "preact";
import { Strokes } from "../counters/Counter";
import { glyph as glyphOf } from "../counters/glyphs";
import { signsOf } from "../counters/signs";
import type { Board, Game } from "../game";
import type { Atlas } from "./atlas";
import { type Force, forcesOf } from "./forces";
import type { Point } from "./geometry";
import type { LabelBlock } from "./labelBlock";
import { boxAt } from "./labelSides";
import { useMemoizedNode } from "./memo";
import type { MapPlace } from "./places";
import { measure } from "./textWidth";
import { type Shape, sameToken, type Token, tokenOf } from "./token";

/** A shape around 0 with the radius `r`. */
export function outline(shape: Shape, r: number): string {
  const ring = (points: number[][]): string =>
    `M${points.map(([x, y]) => `${x!.toFixed(1)} ${y!.toFixed(1)}`).join("L")}Z`;
  if (shape === "square")
    return ring(
      [
        [-r, -r],
        [r, -r],
        [r, r],
        [-r, r],
      ].map(([x, y]) => [x! * 0.9, y! * 0.9]),
    );
  if (shape === "diamond")
    return ring(
      [
        [0, -r],
        [r, 0],
        [0, r],
        [-r, 0],
      ].map(([x, y]) => [x! * 1.2, y! * 1.2]),
    );
  if (shape === "hexagon")
    return ring(
      [0, 60, 120, 180, 240, 300].map((turn) => [
        r * 1.08 * Math.cos((turn * Math.PI) / 180),
        r * 1.08 * Math.sin((turn * Math.PI) / 180),
      ]),
    );
  return `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`;
}

/** In a box of 12 around 0. */
const MARKS: Record<string, string> = {
  star: "M0-6L1.6-1.9 6-1.9 2.5.8 3.8 5.2 0 2.6-3.8 5.2-2.5.8-6-1.9-1.6-1.9Z",
  anchor: "M0-2.6V5M-2.6-1H2.6M-4.6 1.4Q-4.2 5 0 5.2 4.2 5 4.6 1.4M0-2.6A1.4 1.4 0 1 1 .01-2.6",
  flame: "M0-6Q4.6-1.6 3.6 2.2 2.6 5.4 0 5.4-3-.1-1 -.6-2.2 1.6-3.6 1.2-3.8-2 0-6Z",
  siege: "M-5 5V-1H-3V-3H-1V-1H1V-3H3V-1H5V5ZM-5-5L5 3",
  fist: "M-3 5V1H-4V-3H-2V-4H0V-4.5H2V-4H4V1L3 5Z",
  temple: "M-6-1L0-5.4 6-1ZM-4.4 0V4M-1.5 0V4M1.5 0V4M4.4 0V4M-6 5.2H6",
  dot: "M-2.5 0A2.5 2.5 0 1 1 2.5 0 2.5 2.5 0 1 1-2.5 0Z",
};
export const TOKEN_MARKS = Object.keys(MARKS);
const STROKED = new Set(["anchor", "temple"]),
  ALARMS = new Set(["flame", "siege", "fist"]);

/** Marks within the shape, if it has no text. The others are on its edge, except a dot. */
const WITHIN = new Set(["star", "temple", "dot"]);

export function TokenPicture({ game, token }: { game: Game; token: Token }): VNode | null {
  if (token.shape === null) return null;
  const r = token.size,
    { colour, deep } = game.colours(token.owner),
    own = token.owner !== null,
    inner = token.number ? undefined : token.marks.find((mark) => WITHIN.has(mark)),
    hung = token.marks.filter((mark) => mark !== inner && mark !== "dot");
  return (
    <g class={`token ${own ? "" : "free"}`}>
      <path class="token-shade" d={outline(token.shape, r)} transform="translate(.8 1.6)" />
      {token.walls && <path class="token-walls" d={outline(token.shape, r + 3.4)} />}
      <path
        class="token-form"
        d={outline(token.shape, r)}
        style={own ? { fill: colour, stroke: deep } : token.wash ? { fill: token.wash } : undefined}
      />
      {token.number && (
        <text class="token-number" y={r * 0.42} style={{ fontSize: `${(r * 1.25).toFixed(1)}px` }}>
          {token.number}
        </text>
      )}
      {inner && (
        <path
          class={`token-inner ${STROKED.has(inner) ? "line" : ""}`}
          d={MARKS[inner]}
          transform={`scale(${(r / 9).toFixed(2)})`}
        />
      )}
      {hung.map((mark, i) => (
        <g
          class={`token-mark ${ALARMS.has(mark) ? "alarm" : ""}`}
          transform={`translate(${((i % 2 ? -1 : 1) * r * 0.86).toFixed(1)} ${((i > 1 ? -1 : 1) * r * 0.86).toFixed(1)}) scale(${(r / 13).toFixed(2)})`}
        >
          <circle r="7.4" />
          <path class={STROKED.has(mark) ? "line" : undefined} d={MARKS[mark]} />
        </g>
      ))}
    </g>
  );
}

export const HIGH = 17;
const ICON = 13,
  NUMBER_FONT = "700 11.5px Inter, sans-serif";

/** The width of a force. */
export const wideOf = (force: Force): number =>
  force.arms.reduce((sum, { many }) => sum + ICON + measure(String(many), NUMBER_FONT) + 7, 3);

/** The force of one side in a place: glyphs with their numbers on its colour, from a corner. */
export function ForcePicture({ game, force }: { game: Game; force: Force }): VNode {
  const { colour, deep } = game.colours(force.side);
  let x = 3;
  return (
    <g class={force.moving ? "force moving" : "force"}>
      <title>{force.label}</title>
      <rect class="shade" x="1" y="1.6" width={wideOf(force)} height={HIGH} rx="4.5" />
      <rect width={wideOf(force)} height={HIGH} rx="4.5" style={{ fill: colour, stroke: deep }} />
      {force.arms.map(({ glyph, many }) => {
        const at = x,
          sign = glyphOf(glyph, signsOf(game).art);
        x += ICON + measure(String(many), NUMBER_FONT) + 7;
        return (
          <>
            {sign && <Strokes sign={sign} x={at} y={2} size={ICON} ink="#fff" ground={colour} />}
            <text x={(at + ICON + 2).toFixed(1)} y="12.6">
              {many}
            </text>
          </>
        );
      })}
    </g>
  );
}

/** The positions of the forces of a place: at the slot of a sign, else in the lower part of the place. */
function placed(site: MapPlace, block: LabelBlock | undefined, forces: readonly Force[]): Point[] {
  const sizes = forces.map((force): Point => [wideOf(force), HIGH]),
    whole: Point = [Math.max(...sizes.map(([wide]) => wide)), sizes.length * (HIGH + 2) - 2];
  const [left, top] = site.sign
    ? boxAt(site.at, site.sign.size + 4, site.sign.force, whole)
    : [site.at[0] - whole[0] / 2, (block?.bounds[3] ?? site.at[1]) + 4];
  const toLeft = site.sign && site.sign.force[0] < 0;
  return sizes.map(
    ([wide], i): Point => [
      toLeft
        ? left + whole[0] - wide
        : site.sign?.force[0] === 0 || !site.sign
          ? left + (whole[0] - wide) / 2
          : left,
      top + i * (HIGH + 2),
    ],
  );
}

/** The signs of all places, and the forces next to them. */
export function Tokens({
  atlas,
  board,
  blocks,
}: {
  atlas: Atlas;
  board: Board;
  blocks: ReadonlyMap<string, LabelBlock>;
}) {
  const kept = useMemoizedNode(),
    { game } = board,
    forces = forcesOf(board),
    last = [...atlas.sites.values()].sort(
      (a, b) => Number(forces.has(a.id)) - Number(forces.has(b.id)),
    ); // so that numbers are drawn over signs
  if (!atlas.signed && forces.size === 0) return null;
  return (
    <g class="layer-tokens" aria-hidden="true">
      {last.map((site) => {
        const token = tokenOf(game, board, site.id),
          block = blocks.get(site.id),
          here = forces.get(site.id) ?? [],
          at = site.sign ? site.at : (block?.flag ?? site.at);
        if (token.shape === null && here.length === 0) return null;
        return kept(
          site.id,
          `${sameToken(token)}|${at}|${JSON.stringify(here)}|${block?.bounds}`,
          () => (
            <g key={site.id} data-sign={site.id} data-place={site.id}>
              <g transform={`translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`}>
                <TokenPicture game={game} token={token} />
              </g>
              {here.length > 0 &&
                placed(site, block, here).map(([x, y], i) => (
                  <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
                    <ForcePicture game={game} force={here[i]!} />
                  </g>
                ))}
            </g>
          ),
        );
      })}
    </g>
  );
}
