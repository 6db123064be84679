// Renders the prompt: the current decision, the move so far with its cost, the budget, buttons,
// undo and redo.

import { type Consequence, isHarm } from "../consequence";
import { CounterPicture, Emblem } from "../counters/Counter";
import type { Game } from "../game";
import { idsOf } from "../handle";
import type { Say } from "../i18n/say";
import type { MoveDraft, Need } from "../moveDraft";
import { isNumber, numberOf, piecesOf, purposeOf } from "../moveDraft";
import { UndoPreview } from "../online/UndoPreview";
import type { Offered } from "../protocol.gen";
import { useViewState, type ViewState } from "../viewState";
import { Budget } from "./Budget";
import { Icon } from "./Icon";
import { Cite, Linked, pointsText, saying, signed } from "./Text";

/** The number of buttons in the bar. The others are behind one more. */
const IN_BAR = 5;

export function Prompt() {
  const view = useViewState(),
    { store, planner } = view,
    game = store.game.value,
    state = store.state.value;
  if (game === null || state === null) return <section class="prompt" id="prompt" />;
  if (store.frame.value !== null) return <PastPrompt view={view} game={game} />;
  const asked = state.decision,
    seat = store.seat.value;
  if (asked === null) return null;
  const mine = asked.options !== null && asked.player === seat,
    say = store.say.value;
  const who = game.label("side", asked.player),
    look = game.look(asked.player, state.position),
    plan = planner.plan.value;
  const phase = state.position.running.findLast(
    (each) => each.word === "phase" && each.label !== "",
  )?.label; // the phase that contains the window
  const small = mine
    ? [phase, say("yourDecision"), who].filter(Boolean).join(" · ")
    : store.table.value?.yours.includes(asked.player)
      ? who
      : say("waitingFor", { who: personOf(view, asked.player) ?? who });
  return (
    <section
      class={mine ? "prompt mine" : "prompt"}
      id="prompt"
      tabIndex={-1}
      aria-label={say("yourDecision")}
      style={{ "--side": game.colours(look).colour }}
    >
      <div class="who">
        <Emblem game={game} side={look} size={34} />
        <div aria-live="polite">
          <small>{small}</small>
          <p>
            <Linked spans={asked.spans} /> <Cite refs={asked.ref} />
          </p>
        </div>
      </div>
      <div class="steps">
        {store.autoPass.value && <span class="hint">{say("autoPass")}</span>}
        {planner.hint.value !== null && (
          <span class="hint advice" role="status">
            {planner.hint.value.key === null
              ? say("noHint", { by: planner.hint.value.by })
              : say("hintIs", { by: planner.hint.value.by })}{" "}
            <b>{planner.hint.value.label}</b>
            {planner.hint.value.then.length > 0 && (
              <span title={planner.hint.value.then.join("\n")}>
                {say("hintThen", { what: planner.hint.value.then[0] ?? "" })}
                {planner.hint.value.then.length > 1 && " …"}
              </span>
            )}
          </span>
        )}
        {plan !== null && <Steps plan={plan} game={game} say={say} view={view} />}
      </div>
      <Budget game={game} asked={asked} position={state.position} plan={plan} say={say} />
      <div class="acts">
        {plan !== null && <Ways plan={plan} view={view} />}
        {plan !== null && <Choices view={view} game={game} />}
        {plan !== null &&
          asked.kind === "window" &&
          plan.options.some((option) => option.key === "pass") &&
          !store.autoPass.value && (
            <button
              type="button"
              class="act quiet"
              title={say("toTheEndHint")}
              disabled={store.sending.value}
              onClick={() => void store.passUntilPhaseEnds()}
            >
              <span class="shown">{say("toTheEnd")}</span>
            </button>
          )}
        {plan !== null &&
          asked.kind === "window" &&
          plan.options.length === 1 &&
          !store.wishes.value.pass_alone && (
            <button
              type="button"
              class="act quiet"
              title={say("passAlone")}
              onClick={() => store.wish("pass_alone", true)}
            >
              <span class="shown">{say("always")}</span>
            </button>
          )}
        {store.autoPass.value && (
          <button
            type="button"
            class="act"
            title={say("autoPass")}
            onClick={() => void store.stopPassing()}
          >
            <span>{say("passNoMore")}</span>
          </button>
        )}
        {!mine && seat !== null && store.table.value?.seats[asked.player]?.startsWith("search") && (
          <button
            type="button"
            class="act quiet"
            title={say("moveNowWhy", { who })}
            onClick={() => store.moveNow()}
          >
            <span class="shown">{say("moveNow")}</span>
          </button>
        )}
        {planner.resumable.value && (
          <button
            type="button"
            class="act main"
            disabled={store.sending.value}
            onClick={() => void planner.resume()}
          >
            {say("resume")}
            <kbd>↵</kbd>
          </button>
        )}
        {plan !== null && plan.keys() !== null && <Confirm plan={plan} view={view} game={game} />}
        {planner.odds.value?.ways.some((way) => way.results.length > 1) && (
          <button
            type="button"
            class="act"
            aria-pressed={view.card.value}
            onClick={() => {
              view.card.value = !view.card.value;
            }}
          >
            <Icon name="die" />
            <span class="wide">{say("odds")}</span>
            <kbd>O</kbd>
          </button>
        )}
        {plan !== null && store.table.value?.hints && plan.options.length > 1 && (
          <button
            type="button"
            class="act quiet"
            title={say("hintWhy")}
            onClick={() => void planner.advise()}
          >
            <Icon name="help" />
            <span class="wide">{say("hint")}</span>
          </button>
        )}
        {seat !== null && <Takeback view={view} />}
      </div>
    </section>
  );
}

function PastPrompt({ view, game }: { view: ViewState; game: Game }) {
  const { store } = view,
    say = store.say.value,
    frame = store.frame.value ?? 0,
    shown = view.analyst.shown.value,
    then = shown?.choice === frame + 1 ? shown : null, // the decision at this position, if a continuation is shown
    who = then?.side ?? store.deciders.value[frame - 1],
    mayAsk = store.beside?.may.value.has("takeback") === true && frame < store.choice.value;
  return (
    <section
      class="prompt past"
      id="prompt"
      tabIndex={-1}
      aria-label={say("slider")}
      style={{ "--side": game.colours(who ?? null).colour }}
    >
      <div class="who">
        {who !== undefined && <Emblem game={game} side={who} size={34} />}
        <div aria-live="polite">
          <small>
            {say(then === null ? "decisionNumber" : "beforeNumber", {
              n: then?.choice ?? frame,
              all: store.choice.value,
            })}
          </small>
          <p>
            {who === undefined
              ? say("beginning")
              : then === null
                ? say("decided", { who: game.label("side", who) })
                : `${game.label("side", who)}${say("colon")}${then.prompt}`}
          </p>
        </div>
      </div>
      <div class="steps">
        {then !== null && (
          <span class="hint advice">
            {say("chosen")}
            {say("colon")}
            <b>{then.chosen.label}</b>
            {then.turning && (
              <>
                {" · "}
                {say("better")}
                {say("colon")}
                <b>{then.best.label}</b>
              </>
            )}
          </span>
        )}
      </div>
      {mayAsk && (
        <div class="how-far">
          <p class="hint">{say("chooseBack")}</p>
          <UndoPreview to={frame} game={game} />
        </div>
      )}
      <div class="acts">
        {mayAsk && (
          <button type="button" class="act" onClick={() => askBack(view, frame)}>
            {say("askBackHere")}
          </button>
        )}
        <button type="button" class="act main" onClick={() => store.live()}>
          {say("backToNow")}
        </button>
      </div>
    </section>
  );
}

const NEEDS: Record<Need, Parameters<Say>[0] | null> = {
  nothing: null,
  pieces: "pickPieces",
  more: "pickMore",
  place: "pickPlace",
  which: "pickWhich",
  piecesOrPlace: "morePieces",
  forecast: "thinking",
  confirm: null,
};

/** The plan so far: counters, the path, its cost. Without one, the purpose of the next click. */
function Steps({
  plan,
  game,
  say,
  view,
}: {
  plan: MoveDraft;
  game: Game;
  say: Say;
  view: ViewState;
}) {
  const board = view.store.board.value,
    reach = plan.aimed(),
    picked = plan.clicks.picked,
    word = NEEDS[plan.need()];
  const pieces = idsOf(picked, "piece"),
    decided = plan.decided(),
    places = decided === null ? idsOf(picked, "place") : [];
  const way = reach === null ? [] : [plan.origin(), ...reach.way].filter((place) => place !== null);
  const cost = pointsText(game, plan.cost()),
    left = reach?.left;
  const refused = plan.ahead?.stopped_by === "key" && plan.isMove;
  return (
    <>
      {pieces.length > 0 && (
        <span class="group">
          {pieces.slice(0, 8).map((id) => (
            <CounterPicture
              key={id}
              game={game}
              id={id}
              size={32}
              reduced={board?.reduced.has(id) ?? false}
            />
          ))}
          {pieces.length > 8 && <b class="many-more">+{pieces.length - 8}</b>}
        </span>
      )}
      {decided !== null && (
        <b class="goal">
          <Linked spans={decided.spans} />
        </b>
      )}
      {places.map((id) => (
        <b key={id} class="goal">
          {game.label("place", id)}
        </b>
      ))}
      {way.length > 1 && (
        <span class="way">
          {way.map((place, i) => (
            <span key={place}>
              {i > 0 && <i>›</i>}
              <b title={game.label("place", place)}>{game.places.get(place)?.short ?? place}</b>
            </span>
          ))}
        </span>
      )}
      {cost !== "" && (picked.length > 0 || reach !== null) && (
        <span class="price">
          {cost}
          {left?.amount != null &&
            ` · ${say("left", { n: `${left.amount} ${game.unit(left.unit)}` })}`}
        </span>
      )}
      {refused && picked.length > 0 ? (
        <span class="hint bad">{say("refused", { why: say("noReason") })}</span>
      ) : (
        word !== null && <span class="hint">{say(word)}</span>
      )}
      {reach?.stopped_by != null && reach.sure < reach.keys.length && (
        <span class="hint" title={reach.stopped_by}>
          {reach.stopped_by === "window" ? "⚑" : "⚄"}
        </span>
      )}
    </>
  );
}

function costOf(game: Game, plan: MoveDraft) {
  const text = pointsText(game, plan.cost());
  return text === "" ? null : <em>{text}</em>;
}

const MOST_WAYS = 8;

/** If several paths lead to a move: their choice, unless each is a highlighted place. */
function Ways({ plan, view }: { plan: MoveDraft; view: ViewState }) {
  const ways = plan.goals().size > 0 ? [] : plan.ways();
  return (
    <>
      {ways.slice(0, MOST_WAYS).map((way) => (
        <button type="button" key={way.join()} class="act" onClick={() => view.planner.by(way)}>
          {way
            .map((key) => plan.ahead?.steps[key]?.label ?? key)
            .filter((word) => word !== "")
            .join(" › ")}
        </button>
      ))}
    </>
  );
}

function Choices({ view, game }: { view: ViewState; game: Game }) {
  const { planner } = view,
    all = planner.buttons.value,
    say = view.store.say.value;
  const withPurpose = all.filter((option) => isNumber(option) && purposeOf(option) !== null),
    purposes = new Set(withPurpose.map((option) => purposeOf(option)!)),
    numbers = withPurpose.filter(
      (option) =>
        purposes.size === 1 ||
        withPurpose.some((other) => other !== option && purposeOf(other) === purposeOf(option)),
    ),
    others = all.filter((option) => !numbers.includes(option));
  const bar = others.length > IN_BAR ? others.slice(0, IN_BAR - 1) : others,
    rest = others.slice(bar.length);
  const hint = (option: Offered): number => all.indexOf(option) + 1;
  return (
    <>
      {[...new Set(numbers.map((option) => purposeOf(option)!))].map((purpose) => (
        <span key={purpose} class="numbers" role="group" aria-label={purpose || undefined}>
          {purpose !== "" && <small>{purpose}</small>}
          {numbers
            .filter((option) => purposeOf(option) === purpose)
            .map((option) => (
              <button
                type="button"
                key={option.key}
                class={planner.armed.value === option.key ? "number armed" : "number"}
                title={option.label}
                aria-label={option.label}
                onClick={() => void planner.press(option)}
              >
                {numberOf(option)}
              </button>
            ))}
        </span>
      ))}
      {bar.map((option) => (
        <Choice key={option.key} option={option} hint={hint(option)} view={view} game={game} />
      ))}
      {rest.length > 0 && (
        <details class="more">
          <summary class="act">
            {say("menu")} ({rest.length})
          </summary>
          <div class="more-list">
            {rest.map((option) => (
              <Choice
                key={option.key}
                option={option}
                hint={hint(option)}
                view={view}
                game={game}
              />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function Choice({
  option,
  hint,
  view,
  game,
}: {
  option: Offered;
  hint: number;
  view: ViewState;
  game: Game;
}) {
  const { planner, store } = view,
    say = store.say.value,
    what = planner.consequences.value.get(option.key);
  const said = planner.armed.value === option.key,
    harm = what !== undefined && isHarm(what, store.seat.value);
  const notes = what === undefined ? [] : notesOf(what, game, store.seat.value, say),
    cost = pointsText(game, option.cost);
  const board = store.board.value,
    coming = piecesOf(option).filter((id) => board !== null && !board.at.has(id));
  const cites = option.ref.map((ref) =>
      [`§ ${ref}`, saying(game.sheet.paragraphs, ref)].filter((each) => each !== null).join(": "),
    ),
    title = [...notes, ...cites].join(" · ");
  const played = planner.plan.value?.faces().size
    ? [...planner.plan.value.faces().values()].flat().includes(option)
    : false;
  return (
    <button
      type="button"
      class={`act${said ? " armed" : harm ? " harm" : ""}${played ? " main" : ""}`}
      title={title}
      disabled={store.sending.value}
      onClick={() => void planner.press(option)}
      data-key={option.key}
    >
      {coming.map((id) => (
        <CounterPicture
          key={id}
          game={game}
          id={id}
          size={26}
          reduced={board?.reduced.has(id) ?? false}
        />
      ))}
      {harm && <Icon name="warn" />}
      {!harm && what?.rolls && <Icon name="die" />}
      <span>
        {said ? say("confirmWith", { what: option.label }) : option.label}
        {harm && <small class="note">{notes.join(" · ")}</small>}
      </span>
      {cost !== "" && <em>{cost}</em>}
      {hint <= 9 && <kbd>{hint}</kbd>}
    </button>
  );
}

/** The button that executes the plan, with its certain losses and the piece that it leaves alone. */
function Confirm({ plan, view, game }: { plan: MoveDraft; view: ViewState; game: Game }) {
  const { planner, store } = view,
    say = store.say.value,
    seen = planner.preview.value,
    harm = planner.isHarmful();
  const notes = [
    ...(seen?.what != null && harm ? notesOf(seen.what, game, store.seat.value, say) : []),
    ...(seen?.what != null && seen.what.atRisk.length > 0
      ? [say("atRisk", { what: seen.what.atRisk.map((id) => game.label("piece", id)).join(", ") })]
      : []),
    ...(seen?.alone != null
      ? [
          say("leavesAlone", {
            what: game.label("piece", seen.alone),
            where: game.label("place", plan.origin() ?? ""),
          }),
        ]
      : []),
  ];
  return (
    <button
      type="button"
      class={harm ? "act main armed" : "act main"}
      disabled={store.sending.value || (harm && !planner.seen.value)}
      title={notes.join(" · ")}
      onClick={() => void planner.send()}
    >
      {notes.length > 0 && <Icon name="warn" />}
      <span>
        {say("confirm")}
        {notes.length > 0 && <small class="note">{notes.join(" · ")}</small>}
      </span>
      {costOf(game, plan)}
      <kbd>↵</kbd>
    </button>
  );
}

/** The certain effects of an option, in words. */
export function notesOf(what: Consequence, game: Game, seat: string | null, say: Say): string[] {
  const names = (ids: string[]): string =>
    ids.length > 3
      ? say("manyPieces", { n: ids.length })
      : ids.map((id) => game.label("piece", id)).join(", ");
  const own = seat === null ? 0 : (what.points[seat] ?? 0);
  return [
    ...(what.losses > what.lost.length
      ? [say("losesSome", { n: what.losses })]
      : what.lost.length > 0
        ? [say("loses", { what: names(what.lost) })]
        : []),
    ...(what.weakened.length > 0 ? [say("weakens", { what: names(what.weakened) })] : []),
    ...(own < 0
      ? [say("pointsDown", { n: signed(own) })]
      : own > 0
        ? [say("pointsUp", { n: own })]
        : []),
    ...Object.entries(what.points)
      .filter(([side, n]) => side !== seat && n !== 0)
      .map(([side, n]) => say("pointsTheirs", { who: game.label("side", side), n: signed(n) })),
    ...(what.rolls ? [say("rollsDie")] : []),
    ...(what.draws ? [say("drawsCard")] : []),
    ...(what.ends ? [say("endsGame")] : []),
  ];
}

/** Undo is always in the same spot: first for clicks, then for choices, as far as possible. */
function Takeback({ view }: { view: ViewState }) {
  const { store, planner } = view,
    say = store.say.value,
    reach = store.state.value?.position.undo ?? null,
    plan = planner.plan.value;
  const clicks = plan !== null && plan.back() !== null,
    may = clicks || (reach !== null && reach.steps > 0),
    asks = !may && store.lastOwn.value > 0 && (store.beside?.may.value.has("takeback") ?? false);
  const why = clicks
    ? say("undoPlan")
    : reach === null
      ? ""
      : reach.steps > 0
        ? say("undoLast")
        : [reach.text, ...(reach.ref.length > 0 ? [`§ ${reach.ref.join(", ")}`] : [])].join(" ");
  return (
    <>
      <button
        type="button"
        class="act quiet"
        aria-disabled={!may && !asks}
        title={asks ? say("askBackHint") : why}
        onClick={() => {
          if (may) takeBack(view);
          else if (asks) void store.goTo(store.lastOwn.value - 1);
          else if (why !== "") store.tell(why);
        }}
      >
        <Icon name="undo" />
        <span class={asks ? "shown" : ""}>{say(asks ? "askBack" : "undo")}</span>
        <kbd>U</kbd>
      </button>
      {store.redoable.value > 0 && (
        <button
          type="button"
          class="act quiet"
          title={say("redo")}
          aria-label={say("redo")}
          onClick={() => void store.redo()}
        >
          <Icon name="redo" />
        </button>
      )}
    </>
  );
}

/** Ask the other player to take back choices that cannot be undone alone, to a number of choices. */
function askBack(view: ViewState, choice: number): void {
  const { store } = view,
    side = store.beside?.side(store.seat.value) ?? null;
  if (store.beside === null || side === null) return;
  store.beside.offer({ side, kind: "takeback", choice }).then(
    () => store.live(),
    (error: unknown) => store.tell(error instanceof Error ? error.message : String(error), true),
  );
}

/** The name of the person who plays a side, with the side's. */
function personOf(view: ViewState, side: string): string | null {
  const who = view.store.beside?.sitting(side)?.who ?? null,
    label = view.store.game.value?.label("side", side) ?? side;
  return who === null ? null : `${label} (${who})`;
}

/** Undo one click, or else one choice. */
export function takeBack(view: ViewState): void {
  if (!view.planner.back()) void view.store.undo();
}
