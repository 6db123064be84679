// Renders the screen between two players at one device, until the next player confirms to be there.
import { useEffect, useRef } from "preact/hooks";
import { Emblem } from "../counters/Counter";
import type { Store } from "../store";
import { useViewState } from "../viewState";

/**
 * The player who has to sit down now: another person of this screen who decides. Null if the page's address
 * names a seat.
 */
export function nextOf(store: Store): string | null {
  if (store.fixed || !(store.beside?.plays.value ?? true)) return null;
  const decides = store.state.value?.decision?.player ?? null,
    persons = store.persons.value;
  return decides !== null &&
    decides !== store.seat.value &&
    persons.includes(decides) &&
    persons.length > 1
    ? decides
    : null;
}

export function HandoverScreen() {
  const { store } = useViewState(),
    game = store.game.value,
    next = nextOf(store),
    say = store.say.value,
    here = useRef<HTMLButtonElement>(null);
  const secret = store.table.value?.secrets ?? true,
    waiting = store.queued.value > 0;
  useEffect(() => {
    if (next !== null && !waiting) {
      if (secret) here.current?.focus();
      else void store.sit(next);
    }
  }, [next, secret, waiting]);
  if (game === null || next === null || !secret) return null;
  const who = game.label("side", next);
  return (
    <div
      class="cover"
      role="dialog"
      aria-modal="true"
      aria-label={say("coverTitle", { who })}
      style={{ "--side": game.colours(next).colour }}
    >
      <Emblem game={game} side={next} size={88} />
      <h2>{say("coverTitle", { who })}</h2>
      <p>{say("coverText", { who })}</p>
      <button type="button" class="act main" ref={here} onClick={() => void store.sit(next)}>
        {say("coverHere", { who })}
      </button>
    </div>
  );
}
