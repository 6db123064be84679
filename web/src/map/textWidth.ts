// Measures the width of a text: by the browser or, without one, by the fonts' own letter widths.
import { WIDTHS } from "./letterWidths";

export type Measure = (text: string, font: string) => number;

const brush =
  typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
const kept = new Map<string, number>();

/**
 * Widths in units of the font's pixels. They change once, when the fonts of the page are loaded. Call
 * `forget` then.
 */
export const measure: Measure = (text, font) => {
  const name = `${font}|${text}`;
  let width = kept.get(name);
  if (width === undefined) {
    if (brush) {
      brush.font = font;
      width = brush.measureText(text).width;
    } else width = summed(text, font);
    kept.set(name, width);
  }
  return width;
};

export const forget = (): void => kept.clear();

/**
 * The width of a text as the sum of its letters. An accented letter is as wide as the plain one, and a letter
 * missing from the tables as an n.
 */
export function summed(text: string, font: string): number {
  const widths =
      WIDTHS[
        font.includes("Garamond") ? (font.includes("italic") ? "italic" : "serif") : "sans"
      ].split(" "),
    size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 16);
  let sum = 0;
  for (const letter of text.normalize("NFD").replace(/\p{M}/gu, ""))
    sum += Number(widths[letter.charCodeAt(0) - 32] ?? widths[78]);
  return (sum * size) / 100;
}
