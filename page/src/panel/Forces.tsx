// Takes a board; makes the list of who has what, and where.
import { CounterPicture, Emblem } from "../counters/Counter";
import { piles } from "../counters/pile";
import { signsOf } from "../counters/signs";
import type { Board, Game, Piece } from "../game";
import { count } from "../map/words";

interface Props {
  game: Game;
  board: Board;
  lang: string;
  hover?: (id: string | null) => void;
}

/** `hover`: a place is pointed to. */
export function Forces({ game, board, lang, hover }: Props) {
  const unit = signsOf(game).strengthUnit(),
    owners = [...game.sides.keys()];
  return (
    <div class="forces">
      {owners.map((side) => {
        const own = [...board.at].map(([id]) => board.piece(id)!).filter((piece) => piece.owner === side),
          total = strength(board, own);
        return (
          <section key={side}>
            <h3>
              <Emblem game={game} side={side} size={20} />
              {game.label(side)}
              <small>
                {game.pieces.size > 0 && count(lang, own.length)}
                {total !== null && ` · ${total} ${unit}`}
              </small>
            </h3>
            {byPlace(board, own).map(([place, pieces]) => (
              <Row key={place} {...{ game, board, place, pieces }} {...(hover ? { hover } : {})} />
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
  hover,
}: {
  game: Game;
  board: Board;
  place: string;
  pieces: Piece[];
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
        {game.label(place)}
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
      </span>
      <b>{strength(board, pieces)}</b>
    </p>
  );
}

/** In the order of the places. */
function byPlace(board: Board, pieces: Piece[]): [string, Piece[]][] {
  const found = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const place = board.at.get(piece.id)!;
    found.set(place, [...(found.get(place) ?? []), piece]);
  }
  const order = [...board.game.places.keys()];
  return [...found].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** Null: none of them has one. */
function strength(board: Board, pieces: Piece[]): number | null {
  const known = pieces.map((piece) => board.strength(piece.id)).filter((each) => each !== null);
  return known.length ? known.reduce((sum, each) => sum + each, 0) : null;
}
