// Fills the gaps of a text.

export type Gaps = Record<string, string | number>;

/** A text with what stands for {n} and the like. */
export const filled = (text: string, gaps: Gaps): string =>
  text.replace(/\{(\w+)\}/g, (_, gap: string) => String(gaps[gap] ?? ""));
