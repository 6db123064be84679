// Renders the four buttons at the bottom of a phone, one for each part of the table.

import type { Word } from "../i18n/say";
import { type Tab, useViewState } from "../viewState";
import { Icon, type Picture } from "./Icon";

const PARTS: [Tab, Picture, Word][] = [
  ["map", "map", "map"],
  ["report", "report", "report"],
  ["hand", "hand", "hand"],
  ["seats", "seats", "table"],
];

export function Dock() {
  const view = useViewState(),
    say = view.store.say.value,
    gold = (view.planner.plan.value?.faces().size ?? 0) > 0;
  return (
    <nav class="dock">
      {PARTS.map(([tab, picture, word]) => (
        <button
          type="button"
          key={tab}
          aria-pressed={view.tab.value === tab}
          onClick={() => {
            view.tab.value = tab;
          }}
        >
          <Icon name={picture} />
          <span>{say(word)}</span>
          {((tab === "hand" && gold) ||
            (tab === "report" && (view.store.beside?.unread.value ?? 0) > 0)) && <i class="dot" />}
        </button>
      ))}
    </nav>
  );
}
