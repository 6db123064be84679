// Renders the account page: registration for a guest, notifications, password.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type LANGUAGES, type Say, sayIn } from "../i18n/say";
import { language } from "../preferences";
import { changePassword, forget, sendLetter, wish } from "./api";
import { NameField, PasswordField } from "./Credentials";
import { Field, Form, Select } from "./Form";
import { PageFrame } from "./PageFrame";
import { SignUpForm } from "./SignIn";
import { goTo, me, meet } from "./session";
import { ago } from "./times";

export function Account() {
  const who = me.value!;
  useEffect(() => {
    void meet().catch(() => undefined); // sends what could not be sent since the page was opened
  }, []);
  return (
    <PageFrame here="account" title={sayIn(language.value)("account")}>
      {(say) => (
        <>
          <h1>
            <bdi>{who.name}</bdi>
            {who.guest && <small class="tag">{say("guest")}</small>}
          </h1>
          {who.guest && (
            <section>
              <h2>{say("stay")}</h2>
              <p class="hint">{say("stayHint")}</p>
              <SignUpForm say={say} named={who.name ?? ""} />
            </section>
          )}
          <Notices say={say} />
          {!who.guest && <Password say={say} />}
          <Going say={say} />
        </>
      )}
    </PageFrame>
  );
}

const NAMES: Record<keyof typeof LANGUAGES, string> = { en: "English", fr: "Français" };

function Notices({ say }: { say: Say }) {
  const who = me.value!,
    name = useSignal(who.name ?? ""),
    mail = useSignal(who.mail ?? ""),
    hook = useSignal(who.hook ?? ""),
    lang = useSignal(who.lang);
  return (
    <section>
      <h2>{say("notices")}</h2>
      <p class="hint">{say("noticesHint")}</p>
      <Unsent say={say} />
      <Form
        label={say("notices")}
        button={say("keep")}
        act={async () => {
          const found = await wish({
            mail: mail.value.trim() || null,
            hook: hook.value.trim() || null,
            lang: lang.value,
            ...(who.guest ? {} : { name: name.value }),
          });
          me.value = found;
          mail.value = found.mail ?? "";
          if (found.letter === "failed") throw new Error(say("letterFailed"));
          return found.letter === "sent"
            ? say("letterSent", { mail: found.mail ?? "" })
            : say("saved");
        }}
      >
        {!who.guest && <NameField say={say} name={name} made nick />}
        <Field
          label={say("mail")}
          value={mail.value}
          set={(text) => {
            mail.value = text;
          }}
          type="email"
          name="email"
          autocomplete="email"
          hint={who.letters ? say("mailHint") : say("noLetters")}
          maxLength={254}
        />
        <Field
          label={say("hook")}
          value={hook.value}
          set={(text) => {
            hook.value = text;
          }}
          type="url"
          autocomplete="off"
          hint={say("hookHint")}
          maxLength={500}
        />
        <Select
          label={say("noticesIn")}
          value={lang.value}
          among={Object.entries(NAMES)}
          set={(id) => {
            lang.value = id;
          }}
        />
      </Form>
    </section>
  );
}

/** Undelivered notifications, and the address that waits for confirmation. */
function Unsent({ say }: { say: Say }) {
  const who = me.value!;
  return (
    <>
      {who.given_up.map((each) => (
        <p key={each.channel} class="wrong">
          {say(each.channel === "mail" ? "mailGivenUp" : "hookGivenUp", {
            n: each.many,
            when: ago(each.last),
            why: each.why,
          })}
        </p>
      ))}
      {who.mail !== null && !who.confirmed && who.letters && (
        <Form
          label={say("mail")}
          button={say("letterAgain")}
          quiet
          act={async () => {
            await sendLetter();
            return say("letterSent", { mail: who.mail ?? "" });
          }}
        >
          <p class="waits-letter">
            <b>{say("mailWaits", { mail: who.mail })}</b>{" "}
            <span class="hint">{say("mailWaitsHint")}</span>
          </p>
        </Form>
      )}
    </>
  );
}

function Password({ say }: { say: Say }) {
  const old = useSignal(""),
    now = useSignal("");
  return (
    <section>
      <h2>{say("password")}</h2>
      <p class="hint">{say("passwordEnds")}</p>
      <Form
        label={say("password")}
        button={say("changePassword")}
        act={async () => {
          await changePassword(old.value, now.value);
          old.value = now.value = "";
          return say("saved");
        }}
      >
        <input
          type="text"
          name="username"
          autocomplete="username"
          value={me.value?.name ?? ""}
          hidden
          readOnly
        />
        <PasswordField say={say} password={old} label={say("passwordOld")} />
        <PasswordField say={say} password={now} label={say("passwordNew")} made />
      </Form>
    </section>
  );
}

/** The personal data as a file, and the deletion of the account. */
function Going({ say }: { say: Say }) {
  const password = useSignal(""),
    sure = useSignal(false),
    guest = me.value?.guest ?? false;
  return (
    <section>
      <h2>{say("yourData")}</h2>
      <p>
        <a class="act" href="/api/me/export" download>
          {say("exportData")}
        </a>
      </p>
      <h3>{say("goForGood")}</h3>
      <p class="hint">{say("goHint")}</p>
      <Form
        label={say("goForGood")}
        button={say(sure.value ? "goSure" : "goForGood")}
        quiet
        act={async () => {
          if (!sure.value) {
            sure.value = true;
            return;
          }
          sure.value = false;
          await forget(guest ? null : password.value);
          goTo("/");
        }}
      >
        {!guest && <PasswordField say={say} password={password} />}
      </Form>
    </section>
  );
}
