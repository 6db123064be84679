// Renders the side panel: seats, hand, and tabs for report, forces, legend, list and analysis.
import { handle } from "../handle";
import { Chat } from "../online/Chat";
import { TableStatusPane } from "../online/TableStatusPane";
import { language } from "../preferences";
import { Forces } from "../sidebar/Forces";
import { Legend } from "../sidebar/Legend";
import { type Pane, useViewState } from "../viewState";
import { AnalysisPane } from "./Analysis";
import { Hand } from "./Hand";
import { ListView } from "./ListView";
import { Report } from "./Report";
import { SeatOptions } from "./SeatOptions";
import { Seats } from "./Seats";

const PANES: Pane[] = ["report", "forces", "legend", "list"],
  ANALYSIS: Pane[] = ["analysis"],
  BESIDE: Pane[] = ["chat", "tableStatus"];

export function Panel() {
  const view = useViewState(),
    say = view.store.say.value,
    panes = [
      ...PANES,
      ...(view.analyst.isOffered.value ? ANALYSIS : []),
      ...(view.store.beside === null ? [] : BESIDE),
    ],
    open = panes.includes(view.pane.value) ? view.pane.value : PANES[0]!,
    unread = open === "chat" ? 0 : (view.store.beside?.unread.value ?? 0);
  const turn = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    view.pane.value = panes[(panes.indexOf(open) + by + panes.length) % panes.length]!;
    document.getElementById(`tab-${view.pane.value}`)?.focus();
  };
  return (
    <aside class="panel" aria-label={say("panel")}>
      <Seats />
      <div class="on-phone">
        <SeatOptions />
      </div>
      <Hand />
      <section class="report">
        <div class="tabs" role="tablist" onKeyDown={turn}>
          {panes.map((pane) => (
            <button
              type="button"
              key={pane}
              id={`tab-${pane}`}
              role="tab"
              aria-selected={pane === open}
              aria-controls="pane"
              tabIndex={pane === open ? 0 : -1}
              onClick={() => {
                view.pane.value = pane;
              }}
            >
              {say(pane)}
              {pane === "chat" && unread > 0 && (
                <span class="unread">
                  {unread}
                  <span class="unseen"> {say("unreadN", { n: unread })}</span>
                </span>
              )}
            </button>
          ))}
        </div>
        <div class="pane" id="pane" role="tabpanel" aria-labelledby={`tab-${open}`}>
          <Inside pane={open} />
        </div>
      </section>
    </aside>
  );
}

function Inside({ pane }: { pane: Pane }) {
  const view = useViewState(),
    game = view.store.game.value,
    board = view.store.board.value;
  if (game === null || board === null) return null;
  if (pane === "report") return <Report />;
  if (pane === "list") return <ListView />;
  if (pane === "analysis") return <AnalysisPane />;
  if (pane === "chat") return <Chat />;
  return (
    <div class="lines" tabIndex={0}>
      {pane === "forces" ? (
        <Forces
          game={game}
          board={board}
          lang={language.value}
          hover={(id) => view.point(id === null ? null : handle("place", id))}
        />
      ) : pane === "tableStatus" ? (
        <TableStatusPane />
      ) : (
        <Legend game={game} lang={language.value} />
      )}
    </div>
  );
}
