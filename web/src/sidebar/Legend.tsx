// Renders the legend: pieces, ground and lines. The legend of a printed map has the same rows.
import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { CounterPicture } from "../counters/Counter";
import { signsOf } from "../counters/signs";
import type { Game, Piece } from "../game";
import { type MapWord, sayOnMap } from "../i18n/sayOnMap";
import { corners } from "../map/atlas";
import { forceLook } from "../map/forces";
import { fills, Mark, type Paint } from "../map/Ground";
import { grounds } from "../map/places";
import { Textures } from "../map/Textures";
import { ForcePicture, TokenPicture } from "../map/Tokens";
import { rulesOf } from "../map/token";

const LINES = [
    "river",
    "road",
    "lane",
    "coastal",
    "cliff",
    "ridge",
    "wall",
    "wall-broken",
    "wall-planned",
    "coast",
  ] as const,
  TIES: readonly string[] = ["lane", "coastal"],
  MARKS = ["bridge", "gate", "ford", "cross", "pass", "ferry", "slip"] as const;

/** A sign, as a drawing 36 wide, and its meaning. */
export interface Row {
  label: string;
  picture: VNode;
}

export function Legend({ game, lang }: { game: Game; lang: string }) {
  const prefix = `l${useId().replace(/[^A-Za-z0-9]/g, "")}`,
    lit = <rect class="place target" x="1" y="1" width="34" height="24" rx="4" />,
    fight = <rect class="place fight target" x="1" y="1" width="34" height="24" rx="4" />;
  const lines = [
    ...lineRows(game, lang),
    { label: sayOnMap(lang, "lit"), picture: swatch(lit) },
    { label: sayOnMap(lang, "red"), picture: swatch(fight) },
  ];
  return (
    <div class="legend">
      <svg width="0" height="0" class="unseen" aria-hidden="true">
        <Textures prefix={prefix} />
      </svg>
      <Group title={sayOnMap(lang, "counters")} rows={pieceRows(game, lang)} />
      <Group title={sayOnMap(lang, "places")} rows={[...signRows(game), ...forceRows(game)]} />
      <Group title={sayOnMap(lang, "ground")} rows={groundRows(game, prefix)} />
      <Group title={sayOnMap(lang, "lines")} rows={lines} />
    </div>
  );
}

function Group({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {rows.map(({ label, picture }) => (
          <li key={label}>
            {picture}
            <span>{label}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One of each type of counters, and the special marks on a counter. */
export function pieceRows(game: Game, lang: string): Row[] {
  const signs = signsOf(game),
    all = [...game.pieces.values()],
    first = (fits: (piece: Piece) => boolean): Piece | undefined => all.find(fits);
  if (all.length === 0) return [];
  const flat = first(
      (piece) => piece.back !== null && !signs.isRound(piece) && piece.back !== piece.front,
    ),
    banded = first((piece) => piece.band),
    starred = first((piece) => piece.bonus > 0 && !signs.isRound(piece));
  const named = (role: "band" | "bonus"): string | undefined =>
    game.sheet.pieces
      .map(
        (roles) =>
          game.kinds.get(roles.kind)?.attributes.find((each) => each.name === roles[role])?.label,
      )
      .find(Boolean);
  const row = (
    piece: Piece | undefined,
    label: string,
    more: { reduced?: boolean; many?: number; sum?: number | null } = {},
  ): Row[] =>
    piece
      ? [{ label, picture: <CounterPicture game={game} id={piece.id} size={36} {...more} /> }]
      : [];
  const types = signs.types().flatMap((type) =>
    row(
      first((piece) => piece.glyph === type),
      signs.typeLabel(type),
    ),
  );
  const sides = [...game.sides.keys()].flatMap((side) =>
    row(
      first((piece) => piece.owner === side),
      game.label("side", side),
    ),
  );
  return [
    ...(types.length ? types : sides),
    ...row(flat, sayOnMap(lang, "weak"), { reduced: true }),
    ...row(starred, named("bonus") ?? sayOnMap(lang, "bonus")),
    ...row(banded, named("band") ?? sayOnMap(lang, "band")),
    ...row(flat ?? all[0], sayOnMap(lang, "several"), {
      many: 3,
      sum: flat?.front ? 3 * flat.front : null,
    }),
  ];
}

const swatch = (drawing: VNode | (VNode | "" | null)[]): VNode => (
  <svg class="swatch" width="36" height="26" viewBox="0 0 36 26" aria-hidden="true">
    {drawing}
  </svg>
);

/** The grounds in use. `prefix`: that of the textures. */
export function groundRows(game: Game, prefix: string, paint: Paint = fills): Row[] {
  const used = new Set(game.sheet.map.spots.map((spot) => spot.terrain));
  return [...grounds(game)]
    .filter(([name]) => used.has(name))
    .map(([, ground]) => ({
      label: ground.label,
      picture: swatch([
        <rect
          class="ground f-node"
          style={paint(ground.fill, ground.dark)}
          width="36"
          height="26"
          rx="4"
        />,
        ground.texture && (
          <rect width="36" height="26" rx="4" fill={`url(#${prefix}-${ground.texture})`} />
        ),
      ]),
    }));
}

/** The signs of places that have a name. */
export const signRows = (game: Game): Row[] =>
  rulesOf(game)
    .filter((rule) => rule.label)
    .map((rule) => ({
      label: rule.label!,
      picture: swatch(
        <g transform="translate(18 13)">
          <TokenPicture
            game={game}
            token={{
              shape: rule.shape ?? "disc",
              size: 9,
              owner: null,
              number: rule.number ? "2" : "",
              walls: rule.walls === true,
              marks: rule.mark ? [rule.mark] : [],
              wash: rule.wash ?? null,
            }}
          />
        </g>,
      ),
    }));

/** The counted things in places, by their glyphs. */
export function forceRows(game: Game): Row[] {
  const look = forceLook(game),
    kinds = [...game.kinds.values()];
  return Object.entries(look?.glyphs ?? {}).map(([type, glyph]) => ({
    label: kinds.flatMap((kind) => kind.members).find((each) => each.id === type)?.label ?? type,
    picture: swatch(
      <g transform="translate(3 4)">
        <ForcePicture
          game={game}
          force={{ side: null, moving: false, arms: [{ glyph, many: 2 }], label: "" }}
        />
      </g>,
    ),
  }));
}

/** The lines and symbols in use. */
export function lineRows(game: Game, lang: string): Row[] {
  const shut = new Set([...grounds(game).values()].map((ground) => ground.closed)),
    styles = LINES.filter(
      (style) => shut.has(style) || game.edges.some((edge) => edge.style === style),
    ),
    marks = MARKS.filter((mark) => game.edges.some((edge) => edge.marks.includes(mark)));
  const row = (word: MapWord, drawing: VNode): Row => ({
    label: sayOnMap(lang, word),
    picture: swatch(drawing),
  });
  const stripe = (style: (typeof LINES)[number]): VNode =>
    style === "coast" ? (
      <path class="coast" d="M0 13q9-6 18 0t18 0" />
    ) : TIES.includes(style) ? (
      <g class={`tie ${style}`}>
        <path class="casing" d="M0 13h36" />
        <path class="way" d="M0 13h36" />
      </g>
    ) : (
      <g class={`stripe ${style}`}>
        <path class="under" d="M0 13h36" />
        <path class="over" d="M0 13h36" />
        {(style === "wall" ||
          style === "wall-broken" ||
          style === "cliff" ||
          style === "ridge") && <path class="teeth" d="M6 13v-8M18 13v-8M30 13v-8" />}
      </g>
    );
  return [
    ...styles.map((style) => row(style, stripe(style))),
    ...marks.map((mark) => row(mark, <Mark sign={{ mark, at: [18, 13], turn: -90 }} />)),
    ...(game.sheet.map.closed.length > 0 || game.sheet.look.coast !== undefined
      ? [row("closed", <path class="closed" d="M0 13h36" />)]
      : []),
    ...(corners(game).length > 0
      ? [row("corner", <circle class="corner" cx="18" cy="13" r="5" />)]
      : []),
  ];
}
