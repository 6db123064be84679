// Takes the page's address, shows the hall (what can be played) or a table.
import { render } from "preact";

render(<p>rulekit</p>, document.getElementById("page")!);
