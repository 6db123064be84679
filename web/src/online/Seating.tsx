// Renders the seats of a table: free seats to take or to invite to, players, invitation links and
// access.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Emblem } from "../counters/Counter";
import type { Say } from "../i18n/say";
import type { Sitting, TableStatus } from "../protocol.gen";
import { useViewState } from "../viewState";
import { invite, leave, remove, setAccess, sit } from "./api";
import { ConfirmButton } from "./ConfirmButton";
import { Select } from "./Form";
import { ACCESS } from "./NewGame";
import { goTo, me, why } from "./session";
import type { TableState } from "./tableState";

export function Seating() {
  const { store } = useViewState(),
    beside = store.beside,
    status = beside?.status.value ?? null,
    game = store.game.value,
    say = store.say.value,
    wrong = useSignal("");
  if (beside === null || status === null || game === null) return null;
  const may = beside.may.value,
    playing = status.seats.some((each) => each.yours),
    tried = (what: Promise<unknown>): void => {
      what.then(
        () => {
          wrong.value = "";
        },
        (error: unknown) => {
          wrong.value = why(error);
        },
      );
    };
  const go = async (): Promise<void> => {
    beside.leaving = true;
    try {
      await remove(status.id);
      goTo("/");
    } catch (error) {
      beside.leaving = false;
      throw error;
    }
  };
  return (
    <div class="seating">
      <ul class="rows">
        {status.seats.map((each) => (
          <li key={each.side}>
            <Emblem game={game} side={each.side} size={22} />
            <div>
              <b>{game.label("side", each.side)}</b>
              <small>
                <Who sitting={each} beside={beside} say={say} />
              </small>
            </div>
            {each.who === null && each.machine === null && (
              <span class="acts">
                {may.has("sit") && (
                  <button
                    type="button"
                    class={playing ? "act" : "act main"}
                    onClick={() => tried(sit(status.id, each.side))}
                  >
                    {say("sitDown")}
                    <span class="unseen"> {game.label("side", each.side)}</span>
                  </button>
                )}
                {may.has("invite") && (
                  <Invite
                    id={status.id}
                    side={each.side}
                    label={game.label("side", each.side)}
                    say={say}
                  />
                )}
              </span>
            )}
            {each.who !== null && status.begun === null && (each.yours || may.has("close")) && (
              <button
                type="button"
                class="act"
                onClick={() => tried(leave(status.id, each.side))}
                aria-label={`${say(each.yours ? "leave" : "sendAway")}: ${game.label("side", each.side)}`}
              >
                {say(each.yours ? "leave" : "sendAway")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {me.value !== null && me.value.name === null && status.begun === null && (
        <p>
          <a class="act" href={`/?to=${encodeURIComponent(location.pathname)}`}>
            {say("signInToSit")}
          </a>
        </p>
      )}
      <Observers beside={beside} say={say} />
      {may.has("invite") && <Invite id={status.id} side={null} label={say("toLookOn")} say={say} />}
      {may.has("access") && <Access status={status} say={say} tried={tried} />}
      {may.has("close") && (
        <ConfirmButton word={say("removeTable")} sure={say("removeSure")} act={() => go()} />
      )}
      <p class={wrong.value === "" ? "unseen" : "wrong"} role="alert">
        {wrong.value}
      </p>
    </div>
  );
}

/**
 * The access to the table. A new value is shown as pending until the server has stored it. On failure the old
 * one returns.
 */
function Access({
  status,
  say,
  tried,
}: {
  status: TableStatus;
  say: Say;
  tried(what: Promise<unknown>): void;
}) {
  const wanted = useSignal<TableStatus["access"] | null>(null),
    state = useSignal<"busy" | "saved" | "as it was">("as it was");
  const choose = async (access: TableStatus["access"]): Promise<void> => {
    wanted.value = access;
    state.value = "busy";
    try {
      await setAccess(status.id, access);
      if (wanted.value === access) state.value = "saved";
    } catch (error) {
      if (wanted.value === access) {
        wanted.value = null;
        state.value = "as it was";
      }
      throw error;
    }
  };
  useEffect(() => {
    wanted.value = null; // the table reports the new access itself
  }, [status.access]);
  return (
    <Select
      label={say("access")}
      value={wanted.value ?? status.access}
      among={ACCESS.map(([id, word]) => [id, say(word)] as const)}
      set={(access) => tried(choose(access))}
      state={state.value}
      said={state.value === "busy" ? "…" : state.value === "saved" ? say("saved") : ""}
    />
  );
}

/** The player of a side, and their presence. */
export function Who({
  sitting,
  beside,
  say,
  brief = false,
}: {
  sitting: Sitting;
  beside: TableState;
  say: Say;
  brief?: boolean;
}) {
  if (sitting.machine !== null) return <>{say("byItself", { name: sitting.machine })}</>;
  if (sitting.who === null) return <>{say("openSeat")}</>;
  const here = beside.present.value?.sides.includes(sitting.side) ?? false;
  return (
    <span class={here ? "person here" : "person"}>
      <i class="dot" aria-hidden="true" title={say(here ? "isHere" : "isAway")} />
      <span class="unseen">{say(here ? "isHere" : "isAway")}: </span>
      <bdi>{sitting.who}</bdi>
      {sitting.yours && !brief && ` (${say("you")})`}
      {sitting.guest && !sitting.yours && !brief && ` (${say("guest")})`}
    </span>
  );
}

function Observers({ beside, say }: { beside: TableState; say: Say }) {
  const present = beside.present.value;
  if (present === null || (present.observers.length === 0 && present.others === 0)) return null;
  return (
    <p class="hint">
      {say("lookOn")}:{" "}
      {present.observers.map((name, i) => (
        <span key={name}>
          {i > 0 && ", "}
          <bdi>{name}</bdi>
        </span>
      ))}
      {present.others > 0 &&
        `${present.observers.length > 0 ? ", " : ""}${say("nOthers", { n: present.others })}`}
    </p>
  );
}

/** Create a link and copy it to the clipboard. It can be copied by hand too. */
function Invite({
  id,
  side,
  label,
  say,
}: {
  id: string;
  side: string | null;
  label: string;
  say: Say;
}) {
  const link = useSignal(""),
    said = useSignal(""),
    field = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link.value);
      said.value = say("copied");
    } catch {
      said.value = document.execCommand("copy") ? say("copied") : say("copyByHand");
    }
  };
  const make = async (): Promise<void> => {
    try {
      link.value = (await invite(id, side)).address;
      said.value = side === null ? say("linkToLook") : say("linkOnce");
      requestAnimationFrame(() => field.current?.focus());
    } catch (error) {
      said.value = why(error);
    }
  };
  if (me.value?.name == null) return null;
  return (
    <span class="invite">
      {link.value === "" ? (
        <button
          type="button"
          class="act"
          onClick={() => void make()}
          aria-label={`${say("invite")}: ${label}`}
        >
          {side === null ? say("inviteToLook") : say("invite")}
        </button>
      ) : (
        <>
          <input
            ref={field}
            type="text"
            readOnly
            value={link.value}
            aria-label={`${say("link")}: ${label}`}
            onFocus={(event) => event.currentTarget.select()}
          />
          <button type="button" class="act" onClick={() => void copy()}>
            {say("copy")}
            <span class="unseen">: {label}</span>
          </button>
        </>
      )}
      <small role="status" class={said.value === "" ? "unseen" : "hint"}>
        {said.value}
      </small>
    </span>
  );
}
