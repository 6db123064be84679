// Renders the layers that never change: ground and water below the places, lines and their signs
// above.
import type { Atlas, Line, Sign } from "./atlas";
import { boxPath, noise } from "./geometry";
import { isHex, type MapPlace } from "./places";
import { measure } from "./textWidth";

/** The colours of a ground. */
export type Paint = (fill: string, dark: string) => Record<string, string>;

/** Light and dark fills as properties, so that a change of theme needs no new rendering. */
export const fills: Paint = (fill, dark) => ({ "--fill": fill, "--dark": dark });

const TINTS = [
  ["#fff", 0],
  ["#000", 0.035],
  ["#fff", 0.13],
] as const;
const tint = (id: string) =>
  TINTS[[...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % 3]!;

/** The background, if the drawing has one. */
function Backdrop({ atlas, prefix, paint }: { atlas: Atlas; prefix: string; paint: Paint }) {
  if (!atlas.backdrop) return null;
  const [left, top, right, bottom] = atlas.frame,
    { fill, dark, texture } = atlas.backdrop,
    box = { x: left, y: top, width: right - left, height: bottom - top };
  return (
    <>
      <rect class="ground backdrop" {...box} style={paint(fill, dark)} />
      {texture && <rect {...box} fill={`url(#${prefix}-${texture})`} />}
      <clipPath id={`${prefix}-frame`}>
        <rect {...box} />
      </clipPath>
    </>
  );
}

/** Land that is not a place. Over water it has a coast. */
function Scenery({ atlas, prefix, paint }: { atlas: Atlas; prefix: string; paint: Paint }) {
  const all = atlas.scenery.join("");
  if (!atlas.backdrop || !all)
    return (
      <>
        {atlas.scenery.map((d) => (
          <path class="scenery" d={d} />
        ))}
      </>
    );
  const { land } = atlas.backdrop;
  return (
    <g clip-path={`url(#${prefix}-frame)`}>
      {[3, 2, 1].map((n) => (
        <path class={`wave w${n}`} d={all} />
      ))}
      <path class="coast under" d={all} />
      {land && <path class="ground" d={all} style={paint(land.fill, land.dark)} />}
      {land?.texture && <path d={all} fill={`url(#${prefix}-${land.texture})`} />}
    </g>
  );
}

/** Places with land and water: water below everything, and the ground of each on its land. */
function Shores({
  atlas,
  rings,
  prefix,
  paint,
}: {
  atlas: Atlas;
  rings: MapPlace[];
  prefix: string;
  paint: Paint;
}) {
  const all = rings.map((site) => site.d).join(""),
    water = [...atlas.grounds.values()].find((ground) => ground.water),
    land = [...atlas.grounds.values()].find((ground) => !ground.water),
    shape = atlas.land ?? "";
  return (
    <>
      <clipPath id={`${prefix}-grid`}>
        <path d={all} />
      </clipPath>
      <clipPath id={`${prefix}-land`}>
        <path d={shape} clip-rule="evenodd" />
      </clipPath>
      <g clip-path={`url(#${prefix}-grid)`}>
        {water && <path class="ground" d={all} style={paint(water.fill, water.dark)} />}
        {water?.texture && <path d={all} fill={`url(#${prefix}-${water.texture})`} />}
        {[3, 2, 1].map((n) => (
          <path class={`wave w${n}`} d={shape} />
        ))}
        {land && (
          <path class="ground" fill-rule="evenodd" d={shape} style={paint(land.fill, land.dark)} />
        )}
        <g clip-path={`url(#${prefix}-land)`}>
          {rings
            .filter((site) => !site.water)
            .map((site) => (
              <Area atlas={atlas} site={site} prefix={prefix} paint={paint} />
            ))}
        </g>
        <path class="coast" d={shape} />
      </g>
    </>
  );
}

export function Base({
  atlas,
  prefix,
  paint = fills,
}: {
  atlas: Atlas;
  prefix: string;
  paint?: Paint;
}) {
  const all = [...atlas.sites.values()],
    rings = all.filter((site) => site.form === "ring"),
    waters = rings
      .filter((site) => site.water)
      .map((site) => site.d)
      .join("");
  return (
    <g class="layer-base">
      <Backdrop atlas={atlas} prefix={prefix} paint={paint} />
      {waters && atlas.land === null && (
        <clipPath id={`${prefix}-waters`}>
          <path d={waters} />
        </clipPath>
      )}
      <Scenery atlas={atlas} prefix={prefix} paint={paint} />
      {atlas.land === null ? (
        rings.map((site) => <Area atlas={atlas} site={site} prefix={prefix} paint={paint} />)
      ) : (
        <Shores atlas={atlas} rings={rings} prefix={prefix} paint={paint} />
      )}
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
          {style !== null && <path class="casing" d={d} />}
          <path class="way" d={d} marker-end={oneWay ? `url(#${prefix}-way)` : undefined} />
          {ends.map(([x, y]) => (
            <circle cx={x} cy={y} r="5" />
          ))}
        </g>
      ))}
      {all
        .filter((site) => site.form !== "ring" && site.form !== "sign")
        .map((site, i) => (
          <Area
            atlas={atlas}
            site={site}
            prefix={prefix}
            paint={paint}
            odd={site.form === "cell" && !isHex(site) && odd(site, i)}
          />
        ))}
    </g>
  );
}

/** Cells of a board alternate. */
const odd = (site: MapPlace, i: number): boolean =>
  (site.place.spot?.at ? Math.abs(site.place.spot.at[0] + site.place.spot.at[1]) : i) % 2 === 1;

function Area({
  atlas,
  site,
  prefix,
  paint,
  odd = false,
}: {
  atlas: Atlas;
  site: MapPlace;
  prefix: string;
  paint: Paint;
  odd?: boolean;
}) {
  const ground = site.terrain === null ? undefined : atlas.grounds.get(site.terrain),
    [colour, share] = tint(site.id),
    [left, top, right, bottom] = site.box;
  const wash = atlas.washes.get(site.id),
    shape = site.form === "ring" || isHex(site) || site.round ? { d: site.d } : null,
    rounded = {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      rx: site.form === "cell" ? 0 : 9,
    };
  const draw = (props: Record<string, unknown>) =>
    shape ? <path {...shape} {...props} /> : <rect {...rounded} {...props} />;
  return (
    <>
      {draw({
        class: `ground f-${site.form} ${odd ? "odd" : ""}`,
        style: ground ? paint(ground.fill, ground.dark) : undefined,
      })}
      {wash && draw({ class: "wash", fill: wash })}
      {ground?.texture === "peaks" ? (
        <Peaks site={site} />
      ) : (
        ground?.texture && draw({ fill: `url(#${prefix}-${ground.texture})` })
      )}
      {site.form === "ring" && share > 0 && !atlas.grid && (
        <path class="tint" d={site.d} fill={colour} fill-opacity={share} />
      )}
    </>
  );
}

/** Mountains in a place, as many as fit. Each is different, and the same on every screen. */
function Peaks({ site: { box, id } }: { site: MapPlace }) {
  const [left, top, right, bottom] = box,
    random = noise(id),
    size = (bottom - top) / 7,
    spots = [
      [0.34, 0.32],
      [0.66, 0.3],
      [0.22, 0.6],
      [0.5, 0.55],
      [0.78, 0.58],
      [0.36, 0.84],
      [0.64, 0.84],
    ] as const;
  const all = spots.map(([x, y]) => ({
    x: left + (right - left) * x + random() * size * 0.8,
    y: top + (bottom - top) * y + random() * size * 0.5,
    high: size * (1.05 + random() * 0.5),
    wide: size * (0.85 + random() * 0.3),
  }));
  const written = (n: number): string => n.toFixed(1);
  return (
    <g class="peaks">
      {all.map(({ x, y, high, wide }) => (
        <>
          <path
            class="peak"
            d={`M${written(x - wide)} ${written(y)}Q${written(x - wide * 0.35)} ${written(y - high * 0.45)} ${written(x)} ${written(y - high)}Q${written(x + wide * 0.4)} ${written(y - high * 0.5)} ${written(x + wide)} ${written(y)}Z`}
          />
          <path
            class="slope"
            d={`M${written(x)} ${written(y - high)}Q${written(x + wide * 0.4)} ${written(y - high * 0.5)} ${written(x + wide)} ${written(y)}L${written(x + wide * 0.2)} ${written(y)}Q${written(x + wide * 0.3)} ${written(y - high * 0.4)} ${written(x)} ${written(y - high)}Z`}
          />
        </>
      ))}
    </g>
  );
}

/** Borders, coasts, rivers, walls, signs. They are not clickable. */
export function Lines({ atlas }: { atlas: Atlas }) {
  const order = [
      "lane",
      "coastal",
      "road",
      "cliff",
      "ridge",
      "river",
      "wall-planned",
      "wall-broken",
      "wall",
    ],
    rank = (line: Line): number => order.indexOf(line.style);
  return (
    <g class="layer-lines" aria-hidden="true">
      {atlas.inland && <path class={atlas.grid ? "grid" : "edge"} d={atlas.inland} />}
      {atlas.inwater && <path class={atlas.grid ? "grid wet" : "edge wet"} d={atlas.inwater} />}
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
      {atlas.words.map(({ text, at: [x, y], size, turn, sea }) => (
        <text
          class={`word ${sea ? "sea" : ""}`}
          transform={`translate(${x} ${y}) rotate(${turn})`}
          style={{ fontSize: `${size}px`, letterSpacing: `${(size * 0.22).toFixed(1)}px` }}
        >
          {text}
        </text>
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
    <g
      class={`sign ${mark}`}
      transform={`translate(${at[0].toFixed(1)} ${at[1].toFixed(1)}) rotate(${(turn + 90).toFixed(1)})`}
    >
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
      ) : mark === "pass" ? (
        <path d="M-7-9Q-2.5 0-7 9M7-9Q2.5 0 7 9" />
      ) : mark === "ferry" ? (
        <path d="M0-13V13M-5-8L0-13 5-8M-5 8L0 13 5 8" />
      ) : mark === "slip" ? (
        <path d="M-3-13V13M3-13V13M-6-9H6M-6-3H6M-6 3H6M-6 9H6" />
      ) : mark === "ford" ? (
        <path d="M-12-4q3-3 6 0t6 0 6 0 6 0M-12 4q3-3 6 0t6 0 6 0 6 0" />
      ) : (
        <path d="M-6-6L6 6M-6 6L6-6" />
      )}
    </g>
  );
}

/** Words in lines of at most `room`. */
export function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measure(longer, "600 13.5px Inter, sans-serif") <= room)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
