// Renders the forms for sign-in and registration.
import { useSignal } from "@preact/signals";
import type { Say } from "../i18n/say";
import { language } from "../preferences";
import { signIn, signUp } from "./api";
import { NameField, PasswordField } from "./Credentials";
import { Field, Form } from "./Form";
import { me } from "./session";

/** Both forms, one at a time. A server may restrict new accounts. */
export function SignIn({ say }: { say: Say }) {
  const making = useSignal(false),
    may = me.value?.sign_up ?? true;
  return (
    <section class="sign">
      <div class="choose" role="group" aria-label={say("whoAreYou")}>
        <button
          type="button"
          aria-pressed={!making.value}
          onClick={() => {
            making.value = false;
          }}
        >
          {say("signIn")}
        </button>
        {may && (
          <button
            type="button"
            aria-pressed={making.value}
            onClick={() => {
              making.value = true;
            }}
          >
            {say("signUp")}
          </button>
        )}
      </div>
      {making.value ? <SignUpForm say={say} /> : <SignInForm say={say} />}
      {!may && <p class="hint">{say("noSignUp")}</p>}
    </section>
  );
}

function SignInForm({ say }: { say: Say }) {
  const name = useSignal(""),
    password = useSignal("");
  return (
    <Form
      label={say("signIn")}
      button={say("signIn")}
      act={async () => {
        me.value = await signIn({ name: name.value, password: password.value });
      }}
    >
      <NameField say={say} name={name} />
      <PasswordField say={say} password={password} />
    </Form>
  );
}

/** A new account. A guest keeps their seats. */
export function SignUpForm({ say, named = "" }: { say: Say; named?: string }) {
  const name = useSignal(named),
    password = useSignal(""),
    mail = useSignal("");
  return (
    <Form
      label={say("signUp")}
      button={say("makeAccount")}
      act={async () => {
        me.value = await signUp({
          name: name.value,
          password: password.value,
          mail: mail.value.trim() || null,
          lang: language.value,
        });
      }}
    >
      <NameField say={say} name={name} made />
      <PasswordField say={say} password={password} made />
      {me.value?.letters && (
        <Field
          label={say("mailOptional")}
          value={mail.value}
          set={(text) => {
            mail.value = text;
          }}
          type="email"
          name="email"
          autocomplete="email"
          hint={say("mailHint")}
          maxLength={254}
        />
      )}
    </Form>
  );
}
