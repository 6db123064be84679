// What a browser remembers of its user: language and theme.
import { effect, signal } from "@preact/signals";
import { isLanguage } from "./words";

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

const wished = (navigator.languages ?? [navigator.language]).map((lang) => lang.slice(0, 2)).find(isLanguage);
const darkness = matchMedia("(prefers-color-scheme: dark)");

/** The language of page and game. */
const spoken = recall("lang");
export const language = signal<string>(spoken !== null && isLanguage(spoken) ? spoken : (wished ?? "en"));

/** light, dark, or as the system has it. */
export const theme = signal<"light" | "dark" | "system">((recall("theme") as "light" | "dark" | null) ?? "system");

const dark = signal(darkness.matches);
darkness.addEventListener("change", (event) => {
  dark.value = event.matches;
});

/** Is one asked even if there is one choice only? Are windows passed in which one can only pass? */
export const askForced = signal(recall("ask_forced") === "yes");
export const passAlone = signal(recall("pass_alone") === "yes");

export function prefer(name: "ask_forced" | "pass_alone", yes: boolean): void {
  (name === "ask_forced" ? askForced : passAlone).value = yes;
  keep(name, yes ? "yes" : "no");
}

export const shownTheme = (): "light" | "dark" => (theme.value === "system" ? (dark.value ? "dark" : "light") : theme.value);

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
    document.documentElement.dataset["theme"] = shownTheme();
  });
}
