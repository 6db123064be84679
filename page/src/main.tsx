// Takes the page's address, shows the hall (what can be played) or a table.
import { render } from "preact";
import { Hall } from "./hall/Hall";
import { SocketLink } from "./link";
import { dress } from "./remembered";
import { TablePage } from "./shell/TablePage";

const page = document.getElementById("page")!;
const found = /^\/table\/([^/]+)\/?$/.exec(location.pathname);

dress();
if (found === null) {
  render(<Hall />, page);
} else {
  const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/tables/${found[1]}/wire`;
  render(<TablePage link={new SocketLink(address)} seat={new URLSearchParams(location.search).get("seat")} />, page);
}
