// Makes what a player wishes of the table: to be asked always, to pass by himself; and where his save is.
import { askForced, passAlone, prefer } from "../remembered";
import { useView } from "../view";

export function Wishes() {
  const { store } = useView(),
    say = store.say.value,
    table = store.table.value;
  if (table === null || store.seat.value === null) return null;
  const wish = (name: "ask_forced" | "pass_alone", yes: boolean): void => {
    prefer(name, yes);
    void store.prefer();
  };
  return (
    <section class="wishes">
      <h2>{say("wishes")}</h2>
      <label>
        <input type="checkbox" checked={passAlone.value} onChange={(event) => wish("pass_alone", event.currentTarget.checked)} />
        {say("passAlone")}
      </label>
      <label>
        <input type="checkbox" checked={askForced.value} onChange={(event) => wish("ask_forced", event.currentTarget.checked)} />
        {say("stillAsked")}
      </label>
      {(store.beside === null || store.beside.may.value.has("save")) && (
        <a href={`/api/tables/${encodeURIComponent(table.id)}/save`} download>
          {say("download")}
        </a>
      )}
    </section>
  );
}
