// Renders the derivation of a number as a list of terms with citations. Terms that do not apply are
// folded.

import type { Derivation, DerivationLine } from "../protocol.gen";
import { useViewState } from "../viewState";
import { Icon } from "./Icon";
import { Cite, signed } from "./Text";

const LIMITS: Record<string, string> = { least: "≥ ", most: "≤ ", min: "≥ ", max: "≤ " };

const counts = (line: DerivationLine): boolean =>
  line.status === "applied" &&
  !(line.amount === 0 && line.parts.length === 0 && line.word !== "base");

function amountOf(line: DerivationLine): string {
  const limit = LIMITS[line.word] ?? "";
  if (typeof line.amount === "number" && line.word === "modifier") return signed(line.amount);
  return limit + (line.shown || (line.amount === null ? "" : String(line.amount)));
}

function Row({ line }: { line: DerivationLine }) {
  const tone =
    typeof line.amount === "number" && line.word === "modifier"
      ? line.amount > 0
        ? " up"
        : line.amount < 0
          ? " down"
          : ""
      : "";
  return (
    <li>
      <span class={`amount${tone}`}>{amountOf(line)}</span>
      <span>
        {line.text || line.name}
        <Cite refs={line.ref} />
        {line.rulings.length > 0 && <span class="ruling"> {line.rulings.join(", ")}</span>}
      </span>
      {line.parts.length > 0 && (
        <details class="part">
          <summary>
            {line.parts
              .map((part) => `${part.label || part.name} ${part.shown}`)
              .slice(0, 2)
              .join(", ")}
            {line.parts.length > 2 && " …"}
          </summary>
          {line.parts.map((part, i) => (
            <DerivationTree key={i} made={part} />
          ))}
        </details>
      )}
    </li>
  );
}

/** The heading, the clauses that apply, and the others. */
export function DerivationTree({ made, head = true }: { made: Derivation; head?: boolean }) {
  const { store } = useViewState(),
    say = store.say.value;
  const used = made.lines.filter(counts),
    idle = made.lines.filter((line) => !counts(line));
  const of = Object.values(made.labels).join(", ");
  return (
    <div class="derivation">
      {head && (
        <h3>
          <span>
            {made.label || made.name}
            {of !== "" && <small> {of}</small>}
          </span>
          <b>{made.shown}</b>
        </h3>
      )}
      {used.length > 0 && (
        <ul>
          {used.map((line, i) => (
            <Row key={i} line={line} />
          ))}
        </ul>
      )}
      {head && made.ref.length > 0 && used.every((line) => line.ref.length === 0) && (
        <Cite refs={made.ref} />
      )}
      {idle.length > 0 && (
        <details>
          <summary>{say("notApplied", { n: idle.length })}</summary>
          <ul class="idle">
            {idle.map((line, i) => (
              <li key={i}>
                <span class="amount">·</span>
                <span>
                  {line.text || line.name}
                  <Cite refs={line.ref} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {(made.hidden || made.lines.some((line) => line.hidden)) && (
        <p class="hint">{say("hiddenPart")}</p>
      )}
    </div>
  );
}

/** The open derivation, next to its number. */
export function OpenDerivation() {
  const view = useViewState(),
    opened = view.opened.value,
    say = view.store.say.value;
  if (opened === null) return null;
  const width = 330,
    below = opened.beside.bottom + 8 < window.innerHeight - 220;
  const left = Math.max(
    8,
    Math.min(
      window.innerWidth - width - 8,
      opened.beside.left + opened.beside.width / 2 - width / 2,
    ),
  );
  const where = below
    ? { top: `${opened.beside.bottom + 8}px` }
    : { bottom: `${window.innerHeight - opened.beside.top + 8}px` };
  return (
    <div
      class="tip rich"
      role="dialog"
      aria-label={opened.derivation?.label ?? opened.text}
      style={{ left: `${left}px`, width: `${width}px`, ...where }}
    >
      <button
        type="button"
        class="close"
        aria-label={say("close")}
        onClick={() => {
          view.opened.value = null;
        }}
      >
        <Icon name="close" />
      </button>
      {opened.derivation === null ? (
        <p>{opened.text}</p>
      ) : (
        <DerivationTree made={opened.derivation} />
      )}
    </div>
  );
}
