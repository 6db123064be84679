// Renders the decision as a plain list of options, for screen readers and for checking.
import { useViewState } from "../viewState";
import { notesOf } from "./Prompt";
import { Cite, Linked, pointsText } from "./Text";

export function ListView() {
  const view = useViewState(),
    { store, planner } = view,
    game = store.game.value,
    plan = planner.plan.value,
    say = store.say.value;
  if (game === null) return null;
  if (plan === null)
    return (
      <div class="lines">
        <p class="hint">{say("nothingAsked")}</p>
      </div>
    );
  return (
    <div class="lines" role="group" tabIndex={0} aria-label={say("listOf")}>
      <h2 class="lv1">
        <Linked spans={plan.asked.spans} />
      </h2>
      <ol class="options">
        {plan.options.map((option) => {
          const cost = pointsText(game, option.cost),
            what = planner.consequences.value.get(option.key),
            notes = what === undefined ? [] : notesOf(what, game, store.seat.value, say);
          return (
            <li key={option.key}>
              <button
                type="button"
                disabled={store.sending.value}
                onClick={() => void planner.press(option)}
              >
                <span>{option.label}</span>
                {cost !== "" && <em>{cost}</em>}
              </button>
              {option.may_stop !== null &&
                option.ends_at !== null &&
                option.ends_at !== option.params.to && (
                  <small> → {game.label("place", option.ends_at)}</small>
                )}
              {notes.length > 0 && <small> {notes.join(" · ")}</small>}
              <Cite refs={option.ref} quiet />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
