// The draft of a move: computes the possible next clicks and the option keys. It uses only the
// roles of parameters and knows no game.
import { cardOf, type Handle, handle, idOf, idsOf, roleOf } from "./handle";
import type { Asked, Forecast, Offered, Points, Reach } from "./protocol.gen";

/**
 * The data of the position that a plan needs. `inHand`: the faces and cards in one's own hand, each with its
 * kind (`cardOf`). `at`: the places of pieces. `movable`: pieces that could begin a move by automatic steps.
 * `joining`: pieces that could only join the chosen ones.
 */
export interface Ground {
  inHand: ReadonlySet<string>;
  at: ReadonlyMap<string, string>;
  movable: ReadonlySet<string>;
  joining: ReadonlySet<string>;
}

/**
 * The clicks. `picked`: pieces, places or cards in the order of the clicks. `lead`: the chosen path if
 * several lead to a move. `aimed`: the destination.
 */
export interface Clicks {
  picked: readonly Handle[];
  lead: readonly string[];
  aimed: string | null;
}

/**
 * A clickable place. `reach`: its entry in a forecast. `options`: the options of the decision that name it.
 */
export interface Lit {
  place: string;
  cost: readonly Points[];
  reach: Reach | null;
  options: readonly Offered[];
}

/** The next action that the player needs to take. */
export type Need =
  | "nothing"
  | "pieces"
  | "more"
  | "place"
  | "which"
  | "piecesOrPlace"
  | "forecast"
  | "confirm";

export const NO_CLICKS: Clicks = { picked: [], lead: [], aimed: null };

const verbOf = (key: string): string => key.split(" ", 1)[0] ?? key;

/** Faces and cards of the hand that an option names, each with its kind. */
const cardsOf = (option: Offered, ground: Ground): string[] =>
  Object.entries(option.types)
    .filter(([, type]) => type.role === "thing")
    .map(([name, type]) => cardOf(type.kind, String(option.params[name])))
    .filter((card) => ground.inHand.has(card));

/**
 * The clickable things of an option: its pieces on the map, its places, its faces of cards in the hand. A
 * thing without a place has a button.
 */
export function handlesOf(option: Offered, ground: Ground): Handle[] {
  const out: Handle[] = [];
  for (const [name, type] of Object.entries(option.types)) {
    const value = option.params[name];
    if (typeof value !== "string") continue;
    if (type.role === "place") out.push(handle("place", value));
    if (type.role === "piece" && ground.at.has(value)) out.push(handle("piece", value));
  }
  return [...out, ...cardsOf(option, ground).map((id) => handle("card", id))];
}

/** The pieces and places that an option names, including those that cannot be clicked. */
export const thingsOf = (option: Offered): Handle[] => [
  ...placesOf(option).map((id) => handle("place", id)),
  ...piecesOf(option).map((id) => handle("piece", id)),
];

const placesOf = (option: Offered): string[] =>
  Object.entries(option.types)
    .filter(([, type]) => type.role === "place")
    .map(([name]) => option.params[name])
    .filter((value) => typeof value === "string");

export const piecesOf = (option: Offered): string[] =>
  Object.entries(option.types)
    .filter(([, type]) => type.role === "piece")
    .map(([name]) => option.params[name])
    .filter((value) => typeof value === "string");

/** True if only a number distinguishes an option from the others of its verb. */
export const isNumber = (option: Offered): boolean =>
  Object.values(option.types).some((type) => type.role === "number") &&
  Object.values(option.types).every((type) => type.role !== "thing" && type.role !== "side");

export const numberOf = (option: Offered): number =>
  Number(
    Object.entries(option.types)
      .filter(([, type]) => type.role === "number")
      .map(([name]) => option.params[name])[0] ?? 0,
  );

/**
 * The purpose of an option's number, in its words: "Revolt" of "Revolt: 3", "lose … steps" of "lose 3 steps".
 * It is '' for a bare number, and null if the words do not contain the number.
 */
export function purposeOf(option: Offered): string | null {
  const n = String(numberOf(option)),
    parts = option.label.split(/(\d+)/),
    at = parts.lastIndexOf(n);
  if (at < 0) return null;
  return [...parts.slice(0, at), "…", ...parts.slice(at + 1)]
    .join("")
    .replace(/\s*[:·–]?\s*…$/, "")
    .trim();
}

/**
 * A decision with the clicks on it. It is immutable: each click makes another plan. `ahead`: the forecast of
 * `wants()`, once it is known.
 */
export class MoveDraft {
  readonly options: readonly Offered[];
  private readonly handles: ReadonlyMap<Offered, readonly Handle[]>;

  constructor(
    readonly asked: Asked,
    readonly ground: Ground,
    readonly clicks: Clicks = NO_CLICKS,
    readonly ahead: Forecast | null = null,
  ) {
    this.options = asked.options ?? [];
    this.handles = new Map(this.options.map((option) => [option, handlesOf(option, ground)]));
  }

  with(clicks: Partial<Clicks>): MoveDraft {
    return new MoveDraft(this.asked, this.ground, { ...this.clicks, ...clicks });
  }

  foreseen(ahead: Forecast | null): MoveDraft {
    return new MoveDraft(this.asked, this.ground, this.clicks, ahead);
  }

  // ------------------------------------------------------------------ Kinds of decisions
  get isGroup(): boolean {
    return this.asked.kind === "group";
  }

  /** True if the clicks belong to a move to which the decision only leads. */
  get isLedIn(): boolean {
    const { movable, joining } = this.ground;
    return (
      !this.isGroup &&
      this.clicks.picked.some((each) => movable.has(idOf(each))) &&
      this.clicks.picked.every(
        (each) =>
          roleOf(each) === "piece" &&
          (movable.has(idOf(each)) || joining.has(idOf(each))) &&
          !this.named(each),
      )
    );
  }

  /** True if a forecast gives the destinations. */
  get isMove(): boolean {
    return (
      this.isGroup ||
      this.isLedIn ||
      (this.asked.kind === "walk" && (this.ahead?.places.length ?? 0) > 0)
    );
  }

  /** The keys that need a forecast now, or null. */
  wants(): string[] | null {
    const { picked, lead } = this.clicks;
    if (this.isGroup) return picked.length > 0 ? picked.map((each) => this.adding(each)) : null;
    if (this.isLedIn) return [...lead, ...picked.map((each) => `add ${idOf(each)}`)];
    return this.asked.kind === "walk" ? [] : null;
  }

  private adding(clicked: Handle): string {
    return (
      this.options.find((option) => this.handlesOf(option).includes(clicked))?.key ??
      `add ${idOf(clicked)}`
    );
  }

  private handlesOf(option: Offered): readonly Handle[] {
    return this.handles.get(option) ?? [];
  }

  private named(clicked: Handle): boolean {
    return this.options.some((option) => this.handlesOf(option).includes(clicked));
  }

  // ------------------------------------------------------------------ Clickable objects
  /** The options that match all clicks. */
  private fitting(clicked: readonly Handle[] = this.clicks.picked): Offered[] {
    return this.options.filter((option) =>
      clicked.every((each) => this.handlesOf(option).includes(each)),
    );
  }

  /** The clickable pieces, including the chosen ones. */
  legal(): Set<string> {
    const out = new Set(this.options.flatMap(piecesOf).filter((id) => this.ground.at.has(id)));
    if (!this.isGroup) for (const id of this.ground.movable) out.add(id);
    if (this.isLedIn) for (const id of this.ground.joining) out.add(id);
    return out;
  }

  /** The clickable places, by id. */
  lit(): Map<string, Lit> {
    const out = new Map<string, Lit>();
    if (this.isMove) {
      for (const place of this.goals().keys())
        out.set(place, { place, cost: [], reach: null, options: [] });
      for (const reach of this.ahead?.places ?? [])
        if (reach.place !== this.origin())
          out.set(reach.place, { place: reach.place, cost: reach.cost, reach, options: [] });
      return out;
    }
    const others = this.clicks.picked.filter((each) => roleOf(each) !== "place");
    for (const option of this.fitting(others)) {
      for (const place of placesOf(option)) {
        const known = out.get(place);
        out.set(place, {
          place,
          cost: known === undefined ? option.cost : [],
          reach: null,
          options: [...(known?.options ?? []), option],
        });
      }
    }
    return out;
  }

  /** The playable faces and cards of the hand, each with its kind, and their options. */
  faces(): Map<string, Offered[]> {
    const out = new Map<string, Offered[]>();
    for (const option of this.options)
      for (const id of cardsOf(option, this.ground)) out.set(id, [...(out.get(id) ?? []), option]);
    return out;
  }

  /**
   * The options with buttons: those without clickable things, and those between which the clicks do not
   * decide.
   */
  buttons(): Offered[] {
    if (this.isGroup)
      return this.clicks.picked.length === 0
        ? this.options.filter((option) => this.handlesOf(option).length === 0)
        : [];
    if (this.isLedIn) return [];
    const { picked } = this.clicks,
      all = this.fitting();
    if (picked.length > 0 && all.length === 1) return [];
    return all.filter((option) => this.handlesOf(option).every((each) => picked.includes(each)));
  }

  /** If several paths lead to a move, the keys of each. */
  ways(): readonly string[][] {
    return this.isLedIn && this.ahead?.stopped_by === "several" ? this.ahead.leads : [];
  }

  /**
   * If several paths lead to a move and each names a place of its own, the path of each place. Empty
   * otherwise.
   */
  goals(): Map<string, readonly string[]> {
    const ways = this.ways(),
      out = new Map<string, readonly string[]>();
    const places = ways.map((way) => way.flatMap((key) => this.ahead?.steps[key]?.places ?? []));
    for (const [i, way] of ways.entries()) {
      const goal = places[i]!.findLast((id) => !places.every((each) => each.includes(id)));
      if (goal === undefined || out.has(goal)) return new Map();
      out.set(goal, way);
    }
    return out;
  }

  /** The place that all chosen pieces leave. */
  origin(): string | null {
    const stood = idsOf(this.clicks.picked, "piece").map((id) => this.ground.at.get(id)),
      places = new Set(stood.filter((place) => place !== undefined));
    return places.size === 1 ? [...places][0]! : null;
  }

  /** The place with all pieces that can join a group. Its stack opens automatically. */
  home(): string | null {
    if (!this.isGroup) return null;
    const legal = [...this.legal()],
      places = new Set(legal.map((id) => this.ground.at.get(id)));
    return legal.length > 1 && places.size === 1 ? ([...places][0] ?? null) : null;
  }

  /** The purpose of the next click. */
  need(): Need {
    if (this.keys() !== null) return "confirm";
    if (this.clicks.picked.length > 0 && this.isMove)
      return this.ahead === null
        ? "forecast"
        : this.ahead.stopped_by === "group" && this.closing() === null
          ? "more"
          : this.ways().length > 0 && this.goals().size === 0
            ? "which"
            : "place";
    if (this.isGroup) return "pieces";
    if (this.clicks.picked.length > 0)
      return this.buttons().length > 0 ? "which" : this.lit().size > 0 ? "place" : "pieces";
    const pieces = this.legal().size > 0,
      places = this.lit().size > 0;
    return pieces && places ? "piecesOrPlace" : pieces ? "pieces" : places ? "place" : "nothing";
  }

  // ------------------------------------------------------------------ Clicks
  /** Choose a piece. */
  pick(id: string): MoveDraft {
    const clicked = handle("piece", id);
    if (this.isGroup || this.named(clicked)) return this.click(clicked);
    return this.ground.movable.has(id) || (this.isLedIn && this.ground.joining.has(id))
      ? this.lead(id)
      : this;
  }

  /** Choose a card of the hand, or a face of one, with its kind. */
  play(card: string): MoveDraft {
    return this.click(handle("card", card));
  }

  /** Choose a thing that an option names. */
  private click(clicked: Handle): MoveDraft {
    const { picked } = this.clicks;
    if (!this.named(clicked)) return this;
    if (picked.includes(clicked))
      return this.with({ picked: picked.filter((each) => each !== clicked), aimed: null });
    const both = [...picked, clicked];
    if (this.isGroup) return this.with({ picked: both, aimed: null });
    return this.with({
      picked: !this.isLedIn && this.fitting(both).length > 0 ? both : [clicked],
      lead: [],
      aimed: null,
    });
  }

  /** True if this was the last click of a complete choice that needs a confirmation. */
  confirms(clicked: Handle): boolean {
    return this.decided() !== null && this.clicks.picked.at(-1) === clicked;
  }

  /** Choose a piece of a move to which the decision only leads. Those of one move are in one place. */
  private lead(id: string): MoveDraft {
    const { picked } = this.clicks,
      clicked = handle("piece", id);
    if (picked.includes(clicked)) {
      const others = picked.filter((each) => each !== clicked),
        left = others.some((each) => this.ground.movable.has(idOf(each))) ? others : []; // companions cannot stay alone
      return this.with({
        picked: left,
        lead: left.length === 0 ? [] : this.clicks.lead,
        aimed: null,
      });
    }
    const together =
      this.isLedIn &&
      picked.every((each) => this.ground.at.get(idOf(each)) === this.ground.at.get(id));
    return this.with({
      picked: together ? [...picked, clicked] : [clicked],
      lead: together ? this.clicks.lead : [],
      aimed: null,
    });
  }

  /** Choose exactly these pieces in a place. */
  exactly(ids: readonly string[], place: string): MoveDraft {
    const legal = this.legal(),
      there = ids.filter((id) => legal.has(id)).map((id) => handle("piece", id));
    if (!this.isGroup && there.some((each) => this.named(each)))
      return there.length > 0 ? this.pick(idOf(there[0]!)) : this;
    const others = this.isGroup
      ? this.clicks.picked.filter(
          (each) => roleOf(each) !== "piece" || this.ground.at.get(idOf(each)) !== place,
        )
      : [];
    return this.with({
      picked: [...others, ...there],
      aimed: null,
      ...(there.length === 0 ? { lead: [] } : {}),
    });
  }

  /** Choose a highlighted place. */
  aim(place: string): MoveDraft {
    const lit = this.lit().get(place);
    if (lit === undefined) return this;
    const way = this.goals().get(place);
    if (way !== undefined) return this.with({ lead: way, aimed: place });
    if (lit.reach !== null)
      return new MoveDraft(this.asked, this.ground, { ...this.clicks, aimed: place }, this.ahead);
    const clicked = handle("place", place),
      others = this.clicks.picked.filter(
        (each) => roleOf(each) !== "place" || !this.lit().has(idOf(each)),
      );
    const both = [...this.clicks.picked, clicked];
    return this.with({
      picked:
        this.fitting(both).length > 0 && !this.clicks.picked.includes(clicked) && !this.settled()
          ? both
          : [...others, clicked],
    });
  }

  private settled(): boolean {
    return this.clicks.picked.length > 0 && this.fitting().length === 1;
  }

  /** Choose one of the paths to a move. */
  by(lead: readonly string[]): MoveDraft {
    return this.with({ lead });
  }

  /** Undo one click. Return null if there is none. */
  back(): MoveDraft | null {
    const { picked, aimed, lead } = this.clicks;
    if (aimed !== null)
      return new MoveDraft(this.asked, this.ground, { ...this.clicks, aimed: null }, this.ahead);
    if (lead.length > 0) return this.with({ lead: [] });
    return picked.length > 0 ? this.with({ picked: picked.slice(0, -1) }) : null;
  }

  // ------------------------------------------------------------------ Orders to send
  /** The option that the clicks determine, if it belongs to the decision itself. */
  decided(): Offered | null {
    return !this.isMove && this.settled() ? (this.fitting()[0] ?? null) : null;
  }

  /** The path to the chosen destination. */
  aimed(): Reach | null {
    return this.ahead?.places.find((reach) => reach.place === this.clicks.aimed) ?? null;
  }

  /** The keys of the plan, or null if it is incomplete. */
  keys(): string[] | null {
    const reach = this.aimed();
    if (reach !== null) return reach.stop === "" ? reach.keys : [...reach.keys, reach.stop];
    const option = this.decided();
    if (option !== null) return [option.key];
    return this.isGroup ? this.closing() : null;
  }

  /** For a group with no choice of destination, the keys up to its end. */
  private closing(): string[] | null {
    const { ahead } = this,
      members = this.clicks.picked.length;
    if (
      ahead === null ||
      members === 0 ||
      ahead.places.some((reach) => reach.place !== this.origin()) ||
      ahead.stopped_by === "key"
    )
      return null;
    // If this group was ended or is complete, the open decision belongs to another group.
    const ended =
      ahead.keys.some((key) => verbOf(key) === "go") ||
      this.options.every((option) =>
        this.handlesOf(option).every((each) => this.clicks.picked.includes(each)),
      );
    if (ahead.stopped_by === "group" && !ended) return null;
    const out: string[] = [];
    let added = 0;
    for (const key of ahead.keys) {
      if (verbOf(key) !== "go" && added === members) return out;
      out.push(key);
      if (verbOf(key) === "go") return out;
      added += 1;
    }
    return added === members ? out : null;
  }

  /** The cost of the plan so far. */
  cost(): readonly Points[] {
    return this.aimed()?.cost ?? this.decided()?.cost ?? this.ahead?.cost ?? [];
  }

  /** True if the player must confirm it: a move, an option with a cost, or a card from the hand. */
  get isCostly(): boolean {
    const option = this.decided();
    return (
      option === null ||
      option.cost.some((points) => points.amount !== 0) ||
      cardsOf(option, this.ground).length > 0
    );
  }
}

/** Points with equal ones added up. */
export function summed(points: readonly Points[]): Points[] {
  const out: Points[] = [];
  for (const each of points) {
    const same = out.findIndex((known) => known.unit === each.unit);
    const before = out[same];
    if (before === undefined) out.push(each);
    else
      out[same] = {
        ...before,
        amount: before.amount === null || each.amount === null ? null : before.amount + each.amount,
      };
  }
  return out;
}
