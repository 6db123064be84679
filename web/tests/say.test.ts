// Texts with a number use the singular and the plural of their language.

import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES, sayIn, type Word } from "../src/i18n/say";

test("one is singular, and zero is singular in French only", () => {
  const words = (lang: string) => [0, 1, 2].map((n) => sayIn(lang)("choicesN", { n }));
  deepEqual(words("en"), ["0 decisions", "1 decision", "2 decisions"]);
  deepEqual(words("fr"), ["0 décision", "1 décision", "2 décisions"]);
});

test("a written number counts as well", () => {
  const say = sayIn("en");
  equal(say("pointsDown", { n: "−1" }), "−1 point for you");
  equal(say("visitsN", { n: "1,000" }), "1,000 visits");
});

test("an English number has a singular or plural noun with it", () => {
  const loose = Object.entries(LANGUAGES.en).filter(([, text]) =>
    /(?<!of )\{n\} (?!is |was |has )[a-z]+s\b/.test(text),
  );
  deepEqual(loose, []);
});

test("the languages count in the same texts", () => {
  const counting = (lang: keyof typeof LANGUAGES) =>
    (Object.keys(LANGUAGES[lang]) as Word[]).filter((word) => /\{n:/.test(LANGUAGES[lang][word]));
  const french = new Set(counting("fr"));
  deepEqual(
    counting("en").filter((word) => !french.has(word)),
    [],
  );
});
