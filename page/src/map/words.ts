// Takes a language and a key, makes the map's own words. All that is said of a game comes from the game.

const ENGLISH = {
  map: "map", may: "may be clicked", fight: "a fight", unsure: "may be interrupted", pieces: "{n} pieces", piece: "1 piece", selected: "{n} selected", all: "All", none: "None", close: "Close",
  in: "Zoom in", out: "Zoom out", whole: "Whole map", here: "Zoom to the decision", unknown: "unknown", chosen: "chosen", reduced: "reduced", weak: "reduced face", bonus: "bonus",
  several: "a pile of several", band: "band", counters: "Pieces", ground: "Ground", lines: "Borders", river: "river", wall: "wall", "wall-broken": "broken wall", "wall-planned": "wall that may be built",
  coast: "coast", road: "road", cliff: "cliff", closed: "no passage", bridge: "bridge", gate: "gate", ford: "ford", cross: "crossing", holds: "held by {s}", nobody: "Nobody", off: "cannot be chosen",
  lit: "Gold: may be clicked now", red: "Red: going there is a fight", stack: "Pieces in {p}", leaders: "stands by itself",
};
const FRENCH: typeof ENGLISH = {
  map: "carte", may: "peut être cliqué", fight: "un combat", unsure: "peut être interrompu", pieces: "{n} pions", piece: "1 pion", selected: "{n} choisis", all: "Tous", none: "Aucun", close: "Fermer",
  in: "Agrandir", out: "Réduire", whole: "Carte entière", here: "Aller à la décision", unknown: "inconnu", chosen: "choisi", reduced: "affaibli", weak: "face affaiblie", bonus: "bonus",
  several: "une pile de plusieurs pions", band: "bande", counters: "Pions", ground: "Terrain", lines: "Frontières", river: "fleuve", wall: "mur", "wall-broken": "mur incomplet", "wall-planned": "mur à bâtir",
  coast: "côte", road: "route", cliff: "falaise", closed: "passage interdit", bridge: "pont", gate: "porte", ford: "gué", cross: "passage", holds: "tenu par {s}", nobody: "Personne", off: "ne peut être choisi",
  lit: "Or : peut être cliqué", red: "Rouge : y aller est un combat", stack: "Pions en {p}", leaders: "se tient seul",
};
export type Word = keyof typeof ENGLISH;

/** `gaps`: what stands for {n} and the like. */
export const say = (lang: string, word: Word, gaps: Record<string, string | number> = {}): string =>
  (lang.startsWith("fr") ? FRENCH : ENGLISH)[word].replace(/\{(\w+)\}/g, (_, gap: string) => String(gaps[gap] ?? ""));

/** So many pieces. */
export const count = (lang: string, n: number): string => (n === 1 ? say(lang, "piece") : say(lang, "pieces", { n }));
