// Renders the pane with the state of an online table: who is present, the clock rule, resigning,
// claiming a win, rule upgrades.
import { useSignal } from "@preact/signals";
import type { Say } from "../i18n/say";
import type { Moved } from "../protocol.gen";
import { useViewState } from "../viewState";
import { claim, moveRules, resign } from "./api";
import { ConfirmButton } from "./ConfirmButton";
import { ruleText } from "./clocks";
import { Said } from "./Form";
import { Seating } from "./Seating";
import { why } from "./session";
import type { TableState } from "./tableState";

export function TableStatusPane() {
  const { store } = useViewState(),
    beside = store.beside,
    status = beside?.status.value ?? null,
    say = store.say.value;
  if (beside === null || status === null) return null;
  const may = beside.may.value,
    side = beside.side(store.seat.value);
  return (
    <div class="table-status">
      <Seating />
      <section>
        <h2>{say("clock")}</h2>
        <p>
          {ruleText(status.clock.rule, say)}
          {status.clock.rule !== "none" &&
            ` · ${say(status.clock.late === "loses" ? "lateLoses" : "lateClaim")}`}
        </p>
        {may.has("claim") && side !== null && (
          <>
            <p>{say("mayClaim")}</p>
            <ConfirmButton
              word={say("claim")}
              sure={say("claimSure")}
              act={() => claim(status.id, side)}
            />
          </>
        )}
      </section>
      {may.has("resign") && side !== null && (
        <section>
          <h2>{say("giveUp")}</h2>
          <p class="hint">{say("resignHint")}</p>
          <ConfirmButton
            word={say("resign")}
            sure={say("resignSure")}
            act={() => resign(status.id, side)}
          />
        </section>
      )}
      {may.has("move") && <RuleUpgrade beside={beside} say={say} />}
    </div>
  );
}

/**
 * The table has the rules with which it began. Its owner may upgrade it to the current ones if its choices
 * replay.
 */
function RuleUpgrade({ beside, say }: { beside: TableState; say: Say }) {
  const found = useSignal<Moved | null>(null),
    wrong = useSignal("");
  const go = async (onlyTry: boolean): Promise<void> => {
    wrong.value = "";
    try {
      found.value = await moveRules(beside.id, onlyTry);
    } catch (error) {
      wrong.value = why(error);
    }
  };
  const it = found.value;
  return (
    <section>
      <h2>{say("newerRules")}</h2>
      <p class="hint">{say("newerHint")}</p>
      {(it === null || it.same || it.moved) && (
        <button type="button" class="act" onClick={() => void go(true)}>
          {say("compareRules")}
        </button>
      )}
      <Said
        said={
          wrong.value !== ""
            ? { text: wrong.value, bad: true }
            : it === null
              ? null
              : it.moved
                ? { text: say("rulesMoved"), bad: false }
                : it.same
                  ? { text: say("rulesSame"), bad: false }
                  : it.fits
                    ? { text: say("rulesFit"), bad: false }
                    : { text: say("rulesDiffer"), bad: true }
        }
      />
      {it?.difference != null && <p class="difference">{it.difference}</p>}
      {it?.fits && !it.same && !it.moved && (
        <button type="button" class="act main" onClick={() => void go(false)}>
          {say("moveRules")}
        </button>
      )}
    </section>
  );
}
