// The draft of a move: computes the possible next clicks and the option keys. It uses only the
// roles of parameters and knows no game.
import { cardOf, type Handle, handle, idOf, idsOf, roleOf } from "./handle";
import type { Asked, Forecast, Offered, Points, Reach } from "./protocol.gen";

/** What a plan has to know of the position. `inHand`: the faces and cards that lie in one's own hand, each with its kind (`cardOf`); `at`: where pieces stand; `movable`: pieces that could begin a move by steps that the page takes by itself; `joining`: those that could only join the ones that are chosen. */
export interface Ground {
  inHand: ReadonlySet<string>;
  at: ReadonlyMap<string, string>;
  movable: ReadonlySet<string>;
  joining: ReadonlySet<string>;
}

/** What was clicked. `picked`: pieces, places or cards in the order of the clicks; `lead`: the way that was chosen where several lead to a move; `aimed`: the place to go to. */
export interface Clicks {
  picked: readonly Handle[];
  lead: readonly string[];
  aimed: string | null;
}

/** A place that may be clicked. `reach`: of a forecast; `options`: those of the decision that name it. */
export interface Lit {
  place: string;
  cost: readonly Points[];
  reach: Reach | null;
  options: readonly Offered[];
}

/** What the player has to do next. */
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

/** What of an option can be clicked: its pieces on the map, its places, its faces of cards in hand. What stands nowhere yet has a button. */
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

/** The pieces and places that an option names, also those that cannot be clicked. */
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

/** Is a number all that tells an option from the others of its verb? */
export const isNumber = (option: Offered): boolean =>
  Object.values(option.types).some((type) => type.role === "number") &&
  Object.values(option.types).every((type) => type.role !== "thing" && type.role !== "side");

export const numberOf = (option: Offered): number =>
  Number(
    Object.entries(option.types)
      .filter(([, type]) => type.role === "number")
      .map(([name]) => option.params[name])[0] ?? 0,
  );

/** What an option's number is for, in its words: "Revolt" of "Revolt: 3", "lose … steps" of "lose 3 steps"; '' of the bare number; null: its words do not tell the number. */
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

/** A decision with the clicks on it. It does not change: each click makes another plan. `ahead`: the forecast of `wants()`, once it is known. */
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

  // ------------------------------------------------------------------ what kind of decision it is
  get isGroup(): boolean {
    return this.asked.kind === "group";
  }

  /** Do the clicks belong to a move that the decision only leads to? */
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

  /** Does a forecast say where one can go? */
  get isMove(): boolean {
    return (
      this.isGroup ||
      this.isLedIn ||
      (this.asked.kind === "walk" && (this.ahead?.places.length ?? 0) > 0)
    );
  }

  /** The keys whose forecast is needed now; null: none. */
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

  // ------------------------------------------------------------------ what may be clicked
  /** Options that all clicks fit. */
  private fitting(clicked: readonly Handle[] = this.clicks.picked): Offered[] {
    return this.options.filter((option) =>
      clicked.every((each) => this.handlesOf(option).includes(each)),
    );
  }

  /** The pieces that may be clicked, those that are chosen too. */
  legal(): Set<string> {
    const out = new Set(this.options.flatMap(piecesOf).filter((id) => this.ground.at.has(id)));
    if (!this.isGroup) for (const id of this.ground.movable) out.add(id);
    if (this.isLedIn) for (const id of this.ground.joining) out.add(id);
    return out;
  }

  /** The places that may be clicked, by id. */
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

  /** The faces and cards of the hand that may be played, each with its kind, and their options. */
  faces(): Map<string, Offered[]> {
    const out = new Map<string, Offered[]>();
    for (const option of this.options)
      for (const id of cardsOf(option, this.ground)) out.set(id, [...(out.get(id) ?? []), option]);
    return out;
  }

  /** What is chosen by a button: options without anything to click, or those between which the clicks do not decide. */
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

  /** Of several ways into a move: the keys of each. */
  ways(): readonly string[][] {
    return this.isLedIn && this.ahead?.stopped_by === "several" ? this.ahead.leads : [];
  }

  /** Of several ways into a move that each name a place of their own: the way of each place. Empty if some do not. */
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

  /** The place in which all pieces that may be chosen for a group stand: its stack is opened by itself. */
  home(): string | null {
    if (!this.isGroup) return null;
    const legal = [...this.legal()],
      places = new Set(legal.map((id) => this.ground.at.get(id)));
    return legal.length > 1 && places.size === 1 ? ([...places][0] ?? null) : null;
  }

  /** What the next click is for. */
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

  // ------------------------------------------------------------------ clicks
  /** A piece. */
  pick(id: string): MoveDraft {
    const clicked = handle("piece", id);
    if (this.isGroup || this.named(clicked)) return this.click(clicked);
    return this.ground.movable.has(id) || (this.isLedIn && this.ground.joining.has(id))
      ? this.lead(id)
      : this;
  }

  /** A card of the hand, or a face of one, with its kind. */
  play(card: string): MoveDraft {
    return this.click(handle("card", card));
  }

  /** What an option names. */
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

  /** Was this the last click of a choice that is complete and has to be confirmed? */
  confirms(clicked: Handle): boolean {
    return this.decided() !== null && this.clicks.picked.at(-1) === clicked;
  }

  /** A piece of a move that the decision only leads to; those of a move stand in one place. */
  private lead(id: string): MoveDraft {
    const { picked } = this.clicks,
      clicked = handle("piece", id);
    if (picked.includes(clicked)) {
      const others = picked.filter((each) => each !== clicked),
        left = others.some((each) => this.ground.movable.has(idOf(each))) ? others : []; // who only joins does not stay alone
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

  /** Of the pieces that lie in a place, exactly these. */
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

  /** A lit place. */
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

  /** One of the ways into a move. */
  by(lead: readonly string[]): MoveDraft {
    return this.with({ lead });
  }

  /** One click less; null: there is none. */
  back(): MoveDraft | null {
    const { picked, aimed, lead } = this.clicks;
    if (aimed !== null)
      return new MoveDraft(this.asked, this.ground, { ...this.clicks, aimed: null }, this.ahead);
    if (lead.length > 0) return this.with({ lead: [] });
    return picked.length > 0 ? this.with({ picked: picked.slice(0, -1) }) : null;
  }

  // ------------------------------------------------------------------ what is sent
  /** The option that the clicks decide for, if it is one of the decision itself. */
  decided(): Offered | null {
    return !this.isMove && this.settled() ? (this.fitting()[0] ?? null) : null;
  }

  /** The way that is aimed at. */
  aimed(): Reach | null {
    return this.ahead?.places.find((reach) => reach.place === this.clicks.aimed) ?? null;
  }

  /** The keys of the plan; null: something is missing. */
  keys(): string[] | null {
    const reach = this.aimed();
    if (reach !== null) return reach.stop === "" ? reach.keys : [...reach.keys, reach.stop];
    const option = this.decided();
    if (option !== null) return [option.key];
    return this.isGroup ? this.closing() : null;
  }

  /** Of a group that can go nowhere else, as no place is asked for or it stays where it is: the keys up to its end. */
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
    // it is another group that wants members, if this one was ended or has all that it can have
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

  /** What the plan costs, as far as it goes. */
  cost(): readonly Points[] {
    return this.aimed()?.cost ?? this.decided()?.cost ?? this.ahead?.cost ?? [];
  }

  /** Must the player say it twice? A move, what costs something, and what leaves the hand. */
  get isCostly(): boolean {
    const option = this.decided();
    return (
      option === null ||
      option.cost.some((points) => points.amount !== 0) ||
      cardsOf(option, this.ground).length > 0
    );
  }
}

/** Equal points together. */
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
