// Renders an icon: lines in a box of 24 units.
const LINES = {
  undo: "M9 5L4 10l5 5M4 10h9a6 6 0 0 1 0 12h-2",
  redo: "M15 5l5 5-5 5M20 10h-9a6 6 0 0 0 0 12h2",
  close: "M6 6l12 12M18 6L6 18",
  first: "M6 5v14M18 6l-8 6 8 6z",
  previous: "M15 6l-7 6 7 6z",
  next: "M9 6l7 6-7 6z",
  last: "M18 5v14M6 6l8 6-8 6z",
  moon: "M19 14.5A8 8 0 1 1 9.5 5a6.5 6.5 0 0 0 9.5 9.5z",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
  map: "M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14",
  report: "M6 4h12v16H6zM9 8h6M9 12h6M9 16h4",
  hand: "M5 7h8v12H5zM11 5l8 2.5-3 11.5-3-.8",
  seats: "M12 4v16M4 8h16M4 8l-1 6h6L8 8M16 8l-1 6h6l-1-6M8 20h8",
  die: "M5 5h14v14H5zM9 9v.01M15 15v.01M12 12v.01",
  warn: "M12 4L2.500 20h19zM12 10v4M12 17v.01",
  help: "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 18v.01",
  list: "M8 6h12M8 12h12M8 18h12M4 6v.01M4 12v.01M4 18v.01",
  back: "M10 6l-6 6 6 6M4 12h16",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  replay: "M4 12a8 8 0 1 0 3-6.200M4 4v4h4",
} as const;

export type Picture = keyof typeof LINES;

export function Icon({ name }: { name: Picture }) {
  return (
    <svg class="ico" viewBox="0 0 24 24" aria-hidden="true">
      <path d={LINES[name]} />
    </svg>
  );
}
