// Formats times as moments and as "how long ago".
import { language } from "../preferences";

/** The elapsed time in words of the language. `seconds`: since 1970. */
export function ago(seconds: number): string {
  const past = seconds - Date.now() / 1000,
    words = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  for (const [unit, length] of [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ] as const)
    if (-past >= length) return words.format(Math.round(past / length), unit);
  return words.format(0, "minute");
}

/** The time or the day of a message. */
export function moment(seconds: number): string {
  const at = new Date(seconds * 1000),
    today = at.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(
    language.value,
    today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" },
  ).format(at);
}
