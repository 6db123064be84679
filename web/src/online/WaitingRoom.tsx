// Renders a table before the game starts: a bar with the missing players, and a card to sit down,
// invite or leave.
import { useViewState } from "../viewState";
import { Seating } from "./Seating";

export function WaitingRoomPrompt() {
  const { store } = useViewState(),
    say = store.say.value,
    free =
      store.beside?.status.value?.seats.filter(
        (each) => each.who === null && each.machine === null,
      ) ?? [];
  return (
    <section class="prompt past" id="prompt" tabIndex={-1} aria-label={say("beforeGame")}>
      <div class="who">
        <div aria-live="polite">
          <small>{say("beforeGame")}</small>
          <p>{say("waitsFor", { n: free.length })}</p>
        </div>
      </div>
      <div class="steps" />
    </section>
  );
}

export function WaitingRoomCard() {
  const { store } = useViewState(),
    say = store.say.value;
  return (
    <section class="float before" aria-label={say("seats")}>
      <header>
        <h2>{say("beforeGame")}</h2>
      </header>
      <p class="hint">{say("beforeHint")}</p>
      <Seating />
    </section>
  );
}
