// A hook that reports whether a control at the edge of the map covers lit places, after each
// movement of the map.
import { useLayoutEffect, useState } from "preact/hooks";
import type { Camera } from "./camera";

/** A highlighted place on the map: its middle, and the room around it. */
export interface Box {
  at: readonly [number, number];
  room: readonly [number, number];
}

/** The part of a place that must be free to click it. */
const FREE = 0.3;

/** True if an element of the map's host, in its unshifted position, hides highlighted things. */
export function useOverlap(
  element: { current: HTMLElement | null },
  camera: Camera,
  lit: readonly Box[],
): boolean {
  const [over, set] = useState(false),
    settled = camera.settled.value;
  useLayoutEffect(() => {
    const box = element.current!;
    box.classList.remove("yields");
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = box;
    const hides = lit.some(({ at, room }) => {
      const [x, y] = camera.screen(at, settled),
        wide = room[0] * settled.scale * FREE,
        high = room[1] * settled.scale * FREE;
      return (
        x + wide > left && x - wide < left + width && y + high > top && y - high < top + height
      );
    });
    box.classList.toggle("yields", hides);
    set(hides);
  }, [settled, lit]);
  return over;
}
