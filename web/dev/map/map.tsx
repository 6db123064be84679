// Shows a message of a file (?file=/x.json) on the map alone: ?theme, lang, pick=ids, fan=place, hover=place, glow=ids, panel=legend. For looking at, not in the bundle.

import { render } from "preact";
import { useState } from "preact/hooks";
import { Board, Game } from "../../src/game";
import { handle } from "../../src/handle";
import { type Highlights, NO_HIGHLIGHTS, type Target } from "../../src/map/highlights";
import { MapView } from "../../src/map/MapView";
import type { Forecast, Points, State, Table } from "../../src/protocol.gen";
import { Forces } from "../../src/sidebar/Forces";
import { Legend } from "../../src/sidebar/Legend";

interface Messages {
  table: Table;
  state: State;
  forecast?: Forecast | null;
}
const query = new URLSearchParams(location.search),
  list = (name: string): string[] => (query.get(name) ?? "").split(",").filter(Boolean);

function Page({ table, state, forecast }: Messages) {
  const [game] = useState(() => new Game(table.sheet)),
    [board] = useState(() => new Board(game, state.position));
  const [chosen, choose] = useState(new Set(list("pick"))),
    [open, setOpen] = useState(query.get("fan")),
    [hover, setHover] = useState(query.get("hover")),
    lang = query.get("lang") ?? "en";
  const cost = (points: Points[]): string =>
    points.map((each) => `${each.amount ?? "?"} ${game.unit(each.unit)}`).join(" ");
  const options = state.decision?.options ?? [],
    member = (
      role: string,
      params: Record<string, unknown>,
      types: Record<string, { role: string }>,
    ): string[] =>
      Object.keys(types)
        .filter((name) => types[name]!.role === role)
        .map((name) => String(params[name]));
  const pieces = options.flatMap((each) => member("piece", each.params, each.types)),
    spots = options.flatMap((each) =>
      member("place", each.params, each.types).map((id): [string, Target] => [
        id,
        { cost: cost(each.cost), fight: false, sure: true },
      ]),
    );
  const legal = new Set(pieces),
    targets = new Map<string, Target>(spots);
  const ahead = chosen.size || !legal.size ? (forecast?.places ?? []) : [];
  for (const each of ahead)
    targets.set(each.place, {
      cost: cost(each.cost),
      fight: each.fight !== null,
      sure: query.has("unsure") ? each.stopped_by === null : true,
    });
  const origin = chosen.size ? (board.at.get([...chosen][0]!) ?? null) : null,
    way = ahead.find((each) => each.place === hover)?.way;
  const marks: Highlights = {
    ...NO_HIGHLIGHTS,
    legal,
    chosen,
    targets,
    origin,
    route: origin && way ? [origin, ...way] : null,
    open,
    fade: chosen.size > 0,
    glow: new Set(list("glow").map((id) => handle(game.places.has(id) ? "place" : "piece", id))),
    sure: true,
    focus: [
      ...new Set([...targets.keys(), ...[...legal].map((id) => board.at.get(id)!).filter(Boolean)]),
    ],
  };
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  return (
    <>
      <main>
        <MapView
          game={game}
          board={board}
          marks={marks}
          lang={lang}
          on={{
            piece: toggle,
            pile: (_, place) => setOpen(place),
            place: (id) => {
              console.log("place", id);
              setOpen(null);
            },
            hover: setHover,
            late: () => {},
            close: () => setOpen(null),
            all: (ids) => choose(new Set(ids)),
          }}
        />
      </main>
      <aside>
        {query.get("panel") === "legend" ? (
          <Legend game={game} lang={lang} />
        ) : (
          <Forces game={game} board={board} lang={lang} />
        )}
      </aside>
    </>
  );
}

document.documentElement.dataset.theme = query.get("theme") ?? "light";
const messages = (await (await fetch(query.get("file") ?? "/moment.json")).json()) as Messages;
render(<Page {...messages} />, document.getElementById("page")!);
