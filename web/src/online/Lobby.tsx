// Renders the lobby: own games with turn and time, free seats, games to watch, finished games, and
// a new game.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { playables } from "../home/api";
import { type Say, sayIn } from "../i18n/say";
import { language } from "../preferences";
import type { InLobby, Playable } from "../protocol.gen";
import { lobby, sit, type Which } from "./api";
import { ruleText, shown } from "./clocks";
import { Said } from "./Form";
import { NewGame } from "./NewGame";
import { PageFrame } from "./PageFrame";
import { SignIn } from "./SignIn";
import { goTo, me, signedIn, tablePath, wanted, why } from "./session";
import { ago } from "./times";

/** The time between two updates of visible lists, in ms. */
const EVERY = 15_000;

type Lists = Record<Which, InLobby[]>;

export function Lobby() {
  const lists = useSignal<Lists | null>(null),
    games = useSignal<Playable[]>([]),
    wrong = useSignal(""),
    who = me.value?.name ?? null;
  useEffect(() => {
    playables(language.value).then(
      (found) => {
        games.value = found;
      },
      (error: unknown) => {
        wrong.value = why(error);
      },
    );
  }, [language.value]);
  useEffect(() => {
    const to = wanted();
    if (who !== null && to !== null) goTo(to);
  }, [who]);
  useEffect(() => {
    const load = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        const [mine, open, all] = await Promise.all([
          lobby("mine"),
          lobby("open"),
          lobby("public"),
        ]);
        lists.value = { mine, open, public: all };
        wrong.value = "";
      } catch (error) {
        wrong.value = why(error);
      }
    };
    const now = (): void => void load();
    now();
    const timer = setInterval(now, EVERY);
    document.addEventListener("visibilitychange", now);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", now);
    };
  }, [language.value, who]);
  const waiting = lists.value?.mine.filter((each) => each.asked || each.unread > 0).length ?? 0;
  return (
    <PageFrame
      here="lobby"
      title={`${waiting > 0 ? `(${waiting}) ` : ""}${sayIn(language.value)("lobby")}`}
    >
      {(say) => (
        <>
          <Said said={wrong.value === "" ? null : { text: wrong.value, bad: true }} />
          <div class="lists">
            <h1 class="unseen">{say("lobby")}</h1>
            {me.value?.mail != null && !me.value.confirmed && me.value.letters && (
              <p class="hint">
                {say("mailWaits", { mail: me.value.mail })} <a href="/account">{say("account")}</a>
              </p>
            )}
            {lists.value === null ? (
              <p class="hint" role="status">
                {say("reading")}
              </p>
            ) : (
              <AllLists lists={lists.value} games={games.value} say={say} />
            )}
          </div>
          <aside class={signedIn.value ? "" : "first"}>
            {signedIn.value ? <NewGame games={games.value} say={say} /> : <Welcome say={say} />}
          </aside>
        </>
      )}
    </PageFrame>
  );
}

function Welcome({ say }: { say: Say }) {
  return (
    <>
      <h2>{say("welcome")}</h2>
      <p class="hint">{say("welcomeHint")}</p>
      <SignIn say={say} />
    </>
  );
}

function AllLists({ lists, games, say }: { lists: Lists; games: readonly Playable[]; say: Say }) {
  const mine = new Set(lists.mine.map((each) => each.id)),
    going = lists.mine
      .filter((each) => !each.ended)
      .sort((a, b) => Number(b.asked) - Number(a.asked) || b.changed - a.changed),
    free = lists.open.filter((each) => !mine.has(each.id)),
    others = lists.public.filter((each) => !mine.has(each.id));
  const list = (title: string, tables: InLobby[], none: string | null) =>
    tables.length === 0 && none === null ? null : (
      <section>
        <h2>{title}</h2>
        {tables.length === 0 ? (
          <p class="hint">{none}</p>
        ) : (
          <ul class="rows">
            {tables.map((each) => (
              <Row
                key={each.id}
                table={each}
                game={games.find((game) => game.id === each.game)}
                say={say}
              />
            ))}
          </ul>
        )}
      </section>
    );
  return (
    <>
      {signedIn.value && list(say("myGames"), going, say("noneMine"))}
      {signedIn.value && list(say("freeSeats"), free, say("noneFree"))}
      {list(
        say("toWatch"),
        others.filter((each) => !each.ended),
        say("noneToWatch"),
      )}
      {list(
        say("past"),
        [...lists.mine, ...others].filter((each) => each.ended),
        null,
      )}
    </>
  );
}

function Row({ table, game, say }: { table: InLobby; game: Playable | undefined; say: Say }) {
  const wrong = useSignal(""),
    side = (id: string): string => game?.sides.find((each) => each.id === id)?.label ?? id,
    machine = (id: string): string => game?.seats.find((each) => each.id === id)?.label ?? id,
    playing = table.seats.some((each) => each.yours),
    free =
      table.begun || table.ended
        ? []
        : table.seats.filter((each) => each.who === null && each.machine === null),
    decides =
      table.decides === null ? undefined : table.seats.find((each) => each.side === table.decides),
    name = `${table.title} (${table.owner})`;
  const take = async (id: string): Promise<void> => {
    try {
      await sit(table.id, id);
      goTo(tablePath(table.id));
    } catch (error) {
      wrong.value = why(error);
    }
  };
  const state = table.ended
    ? (table.result ?? say("past"))
    : !table.begun
      ? say("waitsFor", { n: free.length })
      : table.asked
        ? say("yourTurn")
        : say("turnOf", {
            who: decides === undefined ? "" : (decides.who ?? machine(decides.machine ?? "")),
          });
  const word = say(table.asked ? "goOn" : playing && !table.ended ? "toTable" : "look");
  return (
    <li class={table.asked ? "asked" : ""}>
      <div>
        <b>
          {table.title}
          {table.scenario !== "" && table.scenario !== table.title && <i> {table.scenario}</i>}
        </b>
        <span class="sides">
          {table.seats.map((each) => (
            <span key={each.side} class={each.yours ? "own" : ""}>
              {side(each.side)}{" "}
              <bdi>
                {each.who ?? (each.machine === null ? say("openSeat") : machine(each.machine))}
              </bdi>
              {each.guest && !each.yours && ` (${say("guest")})`}
            </span>
          ))}
        </span>
        <small>
          <span class="state">{state}</span>
          {table.left !== null && (
            <span class={table.left < 60 ? "late" : ""}>{shown(table.left, say)}</span>
          )}
          {table.clock !== "none" && <span>{ruleText(table.clock, say)}</span>}
          {table.begun && <span>{say("choicesN", { n: table.choices })}</span>}
          <span>{ago(table.changed)}</span>
        </small>
        {wrong.value !== "" && (
          <small class="bad" role="alert">
            {wrong.value}
          </small>
        )}
      </div>
      {table.unread > 0 && (
        <span class="unread" title={say("unreadN", { n: table.unread })}>
          {table.unread}
          <span class="unseen">{say("unreadN", { n: table.unread })}</span>
        </span>
      )}
      <span class="acts">
        {!playing &&
          free.map((each) => (
            <button
              type="button"
              key={each.side}
              class="act"
              onClick={() => void take(each.side)}
              aria-label={`${say("sitDownAs", { side: side(each.side) })}: ${name}`}
            >
              {say("sitDownAs", { side: side(each.side) })}
            </button>
          ))}
        {table.looks && (
          <a
            class={table.asked ? "act main" : "act"}
            href={tablePath(table.id)}
            aria-label={`${word}: ${name}`}
          >
            {word}
          </a>
        )}
      </span>
    </li>
  );
}
