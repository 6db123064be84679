// Renders the tooltip that says why a piece or place cannot be selected now, after a moment of
// pointing to it.

import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Refusal } from "../protocol.gen";
import { useViewState } from "../viewState";
import { Cite } from "./Text";

/** The time of pointing before the server is asked, in ms. */
const PATIENCE = 350,
  REASONS = 3;

/** The position of the pointer or of the focus. */
function spot(): { x: number; y: number } {
  const focused = document.activeElement;
  if (focused?.matches(":focus-visible")) {
    const box = focused.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.bottom };
  }
  return pointer;
}
const pointer = { x: 0, y: 0 };
document.addEventListener(
  "pointermove",
  (event) => {
    pointer.x = event.clientX;
    pointer.y = event.clientY;
  },
  { passive: true },
);

/** True until somebody points since the decision began. Things under a resting pointer are not explained. */
const resting = signal(false);
for (const kind of ["pointermove", "pointerdown", "keydown"])
  document.addEventListener(
    kind,
    (event) => {
      // Browsers also report a pointer move if only the page under the pointer has changed.
      const moved =
        !(event instanceof PointerEvent) ||
        event.clientX !== pointer.x ||
        event.clientY !== pointer.y;
      if (kind !== "pointermove" || moved) resting.value = false;
    },
    { passive: true, capture: true },
  );

export function WhyNot() {
  const view = useViewState(),
    { planner, store } = view,
    id = planner.hovered.value,
    plan = planner.plan.value,
    say = store.say.value;
  const shown = useSignal<{ id: string; reasons: Refusal[]; x: number; y: number } | null>(null);
  useEffect(() => {
    resting.value = true;
  }, [store.choice.value]);
  const rests = resting.value;
  useEffect(() => {
    shown.value = null;
    if (
      rests ||
      id === null ||
      plan === null ||
      plan.legal().has(id) ||
      plan.lit().has(id) ||
      (store.game.value?.places.has(id) ? plan.lit().size === 0 : plan.legal().size === 0)
    )
      return undefined;
    let over = false;
    const timer = setTimeout(
      () =>
        void planner.whyNot(id).then((reasons) => {
          if (!over && reasons !== null && reasons.length > 0)
            shown.value = { id, reasons, ...spot() };
        }),
      PATIENCE,
    );
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [id, plan, rests]);
  const now = shown.value,
    game = store.game.value;
  if (now === null || game === null) return null;
  const left = Math.max(8, Math.min(window.innerWidth - 330, now.x - 160)),
    above = now.y > window.innerHeight - 160;
  return (
    <div
      class="tip"
      role="tooltip"
      aria-live="polite"
      style={{
        left: `${left}px`,
        ...(above
          ? { bottom: `${window.innerHeight - now.y + 14}px` }
          : { top: `${now.y + 22}px` }),
      }}
    >
      <b>
        {game.label(game.places.has(now.id) ? "place" : "piece", now.id)} · {say("whyNot")}
      </b>
      <ul>
        {unlike(now.reasons)
          .slice(0, REASONS)
          .map((reason, i) => (
            <li key={i}>
              {reason.text} <Cite refs={reason.ref} />
            </li>
          ))}
      </ul>
    </div>
  );
}

/** Each reason once. */
function unlike(reasons: readonly Refusal[]): Refusal[] {
  return reasons.filter(
    (reason, i) => reasons.findIndex((other) => other.text === reason.text) === i,
  );
}
