// Renders the slider through the whole game, coloured by decider, and the replay since the player's
// last decision.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Game } from "../game";
import { useViewState } from "../viewState";
import { Icon, type Picture } from "./Icon";

/** The time for which each position is shown during playback, in ms. */
const STEP = 900;

export function Timeline() {
  const view = useViewState(),
    { store } = view,
    game = store.game.value,
    say = store.say.value,
    all = store.choice.value,
    frame = store.frame.value;
  const playing = useSignal(false),
    since = all - store.lastOwn.value;
  useEffect(() => {
    if (!playing.value || frame === null) {
      playing.value = false;
      return undefined;
    }
    const timer = setTimeout(() => {
      void store.goTo(frame + 1);
    }, STEP);
    return () => clearTimeout(timer);
  }, [frame, playing.value]);
  if (game === null) return <nav class="timeline" />;
  const at = frame ?? all;
  const go = (choice: number): void => {
    playing.value = false;
    void store.goTo(choice);
  };
  const step = (name: Picture, word: Parameters<typeof say>[0], choice: number) => (
    <button type="button" aria-label={say(word)} title={say(word)} onClick={() => go(choice)}>
      <Icon name={name} />
    </button>
  );
  return (
    <nav class="timeline" aria-label={say("slider")}>
      {step("first", "first", 0)}
      {step("previous", "previous", at - 1)}
      <div class="slide">
        <Bands game={game} deciders={store.deciders.value} />
        <input
          type="range"
          min={0}
          max={all}
          value={at}
          aria-label={say("slider")}
          aria-valuetext={say("decisionNumber", { n: at, all })}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
      </div>
      {step("next", "next", at + 1)}
      {step("last", "last", all)}
      {store.lastOwn.value > 0 && since > 1 && frame === null && (
        <button
          type="button"
          class="since"
          title={say("sinceLast")}
          onClick={() => {
            playing.value = true;
            void store.goTo(store.lastOwn.value);
          }}
        >
          <Icon name="replay" />
          <span>{say("sinceLastN", { n: since })}</span>
        </button>
      )}
      <span class="at">
        <b>{at}</b> / {all}
      </span>
      <button
        type="button"
        class="live"
        aria-pressed={frame === null}
        onClick={() => {
          playing.value = false;
          store.live();
        }}
      >
        <i />
        {say("live")}
      </button>
    </nav>
  );
}

/** One band for each run of decisions by the same side. */
function Bands({ game, deciders }: { game: Game; deciders: readonly string[] }) {
  const runs: { side: string; length: number }[] = [];
  for (const side of deciders) {
    const last = runs.at(-1);
    if (last?.side === side) last.length += 1;
    else runs.push({ side, length: 1 });
  }
  return (
    <div class="bands" aria-hidden="true">
      {runs.map((run, i) => (
        <i key={i} style={{ flexGrow: run.length, background: game.colours(run.side).colour }} />
      ))}
    </div>
  );
}
