// Fills the gaps of a text.

export type Gaps = Record<string, string | number>;

/**
 * A text with its gaps filled.
 *
 * `{n}` is the value of `n`. `{n:decision|decisions}` is that number and the noun in the singular or the
 * plural, as the language wants it.
 */
export const filled = (text: string, gaps: Gaps, lang: string): string =>
  text.replace(
    /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g,
    (_, gap: string, one: string | undefined, many: string) => {
      const value = String(gaps[gap] ?? "");
      return one === undefined ? value : `${value} ${isOne(value, lang) ? one : many}`;
    },
  );

/** Whether a written whole number, such as "1,000" or "−1", takes the singular. */
const isOne = (written: string, lang: string): boolean =>
  new Intl.PluralRules(lang).select(Number(written.replace(/\D/g, ""))) === "one";
