// Renders the sides with score, points, roll, hand and pieces. A number opens its derivation.
import { useMemo } from "preact/hooks";
import { Emblem } from "../counters/Counter";
import { Standing } from "../counters/pile";
import type { Board, Game } from "../game";
import { Clock } from "../online/Clock";
import { Who } from "../online/Seating";
import type { Json, Track } from "../protocol.gen";
import { useViewState, type ViewState } from "../viewState";
import { Die } from "./Die";
import { Facts } from "./Header";

export function Seats() {
  const view = useViewState(),
    { store } = view,
    game = store.game.value,
    board = store.board.value,
    table = store.table.value;
  const standing = useMemo(() => board && new Standing(board), [board]);
  if (game === null || board === null || standing === null || table === null)
    return <div class="seats" />;
  return (
    <div class="seats">
      <div class="facts below">
        <Facts game={game} position={board.position} />
      </div>
      {[...game.sides.keys()].map((side) => (
        <SeatOf key={side} side={side} view={view} game={game} board={board} standing={standing} />
      ))}
    </div>
  );
}

/** The definition that a role of the drawing names. */
const named = (game: Game, role: string): string | null => {
  const name = ((game.sheet.look.seat ?? {}) as Record<string, Json>)[role];
  return typeof name === "string" ? name : null;
};

function SeatOf({
  side,
  view,
  game,
  board,
  standing,
}: {
  side: string;
  view: ViewState;
  game: Game;
  board: Board;
  standing: Standing;
}) {
  const { store } = view,
    say = store.say.value,
    position = board.position,
    values = position.seats[side] ?? {};
  const look = game.look(side, position);
  const active = store.frame.value === null && position.decides === side && !store.isOver.value,
    sits = store.table.value?.called[side] ?? "",
    sitting = store.beside?.sitting(side);
  const beside = game.sheet.tracks.filter((each) => each.seat),
    trackValue = (each: Track): Json | undefined =>
      (position.tracks[each.name] as Record<string, Json> | null | undefined)?.[side];
  const track = (role: string) => game.sheet.tracks.find((each) => each.name === named(game, role));
  const label = (role: string, or: string): string => {
    const unit = track(role)?.unit ?? null;
    return unit === null ? (track(role)?.label ?? or) : game.unit(unit);
  };
  return (
    <section
      class={active ? "seat active" : "seat"}
      style={{ "--side": game.colours(look).colour }}
      aria-label={game.label("side", side)}
    >
      <header>
        <Emblem game={game} side={look} size={24} />
        <h2>{game.label("side", side)}</h2>
        {store.beside === null && <small>{side === store.seat.value ? say("you") : sits}</small>}
        {position.initiative === side && <span class="init">{say("initiative")}</span>}
      </header>
      {sitting !== undefined && store.beside !== null && (
        <p class="sitter">
          <Who sitting={sitting} beside={store.beside} say={say} brief />
          <Clock side={side} store={store} />
        </p>
      )}
      <dl>
        <Value
          word={label("score", say("score"))}
          value={values.score}
          name={named(game, "score")}
          side={side}
          view={view}
          main
        />
        <Value
          word={label("points", say("points"))}
          value={values.points}
          name={named(game, "points")}
          side={side}
          view={view}
        />
        {values.roll != null && (
          <div>
            <dt>{say("roll")}</dt>
            <dd>
              <Die value={Number(values.roll)} />
            </dd>
          </div>
        )}
        {values.hand != null && (
          <div>
            <dt>{say("hand")}</dt>
            <dd>{String(values.hand)}</dd>
          </div>
        )}
        {beside.map((each) => (
          <Value
            key={each.name}
            word={each.label}
            value={trackValue(each)}
            name={each.name}
            side={side}
            view={view}
          />
        ))}
        {[...game.sides.keys()].some((each) => standing.of(each) > 0) && (
          <div>
            <dt>{say("pieces")}</dt>
            <dd>{standing.of(side)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Value({
  word,
  value,
  name,
  side,
  view,
  main = false,
}: {
  word: string;
  value: Json | undefined;
  name: string | null;
  side: string;
  view: ViewState;
  main?: boolean;
}) {
  if (value == null) return null;
  const open = async (element: HTMLElement): Promise<void> => {
    if (name === null) return;
    const beside = element.getBoundingClientRect();
    const kept =
      view.store.game.value?.sheet.tracks.some(
        (each) => each.name === name && each.what === "cell",
      ) ?? false;
    const made = kept
      ? view.store.say.value("noWorking")
      : await view.planner.explain(name, [side]);
    view.opened.value =
      typeof made === "string"
        ? { beside, derivation: null, text: made }
        : { beside, derivation: made, text: "" };
  };
  return (
    <div class={main ? "vp" : ""}>
      <dt>{word}</dt>
      <dd>
        {name === null || view.store.frame.value !== null ? (
          String(value)
        ) : (
          <button type="button" class="num" onClick={(event) => void open(event.currentTarget)}>
            {String(value)}
          </button>
        )}
      </dd>
    </div>
  );
}
