// Renders the plot of a game review: the expected result at each decision of each side, and the
// turning points. A click shows the position.

import type { Game } from "../game";
import type { Say } from "../i18n/say";
import { lead, percentage } from "../numbers";
import type { Judged, Part } from "../protocol.gen";
import {
  type Box,
  expectedValue,
  NUMBERED,
  nearest,
  type Point,
  scaleOf,
  turningPoints,
  waysOf,
} from "../review";
import type { ViewState } from "../viewState";

const WIDTH = 356,
  HEIGHT = 190,
  BOX: Box = { left: 36, right: WIDTH - 10, top: 12, bottom: HEIGHT - 20 },
  MARK = 2.4;

export function Plot({
  view,
  game,
  say,
  part,
  decisions,
}: {
  view: ViewState;
  game: Game;
  say: Say;
  part: Part;
  decisions: readonly Judged[];
}) {
  const shares = part.total === null,
    ways = waysOf(decisions, part.sides),
    scale = scaleOf(ways, part.choices, shares, BOX),
    turning = turningPoints(decisions),
    points = turning.slice(0, NUMBERED),
    frame = view.store.frame.value,
    title = part.total === null ? say("reviewChance") : say("reviewLead", { total: part.total });
  const clicked = (event: MouseEvent & { currentTarget: SVGSVGElement }): void => {
    const box = event.currentTarget.getBoundingClientRect(),
      x = ((event.clientX - box.left) / box.width) * WIDTH,
      found = nearest(decisions, 1 + (x - scale.x(1)) / (scale.x(2) - scale.x(1)));
    if (found !== null) view.showPast(found);
  };
  return (
    <figure class="review">
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the timeline goes to the same positions by keys */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}. ${say("turningN", { n: turning.length })}`}
        onClick={clicked}
      >
        {scale.values.map((value) => (
          <g key={value} class={value === (shares ? 0.5 : 0) ? "grid even" : "grid"}>
            <path d={`M${BOX.left} ${scale.y(value)}H${BOX.right}`} />
            <text x={BOX.left - 5} y={scale.y(value) + 3.5} text-anchor="end">
              {shares ? percentage(value) : lead(value, Number.isInteger(value) ? 0 : 1)}
            </text>
          </g>
        ))}
        {scale.choices.map((choice) => (
          <text key={choice} class="foot" x={scale.x(choice)} y={HEIGHT - 6} text-anchor="middle">
            {choice}
          </text>
        ))}
        {frame !== null && (
          <path class="now" d={`M${scale.x(frame + 1)} ${BOX.top}V${BOX.bottom}`} />
        )}
        {ways.map((way, i) => (
          <g
            key={part.sides[i]}
            class="way-of"
            style={{ "--side": game.colours(part.sides[i]!).colour }}
          >
            <polyline
              points={way
                .map((each) => `${round(scale.x(each.choice))},${round(scale.y(each.value))}`)
                .join(" ")}
            />
            <path
              d={way.map((each) => mark(i, scale.x(each.choice), scale.y(each.value))).join("")}
            />
          </g>
        ))}
        {
          points
            .map((each, i) => (
              <Ring
                key={each.choice}
                judged={each}
                number={i + 1}
                view={view}
                at={{ choice: scale.x(each.choice), value: scale.y(expectedValue(each) ?? 0) }}
              />
            ))
            .reverse() /* the worst lies on top */
        }
      </svg>
      <ul class="sides-of">
        {part.sides.map((side, i) => (
          <li key={side} class="way-of" style={{ "--side": game.colours(side).colour }}>
            <svg viewBox="0 0 22 12" width="22" height="12" aria-hidden="true">
              <polyline points="0,6 22,6" />
              <path d={mark(i, 11, 6, 4)} />
            </svg>
            {game.label("side", side)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** A turning point. `at`: its position in the plot. */
function Ring({
  judged,
  number,
  view,
  at,
}: {
  judged: Judged;
  number: number;
  view: ViewState;
  at: Point;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list of turning points has a button for each
    <g
      class={view.analyst.shown.value === judged ? "turn-ring shown" : "turn-ring"}
      onClick={(event) => {
        event.stopPropagation();
        view.showPast(judged);
      }}
    >
      <circle cx={at.choice} cy={at.value} r={7.5} />
      <text x={at.choice} y={at.value + 3.2} text-anchor="middle">
        {number}
      </text>
    </g>
  );
}

const round = (n: number): number => Math.round(n * 10) / 10;

/**
 * The mark of the n-th side around a point: a disc, a square, a triangle, in turn. It can be distinguished
 * without its colour.
 */
function mark(n: number, x: number, y: number, size = MARK): string {
  const r = round(size),
    [cx, cy] = [round(x), round(y)];
  if (n % 3 === 0)
    return `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  return n % 3 === 1
    ? `M${cx - r} ${cy - r}h${2 * r}v${2 * r}h${-2 * r}z`
    : `M${cx} ${cy - r}l${r} ${2 * r}h${-2 * r}z`;
}
