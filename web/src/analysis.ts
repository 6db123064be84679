// Requests analyses from the server: the best lines of the current decision, and the review of a
// finished game part by part.
import { batch, computed, effect, signal } from "@preact/signals";
import type { Handle } from "./handle";
import type { Analysis, BestLine, Choice, Judged, Part } from "./protocol.gen";
import { answered, NotDone } from "./socket";
import type { Store } from "./store";

/** The times, in seconds, for which an analysis may run. */
export const SECONDS = [1, 5] as const;

export class Analyst {
  readonly found = signal<Analysis | null>(null);
  /** The number of seconds for which the current position is being analysed, null if it is not. */
  readonly thinking = signal<number | null>(null);
  /** The reason of a missing answer. */
  readonly failed = signal("");
  /** Facts about the whole review, from its newest part. */
  readonly part = signal<Part | null>(null);
  readonly decisions = signal<readonly Judged[]>([]);
  /** True while the review is computed. */
  readonly isReviewing = signal(false);
  /** The number of choices that the review has covered. */
  readonly done = computed(() =>
    this.part.value === null ? 0 : (this.part.value.next ?? this.part.value.choices + 1) - 1,
  );
  readonly isWhole = computed(() => this.part.value !== null && this.part.value.next === null);
  /** True if this seat may analyse its decision. */
  readonly may = computed(() => {
    const { store } = this,
      decision = store.state.value?.decision;
    return (
      (store.table.value?.hints ?? false) &&
      decision?.options != null &&
      decision.player === store.seat.value
    );
  });
  /** True if this page may analyse anything, now or later. */
  readonly isOffered = computed(
    () =>
      this.store.isOver.value ||
      ((this.store.table.value?.hints ?? false) && this.store.seat.value !== null),
  );
  /** The variation that is pointed at, and the past decision that is shown. */
  readonly line = signal<BestLine | null>(null);
  readonly shown = signal<Judged | null>(null);
  /**
   * The pieces and places that stay highlighted: those of the variation's first choice, or of the better
   * choice in the past.
   */
  readonly lit = computed<ReadonlySet<Handle>>(() => {
    const game = this.store.game.value,
      then = this.shown.value,
      frame = this.store.frame.value,
      choice =
        frame === null
          ? this.line.value?.choices[0]
          : then?.choice === frame + 1
            ? then.best
            : undefined;
    return new Set(game === null || choice === undefined ? [] : game.onMap(choice.things));
  });
  /** True while the review is visible. */
  private wanted = false;
  /** Counts the questions, so that answers to earlier ones are ignored. */
  private asking = 0;

  constructor(readonly store: Store) {}

  /**
   * Clear the results when the game continues, or the seat or the language changes. Return a function that
   * stops this.
   */
  heed(): () => void {
    let before = "";
    return effect(() => {
      const { store } = this,
        now = [
          store.choice.value,
          store.seat.value,
          store.table.value?.sheet.lang,
          store.isOver.value,
        ].join(" ");
      if (now === before) return;
      before = now;
      this.forget();
    });
  }

  private forget(): void {
    this.asking++;
    this.wanted = false;
    batch(() => {
      this.found.value =
        this.thinking.value =
        this.part.value =
        this.line.value =
        this.shown.value =
          null;
      this.decisions.value = [];
      this.isReviewing.value = false;
      this.failed.value = "";
    });
  }

  /** Analyse the current decision. */
  async think(seconds: number): Promise<void> {
    const mine = ++this.asking;
    this.thinking.value = seconds;
    this.failed.value = "";
    const found = await this.ask(mine, () =>
      this.store.query<Analysis>({ type: "analyse", seconds }),
    );
    if (mine !== this.asking) return;
    batch(() => {
      this.thinking.value = null;
      if (found === null) return;
      this.found.value = found;
      this.line.value = null;
    });
  }

  /** Stop the analysis. The results so far are the answer. */
  stop(): void {
    this.wanted = false;
    this.rest();
  }

  /** Note that the review is visible, or no longer. */
  seen(yes: boolean): void {
    if (yes && this.wanted) void this.look();
    else if (!yes && this.isReviewing.value) this.rest();
  }

  private rest(): void {
    this.isReviewing.value = false;
    answered(this.store.link, { type: "stop" }).catch((error: unknown) => {
      if (!(error instanceof NotDone)) throw error;
    });
  }

  /** Continue the review part by part until it is stopped. */
  async look(): Promise<void> {
    if (this.isReviewing.value || this.isWhole.value) return;
    const mine = ++this.asking;
    this.isReviewing.value = this.wanted = true;
    this.failed.value = "";
    while (this.isReviewing.value && !this.isWhole.value) {
      const begin = this.done.value + 1,
        part = await this.ask(mine, () => this.store.query<Part>({ type: "review", begin }));
      if (mine !== this.asking) return;
      if (part === null) break;
      batch(() => {
        this.part.value = part;
        this.decisions.value = [...this.decisions.value, ...part.decisions];
      });
    }
    this.isReviewing.value = false;
  }

  /** Show the position of a past decision from the seat of its player. */
  show(judged: Judged): void {
    const { store } = this,
      sides = store.table.value?.secrets && judged.side !== store.seat.value;
    batch(() => {
      this.shown.value = judged;
      store.eyes.value = sides ? judged.side : null;
    });
    void store.goTo(judged.choice - 1);
  }

  private async ask<T>(mine: number, ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      if (mine === this.asking)
        this.failed.value = error.lost ? this.store.say.value("lost") : error.why;
      return null;
    }
  }
}

/** The choices of a variation, with consecutive ones of the same side grouped. */
export function runsOf(choices: readonly Choice[]): { side: string; choices: Choice[] }[] {
  const out: { side: string; choices: Choice[] }[] = [];
  for (const choice of choices) {
    const last = out.at(-1);
    if (last?.side === choice.side) last.choices.push(choice);
    else out.push({ side: choice.side, choices: [choice] });
  }
  return out;
}
