// Takes a game; makes the list of its signs: pieces, ground, lines.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { CounterPicture } from "../counters/Counter";
import { signsOf } from "../counters/signs";
import type { Game, Piece } from "../game";
import { fills } from "../map/Ground";
import { grounds } from "../map/sites";
import { Textures } from "../map/Textures";
import { say, type Word } from "../map/words";

const LINES = ["river", "road", "cliff", "wall", "wall-broken", "wall-planned", "coast"] as const,
  MARKS = ["bridge", "gate", "ford", "cross"] as const;

export function Legend({ game, lang }: { game: Game; lang: string }) {
  const pieces = <Pieces game={game} lang={lang} />,
    ground = <Grounds game={game} lang={lang} />,
    lines = <Lines game={game} lang={lang} />;
  return (
    <div class="legend">
      {pieces}
      {ground}
      {lines}
    </div>
  );
}

function Pieces({ game, lang }: { game: Game; lang: string }) {
  const signs = signsOf(game),
    all = [...game.pieces.values()],
    first = (fits: (piece: Piece) => boolean): Piece | undefined => all.find(fits);
  if (all.length === 0) return null;
  const flat = first((piece) => piece.back !== null && !signs.isRound(piece) && piece.back !== piece.front),
    banded = first((piece) => piece.band),
    starred = first((piece) => piece.bonus > 0 && !signs.isRound(piece));
  const band = game.sheet.pieces
    .map((roles) => game.kinds.get(roles.kind)?.attributes.find((each) => each.name === roles.band)?.label)
    .find(Boolean);
  const bonus = game.sheet.pieces
    .map((roles) => game.kinds.get(roles.kind)?.attributes.find((each) => each.name === roles.bonus)?.label)
    .find(Boolean);
  const row = (piece: Piece | undefined, label: string, more: { reduced?: boolean; many?: number; sum?: number | null } = {}) =>
    piece && (
      <li key={label}>
        <CounterPicture game={game} id={piece.id} size={36} {...more} />
        <span>{label}</span>
      </li>
    );
  return (
    <section>
      <h3>{say(lang, "counters")}</h3>
      <ul>
        {signs.types().map((type) =>
          row(
            first((piece) => piece.glyph === type),
            signs.typeLabel(type),
          ),
        )}
        {signs.types().length === 0 &&
          [...game.sides.keys()].map((side) =>
            row(
              first((piece) => piece.owner === side),
              game.label(side),
            ),
          )}
        {row(flat, say(lang, "weak"), { reduced: true })}
        {row(starred, bonus ?? say(lang, "bonus"))}
        {row(banded, band ?? say(lang, "band"))}
        {row(flat ?? all[0], say(lang, "several"), { many: 3, sum: flat?.front ? 3 * flat.front : null })}
      </ul>
    </section>
  );
}

function Grounds({ game, lang }: { game: Game; lang: string }) {
  const prefix = `l${useId().replace(/[^A-Za-z0-9]/g, "")}`,
    used = new Set(game.sheet.map.spots.map((spot) => spot.terrain)),
    all = [...grounds(game)].filter(([name]) => used.has(name));
  if (all.length === 0) return null;
  return (
    <section>
      <h3>{say(lang, "ground")}</h3>
      <svg width="0" height="0" class="unseen" aria-hidden="true">
        <Textures prefix={prefix} />
      </svg>
      <ul>
        {all.map(([name, ground]) => (
          <li key={name}>
            <svg class="swatch" width="36" height="26" aria-hidden="true">
              <rect class="ground f-node" style={fills(ground.fill, ground.dark)} width="36" height="26" rx="4" />
              {ground.texture && <rect width="36" height="26" rx="4" fill={`url(#${prefix}-${ground.texture})`} />}
            </svg>
            <span>{ground.label}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lines({ game, lang }: { game: Game; lang: string }) {
  const styles = LINES.filter((style) => game.edges.some((edge) => edge.style === style)),
    marks = MARKS.filter((mark) => game.edges.some((edge) => edge.marks.includes(mark)));
  const row = (word: Word, drawing: ComponentChildren) => (
    <li key={word}>
      <svg class="swatch map-sign" width="36" height="26" viewBox="0 0 36 26" aria-hidden="true">
        {drawing}
      </svg>
      <span>{say(lang, word)}</span>
    </li>
  );
  const stripe = (style: (typeof LINES)[number]) =>
    style === "coast" ? (
      <path class="coast" d="M0 13q9-6 18 0t18 0" />
    ) : (
      <g class={`stripe ${style}`}>
        <path class="under" d="M0 13h36" />
        <path class="over" d="M0 13h36" />
        {(style === "wall" || style === "wall-broken" || style === "cliff") && <path class="teeth" d="M6 13v-8M18 13v-8M30 13v-8" />}
      </g>
    );
  const fights = <rect class="place fight target" x="1" y="1" width="34" height="24" rx="4" />,
    lit = <rect class="place target" x="1" y="1" width="34" height="24" rx="4" />;
  return (
    <section>
      <h3>{say(lang, "lines")}</h3>
      <ul>
        {styles.map((style) => row(style, stripe(style)))}
        {marks.map((mark) =>
          row(
            mark,
            <g class={`sign ${mark}`} transform="translate(18 13)">
              <path
                d={
                  mark === "cross"
                    ? "M-6-6L6 6M-6 6L6-6"
                    : mark === "ford"
                      ? "M-12-4q3-3 6 0t6 0 6 0 6 0M-12 4q3-3 6 0t6 0 6 0 6 0"
                      : "M-15-7h30M-15 7h30"
                }
              />
            </g>,
          ),
        )}
        {game.sheet.map.closed.length > 0 && row("closed", <path class="closed" d="M0 13h36" />)}
        {row("lit", lit)}
        {row("red", fights)}
      </ul>
    </section>
  );
}
