// Renders the end of a game: the result, the check of the dice, the choice of a point of view, and
// a rematch.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Emblem } from "../counters/Counter";
import { plain } from "../game";
import { rematch } from "../home/api";
import type { TableState } from "../online/tableState";
import type { Json } from "../protocol.gen";
import { useViewState, type ViewState } from "../viewState";
import { type Verdict, verdict } from "./commitment";

const ENDINGS = { resigned: "endResigned", time: "endTime", claimed: "endClaimed" } as const;

export function GameOver() {
  const view = useViewState(),
    { store } = view,
    table = store.table.value,
    game = store.game.value,
    state = store.state.value,
    say = store.say.value,
    found = useSignal<Verdict>("checking");
  useEffect(() => {
    let current = true; // a newer message gets a verdict of its own
    if (table !== null && store.isOver.value)
      void verdict(table).then((each) => {
        if (current) found.value = each;
      });
    return () => {
      current = false;
    };
  }, [table, store.isOver.value]);
  if (
    table === null ||
    game === null ||
    state === null ||
    !store.isOver.value ||
    store.frame.value !== null
  )
    return null;
  const ending = store.beside?.status.value?.ending ?? null,
    rest = [...game.sides.keys()].filter((side) => side !== ending?.side),
    winners = ending === null ? winnersOf(state.position.result) : rest.length === 1 ? rest : [],
    words =
      ending === null
        ? plain(store.lines.value.at(-1)?.spans ?? [])
        : say(ENDINGS[ending.kind], { who: game.label("side", ending.side) }),
    shown = {
      checking: say("checking"),
      fair: say("fair"),
      unfair: say("unfair"),
      unchecked: say("unchecked"),
    }[found.value];
  return (
    <section
      class="prompt over"
      id="prompt"
      tabIndex={-1}
      aria-label={say("over")}
      style={{ "--side": game.colours(winners[0] ?? null).colour }}
    >
      <div class="who">
        {winners.map((side) => (
          <Emblem key={side} game={game} side={side} size={34} />
        ))}
        <div aria-live="polite">
          <small>{say("over")}</small>
          <p>
            {winners.length === 0
              ? say("drawn")
              : say("wonBy", { who: winners.map((side) => game.label("side", side)).join(", ") })}
            {words !== "" && <em> · {words}</em>}
          </p>
        </div>
      </div>
      <div class="steps">
        <details class="trust">
          <summary class={found.value}>{shown}</summary>
          <div class="trust-text">
            <p>
              {say("seed")}: <code>{table.seed}</code>
            </p>
            <p>
              {say("salt")}: <code>{table.salt}</code>
            </p>
            <p>
              {say("commitment")}: <code>{table.commitment}</code>
            </p>
            <p>
              <code>sha256("rulekit SALT SEED")</code>
            </p>
          </div>
        </details>
      </div>
      <Eyes view={view} sides={[...game.sides.keys()]} />
      <div class="acts">
        <button
          type="button"
          class="act"
          onClick={() => {
            view.pane.value = "analysis";
            view.tab.value = "report";
            void view.analyst.look();
          }}
        >
          {say("review")}
        </button>
        {(store.beside === null || store.beside.may.value.has("save")) && (
          <a class="act" href={`/api/tables/${encodeURIComponent(table.id)}/save`} download>
            {say("download")}
          </a>
        )}
        {store.beside !== null ? (
          <Again beside={store.beside} view={view} />
        ) : (
          <button
            type="button"
            class="act main"
            onClick={() =>
              void rematch(table).then(
                (id) => {
                  location.href = `/table/${encodeURIComponent(id)}`;
                },
                (error: unknown) =>
                  store.tell(String(error instanceof Error ? error.message : error), true),
              )
            }
          >
            {say("rematch")}
          </button>
        )}
      </div>
    </section>
  );
}

/** The offer of a rematch, or the link to it. */
function Again({ beside, view }: { beside: TableState; view: ViewState }) {
  const { store } = view,
    say = store.say.value,
    status = beside.status.value,
    side = beside.side(store.seat.value);
  if (status === null) return null;
  if (status.next !== null)
    return (
      <a class="act main" href={`/table/${encodeURIComponent(status.next)}`}>
        {say("nextGame")}
      </a>
    );
  const offered = status.offers.some((each) => each.kind === "rematch");
  if (side === null || offered || !beside.may.value.has("rematch")) return null;
  return (
    <button
      type="button"
      class="act main"
      onClick={() =>
        void beside
          .offer({ side, kind: "rematch" })
          .catch((error: unknown) =>
            store.tell(error instanceof Error ? error.message : String(error), true),
          )
      }
    >
      {say("rematch")}
    </button>
  );
}

/** After the end, the past can be seen from any seat. */
function Eyes({ view, sides }: { view: ViewState; sides: readonly string[] }) {
  const { store } = view,
    say = store.say.value,
    game = store.game.value;
  return (
    <select
      class="eyes"
      aria-label={say("look")}
      value={store.eyes.value ?? ""}
      onChange={(event) => {
        void store.see(event.currentTarget.value === "" ? null : event.currentTarget.value);
      }}
    >
      <option value="">
        {store.seat.value === null
          ? say("seenByAll")
          : say("seatOf", { who: game?.label("side", store.seat.value) ?? "" })}
      </option>
      {sides
        .filter((side) => side !== store.seat.value)
        .map((side) => (
          <option key={side} value={side}>
            {say("seatOf", { who: game?.label("side", side) ?? side })}
          </option>
        ))}
    </select>
  );
}

/** The winners in the position. The last line of the log has the details. */
function winnersOf(result: Record<string, Json> | null): string[] {
  const winner = result?.winner ?? result?.winners ?? null;
  return typeof winner === "string"
    ? [winner]
    : Array.isArray(winner)
      ? winner.filter((each) => typeof each === "string")
      : [];
}
