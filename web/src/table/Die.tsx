// Renders the face of a die, or its number if there is no such face.
const PIPS: Record<number, [number, number][]> = {
  1: [[12, 12]],
  2: [
    [7, 7],
    [17, 17],
  ],
  3: [
    [6.5, 6.5],
    [12, 12],
    [17.5, 17.5],
  ],
  4: [
    [7, 7],
    [17, 7],
    [7, 17],
    [17, 17],
  ],
  5: [
    [6.5, 6.5],
    [17.5, 6.5],
    [12, 12],
    [6.5, 17.5],
    [17.5, 17.5],
  ],
  6: [
    [7, 6],
    [17, 6],
    [7, 12],
    [17, 12],
    [7, 18],
    [17, 18],
  ],
};

export function Die({ value, cancelled = false }: { value: number; cancelled?: boolean }) {
  const pips = PIPS[value];
  if (pips === undefined)
    return <b class={cancelled ? "die-number gone" : "die-number"}>{value}</b>;
  return (
    <svg
      class={cancelled ? "die gone" : "die"}
      viewBox="0 0 24 24"
      role="img"
      aria-label={String(value)}
    >
      <rect x="1.5" y="1.5" width="21" height="21" rx="5" />
      {pips.map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="2.2" />
      ))}
    </svg>
  );
}
