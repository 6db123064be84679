// Preferences that the browser keeps: language, theme, and the options of each seat of a game.
import { effect, signal } from "@preact/signals";
import { isLanguage } from "./i18n/words";

const KEY = "rulekit.";

function recall(name: string): string | null {
  try {
    return localStorage.getItem(KEY + name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(KEY + name, value);
  } catch {
    /* a browser that keeps nothing still plays */
  }
}

function forget(name: string): void {
  try {
    localStorage.removeItem(KEY + name);
  } catch {
    /* there was nothing */
  }
}

const wished = (navigator.languages ?? [navigator.language])
  .map((lang) => lang.slice(0, 2))
  .find(isLanguage);
const darkness = matchMedia("(prefers-color-scheme: dark)");

/** The language of page and game. */
const spoken = recall("lang");
export const language = signal<string>(
  spoken !== null && isLanguage(spoken) ? spoken : (wished ?? "en"),
);

/** light, dark, or as the system has it. */
export const theme = signal<"light" | "dark" | "system">(
  (recall("theme") as "light" | "dark" | null) ?? "system",
);

const dark = signal(darkness.matches);
darkness.addEventListener("change", (event) => {
  dark.value = event.matches;
});

/** What is wished for one seat of one game. `ask_forced`: to be asked even if there is one choice only; `pass_alone`: that windows are passed in which one can only pass; `ask_react`: who passes until the phase ends is asked where he could do something else; `confirm_all`: every choice is to be said twice. */
export interface SeatPreferences {
  ask_forced: boolean;
  pass_alone: boolean;
  ask_react: boolean;
  confirm_all: boolean;
}

const NONE: SeatPreferences = {
    ask_forced: false,
    pass_alone: false,
    ask_react: false,
    confirm_all: false,
  },
  changes = signal(0);

const nameOf = (table: string, seat: string): string => `wishes ${table} ${seat}`;

/** The wishes for a seat of a game; what reads them hears of changes. */
export function seatPreferencesOf(table: string, seat: string): SeatPreferences {
  void changes.value;
  const kept = (recall(nameOf(table, seat)) ?? "").split(" ");
  return Object.fromEntries(
    Object.keys(NONE).map((wish) => [wish, kept.includes(wish)]),
  ) as unknown as SeatPreferences;
}

export function setSeatPreference(
  table: string,
  seat: string,
  name: keyof SeatPreferences,
  yes: boolean,
): void {
  const all = Object.entries({ ...seatPreferencesOf(table, seat), [name]: yes }).flatMap(
    ([each, wished]) => (wished ? [each] : []),
  );
  if (all.length > 0) keep(nameOf(table, seat), all.join(" "));
  else forget(nameOf(table, seat));
  changes.value += 1;
}

export const shownTheme = (): "light" | "dark" =>
  theme.value === "system" ? (dark.value ? "dark" : "light") : theme.value;

export function chooseLanguage(lang: string): void {
  language.value = lang;
  keep("lang", lang);
}

export function turnTheme(): void {
  theme.value = shownTheme() === "dark" ? "light" : "dark";
  keep("theme", theme.value);
}

/** Writes language and theme to the page itself, now and whenever they change. */
export function dress(): void {
  effect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dataset.theme = shownTheme();
  });
}
