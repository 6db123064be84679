// A game and a position, indexed for the components: pieces, places and sides by id, and the place
// of each piece.
import { type Handle, handle } from "./handle";
import type {
  Edge,
  Face,
  Json,
  Kind,
  Line,
  Member,
  Pieces,
  Position,
  Sheet,
  Span,
  Spot,
} from "./protocol.gen";

export interface Colours {
  colour: string;
  deep: string;
  soft: string;
  emblem: string;
}
export interface Piece {
  id: string;
  label: string;
  short: string;
  kind: string;
  owner: string | null;
  glyph: string | null;
  front: number | null;
  back: number | null;
  bonus: number;
  band: boolean;
}
export interface Place {
  id: string;
  label: string;
  short: string;
  terrain: string | null;
  spot: Spot | null;
}

const text = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);
const number = (value: Json | undefined): number | null =>
  typeof value === "number" ? value : null;

/** The kind of thing that an id refers to. */
export type Sort = "piece" | "place" | "side" | "face";
const TABLES = { piece: "pieces", place: "places", side: "sides", face: "faces" } as const;

/** The constant data of a game. */
export class Game {
  readonly pieces = new Map<string, Piece>();
  readonly places = new Map<string, Place>();
  readonly sides = new Map<string, Member>();
  readonly faces = new Map<string, Face>();
  readonly kinds = new Map<string, Kind>();
  readonly edges: Edge[];

  constructor(readonly sheet: Sheet) {
    const spots = new Map(sheet.map.spots.map((spot) => [spot.id, spot]));
    for (const side of sheet.sides) this.sides.set(side.id, side);
    for (const face of sheet.faces) this.faces.set(face.id, face);
    for (const kind of sheet.kinds) {
      this.kinds.set(kind.name, kind);
      const roles = sheet.pieces.find((each) => each.kind === kind.name);
      for (const member of kind.members) {
        if (kind.sort === "piece")
          this.pieces.set(member.id, piece(kind.name, member, roles, this.sides));
        if (kind.sort === "place")
          this.places.set(member.id, place(member, spots.get(member.id) ?? null));
      }
    }
    this.edges = sheet.map.edges;
  }

  /** The colours and the emblem of a side. */
  colours(side: string | null): Colours {
    const sides = this.sheet.look.sides as unknown as Record<string, Partial<Colours>>;
    const owners = (this.sheet.look.owners ?? {}) as unknown as Record<string, Partial<Colours>>,
      given = (side !== null && (sides[side] ?? owners[side])) || {};
    const colour = given.colour ?? "#777777";
    return {
      colour,
      deep: given.deep ?? colour,
      soft: given.soft ?? "#e8e4da",
      emblem: given.emblem ?? "",
    };
  }

  /** The side whose look a side has in a position: the one that it leads there, else itself. */
  look(side: string, position: Position): string {
    const leads = position.seats[side]?.leads;
    return typeof leads === "string" ? leads : side;
  }

  /** The label of something. Its id alone is ambiguous, because a card may have the id of a place. */
  label(sort: Sort, id: string): string {
    return (
      this[TABLES[sort]].get(id)?.label ?? (sort === "side" ? this.owner(id) : undefined) ?? id
    );
  }

  /** The label of an owner of pieces or places that is not a side but has its own colours. */
  private owner(id: string): string | undefined {
    const owners = (this.sheet.look.owners ?? {}) as Record<string, Json>;
    if (!(id in owners)) return undefined;
    const kinds = [...this.kinds.values()].filter(
      (kind) => kind.sort === "thing" && kind.members.some((member) => member.id in owners),
    );
    return kinds.flatMap((kind) => kind.members).find((member) => member.id === id)?.label;
  }

  /** The label of a member of a kind. */
  called(kind: string, id: string): string {
    return this.kinds.get(kind)?.members.find((member) => member.id === id)?.label ?? id;
  }

  /** The things that are on the map or are places of it. */
  onMap(things: Iterable<readonly [kind: string, id: string]>): Handle[] {
    return [...things].flatMap(([kind, id]) => {
      const sort = this.kinds.get(kind)?.sort;
      return sort === "piece" || sort === "place" ? [handle(sort, id)] : [];
    });
  }

  /** The word for a unit, preferably short: AP, MP. */
  unit(name: string | null): string {
    return name === null
      ? ""
      : (this.sheet.units[name]?.short ?? this.sheet.units[name]?.label ?? name);
  }
}

/** The owner of a piece by its name, which is side.ID. */
const ownerByName = (id: string, sides: ReadonlyMap<string, Member>): string | null => {
  const first = id.split(".")[0]!;
  return first !== id && sides.has(first) ? first : null;
};

function piece(
  kind: string,
  member: Member,
  roles: Pieces | undefined,
  sides: ReadonlyMap<string, Member>,
): Piece {
  const printed = (role: string | null | undefined): Json | undefined =>
    role ? member.printed[role] : undefined;
  return {
    id: member.id,
    label: member.label,
    short: member.short,
    kind,
    owner: text(printed(roles?.owner)) ?? ownerByName(member.id, sides),
    glyph: text(printed(roles?.glyph)),
    front: number(printed(roles?.front)),
    back: number(printed(roles?.back)),
    bonus: number(printed(roles?.bonus)) ?? 0,
    band: printed(roles?.band) === true,
  };
}

function place(member: Member, spot: Spot | null): Place {
  return {
    id: member.id,
    label: member.label,
    short: member.short,
    terrain: spot?.terrain ?? null,
    spot,
  };
}

/** The places of all pieces in a position. */
export class Board {
  readonly at = new Map<string, string>();
  readonly reduced = new Set<string>();
  /** Pieces with an owner or a strength of their own in the position. */
  private readonly changed = new Map<string, Piece>();

  constructor(
    readonly game: Game,
    readonly position: Position,
  ) {
    for (const roles of game.sheet.pieces) {
      const where = this.cell(roles.place, roles.kind),
        weak = roles.reduced === null ? {} : this.cell(roles.reduced, roles.kind),
        owners = roles.owner === null ? {} : this.cell(roles.owner, roles.kind),
        fronts = roles.front === null ? {} : this.cell(roles.front, roles.kind);
      for (const member of game.kinds.get(roles.kind)?.members ?? []) {
        const spot = where[member.id];
        if (typeof spot === "string" && game.places.has(spot)) this.at.set(member.id, spot);
        if (weak[member.id] === true) this.reduced.add(member.id);
        this.change(member.id, text(owners[member.id]), number(fronts[member.id]));
      }
    }
  }

  private change(id: string, owner: string | null, front: number | null): void {
    const piece = this.game.pieces.get(id);
    if (piece && (owner !== null || front !== null))
      this.changed.set(id, { ...piece, owner: owner ?? piece.owner, front: front ?? piece.front });
  }

  /** A piece in its current state in this position. */
  piece(id: string): Piece | undefined {
    return this.changed.get(id) ?? this.game.pieces.get(id);
  }

  private cell(name: string, kind: string): Record<string, Json> {
    return (this.position.state[`${kind}.${name}`] ?? this.position.state[name] ?? {}) as Record<
      string,
      Json
    >;
  }

  /** The pieces in a place, in the order of the counter sheet. */
  in(place: string): Piece[] {
    return [...this.at].filter(([, spot]) => spot === place).map(([id]) => this.piece(id)!);
  }

  /** The strength of a piece on its current face. */
  strength(id: string): number | null {
    const piece = this.piece(id);
    return piece === undefined ? null : this.reduced.has(id) ? piece.back : piece.front;
  }
}

/** The text of spans without links. */
export const plain = (spans: Span[]): string =>
  spans.map((span) => (typeof span === "string" ? span : span.text)).join("");

/** The ids that a line of the log names. */
export const named = (line: Line): string[] =>
  line.spans
    .flatMap((span) =>
      typeof span === "string" ? [] : [span.piece ?? span.place ?? span.side ?? span.thing ?? ""],
    )
    .filter(Boolean);
