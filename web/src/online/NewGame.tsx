// Renders the form of a new online game: game, seats, access and clock, or a save to continue from.
import { useSignal } from "@preact/signals";
import { NewTable } from "../home/NewTable";
import type { Say, Word } from "../i18n/say";
import type { Hosting, Playable, Titled, Wanted } from "../protocol.gen";
import { host } from "./api";
import { type Chosen, type Kind, ruleOf } from "./clocks";
import { Field, Said, Select } from "./Form";
import { goTo, tablePath, why } from "./session";

type Access = NonNullable<Hosting["access"]>;
type Late = NonNullable<Hosting["late"]>;

const ME = "me";
export const ACCESS: readonly (readonly [Access, Word])[] = [
  ["private", "accessPrivate"],
  ["open", "accessOpen"],
  ["public", "accessPublic"],
];

export function NewGame({ games, say }: { games: readonly Playable[]; say: Say }) {
  const access = useSignal<Access>("private"),
    late = useSignal<Late>("claim"),
    clock = useSignal<Chosen>({ kind: "none", minutes: "10", seconds: "10", days: "3" }),
    wrong = useSignal("");
  const sitters = (game: Playable): Titled[] => [
    { id: ME, label: say("me") },
    ...game.seats.map((each) => (each.id === "human" ? { ...each, label: say("another") } : each)),
  ];
  const common = (): Pick<Hosting, "access" | "clock" | "late"> => ({
    access: access.value,
    clock: ruleOf(clock.value),
    late: late.value,
  });
  const open = async (wanted: Hosting): Promise<void> => {
    try {
      goTo(tablePath((await host(wanted)).id));
    } catch (error) {
      wrong.value = why(error);
    }
  };
  const asked = (wanted: Wanted): Hosting => {
    const seats = Object.entries(wanted.seats ?? {});
    return {
      ...wanted,
      ...common(),
      mine: seats.filter(([, who]) => who === ME).map(([side]) => side),
      seats: Object.fromEntries(seats.map(([side, who]) => [side, who === ME ? "human" : who])),
    };
  };
  /** A save names its game. Its owner knows the dice, and takes all human sides. */
  const bring = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const save = await file.text(),
      head = headOf(save),
      game = games.find((each) => each.id === head?.game);
    if (game === undefined) {
      wrong.value = say("noSave");
      return;
    }
    const mine = game.sides
      .map((side) => side.id)
      .filter((side) => (head?.seats[side] ?? "human") === "human");
    await open({ game: game.id, save, ...common(), mine });
  };
  return (
    <>
      <h2>{say("newTable")}</h2>
      <Said said={wrong.value === "" ? null : { text: wrong.value, bad: true }} />
      {games.length > 0 && (
        <NewTable
          games={games}
          say={say}
          sitters={sitters}
          first={ME}
          hinted={(seats) =>
            Object.values(seats).filter((who) => who === "human" || who === ME).length === 1
          }
          seeded={(seats) => !Object.values(seats).includes("human")}
          open={(wanted) => void open(asked(wanted))}
        >
          <Select
            wide
            label={say("access")}
            value={access.value}
            among={ACCESS.map(([id, word]) => [id, say(word)] as const)}
            set={(id) => {
              access.value = id;
            }}
          />
          <ClockFields
            chosen={clock.value}
            set={(next) => {
              clock.value = next;
            }}
            say={say}
          />
          {clock.value.kind !== "none" && (
            <Select
              wide
              label={say("atZero")}
              value={late.value}
              among={[
                ["claim", say("lateClaim")],
                ["loses", say("lateLoses")],
              ]}
              set={(id) => {
                late.value = id;
              }}
            />
          )}
        </NewTable>
      )}
      <label class="bring">
        <span>{say("upload")}</span>
        <small>{say("uploadPeople")}</small>
        <input type="file" onChange={(event) => void bring(event.currentTarget.files?.[0])} />
      </label>
    </>
  );
}

/** The first line of a save: its game and its players. */
function headOf(save: string): { game: string; seats: Record<string, string> } | null {
  try {
    const head: unknown = JSON.parse(save.split("\n", 1)[0] ?? "");
    if (
      typeof head !== "object" ||
      head === null ||
      !("game" in head) ||
      typeof head.game !== "string"
    )
      return null;
    const seats =
      "seats" in head && typeof head.seats === "object"
        ? (head.seats as Record<string, string>)
        : {};
    return { game: head.game, seats };
  } catch {
    return null;
  }
}

function ClockFields({ chosen, set, say }: { chosen: Chosen; set(next: Chosen): void; say: Say }) {
  const number = (
    label: string,
    field: "minutes" | "seconds" | "days",
    min: number,
    max: number,
  ) => (
    <Field
      label={label}
      value={chosen[field]}
      set={(text) => set({ ...chosen, [field]: text })}
      type="number"
      min={min}
      max={max}
      required
    />
  );
  return (
    <>
      <Select<Kind>
        wide
        label={say("clock")}
        value={chosen.kind}
        among={[
          ["none", say("clockNone")],
          ["move", say("clockMove")],
          ["fischer", say("clockBank")],
          ["days", say("clockDays")],
        ]}
        set={(kind) => set({ ...chosen, kind })}
      />
      {(chosen.kind === "move" || chosen.kind === "fischer") &&
        number(say("minutes"), "minutes", 1, 10_000)}
      {chosen.kind === "fischer" && number(say("moreSeconds"), "seconds", 0, 100_000)}
      {chosen.kind === "days" && number(say("days"), "days", 1, 365)}
    </>
  );
}
