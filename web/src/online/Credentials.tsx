// Renders the fields for name and password, which sign-in, registration and password change share.
import type { Signal } from "@preact/signals";
import type { Say } from "../i18n/say";
import { Field } from "./Form";

/** `made`: it is chosen here, so its constraints are shown. `nick`: a displayed name without sign-in. */
export function NameField({
  say,
  name,
  made = false,
  nick = false,
}: {
  say: Say;
  name: Signal<string>;
  made?: boolean;
  nick?: boolean;
}) {
  return (
    <Field
      label={say("name")}
      value={name.value}
      set={(text) => {
        name.value = text;
      }}
      name={nick ? undefined : "username"}
      autocomplete={nick ? "nickname" : "username"}
      hint={made ? say("nameHint") : undefined}
      required
      maxLength={made ? 40 : 80}
    />
  );
}

/** `made`: a new one. `label`: distinguishes two of them. */
export function PasswordField({
  say,
  password,
  made = false,
  label = say("password"),
}: {
  say: Say;
  password: Signal<string>;
  made?: boolean;
  label?: string;
}) {
  return (
    <Field
      label={label}
      value={password.value}
      set={(text) => {
        password.value = text;
      }}
      type="password"
      name={made ? "new-password" : "password"}
      autocomplete={made ? "new-password" : "current-password"}
      hint={made ? say("passwordHint") : undefined}
      required
      minLength={made ? 8 : undefined}
      maxLength={200}
    />
  );
}
