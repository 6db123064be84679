// Takes a game; makes the list of its signs: pieces, ground, lines.
import type { Game } from "../game";

export function Legend(_: { game: Game; lang: string }) { return <div class="legend" />; }
