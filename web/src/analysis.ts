// Requests analyses from the server: the best lines of the current decision, and the review of a
// finished game part by part.
import { batch, computed, effect, signal } from "@preact/signals";
import type { Handle } from "./handle";
import type { Analysis, BestLine, Choice, Judged, Part } from "./protocol.gen";
import { answered, NotDone } from "./socket";
import type { Store } from "./store";

/** For so many seconds one may let think. */
export const SECONDS = [1, 5] as const;

export class Analyst {
  readonly found = signal<Analysis | null>(null);
  /** For how many seconds it thinks now about the lines; null: it does not. */
  readonly thinking = signal<number | null>(null);
  /** Why there is no answer. */
  readonly failed = signal("");
  /** What is true of the whole course, as its newest part says it. */
  readonly part = signal<Part | null>(null);
  readonly decisions = signal<readonly Judged[]>([]);
  /** Is the course being looked at? */
  readonly looking = signal(false);
  /** From so many choices on it is not looked at yet. */
  readonly done = computed(() =>
    this.part.value === null ? 0 : (this.part.value.next ?? this.part.value.choices + 1) - 1,
  );
  readonly isWhole = computed(() => this.part.value !== null && this.part.value.next === null);
  /** May this seat let think about what it is asked? */
  readonly may = computed(() => {
    const { store } = this,
      decision = store.state.value?.decision;
    return (
      (store.table.value?.hints ?? false) &&
      decision?.options != null &&
      decision.player === store.seat.value
    );
  });
  /** Is there anything that this page may let think about, now or later? */
  readonly isOffered = computed(
    () =>
      this.store.isOver.value ||
      ((this.store.table.value?.hints ?? false) && this.store.seat.value !== null),
  );
  /** The line that is pointed out, and the decision of the past that is shown. */
  readonly line = signal<BestLine | null>(null);
  readonly shown = signal<Judged | null>(null);
  /** The pieces and places that stay lit: those of the line's first choice, or of what was better then. */
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
  /** The course is looked at while it is seen. */
  private wanted = false;
  /** What is asked now is not what was asked before: answers to that are not listened to. */
  private asking = 0;

  constructor(readonly store: Store) {}

  /** Forgets what it found when the game goes on, or is told from another seat or in another language; until it is told to stop. */
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
      this.looking.value = false;
      this.failed.value = "";
    });
  }

  /** Lets think about the present decision. */
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

  /** What is thought about is answered at once, with what was found. */
  stop(): void {
    this.wanted = false;
    this.rest();
  }

  /** The course is seen again, or no more. */
  seen(yes: boolean): void {
    if (yes && this.wanted) void this.look();
    else if (!yes && this.looking.value) this.rest();
  }

  private rest(): void {
    this.looking.value = false;
    answered(this.store.link, { type: "stop" }).catch((error: unknown) => {
      if (!(error instanceof NotDone)) throw error;
    });
  }

  /** Looks at the course of the game from where it was looked at, part by part, until it is stopped. */
  async look(): Promise<void> {
    if (this.looking.value || this.isWhole.value) return;
    const mine = ++this.asking;
    this.looking.value = this.wanted = true;
    this.failed.value = "";
    while (this.looking.value && !this.isWhole.value) {
      const begin = this.done.value + 1,
        part = await this.ask(mine, () => this.store.query<Part>({ type: "course", begin }));
      if (mine !== this.asking) return;
      if (part === null) break;
      batch(() => {
        this.part.value = part;
        this.decisions.value = [...this.decisions.value, ...part.decisions];
      });
    }
    this.looking.value = false;
  }

  /** Shows where a decision of the past was made, as who made it saw it. */
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

/** The choices of a line, those of the same side together that follow each other. */
export function runsOf(choices: readonly Choice[]): { side: string; choices: Choice[] }[] {
  const out: { side: string; choices: Choice[] }[] = [];
  for (const choice of choices) {
    const last = out.at(-1);
    if (last?.side === choice.side) last.choices.push(choice);
    else out.push({ side: choice.side, choices: [choice] });
  }
  return out;
}
