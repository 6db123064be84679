// Says the words of the map in a language, also where it is drawn without a browser.

import { map as ENGLISH } from "./en";
import { map as FRENCH } from "./fr";
import { filled, type Gaps } from "./gaps";

export type MapWord = keyof typeof ENGLISH;

/** A word of the map. */
export const sayOnMap = (lang: string, word: MapWord, gaps: Gaps = {}): string =>
  filled((lang.startsWith("fr") ? FRENCH : ENGLISH)[word], gaps, lang);

/** How many pieces there are. */
export const countPieces = (lang: string, n: number): string =>
  n === 1 ? sayOnMap(lang, "piece") : sayOnMap(lang, "pieces", { n });

/** How many pieces are chosen. */
export const countChosen = (lang: string, n: number): string =>
  n === 1 ? sayOnMap(lang, "selectedOne") : sayOnMap(lang, "selected", { n });
