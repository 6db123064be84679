// Renders the right end of a header: languages, theme, and the controls that the page adds.
import type { ComponentChildren } from "preact";
import { isLanguage, LANGUAGES, type Say } from "../i18n/say";
import { chooseLanguage, language, shownTheme, turnTheme } from "../preferences";
import { Icon } from "./Icon";

interface Props {
  say: Say;
  languages?: readonly string[];
  /** The text after the theme's name: its key, if there is one. */
  hint?: string;
  children?: ComponentChildren;
}

export function Tools({ say, languages = Object.keys(LANGUAGES), hint = "", children }: Props) {
  return (
    <div class="tools">
      <LanguageButtons languages={languages} />
      <button
        type="button"
        class="tool"
        aria-label={say("theme")}
        title={`${say("theme")}${hint}`}
        onClick={turnTheme}
      >
        <Icon name={shownTheme() === "dark" ? "sun" : "moon"} />
      </button>
      {children}
    </div>
  );
}

function LanguageButtons({ languages }: { languages: readonly string[] }) {
  const known = languages.filter(
    (lang) => isLanguage(lang) || languages.length > Object.keys(LANGUAGES).length,
  );
  return (
    <div class="lang" role="group">
      {known.map((lang) => (
        <button
          type="button"
          key={lang}
          lang={lang}
          aria-pressed={lang === language.value}
          onClick={() => chooseLanguage(lang)}
        >
          {lang.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
