// Renders the link to the licences of bundled packages, at the foot of a page.
import type { Say } from "../i18n/say";

export const Licences = ({ say }: { say: Say }) => (
  <footer class="licences">
    <a href="/page/licences.txt">{say("licences")}</a>
  </footer>
);
