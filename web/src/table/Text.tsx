// Renders texts of the game: links that highlight on the map, citations, points and costs.
import type { Game } from "../game";
import { handle } from "../handle";
import { summed } from "../moveDraft";
import type { Points, Span } from "../protocol.gen";
import { useViewState } from "../viewState";

/** A text. Its things are highlighted on the map while it is pointed at, and stay so after a click. */
export function Linked({ spans }: { spans: readonly Span[] }) {
  const view = useViewState();
  return (
    <>
      {spans.map((span, i) => {
        if (typeof span === "string") return span;
        const id = span.piece ?? span.place,
          sort = span.piece === undefined ? "place" : "piece";
        if (id === undefined)
          return span.side === undefined ? (
            span.text
          ) : (
            <b key={i} class="named-side">
              {span.text}
            </b>
          );
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: it only shows where on the map it is
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search goes to each piece and place by keys
          <span
            key={i}
            class={`ref ${sort}`}
            data-id={id}
            onMouseEnter={() => view.point(handle(sort, id))}
            onMouseLeave={() => view.point(null)}
            onClick={() => {
              view.point(handle(sort, id));
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

/**
 * Paragraphs of the rule book. The text of one is shown while it is pointed at, if the game has one. `quiet`:
 * it is no stop of the keyboard, because there are many.
 */
export function Cite({ refs, quiet = false }: { refs: readonly string[]; quiet?: boolean }) {
  const { store, cited } = useViewState(),
    texts = store.game.value?.sheet.paragraphs ?? {};
  if (refs.length === 0) return null;
  return (
    <span class="cite">
      §{" "}
      {refs.map((ref, i) => {
        const text = saying(texts, ref);
        const show = (element: HTMLElement): void => {
          if (text !== null) cited.value = { beside: element.getBoundingClientRect(), ref, text };
        };
        const hide = (): void => {
          cited.value = null;
        };
        return (
          <span key={ref}>
            {i > 0 && ", "}
            {text === null ? (
              ref
            ) : (
              <span
                class="says"
                role="note"
                tabIndex={quiet ? -1 : 0}
                aria-label={`§ ${ref}: ${text}`}
                onMouseEnter={(event) => show(event.currentTarget)}
                onMouseLeave={hide}
                onFocus={(event) => show(event.currentTarget)}
                onBlur={hide}
              >
                {ref}
              </span>
            )}
          </span>
        );
      })}
    </span>
  );
}

/** The text of a paragraph, or else of the one that contains it. */
export function saying(texts: Readonly<Record<string, string>>, ref: string): string | null {
  for (
    let part = ref;
    part !== "";
    part = part.slice(
      0,
      Math.max(0, part.lastIndexOf(" "), part.lastIndexOf("."), part.lastIndexOf(",")),
    )
  ) {
    const text = texts[part];
    if (text !== undefined) return text;
  }
  return null;
}

/** The text of the paragraph that is pointed at. */
export function Cited() {
  const { cited } = useViewState(),
    it = cited.value;
  if (it === null) return null;
  const width = 320,
    below = it.beside.bottom + 8 < window.innerHeight - 160,
    left = Math.max(
      8,
      Math.min(window.innerWidth - width - 8, it.beside.left + it.beside.width / 2 - width / 2),
    );
  const where = below
    ? { top: `${it.beside.bottom + 6}px` }
    : { bottom: `${window.innerHeight - it.beside.top + 6}px` };
  return (
    <div
      class="tip rich says-what"
      role="tooltip"
      style={{ left: `${left}px`, width: `${width}px`, ...where }}
    >
      <b>§ {it.ref}</b> {it.text}
    </div>
  );
}

/** Points for people, without zero ones: "2 AP + 3 MP". Unknown ones are a question mark. */
export function pointsText(game: Game, points: readonly Points[]): string {
  return summed(points)
    .filter((each) => each.amount !== 0)
    .map((each) => `${each.amount ?? "?"} ${game.unit(each.unit)}`.trim())
    .join(" + ");
}

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** A chance as an integer percentage, but 0 or 100 only for exactly these. */
export function percent([part, whole]: readonly [number, number]): string {
  const share = (part * 100) / whole,
    round = Math.round(share);
  if (part > 0 && round === 0) return "< 1 %";
  if (part < whole && round === 100) return "> 99 %";
  return `${round} %`;
}
