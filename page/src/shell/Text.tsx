// Takes texts of the game; makes them with links that glow on the map, paragraphs, points and costs.
import type { Game } from "../game";
import { summed } from "../plan";
import { useView } from "../view";
import type { Points, Span } from "../wire";

/** A text. What it names glows on the map while it is pointed to, and stays so when it is clicked. */
export function Linked({ spans }: { spans: readonly Span[] }) {
  const view = useView();
  return (
    <>
      {spans.map((span, i) => {
        if (typeof span === "string") return span;
        const id = span.piece ?? span.place;
        if (id === undefined)
          return span.side === undefined ? (
            span.text
          ) : (
            <b key={i} class="named-side">
              {span.text}
            </b>
          );
        return (
          <span
            key={i}
            class={span.piece === undefined ? "ref place" : "ref piece"}
            data-id={id}
            onMouseEnter={() => view.point(id)}
            onMouseLeave={() => view.point(null)}
            onClick={() => {
              view.point(id);
              view.tab.value = "map";
            }}
          >
            {span.text}
          </span>
        );
      })}
    </>
  );
}

export function Cite({ refs }: { refs: readonly string[] }) {
  return refs.length === 0 ? null : <span class="cite">§ {refs.join(", ")}</span>;
}

/** Points as people read them, without those that are nothing: "2 AP + 3 MP"; unknown ones are a question mark. */
export function pointsText(game: Game, points: readonly Points[]): string {
  return summed(points)
    .filter((each) => each.amount !== 0)
    .map((each) => `${each.amount ?? "?"} ${game.unit(each.unit)}`.trim())
    .join(" + ");
}

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** A chance as a percentage: whole, but never 0 or 100 for what is neither. */
export function percent([part, whole]: readonly [number, number]): string {
  const share = (part * 100) / whole,
    round = Math.round(share);
  if (part > 0 && round === 0) return "< 1 %";
  if (part < whole && round === 100) return "> 99 %";
  return `${round} %`;
}
