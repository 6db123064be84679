// Takes times, makes what a person reads of them: how long ago, how much is left, what a clock's rule says.
import { language } from "../remembered";
import type { Say } from "../words";

/** How long ago, in the words of the language. `seconds`: since 1970. */
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

const two = (n: number): string => String(n).padStart(2, "0");

/** Seconds as a clock shows them: 0:09, 12:34, 1:02:03; 2 d 3 h. */
export function shown(seconds: number, say: Say): string {
  const whole = Math.max(0, Math.ceil(seconds)),
    days = Math.floor(whole / 86400),
    hours = Math.floor((whole % 86400) / 3600),
    minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return say("daysHours", { d: days, h: hours });
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The time of day, or the day, of something that was said. */
export function moment(seconds: number): string {
  const at = new Date(seconds * 1000),
    today = at.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(language.value, today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" }).format(at);
}

/** A length in the greatest unit that fits: 90 s, 5 min, 2 d. */
function length(seconds: number, say: Say): string {
  if (seconds % 86400 === 0) return say("nDays", { n: seconds / 86400 });
  if (seconds % 3600 === 0) return say("nHours", { n: seconds / 3600 });
  return seconds % 60 === 0 ? say("nMinutes", { n: seconds / 60 }) : say("nSeconds", { n: seconds });
}

/** What the rule of a clock says, as the server writes it. */
export function ruleText(rule: string, say: Say): string {
  const [kind, numbers = ""] = rule.split(":"),
    [first = 0, more = 0] = numbers.split("+").map(Number);
  if (kind === "move") return say("clockEach", { time: length(first, say) });
  if (kind === "days") return say("clockEach", { time: length(first * 86400, say) });
  if (kind === "fischer") return say("clockFischer", { time: length(first, say), more: length(more, say) });
  return say("clockNone");
}
