// The state of a table as the page shows it: position, log, deciders, a past position. Choices of
// others are shown one after the other.
import { batch, computed, effect, signal } from "@preact/signals";
import { Board, Game } from "./game";
import { type Say, sayIn } from "./i18n/say";
import type { TableState } from "./online/tableState";
import {
  language,
  type SeatPreferences,
  seatPreferencesOf,
  setSeatPreference,
} from "./preferences";
import type {
  Asked,
  Line,
  Position,
  ServerMessage,
  SocketMessage,
  State,
  Table,
  Taken,
} from "./protocol.gen";
import { type Asking, answered, type Health, isBeside, NotDone, type Socket } from "./socket";

/**
 * The time for which another player's choice is shown before the next one, in ms. It is shorter if many wait.
 */
const PAUSE = 350,
  MANY = 8,
  HURRIED = 120;

/** The time that the server has to make a forced choice, in ms, before the page offers it. */
const FORCED = 220;

/**
 * The number of repetitions of a question about an outdated position, and the time to wait for the next
 * state, in ms.
 */
const ANEW = 30,
  LATE = 2000;

const still = (): boolean =>
  document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A short message to the player, such as the reason why a plan stopped. */
export interface Notice {
  text: string;
  bad: boolean;
}

export class Store {
  readonly health = signal<Health>("joining");
  readonly closedWhy = signal("");
  readonly table = signal<Table | null>(null);
  readonly state = signal<State | null>(null);
  readonly lines = signal<Line[]>([]);
  readonly deciders = signal<string[]>([]);
  readonly queued = signal(0);
  readonly sending = signal(false);
  /** The number of undone actions that can be redone. */
  readonly redoable = signal(0);
  readonly notice = signal<Notice | null>(null);
  /** The number of the choice after which the position is shown, null for the current position. */
  readonly frame = signal<number | null>(null);
  /** After the end: the seat from which the past is seen. */
  readonly eyes = signal<string | null>(null);
  /**
   * The number of choices after which a forced choice was still open a moment later, because the server does
   * not make it.
   */
  private readonly waited = signal(-1);
  /** True once the page has sat down in its seat. The rights of a seat add to the observation. */
  private readonly isPlaced = signal(false);
  private readonly acted = signal(0);
  private readonly past = signal<Position | null>(null);
  private readonly frames = new Map<string, Position>();
  private queue: State[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;
  private fresh = true;

  readonly say = computed<Say>(() => sayIn(language.value));
  readonly game = computed<Game | null>(() =>
    this.table.value === null ? null : new Game(this.table.value.sheet),
  );
  /** The position on the screen: the current one, or a past one. */
  readonly position = computed<Position | null>(() =>
    this.frame.value === null && this.eyes.value === null
      ? (this.state.value?.position ?? null)
      : (this.past.value ?? this.state.value?.position ?? null),
  );
  readonly board = computed<Board | null>(() =>
    this.game.value === null || this.position.value === null
      ? null
      : new Board(this.game.value, this.position.value),
  );
  /** The decision, if the current position is shown and no request is pending. */
  readonly asked = computed<Asked | null>(() => {
    const decision = this.state.value?.decision ?? null;
    if (this.frame.value !== null || this.queued.value > 0 || !(this.beside?.plays.value ?? true))
      return null;
    return decision?.forced && this.waited.value !== this.choice.value ? null : decision;
  });
  readonly choice = computed(() => this.state.value?.choice ?? 0);
  readonly seat = computed(() => this.table.value?.seat ?? null);
  readonly wishes = computed(() =>
    seatPreferencesOf(this.table.value?.id ?? "", this.seat.value ?? ""),
  );
  /** True if the server passes for this seat until the phase ends. */
  readonly autoPass = computed(() => this.state.value?.auto_pass ?? false);
  /** True after an end by the rules or another one. */
  readonly isOver = computed(
    () =>
      this.state.value !== null &&
      ((this.state.value.decision === null && this.beside?.status.value?.begun !== null) ||
        this.beside?.status.value?.ended != null),
  );
  /**
   * True if all parts of the page have arrived. Later ones would move the things that a player is about to
   * click.
   */
  readonly laid = computed(
    () =>
      this.board.value !== null &&
      this.isPlaced.value &&
      (this.beside === null || this.beside.status.value !== null),
  );
  /** True if seats are still free, so that play has not begun. */
  readonly waits = computed(() => !this.isOver.value && this.beside?.status.value?.begun === null);
  /** The number of choices at this seat's last decision, preferably a click of this page, 0 for none. */
  readonly lastOwn = computed(() =>
    this.acted.value > 0 && this.acted.value <= this.choice.value
      ? this.acted.value
      : this.deciders.value.lastIndexOf(this.seat.value ?? "") + 1,
  );
  /** The human seats from which this page may look. */
  readonly persons = computed(() =>
    (this.table.value?.yours ?? []).filter((side) => this.table.value?.seats[side] === "human"),
  );

  /** True if the address names the seat. The page then looks only from there, whoever decides. */
  fixed: boolean;

  constructor(
    readonly link: Socket,
    private wanted: string | null,
    /** The online data of the table on a server with accounts. */
    readonly beside: TableState | null = null,
  ) {
    this.fixed = wanted !== null;
  }

  open(): void {
    this.link.open({
      received: (message) => this.received(message),
      health: (now, why) => this.changed(now, why),
    });
    void this.sit(this.wanted);
  }

  /** Look from a seat, in the chosen language. */
  async sit(seat: string | null): Promise<void> {
    this.wanted = seat;
    this.drop();
    try {
      await this.link.ask({ type: "sit", seat, lang: language.value });
    } catch (error) {
      if (error instanceof NotDone && !error.lost) this.tell(error.why, true);
    }
  }

  /** Set a preference for this seat of this game. */
  wish(name: keyof SeatPreferences, yes: boolean): void {
    const seat = this.seat.value;
    if (this.table.value === null || seat === null) return;
    setSeatPreference(this.table.value.id, seat, name, yes);
    void this.prefer();
  }

  /** Send the preferences to the server. A lost message is sent again with the next table message. */
  private async prefer(): Promise<void> {
    const { ask_forced, pass_alone } = this.wishes.value;
    try {
      await this.link.ask({ type: "prefer", ask_forced, pass_alone });
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
    }
  }

  /** Change the language of the game, including the log. */
  speak(): void {
    if (this.table.value !== null) void this.sit(this.seat.value);
  }

  /** Send a request about the current position. */
  async query<T>(what: AtNow): Promise<T> {
    return answered<T>(this.link, { ...what, at: this.choice.value } as Asking);
  }

  /** The same, repeated while choices of others make the question outdated. */
  async queryAnew<T>(what: AtNow): Promise<T> {
    for (let times = 0; ; times++) {
      const at = this.choice.value;
      try {
        return await this.query<T>(what);
      } catch (error) {
        if (!(error instanceof NotDone) || !error.stale || times === ANEW) throw error;
      }
      await this.moved(at);
    }
  }

  /** Wait until another choice than the given one is shown, or for a while. */
  private moved(from: number): Promise<void> {
    const ended: (() => void)[] = [];
    return new Promise<void>((done) => {
      const late = setTimeout(done, LATE);
      const heed = effect(() => {
        if (this.choice.value !== from) done();
      });
      ended.push(() => {
        clearTimeout(late);
        heed();
      });
    }).finally(() => {
      for (const end of ended) end();
    });
  }

  /**
   * Make the choices of a plan, and return whether it stopped before its end. After a lost connection the new
   * state shows the effects.
   */
  async take(keys: string[]): Promise<Taken | null> {
    const at = this.choice.value,
      taken = (await this.act({ type: "take", at, keys })) as Taken | null;
    if (taken !== null && taken.plan.taken > 0)
      batch(() => {
        this.redoable.value = 0;
        this.acted.value = at + taken.plan.taken;
      });
    return taken;
  }

  async undo(): Promise<void> {
    if ((await this.act({ type: "undo", at: this.choice.value })) !== null)
      this.redoable.value += 1;
  }

  async redo(): Promise<void> {
    this.redoable.value =
      (await this.act({ type: "redo", at: this.choice.value })) === null
        ? 0
        : Math.max(0, this.redoable.value - 1);
  }

  /** Pass this window and the following ones until the phase ends. */
  async passUntilPhaseEnds(): Promise<void> {
    await this.act({
      type: "pass_until_phase_ends",
      at: this.choice.value,
      only: this.wishes.value.ask_react,
    });
  }

  async stopPassing(): Promise<void> {
    await this.act({ type: "stop_passing" });
  }

  /** Make the searching seat choose at once. */
  moveNow(): void {
    answered(this.link, { type: "move_now" }).catch((error: unknown) => {
      if (!(error instanceof NotDone)) throw error;
    });
  }

  private async act(what: Asking): Promise<ServerMessage | null> {
    if (this.sending.value) return null;
    this.sending.value = true;
    this.hush();
    try {
      return await this.link.ask(what);
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      if (!error.lost) this.tell(error.stale ? this.say.value("stale") : error.why, true);
      return null;
    } finally {
      this.sending.value = false;
    }
  }

  tell(text: string, bad = false): void {
    this.notice.value = { text, bad };
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => {
      this.notice.value = null;
    }, 7000);
  }

  hush(): void {
    this.notice.value = null;
  }

  // ------------------------------------------------------------------ Messages from the table
  private changed(now: Health, why: string): void {
    const before = this.health.value;
    batch(() => {
      this.health.value = now;
      this.closedWhy.value = why;
    });
    if (now === "up" && before === "lost") {
      this.fresh = true;
      void this.beside?.catchUp();
    }
  }

  private received(message: ServerMessage | SocketMessage): void {
    if (isBeside(message)) {
      this.beside?.received(message);
    } else if (message.type === "table") {
      batch(() => {
        this.drop();
        this.frames.clear();
        if (this.table.value?.seat !== message.seat) this.acted.value = 0;
        this.table.value = message;
        this.fresh = true;
      });
      if (this.wanted !== null && !message.yours.includes(this.wanted)) {
        if (this.fixed && !this.isPlaced.value) {
          this.tell(this.say.value("noSeat", { seat: this.wanted }), true);
          this.fixed = false;
        }
        this.wanted = null;
      }
      this.place();
      if (message.seat !== null && (this.wishes.value.ask_forced || this.wishes.value.pass_alone))
        void this.prefer();
    } else if (message.type === "state") {
      this.hear(message);
      this.place();
    }
  }

  /**
   * Sit down in the only seat of the person. If seats may change, do not return to one that belongs to
   * somebody else now.
   */
  private place(): void {
    const table = this.table.value;
    if (table === null || this.state.value === null) return;
    if (table.seat === null && this.wanted === null && this.persons.value.length === 1)
      void this.sit(this.persons.value[0]!);
    else if (
      this.wanted === table.seat ||
      this.wanted === null ||
      !table.yours.includes(this.wanted)
    )
      this.isPlaced.value = true;
  }

  private hear(next: State): void {
    const newest = this.queue.at(-1) ?? this.state.value;
    const last = next.deciders.at(-1);
    const own = last === undefined || last === this.seat.value;
    if (this.fresh || newest === null || next.choice <= newest.choice || still()) {
      this.drop();
      if (newest !== null && next.choice < newest.choice) this.forget(next.choice);
      this.fresh = false;
      this.show(next);
    } else if (own && this.queue.length === 0) {
      this.show(next);
    } else {
      this.queue.push(next);
      this.queued.value = this.queue.length;
      this.timer ??= setTimeout(() => this.advance(), 0);
    }
  }

  private advance(): void {
    const next = this.queue.shift();
    this.timer = undefined;
    if (next === undefined) return;
    batch(() => {
      this.show(next);
      this.queued.value = this.queue.length;
    });
    if (this.queue.length > 0)
      this.timer = setTimeout(() => this.advance(), this.queue.length > MANY ? HURRIED : PAUSE);
  }

  /** Show the waiting positions without a pause. */
  private drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const next of this.queue) this.show(next);
    this.queue = [];
    this.queued.value = 0;
  }

  private show(next: State): void {
    const before = this.state.value;
    if (
      before !== null &&
      next.renewed != null &&
      (next.renewed !== before.renewed || next.choice < before.choice) &&
      next.choice === next.renewed
    )
      this.tell(this.say.value("takenBack", { n: next.choice }));
    batch(() => {
      this.lines.value = [
        ...this.lines.value.filter((line) => line.event < next.begin),
        ...next.lines,
      ];
      this.deciders.value = [...this.deciders.value.slice(0, next.since), ...next.deciders];
      this.state.value = next;
      if (this.frame.value !== null && this.frame.value > next.choice) this.frame.value = null;
    });
    if (next.decision?.forced)
      setTimeout(() => {
        if (this.choice.value === next.choice) this.waited.value = next.choice;
      }, FORCED);
  }

  private forget(choice: number): void {
    for (const key of [...this.frames.keys()])
      if (Number(key.split(" ")[0]) >= choice) this.frames.delete(key);
  }

  // ------------------------------------------------------------------ Past positions
  /** Show the position after a number of choices, or the current one after the last. */
  async goTo(choice: number): Promise<void> {
    const last = this.choice.value;
    const wanted = Math.max(0, Math.min(choice, last));
    if (wanted === last && this.eyes.value === null) {
      this.live();
      return;
    }
    this.frame.value = wanted;
    const position = await this.framed(wanted);
    if (position !== null && this.frame.value === wanted) this.past.value = position;
  }

  /** After the end, look from another seat, or from one's own (null). */
  async see(eyes: string | null): Promise<void> {
    batch(() => {
      this.eyes.value = eyes;
      this.past.value = null;
    });
    const position = eyes === null ? null : await this.framed(this.choice.value);
    if (position !== null && this.eyes.value === eyes && this.frame.value === null)
      this.past.value = position;
  }

  live(): void {
    batch(() => {
      this.frame.value = null;
      this.past.value = null;
      this.eyes.value = null;
    });
  }

  private async framed(choice: number): Promise<Position | null> {
    const eyes = this.eyes.value,
      key = `${choice} ${eyes ?? ""}`,
      known = this.frames.get(key);
    if (known !== undefined) return known;
    try {
      const position = await answered<Position>(
        this.link,
        eyes === null ? { type: "frame", choice } : { type: "frame", choice, seat: eyes },
      );
      this.frames.set(key, position);
      return position;
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      return null;
    }
  }
}

/** A question about the current position, without its number of choices. */
export type AtNow = Asking extends infer A
  ? A extends { at: number }
    ? Omit<A, "at">
    : never
  : never;
