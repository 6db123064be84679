// Renders the page for administrators: state of the server, list of tables, people, and messages
// that could not be sent.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Say, sayIn, type Word } from "../i18n/say";
import { language } from "../preferences";
import type { InAdmin, ListedAccount, Standing } from "../protocol.gen";
import { listAccounts, remove, signOff, standing } from "./api";
import { ConfirmButton } from "./ConfirmButton";
import { Field, Form, Said } from "./Form";
import { PageFrame } from "./PageFrame";
import { why } from "./session";
import { ago } from "./times";

/** The counts in the order of display. */
const COUNTS: readonly (readonly [string, Word])[] = [
  ["accounts", "countAccounts"],
  ["guests", "countGuests"],
  ["sessions", "countSessions"],
  ["tables", "countTables"],
  ["going", "countGoing"],
  ["ended", "countEnded"],
  ["rooms", "countRooms"],
  ["sockets", "countSockets"],
  ["notices", "countNotices"],
  ["given_up", "countGivenUp"],
];

export function Admin() {
  const now = useSignal<Standing | null>(null),
    wrong = useSignal("");
  const load = (): void => {
    standing().then(
      (found) => {
        now.value = found;
        wrong.value = "";
      },
      (error: unknown) => {
        wrong.value = why(error);
      },
    );
  };
  useEffect(load, [language.value]);
  return (
    <PageFrame here="admin" title={sayIn(language.value)("admin")}>
      {(say) => (
        <>
          <h1>{say("admin")}</h1>
          <Said said={wrong.value === "" ? null : { text: wrong.value, bad: true }} />
          {now.value !== null && (
            <>
              <p class="hint">
                rulekit · {now.value.database} {now.value.version}
              </p>
              <dl class="counts">
                {COUNTS.map(([name, word]) => (
                  <div key={name}>
                    <dt>{say(word)}</dt>
                    <dd>{now.value?.counts[name] ?? 0}</dd>
                  </div>
                ))}
              </dl>
              <section>
                <h2>{say("tables")}</h2>
                <ul class="rows">
                  {now.value.tables.map((each) => (
                    <TableRow key={each.id} table={each} say={say} gone={load} />
                  ))}
                </ul>
                {now.value.tables.length === 0 && <p class="hint">{say("noTables")}</p>}
              </section>
              <Persons say={say} />
              <section>
                <h2>{say("troubles")}</h2>
                {now.value.troubles.length === 0 ? (
                  <p class="hint">{say("noTroubles")}</p>
                ) : (
                  <ul class="rows">
                    {now.value.troubles.map((each, i) => (
                      <li key={i}>{each}</li>
                    ))}
                  </ul>
                )}
              </section>
            </>
          )}
        </>
      )}
    </PageFrame>
  );
}

const ACCESS: Record<InAdmin["access"], Word> = {
  private: "accessPrivate",
  open: "accessOpen",
  public: "accessPublic",
};

function TableRow({ table, say, gone }: { table: InAdmin; say: Say; gone(): void }) {
  return (
    <li>
      <div>
        <b>{table.game}</b>
        <small>
          <bdi>{table.owner}</bdi>
          <span>{say(ACCESS[table.access])}</span>
          <span>{table.ended ? say("past") : say("running")}</span>
          <span>{ago(table.changed)}</span>
        </small>
      </div>
      {table.access === "public" && (
        <a
          class="act"
          href={`/table/${encodeURIComponent(table.id)}`}
          aria-label={`${say("look")}: ${table.game}, ${table.owner}`}
        >
          {say("look")}
        </a>
      )}
      <ConfirmButton
        word={say("remove")}
        sure={say("removeSure")}
        label={`${say("remove")}: ${table.game}, ${table.owner}`}
        act={() => remove(table.id).then(gone)}
      />
    </li>
  );
}

function Persons({ say }: { say: Say }) {
  const like = useSignal(""),
    found = useSignal<ListedAccount[] | null>(null);
  return (
    <section>
      <h2>{say("persons")}</h2>
      <Form
        label={say("persons")}
        button={say("search")}
        quiet
        act={async () => {
          found.value = await listAccounts(like.value);
          if (found.value.length === 0) return say("findNone");
        }}
      >
        <Field
          label={say("nameHolds")}
          value={like.value}
          set={(text) => {
            like.value = text;
          }}
          autocomplete="off"
          maxLength={80}
        />
      </Form>
      {found.value !== null && (
        <ul class="rows">
          {found.value.map((each) => (
            <li key={each.id}>
              <div>
                <b>
                  <bdi>{each.name}</bdi>
                </b>
                <small>
                  {[each.guest ? say("guest") : each.admin ? say("anAdmin") : "", ago(each.created)]
                    .filter(Boolean)
                    .join(" · ")}
                </small>
              </div>
              <ConfirmButton
                word={say("endSessions")}
                sure={say("endSessionsSure")}
                label={`${say("endSessions")}: ${each.name}`}
                act={() => signOff(each.id)}
                done={say("done")}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
