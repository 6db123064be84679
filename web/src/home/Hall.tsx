// Renders the start page of a local table server: a new table, the open tables, and the upload of a
// save.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Say, sayIn } from "../i18n/say";
import { ago } from "../online/times";
import { language } from "../preferences";
import type { Listed, Playable } from "../protocol.gen";
import { Icon } from "../table/Icon";
import { Licences } from "../table/Licences";
import { Tools } from "../table/Tools";
import { opened, playables, tables, uploaded } from "./api";
import { NewTable } from "./NewTable";

const goTo = (id: string): void => {
  location.href = `/table/${encodeURIComponent(id)}`;
};

export function Hall() {
  const games = useSignal<Playable[] | null>(null),
    known = useSignal<Listed[]>([]),
    wrong = useSignal(""),
    say = sayIn(language.value);
  const failed = (error: unknown): void => {
    wrong.value = error instanceof Error ? error.message : String(error);
  };
  useEffect(() => {
    document.title = "rulekit";
    playables(language.value).then((found) => {
      games.value = found;
    }, failed);
  }, [language.value]);
  useEffect(() => {
    let newer = false;
    tables().then((found) => {
      if (!newer) known.value = found;
    }, failed);
    return () => {
      newer = true;
    };
  }, [language.value]);
  const bring = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      goTo((await uploaded(await file.text())).id);
    } catch (error) {
      failed(error);
    }
  };
  const byTime = [...known.value].sort((a, b) => b.changed - a.changed);
  return (
    <div class="hall">
      <header class="top">
        <div class="title">
          <h1>rulekit</h1>
          <span>{say("hall")}</span>
        </div>
        <Tools say={say} />
      </header>
      <main>
        {wrong.value !== "" && (
          <p class="wrong" role="alert">
            {say("failed", { why: wrong.value })}
          </p>
        )}
        <section class="new-table">
          <h2>{say("newTable")}</h2>
          {games.value === null && wrong.value === "" && (
            <p class="hint" role="status">
              {say("reading")}
            </p>
          )}
          {games.value?.length === 0 && <p>{say("noGames")}</p>}
          {games.value !== null && games.value.length > 0 && (
            <NewTable
              games={games.value}
              say={say}
              open={(wanted) => {
                opened(wanted).then((table) => goTo(table.id), failed);
              }}
            />
          )}
        </section>
        <section class="tables">
          <h2>{say("tables")}</h2>
          {byTime.length === 0 && <p class="hint">{say("noTables")}</p>}
          <TableList
            title={say("running")}
            all={byTime.filter((each) => each.result === null)}
            games={games.value ?? []}
            say={say}
          />
          <TableList
            title={say("past")}
            all={byTime.filter((each) => each.result !== null)}
            games={games.value ?? []}
            say={say}
          />
          <label class="bring">
            <span>{say("upload")}</span>
            <small>{say("uploadHint")}</small>
            <input type="file" onChange={(event) => void bring(event.currentTarget.files?.[0])} />
          </label>
        </section>
      </main>
      <Licences say={say} />
    </div>
  );
}

function TableList({
  title,
  all,
  games,
  say,
}: {
  title: string;
  all: Listed[];
  games: readonly Playable[];
  say: Say;
}) {
  if (all.length === 0) return null;
  const who = (table: Listed): string =>
    games.find((game) => game.id === table.game)?.sides.find((side) => side.id === table.decides)
      ?.label ??
    table.decides ??
    "";
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {all.map((each) => (
          <li key={each.id}>
            <div>
              <b>{each.title}</b>
              {each.scenario !== "" && each.scenario !== each.title && (
                <span> {each.scenario}</span>
              )}
              <small>
                {[
                  say("choicesN", { n: each.choices }),
                  each.result ?? (each.decides === null ? "" : say("asksNow", { who: who(each) })),
                  ago(each.changed),
                ]
                  .filter((text) => text !== "")
                  .join(" · ")}
              </small>
            </div>
            <a
              class="act"
              href={`/api/tables/${encodeURIComponent(each.id)}/save`}
              download
              aria-label={`${say("download")}: ${each.title}`}
              title={say("download")}
            >
              <Icon name="download" />
            </a>
            <a
              class="act main"
              href={`/table/${encodeURIComponent(each.id)}`}
              aria-label={`${say(each.result === null ? "goOn" : "look")}: ${each.title}`}
            >
              {say(each.result === null ? "goOn" : "look")}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
