// Renders the zoom buttons.
import { useRef } from "preact/hooks";
import { type MapWord, sayOnMap } from "../i18n/sayOnMap";
import type { Camera } from "./camera";
import { type Box, useOverlap } from "./overlap";

const SIGNS: Record<"in" | "out" | "whole", string> = {
  in: "M12 5v14M5 12h14",
  out: "M5 12h14",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
};

export function ZoomButtons({
  camera,
  lang,
  lit,
}: {
  camera: Camera;
  lang: string;
  lit: readonly Box[];
}) {
  const box = useRef<HTMLDivElement>(null),
    over = useOverlap(box, camera, lit);
  const button = (word: MapWord & keyof typeof SIGNS, key: string, act: () => void) => (
    <button
      type="button"
      onClick={act}
      aria-label={sayOnMap(lang, word)}
      title={`${sayOnMap(lang, word)} (${key})`}
    >
      <svg class="ico" viewBox="0 0 24 24" aria-hidden="true">
        <path d={SIGNS[word]} />
      </svg>
    </button>
  );
  return (
    <div class={over ? "zoom yields" : "zoom"} ref={box} role="group">
      {button("in", "+", () => camera.zoom(1.3))}
      {button("out", "-", () => camera.zoom(1 / 1.3))}
      {button("whole", "0", () => camera.whole())}
    </div>
  );
}
