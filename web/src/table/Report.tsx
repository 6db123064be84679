// Renders the log: headings of turns and phases, a line for each event with its dice, and names
// that highlight on the map.
import { Fragment } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { CounterPicture } from "../counters/Counter";
import type { Game } from "../game";
import type { Say } from "../i18n/say";
import type { Line, Span } from "../protocol.gen";
import { useViewState, type ViewState } from "../viewState";
import { Die } from "./Die";
import { Icon } from "./Icon";
import { Cite, Linked } from "./Text";

/** A line with this many pieces shows counters, and names when it is opened. */
const MANY = 6;

export function Report() {
  const view = useViewState(),
    { store } = view,
    game = store.game.value,
    say = store.say.value,
    box = useRef<HTMLDivElement>(null);
  const frame = store.frame.value,
    lines = store.lines.value,
    renewed = store.state.value?.renewed ?? null;
  const shown = useMemo(
    () =>
      withoutEmptyHeadings(frame === null ? lines : lines.filter((line) => line.choice <= frame)),
    [lines, frame],
  );
  // The newest line stays visible until the reader scrolls back, also if the height of the box
  // changes.
  const first = useMemo(() => firstOfChoices(shown), [shown]);
  const atEnd = useRef(true),
    last = useRef(0);
  const follow = () => {
    const at = box.current;
    if (at !== null && (atEnd.current || frame !== null)) at.scrollTop = at.scrollHeight;
  };
  useEffect(follow, [shown]);
  useEffect(() => {
    const at = box.current;
    if (at === null) return;
    const watch = new ResizeObserver(follow);
    watch.observe(at);
    return () => watch.disconnect();
  }, [game === null, frame]);
  if (game === null) return null;
  return (
    <div
      class="lines"
      role="log"
      aria-live="polite"
      aria-label={say("report")}
      tabIndex={0}
      ref={box}
      onScroll={() => {
        const at = box.current;
        if (at === null) return;
        if (at.scrollHeight - at.scrollTop - at.clientHeight < 40) atEnd.current = true;
        else if (at.scrollTop < last.current) atEnd.current = false;
        last.current = at.scrollTop;
      }}
    >
      {shown.length === 0 && <p class="hint">{say("noReport")}</p>}
      {shown.map((line, i) => (
        <Fragment key={`${line.event} ${line.name}`}>
          {renewed !== null && line.choice > renewed && (shown[i - 1]?.choice ?? 0) <= renewed && (
            <Anew say={say} />
          )}
          <ReportLine line={line} forced={line.forced && first.has(line)} game={game} view={view} />
        </Fragment>
      ))}
      {renewed !== null && frame === null && (shown.at(-1)?.choice ?? 0) <= renewed && (
        <Anew say={say} />
      )}
    </div>
  );
}

/** From here on dice and draws are new. */
function Anew({ say }: { say: Say }) {
  return (
    <p class="anew">
      <Icon name="undo" /> {say("anewFromHere")}
    </p>
  );
}

/** The first line of each choice. */
function firstOfChoices(lines: readonly Line[]): Set<Line> {
  const out = new Set<Line>();
  let choice = -1;
  for (const line of lines) {
    if (line.level > 0 || line.choice === choice) continue;
    choice = line.choice;
    out.add(line);
  }
  return out;
}

/** Leave out headings of phases without events. */
function withoutEmptyHeadings(lines: readonly Line[]): Line[] {
  return lines.filter((line, i) => line.level !== 2 || (lines[i + 1]?.level ?? 0) === 0);
}

/** `forced`: the first line of a choice that was the only one. */
function ReportLine({
  line,
  forced,
  game,
  view,
}: {
  line: Line;
  forced: boolean;
  game: Game;
  view: ViewState;
}) {
  const say = view.store.say.value;
  return useMemo(() => {
    if (line.level === 1)
      return (
        <h2 class="lv1">
          <Linked spans={trimmed(line.spans)} />
        </h2>
      );
    if (line.level > 1)
      return (
        <h3 class="lv2">
          <Linked spans={line.spans} />
        </h3>
      );
    return (
      <div
        class="line"
        style={
          line.side === null
            ? undefined
            : { "--side": game.colours(line.leads ?? line.side).colour }
        }
      >
        {line.dice.map((die, i) => (
          <Die key={i} value={die.value} cancelled={die.cancelled} />
        ))}
        <span class="said-line">
          <LineText spans={line.spans} game={game} />
        </span>
        <Cite refs={line.ref} quiet />
        {forced && (
          <span class="forced" title={say("forcedWhy")}>
            {say("forced")}
          </span>
        )}
        {line.choice > 0 && (
          <button
            type="button"
            class="then"
            title={say("seePosition")}
            aria-label={`${say("seePosition")}: ${line.choice}`}
            tabIndex={-1}
            onClick={() => void view.store.goTo(line.choice)}
          >
            ↺
          </button>
        )}
      </div>
    );
  }, [line, forced, game, say]);
}

/** A heading without the marks around it. */
function trimmed(spans: readonly Span[]): Span[] {
  return spans.map((span, i) =>
    typeof span !== "string"
      ? span
      : i === 0
        ? span.replace(/^[=\s]+/, "").replace(spans.length === 1 ? /[=\s]+$/ : /(?!)/, "")
        : i === spans.length - 1
          ? span.replace(/[=\s]+$/, "")
          : span,
  );
}

/** A text with many pieces shows them as counters, with their names behind. */
function LineText({ spans, game }: { spans: readonly Span[]; game: Game }) {
  const say = useViewState().store.say.value,
    pieces = spans.flatMap((span) =>
      typeof span === "string" || span.piece === undefined ? [] : [span.piece],
    );
  if (pieces.length < MANY) return <Linked spans={spans} />;
  const isPiece = (span: Span): boolean => typeof span !== "string" && span.piece !== undefined;
  const first = spans.findIndex(isPiece),
    last = spans.findLastIndex(isPiece);
  return (
    <>
      <Linked spans={spans.slice(0, first)} />
      <details class="many-named">
        <summary>
          <span class="unseen">{say("manyPieces", { n: pieces.length })}</span>
          {piled(pieces, game).map(({ id, many }) => (
            <CounterPicture key={id} game={game} id={id} size={26} many={many} sum={null} />
          ))}
        </summary>
        <Linked spans={spans.slice(first, last + 1)} />
      </details>
      <Linked spans={spans.slice(last + 1)} />
    </>
  );
}

/** Pieces grouped by picture. */
function piled(ids: readonly string[], game: Game): { id: string; many: number }[] {
  const out = new Map<string, { id: string; many: number }>();
  for (const id of ids) {
    const piece = game.pieces.get(id),
      key = piece === undefined || piece.front === null ? id : `${piece.owner} ${piece.glyph}`,
      known = out.get(key);
    if (known === undefined) out.set(key, { id, many: 1 });
    else known.many += 1;
  }
  return [...out.values()];
}
