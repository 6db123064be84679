// Renders the header: title, scenario, tracks, language and theme.
import { Emblem } from "../counters/Counter";
import type { Game } from "../game";
import type { Json, Position, Track } from "../protocol.gen";
import { useViewState } from "../viewState";
import { Icon } from "./Icon";
import { Tools } from "./Tools";

/** A track with at most this many steps is drawn step by step. */
const STEPS = 10;

export function Header() {
  const view = useViewState(),
    { store } = view,
    game = store.game.value,
    position = store.position.value,
    say = store.say.value;
  if (game === null || position === null) return <header class="top" />;
  const sheet = game.sheet,
    steps = sheet.tracks.find((track) => isStepped(track));
  return (
    <header class="top">
      <a class="home" href="/" title={say("toHall")} aria-label={say("toHall")}>
        <Icon name="back" />
      </a>
      <div class="title">
        <h1>{sheet.title}</h1>
        {sheet.scenario_title !== sheet.title && sheet.scenario_title !== "" && (
          <span>{sheet.scenario_title}</span>
        )}
      </div>
      {steps !== undefined && <Steps track={steps} position={position} />}
      <div class="facts">
        <Facts game={game} position={position} />
      </div>
      <Tools languages={sheet.languages} say={say} hint=" (T)">
        <button
          type="button"
          class="tool wide"
          aria-label={say("keys")}
          title={`${say("keys")} (?)`}
          onClick={() => {
            view.help.value = !view.help.value;
          }}
        >
          <Icon name="help" />
        </button>
      </Tools>
    </header>
  );
}

/** The tracks without an owner, except the one that is drawn step by step. */
export function Facts({ game, position }: { game: Game; position: Position }) {
  const steps = game.sheet.tracks.find((track) => isStepped(track));
  return (
    <>
      {game.sheet.tracks
        .filter((track) => track !== steps && !track.seat)
        .map((track) => (
          <Fact
            key={track.name}
            track={track}
            value={position.tracks[track.name] ?? null}
            note={position.notes[track.name]}
            game={game}
          />
        ))}
    </>
  );
}

const isStepped = (track: Track): boolean =>
  track.form === "int" &&
  !track.each &&
  track.low !== null &&
  track.high !== null &&
  track.high - track.low < STEPS &&
  track.high > track.low;

function Steps({ track, position }: { track: Track; position: Position }) {
  const now = Number(position.tracks[track.name] ?? NaN),
    low = track.low ?? 0,
    note = position.notes[track.name];
  const all = Array.from({ length: (track.high ?? low) - low + 1 }, (_, i) => low + i);
  return (
    <ol class="turns" aria-label={track.label}>
      {all.map((n) => (
        <li
          key={n}
          class={n < now ? "past" : n === now ? "now" : ""}
          aria-current={n === now ? "step" : undefined}
        >
          {n === now && track.steps[String(n)] === undefined && note === undefined && (
            <span>{track.label}</span>
          )}
          <b>
            {n}
            {n === now && <i class="of">/{track.high}</i>}
          </b>
          <span>{track.steps[String(n)] ?? (n === now ? (note ?? "") : "")}</span>
        </li>
      ))}
    </ol>
  );
}

function Fact({
  track,
  value,
  note,
  game,
}: {
  track: Track;
  value: Json;
  note: string | undefined;
  game: Game;
}) {
  if (value === null) return null;
  const words = (each: Json): string => track.steps[String(each)] ?? String(each);
  const unit = track.unit === null ? "" : ` ${game.unit(track.unit)}`;
  const of = track.high === null ? null : <i>/{track.high}</i>;
  return (
    <span class="fact">
      <span>{track.label}</span>
      {track.each && typeof value === "object" && !Array.isArray(value) ? (
        Object.entries(value).map(([side, n]) => (
          <b key={side}>
            <Emblem game={game} side={side} size={16} />
            <span class="unseen">{game.label("side", side)} </span>
            {words(n)}
            {of}
            {unit}
          </b>
        ))
      ) : typeof value === "string" && game.sides.has(value) ? (
        <b>
          <Emblem game={game} side={value} size={16} />
          {game.label("side", value)}
        </b>
      ) : (
        <b>
          {typeof value === "boolean" ? (value ? "✓" : "–") : words(value)}
          {unit}
        </b>
      )}
      {note !== undefined && <span>{note}</span>}
    </span>
  );
}
