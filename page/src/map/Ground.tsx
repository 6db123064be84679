// Takes an atlas; makes the layers that never change: ground and water below the lit places, lines and their signs above.
import type { Atlas, Line, Sign } from "./atlas";
import { boxPath } from "./geometry";
import { measure } from "./measure";
import { isHex, type Site } from "./sites";

/** How a ground is coloured. */
export type Paint = (fill: string, dark: string) => Record<string, string>;

/** Light and dark fills as properties, so that a change of theme is no new pass. */
export const fills: Paint = (fill, dark) => ({ "--fill": fill, "--dark": dark });

const TINTS = [
  ["#fff", 0],
  ["#000", 0.035],
  ["#fff", 0.13],
] as const;
const tint = (id: string) => TINTS[[...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % 3]!;

export function Base({ atlas, prefix, paint = fills }: { atlas: Atlas; prefix: string; paint?: Paint }) {
  const all = [...atlas.sites.values()],
    rings = all.filter((site) => site.form === "ring"),
    waters = rings
      .filter((site) => site.water)
      .map((site) => site.d)
      .join("");
  return (
    <g class="layer-base">
      {waters && (
        <clipPath id={`${prefix}-waters`}>
          <path d={waters} />
        </clipPath>
      )}
      {atlas.scenery.map((d) => (
        <path class="scenery" d={d} />
      ))}
      {rings.map((site) => (
        <Area atlas={atlas} site={site} prefix={prefix} paint={paint} />
      ))}
      {waters && atlas.coast && (
        <g clip-path={`url(#${prefix}-waters)`}>
          {[3, 2, 1].map((n) => (
            <path class={`wave w${n}`} d={atlas.coast} />
          ))}
        </g>
      )}
      {atlas.frames.map((frame) => (
        <path class="inset" d={boxPath(frame.box)} />
      ))}
      {atlas.links.map(({ d, style, oneWay, ends }) => (
        <g class={`tie ${style ?? ""}`}>
          <path d={d} marker-end={oneWay ? `url(#${prefix}-way)` : undefined} />
          {ends.map(([x, y]) => (
            <circle cx={x} cy={y} r="5" />
          ))}
        </g>
      ))}
      {all
        .filter((site) => site.form !== "ring")
        .map((site, i) => (
          <Area atlas={atlas} site={site} prefix={prefix} paint={paint} odd={site.form === "cell" && !isHex(site) && odd(site, i)} />
        ))}
    </g>
  );
}

/** Cells of a board alternate. */
const odd = (site: Site, i: number): boolean =>
  (site.place.spot?.at ? Math.abs(site.place.spot.at[0] + site.place.spot.at[1]) : i) % 2 === 1;

function Area({ atlas, site, prefix, paint, odd = false }: { atlas: Atlas; site: Site; prefix: string; paint: Paint; odd?: boolean }) {
  const ground = site.terrain === null ? undefined : atlas.grounds.get(site.terrain),
    [colour, share] = tint(site.id),
    [left, top, right, bottom] = site.box;
  const shape = site.form === "ring" || isHex(site) ? { d: site.d } : null,
    rounded = { x: left, y: top, width: right - left, height: bottom - top, rx: site.form === "cell" ? 0 : 9 };
  const draw = (props: Record<string, unknown>) => (shape ? <path {...shape} {...props} /> : <rect {...rounded} {...props} />);
  return (
    <>
      {draw({ class: `ground f-${site.form} ${odd ? "odd" : ""}`, style: ground ? paint(ground.fill, ground.dark) : undefined })}
      {ground?.texture && draw({ fill: `url(#${prefix}-${ground.texture})` })}
      {site.form === "ring" && share > 0 && <path class="tint" d={site.d} fill={colour} fill-opacity={share} />}
    </>
  );
}

/** Borders, coasts, rivers, walls, signs. They take no clicks. */
export function Lines({ atlas }: { atlas: Atlas }) {
  const order = ["road", "cliff", "river", "wall-planned", "wall-broken", "wall"],
    rank = (line: Line): number => order.indexOf(line.style);
  return (
    <g class="layer-lines" aria-hidden="true">
      {atlas.inland && <path class="edge" d={atlas.inland} />}
      {atlas.inwater && <path class="edge wet" d={atlas.inwater} />}
      {atlas.rim && <path class="rim" d={atlas.rim} />}
      {atlas.coast && <path class="coast" d={atlas.coast} />}
      {[...atlas.lines]
        .sort((a, b) => rank(a) - rank(b))
        .map((line) => (
          <Stripe line={line} />
        ))}
      {atlas.closed.map((d) => (
        <path class="closed" d={d} />
      ))}
      {atlas.corners.map(([x, y]) => (
        <circle class="corner" cx={x} cy={y} r="5" />
      ))}
      {atlas.signs.map((sign) => (
        <Mark sign={sign} />
      ))}
      {atlas.frames.map(({ title, at, room }) => {
        const lines = wrapped(title, room);
        return lines.map((line, i) => (
          <text class="inset-title" x={at[0]} y={at[1] + 5 + (i - (lines.length - 1) / 2) * 18}>
            {line}
          </text>
        ));
      })}
    </g>
  );
}

export const Stripe = ({ line }: { line: Line }) => (
  <g class={`stripe ${line.style}`}>
    <path class="under" d={line.d} />
    <path class="over" d={line.d} />
    {line.teeth && <path class="teeth" d={line.teeth} />}
  </g>
);

export function Mark({ sign: { mark, at, turn } }: { sign: Sign }) {
  return (
    <g class={`sign ${mark}`} transform={`translate(${at[0].toFixed(1)} ${at[1].toFixed(1)}) rotate(${(turn + 90).toFixed(1)})`}>
      {mark === "bridge" ? (
        <>
          <rect x="-15" y="-7" width="30" height="14" />
          <path d="M-15-7h30M-15 7h30" />
        </>
      ) : mark === "gate" ? (
        <>
          <rect x="-6" y="-8" width="12" height="16" />
          <path d="M-6-8v16M6-8v16" />
        </>
      ) : mark === "ford" ? (
        <path d="M-12-4q3-3 6 0t6 0 6 0 6 0M-12 4q3-3 6 0t6 0 6 0 6 0" />
      ) : (
        <path d="M-6-6L6 6M-6 6L6-6" />
      )}
    </g>
  );
}

/** Words in lines that are no longer than `room`. */
export function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measure(longer, "600 13.5px Inter, sans-serif") <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
