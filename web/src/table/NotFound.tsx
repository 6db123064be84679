// Renders a page that says why there is nothing to show, with a link to the start page.
import { useEffect } from "preact/hooks";
import { sayIn } from "../i18n/say";
import { language } from "../preferences";

/** `why`: the server's reason. Without it the page does not exist. */
export function NotFound({ why }: { why?: string }) {
  const say = sayIn(language.value);
  useEffect(() => {
    document.title = "rulekit";
  }, []);
  return (
    <main class="empty-table">
      <div role="alert">
        <p>{why ?? say("nothingHere")}</p>
        <a class="act" href="/">
          {say("toHall")}
        </a>
      </div>
    </main>
  );
}
