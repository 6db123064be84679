// Renders the odds: the combat if there is one, the derivation of its numbers, the result of each
// roll, and the consequences of each option.

import { useSignal } from "@preact/signals";
import { CounterPicture } from "../counters/Counter";
import type { Game } from "../game";
import type { Say } from "../i18n/say";
import { type Bundle, bundles, bySide, columnsOf, printedValues, working } from "../odds";
import type { Derivation, Json, Position, Way } from "../protocol.gen";
import { useViewState, type ViewState } from "../viewState";
import { DerivationTree } from "./Derivation";
import { Die } from "./Die";
import { Icon } from "./Icon";
import { percent, signed } from "./Text";

const rolled = (way: Way): boolean => way.results.some((result) => result.rolls.length > 0);

/** The number of combinations of dice that are shown as faces. */
const FACES = 6;

export function OddsCard() {
  const view = useViewState(),
    { store, planner } = view,
    game = store.game.value,
    state = store.state.value,
    say = store.say.value;
  const picked = useSignal<string | null>(null);
  const ways = planner.odds.value?.ways ?? [];
  if (
    !view.card.value ||
    game === null ||
    state === null ||
    store.frame.value !== null ||
    ways.length === 0
  )
    return null;
  const standing = ways.find((way) => way.key === "pass") ?? ways.find(rolled) ?? ways[0]!;
  const way =
    ways.find((each) => each.key === picked.value) ??
    (rolled(standing) ? standing : (ways.find(rolled) ?? standing));
  const fight = fightOf(game, state.position);
  const others = ways.filter((each) => each !== way && rolled(each));
  return (
    <section
      class={isLeft(fight?.at ?? null) ? "card right" : "card"}
      role="dialog"
      aria-label={say("odds")}
    >
      <header>
        <div>
          <small>{fight?.title ?? say("odds")}</small>
          <h2>{fight?.place ?? way.label}</h2>
        </div>
        <button
          type="button"
          class="close"
          aria-label={say("close")}
          onClick={() => {
            view.card.value = false;
          }}
        >
          <Icon name="close" />
        </button>
      </header>
      {fight !== null && <Versus way={way} fight={fight} game={game} />}
      <ColumnStrip way={way} game={game} />
      <Sums way={way} game={game} say={say} />
      <div class="odds">
        <h3>{way.key === "pass" ? say("asItStands") : `${say("ifYou")}: ${way.label}`}</h3>
        {!rolled(way) && <p class="hint">{say("noRoll")}</p>}
        <Shares way={way} game={game} />
        {others.map((each) => (
          <button
            type="button"
            key={each.key}
            class="iffed"
            onClick={() => {
              picked.value = each.key;
            }}
          >
            <span>
              {each.key === "pass" ? (
                say("asItStands")
              ) : (
                <>
                  {say("ifYou")} <b>{each.label}</b>
                </>
              )}
            </span>
            <Shares way={each} game={game} thin />
          </button>
        ))}
        {rolled(way) && <Results way={way} game={game} say={say} view={view} />}
        <Turns way={way} say={say} game={game} />
        {!way.complete && <p class="hint">{say("notAllRolls")}</p>}
        {way.hidden && <p class="hint">{say("hangsOnSecret")}</p>}
        <Workings way={way} game={game} say={say} />
      </div>
    </section>
  );
}

/** True if a place is in the left half of the board. The card is then in the right one. */
function isLeft(place: string | null): boolean {
  const at =
      place === null
        ? null
        : document
            .querySelector(`.board .place[data-place="${CSS.escape(place)}"]`)
            ?.getBoundingClientRect(),
    board = document.querySelector(".board")?.getBoundingClientRect();
  return at != null && board !== undefined && at.left + at.width / 2 < board.left + board.width / 2;
}

interface Fight {
  title: string;
  at: string | null;
  place: string;
  sides: { side: string; role: string }[];
}

/** The current fight, by the parts that the drawing names. */
function fightOf(game: Game, position: Position): Fight | null {
  const look = (game.sheet.look.combat ?? {}) as Record<string, string>,
    running = position.running.find((each) => each.name === look.while);
  if (running === undefined) return null;
  const field = (role: string) => running.fields.find((each) => each.name === look[role]);
  const sides = ["attacker", "defender"].flatMap((role) => {
    const found = field(role);
    return typeof found?.value === "string" ? [{ side: found.value, role: found.label }] : [];
  });
  const place = field("at")?.value;
  return {
    title: running.label,
    at: typeof place === "string" ? place : null,
    place: typeof place === "string" ? game.label("place", place) : running.label,
    sides,
  };
}

function Versus({ way, fight, game }: { way: Way; fight: Fight; game: Game }) {
  const look = (game.sheet.look.combat ?? {}) as Record<string, Json>,
    strengths = working(way, look.strength);
  const of = (side: string) =>
    strengths.find((each) => Object.values(each.arguments).includes(side));
  const ratio = way.workings.find((each) => Array.isArray(each.data.ratio));
  const column = columnsOf(way, game);
  const [first, second] = fight.sides;
  if (first === undefined || second === undefined) return null;
  return (
    <div class="versus">
      {[first, second].map(({ side, role }, i) => (
        <Strength key={side} game={game} side={side} role={role} made={of(side)} right={i === 1} />
      ))}
      <span class="ratio">{column?.names[column.now] ?? ratio?.shown ?? "–"}</span>
    </div>
  );
}

function Strength({
  game,
  side,
  role,
  made,
  right,
}: {
  game: Game;
  side: string;
  role: string;
  made: Derivation | undefined;
  right: boolean;
}) {
  const view = useViewState();
  return (
    <div class={right ? "right" : ""} style={{ "--side": game.colours(side).colour }}>
      <small>
        {game.label("side", side)} · {role}
      </small>
      {made === undefined ? (
        <b>–</b>
      ) : (
        <button
          type="button"
          class="num"
          onClick={(event) => {
            view.opened.value = {
              beside: event.currentTarget.getBoundingClientRect(),
              derivation: made,
              text: "",
            };
          }}
        >
          {String(made.value)}
        </button>
      )}
    </div>
  );
}

function ColumnStrip({ way, game }: { way: Way; game: Game }) {
  const columns = columnsOf(way, game);
  if (columns === null) return null;
  const between = (i: number): boolean =>
    i > Math.min(columns.now, columns.base) && i < Math.max(columns.now, columns.base);
  return (
    <div
      class="columns"
      role="img"
      aria-label={columns.names[columns.now] ?? ""}
      style={{ gridTemplateColumns: `repeat(${columns.names.length}, 1fr)` }}
    >
      {columns.names.map((name, i) => (
        <span
          key={name}
          class={i === columns.now ? "now" : i === columns.base ? "base" : between(i) ? "mid" : ""}
        >
          {name}
        </span>
      ))}
    </div>
  );
}

/** The two lists of modifiers of a fight: of the column and of the die. */
function Sums({ way, game, say }: { way: Way; game: Game; say: Say }) {
  const look = (game.sheet.look.combat ?? {}) as Record<string, Json>;
  const lists = ["column", "die"].flatMap((role) => working(way, look[role]).slice(0, 1));
  if (lists.length === 0) return null;
  return (
    <div class="sums" role="group" aria-label={say("working")}>
      {lists.map((made) => (
        <section key={made.name}>
          <h3>
            {made.label} <b>{typeof made.value === "number" ? signed(made.value) : made.shown}</b>
          </h3>
          <DerivationTree made={made} head={false} />
        </section>
      ))}
    </div>
  );
}

function Shares({ way, game, thin = false }: { way: Way; game: Game; thin?: boolean }) {
  const sides = bySide(way, game);
  if (sides === null) return <YesNo way={way} game={game} thin={thin} />;
  return (
    <span
      class={thin ? "chance thin" : "chance"}
      role="img"
      aria-label={sides
        .map(({ side, chance }) => `${game.label("side", side)} ${percent(chance)}`)
        .join(", ")}
    >
      {sides.map(({ side, chance }) => (
        <span
          key={side}
          style={{
            width: `${(chance[0] * 100) / chance[1]}%`,
            background: game.colours(side).colour,
          }}
        >
          {percent(chance)}
          {!thin && ` ${game.label("side", side)}`}
        </span>
      ))}
    </span>
  );
}

/** For an outcome that is only yes or no: the chance of yes, with its dice. */
function YesNo({ way, game, thin }: { way: Way; game: Game; thin: boolean }) {
  const yes = way.splits.find((split) => split.value === true);
  if (yes === undefined) return null;
  return (
    <span class={thin ? "chance thin" : "chance"} role="img" aria-label={percent(yes.chance)}>
      <span
        style={{
          width: `${(yes.chance[0] * 100) / yes.chance[1]}%`,
          background: game.colours(way.results[0]?.rolls[0]?.who ?? null).colour,
        }}
      >
        {percent(yes.chance)}
      </span>
    </span>
  );
}

function Results({ way, game, say, view }: { way: Way; game: Game; say: Say; view: ViewState }) {
  const all = bundles(way.results),
    heads = printedValues(all[0]!.first, game).map((each) => each.label),
    winner = bySide(way, game) !== null;
  return (
    <table>
      <thead>
        <tr>
          <th>{say("byDie")}</th>
          <th>{say("chance")}</th>
          {heads.length > 0 ? (
            heads.map((head) => <th key={head}>{head}</th>)
          ) : (
            <th>{say("result")}</th>
          )}
          <td />
        </tr>
      </thead>
      <tbody>
        {all.map((bundle, i) => (
          <tr key={i}>
            <td class="dice">
              <Dice bundle={bundle} />
            </td>
            <td class="n">{percent(bundle.chance)}</td>
            {heads.length > 0 ? (
              printedValues(bundle.first, game).map((each, j) => (
                <td key={j}>
                  {each.share !== null && (
                    <span class="bar">
                      <i style={{ width: `${each.share * 100}%` }} />
                    </span>
                  )}
                  <em>{each.text}</em>
                </td>
              ))
            ) : (
              <td>{outcomeText(bundle, say)}</td>
            )}
            <td class="w">
              {winner && <Winner bundle={bundle} game={game} />}
              <Changed bundle={bundle} game={game} view={view} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The text of a result: the last line of its log. */
function outcomeText(bundle: Bundle, say: Say): string {
  const line =
    bundle.lines.at(-1) ??
    (bundle.first.changes.length > 0 || bundle.rolls.length === 1
      ? bundle.first.lines.at(-1)
      : undefined);
  return (
    line ??
    (bundle.first.end === "draw"
      ? say("drawNext")
      : bundle.first.end === "roll"
        ? say("rollNext")
        : say("nothingChanges"))
  );
}

function Dice({ bundle }: { bundle: Bundle }) {
  if (bundle.rolls.length > FACES) return <span class="hint">{bundle.rolls.length} ×</span>;
  return (
    <>
      {bundle.rolls.map((roll, i) => (
        <span key={i} class="roll">
          {roll.map((value, j) => (
            <Die key={j} value={value} />
          ))}
        </span>
      ))}
    </>
  );
}

function Winner({ bundle, game }: { bundle: Bundle; game: Game }) {
  const side = Object.values(bundle.first.outcome?.params ?? {})
    .filter((value): value is string => typeof value === "string" && game.sides.has(value))
    .at(-1);
  return side === undefined ? null : (
    <i title={game.label("side", side)} style={{ background: game.colours(side).colour }}>
      <span class="unseen">{game.label("side", side)}</span>
    </i>
  );
}

/** The pieces that a result weakens or removes. */
function Changed({ bundle, game, view }: { bundle: Bundle; game: Game; view: ViewState }) {
  const places = new Set(game.sheet.pieces.map((each) => each.place)),
    weak = new Set(game.sheet.pieces.map((each) => each.reduced));
  const hurt = bundle.first.changes.filter(
    (each) =>
      game.pieces.has(each.of) &&
      ((places.has(each.cell) && each.after === null && each.before !== null) ||
        (weak.has(each.cell) && each.after === true)),
  );
  const say = view.store.say.value;
  return (
    <>
      {hurt.slice(0, 4).map((each) => (
        <span
          key={each.of}
          title={`${game.label("piece", each.of)}: ${say(each.after === null ? "lost2" : "weakened")}`}
          class={each.after === null ? "gone" : ""}
        >
          <CounterPicture game={game} id={each.of} size={20} reduced={each.after === true} />
        </span>
      ))}
    </>
  );
}

/** The useful repetitions of a roll: the necessary numbers, and their chances. */
function Turns({ way, say, game }: { way: Way; say: Say; game: Game }) {
  if (way.turns.length === 0) return null;
  return (
    <p class="turns-odds">
      <b>{say("reRoll")}:</b>{" "}
      {way.turns.map((turn, i) => (
        <span key={i}>
          {typeof turn.value === "string"
            ? game.label("side", turn.value)
            : say(turn.value === true ? "yes" : "no")}
          : {say("needed", { rolls: turn.rolls.map((roll) => roll.join("+")).join(", ") })},{" "}
          {percent(turn.chance)}
        </span>
      ))}
    </p>
  );
}

/** All other numbers of the result, folded: a table with the cell that is read. */
function Workings({ way, game, say }: { way: Way; game: Game; say: Say }) {
  const look = (game.sheet.look.combat ?? {}) as Record<string, Json>,
    shown = new Set([look.column, look.die, look.strength]);
  const rest = way.workings.filter((each) => !shown.has(each.name));
  if (rest.length === 0) return null;
  return (
    <details class="workings">
      <summary>
        {say("working")} ({rest.length})
      </summary>
      {rest.map((made, i) => (
        <DerivationTree key={i} made={made} />
      ))}
    </details>
  );
}
