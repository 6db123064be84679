// Renders a preview of an undo: the number of choices that would be undone, by whom, and their log
// lines.
import type { Game } from "../game";
import { Linked } from "../table/Text";
import { useViewState } from "../viewState";

export function UndoPreview({ to, game }: { to: number; game: Game }) {
  const { store } = useViewState(),
    say = store.say.value,
    deciders = store.deciders.value.slice(to),
    lines = store.lines.value.filter((line) => line.choice > to && line.level === 0);
  const counts = new Map<string, number>();
  for (const side of deciders) counts.set(side, (counts.get(side) ?? 0) + 1);
  const whose = [...counts]
    .map(([side, n]) => say("nOf", { n, who: game.label("side", side) }))
    .join(", ");
  return (
    <div class="goes">
      <p>
        <b>{say("wouldGo", { n: deciders.length })}</b>
        {whose !== "" && ` ${whose}.`} {say("diceAnew")}
      </p>
      {lines.length > 0 && (
        <ol aria-label={say("wouldGo", { n: deciders.length })} tabIndex={0}>
          {lines.map((line) => (
            <li key={`${line.event} ${line.name}`}>
              <Linked spans={line.spans} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
