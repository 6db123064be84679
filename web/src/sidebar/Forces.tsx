// Renders the list of all pieces by side and place.
import { CounterPicture, Emblem } from "../counters/Counter";
import { piles } from "../counters/pile";
import { signsOf } from "../counters/signs";
import type { Board, Game, Piece } from "../game";
import { countPieces } from "../i18n/sayOnMap";
import { type Force, forcesOf } from "../map/forces";
import { ForcePicture, HIGH, wideOf } from "../map/Tokens";

interface Props {
  game: Game;
  board: Board;
  lang: string;
  hover?: (id: string | null) => void;
}

/** Table of the forces of each place. `hover`: called when the pointer is on a place. */
export function Forces({ game, board, lang, hover }: Props) {
  const unit = signsOf(game).strengthUnit(),
    counted = forcesOf(board), // the pieces that the rules count instead of naming them
    led = [...board.at].map(([id]) => board.piece(id)!.owner),
    others = [
      ...new Set([
        ...[...counted.values()].flat().map((force) => force.side),
        ...(counted.size ? led : []),
      ]),
    ].filter((each) => each !== null && !game.sides.has(each)),
    owners =
      counted.size > 0 && others.length > 0 ? (others as string[]).sort() : [...game.sides.keys()];
  return (
    <div class="forces">
      {owners.map((side) => {
        const own = [...board.at]
            .map(([id]) => board.piece(id)!)
            .filter((piece) => piece.owner === side),
          numbers = new Map(
            [...counted]
              .map(([place, all]) => [place, all.filter((force) => force.side === side)] as const)
              .filter(([, all]) => all.length > 0),
          ),
          total = strength(board, own);
        return (
          <section key={side}>
            <h3>
              <Emblem game={game} side={side} size={20} />
              {game.label("side", side)}
              <small>
                {counted.size > 0
                  ? [...numbers.values()].flat().reduce((sum, force) => sum + many(force), 0)
                  : game.pieces.size > 0 && countPieces(lang, own.length)}
                {total !== null && ` · ${total} ${unit}`}
              </small>
            </h3>
            {byPlace(board, own, numbers.keys()).map(([place, pieces]) => (
              <Row
                key={place}
                {...{ game, board, place, pieces, forces: numbers.get(place) ?? [] }}
                {...(hover ? { hover } : {})}
              />
            ))}
          </section>
        );
      })}
    </div>
  );
}

function Row({
  game,
  board,
  place,
  pieces,
  forces,
  hover,
}: {
  game: Game;
  board: Board;
  place: string;
  pieces: Piece[];
  forces: readonly Force[];
  hover?: (id: string | null) => void;
}) {
  const point = {
    onPointerEnter: () => hover?.(place),
    onPointerLeave: () => hover?.(null),
    onFocus: () => hover?.(place),
    onBlur: () => hover?.(null),
  };
  return (
    <p class="force">
      <a class="ref place" data-place={place} tabIndex={0} {...point}>
        {game.label("place", place)}
      </a>
      <span>
        {piles(game, pieces, board.reduced).map((pile) => (
          <CounterPicture
            key={pile.key}
            game={game}
            id={pile.ids[0]!}
            owner={pile.owner}
            size={30}
            reduced={pile.reduced}
            many={pile.ids.length}
            sum={pile.sum}
          />
        ))}
        {forces.map((force) => (
          <svg
            key={String(force.moving)}
            role="img"
            aria-label={force.label}
            width={wideOf(force) + 4}
            height={HIGH + 4}
            viewBox={`-1 -1 ${wideOf(force) + 4} ${HIGH + 4}`}
          >
            <ForcePicture game={game} force={force} />
          </svg>
        ))}
      </span>
      <b>
        {forces.length > 0
          ? forces.reduce((sum, force) => sum + many(force), 0)
          : strength(board, pieces)}
      </b>
    </p>
  );
}

const many = (force: Force): number => force.arms.reduce((sum, arm) => sum + arm.many, 0);

/** Pieces in the order of the places. `also`: places without pieces to include. */
function byPlace(board: Board, pieces: Piece[], also: Iterable<string>): [string, Piece[]][] {
  const found = new Map<string, Piece[]>([...also].map((place) => [place, []]));
  for (const piece of pieces) {
    const place = board.at.get(piece.id)!;
    found.set(place, [...(found.get(place) ?? []), piece]);
  }
  const order = [...board.game.places.keys()];
  return [...found].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** Null if none of them has one. */
function strength(board: Board, pieces: Piece[]): number | null {
  const known = pieces.map((piece) => board.strength(piece.id)).filter((each) => each !== null);
  return known.length ? known.reduce((sum, each) => sum + each, 0) : null;
}
