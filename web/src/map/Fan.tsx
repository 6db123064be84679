// Renders the open stack of a place: its pieces can be selected one by one, by type, or all. On a
// phone it is a sheet at the bottom.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { CounterPicture, Unknown } from "../counters/Counter";
import { signsOf } from "../counters/signs";
import type { Board, Game, Piece } from "../game";
import { handle } from "../handle";
import { countChosen, countPieces, sayOnMap } from "../i18n/sayOnMap";
import { pieceLabel } from "./ariaLabels";
import type { Atlas } from "./atlas";
import type { Camera } from "./camera";
import type { Highlights, PointerHandlers } from "./highlights";
import { popoverPlacement, type Spot } from "./popoverPlacement";

interface FanProps {
  game: Game;
  board: Board;
  marks: Highlights;
  on: PointerHandlers;
  lang: string;
  place: string;
  unknown: number;
  camera: Camera;
  atlas: Atlas;
  phone: boolean;
}

export function Fan({
  game,
  board,
  marks,
  on,
  lang,
  place,
  unknown,
  camera,
  atlas,
  phone,
}: FanProps) {
  const box = useRef<HTMLDivElement>(null),
    signs = signsOf(game),
    here = sorted(game, board, place),
    unit = signs.strengthUnit();
  const legal = here.filter((piece) => marks.legal.has(piece.id) || marks.chosen.has(piece.id)),
    chosen = here.filter((piece) => marks.chosen.has(piece.id));
  const strength = (pieces: Piece[]): string => {
    const known = pieces.map((piece) => board.strength(piece.id)).filter((each) => each !== null);
    return known.length ? ` · ${known.reduce((sum, each) => sum + each, 0)} ${unit}` : "";
  };
  usePlacing(box, camera, atlas, board, marks, place, phone, here.length + unknown);
  return (
    <div
      class="fan"
      ref={box}
      role="group"
      aria-label={sayOnMap(lang, "stack", { p: game.label("place", place) })}
      style={{ "--side": game.colours(here[0]?.owner ?? null).colour }}
    >
      <header>
        <h2>{game.label("place", place)}</h2>
        <span>
          {here.length + unknown
            ? countPieces(lang, here.length + unknown)
            : sayOnMap(lang, "nobody")}
          {strength(here)}
        </span>
        <button
          type="button"
          class="close"
          aria-label={sayOnMap(lang, "close")}
          onClick={() => on.close()}
        >
          ×
        </button>
      </header>
      <div class="grid">
        {here.map((piece) => (
          <Choice key={piece.id} {...{ game, board, marks, on, lang, piece }} />
        ))}
        {Array.from({ length: unknown }, (_, i) => (
          <UnknownChoice key={i} lang={lang} />
        ))}
      </div>
      {legal.length > 0 && (
        <footer>
          {legal.length > 1 && (
            <Quick
              game={game}
              legal={legal}
              chosen={chosen}
              sure={marks.sure}
              on={on}
              lang={lang}
            />
          )}
          <p aria-live="polite">
            <b>{countChosen(lang, chosen.length)}</b>
            {chosen.length > 0 && strength(chosen)}
          </p>
        </footer>
      )}
    </div>
  );
}

/** Sorted by side, type and number. */
function sorted(game: Game, board: Board, place: string): Piece[] {
  const signs = signsOf(game),
    side = (piece: Piece): number => signs.sides.indexOf(piece.owner ?? "");
  return board
    .in(place)
    .sort(
      (a, b) =>
        side(a) - side(b) ||
        signs.rank(signs.type(a)) - signs.rank(signs.type(b)) ||
        a.id.localeCompare(b.id, "en", { numeric: true }),
    );
}

function Choice({
  game,
  board,
  marks,
  on,
  lang,
  piece,
}: {
  game: Game;
  board: Board;
  marks: Highlights;
  on: PointerHandlers;
  lang: string;
  piece: Piece;
}) {
  const legal = marks.legal.has(piece.id) || marks.chosen.has(piece.id),
    chosen = marks.chosen.has(piece.id),
    reduced = board.reduced.has(piece.id),
    strength = board.strength(piece.id);
  const off = !legal && marks.legal.size > 0,
    ariaLabel = `${pieceLabel(game, piece, strength, reduced, lang)}${off ? `, ${sayOnMap(lang, "off")}` : ""}`;
  return (
    <button
      type="button"
      class={`card-piece ${legal ? "legal" : off ? "off" : ""} ${chosen ? "chosen" : ""} ${marks.glow.has(handle("piece", piece.id)) ? "glow" : ""}`}
      data-piece={piece.id}
      role="checkbox"
      aria-checked={chosen}
      aria-disabled={!legal}
      aria-label={ariaLabel}
      title={piece.label}
      onClick={() => {
        if (legal) on.piece(piece.id);
      }}
    >
      <CounterPicture
        game={game}
        id={piece.id}
        owner={piece.owner}
        size={52}
        reduced={reduced}
        sum={strength}
      />
    </button>
  );
}

const UnknownChoice = ({ lang }: { lang: string }) => (
  <span class="card-piece" role="img" aria-label={sayOnMap(lang, "unknown")}>
    <svg class="counter" viewBox="0 0 48 48" width="52" height="52" aria-hidden="true">
      <Unknown />
    </svg>
  </span>
);

/** All, those of one type, none. A button removes a type with all its pieces chosen. */
function Quick({
  game,
  legal,
  chosen,
  sure,
  on,
  lang,
}: {
  game: Game;
  legal: Piece[];
  chosen: Piece[];
  sure: boolean;
  on: PointerHandlers;
  lang: string;
}) {
  const signs = signsOf(game),
    types = [...new Set(legal.map((piece) => signs.type(piece)))],
    ids = (pieces: Piece[]): string[] => pieces.map((piece) => piece.id);
  const toggle = (type: string): void => {
    const of = legal.filter((piece) => signs.type(piece) === type),
      whole = of.every((piece) => chosen.includes(piece)),
      rest = chosen.filter((piece) => signs.type(piece) !== type);
    on.all(ids(whole ? rest : [...rest, ...of]));
  };
  return (
    <div class="quick">
      <button
        type="button"
        aria-pressed={sure && chosen.length === legal.length}
        onClick={() => on.all(ids(legal), true)}
      >
        {sayOnMap(lang, "all")}
      </button>
      {types.length > 1 &&
        types.map((type) => (
          <button
            type="button"
            aria-pressed={legal.every(
              (piece) => signs.type(piece) !== type || chosen.includes(piece),
            )}
            onClick={() => toggle(type)}
          >
            {signs.typeLabel(type)} {legal.filter((piece) => signs.type(piece) === type).length}
          </button>
        ))}
      <button type="button" onClick={() => on.all([])}>
        {sayOnMap(lang, "none")}
      </button>
    </div>
  );
}

/**
 * Place the stack next to its place, where it hides the fewest relevant places, whenever the map has settled.
 */
function usePlacing(
  box: { current: HTMLDivElement | null },
  camera: Camera,
  atlas: Atlas,
  board: Board,
  marks: Highlights,
  place: string,
  phone: boolean,
  pieces: number,
): void {
  const settled = camera.settled.value,
    lit = [...marks.targets.keys()].join(),
    last = useRef<{ place: string; settled: typeof settled; spot: Spot } | null>(null);
  useLayoutEffect(() => {
    const fan = box.current!,
      site = atlas.sites.get(place);
    if (phone || !site) {
      for (const name of ["left", "top", "translate"]) fan.style.setProperty(name, "");
      return;
    }
    const screen = (id: string): readonly [number, number] | null => {
      const other = atlas.sites.get(id);
      return other ? camera.screen(other.at, settled) : null;
    };
    const points = (ids: Iterable<string>) =>
      [...ids].flatMap((id) => {
        const point = screen(id);
        return point ? [point] : [];
      });
    const room = (Math.min(site.room[0], site.room[1]) / 2) * settled.scale + 16;
    const kept =
      last.current?.place === place && last.current.settled === settled ? last.current.spot : null;
    const spot = popoverPlacement({
      kept,
      host: camera.size(),
      size: [fan.offsetWidth, fan.offsetHeight],
      at: camera.screen(site.at, settled),
      room,
      lit: points(marks.targets.keys()),
      busy: points(new Set(board.at.values())),
    });
    last.current = { place, settled, spot };
    fan.style.left = `${spot.left}px`;
    fan.style.top = `${spot.top}px`;
    fan.style.setProperty("--notch", `${spot.notch}px`);
    fan.dataset.side = spot.side;
    fan.style.translate = "";
  }, [settled, place, phone, lit, pieces, board]);
  useEffect(() => {
    if (phone) return;
    const watch = (): void => {
      const fan = box.current; // null once it is closed: the camera may move before it stops watching
      if (fan)
        fan.style.translate = `${camera.view.x - settled.x}px ${camera.view.y - settled.y}px`;
    };
    camera.watchers.add(watch);
    return () => void camera.watchers.delete(watch);
  }, [camera, settled, phone]);
}
