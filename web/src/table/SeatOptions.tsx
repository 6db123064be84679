// Renders the options of a seat: always ask, pass automatically, confirm every choice; and the link
// to the save.

import type { Word } from "../i18n/say";
import type { SeatPreferences as Wished } from "../preferences";
import { useViewState } from "../viewState";

const WISHES: [keyof Wished, Word][] = [
  ["pass_alone", "passAlone"],
  ["ask_react", "askReact"],
  ["ask_forced", "stillAsked"],
  ["confirm_all", "confirmAll"],
];

export function SeatOptions() {
  const { store } = useViewState(),
    say = store.say.value,
    table = store.table.value,
    seat = store.seat.value;
  if (table === null || seat === null) return null;
  return (
    <section class="wishes">
      <h2>{say("wishes")}</h2>
      <p class="hint">{say("wishesOf", { who: store.game.value?.label("side", seat) ?? seat })}</p>
      {WISHES.map(([name, word]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={store.wishes.value[name]}
            onChange={(event) => store.wish(name, event.currentTarget.checked)}
          />
          {say(word)}
        </label>
      ))}
      {(store.beside === null || store.beside.may.value.has("save")) && (
        <a href={`/api/tables/${encodeURIComponent(table.id)}/save`} download>
          {say("download")}
        </a>
      )}
    </section>
  );
}
