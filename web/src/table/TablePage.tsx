// Renders a table: creates the connection, the store and the view state, and lays out all parts of
// the page.
import { effect, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { highlightsOf, pointerHandlersOf } from "../highlights";
import { MapView } from "../map/MapView";
import { MoveBuilder } from "../moveBuilder";
import { Offers } from "../online/Offers";
import { sentAway, type TableState } from "../online/tableState";
import { WaitingRoomCard, WaitingRoomPrompt } from "../online/WaitingRoom";
import { language } from "../preferences";
import type { Socket } from "../socket";
import { Store } from "../store";
import { useViewState, ViewState, ViewStateProvider } from "../viewState";
import { OpenDerivation } from "./Derivation";
import { Dock } from "./Dock";
import { GameOver } from "./GameOver";
import { HandoverScreen, nextOf } from "./HandoverScreen";
import { Header } from "./Header";
import { Find, Help } from "./Help";
import { listen } from "./keyboard";
import { NotFound } from "./NotFound";
import { OddsCard } from "./OddsCard";
import { Panel } from "./Panel";
import { Prompt } from "./Prompt";
import { Cited } from "./Text";
import { Timeline } from "./Timeline";
import { WhyNot } from "./WhyNot";

export function TablePage({
  link,
  seat,
  beside = null,
}: {
  link: Socket;
  seat: string | null;
  beside?: TableState | null;
}) {
  const view = useMemo(() => {
    const store = new Store(link, seat, beside);
    return new ViewState(store, new MoveBuilder(store));
  }, [link]);
  useEffect(() => {
    view.store.open();
    let spoken = language.value;
    const stops = [
      listen(view),
      effect(() => {
        if (language.value !== spoken) {
          spoken = language.value;
          view.store.speak();
        }
      }),
      view.analyst.heed(),
      effect(() => openCard(view)),
      effect(() => entitle(view)),
    ];
    return () => {
      for (const stop of stops) stop();
      link.shut();
      beside?.shut();
    };
  }, [view]);
  return (
    <ViewStateProvider value={view}>
      <Frame />
    </ViewStateProvider>
  );
}

/** A window before a roll opens the card automatically. */
function openCard(view: ViewState): void {
  const asked = view.store.asked.value,
    odds = view.planner.odds.value;
  if (
    asked?.kind === "window" &&
    asked.options !== null &&
    asked.options.length > 1 &&
    odds?.ways.some((way) => way.results.length > 1 && way.workings.length > 0)
  )
    view.card.value = true;
  else if (odds === null) view.card.value = false;
}

/** The title of the window shows whether one has to decide. */
function entitle(view: ViewState): void {
  const { store } = view,
    game = store.game.value,
    say = store.say.value,
    asked = store.state.value?.decision,
    unread = store.beside?.unread.value ?? 0;
  if (game === null) return;
  const mine = asked?.options != null && (store.beside?.plays.value ?? true),
    state = store.waits.value
      ? say("beforeGame")
      : asked == null || store.isOver.value
        ? say("over")
        : game.label("side", asked.player);
  document.title = `${mine ? "● " : ""}${unread > 0 ? `(${unread}) ` : ""}${game.sheet.title} · ${state}`;
}

function Frame() {
  const view = useViewState(),
    { store } = view,
    game = store.game.value,
    board = store.board.value,
    say = store.say.value;
  if ((game === null || board === null) && store.health.value === "closed" && store.beside === null)
    return <NotFound why={store.closedWhy.value} />;
  if (game === null || board === null || !store.laid.value)
    return (
      <div class="empty-table">
        <Health />
        <p>{say("loading")}</p>
      </div>
    );
  const hands = useMemoHands(view),
    covered = nextOf(store) !== null && (store.table.value?.secrets ?? true);
  return (
    <>
      <div class="shell" data-tab={view.tab.value} inert={covered}>
        <a class="skip" href="#prompt">
          {say("skip")}
        </a>
        <Header />
        {store.frame.value !== null ? (
          <Prompt />
        ) : store.waits.value ? (
          <WaitingRoomPrompt />
        ) : store.isOver.value ? (
          <GameOver />
        ) : (
          <Prompt />
        )}
        <main
          class="board"
          aria-busy={store.sending.value || store.queued.value > 0 || view.planner.thinking.value}
        >
          <div class="map-host">
            <MapView
              game={game}
              board={board}
              marks={highlightsOf(view, game)}
              on={hands}
              lang={language.value}
            />
          </div>
          <OddsCard />
          {store.waits.value && view.tab.value === "map" && <WaitingRoomCard />}
          <Help />
          <Find />
        </main>
        <Offers />
        <Timeline />
        <Panel />
        <Dock />
        <WhyNot />
        <OpenDerivation />
        <Cited />
        <Notice />
      </div>
      <Health />
      <HandoverScreen />
    </>
  );
}

function useMemoHands(view: ViewState) {
  return useMemo(() => pointerHandlersOf(view), [view]);
}

/** A message about the result of a plan. */
function Notice() {
  const { store } = useViewState(),
    notice = store.notice.value;
  return (
    <div class="said" role="status" aria-live="polite">
      {notice !== null && <p class={notice.bad ? "bad" : ""}>{notice.text}</p>}
    </div>
  );
}

const CAME = "rulekit.came",
  SOON = 20_000;

/** True if this page has just reloaded. Then it does not try again. */
function cameAgain(): boolean {
  const last = Number(sessionStorage.getItem(CAME) ?? 0);
  sessionStorage.setItem(CAME, String(Date.now()));
  return Date.now() - last < SOON;
}

/** The bar that reports a lost connection, or a table that cannot continue. */
function Health() {
  const { store } = useViewState(),
    say = store.say.value,
    now = store.health.value,
    away = useSignal<"asking" | "signedOut" | "gone">("gone");
  useEffect(() => {
    if (now !== "closed" || store.beside === null) return;
    away.value = "asking";
    if (store.beside.leaving) return;
    void sentAway(store.beside.id).then((what) => {
      if (what === "again" && !cameAgain()) location.reload();
      else away.value = what === "signedOut" ? what : "gone";
    });
  }, [now]);
  if (now === "up" || now === "joining" || (now === "closed" && away.value === "asking"))
    return null;
  return (
    <div class="health" role="alert">
      {now === "lost" ? (
        <>
          {say("lost")}{" "}
          <button type="button" class="act" onClick={() => store.link.retry()}>
            {say("retry")}
          </button>
        </>
      ) : (
        <>
          {say("closed")}: {store.closedWhy.value}{" "}
          <a
            class="act"
            href={
              away.value === "signedOut" ? `/?to=${encodeURIComponent(location.pathname)}` : "/"
            }
          >
            {say(away.value === "signedOut" ? "signIn" : "toHall")}
          </a>
        </>
      )}
    </div>
  );
}
