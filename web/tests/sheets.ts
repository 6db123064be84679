// Small sheets and positions for tests.
import { Board, Game } from "../src/game";
import type { Edge, Json, Member, Position, Sheet, Spot } from "../src/protocol.gen";

export const member = (id: string, printed: Record<string, Json> = {}, label = id): Member => ({
  id,
  label,
  short: id,
  printed,
});
export const spot = (id: string, more: Partial<Spot> = {}): Spot => ({
  id,
  at: null,
  outline: [],
  box: null,
  terrain: null,
  hex: false,
  round: false,
  ...more,
});
export const edge = (a: string, b: string, more: Partial<Edge> = {}): Edge => ({
  id: `${a}-${b}`,
  between: [a, b],
  style: null,
  marks: [],
  inner: null,
  via: [],
  one_way: false,
  ...more,
});
const kind = (name: string, sort: string, members: Member[], more = {}) => ({
  name,
  label: name,
  sort,
  attributes: [],
  members,
  ordered: false,
  secret: false,
  ...more,
});

/** A game of red and blue with these places and pieces. `glyph` of a piece is its type; `round` types lie singly. */
export function gameOf(
  spots: Spot[],
  pieces: Member[],
  edges: Edge[] = [],
  look: Record<string, Json> = {},
): Game {
  const attribute = (name: string, form: string, of: string | null = null) => ({
    name,
    label: name,
    form,
    kind: of,
    unit: null,
    low: null,
    high: null,
  });
  const sheet: Sheet = {
    game: "test",
    title: "Test",
    version: "1",
    rules: "",
    scenario: "",
    scenario_title: "",
    rulings: {},
    lang: "en",
    languages: ["en"],
    sides: [member("red"), member("blue")],
    kinds: [
      kind("Side", "side", [member("red"), member("blue")]),
      kind(
        "Zone",
        "place",
        spots.map((each) => member(each.id)),
      ),
      kind("Piece", "piece", pieces, {
        attributes: [attribute("type", "member", "Type"), attribute("front", "int")],
      }),
      kind("Type", "thing", [member("F", {}, "Foot")]),
      kind("Fort", "thing", [member("keep", { place: spots[0]?.id ?? null }, "The keep")], {
        attributes: [attribute("place", "member", "Zone")],
      }),
    ],
    pieces: [
      {
        kind: "Piece",
        place: "zone",
        owner: "owner",
        glyph: "type",
        front: "front",
        back: "back",
        reduced: "weak",
        bonus: null,
        band: null,
      },
    ],
    map: { spots, edges, closed: [], corners: [] },
    tracks: [],
    faces: [],
    units: {},
    paragraphs: {},
    look: { sides: {}, ...look },
    card_kind: null,
    face_kind: null,
    cells: {
      holder: { key: "Zone", value: "Side" },
      taken: { key: "Fort", value: "Side" },
      score: { key: "Side", value: null },
    },
  };
  return new Game(sheet);
}

/** Pieces by where they stand, and other states. */
export function boardOf(
  game: Game,
  at: Record<string, string | null>,
  more: Record<string, Json> = {},
  unknown: Record<string, Json> = {},
): Board {
  return new Board(game, { state: { "Piece.zone": at, ...more }, unknown } as unknown as Position);
}
