// A page for developing the table without a server: a socket replays one recorded moment.
// `?at=FILE` names it, `?odds` opens the odds.
import { render } from "preact";
import { dress } from "../src/preferences";
import type { Forecast, Odds, Refusal, ServerMessage, State, Table } from "../src/protocol.gen";
import type { Asking, Socket, SocketListener } from "../src/socket";
import { NotDone } from "../src/socket";
import { TablePage } from "../src/table/TablePage";

interface Moment {
  table: Table;
  state: State;
  odds: Odds | null;
  forecast: Forecast | null;
}

/** Tells the moment, and answers what the moment holds; all else is refused. */
class Replayed implements Socket {
  private ears: SocketListener | null = null;

  constructor(private readonly moment: Moment) {}

  open(ears: SocketListener): void {
    this.ears = ears;
    ears.health("up", "");
  }

  async ask(what: Asking): Promise<ServerMessage> {
    const answer = (value: unknown): ServerMessage => ({
      type: "answer",
      re: 0,
      value: value as never,
    });
    switch (what.type) {
      case "sit":
        this.ears?.received({ ...this.moment.table, seat: what.seat ?? this.moment.table.seat });
        this.ears?.received(this.moment.state);
        return this.moment.table;
      case "odds":
        if (this.moment.odds !== null) return answer(this.moment.odds);
        break;
      case "forecast":
        if (this.moment.forecast !== null && what.keys[0] === this.moment.forecast.keys[0])
          return answer(this.moment.forecast);
        break;
      case "frame":
        return answer({ ...this.moment.state.position, choice: what.choice });
      case "why_not":
        return answer([
          {
            key: what.thing,
            text: "it has moved in this turn",
            ref: ["3.1"],
            cause: "when",
            of: [what.thing],
          },
        ] satisfies Refusal[]);
      default:
        break;
    }
    console.info("asked", JSON.stringify(what));
    throw new NotDone("a recorded moment does not go on");
  }

  retry(): void {
    this.ears?.health("up", "");
  }

  shut(): void {
    this.ears = null;
  }
}

const query = new URLSearchParams(location.search);
dress();
void fetch(`${query.get("at") ?? "moment"}.json`)
  .then((answer) => answer.json())
  .then((moment: Moment) => {
    render(
      <TablePage link={new Replayed(moment)} seat={moment.table.seat} />,
      document.getElementById("page")!,
    );
  });
