// Renders what is left to spend: pips if the maximum is known, otherwise a number.
import type { Game } from "../game";
import type { Say } from "../i18n/say";
import type { MoveDraft } from "../moveDraft";
import type { Asked, Json, Position } from "../protocol.gen";

/** The number of pips that can be distinguished at a glance. */
const PIPS = 10;

/** The points of a phase that the drawing names, and their side (null if the phase has none). */
function given(
  game: Game,
  position: Position,
): { whole: number; left: number; unit: string | null; side: string | null } | null {
  const look = game.sheet.look.seat as Record<string, Json> | undefined,
    roles = look?.phase_points as Record<string, string> | undefined;
  if (roles === undefined) return null;
  const running = position.running.find((each) => each.name === roles.in);
  const field = (role: string) => running?.fields.find((each) => each.name === roles[role]);
  const whole = field("of"),
    left = field("left"),
    spent = field("spent");
  if (typeof whole?.value !== "number") return null;
  const rest =
    typeof left?.value === "number"
      ? left.value
      : typeof spent?.value === "number"
        ? whole.value - spent.value
        : null;
  const side = running?.fields
    .map((each) => each.value)
    .find((value): value is string => typeof value === "string" && game.sides.has(value));
  return rest === null || whole.value <= 0
    ? null
    : { whole: whole.value, left: rest, unit: whole.unit, side: side ?? null };
}

export function Budget({
  game,
  asked,
  position,
  plan,
  say,
}: {
  game: Game;
  asked: Asked;
  position: Position;
  plan: MoveDraft | null;
  say: Say;
}) {
  const phase = given(game, position);
  const cost =
    phase === null
      ? 0
      : (plan?.cost() ?? [])
          .filter((each) => each.unit === phase.unit)
          .reduce((sum, each) => sum + (each.amount ?? 0), 0);
  const others = asked.left.filter(
    (each) => each.amount !== null && (phase === null ? each.amount > 0 : each.unit !== phase.unit),
  );
  if (phase === null && others.length === 0) return null;
  const theirs =
    phase !== null && phase.side !== null && phase.side !== asked.player ? phase.side : null; // in a phase of another player
  const amount =
    phase === null
      ? ""
      : say("leftOf", { n: phase.left, all: phase.whole, unit: game.unit(phase.unit) });
  const text =
    theirs === null ? amount : say("leftTo", { who: game.label("side", theirs), what: amount });
  return (
    <div
      class="points"
      style={theirs === null ? undefined : { "--side": game.colours(theirs).colour }}
    >
      {phase !== null && phase.whole <= PIPS && (
        <span class="pips" aria-hidden="true">
          {Array.from({ length: phase.whole }, (_, i) => (
            <i key={i} class={i < phase.left - cost ? "full" : i < phase.left ? "price" : ""} />
          ))}
        </span>
      )}
      <small>
        {[
          text,
          ...others.map((each) => say("left", { n: `${each.amount} ${game.unit(each.unit)}` })),
        ]
          .filter((each) => each !== "")
          .join(" · ")}
      </small>
    </div>
  );
}
