// Renders the analysis: the best lines of the current decision or, after the game, its review with
// the turning points.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { runsOf, SECONDS } from "../analysis";
import { Emblem } from "../counters/Counter";
import type { Game } from "../game";
import { type Handle, handle } from "../handle";
import type { Say } from "../i18n/say";
import { lead, number, percentage, whole } from "../numbers";
import type { Analysis, BestLine, Chance, Choice, Judged } from "../protocol.gen";
import { expectedValue, turningPoints } from "../review";
import { useViewState, type ViewState } from "../viewState";
import { Icon } from "./Icon";
import { Plot } from "./Plot";

export function AnalysisPane() {
  const view = useViewState(),
    { store } = view,
    game = store.game.value,
    say = store.say.value;
  if (game === null) return null;
  return (
    <div class="lines analysis" role="group" tabIndex={0} aria-label={say("analysis")}>
      {store.isOver.value ? (
        <GameReview view={view} game={game} say={say} />
      ) : (
        <Present view={view} game={game} say={say} />
      )}
    </div>
  );
}

interface Props {
  view: ViewState;
  game: Game;
  say: Say;
}

// ------------------------------------------------------------------ the present decision
function Present({ view, game, say }: Props) {
  const { analyst } = view,
    found = analyst.found.value,
    seconds = analyst.thinking.value;
  if (!analyst.may.value) return <p class="hint">{say("nothingAsked")}</p>;
  const best = found?.lines[0]?.choices[0];
  return (
    <>
      <p class="hint">{say("analysisWhy")}</p>
      <div class="think">
        {SECONDS.map((each) => (
          <button
            type="button"
            key={each}
            class="act"
            disabled={seconds !== null}
            onClick={() => void analyst.think(each)}
          >
            {say("thinkFor", { n: each })}
          </button>
        ))}
        {seconds !== null && (
          <button type="button" class="act" onClick={() => analyst.stop()}>
            <Icon name="close" />
            {say("stop")}
          </button>
        )}
      </div>
      <p class="hint" role="status">
        {seconds !== null
          ? say("thinksFor", { n: seconds })
          : analyst.failed.value !== ""
            ? analyst.failed.value
            : found === null
              ? ""
              : best === undefined
                ? say("nothingFound")
                : `${say("bestIs", { what: best.label })} · ${say("visitsN", { n: whole(found.visits) })}`}
      </p>
      {found !== null && <Lines found={found} view={view} game={game} say={say} />}
    </>
  );
}

function Lines({ found, view, game, say }: Props & { found: Analysis }) {
  const chance = found.lines.find((line) => line.chance !== null)?.chance;
  return (
    <>
      <ol class="best-lines">
        {found.lines.map((line, i) => (
          <Line key={i} line={line} visits={found.visits} view={view} game={game} say={say} />
        ))}
      </ol>
      {found.lead !== null && found.total !== null && (
        <p class="hint">
          {say("leadNow", { total: found.total, lead: lead(found.lead) })}{" "}
          {say(found.horizon === null ? "leadEnd" : "leadStretch")}
        </p>
      )}
      {chance != null && (
        <p class="hint">
          {say(chance.of === "games" ? "chanceGames" : "chanceVisits", { n: whole(chance.number) })}
        </p>
      )}
    </>
  );
}

function Line({ line, visits, view, game, say }: Props & { line: BestLine; visits: number }) {
  const [first, ...later] = line.choices;
  if (first === undefined) return null;
  const share = visits > 0 ? line.first_visits / visits : 0,
    kept = view.analyst.line.value === line;
  return (
    <li>
      <Pointer
        things={[...game.onMap(first.things), ...landsAt(view, first)]}
        view={view}
        pressed={kept}
        act={() => {
          view.analyst.line.value = kept ? null : line;
          if (!kept) view.tab.value = "map";
        }}
      >
        {first.label}
      </Pointer>
      <p class="numbers-of">
        {line.visits === 0 ? (
          say("onlyChoice")
        ) : (
          <>
            <span class="bar" aria-hidden="true">
              <i style={{ width: `${100 * share}%` }} />
            </span>
            {[
              say("visitsOf", { n: percentage(share) }),
              ...(line.visits === line.first_visits
                ? []
                : [say("wholeLine", { n: whole(line.visits) })]),
              ...(line.lead === null ? [] : [say("leadOf", { lead: lead(line.lead) })]),
              ...(line.chance === null ? [] : [say("toWin", { share: chanceText(line.chance) })]),
            ].join(" · ")}
          </>
        )}
      </p>
      {later.length > 0 && (
        <details class="later">
          <summary>
            {say("thenLine")} {worded(later[0]!)}
            {later.length > 1 && " …"}
          </summary>
          {runsOf(later).map((run, i) => (
            <p key={i} style={{ "--side": game.colours(run.side).colour }}>
              <b>{game.label("side", run.side)}</b> {run.choices.map(worded).join("; ")}
            </p>
          ))}
        </details>
      )}
    </li>
  );
}

/** The places that a choice reaches without naming them. */
const landsAt = (view: ViewState, choice: Choice): Handle[] =>
  [...view.planner.landings.value].flatMap(([place, option]) =>
    option.key === choice.key ? [handle("place", place)] : [],
  );

/** A button that highlights its pieces and places while it is pointed at. */
function Pointer(props: {
  things: Handle[];
  view: ViewState;
  pressed?: boolean;
  act: () => void;
  children: ComponentChildren;
}) {
  const { things, view, pressed, act, children } = props;
  const light = (): void => view.pointAll(things),
    dark = (): void => view.pointAll([]);
  useEffect(() => dark, []);
  return (
    <button
      type="button"
      class="first-choice"
      aria-pressed={pressed}
      onMouseEnter={light}
      onMouseLeave={dark}
      onFocus={light}
      onBlur={dark}
      onClick={act}
    >
      {children}
    </button>
  );
}

// ------------------------------------------------------------------ a game that is over
function GameReview({ view, game, say }: Props) {
  const { analyst } = view,
    part = analyst.part.value,
    decisions = analyst.decisions.value,
    isReviewing = analyst.isReviewing.value,
    points = turningPoints(decisions),
    all = analyst.isWhole.value;
  useEffect(() => {
    analyst.seen(true);
    return () => analyst.seen(false);
  }, []);
  return (
    <>
      <h2 class="lv1">{say("review")}</h2>
      <p class="hint">{say("reviewHow")}</p>
      {!all && (
        <div class="think">
          {part !== null && (
            <progress max={part.choices} value={analyst.done.value} aria-label={say("review")} />
          )}
          {part !== null && (
            <span class="hint">
              {say("reviewDone", { n: analyst.done.value, all: part.choices })}
            </span>
          )}
          {isReviewing ? (
            <button type="button" class="act" onClick={() => analyst.stop()}>
              <Icon name="close" />
              {say("stop")}
            </button>
          ) : (
            <button type="button" class="act main" onClick={() => void analyst.look()}>
              {say(part === null ? "reviewLook" : "reviewOn")}
            </button>
          )}
        </div>
      )}
      <p class="hint" role="status">
        {analyst.failed.value !== ""
          ? analyst.failed.value
          : all
            ? say(points.length === 0 ? "noTurning" : "turningN", { n: points.length })
            : ""}
      </p>
      {part !== null && decisions.some((each) => expectedValue(each) !== null) && (
        <Plot view={view} game={game} say={say} part={part} decisions={decisions} />
      )}
      {part !== null && <Points view={view} game={game} say={say} points={points} all={all} />}
      {decisions.length > 0 && (
        <details class="all-decisions">
          <summary>{say("allDecisions", { n: decisions.length })}</summary>
          <ol>
            {decisions.map((each) => (
              <li key={each.choice} value={each.choice}>
                <Pointer
                  things={game.onMap(each.best.things)}
                  view={view}
                  act={() => view.showPast(each)}
                >
                  {game.label("side", each.side)}
                  {say("colon")}
                  {each.chosen.label}
                </Pointer>{" "}
                <small>{valueText(each)}</small>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function Points({ view, game, say, points, all }: Props & { points: Judged[]; all: boolean }) {
  return (
    <>
      <h3 class="lv2">{say("turningPoints")}</h3>
      {points.length === 0 && !all && <p class="hint">{say("notYet")}</p>}
      <ol class="turning">
        {points.map((each) => (
          <li
            key={each.choice}
            aria-current={view.analyst.shown.value === each}
            style={{ "--side": game.colours(each.side).colour }}
          >
            <Pointer
              things={game.onMap(each.chosen.things)}
              view={view}
              act={() => view.showPast(each)}
            >
              <Emblem game={game} side={each.side} size={18} />
              <span>
                {game.label("side", each.side)}, {each.choice}
                {say("colon")}
                {each.prompt}
              </span>
            </Pointer>
            <dl>
              <Pick
                word={say("chosen")}
                choice={each.chosen}
                lead={each.lead_chosen}
                view={view}
                game={game}
                say={say}
              />
              <Pick
                word={say("better")}
                choice={each.best}
                lead={each.lead}
                view={view}
                game={game}
                say={say}
              />
            </dl>
            <small>{say("worthLess", { loss: number(each.loss, 2) })}</small>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The actual or the better choice. Its things are highlighted. */
function Pick({
  word,
  choice,
  lead: expected,
  view,
  game,
  say,
}: Props & { word: string; choice: Choice; lead: number | null }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the map lights what the choice names, and its words name it too
    <div
      onMouseEnter={() => view.pointAll(game.onMap(choice.things))}
      onMouseLeave={() => view.pointAll([])}
    >
      <dt>{word}</dt>
      <dd>
        {choice.label}
        {expected !== null && <em> · {say("leadOf", { lead: lead(expected) })}</em>}
      </dd>
    </div>
  );
}

// ------------------------------------------------------------------ numbers and words
const worded = (choice: Choice): string =>
  choice.asked === "" ? choice.label : `${choice.label} (${choice.asked})`;
const valueText = (judged: Judged): string =>
  judged.lead !== null
    ? lead(judged.lead)
    : judged.chance !== null
      ? percentage(judged.chance.share)
      : "";

/** A chance, with its interval if it has one. */
function chanceText(chance: Chance): string {
  const { share, low, high } = chance;
  return low === null || high === null
    ? percentage(share)
    : `${percentage(share)}\u00a0(${number(100 * low, 0)}–${number(100 * high, 0)})`;
}
