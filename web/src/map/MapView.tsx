// Renders the map with everything on it: piles, lit places, the open stack, zoom buttons and the
// overview map.
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Standing } from "../counters/pile";
import type { Board, Game } from "../game";
import { sayOnMap } from "../i18n/sayOnMap";
import { type Atlas, atlasOf, boxesOf } from "./atlas";
import { Camera } from "./camera";
import { Fan } from "./Fan";
import { Base, Lines } from "./Ground";
import { gestures } from "./gestures";
import type { Highlights, PointerHandlers } from "./highlights";
import { steer } from "./keyboard";
import { Costs, Labels, Piles, Places, Route, type Scene, Veil } from "./Layers";
import { type LabelBlock, labelBlockOf, SMALL } from "./labelBlock";
import { contentsOf } from "./labelBlocks";
import { MiniMap } from "./MiniMap";
import type { Box } from "./overlap";
import { ownershipOf } from "./ownership";
import { clicked, pointed, touches } from "./pointerEvents";
import { Textures } from "./Textures";
import { Tokens } from "./Tokens";
import { forget, measure } from "./textWidth";
import { ZoomButtons } from "./ZoomButtons";

export interface MapProps {
  game: Game;
  board: Board;
  marks: Highlights;
  on: PointerHandlers;
  lang: string;
}

const PHONE = "(max-width: 760px)",
  LEAST = { phone: 30, desktop: 24 };

/** The map fills its parent, which must be positioned. It listens to the keys + - 0 F of the whole page. */
export function MapView({ game, board, marks, on, lang }: MapProps) {
  const host = useRef<HTMLDivElement>(null),
    drawing = useRef<SVGSVGElement>(null),
    atlas = useMemo(() => atlasOf(game), [game]);
  const now = useRef({ atlas, board, marks, on }),
    prefix = `m${useId().replace(/[^A-Za-z0-9]/g, "")}`;
  now.current = { atlas, board, marks, on };
  const [camera, setCamera] = useState<Camera | null>(null),
    fonts = useFonts(),
    phone = useMedia(PHONE);
  useLayoutEffect(() => {
    const made = new Camera(atlas.frame, host.current!, drawing.current!),
      sized = new ResizeObserver(([entry]) =>
        made.resize(entry!.contentRect.width, entry!.contentRect.height),
      );
    made.resize(host.current!.clientWidth, host.current!.clientHeight);
    sized.observe(host.current!);
    const silent = [
      gestures(host.current!, made, touches(host.current!, now)),
      steer(host.current!, made, now),
      () => sized.disconnect(),
    ];
    setCamera(made);
    return () => {
      for (const end of silent) end();
    };
  }, [atlas.frame.join()]);
  const boxes = useMemo(() => boxesOf(atlas, marks.focus), [atlas, marks.focus.join()]);
  const cramped = useCramped(camera);
  useEffect(() => {
    if (cramped && camera && boxes.length) camera.focus(boxes, covered(host.current!));
  }, [cramped, camera, boxes, marks.open !== null]);
  useEffect(() => {
    if (!cramped) camera?.relax();
  }, [cramped, camera]);

  const standing = useMemo(() => new Standing(board), [board]),
    held = useMemo(() => ownershipOf(board), [board]);
  const lit = useMemo(() => pointsOf(atlas, board, marks), [atlas, board, marks]);
  const least = useLeast(camera, phone ? LEAST.phone : LEAST.desktop);
  const blocks = useBlocks(atlas, standing, held, marks, least, fonts, lang);
  const scene: Scene = { game, atlas, standing, held, blocks, marks, lang, prefix };
  const last = useRef<string | null>(null),
    point = (event: Event): void => {
      last.current = pointed(event, now, last.current);
    };
  const base = useMemo(
    () => (
      <>
        <Textures prefix={prefix} />
        <Base atlas={atlas} prefix={prefix} />
      </>
    ),
    [atlas, prefix],
  );
  const lines = useMemo(() => <Lines atlas={atlas} />, [atlas, fonts]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears what is done to the places and pieces in it
    // biome-ignore lint/a11y/useKeyWithClickEvents: places and pieces take the focus, and keyboard.ts their keys
    <div
      class="board-map"
      ref={host}
      onClick={(event) => clicked(event, now)}
      onPointerOver={point}
      onFocusIn={point}
      onPointerLeave={point}
    >
      <svg
        class="map"
        ref={drawing}
        viewBox={`${atlas.frame[0]} ${atlas.frame[1]} ${atlas.frame[2] - atlas.frame[0]} ${atlas.frame[3] - atlas.frame[1]}`}
        role="application"
        aria-roledescription={sayOnMap(lang, "map")}
        aria-label={game.sheet.title}
      >
        {base}
        <Veil {...scene} />
        <Places {...scene} />
        {lines}
        <Route {...scene} />
        <Labels {...scene} />
        <Tokens atlas={atlas} board={board} blocks={blocks} />
        <Piles {...scene} />
        <Costs {...scene} />
      </svg>
      {camera && (
        <>
          <ZoomButtons camera={camera} lang={lang} lit={lit} />
          {cramped && <MiniMap atlas={atlas} board={board} camera={camera} lit={lit} />}
          {marks.open !== null && game.places.has(marks.open) && (
            <Fan
              game={game}
              board={board}
              marks={marks}
              on={on}
              lang={lang}
              place={marks.open}
              unknown={standing.unknownIn(marks.open)}
              camera={camera}
              atlas={atlas}
              phone={phone}
            />
          )}
        </>
      )}
    </div>
  );
}

/** The clickable parts of the map. */
function pointsOf(atlas: Atlas, board: Board, marks: Highlights): Box[] {
  const places = new Set([
    ...marks.targets.keys(),
    ...[...marks.legal].map((id) => board.at.get(id) ?? ""),
  ]);
  return [...places].flatMap((id) => {
    const site = atlas.sites.get(id);
    return site ? [{ at: site.at, room: site.room }] : [];
  });
}

/** The length of some pixels in units of the map, in steps, while the map is not zoomed in. */
function useLeast(camera: Camera | null, pixels: number): number {
  const [least, set] = useState(0);
  useEffect(
    () =>
      camera?.settled.subscribe((view) =>
        set(Math.min(60, Math.ceil(pixels / view.scale / 3) * 3)),
      ),
    [camera, pixels],
  );
  return Math.max(SMALL, least);
}

/** The block of each place. One with unchanged contents stays the same object. */
function useBlocks(
  atlas: Atlas,
  standing: Standing,
  held: Scene["held"],
  marks: Highlights,
  least: number,
  fonts: number,
  lang: string,
): Map<string, LabelBlock> {
  const kept = useRef(new Map<string, { sign: string; block: LabelBlock }>());
  return useMemo(
    () =>
      new Map(
        [...atlas.sites.values()].map((site): [string, LabelBlock] => {
          const contents = contentsOf(
              atlas,
              site,
              standing,
              held,
              least,
              marks.targets.get(site.id)?.cost ?? "",
            ),
            sign = [
              contents.name,
              contents.piles,
              contents.cost,
              contents.flags,
              least,
              fonts,
            ].join("|"),
            last = kept.current.get(site.id);
          if (last?.sign === sign) return [site.id, last.block];
          const block = labelBlockOf(site, contents, measure);
          kept.current.set(site.id, { sign, block });
          return [site.id, block];
        }),
      ),
    [atlas, standing, held, marks.targets, least, fonts, lang],
  );
}

/** True if the map begins at the decision, because the whole would be too small. */
function useCramped(camera: Camera | null): boolean {
  const [cramped, set] = useState<boolean | null>(null);
  useEffect(() => camera?.settled.subscribe(() => set((was) => camera.isCramped(was))), [camera]);
  return cramped === true;
}

/** The part of the map that the sheet of an open stack hides, on a phone. */
function covered(host: HTMLElement): { left: number; top: number; right: number; bottom: number } {
  const sheet = host.querySelector<HTMLElement>(".fan");
  return {
    left: 0,
    top: 0,
    right: 0,
    bottom: sheet && matchMedia(PHONE).matches ? sheet.offsetHeight + 8 : 0,
  };
}

/** Increases when the fonts of the page are loaded, which changes the widths of words. */
function useFonts(): number {
  const [come, set] = useState(0);
  useEffect(() => {
    void document.fonts.ready.then(() => {
      forget();
      set(1);
    });
  }, []);
  return come;
}

function useMedia(query: string): boolean {
  const [fits, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query),
      changed = (): void => set(list.matches);
    list.addEventListener("change", changed);
    return () => list.removeEventListener("change", changed);
  }, [query]);
  return fits;
}
