// Renders the counter of a piece, as part of a drawing (in a box of 48 units) or as a picture of
// its own.
import type { Game, Piece } from "../game";
import { emblem, glyph, MARKS, type Sign } from "./glyphs";
import { signsOf, tag } from "./signs";

const IVORY = "#fbf5e6",
  BRIGHT = "#ffd566",
  BRONZE = "#8f5f08",
  STONE = "#6b655a",
  STONE_DEEP = "#47423a";

/** `many`: the number of pieces in the pile. `sum`: their total strength. */
export interface Faces {
  owner?: string | null;
  reduced?: boolean;
  many?: number;
  sum?: number | null;
}
interface Inks {
  paper: string;
  ink: string;
  deep: string;
  reduced: boolean;
}

/** The strokes of a sign, `size` wide, with its corner in (x, y). */
export function Strokes({
  sign,
  x,
  y,
  size,
  ink,
  ground,
}: {
  sign: Sign;
  x: number;
  y: number;
  size: number;
  ink: string;
  ground: string;
}) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / sign.box})`}>
      {sign.strokes.map(({ d, hole, line }) => {
        const colour = hole ? ground : ink;
        return line ? (
          <path d={d} fill="none" stroke={colour} stroke-width={line / 10} stroke-linecap="round" />
        ) : (
          <path d={d} fill={colour} />
        );
      })}
    </g>
  );
}

function Glyph({
  game,
  piece,
  x,
  y,
  size,
  inks,
  many = 1,
}: {
  game: Game;
  piece: Piece;
  x: number;
  y: number;
  size: number;
  inks: Inks;
  many?: number;
}) {
  const signs = signsOf(game),
    sign = glyph(signs.glyph(piece), signs.art);
  if (sign)
    return <Strokes sign={sign} x={x} y={y} size={size} ink={inks.ink} ground={inks.paper} />;
  return (
    <text class="c-letter" x={24} y={y + size * 0.82} fill={inks.ink}>
      {letter(game, piece, many)}
    </text>
  );
}

/** The replacement for a glyph that a game does not have. */
function letter(game: Game, piece: Piece, many: number): string {
  const word =
    piece.glyph === null
      ? many > 1
        ? signsOf(game).type(piece)
        : tag(piece)
      : piece.glyph.length <= 2
        ? piece.glyph
        : signsOf(game).typeLabel(piece.glyph);
  return word.length <= 2 ? word : word.charAt(0).toUpperCase();
}

/** Short words unchanged, and longer ones compressed into `room`. */
const pressed = (text: string, letters: number, room: number) =>
  text.length > letters ? { textLength: room, lengthAdjust: "spacingAndGlyphs" as const } : {};

/** A counter in a box of 48. */
export function Counter({
  game,
  id,
  owner,
  reduced = false,
  many = 1,
  sum = null,
}: { game: Game; id: string } & Faces) {
  const piece = game.pieces.get(id);
  if (piece === undefined) return null;
  const { colour, deep } = game.colours(owner ?? piece.owner);
  const inks: Inks = reduced
    ? { paper: IVORY, ink: colour, deep: colour, reduced }
    : { paper: colour, ink: IVORY, deep, reduced };
  return signsOf(game).isRound(piece) ? (
    <Medallion game={game} piece={piece} inks={inks} />
  ) : (
    <Square game={game} piece={piece} inks={inks} many={many} sum={sum} />
  );
}

function Square({
  game,
  piece,
  inks,
  many,
  sum,
}: {
  game: Game;
  piece: Piece;
  inks: Inks;
  many: number;
  sum: number | null;
}) {
  const { paper, ink, deep, reduced } = inks,
    strength = many > 1 || sum !== null ? sum : reduced ? (piece.back ?? piece.front) : piece.front;
  const mark = MARKS[signsOf(game).mark(piece)] ?? MARKS.star!,
    name = tag(piece),
    lettered = glyph(signsOf(game).glyph(piece), signsOf(game).art) === null;
  const shift = lettered ? 0 : piece.bonus > 0 ? -4.5 : 0,
    size = reduced ? 22.4 : 25.3;
  const bare = strength === null && lettered && name.length <= 2 && piece.glyph === null;
  return (
    <>
      <rect
        x="1"
        y="1"
        width="46"
        height="46"
        rx="6.5"
        fill={paper}
        stroke={deep}
        stroke-width="2"
      />
      {reduced ? (
        <rect
          x="3.5"
          y="3.5"
          width="41"
          height="41"
          rx="4.5"
          fill="none"
          stroke={ink}
          stroke-width="1.2"
          stroke-dasharray="3 2.4"
        />
      ) : (
        <path
          d="M2 30.5h44v10a5.5 5.5 0 0 1-5.5 5.5h-33A5.5 5.5 0 0 1 2 40.5z"
          fill={deep}
          fill-opacity={bare ? 0 : 0.62}
        />
      )}
      {piece.band && <path d="M2.2 30.5h43.6" stroke="#f0c75e" stroke-width="1.7" />}
      <Glyph
        game={game}
        piece={piece}
        x={24 - size / 2 + shift}
        y={bare ? 10 : reduced ? 6 : 3.8}
        size={bare ? 27 : size}
        inks={inks}
        many={many}
      />
      {Array.from({ length: piece.bonus }, (_, i) => (
        <path
          d={mark}
          transform={`translate(${40 - (i % 2) * 8.5} ${9 + Math.floor(i / 2) * 9}) scale(.92)`}
          fill={reduced ? BRONZE : BRIGHT}
        />
      ))}
      {many <= 1 && !bare && (
        <text
          x={5}
          y={43}
          class="c-tag"
          fill={ink}
          {...pressed(name, strength === null ? 6 : 3, strength === null ? 38 : 20)}
        >
          {name}
        </text>
      )}{" "}
      {strength !== null && (
        <text x={43.5} y={43.6} class="c-strength" fill={ink}>
          {strength}
        </text>
      )}
    </>
  );
}

function Medallion({ game, piece, inks }: { game: Game; piece: Piece; inks: Inks }) {
  const { paper, ink, deep, reduced } = inks,
    mark = MARKS[signsOf(game).mark(piece)] ?? MARKS.star!;
  return (
    <>
      <circle cx="24" cy="24" r="23" fill={paper} stroke={deep} stroke-width="2" />
      <circle
        cx="24"
        cy="24"
        r="19.6"
        fill="none"
        stroke={reduced ? ink : BRIGHT}
        stroke-opacity=".85"
        stroke-width="1"
        stroke-dasharray={reduced ? "3 2.4" : undefined}
      />
      <Glyph game={game} piece={piece} x={11.5} y={4.5} size={25.6} inks={inks} />
      <path d="M3.4 32.5h41.2a22 22 0 0 1-7.4 10.5H10.8a22 22 0 0 1-7.4-10.5z" fill={deep} />
      <text
        x="24"
        y="40.8"
        class="c-name"
        fill={reduced ? IVORY : "#fff"}
        {...pressed(piece.label, 6, piece.label.length > 8 ? 35 : 31)}
      >
        {piece.label}
      </text>
      {Array.from({ length: piece.bonus }, (_, i) => (
        <g transform={`translate(${42.5 - i * 9} ${8.5 - (i % 2) * 2})`}>
          <circle r="6.5" fill={deep} />
          <path d={mark} fill={BRIGHT} transform="rotate(35)" />
        </g>
      ))}
    </>
  );
}

/** A counter with an unknown face. */
export function Unknown({ game, owner }: { game?: Game; owner?: string | null }) {
  const sign = glyph("unknown", {})!,
    { colour, deep } = game && owner ? game.colours(owner) : { colour: STONE, deep: STONE_DEEP };
  return (
    <>
      <rect
        x="1"
        y="1"
        width="46"
        height="46"
        rx="6.5"
        fill={colour}
        stroke={deep}
        stroke-width="2"
      />
      <rect
        x="4.5"
        y="4.5"
        width="39"
        height="39"
        rx="4"
        fill="none"
        stroke={IVORY}
        stroke-opacity=".45"
        stroke-width="1.2"
      />
      <Strokes sign={sign} x={9} y={8} size={31} ink={IVORY} ground={colour} />
    </>
  );
}

/** The cards behind the first of a pile, and the badge with their number. */
export function Behind({
  many,
  deep,
  round = false,
}: {
  many: number;
  deep: string;
  round?: boolean;
}) {
  const depth = Math.min(many, 3) - 1;
  return (
    <>
      {Array.from({ length: depth }, (_, i) => {
        const off = depth - i;
        return (
          <rect
            class="under-card"
            x={3.5 * off + 1}
            y={-3 * off + 1}
            width="46"
            height="46"
            rx={round ? 23 : 6.5}
            fill={deep}
          />
        );
      })}
    </>
  );
}
export function Many({ many }: { many: number }) {
  return many > 1 ? (
    <g class="many" transform="translate(4 5)">
      <rect x={many > 9 ? -11 : -9} y="-9" width={many > 9 ? 22 : 18} height="18" rx="9" />
      <text y="4.4">{many}</text>
    </g>
  ) : null;
}

/** A picture of a piece, or of a pile of equal ones, `size` pixels wide. */
export function CounterPicture({
  game,
  id,
  size,
  owner,
  reduced,
  many = 1,
  sum,
}: { game: Game; id: string; size: number } & Faces) {
  const piece = game.pieces.get(id);
  return (
    <svg class="counter" viewBox="0 0 48 48" width={size} height={size} aria-hidden="true">
      <Behind
        many={many}
        deep={game.colours(owner ?? piece?.owner ?? null).deep}
        round={piece !== undefined && signsOf(game).isRound(piece)}
      />
      <Counter
        game={game}
        id={id}
        owner={owner ?? null}
        reduced={reduced ?? false}
        many={many}
        sum={sum ?? null}
      />
      <Many many={many} />
    </svg>
  );
}

/**
 * The emblem of a side in a box of 32 around (0, 0): a disc of its colour. Without an emblem it has the first
 * letter of its name.
 */
export function EmblemDisc({ game, side }: { game: Game; side: string | null }) {
  const { colour, emblem: name } = game.colours(side),
    sign = emblem(name, signsOf(game).art);
  return (
    <>
      <circle r="16" fill={colour} />
      {sign ? (
        <Strokes sign={sign} x={-12} y={-12} size={24} ink="#fff" ground={colour} />
      ) : (
        <text class="c-letter" y="8" fill="#fff">
          {side === null ? "–" : game.label("side", side).charAt(0).toUpperCase()}
        </text>
      )}
    </>
  );
}

/** The emblem of a side as a picture. */
export function Emblem({
  game,
  side,
  size = 20,
}: {
  game: Game;
  side: string | null;
  size?: number;
}) {
  return (
    <svg class="emblem" viewBox="-16 -16 32 32" width={size} height={size} aria-hidden="true">
      <EmblemDisc game={game} side={side} />
    </svg>
  );
}
