// Says the words of the browser client in a language.

import * as en from "./en";
import * as fr from "./fr";
import { filled, type Gaps } from "./gaps";

export type Word = keyof typeof en.page | keyof typeof en.online;

/** What the page itself can speak. */
export const LANGUAGES = {
  en: { ...en.online, ...en.page },
  fr: { ...fr.online, ...fr.page },
} satisfies Record<string, Record<Word, string>>;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (lang: string): lang is Language => lang in LANGUAGES;

export type Say = (word: Word, gaps?: Gaps) => string;

/** Speaks a language; one that the page does not have is English. */
export function sayIn(lang: string): Say {
  const words: Record<Word, string> = isLanguage(lang) ? LANGUAGES[lang] : LANGUAGES.en;
  return (word, gaps = {}) => filled(words[word], gaps, lang);
}
