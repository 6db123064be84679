// Renders the clock of a side, which counts down while that side has to decide.
import type { Store } from "../store";
import { shown } from "./clocks";

/** With less than this many seconds left it is marked. */
const LATE = 60;

export function Clock({ side, store }: { side: string; store: Store }) {
  const beside = store.beside,
    say = store.say.value,
    left = beside?.left(side) ?? null;
  if (beside === null || left === null) return null;
  const runs = beside.runs(side),
    late = left < LATE;
  return (
    <span
      class={`clock${runs ? " runs" : ""}${late ? " late" : ""}`}
      role="timer"
      aria-label={say("timeLeft", { time: shown(left, say) })}
    >
      <span aria-hidden="true">{shown(left, say)}</span>
    </span>
  );
}
