// Formats clock rules and remaining times, and reads the clock rule from the form.
import type { Say } from "../i18n/say";

export type Kind = "none" | "move" | "fischer" | "days";

/** A clock as it is chosen, and its name on the server. */
export interface Chosen {
  kind: Kind;
  minutes: string;
  seconds: string;
  days: string;
}
export function ruleOf(chosen: Chosen): string {
  const whole = (text: string): number => Math.round(Number(text));
  if (chosen.kind === "move") return `move:${Math.round(Number(chosen.minutes) * 60)}`;
  if (chosen.kind === "fischer")
    return `fischer:${Math.round(Number(chosen.minutes) * 60)}+${whole(chosen.seconds)}`;
  return chosen.kind === "days" ? `days:${whole(chosen.days)}` : "none";
}

const two = (n: number): string => String(n).padStart(2, "0");

/** Seconds as a clock shows them: 0:09, 12:34, 1:02:03, 2 d 3 h. */
export function shown(seconds: number, say: Say): string {
  const whole = Math.max(0, Math.ceil(seconds)),
    days = Math.floor(whole / 86400),
    hours = Math.floor((whole % 86400) / 3600),
    minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return say("daysHours", { d: days, h: hours });
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
}

/** A duration in the largest unit that fits: 90 s, 5 min, 2 d. */
function length(seconds: number, say: Say): string {
  if (seconds % 86400 === 0) return say("nDays", { n: seconds / 86400 });
  if (seconds % 3600 === 0) return say("nHours", { n: seconds / 3600 });
  return seconds % 60 === 0
    ? say("nMinutes", { n: seconds / 60 })
    : say("nSeconds", { n: seconds });
}

/** The text of a clock's rule, from the form of the server. */
export function ruleText(rule: string, say: Say): string {
  const [kind, numbers = ""] = rule.split(":"),
    [first = 0, more = 0] = numbers.split("+").map(Number);
  if (kind === "move") return say("clockEach", { time: length(first, say) });
  if (kind === "days") return say("clockEach", { time: length(first * 86400, say) });
  if (kind === "fischer")
    return say("clockFischer", { time: length(first, say), more: length(more, say) });
  return say("clockNone");
}
