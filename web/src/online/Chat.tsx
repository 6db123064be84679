// Renders the chat of a table, separate for players and observers, and the personal note. All texts
// are text nodes.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Say } from "../i18n/say";
import type { ChatMessage } from "../protocol.gen";
import { useViewState } from "../viewState";
import { isMine, me, why } from "./session";
import type { Room, TableState } from "./tableState";
import { moment } from "./times";

const WORDS = { players: "roomPlayers", observers: "roomObservers" } as const;

export function Chat() {
  const { store } = useViewState(),
    beside = store.beside,
    say = store.say.value;
  if (beside === null) return null;
  return (
    <div class="chat">
      <Rooms beside={beside} say={say} />
      <Log beside={beside} say={say} />
      <Speak beside={beside} say={say} />
      {beside.may.value.has("note") && <Note beside={beside} say={say} />}
    </div>
  );
}

function Rooms({ beside, say }: { beside: TableState; say: Say }) {
  const rooms = beside.rooms.value;
  if (rooms.length < 2) return <h2 class="room">{say(WORDS[rooms[0] ?? "observers"])}</h2>;
  return (
    <div class="choose" role="group" aria-label={say("chat")}>
      {rooms.map((room: Room) => (
        <button
          type="button"
          key={room}
          aria-pressed={beside.room.value === room}
          onClick={() => {
            beside.room.value = room;
          }}
        >
          {say(WORDS[room])}
        </button>
      ))}
    </div>
  );
}

function Log({ beside, say }: { beside: TableState; say: Say }) {
  const log = useRef<HTMLDivElement>(null),
    all = beside.texts.value.filter((each) => each.room === beside.room.value),
    last = all.at(-1)?.id ?? 0;
  useEffect(() => {
    if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
    beside.hasRead();
  }, [last, beside.room.value]);
  return (
    <div class="texts" ref={log} role="log" aria-label={say(WORDS[beside.room.value])} tabIndex={0}>
      {all.length === 0 && <p class="hint">{say("nothingSaid")}</p>}
      {all.map((each) => (
        <TextOf key={each.id} text={each} beside={beside} say={say} />
      ))}
    </div>
  );
}

function TextOf({ text, beside, say }: { text: ChatMessage; beside: TableState; say: Say }) {
  const own = isMine(text),
    may = !text.removed && (own || me.value?.admin === true);
  return (
    <p class={own ? "text own" : "text"}>
      <b>
        <bdi>{text.who}</bdi>
      </b>{" "}
      <small>
        {[text.guest && !own ? say("guest") : "", moment(text.written)].filter(Boolean).join(" · ")}
      </small>
      {may && (
        <button
          type="button"
          class="unsay"
          aria-label={say("unsay")}
          title={say("unsay")}
          onClick={() => void beside.unsay(text.id).catch(() => undefined)}
        >
          ×
        </button>
      )}
      <br />
      {text.removed ? <i>{say("removed")}</i> : <bdi class="words">{text.text}</bdi>}
    </p>
  );
}

function Speak({ beside, say }: { beside: TableState; say: Say }) {
  const text = useSignal(""),
    wrong = useSignal("");
  if (!beside.may.value.has(`say_${beside.room.value}`))
    return me.value?.name == null ? <p class="hint">{say("signInToChat")}</p> : null;
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const said = text.value;
    if (said.trim() === "") return;
    text.value = "";
    try {
      await beside.say(said);
      wrong.value = "";
    } catch (error) {
      wrong.value = why(error);
      if (text.value === "") text.value = said;
    }
  };
  return (
    <form class="speak" onSubmit={(event) => void send(event)}>
      <input
        type="text"
        aria-label={say("sayTo", { room: say(WORDS[beside.room.value]) })}
        placeholder={say("sayTo", { room: say(WORDS[beside.room.value]) })}
        value={text.value}
        maxLength={1000}
        autocomplete="off"
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <button class="act" type="submit">
        {say("send")}
      </button>
      <p class={wrong.value === "" ? "unseen" : "bad"} role="alert">
        {wrong.value}
      </p>
    </form>
  );
}

function Note({ beside, say }: { beside: TableState; say: Say }) {
  if (beside.note.value === null) return null;
  return (
    <label class="note-of-mine">
      <span>
        {say("note")}{" "}
        <small role="status">
          {beside.noteState.value === "writing"
            ? "…"
            : beside.noteState.value === "failed"
              ? say("notSaved")
              : say("noteHint")}
        </small>
      </span>
      <textarea
        rows={3}
        maxLength={20_000}
        value={beside.note.value}
        onInput={(event) => beside.write(event.currentTarget.value)}
        onBlur={() => void beside.keepNote()}
      />
    </label>
  );
}
