// Renders the list of keyboard shortcuts, and the search for pieces and places.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Piece, Place } from "../game";
import { type Handle, handle } from "../handle";
import type { Word } from "../i18n/say";
import { useViewState } from "../viewState";
import { Icon } from "./Icon";
import { SeatOptions } from "./SeatOptions";

const KEYS: [string, Word][] = [
  ["Tab", "keyRegions"],
  ["N", "keyNext"],
  ["↵ ␣", "keyTake"],
  ["1 – 9", "keyButtons"],
  ["A", "keyAll"],
  ["Esc", "keyBack"],
  ["U", "keyUndo"],
  ["R", "keyRedo"],
  ["O", "keyOdds"],
  ["F", "keyFocus"],
  ["0 + −", "keyWhole"],
  ["← →", "keyReplay"],
  ["L", "keyList"],
  ["E", "analysis"],
  ["/", "keyFind"],
  ["T", "keyTheme"],
  ["?", "keyHelp"],
];

export function Help() {
  const view = useViewState(),
    say = view.store.say.value,
    box = useRef<HTMLElement>(null),
    open = view.help.value;
  useEffect(() => {
    if (open) box.current?.focus();
  }, [open]);
  if (!open) return null;
  return (
    <section class="float help" role="dialog" aria-label={say("keys")} tabIndex={-1} ref={box}>
      <header>
        <h2>{say("keys")}</h2>
        <button
          type="button"
          class="close"
          aria-label={say("close")}
          onClick={() => {
            view.help.value = false;
          }}
        >
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {KEYS.map(([key, word]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((each) => (each === "–" ? " – " : <kbd key={each}>{each}</kbd>))}
            </dt>
            <dd>{say(word)}</dd>
          </div>
        ))}
      </dl>
      <SeatOptions />
    </section>
  );
}

const FOUND = 8;

export function Find() {
  const view = useViewState(),
    { store, planner } = view,
    say = store.say.value,
    game = store.game.value,
    word = useSignal(""),
    field = useRef<HTMLInputElement>(null),
    open = view.find.value;
  useEffect(() => {
    if (open) {
      word.value = "";
      field.current?.focus();
    }
  }, [open]);
  if (!open || game === null) return null;
  const wanted = word.value.trim().toLowerCase(),
    board = store.board.value;
  const found =
    wanted === ""
      ? []
      : [
          ...game.places.values(),
          ...[...game.pieces.values()].filter((piece) => board?.at.has(piece.id)),
        ]
          .filter((each) => `${each.short} ${each.label}`.toLowerCase().includes(wanted))
          .slice(0, FOUND);
  const thing = (each: Piece | Place): Handle =>
    handle("terrain" in each ? "place" : "piece", each.id);
  const show = (each: Piece | Place): void => {
    view.point(thing(each));
    planner.open.value = "terrain" in each ? each.id : (board?.at.get(each.id) ?? null);
    view.tab.value = "map";
    view.find.value = false;
  };
  return (
    <form
      class="float find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const first = found[0];
        if (first !== undefined) show(first);
      }}
    >
      <input
        ref={field}
        type="text"
        aria-label={say("find")}
        placeholder={say("find")}
        value={word.value}
        onInput={(event) => {
          word.value = event.currentTarget.value;
        }}
        autocomplete="off"
        spellcheck={false}
      />
      <ul>
        {found.map((each) => (
          <li key={thing(each)}>
            <button
              type="button"
              onClick={() => show(each)}
              onMouseEnter={() => view.point(thing(each))}
            >
              {each.label}
              <small>
                {"terrain" in each ? "" : game.label("place", board?.at.get(each.id) ?? "")}
              </small>
            </button>
          </li>
        ))}
        {wanted !== "" && found.length === 0 && <li class="hint">{say("findNone")}</li>}
      </ul>
    </form>
  );
}
