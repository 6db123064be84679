// Makes one's own hand, in the past that of whose eyes one sees by: cards with their faces, those that may be played now in gold; and the pools by size.
import type { Game } from "../game";
import { handOf, hasHands } from "../planner";
import { useView, type View } from "../view";
import type { Face, Offered } from "../wire";

export function Hand() {
  const view = useView(),
    { store, planner } = view,
    game = store.game.value,
    position = store.position.value,
    say = store.say.value,
    eyes = store.eyes.value,
    seat = eyes ?? store.seat.value;
  if (game === null || position === null || seat === null || !hasHands(game)) return null;
  const title = eyes === null ? say("yourHand") : say("handOf", { who: game.label(eyes) }),
    held = handOf(game, position.pools, seat),
    playable = planner.plan.value?.faces() ?? new Map<string, Offered[]>();
  const several = game.sheet.faces.some((face, _, all) => all.some((other) => other !== face && other.card === face.card)),
    many = held.length <= 2 ? "chits" : several ? "chits many" : "chits many single";
  return (
    <section class="hand" aria-label={title}>
      <h2>
        {title}
        {several && held.length > 0 && <small>{say("oneFace")}</small>}
      </h2>
      {held.length === 0 ? (
        <p class="hint">{say("emptyHand")}</p>
      ) : (
        <div class={many} role="group" aria-label={title} tabIndex={0}>
          {held.map((card) => (
            <CardInHand key={card} card={card} game={game} view={view} playable={playable} />
          ))}
        </div>
      )}
    </section>
  );
}

function CardInHand({ card, game, view, playable }: { card: string; game: Game; view: View; playable: ReadonlyMap<string, Offered[]> }) {
  const faces = game.sheet.faces.filter((face) => face.card === card);
  if (faces.length === 0)
    return (
      <article class="chit">
        <FaceOf id={card} handle={card} face={null} game={game} view={view} gold={playable.has(card)} />
      </article>
    );
  return (
    <article class="chit" aria-label={game.label(card)}>
      {faces.map((face) => (
        <FaceOf
          key={face.id}
          id={face.id}
          handle={playable.has(face.id) ? face.id : card}
          face={face}
          game={game}
          view={view}
          gold={playable.has(face.id) || playable.has(card)}
        />
      ))}
    </article>
  );
}

interface FaceShown {
  id: string;
  face: Face | null;
  game: Game;
  view: View;
  gold: boolean;
  handle: string; // what a click picks: the card where that is asked for, not what one of its faces does
}

function FaceOf({ id, face, game, view, gold, handle }: FaceShown) {
  const { planner, store } = view,
    say = store.say.value,
    label = face?.label ?? game.label(id),
    chosen = planner.plan.value?.clicks.picked.includes(handle) ?? false;
  const title = face?.number == null ? label : label.replace(new RegExp(`^${face.number}\\s+`), "");
  const inner = (
    <>
      <h3>
        {face?.number != null && <b>{face.number}</b>}
        <span>{title}</span>
      </h3>
      {face !== null && face.text !== "" && <p>{face.text}</p>}
      {face?.moment_label != null && <small>{face.moment_label}</small>}
      {gold && (face === null || handle === id) && <span class="play">{say("play")}</span>}
    </>
  );
  const look = `face${face?.gone ? " red" : ""}${gold ? " playable" : ""}${chosen ? " chosen" : ""}`;
  return gold ? (
    <button class={look} aria-pressed={chosen} onClick={() => planner.pick(handle)}>
      {inner}
    </button>
  ) : (
    <div class={look}>{inner}</div>
  );
}
