// Takes a text and a font, makes its width: by the browser, or roughly where there is none.

export type Measure = (text: string, font: string) => number;

const brush = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
const kept = new Map<string, number>();

/** Widths in units of the font's pixels. They change once, when the fonts of the page have come: `forget` then. */
export const measure: Measure = (text, font) => {
  const name = `${font}|${text}`;
  let width = kept.get(name);
  if (width === undefined) {
    if (brush) {
      brush.font = font;
      width = brush.measureText(text).width;
    } else width = text.length * 7;
    kept.set(name, width);
  }
  return width;
};

export const forget = (): void => kept.clear();
