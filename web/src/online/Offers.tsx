// Renders the bar of open offers: accept or refuse those of the other side, withdraw your own.

import type { Proposal } from "../protocol.gen";
import { useViewState } from "../viewState";
import { reply } from "./api";
import { why } from "./session";
import { UndoPreview } from "./UndoPreview";

export function Offers() {
  const { store } = useViewState(),
    beside = store.beside,
    status = beside?.status.value ?? null,
    game = store.game.value,
    say = store.say.value;
  if (beside === null || status === null || game === null) return null;
  const own = new Set(status.seats.filter((each) => each.yours).map((each) => each.side)),
    side = beside.side(store.seat.value);
  const answer = (offer: Proposal, accept: boolean): void => {
    if (side !== null)
      void reply(status.id, offer.id, side, accept).catch((error: unknown) =>
        store.tell(why(error), true),
      );
  };
  const text = (offer: Proposal): string => {
    const who =
      status.seats.find((each) => each.side === offer.side)?.who ?? game.label("side", offer.side);
    if (own.has(offer.side))
      return say(offer.kind === "takeback" ? "askedBack" : "askedRematch", { n: offer.choice });
    return say(offer.kind === "takeback" ? "wishesBack" : "wishesRematch", {
      who,
      n: offer.choice,
      back: store.choice.value - offer.choice,
    });
  };
  return (
    <div class="offers" role="status">
      {status.offers.map((offer) => (
        <div key={offer.id} class="offer">
          <p>{text(offer)}</p>
          {own.has(offer.side) ? (
            <button type="button" class="act" onClick={() => answer(offer, false)}>
              {say("withdraw")}
            </button>
          ) : (
            side !== null && (
              <>
                <button type="button" class="act main" onClick={() => answer(offer, true)}>
                  {say("accept")}
                </button>
                <button type="button" class="act" onClick={() => answer(offer, false)}>
                  {say("refuse")}
                </button>
              </>
            )
          )}
          {offer.kind === "takeback" && <UndoPreview to={offer.choice} game={game} />}
          {offer.kind === "takeback" && (
            <button type="button" class="act quiet" onClick={() => void store.goTo(offer.choice)}>
              <span class="shown">{say("seeThen")}</span>
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
