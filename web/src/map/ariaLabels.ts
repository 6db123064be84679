// Accessible names of piles and places.
import { type Pile, size } from "../counters/pile";
import { signsOf, tag } from "../counters/signs";
import type { Game, Piece } from "../game";
import { countChosen, countPieces, sayOnMap } from "../i18n/sayOnMap";
import type { Highlights, Target } from "./highlights";
import type { Ownership } from "./ownership";

/** A piece with the data of its counter: its tag, unless its name ends with it, and its strength. */
export function pieceLabel(
  game: Game,
  piece: Piece,
  strength: number | null,
  reduced: boolean,
  lang: string,
): string {
  const shown = [
    piece.label.endsWith(tag(piece)) || signsOf(game).isRound(piece) ? "" : tag(piece),
    strength === null ? "" : `${strength} ${signsOf(game).strengthUnit()}`,
  ]
    .filter(Boolean)
    .join(" ");
  return [piece.label, shown, reduced ? sayOnMap(lang, "reduced") : ""].filter(Boolean).join(", ");
}

/** 3 × Foot (Red), 12 SP. A single piece has its own name. */
export function pileLabel(game: Game, pile: Pile, lang: string): string {
  if (pile.unknown)
    return `${pile.unknown} × ${sayOnMap(lang, "unknown")}${pile.owner === null ? "" : ` (${game.label("side", pile.owner)})`}`;
  const signs = signsOf(game),
    one = pile.ids.length === 1;
  const name = one
    ? game.label("piece", pile.ids[0]!)
    : `${pile.ids.length} × ${pile.type === null ? countPieces(lang, pile.ids.length) : signs.typeLabel(pile.type)} (${pile.owner === null ? "" : game.label("side", pile.owner)})`;
  return [
    name,
    pile.sum === null ? "" : `${pile.sum} ${signs.strengthUnit()}`.trim(),
    pile.reduced ? sayOnMap(lang, "reduced") : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** The same on the map: the place, whether it can be clicked, and the number of chosen pieces. */
export function mapPieceLabel(
  game: Game,
  pile: Pile,
  place: string,
  marks: Highlights,
  lang: string,
): string {
  const legal = pile.ids.some((id) => marks.legal.has(id)),
    chosen = pile.ids.filter((id) => marks.chosen.has(id)).length;
  return [
    `${pileLabel(game, pile, lang)}, ${game.label("place", place)}`,
    legal ? sayOnMap(lang, "may") : "",
    chosen ? (size(pile) === 1 ? sayOnMap(lang, "chosen") : countChosen(lang, chosen)) : "",
  ]
    .filter(Boolean)
    .join("; ");
}

/** A place: its owner, its pieces, whether it can be clicked, and the cost of that. */
export function placeLabel(
  game: Game,
  place: string,
  piles: readonly Pile[],
  held: readonly Ownership[],
  target: Target | undefined,
  lang: string,
): string {
  const standing = piles.map((pile) => pileLabel(game, pile, lang)).join("; ");
  const holders = held.map(
    (hold) =>
      `${hold.label ? `${hold.label} ` : ""}${sayOnMap(lang, "holds", { s: game.label("side", hold.side) })}`,
  );
  const lit = target
    ? [
        sayOnMap(lang, "may"),
        target.cost,
        target.fight ? sayOnMap(lang, "fight") : "",
        target.sure ? "" : sayOnMap(lang, "unsure"),
      ].filter(Boolean)
    : [];
  return [game.label("place", place), ...holders, standing, lit.join(", ")]
    .filter(Boolean)
    .join(". ");
}
