// Preferences that the browser keeps: language, theme, and the options of each seat of a game.
import { effect, signal } from "@preact/signals";
import { isLanguage } from "./i18n/say";

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

/** Light, dark, or that of the system. */
export const theme = signal<"light" | "dark" | "system">(
  (recall("theme") as "light" | "dark" | null) ?? "system",
);

const dark = signal(darkness.matches);
darkness.addEventListener("change", (event) => {
  dark.value = event.matches;
});

/**
 * Preferences for one seat of one game. `ask_forced`: ask even if there is only one option. `pass_alone`:
 * pass windows in which one can only pass. `ask_react`: while passing until the phase ends, ask if there is
 * another option. `confirm_all`: every choice needs a confirmation.
 */
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

/** The preferences for a seat of a game. Readers are notified of changes. */
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

/** Apply language and theme to the page, now and at each change. */
export function dress(): void {
  effect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dataset.theme = shownTheme();
  });
}
