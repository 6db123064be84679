// Makes the foot of the pages beside the tables: whose work rides along, and where its licences are.
import type { Say } from "../i18n/words";

export const Licences = ({ say }: { say: Say }) => (
  <footer class="licences">
    <a href="/page/licences.txt">{say("licences")}</a>
  </footer>
);
