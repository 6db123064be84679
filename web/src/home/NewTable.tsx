// Renders the form of a new table: game, scenario, edition, rulings, seats and seed.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Say } from "../i18n/say";
import type { Playable, RulingOffered, Titled, Wanted } from "../protocol.gen";

/**
 * `sitters`: the possible players of a side (by default a person and the automatic seats). `first`: the
 * player of the first one. `seeded`: these players allow a choice of the seed. `hinted`: they allow hints.
 * `children`: more fields.
 */
interface Props {
  say: Say;
  open(wanted: Wanted): void;
  sitters?(game: Playable): Titled[];
  first?: string;
  seeded?(seats: Record<string, string>): boolean;
  hinted?(seats: Record<string, string>): boolean;
  children?: ComponentChildren;
}

export function NewTable({ games, ...props }: Props & { games: readonly Playable[] }) {
  const chosen = useSignal(
      games.find((each) => each.id === new URLSearchParams(location.search).get("game"))?.id ??
        games[0]!.id,
    ),
    game = games.find((each) => each.id === chosen.value) ?? games[0]!,
    { say } = props;
  return (
    <>
      <div class="games" role="radiogroup" aria-label={say("game")}>
        {games.map((each) => (
          <label key={each.id} class={each === game ? "chosen" : ""}>
            <input
              type="radio"
              name="game"
              checked={each === game}
              onChange={() => {
                chosen.value = each.id;
              }}
            />
            <b>{each.title}</b>
            <small>
              {say("version", { v: each.version })} ·{" "}
              {each.langs.map((lang) => lang.toUpperCase()).join(" ")}
            </small>
          </label>
        ))}
      </div>
      <Details key={game.id} game={game} {...props} />
    </>
  );
}

/**
 * All fields of one game. Its first side is a person's. The others are automatic if possible, or opponents of
 * `first`.
 */
function Details({
  game,
  say,
  open,
  sitters,
  first,
  seeded,
  hinted,
  children,
}: Props & { game: Playable }) {
  const alone =
      game.seats.find((seat) => seat.id === "search") ??
      game.seats.find((seat) => seat.id !== "human"),
    other = first === undefined ? (alone?.id ?? "human") : "human";
  const scenario = useSignal(game.scenario),
    edition = useSignal(game.editions[0]?.id ?? ""),
    seed = useSignal("");
  const seats = useSignal<Record<string, string>>(
    Object.fromEntries(
      game.sides.map((side, i) => [side.id, i === 0 ? (first ?? "human") : other]),
    ),
  );
  const rulings = useSignal<Record<string, string>>({}),
    hints = useSignal(false);
  const mayHint =
    game.seats.some((seat) => seat.id === "search") && (hinted?.(seats.value) ?? true);
  const maySeed = seeded?.(seats.value) ?? true;
  const wanted = (): Wanted => ({
    game: game.id,
    scenario: scenario.value,
    seats: seats.value,
    rulings: rulings.value,
    ...(hints.value && mayHint ? { hints: true } : {}),
    ...(edition.value === "" ? {} : { edition: edition.value }),
    ...(seed.value.trim() === "" || !maySeed ? {} : { seed: seed.value.trim() }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        open(wanted());
      }}
    >
      {game.scenarios.length > 1 && (
        <Choice
          label={say("scenario")}
          among={game.scenarios}
          value={scenario.value}
          choose={(id) => {
            scenario.value = id;
          }}
        />
      )}
      {game.editions.length > 1 && (
        <Choice
          label={say("edition")}
          among={game.editions}
          value={edition.value}
          choose={(id) => {
            edition.value = id;
          }}
        />
      )}
      {game.sides.map((side) => (
        <Choice
          key={side.id}
          label={side.label}
          among={
            sitters?.(game) ??
            game.seats.map((seat) =>
              seat.id === "human" ? { ...seat, label: say("person") } : seat,
            )
          }
          value={seats.value[side.id] ?? "human"}
          choose={(id) => {
            seats.value = { ...seats.value, [side.id]: id };
          }}
        />
      ))}
      {children}
      {mayHint && (
        <label class="tick">
          <input
            type="checkbox"
            checked={hints.value}
            onChange={(event) => {
              hints.value = event.currentTarget.checked;
            }}
          />
          <span>{say("hints")}</span>
        </label>
      )}
      {maySeed && (
        <label class="field">
          <span>{say("bySeed")}</span>
          <input
            type="text"
            value={seed.value}
            title={say("seedHint")}
            onInput={(event) => {
              seed.value = event.currentTarget.value;
            }}
            autocomplete="off"
          />
        </label>
      )}
      {game.rulings.length > 0 && (
        <details class="rulings">
          <summary>{say("rulingsN", { n: game.rulings.length })}</summary>
          <p class="hint">{say("rulingsHint")}</p>
          {game.rulings.map((ruling) => (
            <Ruling
              key={ruling.name}
              ruling={ruling}
              value={rulings.value[ruling.name] ?? ruling.chosen}
              choose={(id) => {
                rulings.value = { ...rulings.value, [ruling.name]: id };
              }}
            />
          ))}
        </details>
      )}
      <button class="act main" type="submit">
        {say("open")}
      </button>
    </form>
  );
}

function Choice({
  label,
  among,
  value,
  choose,
}: {
  label: string;
  among: readonly Titled[];
  value: string;
  choose(id: string): void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {among.map((each) => (
          <option key={each.id} value={each.id}>
            {each.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Ruling({
  ruling,
  value,
  choose,
}: {
  ruling: RulingOffered;
  value: string;
  choose(id: string): void;
}) {
  return (
    <fieldset>
      <legend>{ruling.text}</legend>
      {ruling.choices.map((each) => (
        <label key={each.id}>
          <input
            type="radio"
            name={ruling.name}
            checked={each.id === value}
            onChange={() => choose(each.id)}
          />
          <span>
            {each.label}
            {each.id === ruling.chosen && " ★"}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
