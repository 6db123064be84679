// Computes the highlights of the map, and its pointer handlers, from the view state.
import type { Game } from "./game";
import { idOf, idsOf, roleOf } from "./handle";
import type { Highlights, PointerHandlers, Target } from "./map/highlights";
import type { MoveBuilder } from "./moveBuilder";
import { summed } from "./moveDraft";
import type { Points } from "./protocol.gen";
import { pointsText } from "./table/Text";
import type { ViewState } from "./viewState";

export function highlightsOf(view: ViewState, game: Game): Highlights {
  const { planner } = view,
    plan = planner.plan.value,
    pointed = view.glow.value,
    glow = new Set([
      ...pointed,
      ...planner.hinted.value,
      ...(pointed.size > 0 ? [] : view.analyst.lit.value),
    ]);
  if (plan === null)
    return {
      legal: new Set(),
      chosen: new Set(),
      targets: new Map(),
      origin: null,
      route: null,
      glow,
      sure: true,
      fade: false,
      open: planner.open.value,
      focus: placesOf(view),
    };
  const legal = plan.legal(),
    lit = plan.lit();
  const targets = new Map<string, Target>(
    [...lit].map(([id, each]) => [
      id,
      {
        cost: pointsText(
          game,
          each.reach === null ? each.cost : beyond(each.cost, plan.ahead?.cost ?? []),
        ),
        fight: each.reach?.fight != null,
        sure: each.reach === null || each.reach.stopped_by === null,
      },
    ]),
  );
  for (const id of planner.landings.value.keys())
    targets.set(id, { cost: "", fight: false, sure: true });
  const shown = plan.clicks.aimed ?? planner.hovered.value,
    reach = shown === null ? null : (lit.get(shown)?.reach ?? null),
    origin = plan.origin();
  const picked = plan.clicks.picked;
  const focus = new Set(
    [...[...legal].map((id) => plan.ground.at.get(id)), ...targets.keys()].filter(
      (place) => place !== undefined,
    ),
  );
  return {
    legal,
    chosen: new Set(idsOf(picked, "piece")),
    targets,
    origin: picked.length > 0 ? origin : null,
    route:
      reach === null || reach.way.length === 0
        ? null
        : [...(origin === null || reach.way[0] === origin ? [] : [origin]), ...reach.way],
    glow: new Set([...glow, ...picked.filter((each) => roleOf(each) === "place")]), // a chosen place glows
    sure: !planner.seeking.value,
    fade: plan.isMove && picked.length > 0 && lit.size > 0,
    open: planner.open.value,
    focus: [...focus],
  };
}

/** The places that stay highlighted in the past. */
const placesOf = (view: ViewState): string[] => [
  ...new Set(
    [...view.analyst.lit.value].flatMap((each) =>
      roleOf(each) === "place" ? [idOf(each)] : (view.store.board.value?.at.get(idOf(each)) ?? []),
    ),
  ),
];

/**
 * The cost of a place beyond that of beginning the move, which is the same for all places and is part of the
 * prompt.
 */
function beyond(cost: readonly Points[], lead: readonly Points[]): Points[] {
  const paid = summed(lead);
  return summed(cost).filter(
    (each) => !paid.some((known) => known.unit === each.unit && known.amount === each.amount),
  );
}

export function pointerHandlersOf(view: ViewState): PointerHandlers {
  const planner: MoveBuilder = view.planner;
  const legal = (id: string): boolean => planner.plan.value?.legal().has(id) ?? false;
  const place = (id: string): void => {
    if (planner.plan.value?.lit().has(id) || planner.landings.value.has(id)) planner.aim(id);
    else planner.open.value = planner.open.value === id ? null : id;
  };
  return {
    piece(id) {
      const at = view.store.board.value?.at.get(id);
      if (legal(id)) planner.pick(id);
      else if (at !== undefined && planner.plan.value?.lit().has(at)) planner.aim(at);
      else if (at !== undefined && planner.open.value !== at) planner.open.value = at;
    },
    pile(ids, at) {
      const may = ids.filter(legal);
      if (may.length === 0 && planner.plan.value?.lit().has(at)) {
        planner.aim(at);
        return;
      }
      if (may.length === 1 && planner.open.value !== at) planner.pick(may[0]!);
      planner.open.value = at;
    },
    place,
    hover(id) {
      planner.hovered.value = id;
    },
    close() {
      planner.open.value = null;
    },
    all(ids, wholly = false) {
      const at =
        (ids[0] === undefined ? undefined : planner.plan.value?.ground.at.get(ids[0])) ??
        planner.open.value;
      if (at !== null) planner.exactly(ids, at, wholly);
    },
    late(id) {
      planner.aimSoon(id);
    },
  };
}
