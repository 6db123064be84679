// Renders the frame of every online page except the tables: navigation and the current user.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type Say, sayIn } from "../i18n/say";
import { language } from "../preferences";
import { Licences } from "../table/Licences";
import { Tools } from "../table/Tools";
import { signOut } from "./api";
import { goTo, me } from "./session";

export type Here = "lobby" | "account" | "admin" | "join";

export function PageFrame({
  here,
  title,
  children,
}: {
  here: Here;
  title: string;
  children(say: Say): ComponentChildren;
}) {
  const say = sayIn(language.value),
    who = me.value;
  useEffect(() => {
    document.title = title === "" ? "rulekit" : `${title} · rulekit`;
  }, [title]);
  const way = (to: Here, path: string, word: string) => (
    <a href={path} aria-current={here === to ? "page" : undefined}>
      {word}
    </a>
  );
  return (
    <div class="hall online">
      <a class="skip" href="#main">
        {say("skipToPage")}
      </a>
      <header class="top">
        <div class="title">
          <a class="name" href="/">
            rulekit
          </a>
        </div>
        {who?.name != null && (
          <nav class="ways" aria-label={say("pages")}>
            {way("lobby", "/", say("lobby"))}
            {way("account", "/account", say("account"))}
            {who.admin && way("admin", "/admin", say("admin"))}
          </nav>
        )}
        {who?.name != null && (
          <div class="self">
            <span class="whoami" title={who.guest ? say("guest") : undefined}>
              <span class="unseen">{say("signedInAs")} </span>
              <bdi>{who.name}</bdi>
            </span>
            <button
              type="button"
              class="tool wide-text"
              onClick={() => void signOut().then(() => goTo("/"))}
            >
              {say("signOut")}
            </button>
          </div>
        )}
        <Tools say={say} />
      </header>
      <main id="main" class={`on-${here}`} tabIndex={-1}>
        {children(say)}
      </main>
      <Licences say={say} />
    </div>
  );
}
