// Renders the hand of the player (of a past position: of the observed side): cards, with playable
// ones in gold, and pools.
import type { Game } from "../game";
import { cardOf, handle } from "../handle";
import { handOf, hasHands } from "../moveBuilder";
import type { Face, Offered } from "../protocol.gen";
import { useViewState, type ViewState } from "../viewState";

export function Hand() {
  const view = useViewState(),
    { store, planner } = view,
    game = store.game.value,
    position = store.position.value,
    say = store.say.value,
    eyes = store.eyes.value,
    seat = eyes ?? store.seat.value;
  if (game === null || position === null || seat === null || !hasHands(game)) return null;
  const title = eyes === null ? say("yourHand") : say("handOf", { who: game.label("side", eyes) }),
    held = handOf(game, position.pools, seat),
    playable = planner.plan.value?.faces() ?? new Map<string, Offered[]>();
  const several = game.sheet.faces.some((face, _, all) =>
      all.some((other) => other !== face && other.card === face.card),
    ),
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

function CardInHand({
  card,
  game,
  view,
  playable,
}: {
  card: string;
  game: Game;
  view: ViewState;
  playable: ReadonlyMap<string, Offered[]>;
}) {
  const { sheet } = game,
    whole = cardOf(sheet.card_kind, card),
    label = game.called(sheet.card_kind ?? "", card),
    faces = sheet.faces.filter((face) => face.card === card);
  if (faces.length === 0)
    return (
      <article class="chit">
        <FaceOf label={label} card={whole} face={null} own view={view} gold={playable.has(whole)} />
      </article>
    );
  return (
    <article class="chit" aria-label={label}>
      {faces.map((face) => {
        const one = cardOf(sheet.face_kind, face.id),
          own = playable.has(one);
        return (
          <FaceOf
            key={face.id}
            label={face.label}
            card={own ? one : whole}
            face={face}
            own={own}
            view={view}
            gold={own || playable.has(whole)}
          />
        );
      })}
    </article>
  );
}

/**
 * `card`: the target of a click, the whole card if the decision asks for it instead of a face. `own`: the
 * click chooses exactly the displayed thing.
 */
interface FaceShown {
  label: string;
  card: string;
  face: Face | null;
  own: boolean;
  view: ViewState;
  gold: boolean;
}

function FaceOf({ label, card, face, own, view, gold }: FaceShown) {
  const { planner, store } = view,
    say = store.say.value,
    chosen = planner.plan.value?.clicks.picked.includes(handle("card", card)) ?? false;
  const title = face?.number == null ? label : label.replace(new RegExp(`^${face.number}\\s+`), "");
  const inner = (
    <>
      <h3>
        {face?.number != null && <b>{face.number}</b>}
        <span>{title}</span>
      </h3>
      {face !== null && face.text !== "" && <p>{face.text}</p>}
      {face?.moment_label != null && <small>{face.moment_label}</small>}
      {gold && own && <span class="play">{say("play")}</span>}
    </>
  );
  const look = `face${face?.gone ? " red" : ""}${gold ? " playable" : ""}${chosen ? " chosen" : ""}`;
  return gold ? (
    <button type="button" class={look} aria-pressed={chosen} onClick={() => planner.play(card)}>
      {inner}
    </button>
  ) : (
    <div class={look}>{inner}</div>
  );
}
