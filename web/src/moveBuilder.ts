// Builds a move from clicks: keeps the draft, requests forecasts and odds as it grows, and sends
// it.
import { computed, effect, signal, untracked } from "@preact/signals";
import { type Consequence, consequenceOf, isHarm } from "./consequence";
import type { Board, Game } from "./game";
import { plain } from "./game";
import { cardOf, type Handle, handle, idOf, idsOf, roleOf } from "./handle";
import { type Clicks, type Ground, isNumber, MoveDraft, NO_CLICKS, thingsOf } from "./moveDraft";
import type {
  Asked,
  Derivation,
  Forecast,
  Hint,
  Json,
  Odds,
  Offered,
  Plan as Outcome,
  Refusal,
  Way,
} from "./protocol.gen";
import { repeated } from "./retry";
import { NotDone } from "./socket";
import type { Store } from "./store";

/**
 * The time without clicks before a forecast is requested, in ms, and the maximum number of options for which
 * odds are requested automatically.
 */
const REST = 60,
  FEW = 12;

/**
 * The time for which a warning is shown before its action is possible, in ms. A double click is not a
 * confirmation.
 */
const SEEN = 500;

/** The age of a decision before anything is requested about it, in ms. Automatic ones come and go. */
const SETTLED = 60;

export class MoveBuilder {
  readonly plan = signal<MoveDraft | null>(null);
  readonly thinking = signal(false);
  /** The option that needs a second click and has had the first. */
  readonly armed = signal<string | null>(null);
  readonly odds = signal<Odds | null>(null);
  readonly consequences = signal<ReadonlyMap<string, Consequence>>(new Map());
  /** The place with the open stack. */
  readonly open = signal<string | null>(null);
  readonly hovered = signal<string | null>(null);
  /** The reasons why the last click had no effect. */
  readonly refusal = signal<Refusal[] | null>(null);
  /** The rest of a plan that another player's window stopped. */
  private readonly rest = signal<readonly string[]>([]);
  private stoppedAt = 0; // number of choices made when the plan stopped
  /** True if the rest of the plan can be executed now. */
  readonly resumable = computed(() => {
    const plan = this.plan.value,
      [first] = this.rest.value;
    return (
      plan !== null &&
      plan.clicks.picked.length === 0 &&
      plan.options.some((option) => option.key === first)
    );
  });
  /** The result of a complete plan of more than one choice, and the piece that it leaves alone. */
  readonly preview = signal<Preview | null>(null);
  /** A warning was shown long enough. */
  readonly seen = signal(false);
  /** The requested choice of the automatic seat. Its key is null if it has none. */
  readonly hint = signal<Hint | null>(null);
  private pendingPreview: Promise<void> = Promise.resolve();
  private lookedAt = "";
  private choice = -1;
  private begun = "";
  private awaited: string | null = null; // the target to aim at when the reachable places are known
  private wholly = false; // all possible companions are requested, also those not found yet
  /** True while possible companions are being searched for. */
  readonly seeking = signal(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Buttons of the decision, in the order of their keys 1 to 9. */
  readonly buttons = computed<readonly Offered[]>(() => {
    const plan = this.plan.value;
    if (plan === null) return [];
    const faces = [...plan.faces().values()].flat();
    const few = plan.clicks.picked.length === 0 && faces.length <= 3 ? faces : [];
    return [...few, ...plan.buttons()];
  });

  /** For options that differ only in a number: the place of their certain event. */
  readonly landings = computed<ReadonlyMap<string, Offered>>(() => {
    const game = this.store.game.value,
      ways = this.odds.value?.ways ?? [],
      out = new Map<string, Offered>();
    if (game === null) return out;
    for (const option of this.buttons.value.filter(isNumber)) {
      const way = ways.find((each) => each.key === option.key),
        place = way === undefined ? null : landingOf(way, option, game);
      if (place === null || out.has(place)) return new Map();
      out.set(place, option);
    }
    return out;
  });

  constructor(readonly store: Store) {
    effect(() => {
      const asked = store.asked.value,
        board = store.board.value,
        seat = store.seat.value;
      untracked(() => this.begin(asked, board, seat));
    });
    effect(() => {
      const plan = this.plan.value;
      untracked(() => this.look(plan));
    });
  }

  // ------------------------------------------------------------------ A new decision
  private begin(asked: Asked | null, board: Board | null, seat: string | null): void {
    const choice = this.store.choice.value,
      same = choice === this.choice;
    const clicks = same ? (this.plan.value?.clicks ?? NO_CLICKS) : NO_CLICKS;
    if (!same) {
      this.armed.value = null;
      this.odds.value = null;
      this.consequences.value = new Map();
      this.open.value = null;
      this.refusal.value = null;
      this.hint.value = null;
    }
    if (asked === null || asked.options === null || board === null) {
      this.plan.value = null;
      if (!same) this.choice = -1;
      return;
    }
    this.choice = choice;
    const ground: Ground = {
      inHand: this.hand(board, seat),
      at: board.at,
      movable: same ? (this.plan.value?.ground.movable ?? new Set()) : new Set(),
      joining: same ? (this.plan.value?.ground.joining ?? new Set()) : new Set(),
    };
    this.set(new MoveDraft(asked, ground, clicks));
    this.open.value ??= this.plan.value?.home() ?? null;
    if (
      asked.kind !== "window" &&
      !asked.options.some((option) => option.key === this.rest.value[0])
    )
      this.rest.value = [];
    this.goOn();
    const moment = `${choice} ${seat} ${board.game.sheet.lang}`;
    if (moment === this.begun) return;
    this.begun = moment;
    setTimeout(() => {
      if (this.begun === moment && this.current(choice))
        void this.inquire(asked, board, seat, choice);
    }, SETTLED);
  }

  /** True if the decision after this number of choices is still current. */
  private current(choice: number): boolean {
    return this.choice === choice && this.store.choice.value === choice && this.plan.value !== null;
  }

  /** Request everything about a decision before the first click. */
  private async inquire(
    asked: Asked,
    board: Board,
    seat: string | null,
    choice: number,
  ): Promise<void> {
    await this.foretell(choice);
    if (asked.kind === "choose" && this.current(choice)) await this.probe(board, seat, choice);
  }

  /** The faces and cards in the seat's hand, each with its kind. */
  private hand(board: Board, seat: string | null): Set<string> {
    const { sheet } = board.game,
      held = new Set(handOf(board.game, board.position.pools, seat)),
      faces = sheet.faces.filter((face) => held.has(face.card));
    return new Set([
      ...[...held].map((id) => cardOf(sheet.card_kind, id)),
      ...faces.map((face) => cardOf(sheet.face_kind, face.id)),
    ]);
  }

  /** Find the pieces that could begin a move by automatic steps. Equal pieces are requested once. */
  private async probe(board: Board, seat: string | null, choice: number): Promise<void> {
    const alike = new Map<string, string[]>();
    for (const id of board.at.keys()) {
      if (board.piece(id)?.owner !== seat || this.plan.value?.legal().has(id)) continue;
      const look = likeness(board, id);
      alike.set(look, [...(alike.get(look) ?? []), id]);
    }
    const found = new Set<string>();
    for (const ids of alike.values()) {
      const ahead = await this.forecast([`add ${ids[0]}`]);
      if (!this.current(choice)) return;
      if (
        ahead !== null &&
        ahead.refused === null &&
        (ahead.places.length > 0 || ahead.leads.length > 0)
      )
        for (const id of ids) found.add(id);
    }
    const plan = this.plan.value;
    if (plan !== null && found.size > 0)
      this.plan.value = new MoveDraft(
        plan.asked,
        { ...plan.ground, movable: found },
        plan.clicks,
        plan.ahead,
      );
  }

  /** Request the effects of the options: of all if they are few, else of the buttons. */
  private async foretell(choice: number): Promise<void> {
    const plan = this.plan.value;
    if (plan === null) return;
    const keys =
      plan.options.length <= FEW
        ? [null]
        : plan
            .buttons()
            .filter((option) => !isNumber(option))
            .slice(0, FEW)
            .map((option) => option.key);
    const ways: Way[] = [];
    for (const key of keys) {
      const odds = await this.asked(() =>
        repeated(
          () => this.store.query<Odds>(key === null ? { type: "odds" } : { type: "odds", key }),
          () => this.current(choice),
        ),
      );
      if (odds === null || !this.current(choice)) return;
      ways.push(...odds.ways);
    }
    this.odds.value = { ways, complete: true };
    this.judge(ways);
  }

  private judge(ways: readonly Way[]): void {
    const game = this.store.game.value;
    if (game === null) return;
    const known = new Map(this.consequences.value);
    for (const way of ways) known.set(way.key, consequenceOf(way, this.store.seat.value, game));
    this.consequences.value = known;
  }

  /** The odds of one option, known or requested. */
  async oddsOf(key: string): Promise<Way | null> {
    const known = this.odds.value?.ways.find((way) => way.key === key);
    if (known !== undefined) return known;
    const odds = await this.asked<Odds>(() => this.store.query<Odds>({ type: "odds", key }));
    const way = odds?.ways[0] ?? null;
    if (way !== null) {
      this.odds.value = { ways: [...(this.odds.value?.ways ?? []), way], complete: false };
      this.judge([way]);
    }
    return way;
  }

  private async asked<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof NotDone) return null;
      throw error;
    }
  }

  private forecast(keys: string[]): Promise<Forecast | null> {
    return this.asked(() => this.store.query<Forecast>({ type: "forecast", keys }));
  }

  /** Request the choice of the automatic seat. */
  async advise(): Promise<void> {
    const choice = this.choice,
      found = await this.asked<Hint>(() => this.store.query<Hint>({ type: "hint" }));
    if (this.current(choice)) this.hint.value = found;
  }

  /** The pieces and places that the hint names. */
  readonly hinted = computed<ReadonlySet<Handle>>(() => {
    const option = this.plan.value?.options.find((each) => each.key === this.hint.value?.key);
    return new Set(option === undefined ? [] : thingsOf(option));
  });

  whyNot(thing: string): Promise<Refusal[] | null> {
    const keys = this.plan.value?.isMove ? (this.plan.value.wants() ?? []) : [];
    return this.asked(() => this.store.query<Refusal[]>({ type: "why_not", thing, keys }));
  }

  /** The derivation of a number, or the reason why it is unavailable. */
  async explain(name: string, args: (string | number | boolean)[]): Promise<Derivation | string> {
    try {
      return await this.store.queryAnew<Derivation>({ type: "explain", name, args });
    } catch (error) {
      if (error instanceof NotDone) return error.lost ? this.store.say.value("lost") : error.why;
      throw error;
    }
  }

  // ------------------------------------------------------------------ Clicks
  private set(plan: MoveDraft): void {
    this.plan.value = plan;
    this.awaited = null;
    this.wholly = false;
    this.armed.value = null;
    void this.seeNumbers(plan);
    clearTimeout(this.timer);
    const wants = plan.wants();
    if (wants === null || plan.ahead !== null) {
      this.thinking.value = false;
      this.seeking.value = false;
      return;
    }
    this.seeking.value = plan.isLedIn && plan.clicks.aimed === null;
    this.thinking.value = true;
    this.timer = setTimeout(() => void this.foresee(plan, wants), wants.length === 0 ? 0 : REST);
  }

  /** After a click, request the effects of the remaining numbers. */
  private async seeNumbers(plan: MoveDraft): Promise<void> {
    const numbers = plan.clicks.picked.length === 0 ? [] : plan.buttons().filter(isNumber);
    if (numbers.length > FEW) return;
    for (const option of numbers) {
      if (this.plan.value !== plan) return;
      await this.oddsOf(option.key);
    }
  }

  private async foresee(plan: MoveDraft, keys: string[]): Promise<void> {
    const ahead = await this.forecast(keys);
    const now = this.plan.value;
    if (
      now === null ||
      now.asked !== plan.asked ||
      JSON.stringify(now.wants()) !== JSON.stringify(keys)
    )
      return;
    this.thinking.value = false;
    const picked = now.clicks.picked;
    if (now.isGroup && ahead !== null && ahead.refused !== null && picked.length > 1) {
      // The last piece is one too many and is removed. If there is room for only one piece, it
      // replaces the first.
      this.set(
        now.with({
          picked: picked.length === 2 ? picked.slice(1) : picked.slice(0, -1),
          aimed: null,
        }),
      );
      if (picked.length > 2)
        this.store.tell(this.store.say.value("refused", { why: this.store.say.value("noReason") }));
      return;
    }
    const next = now.foreseen(
      ahead ?? {
        keys: [],
        cost: [],
        left: null,
        places: [],
        stopped_by: "key",
        refused: null,
        leads: [],
        steps: {},
      },
    );
    this.plan.value = next;
    const awaited = this.awaited;
    this.awaited = null;
    if (awaited !== null && next.lit().has(awaited)) this.aim(awaited);
    else if (next.isLedIn && ahead?.refused === null) await this.seeCompanions(next, keys);
    else this.seeking.value = false;
  }

  /**
   * Find the pieces that cannot begin the move but may accompany the chosen ones. Equal pieces are requested
   * once.
   */
  private async seeCompanions(plan: MoveDraft, keys: string[]): Promise<void> {
    const board = this.store.board.value,
      seat = this.store.seat.value,
      origin = plan.origin(),
      chosen = new Set(idsOf(plan.clicks.picked, "piece"));
    if (board === null || origin === null) return;
    const alike = new Map<string, string[]>();
    for (const [id, place] of board.at) {
      if (
        place !== origin ||
        board.piece(id)?.owner !== seat ||
        plan.ground.movable.has(id) ||
        chosen.has(id)
      )
        continue;
      const look = likeness(board, id);
      alike.set(look, [...(alike.get(look) ?? []), id]);
    }
    const found = new Set([...chosen].filter((id) => plan.ground.joining.has(id)));
    for (const ids of alike.values()) {
      const ahead = await this.forecast([...keys, `add ${ids[0]}`]);
      if (
        this.plan.value?.asked !== plan.asked ||
        this.plan.value.clicks.picked !== plan.clicks.picked
      )
        return;
      if (ahead !== null && ahead.refused === null && ahead.keys.includes(`add ${ids[0]}`))
        for (const id of ids) found.add(id);
    }
    const companions = this.wholly ? await this.gathered(plan, keys, [...found]) : [];
    const now = this.plan.value;
    if (now?.asked !== plan.asked || now.clicks.picked !== plan.clicks.picked) return;
    const known = new MoveDraft(
      now.asked,
      { ...now.ground, joining: found },
      now.clicks,
      now.ahead,
    );
    this.wholly = false;
    if (companions.length > 0)
      this.set(
        known.with({
          picked: [...plan.clicks.picked, ...companions.map((id) => handle("piece", id))],
        }),
      );
    else {
      this.seeking.value = false;
      this.plan.value = known;
    }
  }

  /** Of pieces that may each accompany the others, as many as possible together. */
  private async gathered(
    plan: MoveDraft,
    keys: string[],
    found: readonly string[],
  ): Promise<string[]> {
    const out: string[] = [];
    for (const id of found) {
      if (plan.clicks.picked.includes(handle("piece", id))) continue;
      const ahead = await this.forecast([
        ...keys,
        ...out.map((each) => `add ${each}`),
        `add ${id}`,
      ]);
      if (
        this.plan.value?.asked !== plan.asked ||
        this.plan.value.clicks.picked !== plan.clicks.picked
      )
        return [];
      if (ahead !== null && ahead.refused === null && ahead.keys.includes(`add ${id}`))
        out.push(id);
    }
    return out;
  }

  pick(id: string): void {
    this.click(handle("piece", id), (plan) => plan.pick(id));
  }

  /** Choose a card of the hand, or a face of one, with its kind. */
  play(card: string): void {
    this.click(handle("card", card), (plan) => plan.play(card));
  }

  /** Handle a click. A second click on the last thing makes a complete choice. */
  private click(clicked: Handle, grow: (plan: MoveDraft) => MoveDraft): void {
    const plan = this.plan.value;
    if (plan === null) return;
    if (plan.confirms(clicked)) {
      void this.send();
      return;
    }
    const next = grow(plan);
    this.set(next);
    if (next !== plan) void this.settle(next);
  }

  /** Choose exactly these pieces in a place. With `wholly`, add all that may accompany them. */
  exactly(ids: string[], place: string, wholly = false): void {
    const plan = this.plan.value;
    if (plan === null) return;
    this.set(plan.exactly(ids, place));
    this.wholly = wholly && this.seeking.value;
  }

  aim(place: string): void {
    const plan = this.plan.value;
    if (plan === null) return;
    const landing = this.landings.value.get(place);
    if (landing !== undefined) {
      void this.press(landing);
      return;
    }
    if (
      plan.keys() !== null &&
      (plan.clicks.aimed === place || plan.confirms(handle("place", place)))
    ) {
      void this.send();
      return;
    }
    const next = plan.aim(place);
    this.set(next);
    void this.settle(next);
  }

  /** Aim at a place once it is known to be reachable, for pieces that were dragged faster than that. */
  aimSoon(place: string): void {
    this.awaited = this.thinking.value ? place : null;
  }

  by(lead: readonly string[]): void {
    const plan = this.plan.value;
    if (plan !== null) this.set(plan.by(lead));
  }

  /** Make a choice at once if it costs nothing and can be undone. */
  private async settle(plan: MoveDraft): Promise<void> {
    const option = plan.decided();
    if (
      option === null ||
      plan.isCostly ||
      this.plan.value !== plan ||
      this.store.wishes.value.confirm_all
    )
      return;
    const way = await this.oddsOf(option.key);
    if (this.plan.value !== plan || way === null) return;
    const what = this.consequences.value.get(option.key);
    if (what !== undefined && !what.rolls && !what.draws && !isHarm(what, this.store.seat.value))
      await this.dispatch([option.key]);
  }

  /** Undo one click. Return false if there is none. */
  back(): boolean {
    if (this.armed.value !== null) {
      this.armed.value = null;
      return true;
    }
    const back = this.plan.value?.back() ?? null;
    if (back !== null) this.set(back);
    return back !== null;
  }

  clear(): void {
    const plan = this.plan.value;
    if (plan !== null) this.set(plan.with(NO_CLICKS satisfies Clicks));
  }

  // ------------------------------------------------------------------ Orders to send
  /**
   * Press a button. An option with a permanent loss needs a second press, and with the preference every
   * option does.
   */
  async press(option: Offered): Promise<void> {
    const what = this.consequences.value.get(option.key),
      twice =
        this.store.wishes.value.confirm_all ||
        (what !== undefined && isHarm(what, this.store.seat.value));
    if (twice && this.armed.value !== option.key) {
      this.armed.value = option.key;
      return;
    }
    await this.dispatch([option.key]);
  }

  /** Execute the plan. A harmful one is executed only after its warning was shown. */
  async send(): Promise<void> {
    const plan = this.plan.value,
      keys = plan?.keys() ?? null;
    if (plan === null || keys === null) return;
    if (this.preview.value === null) {
      await this.pendingPreview;
      if (this.plan.value?.keys()?.join("\n") !== keys.join("\n")) return;
    }
    if (this.isHarmful() && !this.seen.value) return;
    await this.dispatch(keys);
  }

  /** True if the plan has a certain permanent loss. */
  isHarmful(): boolean {
    const what = this.preview.value?.what ?? null;
    return what !== null && isHarm(what, this.store.seat.value);
  }

  /** Request the result of a complete plan before it is executed. */
  private look(plan: MoveDraft | null): void {
    const keys = plan?.keys() ?? null,
      name = keys === null ? "" : `${this.choice}\n${keys.join("\n")}`;
    if (name === this.lookedAt) return;
    this.lookedAt = name;
    this.preview.value = null;
    this.seen.value = false;
    if (plan !== null && keys !== null) this.pendingPreview = this.lookAhead(plan, keys, name);
  }

  private async lookAhead(plan: MoveDraft, keys: string[], name: string): Promise<void> {
    const option = plan.decided(),
      way = await (option === null
        ? this.asked<Way>(() => this.store.query<Way>({ type: "preview", keys }))
        : this.oddsOf(option.key)),
      game = this.store.game.value,
      board = this.store.board.value,
      seat = this.store.seat.value;
    if (this.lookedAt !== name || game === null || board === null) return;
    this.preview.value = {
      what: way === null ? null : consequenceOf(way, seat, game),
      alone:
        plan.aimed() === null
          ? null
          : leftAlone(board, idsOf(plan.clicks.picked, "piece"), plan.origin(), seat),
    };
    setTimeout(() => {
      if (this.lookedAt === name) this.seen.value = true;
    }, SEEN);
  }

  async dispatch(keys: string[]): Promise<void> {
    this.armed.value = null;
    this.rest.value = [];
    const at = this.store.choice.value,
      taken = await this.store.take(keys);
    if (taken === null) return;
    this.stoppedAt = at + taken.plan.taken;
    this.report(taken.plan);
    this.goOn();
  }

  /** Continue the plan that a window stopped. */
  async resume(): Promise<void> {
    if (this.resumable.value) await this.dispatch([...this.rest.value]);
  }

  /** Continue automatically if only automatic seats decided since, and they all passed. */
  private goOn(): void {
    const { store } = this,
      since = store.deciders.value.slice(this.stoppedAt),
      seats = store.table.value?.seats ?? {};
    if (
      !this.resumable.value ||
      since.length === 0 ||
      store.choice.value !== this.stoppedAt + since.length
    )
      return;
    if (
      since.some((side) => (seats[side] ?? "human") === "human") ||
      store.lines.value.some((line) => line.choice > this.stoppedAt)
    )
      return;
    store.hush();
    void this.resume();
  }

  private report(plan: Outcome): void {
    if (plan.stopped_by === "window") this.rest.value = plan.rest;
    const say = this.store.say.value,
      n = plan.rest.length;
    if (plan.stopped_by === null || (n === 0 && plan.why === "")) return;
    const words: Record<string, string> = {
      window: say("stoppedWindow", { n }),
      choice: say("stoppedChoice", { n }),
      die: say("stoppedDie", { n }),
      draw: say("stoppedDraw", { n }),
      reveal: say("stoppedReveal", { n }),
      end: say("stoppedEnd"),
    };
    this.store.tell(
      words[plan.stopped_by] ?? say("stoppedKey", { why: plan.why }),
      plan.stopped_by === "key" || plan.stopped_by === "error",
    );
    if (this.plan.value !== null && plan.taken === 0) this.clear();
  }

  /** The text of the question, for the title and for screen readers. */
  question(): string {
    const asked = this.store.state.value?.decision;
    return asked == null ? "" : plain(asked.spans);
  }
}

/**
 * The result of a plan. `what`: null if it is unknown. `alone`: the only piece that stays where several of
 * its side were.
 */
export interface Preview {
  what: Consequence | null;
  alone: string | null;
}

/** The only piece of a side that stays in a place when others leave it. */
export function leftAlone(
  board: Board,
  leaving: readonly string[],
  origin: string | null,
  side: string | null,
): string | null {
  if (origin === null || side === null || leaving.length === 0) return null;
  const [one, ...more] = board
    .in(origin)
    .filter((piece) => piece.owner === side && !leaving.includes(piece.id));
  return one !== undefined && more.length === 0 ? one.id : null;
}

/**
 * The single place named by the events of an option without a roll, other than those that the option names.
 */
function landingOf(way: Way, option: Offered, game: Game): string | null {
  const [only, ...more] = way.results;
  if (only === undefined || more.length > 0 || only.rolls.length > 0) return null;
  const named = new Set(
    only.events
      .slice(0, 1)
      .flatMap((event) =>
        game.onMap(
          Object.entries(event.kinds).map(([name, kind]) => [kind, String(event.params[name])]),
        ),
      )
      .filter((each) => roleOf(each) === "place" && !thingsOf(option).includes(each))
      .map(idOf),
  );
  return named.size === 1 ? [...named][0]! : null;
}

/** True if the game has hands. */
export const hasHands = (game: Game): boolean =>
  typeof (game.sheet.look.seat as Record<string, Json> | undefined)?.hand === "string";

/** The contents of a side's hand, as far as they are known. */
export function handOf(game: Game, pools: Record<string, Json>, side: string | null): string[] {
  const look = game.sheet.look.seat as Record<string, Json> | undefined,
    name = look?.hand;
  if (typeof name !== "string" || side === null) return [];
  const pool = pools[name] as Record<string, { size: number; members: string[] }> | undefined;
  return pool?.[side]?.members ?? [];
}

/** Everything that distinguishes a piece from another one except its name. */
function likeness(board: Board, id: string): string {
  const piece = board.game.pieces.get(id),
    kind = piece === undefined ? undefined : board.game.kinds.get(piece.kind);
  const printed = kind?.members.find((member) => member.id === id)?.printed;
  const state = Object.values(board.position.state).map((cell) =>
    cell !== null && typeof cell === "object" && !Array.isArray(cell) ? (cell[id] ?? null) : null,
  );
  return JSON.stringify([printed, state]);
}
