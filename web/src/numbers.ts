// Formats numbers in the current language: leads with their sign, shares as percentages.
import { language } from "./preferences";

export const number = (n: number, digits: number, more: Intl.NumberFormatOptions = {}): string =>
  n
    .toLocaleString(language.value, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      ...more,
    })
    .replace("-", "−");

export const whole = (n: number): string => number(n, 0);

/** A lead with its sign. */
export const lead = (n: number, digits = 1): string =>
  number(n, digits, { signDisplay: "exceptZero" });

/** A share as an integer percentage, but 0 or 100 only for exactly these shares. */
export function percentage(share: number): string {
  const round = Math.round(100 * share);
  if (share > 0 && round === 0) return "< 1\u00a0%";
  if (share < 1 && round === 100) return "> 99\u00a0%";
  return `${round}\u00a0%`;
}
