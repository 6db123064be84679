// Made by web/wiretypes.py of the Python classes that go over the wire; not to be edited.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A piece of a text, and what it names: a piece, a place, a side, or a thing. */
export type Span =
  | string
  | { text: string; piece?: string; place?: string; side?: string; thing?: string };

/**
 * The constant data of a game.
 *
 * Attributes:
 *     units: by name, the long and the short word of a unit.
 *     look: the drawing, with `sides`, `terrain`, `counter`, `boxes`, `scenery`, `art`, `frame`,
 *         `rough` and the roles `seat`, `cards` and `combat`.
 *     paragraphs: the texts of rule paragraphs, by number, as far as the game has them.
 *     card_kind: the kind of the cards in hands.
 *     face_kind: the kind of `faces`.
 *     cells: the kinds of each single-key state, by its name in a position.
 */
export interface Sheet {
  game: string;
  title: string;
  version: string;
  rules: string;
  scenario: string;
  scenario_title: string;
  rulings: Record<string, string>;
  lang: string;
  languages: string[];
  sides: Member[];
  kinds: Kind[];
  pieces: Pieces[];
  map: Geography;
  tracks: Track[];
  faces: Face[];
  units: Record<string, Record<string, string>>;
  look: Record<string, Json>;
  paragraphs: Record<string, string>;
  card_kind: string | null;
  face_kind: string | null;
  cells: Record<string, Cell>;
}
/**
 * A member of a kind.
 *
 * Attributes:
 *     label: its name for people.
 *     short: its text on a counter.
 *     printed: its attributes by name: a number, a bool, an id, a list of ids, or None for a
 *         missing value.
 */
export interface Member {
  id: string;
  label: string;
  short: string;
  printed: Record<string, Json>;
}
/**
 * A kind and its members.
 *
 * Attributes:
 *     sort: piece, place, border, side or thing.
 *     ordered: True if its members are in rising order.
 *     secret: True if players may not always know which member they see.
 */
export interface Kind {
  name: string;
  label: string;
  sort: string;
  attributes: Attribute[];
  members: Member[];
  ordered: boolean;
  secret: boolean;
}
/**
 * A constant attribute of all members of a kind.
 *
 * Attributes:
 *     form: bool, int, member or set.
 *     kind: the kind of a member or set.
 *     unit: the unit of a number.
 *     low, high: the range of a number.
 */
export interface Attribute {
  name: string;
  label: string;
  form: string;
  kind: string | null;
  unit: string | null;
  low: number | null;
  high: number | null;
}
/**
 * The roles of the attributes of a kind of pieces, or None for a role without one.
 *
 * `place` and `reduced` are states. `owner` and `front` can be states. The others are printed.
 */
export interface Pieces {
  kind: string;
  place: string;
  owner: string | null;
  glyph: string | null;
  front: string | null;
  back: string | null;
  reduced: string | null;
  bonus: string | null;
  band: string | null;
}
/**
 * The map of a game.
 *
 * Attributes:
 *     closed: pairs of places that are adjacent but not joined.
 *     corners: the places that meet in a point.
 */
export interface Geography {
  spots: Spot[];
  edges: Edge[];
  closed: string[][];
  corners: Record<string, Json>[];
}
/**
 * The location of a place on the map.
 *
 * Attributes:
 *     at: its point. For a hexagon of a board it counts half cells to the right, and rows.
 *     outline: the points of its outline.
 *     box: a box as (left, top, right, bottom).
 *     hex: True for a hexagon of a board.
 *     round: True if it is drawn as a circle around its point.
 */
export interface Spot {
  id: string;
  at: [number, number] | null;
  outline: [number, number][];
  box: [number, number, number, number] | null;
  terrain: string | null;
  hex: boolean;
  round: boolean;
}
/**
 * A border between two places.
 *
 * Attributes:
 *     between: the two places.
 *     style: the style of its line.
 *     marks: the marks on it.
 *     inner: the place on its inner side.
 *     via: points of its line.
 *     one_way: True if it leads only from the first place to the second.
 */
export interface Edge {
  id: string;
  between: [string, string];
  style: string | null;
  marks: string[];
  inner: string | null;
  via: [number, number][];
  one_way: boolean;
}
/**
 * A track that shows a state or a total.
 *
 * Attributes:
 *     what: cell or total.
 *     form: int, bool, member or set.
 *     each: True if each side has one.
 *     low, high: the ends of a track of numbers.
 *     unit: the unit of the numbers.
 *     steps: names of its values.
 *     note: a definition whose value is shown next to it.
 *     seat: True if it is shown with its side and not above the map.
 */
export interface Track {
  name: string;
  what: string;
  label: string;
  form: string;
  each: boolean;
  low: number | null;
  high: number | null;
  unit: string | null;
  steps: Record<string, string>;
  note: string | null;
  seat: boolean;
}
/**
 * A face of a card.
 *
 * Attributes:
 *     text: its effect.
 *     card: the card that it belongs to.
 *     moment: the moment at which it can be played.
 *     moment_label: the name of that moment for people.
 *     side: the side that can play it, or None for any.
 *     gone: True if its use removes the card from the game.
 */
export interface Face {
  id: string;
  label: string;
  text: string;
  card: string;
  number: number | null;
  moment: string | null;
  moment_label: string | null;
  side: string | null;
  gone: boolean;
}
/** The kinds of the key and the value of a state. None stands for a number, or a yes or no. */
export interface Cell {
  key: string | null;
  value: string | null;
}
/**
 * A decision: the player who decides, the prompt and the options.
 *
 * Attributes:
 *     kind: choose, pick, group, walk, window or tie.
 *     moment: For a window, the moment that is open.
 *     procedure: The procedure that asks.
 *     spans: The prompt, with the things that it names.
 *     left: The points that are left to spend here, as far as the observer may know them.
 *     undo: Whether this seat may take back its last choice.
 *     options: The options, or None for anybody but the deciding player.
 *     forced: True if there is only one option. False for anybody but the deciding player.
 */
export interface Asked {
  player: string;
  kind: string;
  prompt: string;
  ref: string[];
  moment: string | null;
  procedure: string;
  left: Points[];
  undo: MayUndo;
  forced: boolean;
  options: Offered[] | null;
  spans: Span[];
}
/**
 * A number of points that are spent.
 *
 * Attributes:
 *     amount: The number, or None if the observer may not know it before.
 *     of: The source: a state (`points.red`), a field of a running procedure (`budget`), or the
 *         name of a movement for its allowance.
 */
export interface Points {
  amount: number | null;
  unit: string | null;
  of: string;
}
/** Whether this seat may take back its last choice. If not, `why` is the reason. */
export interface MayUndo {
  may: boolean;
  why: string;
}
/**
 * One option.
 *
 * Attributes:
 *     key: The text that takes the option (`State.apply`).
 *     verb: The first word of the key.
 *     params, types: The parameters, by name.
 *     cost: The price of the option.
 *     ends_at: For a step of a walk, the place of the group at the next decision or at its end.
 *         It may lie beyond the place of the step.
 *     may_stop: True if the group may stay there.
 *         None if this depends on a die, a draw, a reveal or hidden information.
 *         The place may be unknown for the same reasons.
 *     spans: The label, with the things that it names.
 */
export interface Offered {
  key: string;
  verb: string;
  label: string;
  params: Record<string, Json>;
  types: Record<string, ParamType>;
  cost: Points[];
  ends_at: string | null;
  may_stop: boolean | null;
  ref: string[];
  spans: Span[];
}
/**
 * The type of a parameter of an option.
 *
 * Attributes:
 *     form: member or int.
 *     kind: The name of the kind of a member.
 *     role: piece, place, side, number or thing.
 *         The data give the places of pieces. A place holds pieces, or is joined by borders.
 */
export interface ParamType {
  form: string;
  kind: string | null;
  role: string;
}
/**
 * The whole position, as an observer may know it.
 *
 * Attributes:
 *     choice: The number of choices made, as the observer can count them.
 *         See `rulekit.engine.knowledge.observable_history`.
 *     state, pools, unknown: As in `State.view`.
 *     tracks: By name, the value, or the value of each side.
 *     notes: The texts next to the tracks.
 *     seats: For each side, the values that the drawing names.
 *         They are score, points, hand (a number of things), roll and leads.
 *     initiative: The side that has the initiative.
 *     undo: None for a spectator.
 */
export interface Position {
  choice: number;
  decides: string | null;
  result: Record<string, Json> | null;
  running: Running[];
  state: Record<string, Json>;
  pools: Record<string, Json>;
  unknown: Record<string, Json>;
  tracks: Record<string, Json>;
  notes: Record<string, string>;
  seats: Record<string, Record<string, Json>>;
  initiative: string | null;
  undo: ReachBack | null;
}
/**
 * A running phase, procedure or action (`word`), with its name and its public `fields`.
 *
 * The fields are the parameters of a phase, the fields that the rules declare, and the values that
 * the drawing names, such as announced points. Declared fields with an empty text are left out,
 * because they serve the rules alone.
 */
export interface Running {
  name: string;
  word: string;
  label: string;
  ref: string[];
  fields: Field[];
}
/**
 * A value of a running procedure.
 *
 * Attributes:
 *     value: Plain data, or "?" if the observer does not know it.
 *     spans: The value as text for people, without its `unit`.
 */
export interface Field {
  name: string;
  label: string;
  value: Json;
  spans: Span[];
  unit: string | null;
}
/**
 * The choices that this seat may take back, as far as it has observed the choices of others.
 *
 * Attributes:
 *     steps: The number of its own choices, counted back from the last.
 *     choice: The number of the choice before which play would then resume.
 *     why: The barrier: nothing_to_undo, others_choice, die_was_rolled, was_drawn or was_revealed.
 *     text: The barrier in words.
 *     event: The name of the event that is the barrier.
 *     ref: The paragraphs of that event.
 */
export interface ReachBack {
  steps: number;
  choice: number;
  why: string;
  text: string;
  event: string | null;
  ref: string[];
}
/**
 * One line of the log.
 *
 * Attributes:
 *     event: The number of its first event in `view(...)["events"]`.
 *     name: The name of that event.
 *     level: 0 for a text, 1 for a heading of the game itself (a turn), 2 for that of a phase.
 *     ref: The paragraphs, one by one.
 *     choice: The number of the choice behind it, from 1. 0 is the set-up.
 *     forced: True if that choice was the only one.
 *         It is set for your own choices, and for those of others if the game has no secrets.
 *     dice: The rolls that it reports, and those before it that no line reports.
 *     side: The side that acted, or None.
 *     leads: The side that `side` led when the choice was made, if the drawing shows this.
 *     open: True if the line may still grow, because several events share one line.
 */
export interface Line {
  event: number;
  name: string;
  level: number;
  spans: Span[];
  ref: string[];
  choice: number;
  forced: boolean;
  dice: Die[];
  side: string | null;
  leads: string | null;
  open: boolean;
}
/**
 * A roll of a die.
 *
 * Attributes:
 *     purpose: The purpose, as the rules name it.
 *     label: The purpose, as people call it.
 *     who: The side that rolled, or None.
 *     value: The result.
 *     cancelled: True if it was rolled again.
 */
export interface Die {
  purpose: string;
  label: string;
  who: string | null;
  value: number;
  cancelled: boolean;
}
/**
 * The consequences of some keys.
 *
 * Attributes:
 *     keys: the keys taken before the walk, in the necessary order, with those that lead to the
 *         group and complete it.
 *     cost: their cost.
 *     left: the allowance of the walk.
 *     places: the reachable places, by rising cost.
 *     stopped_by: if there are no places, the reason: group (a piece must be added), choice
 *         (another choice comes first), key (`refused` is not offered), several (each of `leads`
 *         can begin it), window, die, draw, reveal, hidden, error or end.
 *     refused: the key that is not offered.
 *     leads: the keys of each possible beginning.
 *     steps: the meaning of these keys.
 */
export interface Forecast {
  keys: string[];
  cost: Points[];
  left: Points | null;
  places: Reach[];
  stopped_by: string | null;
  refused: string | null;
  leads: string[][];
  steps: Record<string, Step>;
}
/**
 * A place that the group can reach.
 *
 * Attributes:
 *     place: the id of the place.
 *     keys: the keys of the choices from now on to there.
 *     stop: the key that ends the walk there. '' if it ends by itself or may not end.
 *     may_stop: True if the group may stay there, or None if nobody knows.
 *     way: the places that it enters.
 *     cost: the total cost of the keys.
 *     fight: the first border that it crosses to a place with another player's piece, as (from,
 *         to).
 *     stopped_by: an interruption, or None. Possible ones are window (another player's) and
 *         choice. Certain ones are die, draw, reveal, hidden (depends on information that the
 *         observer may not have) and error (in the rules).
 *     sure: the number of keys before the interruption.
 *     left: the rest of the walk's allowance there.
 */
export interface Reach {
  place: string;
  keys: string[];
  stop: string;
  may_stop: boolean | null;
  way: string[];
  cost: Points[];
  fight: [string, string] | null;
  stopped_by: string | null;
  sure: number;
  left: Points | null;
}
/** A choice on the way to a group: its text, and the places that it names. */
export interface Step {
  label: string;
  places: string[];
}
/**
 * The odds of one option, or of each option.
 *
 * Every window before the roll, and between the roll and its outcome, counts as passed.
 *
 * Attributes:
 *     ways: the options with their results.
 *     complete: True if every option is included.
 */
export interface Odds {
  ways: Way[];
  complete: boolean;
}
/**
 * An option with its results.
 *
 * There is one without a roll if no roll comes before the next decision.
 *
 * Attributes:
 *     complete: True if the results include all rolls up to there, False for only the first roll.
 *     splits: the results by the parameters of their outcome.
 *     turns: the splits that differ from the outcome of a pass, if that outcome is certain. A
 *         reroll is made for them.
 *     derivations: the derivations of the outcome's numbers (`workings` in JSON).
 *     hidden: True if the consequences depend on hidden information.
 */
export interface Way {
  key: string;
  label: string;
  results: Result[];
  complete: boolean;
  splits: Split[];
  turns: Split[];
  workings: Derivation[];
  hidden: boolean;
}
/**
 * One result of a roll.
 *
 * Attributes:
 *     chance: its probability.
 *     rolls: its rolls.
 *     end: decision, over, draw (a draw comes next), roll (another roll comes, so that not all
 *         rolls are included) or hidden.
 *     outcome: the first event of the game that follows from the next roll, or from the roll just
 *         before this decision.
 *     events: the events.
 *     lines: the log without its headings.
 *     tables: the table look-ups from the roll to the outcome.
 *     changes: the changes of pieces, against the present.
 *     points: the change of each side's victory total.
 *     further: the number of own pieces that the observer must still lose by their next choices.
 *     hidden: True if the rest depends on hidden information.
 */
export interface Result {
  chance: [number, number];
  rolls: Roll[];
  end: string;
  outcome: Happened | null;
  events: Happened[];
  lines: string[];
  tables: Derivation[];
  changes: Change[];
  points: Record<string, number>;
  further: number;
  hidden: boolean;
}
/** The purpose of a roll, the side that rolls (or None), and the sum of the dice. */
export interface Roll {
  purpose: string;
  who: string | null;
  value: number;
}
/**
 * An event as the observer sees it.
 *
 * Attributes:
 *     printed: the data printed on each value that is a mere piece of data.
 *     kinds: the kind of each value that is a member.
 */
export interface Happened {
  name: string;
  params: Record<string, Json>;
  printed: Record<string, Json>;
  kinds: Record<string, string>;
}
/**
 * A total, permit or other value, with everything that contributes to it.
 *
 * A clause is left out if the observer may not know whether it counts.
 *
 * Attributes:
 *     hidden: True if the observer may not know the value.
 *     title: its name and arguments for people, in a language other than that of the rules.
 *     label: its name as people read it.
 *     labels: its arguments as people read them.
 *     shown: its value with the unit, as people read it.
 *     data: the input of a table look-up or column shift.
 */
export interface Derivation {
  what: string;
  name: string;
  arguments: Record<string, Json>;
  value: Json;
  unit: string | null;
  ref: string[];
  lines: DerivationLine[];
  hidden: boolean;
  title: string;
  label: string;
  labels: Record<string, string>;
  shown: string;
  data: Record<string, Json>;
}
/**
 * One clause of a derivation.
 *
 * Attributes:
 *     status: applied, condition (does not hold), cancelled, overridden, or idle (a bound that the
 *         value keeps anyway).
 *     hidden: True if the observer may not know its amount.
 *     rulings: the rulings that influenced it, each with its choice.
 *     shown: its amount as people read it.
 */
export interface DerivationLine {
  word: string;
  name: string;
  status: string;
  amount: Json;
  holder: string | null;
  cancelled_by: string;
  text: string;
  ref: string[];
  parts: Derivation[];
  hidden: boolean;
  rulings: string[];
  shown: string;
}
/**
 * A value of a piece before and after.
 *
 * Attributes:
 *     cell: the name of the state.
 *     of: the id of the piece.
 */
export interface Change {
  cell: string;
  of: string;
  before: Json;
  after: Json;
}
/**
 * The results with one value of a parameter of their outcome.
 *
 * The parameter is a yes or no, or a player.
 *
 * Attributes:
 *     param: the name of the parameter.
 *     value: its value.
 *     chance: the probability of these results.
 *     rolls: the rolls of these results.
 */
export interface Split {
  param: string;
  value: Json;
  chance: [number, number];
  rolls: number[][];
}
/**
 * The outcome of a plan.
 *
 * Attributes:
 *     taken: The number of choices made.
 *     rest: The keys that were not taken.
 *     stopped_by: None if all were taken.
 *         "window" or "choice": another player decides.
 *         "die", "draw" or "reveal": the result could not be foreseen.
 *         "key": the next option is not offered.
 *         "error": the rules failed.
 *         "end": the game is over.
 *     why: For the last three, the reason in words.
 */
export interface Plan {
  taken: number;
  rest: string[];
  stopped_by: string | null;
  why: string;
}
/**
 * One reason why an option is not offered.
 *
 * Attributes:
 *     key: the option.
 *     text: the reason, without the option.
 *     ref: the rule paragraphs.
 *     cause: a word for programs, as in `Reason`. There are also other (another player decides),
 *         over (the game is over), moment (not now) and none (there is no such option).
 *     of: the ids of the pieces and places that it is about, with those of the option first.
 */
export interface Refusal {
  key: string;
  text: string;
  ref: string[];
  cause: string;
  of: string[];
}
/**
 * A suggestion.
 *
 * Attributes:
 *     key, label: The option, as in `SeatOption`. Without a key, the search found none.
 *     then: The player's own next choices, up to the first choice of anybody else.
 *     by: The seat that would choose the option.
 *     things: The things that the option names, each with its kind and its id.
 */
export interface Hint {
  key: string | null;
  label: string;
  by: string;
  then: string[];
  things: [string, string][];
}
/**
 * The result of an analysis.
 *
 * Attributes:
 *     choice: the number of the choice that is to be made.
 *     player: the current player.
 *     prompt: the question of the decision.
 *     total: the name of the total that leads are measured in.
 *     horizon: the phase at whose beginning leads are compared, or None for the end of the game.
 *     lead: the present lead of the current player.
 *     visits: the number of iterations.
 *     failed: the number of iterations that ended in an error of the rules and do not count.
 *     natively: True if the search ran in the native module.
 *     lines: the variations, best first.
 */
export interface Analysis {
  choice: number;
  player: string;
  prompt: string;
  total: string | null;
  horizon: string | null;
  lead: number | null;
  visits: number;
  failed: number;
  natively: boolean;
  lines: BestLine[];
}
/**
 * A variation of the search tree.
 *
 * It consists of the player's choices that are known to go together, if these are the reason for
 * the first choice. Otherwise it follows the most visited branches below the first choice. Forced
 * choices are left out. If there was only one option, there are no iterations.
 *
 * The fields `visits`, `worth` and `lead` belong to the first choice. For choices that go
 * together, they belong to all of them, as far as the tree goes.
 *
 * Attributes:
 *     choices: the choices of the variation.
 *     first_visits: the number of iterations that made the first choice.
 *     visits: the number of iterations.
 *     worth: the value to the current player, -1 .. 1.
 *     lead: the expected lead of the current player, or None if the game has no total for it.
 *     chance: the chance to win.
 */
export interface BestLine {
  choices: Choice[];
  first_visits: number;
  visits: number;
  worth: number;
  lead: number | null;
  chance: Chance | null;
}
/**
 * A choice with its texts for people.
 *
 * Attributes:
 *     side: the side that chooses.
 *     key: the key of the option, or None if the player may not know all that it names.
 *     label: its text.
 *     asked: the question, for a thing or number that is picked later in a variation.
 *     things: the things in the text, each as (kind, id).
 */
export interface Choice {
  side: string;
  key: string | null;
  label: string;
  asked: string;
  things: [string, string][];
}
/**
 * The share of wins, where a draw counts half.
 *
 * Attributes:
 *     low: the lower end of the 95 % interval, or None.
 *     high: the upper end, or None.
 *     of: `games` for random playouts to the end of the game. `visits` for iterations of the tree,
 *         which are not independent, so that there is no interval.
 *     number: the number of playouts or iterations.
 */
export interface Chance {
  share: number;
  low: number | null;
  high: number | null;
  of: string;
  number: number;
}
/**
 * A part of a review, in order, with the facts about the whole game.
 *
 * Attributes:
 *     next: the number of the choice to continue with, or None if the review is complete.
 */
export interface Part {
  sides: string[];
  total: string | null;
  horizon: string | null;
  choices: number;
  natively: boolean;
  visits: number;
  decisions: Judged[];
  next: number | null;
}
/**
 * A decision with its evaluation.
 *
 * Attributes:
 *     choice: the number of the choice.
 *     best: the choice that the search prefers.
 *     chosen: the choice that was made.
 *     best_visits: the number of iterations for the best choice.
 *     chosen_visits: the number of iterations for the actual choice.
 *     loss: the difference of their values, 0 .. 2.
 *     sure: the least loss that chance does not explain.
 *     lead: the expected lead after the best choice, as in `BestLine`.
 *     lead_chosen: the expected lead after the actual choice.
 *     chance: the chance to win after the best choice, as in `BestLine`.
 *     turning: True for a turning point.
 */
export interface Judged {
  choice: number;
  side: string;
  prompt: string;
  best: Choice;
  chosen: Choice;
  best_visits: number;
  chosen_visits: number;
  loss: number;
  sure: number;
  lead: number | null;
  lead_chosen: number | null;
  chance: Chance | null;
  turning: boolean;
}
/**
 * Choose the seat that this socket plays (None: spectator) and its language (None: the
 * game's).
 */
export interface Sit {
  type: "sit";
  seat?: string | null;
  lang?: string | null;
  re?: number;
}
/**
 * A plan: option keys that are chosen one after the other. The plan is one gesture, which a
 * single undo takes back.
 *
 * Attributes:
 *     at: the number of choices that the seat has observed. If it is out of date, the request is
 *         refused.
 */
export interface Take {
  type: "take";
  at: number;
  keys: string[];
  re?: number;
}
/** Undo the last gesture of this seat. */
export interface Undo {
  type: "undo";
  at: number;
  re?: number;
}
/** Redo the gesture that was undone last. */
export interface Redo {
  type: "redo";
  at: number;
  re?: number;
}
/** Ask for `Seat.forecast(keys)`. */
export interface Ahead {
  type: "forecast";
  at: number;
  keys: string[];
  re?: number;
}
/** Ask for `Seat.preview(keys)`. */
export interface PreviewRequest {
  type: "preview";
  at: number;
  keys: string[];
  re?: number;
}
/** Ask for `Seat.odds(key)`. */
export interface Chances {
  type: "odds";
  at: number;
  key?: string | null;
  re?: number;
}
/** Ask for `Seat.why(key)`. */
export interface Why {
  type: "why";
  at: number;
  key: string;
  re?: number;
}
/**
 * Ask for `Seat.why_not(thing, keys)`.
 *
 * Attributes:
 *     thing: the id of a piece or a place.
 *     keys: the keys chosen so far.
 */
export interface WhyNot {
  type: "why_not";
  at: number;
  thing: string;
  keys?: string[];
  re?: number;
}
/**
 * Ask for `Seat.explain(name, *args)`.
 *
 * Attributes:
 *     name: a total or permit.
 *     args: its arguments, as ids and numbers.
 */
export interface Explain {
  type: "explain";
  at: number;
  name: string;
  args?: (string | number | boolean)[];
  re?: number;
}
/** Ask for `Seat.hint()`. The table must allow hints. */
export interface AskHint {
  type: "hint";
  at: number;
  re?: number;
}
/**
 * Ask for the best variations of the player to move, as an `Analysis`. The table must allow
 * hints.
 *
 * Attributes:
 *     seconds: the thinking time. Playouts come on top of it.
 */
export interface Analyse {
  type: "analyse";
  at: number;
  seconds?: number;
  re?: number;
}
/**
 * Ask for the review of a finished game, as a `ReviewPart`.
 *
 * Attributes:
 *     begin: the choice to begin with. To continue, ask again with the `next` of the last answer.
 */
export interface Review {
  type: "review";
  at: number;
  begin?: number;
  re?: number;
}
/**
 * Ask for the position after a number of choices, as the seat knew it then.
 *
 * Attributes:
 *     seat: after the end of the game, the seat from which the position is shown.
 */
export interface Frame {
  type: "frame";
  choice: number;
  seat?: string | null;
  re?: number;
}
/**
 * Stop this page's running search (`analyse` or `review`). It is answered with its results so
 * far.
 */
export interface Stop {
  type: "stop";
  re?: number;
}
/** Tell the program that is thinking to choose now, from its results so far. */
export interface MoveNow {
  type: "move_now";
  re?: number;
}
/**
 * Set the preferences of the seat.
 *
 * Attributes:
 *     ask_forced: ask even if there is only one option.
 *     pass_alone: pass windows in which passing is the only option.
 */
export interface Prefer {
  type: "prefer";
  ask_forced?: boolean;
  pass_alone?: boolean;
  re?: number;
}
/**
 * Pass the current window, and the following ones until the phase ends or a decision of another
 * kind comes up.
 *
 * Attributes:
 *     only: pass only where passing is the only option.
 */
export interface PassUntilPhaseEnds {
  type: "pass_until_phase_ends";
  at: number;
  only?: boolean;
  re?: number;
}
/** Ask the seat again from now on. */
export interface StopPassing {
  type: "stop_passing";
  re?: number;
}
/**
 * The data that does not change while a page watches from one seat.
 *
 * Attributes:
 *     id: the id of the table.
 *     sheet: a `Sheet`.
 *     seats: for each side, human or the name of the program that plays it.
 *     yours: the seats that this page may take.
 *     seat: the seat that it has, or null for a spectator.
 *     secrets: true if seats may know different things.
 *     commitment: the commitment to the seed.
 *     seed: the seed, after the end of the game.
 *     salt: the salt of the commitment, after the end of the game.
 *     hints: true if the page may ask for hints.
 *     called: for each side that a program plays, the readable name of the program.
 */
export interface Table {
  type: "table";
  id: string;
  sheet: Sheet;
  seats: Record<string, string>;
  yours: string[];
  seat: string | null;
  secrets: boolean;
  commitment: string;
  seed: string | null;
  salt: string | null;
  re: number;
  hints: boolean;
  called: Record<string, string>;
}
/**
 * The position after `choice` choices.
 *
 * Attributes:
 *     position: a `SeatPosition`.
 *     decision: a `SeatDecision`, or null when the game is over.
 *     begin: the first event of `lines`. They replace everything that the page has from there on.
 *     lines: lines of the log.
 *     since: the number of choices before `deciders`.
 *     deciders: the side that made each later choice.
 *     auto_pass: true if the server passes for the seat until the phase ends.
 *     renewed: the number of choices made when dice and draws were last reseeded after an agreed
 *         undo, or null.
 */
export interface State {
  type: "state";
  choice: number;
  position: Position;
  decision: Asked | null;
  begin: number;
  lines: Line[];
  since: number;
  deciders: string[];
  auto_pass: boolean;
  renewed: number | null;
}
/** The result of a plan, as a `Plan`. */
export interface Taken {
  type: "taken";
  re: number;
  plan: Plan;
}
/** The answer to a request, as its method returns it. */
export interface Answer {
  type: "answer";
  re: number;
  value: Json;
}
/**
 * The refusal of a request.
 *
 * Attributes:
 *     why: the reason in words.
 *     stale: true if the number of choices in the request is out of date.
 *     busy: true if a limit was reached: the same request may succeed later.
 */
export interface Refused {
  type: "refused";
  re: number;
  why: string;
  stale: boolean;
  busy: boolean;
}
/** The socket closes: the table cannot continue, or this page may no longer watch it. */
export interface Closed {
  type: "closed";
  why: string;
}
/**
 * A game that can be played.
 *
 * Attributes:
 *     scenario: the default scenario.
 *     seats: the possible players of a side: human, or a program.
 */
export interface Playable {
  id: string;
  title: string;
  version: string;
  langs: string[];
  scenarios: Titled[];
  scenario: string;
  editions: Titled[];
  rulings: RulingOffered[];
  sides: Titled[];
  seats: Titled[];
}
/** An id and its readable name. */
export interface Titled {
  id: string;
  label: string;
}
/**
 * A ruling with its alternatives.
 *
 * Attributes:
 *     name: its id.
 *     text: the question that it answers.
 *     chosen: the default alternative.
 *     choices: all alternatives.
 */
export interface RulingOffered {
  name: string;
  text: string;
  chosen: string;
  choices: Titled[];
}
/**
 * A request to open a table.
 *
 * Attributes:
 *     seats: the player of each side. Sides not named are human.
 *     hints: players may ask for hints. On an online server this works only for tables with one
 *         player.
 */
export interface Wanted {
  game: string;
  scenario?: string | null;
  edition?: string | null;
  rulings?: Record<string, string>;
  seats?: Record<string, string>;
  seed?: string | null;
  hints?: boolean;
}
/**
 * A table in a list.
 *
 * Attributes:
 *     decides: the side that is asked, or null when the game is over.
 *     result: the result in words.
 *     changed: the time of the last choice, in seconds since 1970.
 */
export interface Listed {
  id: string;
  game: string;
  title: string;
  scenario: string;
  seats: Record<string, string>;
  choices: number;
  decides: string | null;
  result: string | null;
  changed: number;
}
/**
 * The online data of a table.
 *
 * Attributes:
 *     may: the allowed actions of the reader. They are invite, close, access, sit, leave, resign,
 *         takeback, rematch, claim, say_players, say_observers, note, move and save.
 *     ending: null if the game is running or ended by its rules.
 *     next: the table of the rematch.
 */
export interface TableStatus {
  type: "table_status";
  id: string;
  owner: string;
  access: "private" | "open" | "public";
  seats: Sitting[];
  begun: number | null;
  ended: number | null;
  ending: Ending | null;
  clock: Clock;
  offers: Proposal[];
  may: string[];
  next: string | null;
}
/**
 * A side and its player.
 *
 * Attributes:
 *     who: the name of the player, null if the seat is open.
 *     machine: the program that plays the side.
 */
export interface Sitting {
  side: string;
  who: string | null;
  guest: boolean;
  machine: string | null;
  yours: boolean;
}
/**
 * The end of a game outside of its rules: a side resigned, ran out of time, or abandoned a game
 * that was then claimed.
 */
export interface Ending {
  kind: "resigned" | "time" | "claimed";
  side: string;
}
/**
 * The time of each side.
 *
 * Attributes:
 *     left: the seconds of each side at the time `at`.
 *     running: the side whose time runs.
 */
export interface Clock {
  type: "clock";
  rule: string;
  late: "loses" | "claim";
  left: Record<string, number>;
  running: string | null;
  at: number;
}
/** An open offer. */
export interface Proposal {
  id: number;
  kind: "takeback" | "rematch";
  side: string;
  choice: number;
  made: number;
}
/**
 * A chat message.
 *
 * Attributes:
 *     guest: the writer has no account. Two guests may have the same name.
 *     text: empty if the message was removed.
 */
export interface ChatMessage {
  type: "chat_message";
  id: number;
  room: "players" | "observers";
  who: string;
  guest: boolean;
  text: string;
  written: number;
  removed: boolean;
}
/**
 * The people who watch a table now.
 *
 * Attributes:
 *     sides: the sides of players who watch.
 *     observers: the names of other people.
 *     others: the number of people without a name.
 */
export interface Present {
  type: "present";
  sides: string[];
  observers: string[];
  others: number;
}
/** A request for an account. A guest who is signed in keeps their seats. */
export interface SignUp {
  name: string;
  password: string;
  mail?: string | null;
  lang?: string | null;
}
/** The name and password of an account. */
export interface SignIn {
  name: string;
  password: string;
}
/** A change of the password. All other sessions end. */
export interface NewPassword {
  old: string;
  new: string;
}
/**
 * A person's language, and the channels for notifications when they are to decide.
 *
 * Attributes:
 *     name: a new name, null to keep it.
 *     mail: the address for letters, null for no letters.
 *     hook: the address of a web hook, null for none.
 */
export interface Wishes {
  name?: string | null;
  mail?: string | null;
  hook?: string | null;
  lang?: string;
}
/** The deletion of an account. It needs the password, if the account has one. */
export interface Farewell {
  password?: string | null;
}
/**
 * A request for a new table.
 *
 * Attributes:
 *     mine: the sides that the owner takes. The other human sides are open.
 *     clock: none, move:SECONDS, days:N or fischer:SECONDS+INCREMENT.
 *     late: the effect of an empty clock. The side loses, or another side may claim the game.
 *     save: the save from which the game continues.
 */
export interface Hosting {
  game: string;
  scenario?: string | null;
  edition?: string | null;
  rulings?: Record<string, string>;
  seats?: Record<string, string>;
  seed?: string | null;
  hints?: boolean;
  mine?: string[];
  access?: "private" | "open" | "public";
  clock?: string;
  late?: "loses" | "claim";
  save?: string | null;
}
/** An invitation to a side, or to watch if the side is null. */
export interface Invite {
  side?: string | null;
}
/**
 * The acceptance of an invitation. A visitor who is not signed in becomes a guest with this
 * name.
 */
export interface Come {
  name?: string | null;
  lang?: string | null;
}
/** The access to a table: the people who may find and see it. */
export interface Open {
  access: "private" | "open" | "public";
}
/**
 * An offer of a side.
 *
 * Attributes:
 *     choice: the number of choices that remain after a takeback.
 */
export interface Offer {
  side: string;
  kind: "takeback" | "rematch";
  choice?: number | null;
}
/** The answer to an offer. */
export interface Reply {
  side: string;
  accept: boolean;
}
/** An action of a person for one of their sides. */
export interface OfSide {
  side: string;
}
/** A chat message for the players or the observers. */
export interface Say {
  room: "players" | "observers";
  text: string;
}
/** A private note. */
export interface Write {
  text: string;
}
/** The last message of a table's chat that somebody has read: its number, 0 for none. */
export interface Read {
  upto: number;
}
/**
 * The upgrade of a table to the current rules of the server.
 *
 * Attributes:
 *     only_try: report the result without an upgrade.
 */
export interface Move {
  only_try?: boolean;
}
/**
 * A person's own profile.
 *
 * Attributes:
 *     name: null if nobody is signed in.
 *     sign_up: everybody may create an account here.
 *     letters: this server sends mail.
 *     confirmed: the mail address was confirmed by the link in a letter. Before that, nothing else
 *         is sent to it.
 *     letter: the result of the letter that this request sent.
 *     given_up: undelivered notifications.
 */
export interface Me {
  name: string | null;
  guest: boolean;
  admin: boolean;
  lang: string;
  mail: string | null;
  hook: string | null;
  sign_up: boolean;
  letters: boolean;
  confirmed: boolean;
  letter: "sent" | "failed" | null;
  given_up: GivenUp[];
}
/**
 * Undelivered notifications of a channel.
 *
 * Attributes:
 *     many: their number.
 *     last: the time at which the last one was given up.
 *     why: the reason of the last failure.
 */
export interface GivenUp {
  channel: "mail" | "hook";
  many: number;
  last: number;
  why: string;
}
/** The subject of a confirmation link: an address, and the account for which it was entered. */
export interface Confirming {
  name: string;
  mail: string;
}
/**
 * A table in the lobby.
 *
 * Attributes:
 *     asked: one of your sides is to decide.
 *     left: the seconds of the side whose time runs.
 *     result: the result in words.
 *     unread: the number of unread messages of other people.
 *     looks: you may watch the game.
 */
export interface InLobby {
  id: string;
  game: string;
  title: string;
  scenario: string;
  owner: string;
  access: "private" | "open" | "public";
  seats: Sitting[];
  clock: string;
  choices: number;
  decides: string | null;
  asked: boolean;
  result: string | null;
  begun: boolean;
  ended: boolean;
  left: number | null;
  changed: number;
  unread: number;
  looks: boolean;
}
/** A text. */
export interface Text {
  text: string;
}
/** A new invitation link. It is shown only once. A link to a side works for one person. */
export interface Invitation {
  address: string;
  side: string | null;
  ends: number;
}
/** The subject of an invitation. */
export interface Invited {
  table: string;
  game: string;
  title: string;
  owner: string;
  side: string | null;
}
/** The table of a finished request. */
export interface Opened {
  id: string;
}
/**
 * The result of a rule upgrade.
 *
 * Attributes:
 *     same: the table has these rules already.
 *     fits: its choices replay.
 *     difference: the first choice that does not replay, or other differences.
 *     moved: the upgrade was made.
 */
export interface Moved {
  same: boolean;
  fits: boolean;
  moved: boolean;
  difference: string | null;
}
/**
 * The status of the server.
 *
 * Attributes:
 *     counts: numbers of accounts, guests, sessions, tables, running (`going`) and ended games,
 *         waiting and given up notifications. Rooms and sockets are those of this process.
 *     troubles: the reasons of failed notifications.
 */
export interface Standing {
  version: string;
  database: "sqlite" | "postgresql";
  counts: Record<string, number>;
  tables: InAdmin[];
  troubles: string[];
}
/** A table in the list for administrators. */
export interface InAdmin {
  id: string;
  game: string;
  owner: string;
  access: "private" | "open" | "public";
  changed: number;
  ended: boolean;
}
/** A person in the list for administrators. */
export interface ListedAccount {
  id: string;
  name: string;
  guest: boolean;
  admin: boolean;
  created: number;
}
/** All data that the server stores about a person. */
export interface PersonalData {
  name: string;
  guest: boolean;
  created: number;
  lang: string;
  mail: string | null;
  confirmed: boolean;
  hook: string | null;
  tables: PersonalTable[];
  texts: PersonalText[];
  notes: PersonalNote[];
}
/**
 * A table of a person.
 *
 * Attributes:
 *     own: they opened it.
 *     sides: the sides that they play.
 *     looks: they were invited to watch.
 */
export interface PersonalTable {
  id: string;
  game: string;
  created: number;
  own: boolean;
  sides: string[];
  looks: boolean;
}
/** A chat message of a person. */
export interface PersonalText {
  table: string;
  room: "players" | "observers";
  text: string;
  written: number;
}
/** A note of a person. */
export interface PersonalNote {
  table: string;
  text: string;
}
/** The reason of a failure, in words. */
export interface Trouble {
  error: string;
}
export type Request = Sit | Take | Undo | Redo | Ahead | PreviewRequest | Chances | Why | WhyNot | Explain | AskHint | Analyse | Review | Frame | Stop | MoveNow | Prefer | PassUntilPhaseEnds | StopPassing;
export type ServerMessage = Table | State | Taken | Answer | Refused | Closed;
export type SocketMessage = TableStatus | Clock | ChatMessage | Present;
