// The entry point: shows the page of the current address. That is the start page, a table or, on
// the online server, one of its pages.
import { render } from "preact";
import { Hall } from "./home/Hall";
import { Pages } from "./online/Pages";
import { meet } from "./online/session";
import { TableState } from "./online/tableState";
import { dress, language } from "./preferences";
import { ReconnectingSocket } from "./socket";
import { NotFound } from "./table/NotFound";
import { TablePage } from "./table/TablePage";

const page = document.getElementById("page")!,
  isOnline = page.dataset.server === "online",
  id = /^\/table\/([^/]+)\/?$/.exec(location.pathname)?.[1];

dress();
if (id !== undefined) {
  const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/tables/${id}/wire?lang=${language.value}`,
    seat = new URLSearchParams(location.search).get("seat");
  if (isOnline) void meet().catch(() => undefined);
  render(
    <TablePage
      link={new ReconnectingSocket(address)}
      seat={seat}
      beside={isOnline ? new TableState(decodeURIComponent(id)) : null}
    />,
    page,
  );
} else {
  render(
    isOnline ? (
      <Pages path={location.pathname} />
    ) : location.pathname === "/" ? (
      <Hall />
    ) : (
      <NotFound />
    ),
    page,
  );
}
