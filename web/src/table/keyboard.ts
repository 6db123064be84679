// Keyboard shortcuts of the table: each does what a click would do. The map handles + - 0 F itself.
import { turnTheme } from "../preferences";
import type { ViewState } from "../viewState";
import { takeBack } from "./Prompt";

/** The clickable things, pieces before places: in the open stack, on the map, in the hand. */
const LIT = [
  ".fan [role=checkbox]:not([aria-disabled=true])",
  ".pile.legal .take",
  ".place.target",
  ".face.playable",
];

const writes = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input:not([type=range]), textarea, select");

export function step(back: boolean): void {
  const all = LIT.flatMap((each) => [...document.querySelectorAll<HTMLElement | SVGElement>(each)]);
  if (all.length === 0) return;
  const at = (all as (Element | null)[]).indexOf(document.activeElement),
    next = at < 0 ? (back ? all.length - 1 : 0) : (at + (back ? -1 : 1) + all.length) % all.length;
  all[next]?.focus();
}

/** Listen until the returned function is called. */
export function listen(view: ViewState): () => void {
  const heard = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape") {
      closeInnermost(view);
      return;
    }
    if (writes(event.target)) return;
    if (act(view, event)) event.preventDefault();
  };
  const first = (event: KeyboardEvent): void => confirm(view, event);
  document.addEventListener("keydown", first, { capture: true });
  document.addEventListener("keydown", heard);
  return () => {
    document.removeEventListener("keydown", first, { capture: true });
    document.removeEventListener("keydown", heard);
  };
}

/** Enter on a chosen piece or card executes a complete plan. The space bar still removes a piece. */
function confirm(view: ViewState, event: KeyboardEvent): void {
  const { planner } = view;
  if (
    event.key !== "Enter" ||
    !(event.target instanceof Element) ||
    event.target.closest(":is(.board, .hand) :is([aria-pressed=true], [aria-checked=true])") ===
      null ||
    planner.plan.value?.keys() == null
  )
    return;
  event.preventDefault();
  event.stopPropagation();
  void planner.send();
}

function closeInnermost(view: ViewState): void {
  const { planner } = view;
  if (view.closeOne()) return;
  if (planner.plan.value?.clicks.aimed != null || planner.armed.value !== null) planner.back();
  else if (planner.open.value !== null) planner.open.value = null;
  else planner.clear();
}

/** Return true if the page handled the key. */
function act(view: ViewState, event: KeyboardEvent): boolean {
  const { planner, store } = view,
    key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const onControl =
    event.target instanceof Element &&
    event.target.closest("button, a, summary, input, [role=button], [role=checkbox]") !== null;
  const choice = planner.buttons.value[Number(key) - 1];
  if (/^[1-9]$/.test(key)) {
    if (choice !== undefined) void planner.press(choice);
    return choice !== undefined;
  }
  switch (key) {
    case "Enter":
      if (!onControl && planner.resumable.value) {
        void planner.resume();
        return true;
      }
      if (onControl || planner.plan.value?.keys() == null) return false;
      void planner.send();
      return true;
    case "n":
      step(event.shiftKey);
      return true;
    case "a": {
      const at = planner.open.value ?? planner.plan.value?.origin() ?? null;
      if (at === null) return false;
      planner.exactly(
        [...(store.board.value?.at ?? [])].filter(([, place]) => place === at).map(([id]) => id),
        at,
        true,
      );
      return true;
    }
    case "u":
      takeBack(view);
      return true;
    case "r":
      if (store.redoable.value > 0) void store.redo();
      return true;
    case "o":
      view.card.value = !view.card.value;
      return true;
    case "t":
      turnTheme();
      return true;
    case "l":
      view.pane.value = view.pane.value === "list" ? "report" : "list";
      view.tab.value = "report";
      return true;
    case "e":
      if (!view.analyst.isOffered.value) return false;
      view.pane.value = view.pane.value === "analysis" ? "report" : "analysis";
      view.tab.value = "report";
      return true;
    case "/":
      view.find.value = true;
      return true;
    case "?":
      view.help.value = !view.help.value;
      return true;
    case "ArrowLeft":
    case "ArrowRight": {
      if (
        event.target instanceof Element &&
        event.target.closest("svg, input, [role=tablist]") !== null
      )
        return false;
      void store.goTo((store.frame.value ?? store.choice.value) + (key === "ArrowLeft" ? -1 : 1));
      return true;
    }
    default:
      return false;
  }
}
