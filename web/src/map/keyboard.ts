// Keyboard control of the map: + - 0 F zoom wherever the focus is, arrows move between things on
// the map, Enter and Space select.
import { boxesOf } from "./atlas";
import type { Camera } from "./camera";
import { type Now, take } from "./pointerEvents";

const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Listen until the returned function is called. */
export function steer(host: HTMLElement, camera: Camera, now: Now): () => void {
  const stop = new AbortController(),
    { signal } = stop;
  document.addEventListener(
    "keydown",
    (event) => {
      const at = event.target as Element;
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        at.matches("input, textarea, select, [contenteditable]") ||
        host.offsetParent === null
      )
        return;
      if (event.key === "+" || event.key === "=") camera.zoom(1.25);
      else if (event.key === "-") camera.zoom(0.8);
      else if (event.key === "0") camera.whole();
      else if (event.key.toLowerCase() === "f")
        camera.focus(boxesOf(now.current.atlas, now.current.marks.focus));
      else return;
      event.preventDefault();
    },
    { signal },
  );
  host.addEventListener(
    "keydown",
    (event) => {
      const at = (event.target as Element).closest(".take, .place"),
        way = WAYS[event.key];
      if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === " ") take(at, now);
      else if (way) next(host, at, way)?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal },
  );
  host.addEventListener(
    "focusin",
    (event) => {
      const place = (event.target as Element)
          .closest("svg.map [data-place]")
          ?.getAttribute("data-place"),
        site = now.current.atlas.sites.get(place ?? "");
      if (site && (event.target as Element).matches(":focus-visible")) camera.reveal(site.box);
    },
    { signal },
  );
  return () => stop.abort();
}

/** The nearest pile or highlighted place in a direction. Distance to the side counts twice. */
function next(host: HTMLElement, from: Element, [dx, dy]: [number, number]): SVGElement | null {
  const middle = (at: Element): [number, number] => {
    const box = at.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let best: SVGElement | null = null,
    least = Infinity;
  for (const each of host.querySelectorAll<SVGElement>("svg.map .take, svg.map .place.target")) {
    if (each === from) continue;
    const [ex, ey] = middle(each),
      ahead = (ex - x) * dx + (ey - y) * dy,
      aside = Math.abs((ex - x) * dy) + Math.abs((ey - y) * dx);
    if (ahead > 2 && ahead + 2 * aside < least) [least, best] = [ahead + 2 * aside, each];
  }
  return best;
}
