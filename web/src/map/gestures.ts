// Recognizes gestures of the pointer: panning, pinching, dragging pieces, long presses. A short
// press stays the browser's click.
import type { Camera } from "./camera";
import type { Point } from "./geometry";

/** The queries and callbacks of gestures. */
export interface Touch {
  /** The element that can be dragged from here, or null. */
  held(from: Element): Element | null;
  /** A drag has begun. */
  lift(held: Element): void;
  /** The drag ended over an element. */
  drop(over: Element | null): void;
  /** The drag is over this element. */
  over(at: Element | null): void;
  /** A finger rested on an element, or was lifted (null). */
  rest(at: Element | null): void;
}

const FAR: Record<string, number> = { mouse: 4, pen: 6, touch: 9 },
  REST = 450;

/** Listen until the returned function is called. */
export function gestures(host: HTMLElement, camera: Camera, touch: Touch): () => void {
  const down = new Map<number, Point>(),
    listening = new AbortController(),
    signal = listening.signal;
  let begun: { at: Point; far: number; held: Element | null; onMap: boolean } | null = null;
  let doing: "nothing" | "pan" | "pinch" | "drag" | "rest" = "nothing",
    ghost: HTMLElement | null = null,
    timer = 0,
    eaten = false;

  const local = (x: number, y: number): Point => {
    const box = host.getBoundingClientRect();
    return [x - box.left, y - box.top];
  };
  const under = (x: number, y: number): Element | null => document.elementFromPoint(x, y);
  const finish = (): void => {
    clearTimeout(timer);
    ghost?.remove();
    if (doing === "rest") touch.rest(null);
    if (doing === "drag") touch.over(null);
    delete host.dataset.doing;
    [begun, doing, ghost] = [null, "nothing", null];
  };

  host.addEventListener(
    "pointerdown",
    (event) => {
      const from = event.target as Element,
        onMap = from.closest("svg.map") !== null;
      if (event.button !== 0) return;
      eaten = false;
      const held = touch.held(from);
      if (!onMap && held === null) return;
      down.set(event.pointerId, [event.clientX, event.clientY]);
      if (down.size === 2 && onMap) {
        finish();
        [doing, eaten] = ["pinch", true];
        return;
      }
      begun = { at: [event.clientX, event.clientY], far: FAR[event.pointerType] ?? 6, held, onMap };
      doing = "nothing";
      if (event.pointerType === "touch")
        timer = window.setTimeout(() => {
          [doing, eaten] = ["rest", true];
          touch.rest(from);
        }, REST);
    },
    { signal },
  );

  const moved = (event: PointerEvent): void => {
    const last = down.get(event.pointerId);
    if (last === undefined) return;
    const now: Point = [event.clientX, event.clientY];
    down.set(event.pointerId, now);
    if (doing === "pinch") {
      pinch(event.pointerId, last, now);
      return;
    }
    if (
      begun &&
      doing === "nothing" &&
      Math.hypot(now[0] - begun.at[0], now[1] - begun.at[1]) > begun.far
    ) {
      clearTimeout(timer);
      eaten = true;
      doing = begun.held ? "drag" : "pan";
      host.dataset.doing = doing;
      if (begun.held) {
        touch.lift(begun.held);
        ghost = ghostOf(begun.held);
      }
    }
    if (doing === "pan") camera.pan(now[0] - last[0], now[1] - last[1]);
    if (doing === "drag" && ghost) {
      ghost.style.transform = `translate(${now[0]}px, ${now[1]}px)`;
      touch.over(under(...now));
    }
  };

  const pinch = (id: number, last: Point, now: Point): void => {
    const other = [...down].find(([each]) => each !== id)?.[1];
    if (!other) return;
    const before = Math.hypot(last[0] - other[0], last[1] - other[1]),
      after = Math.hypot(now[0] - other[0], now[1] - other[1]);
    camera.pan((now[0] - last[0]) / 2, (now[1] - last[1]) / 2);
    camera.zoom(after / (before || 1), local((now[0] + other[0]) / 2, (now[1] + other[1]) / 2));
  };

  const ended = (event: PointerEvent): void => {
    if (!down.delete(event.pointerId)) return;
    const dropped = doing === "drag" && event.type === "pointerup";
    if (down.size > 0) return;
    finish();
    if (dropped) touch.drop(under(event.clientX, event.clientY));
  };

  window.addEventListener("pointermove", moved, { signal });
  window.addEventListener("pointerup", ended, { signal });
  window.addEventListener("pointercancel", ended, { signal });
  // The click that ends a gesture does not count as a click.
  host.addEventListener(
    "click",
    (event) => {
      if (eaten && event.detail > 0) {
        event.stopPropagation();
        event.preventDefault();
      }
      eaten = false;
    },
    { capture: true, signal },
  );
  host.addEventListener(
    "contextmenu",
    (event) => {
      if (doing === "rest" || down.size > 0) event.preventDefault();
    },
    { signal },
  );
  host.addEventListener(
    "wheel",
    (event) => {
      if (!(event.target as Element).closest("svg.map")) return;
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 32 : 1;
      if (event.shiftKey) camera.pan(-(event.deltaX || event.deltaY) * unit, 0);
      else
        camera.zoom(
          Math.exp(
            -Math.max(-120, Math.min(120, event.deltaY * unit)) * (event.ctrlKey ? 0.01 : 0.0016),
          ),
          local(event.clientX, event.clientY),
        );
    },
    { passive: false, signal },
  );
  return () => {
    finish();
    listening.abort();
  };
}

/** A picture of the dragged element that follows the pointer. */
function ghostOf(held: Element): HTMLElement {
  const box = held.getBoundingClientRect(),
    ghost = document.createElement("div");
  ghost.className = "ghost";
  const inner =
    held instanceof SVGGElement
      ? document.createElementNS("http://www.w3.org/2000/svg", "svg")
      : document.createElement("div");
  const copy = held.cloneNode(true) as Element;
  for (const each of [copy, ...copy.querySelectorAll("[id], [tabindex], [role]")])
    for (const name of ["id", "tabindex", "role", "aria-label"]) each.removeAttribute(name);
  copy.removeAttribute("transform");
  if (held instanceof SVGGElement) {
    inner.setAttribute("viewBox", "-6 -10 64 62");
    inner.setAttribute("width", String(Math.max(44, box.width)));
  }
  inner.append(copy);
  ghost.append(inner);
  ghost.setAttribute("aria-hidden", "true");
  document.body.append(ghost);
  return ghost;
}
