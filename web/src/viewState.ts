// What is open, hovered and selected on the page. Nothing of it is sent to the table.
import { signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { Analyst } from "./analysis";
import type { Handle } from "./handle";
import type { MoveBuilder } from "./moveBuilder";
import type { Derivation, Judged } from "./protocol.gen";
import type { Store } from "./store";

export type Tab = "map" | "report" | "hand" | "seats";
export type Pane = "report" | "forces" | "legend" | "list" | "analysis" | "chat" | "tableStatus";

/** An open derivation and its position. */
export interface Opened {
  beside: DOMRect;
  derivation: Derivation | null;
  text: string;
}

export class ViewState {
  /** On a phone: the part that fills the screen. */
  readonly tab = signal<Tab>("map");
  readonly pane = signal<Pane>("report");
  readonly card = signal(false);
  readonly help = signal(false);
  readonly find = signal(false);
  /** Pieces and places that something points to. */
  readonly glow = signal<ReadonlySet<Handle>>(new Set());
  readonly opened = signal<Opened | null>(null);
  /** The paragraph that is pointed at, and its text. */
  readonly cited = signal<{ beside: DOMRect; ref: string; text: string } | null>(null);

  readonly analyst: Analyst;

  constructor(
    readonly store: Store,
    readonly planner: MoveBuilder,
  ) {
    this.analyst = new Analyst(store);
  }

  point(thing: Handle | null): void {
    this.pointAll(thing === null ? [] : [thing]);
  }

  pointAll(things: readonly Handle[]): void {
    this.glow.value = new Set(things);
  }

  /** Show the position of a decision. On a phone the map comes to the front. */
  showPast(judged: Judged): void {
    this.pointAll([]);
    this.analyst.show(judged);
    this.tab.value = "map";
  }

  /** Close the topmost part. Return false if there is none. */
  closeOne(): boolean {
    if (this.cited.value !== null) {
      this.cited.value = null;
      return true;
    }
    for (const each of [this.help, this.find])
      if (each.value) {
        each.value = false;
        return true;
      }
    if (this.opened.value !== null) {
      this.opened.value = null;
      return true;
    }
    if (this.card.value) {
      this.card.value = false;
      return true;
    }
    return false;
  }
}

const Shell = createContext<ViewState | null>(null);
export const ViewStateProvider = Shell.Provider;

/** The parts of the page, for components below `ViewStateProvider`. */
export function useViewState(): ViewState {
  const view = useContext(Shell);
  if (view === null) throw new Error("outside of the table");
  return view;
}
