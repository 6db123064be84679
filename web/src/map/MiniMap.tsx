// Renders the overview map, which shows the visible part of the map on a phone.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Board } from "../game";
import type { Atlas } from "./atlas";
import type { Camera, View } from "./camera";
import { fills } from "./Ground";
import { type Box, useOverlap } from "./overlap";

const WIDTH = 104;

export function MiniMap({
  atlas,
  board,
  camera,
  lit,
}: {
  atlas: Atlas;
  board: Board;
  camera: Camera;
  lit: readonly Box[];
}) {
  const box = useRef<HTMLDivElement>(null),
    seen = useRef<SVGRectElement>(null),
    [left, top, right, bottom] = atlas.frame;
  const over = useOverlap(box, camera, lit);
  const land = useMemo(
    () =>
      [...atlas.sites.values()].map((site) => {
        if (site.form === "sign") return null;
        const ground = site.terrain === null ? undefined : atlas.grounds.get(site.terrain);
        return (
          <path
            class={`ground f-${site.form}`}
            d={site.d}
            style={ground ? fills(ground.fill, ground.dark) : undefined}
          />
        );
      }),
    [atlas],
  );
  useEffect(() => {
    const watch = (view: View): void => {
      const [x, y, far, low] = camera.seen(view),
        whole = x <= left && y <= top && far >= right && low >= bottom;
      box.current!.hidden = whole;
      for (const [name, value] of Object.entries({ x, y, width: far - x, height: low - y }))
        seen.current!.setAttribute(name, value.toFixed(1));
    };
    watch(camera.view);
    camera.watchers.add(watch);
    return () => void camera.watchers.delete(watch);
  }, [camera]);
  const dots = useMemo(() => {
    const sides = new Map<string, string>();
    for (const [id, place] of board.at)
      sides.set(
        `${place}|${board.piece(id)!.owner ?? ""}`,
        board.game.colours(board.piece(id)!.owner).colour,
      );
    return [...sides].map(([key, colour]) => {
      const site = atlas.sites.get(key.split("|")[0]!);
      return (
        site && <circle cx={site.at[0]} cy={site.at[1]} r={(right - left) / 44} fill={colour} />
      );
    });
  }, [atlas, board]);
  return (
    <div class={over ? "minimap yields" : "minimap"} ref={box} aria-hidden="true">
      <svg
        aria-hidden="true"
        viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
        width={WIDTH}
        height={(WIDTH * (bottom - top)) / (right - left)}
      >
        {atlas.backdrop && (
          <>
            <rect
              class="ground"
              x={left}
              y={top}
              width={right - left}
              height={bottom - top}
              style={fills(atlas.backdrop.fill, atlas.backdrop.dark)}
            />
            {atlas.backdrop.land && (
              <path
                class="ground"
                d={atlas.scenery.join("")}
                style={fills(atlas.backdrop.land.fill, atlas.backdrop.land.dark)}
              />
            )}
          </>
        )}
        {land}
        {dots}
        <rect class="seen" ref={seen} stroke-width={(right - left) / 60} />
      </svg>
    </div>
  );
}
