// Takes the page's address, shows the hall (what can be played) or a table; where there are people, the lobby and what belongs to it.
import { render } from "preact";
import { Hall } from "./home/Hall";
import { SocketLink } from "./socket";
import { Beside } from "./online/tableState";
import { Pages } from "./online/Pages";
import { meet } from "./online/session";
import { dress, language } from "./preferences";
import { Nowhere } from "./table/NotFound";
import { TablePage } from "./table/TablePage";

const page = document.getElementById("page")!,
  people = page.dataset["house"] === "people",
  id = /^\/table\/([^/]+)\/?$/.exec(location.pathname)?.[1];

dress();
if (id !== undefined) {
  const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/tables/${id}/wire?lang=${language.value}`,
    seat = new URLSearchParams(location.search).get("seat");
  if (people) void meet().catch(() => undefined);
  render(<TablePage link={new SocketLink(address)} seat={seat} beside={people ? new Beside(decodeURIComponent(id)) : null} />, page);
} else {
  render(people ? <Pages path={location.pathname} /> : location.pathname === "/" ? <Hall /> : <Nowhere />, page);
}
