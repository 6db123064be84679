// Made by web/wiretypes.py of the Python classes that go over the wire; not to be edited.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A piece of a text, and what it names: a piece, a place, a side, or a thing. */
export type Span = string | { text: string; piece?: string; place?: string; side?: string; thing?: string };

/** What does not change. `units`: by name, the words and the short words; `look`: the drawing, with `sides`, `terrain`, `counter`, `boxes`, `scenery`, `art`, `frame`, `rough`, and what the roles `seat`, `cards` and `combat` name. `paragraphs`: what those of the rule book say that the game has a text for, by their numbers. `card_kind`: of what lies in hands; `face_kind`: of the `faces`. `cells`: of each state of one key, by its name in a position, what key and value are. */
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
/** `label`: what people call it; `short`: what stands on a counter; `printed`: its attributes by name: a number, true or false, an id, None for none, a list of ids. */
export interface Member {
  id: string;
  label: string;
  short: string;
  printed: Record<string, Json>;
}
/** `sort`: piece, place, border, side or thing. `ordered`: its members rise. `secret`: one may not always know which member one sees. */
export interface Kind {
  name: string;
  label: string;
  sort: string;
  attributes: Attribute[];
  members: Member[];
  ordered: boolean;
  secret: boolean;
}
/** What is printed on all members of a kind. `form`: bool, int, member, set; `kind`: of a member or set, whose; `unit`, `low`, `high`: of a number. */
export interface Attribute {
  name: string;
  label: string;
  form: string;
  kind: string | null;
  unit: string | null;
  low: number | null;
  high: number | null;
}
/** Which attribute of a kind of pieces is what: `place` and `reduced` are states, `owner` and `front` may be, the others are printed. None: it has none. */
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
/** `closed`: pairs that lie side by side and are not joined; `corners`: the places that meet in a point. */
export interface Geography {
  spots: Spot[];
  edges: Edge[];
  closed: string[][];
  corners: Record<string, Json>[];
}
/** Where a place lies: its point `at`, its outline, or a `box` (left, top, right, bottom). `round`: drawn as a circle around its point. `hex`: it is a hexagon of a board; then `at` counts half cells to the right and rows. */
export interface Spot {
  id: string;
  at: [number, number] | null;
  outline: [number, number][];
  box: [number, number, number, number] | null;
  terrain: string | null;
  hex: boolean;
  round: boolean;
}
/** A border between two places. `style` of its line, `marks` on it, `inner`: the place on its inner side; `via`: points of a line that is drawn; `one_way`: it leads from the first place only. */
export interface Edge {
  id: string;
  between: [string, string];
  style: string | null;
  marks: string[];
  inner: string | null;
  via: [number, number][];
  one_way: boolean;
}
/** `what`: cell or total. `form`: int, bool, member, set; `each`: there is one of each side. Of numbers `low` and `high` are its ends, in `unit`; `steps`: names of its values. `note`: a definition whose value is told beside it. `seat`: it is told with the side whose it is, and not above the map. */
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
/** A face of a card: what it does (`text`), at which `moment` (and what people call that), for which `side` (None: any), and whether its use takes the card out of the game. */
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
/** The kinds of the key and of the value of a state; None: it is a number, or yes or no. */
export interface Cell {
  key: string | null;
  value: string | null;
}
/** Who is asked what. `kind`: choose, pick, group, walk, window, tie; `moment`: of a window, the moment that is open; `procedure`: which one asks. `spans`: the prompt with what it names. `left`: of what is spent here, how much is left, as far as who looks may know it. `undo`: of who sits here. `options`, and `forced` (there is one option only): for the player who is asked; for others None and False. */
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
/** So many of something that is spent. `amount`: None, who looks may not know it before; `of`: what they are taken from: a state (`points.red`), a field of what goes on (`budget`), or the allowance of a movement, by its name. */
export interface Points {
  amount: number | null;
  unit: string | null;
  of: string;
}
/** May who sits here take back his last choice? `why`: if not, why not. */
export interface MayUndo {
  may: boolean;
  why: string;
}
/** One option. `key` takes it (`State.apply`); `verb` is the first word of its key; `params` and `types` by name. `cost`: what is paid for it. Of a step of a walk, `ends_at`: the place where the group will be when something is asked again or the walk is over, which may lie behind the place of the step; `may_stop`: may it stay there (None: it hangs on a die, a draw, a reveal or what the player may not know, and so may the place). `spans`: the label with what it names. */
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
/** What a parameter of an option is. `form`: member or int; `kind`: of a member, the name of its kind; `role`: piece (the data say where those of its kind stand), place (one of the places where pieces stand, or that borders join), side, number, or thing. */
export interface ParamType {
  form: string;
  kind: string | null;
  role: string;
}
/** Where all stands. `choice`: how many choices were made, as who looks can count them (`rulekit.engine.knowledge.observable_history`). `state`, `pools`, `unknown`: as in `State.view`. `tracks`: by name the value, or the value of each side; `notes`: what is told beside them. `seats`: of each side what the drawing names (score, points, hand: how many things, roll, leads), and who has the `initiative`. `undo`: None for an onlooker. */
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
/** A phase, procedure or action (`word`) that is going on: what it is called, and its public `fields`: parameters of a phase, what the rules declare as fields (without those that have an empty text, as they serve the rules alone), and what the drawing names, such as points that were announced. */
export interface Running {
  name: string;
  word: string;
  label: string;
  ref: string[];
  fields: Field[];
}
/** A value that something going on has. `value`: plain data ("?" where it is not known); `spans`: as people read it, without its `unit`. */
export interface Field {
  name: string;
  label: string;
  value: Json;
  spans: Span[];
  unit: string | null;
}
/** What this seat may take back, as far as it has noticed what others chose. `steps`: how many of its own choices, one after the other; `choice`: the number of the choice before which play would then stand. `why`: what stops it there: nothing_to_undo, others_choice, die_was_rolled, was_drawn, was_revealed; `text`: in words; `event` and `ref`: the event that stops it (its name) and its paragraphs. */
export interface ReachBack {
  steps: number;
  choice: number;
  why: string;
  text: string;
  event: string | null;
  ref: string[];
}
/** One line. `event`: the number of its first event in `view(...)["events"]`, and `name` that event's name. `level`: 0 a text, 1 a heading of the game's own (a turn), 2 one of a phase. `ref`: paragraphs, each by itself. `choice`: the number of the choice behind it, from 1; 0: the set-up. `forced`: that choice was the only one (told of own choices; of others' where the game has no secrets). `dice`: the rolls that it tells, and those before it that no line tells. `side`: whose doing it is; None: nobody's; `leads`: whom that side led when the choice was made, where the drawing says that it leads others. `open`: it may yet grow, as several events are told in one. */
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
/** A roll. `purpose`: what for, as the rules call it, and `label` as people do; `who`: the side that rolled, or None; `value`: the result; `cancelled`: it was rolled again. */
export interface Die {
  purpose: string;
  label: string;
  who: string | null;
  value: number;
  cancelled: boolean;
}
/** What follows from keys. `keys`: those that are taken before the walk, in the order that they must have, with those that lead to the group and end it; `cost` of them; `left`: what the walk may spend. `places`: by rising cost. If there are none, `stopped_by` says why: group (something must be added), choice (another is asked for), key (`refused` is not offered), several (`leads` can begin it: the keys of each; `steps`: what these keys mean), window, die, draw, reveal, hidden, error, or end. */
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
/** A place that the group can reach. `keys`: from now on to there; `stop`: the key that ends the walk there ('': it ends by itself, or may not); `may_stop`: may it stay (None: nobody knows); `way`: the places that it enters; `cost`: all that the keys cost; `fight`: the first border that it crosses to a place with a piece of another player, (from, to). `stopped_by`: what may come between: window (another player's), or choice; or what will: die, draw, reveal, hidden (what the viewer may not know), error (of the rules); `sure`: after how many of the keys. `left`: what the walk may still spend there. */
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
/** A choice on a way into a group: its words, and the places that it names. */
export interface Step {
  label: string;
  places: string[];
}
/** The ways of one option, or of each. Every window before the roll, and between the roll and what comes of it, counts as passed. `complete`: is every option told? */
export interface Odds {
  ways: Way[];
  complete: boolean;
}
/** An option with its results: one without a roll, if none comes before the next decision. `complete`: are all rolls up to there in them (else only the first one)? `splits`: the results by what they decide; `turns`: of these, where a pass leads to one outcome without a roll, those that differ from it: what a roll is repeated for. `workings`: how the numbers of the outcome come about. `hidden`: what comes hangs on what the viewer may not know. */
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
/** One result. `outcome`: the first event of the game that comes of the next roll, or of the one just before this decision; `lines`: the log without its headings; `tables`: what was read in tables from the roll on to the outcome; `changes` of pieces and of the points that win the game, against the present; `end`: decision, over, draw (what comes is drawn), roll (what comes is rolled: not all rolls are told) or hidden. `further`: how many more own pieces the viewer loses by his next choices, whichever they are. `hidden`: the rest hangs on what the viewer may not know. */
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
/** What a roll is for, who rolls (None: nobody), and the sum of its dice. */
export interface Roll {
  purpose: string;
  who: string | null;
  value: number;
}
/** An event as the viewer would be told it. `printed`: for each of its values that is a mere piece of data, what is printed on it; `kinds`: of each that names a member, the member's kind. */
export interface Happened {
  name: string;
  params: Record<string, Json>;
  printed: Record<string, Json>;
  kinds: Record<string, string>;
}
/** A total, permit or other value with all that has part in it. `hidden`: the value is not for this viewer; clauses are left out if he may not know whether they count. `label`, `labels`, `shown`: its name, its arguments and its value (with the unit) as people read them; `data`: of a table or shift, what it was read from. */
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
/** One clause: status is applied, condition (does not hold), cancelled, overridden, or idle: a bound that the value keeps anyway. `shown`: its amount as people read it. */
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
/** A value of a piece after it, and before: `cell` is the name of the state, `of` the piece. */
export interface Change {
  cell: string;
  of: string;
  before: Json;
  after: Json;
}
/** The results in which a yes or no, or a player, of what comes out of the roll has this value: their rolls, and their chance. */
export interface Split {
  param: string;
  value: Json;
  chance: [number, number];
  rolls: number[][];
}
/** What became of a plan. `taken`: how many choices were made; `rest`: the keys that were not taken. `stopped_by`: None if all were; window or choice (another player is asked), die, draw, reveal (what comes now could not be foreseen), key (the next one is not offered), error (of the rules), end (the game is over); `why`: of the last three, in words. */
export interface Plan {
  taken: number;
  rest: string[];
  stopped_by: string | null;
  why: string;
}
/** One reason why an option is not offered. `key`: the option, in words; `text`: the reason without it; `ref`: paragraphs; `cause`: a word for programs (see `Reason`; also other: another is asked, over: the game is over, moment: not now, none: there is no such option); `of`: the ids of the pieces and places that it speaks of, those of the option first. */
export interface Refusal {
  key: string;
  text: string;
  ref: string[];
  cause: string;
  of: string[];
}
/** A suggestion. `key` and `label`: of the option, as `Offered`; `then`: what one would choose oneself after it, before anybody else does; `by`: the seat that would choose it; `things`: what the option names, each with its kind and its id. Without a key it does not know. */
export interface Hint {
  key: string | null;
  label: string;
  by: string;
  then: string[];
  things: [string, string][];
}
/** `choice`: the number of the choice that is asked for; `lead`: of who is asked, now; `total`: by which total; `horizon`: the phase at whose beginning leads are compared (None: the end of the game); `failed`: how many of the visits ended in an error of the rules and count for nothing; `natively`: did the tree grow in the native module? */
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
/** A way down the tree: the player's choices that are known to go together, if the first one is taken because of these, else the most visited one below its first choice; choices that were the only ones are not in it. `first_visits`: how many visits made the first choice; `visits`, `worth` (to who is asked, -1 .. 1) and `lead` (what his lead is expected to be; None: the game has no total for it) are of these, or of those that made all choices that go together, as far as the tree goes. Without visits it is the only option. */
export interface BestLine {
  choices: Choice[];
  first_visits: number;
  visits: number;
  worth: number;
  lead: number | null;
  chance: Chance | null;
}
/** A choice in words. `key`: None where the player may not know all that it names; `asked`: of a thing or number that is picked later in a line, what is asked, where that can be told; `things`: what the words name, each with its kind and its id. */
export interface Choice {
  side: string;
  key: string | null;
  label: string;
  asked: string;
  things: [string, string][];
}
/** The share of wins, a draw counting half. `of`: of `games` that went on at random to the end, with a 95 % interval, or of the visits of the tree (these are not independent of each other: no interval). */
export interface Chance {
  share: number;
  low: number | null;
  high: number | null;
  of: string;
  number: number;
}
/** Some decisions of a course, in order, with what is true of all of it. `next`: the number of the choice to go on with; None: all were looked at. */
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
/** A decision that was made. `choice`: its number; `best`: what the search would choose, `chosen`: what was chosen, each with its visits; `loss`: by how much less the chosen one was worth (0 .. 2), `sure`: how large it has to be to be none of chance; `lead`, `chance`: as in `BestLine`, with the best one, `lead_chosen`: with the chosen one; `turning`: is it a turning point? */
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
/** From now on the socket looks from this seat (None: an onlooker) and reads this language (None: the game's). */
export interface Sit {
  type: "sit";
  seat?: string | null;
  lang?: string | null;
  re?: number;
}
/** A plan: keys of options, made one by one where `at` choices stand. One gesture. */
export interface Take {
  type: "take";
  at: number;
  keys: string[];
  re?: number;
}
/** Takes back the last gesture of this seat. */
export interface Undo {
  type: "undo";
  at: number;
  re?: number;
}
/** Makes the gesture again that was taken back last. */
export interface Redo {
  type: "redo";
  at: number;
  re?: number;
}
/** `Seat.forecast(keys)`. */
export interface Ahead {
  type: "forecast";
  at: number;
  keys: string[];
  re?: number;
}
/** `Seat.outlook(keys)`. */
export interface Outlook {
  type: "outlook";
  at: number;
  keys: string[];
  re?: number;
}
/** `Seat.odds(key)`. */
export interface Chances {
  type: "odds";
  at: number;
  key?: string | null;
  re?: number;
}
/** `Seat.why(key)`. */
export interface Why {
  type: "why";
  at: number;
  key: string;
  re?: number;
}
/** `Seat.why_not(thing, keys)`: the id of a piece or a place; what is chosen so far. */
export interface WhyNot {
  type: "why_not";
  at: number;
  thing: string;
  keys?: string[];
  re?: number;
}
/** `Seat.explain(name, *args)`: a total or permit, for ids and numbers. */
export interface Explain {
  type: "explain";
  at: number;
  name: string;
  args?: (string | number | boolean)[];
  re?: number;
}
/** `Seat.hint()`, at a table that gives hints. */
export interface AskHint {
  type: "hint";
  at: number;
  re?: number;
}
/** The best lines for who is asked, at a table that gives hints: `Analysis`, after so many seconds of thinking, and the random games. */
export interface Analyse {
  type: "analyse";
  at: number;
  seconds?: number;
  re?: number;
}
/** The course of a game that is over, from a choice on: `Part`. What it holds no more of is asked for again from its `next` on. */
export interface Course {
  type: "course";
  at: number;
  begin?: number;
  re?: number;
}
/** Ends what this page lets think (`analyse`, `course`): it is answered with what was found. */
export interface Stop {
  type: "stop";
  re?: number;
}
/** The seat that plays by itself and thinks now is to choose at once, by what it has found. */
export interface Hurry {
  type: "hurry";
  re?: number;
}
/** The position after so many choices, as the seat knew it; `seat`: after the end of the game, as that one did. */
export interface Frame {
  type: "frame";
  choice: number;
  seat?: string | null;
  re?: number;
}
/** `ask_forced`: ask even if there is one option only; `pass_alone`: pass windows in which one can only pass. */
export interface Prefer {
  type: "prefer";
  ask_forced?: boolean;
  pass_alone?: boolean;
  re?: number;
}
/** Passes the window that is asked, and those that follow until the phase ends or something else is asked. `only`: but it is asked where it could do something else than pass; `on`: False: it passes no more. */
export interface Decline {
  type: "decline";
  at: number;
  only?: boolean;
  on?: boolean;
  re?: number;
}
/** What does not change while a seat looks on. `sheet`: `Sheet`; `seats`: who sits where: human, or the name of a seat that plays by itself; `yours`: the seats that this page may look from; `seat`: the one that it looks from; `secrets`: may seats know different things? `hints`: may the page ask what a seat that plays by itself would do? `seed` and `salt`: when the game is over; `called`: by side what plays there by itself, in words. */
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
/** Where play stands after `choice` choices. `position`: `Position`; `decision`: `Asked`, None when the game is over; `lines`: of the log, instead of all that the page has from event `begin` on; `deciders`: who made each choice from number `since` + 1 on; `passing`: does the table pass for the seat until the phase ends? `renewed`: the choices that stood when dice and draws were drawn anew, because players agreed to take back; None: they never were. */
export interface State {
  type: "state";
  choice: number;
  position: Position;
  decision: Asked | null;
  begin: number;
  lines: Line[];
  since: number;
  deciders: string[];
  passing: boolean;
  renewed: number | null;
}
/** What became of a plan: `Plan`. */
export interface Taken {
  type: "taken";
  re: number;
  plan: Plan;
}
/** What was asked for, as its method gives it. */
export interface Answer {
  type: "answer";
  re: number;
  value: Json;
}
/** What was asked for cannot be: `why`, in words; `stale`: other choices stand now. */
export interface Refused {
  type: "refused";
  re: number;
  why: string;
  stale: boolean;
}
/** The table cannot go on, or this page cannot look at it any more. */
export interface Closed {
  type: "closed";
  why: string;
}
/** A game that can be played. `seats`: who may sit: human, and the seats that play by themselves. */
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
/** Something with an id and what people call it. */
export interface Titled {
  id: string;
  label: string;
}
/** A ruling of a game, with its alternatives and what is chosen without a word. */
export interface RulingOffered {
  name: string;
  text: string;
  chosen: string;
  choices: Titled[];
}
/** A table that is to be opened. `seats`: of each side, who sits there (not named: human). `hints`: who plays may ask what a seat that plays by itself would do; where people have accounts, only who plays alone. */
export interface Wanted {
  game: string;
  scenario?: string | null;
  edition?: string | null;
  rulings?: Record<string, string>;
  seats?: Record<string, string>;
  seed?: string | null;
  hints?: boolean;
}
/** A table. `decides`: the side that is asked, None when the game is over; `result`: who won, in words; `changed`: when the last choice was made, in seconds since 1970. */
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
/** All that stands beside a game. `may`: what who asks may do: invite, close, access, sit, leave, resign, takeback, rematch, claim, say_players, say_observers, note, move, save. `ending`: null if it goes on or ended by its rules. `next`: the table of the rematch. */
export interface Company {
  type: "company";
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
/** A side. `who`: its player, null: open; `machine`: the seat that plays by itself. */
export interface Sitting {
  side: string;
  who: string | null;
  guest: boolean;
  machine: string | null;
  yours: boolean;
}
/** How a game ended otherwise than by its rules: who resigned, had no time left, or left a game that was claimed. */
export interface Ending {
  kind: "resigned" | "time" | "claimed";
  side: string;
}
/** The time of each side. `left`: seconds at `at`; `running`: whose time runs. */
export interface Clock {
  type: "clock";
  rule: string;
  late: "loses" | "claim";
  left: Record<string, number>;
  running: string | null;
  at: number;
}
/** An offer that nobody has answered yet. */
export interface Proposal {
  id: number;
  kind: "takeback" | "rematch";
  side: string;
  choice: number;
  made: number;
}
/** A text of the chat. `guest`: its writer has no account (two guests may have one name); `text` is empty if it was removed. */
export interface Talked {
  type: "talked";
  id: number;
  room: "players" | "observers";
  who: string;
  guest: boolean;
  text: string;
  written: number;
  removed: boolean;
}
/** Who looks at the table now: the sides whose players do, the names of the others, and how many more nobody knows. */
export interface Present {
  type: "present";
  sides: string[];
  observers: string[];
  others: number;
}
/** A new account; a guest who is signed in keeps his seats. */
export interface SignUp {
  name: string;
  password: string;
  mail?: string | null;
  lang?: string | null;
}
/** A name and its password. */
export interface SignIn {
  name: string;
  password: string;
}
/** Another password; all other sessions end. */
export interface NewPassword {
  old: string;
  new: string;
}
/** How somebody wants to be told that he is asked: by mail, by a web hook; and his language. Null: not. `name`: another name. */
export interface Wishes {
  name?: string | null;
  mail?: string | null;
  hook?: string | null;
  lang?: string;
}
/** Who goes for good says his password, if he has one. */
export interface Farewell {
  password?: string | null;
}
/** A table that is to be opened for people. `mine`: the sides that its owner takes; the other sides of persons are open. `clock`: none, move:SECONDS, days:N or fischer:SECONDS+INCREMENT; `late`: who has no time left loses, or the other may claim the game. `save`: goes on from it. */
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
/** To a side, or (none) to look on. */
export interface Invite {
  side?: string | null;
}
/** Takes an invitation; who is not signed in becomes a guest of this name. */
export interface Come {
  name?: string | null;
  lang?: string | null;
}
/** Who may find and see a table. */
export interface Open {
  access: "private" | "open" | "public";
}
/** A wish of a side. `choice`: takeback to where so many choices stood. */
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
/** What somebody does for a side of his. */
export interface OfSide {
  side: string;
}
/** A text for the players or the observers. */
export interface Say {
  room: "players" | "observers";
  text: string;
}
/** A note of one's own. */
export interface Write {
  text: string;
}
/** Up to which text of a table's chat somebody has read: its number; 0: none. */
export interface Read {
  upto: number;
}
/** Moves a table to the rules that the server has now. `only_try`: says what would come of it. */
export interface Move {
  only_try?: boolean;
}
/** Who asks. `name` null: nobody that is known. `sign_up`: may everybody make an account here? `letters`: does this server send mail? `confirmed`: the address of mail was confirmed by the link in a letter, before that nothing else is sent there; `letter`: what became of the letter that this request sent; `given_up`: what could not be sent. */
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
/** Notices that could not be sent by a channel, however often it was tried: how many, when the last was given up, and why. */
export interface GivenUp {
  channel: "mail" | "hook";
  many: number;
  last: number;
  why: string;
}
/** What a link in a letter confirms: the address, and the name of the account that gave it. */
export interface Confirming {
  name: string;
  mail: string;
}
/** A table as the lobby lists it. `asked`: one of your own sides is asked; `left`: the seconds that the side has left whose time runs; `result`: how it ended, in words; `unread`: texts of others that you have not read; `looks`: may you see the game? */
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
/** A link that lets somebody in, once if it is for a side. It is told only now. */
export interface Invitation {
  address: string;
  side: string | null;
  ends: number;
}
/** What an invitation is to. */
export interface Invited {
  table: string;
  game: string;
  title: string;
  owner: string;
  side: string | null;
}
/** A table that one has come to. */
export interface Opened {
  id: string;
}
/** What comes of moving a table to the rules that the server has now. `same`: they are the rules of the table already; `fits`: its choices replay; `difference`: the first that does not, else what differs beside them; `moved`: it was done. */
export interface Moved {
  same: boolean;
  fits: boolean;
  moved: boolean;
  difference: string | null;
}
/** How the server stands. `counts`: people, guests, sessions, tables, going, ended, notices (that wait), given_up; of this process rooms and sockets; `troubles`: why notices were not sent. */
export interface Standing {
  version: string;
  database: "sqlite" | "postgresql";
  counts: Record<string, number>;
  tables: InAdmin[];
  troubles: string[];
}
/** A table as an admin's page lists it. */
export interface InAdmin {
  id: string;
  game: string;
  owner: string;
  access: "private" | "open" | "public";
  changed: number;
  ended: boolean;
}
/** Somebody as an admin's page lists him. */
export interface InPeople {
  id: string;
  name: string;
  guest: boolean;
  admin: boolean;
  created: number;
}
/** All that the server keeps of somebody. */
export interface Kept {
  name: string;
  guest: boolean;
  created: number;
  lang: string;
  mail: string | null;
  confirmed: boolean;
  hook: string | null;
  tables: KeptTable[];
  texts: KeptText[];
  notes: KeptNote[];
}
/** A table that somebody has to do with: `own`: he opened it; `sides`: that he plays; `looks`: he was invited to look on. */
export interface KeptTable {
  id: string;
  game: string;
  created: number;
  own: boolean;
  sides: string[];
  looks: boolean;
}
/** A text that somebody wrote in a chat. */
export interface KeptText {
  table: string;
  room: "players" | "observers";
  text: string;
  written: number;
}
/** A note of somebody. */
export interface KeptNote {
  table: string;
  text: string;
}
/** Why something could not be done, in words. */
export interface Trouble {
  error: string;
}
export type Request = Sit | Take | Undo | Redo | Ahead | Outlook | Chances | Why | WhyNot | Explain | AskHint | Analyse | Course | Stop | Hurry | Frame | Prefer | Decline;
export type Told = Table | State | Taken | Answer | Refused | Closed;
export type ToldBeside = Company | Clock | Talked | Present;
