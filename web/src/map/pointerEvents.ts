// Translates DOM events on the map into clicks, hovers and drags of pieces, piles and places.
import type { Board } from "../game";
import type { Atlas } from "./atlas";
import type { Touch } from "./gestures";
import type { Highlights, PointerHandlers } from "./highlights";

/** The state of the map at the moment of the event. */
export interface Now {
  current: { atlas: Atlas; board: Board; marks: Highlights; on: PointerHandlers };
}

const idsOf = (pile: Element): string[] =>
  (pile.getAttribute("data-ids") ?? "").split(" ").filter(Boolean);
const placeOf = (at: Element): string => at.getAttribute("data-place") ?? "";

/**
 * Handle a click, or Enter on the focused element. A pile that cannot be clicked passes the click to its
 * highlighted place.
 */
export function take(at: Element, { current: { marks, on } }: Now): void {
  const pile = at.closest("[data-ids]"),
    place = placeOf(at.closest("[data-place]") ?? at);
  if (pile) {
    const ids = idsOf(pile),
      legal = ids.some((id) => marks.legal.has(id));
    if (!legal && marks.targets.has(place)) on.place(place);
    else if (legal && ids.length === 1) on.piece(ids[0]!);
    else on.pile(ids, place);
  } else if (place) on.place(place);
}

export function clicked(event: MouseEvent, now: Now): void {
  const at = event.target as Element;
  if (at.closest("svg.map")) take(at, now);
}

/** Report the thing that is pointed at or has the focus, if it has changed. Return it. */
export function pointed(event: Event, now: Now, last: string | null): string | null {
  const id = event.type === "pointerleave" ? null : meant(event.target as Element, now);
  if (id !== last) now.current.on.hover(id);
  return id;
}

/** The piece or place that is pointed at. On a highlighted place it is the place. */
function meant(at: Element, { current: { marks } }: Now): string | null {
  const piece = at.closest("[data-piece]")?.getAttribute("data-piece");
  if (piece) return piece;
  const pile = at.closest("[data-ids]"),
    place = placeOf(at.closest("[data-place]") ?? at),
    ids = pile ? idsOf(pile) : [];
  if (ids.length && (!marks.targets.has(place) || ids.some((id) => marks.legal.has(id))))
    return ids[0]!;
  return place || null;
}

/** Dragging chooses pieces that are not chosen yet. Dropped on a highlighted place, they go there. */
export function touches(host: HTMLElement, now: Now): Touch {
  const below = (at: Element | null): string =>
    at && host.contains(at) ? placeOf(at.closest("svg.map [data-place]") ?? at) : "";
  const target = (at: Element | null): string | null => {
    const place = below(at);
    return now.current.marks.targets.has(place) ? place : null;
  };
  let lit: Element | null = null;
  return {
    held(from) {
      const { marks } = now.current,
        one = from.closest("[data-piece]"),
        pile = from.closest("[data-ids]");
      const ids = one ? [one.getAttribute("data-piece")!] : pile ? idsOf(pile) : [];
      return ids.some((id) => marks.legal.has(id) || marks.chosen.has(id)) ? (one ?? pile) : null;
    },
    lift(held) {
      const { marks, on } = now.current,
        ids = held.hasAttribute("data-piece") ? [held.getAttribute("data-piece")!] : idsOf(held);
      if (ids.some((id) => marks.chosen.has(id))) return;
      const legal = ids.filter((id) => marks.legal.has(id));
      if (legal.length === 1) on.piece(legal[0]!);
      else on.all(legal);
    },
    over(at) {
      const place = target(at),
        found =
          place === null
            ? null
            : host.querySelector(`.layer-places [data-place="${CSS.escape(place)}"]`);
      if (found === lit) return;
      lit?.classList.remove("over");
      found?.classList.add("over");
      lit = found;
      now.current.on.hover(place);
    },
    drop(over) {
      const place = target(over);
      if (place !== null) now.current.on.place(place);
      else if (below(over) !== "") now.current.on.late(below(over));
    },
    rest(at) {
      now.current.on.hover(at === null ? null : meant(at, now));
    },
  };
}
