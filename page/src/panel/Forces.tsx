// Takes a board; makes the list of who has what, and where.
import type { Board, Game } from "../game";

/** `hover`: a place is pointed to. */
export function Forces(_: { game: Game; board: Board; lang: string; hover?: (id: string | null) => void }) { return <div class="forces" />; }
