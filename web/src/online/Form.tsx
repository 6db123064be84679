// Renders a form that is sent once at a time and shows errors, and the fields of such forms.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { why } from "./session";

interface Props {
  children: ComponentChildren;
  button: string;
  /** The action. A returned text is shown. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most of what is done returns nothing
  act(): Promise<string | void>;
  quiet?: boolean;
  label?: string;
}

export function Form({ children, button, act, quiet = false, label }: Props) {
  const busy = useSignal(false),
    said = useSignal<{ text: string; bad: boolean } | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy.value) return;
    busy.value = true;
    said.value = null;
    try {
      const text = await act();
      if (text !== undefined) said.value = { text, bad: false };
    } catch (error) {
      said.value = { text: why(error), bad: true };
    } finally {
      busy.value = false;
    }
  };
  return (
    <form class="plain" aria-label={label} onSubmit={(event) => void submit(event)}>
      {children}
      <Said said={said.value} />
      <button class={quiet ? "act" : "act main"} type="submit" disabled={busy.value}>
        {button}
      </button>
    </form>
  );
}

/** The result of an action. It always exists for screen readers. */
export function Said({ said }: { said: { text: string; bad: boolean } | null }) {
  return (
    <p
      class={said === null ? "unseen" : said.bad ? "wrong" : "fine"}
      role={said?.bad ? "alert" : "status"}
    >
      {said?.text ?? ""}
    </p>
  );
}

export function Field({
  label,
  value,
  set,
  hint,
  type = "text",
  ...more
}: {
  label: string;
  value: string;
  set(value: string): void;
  hint?: string | undefined;
  type?: "text" | "password" | "email" | "url" | "number";
  name?: string | undefined;
  autocomplete?: "username" | "current-password" | "new-password" | "email" | "nickname" | "off";
  required?: boolean;
  minLength?: number | undefined;
  maxLength?: number;
  min?: number;
  max?: number;
}) {
  const id = useId();
  return (
    <label class="field">
      <span>{label}</span>
      <input
        {...more}
        type={type as "text"}
        value={value}
        aria-describedby={hint === undefined ? undefined : id}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {hint !== undefined && <small id={id}>{hint}</small>}
    </label>
  );
}

export function Select<T extends string>({
  label,
  value,
  among,
  set,
  wide = false,
  state,
  said = "",
}: {
  label: string;
  wide?: boolean;
  /**
   * For values that are saved at once: whether they are being saved, or saved. This is also shown in words.
   */
  state?: "busy" | "saved" | "as it was";
  said?: string;
  value: T;
  among: readonly (readonly [T, string])[];
  set(value: T): void;
}) {
  return (
    <label class={wide ? "field wide-field" : "field"}>
      <span>{label}</span>
      <select
        value={value}
        aria-busy={state === "busy"}
        onChange={(event) => set(event.currentTarget.value as T)}
      >
        {among.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
      {state !== undefined && (
        <small class="hint" role="status">
          {said}
        </small>
      )}
    </label>
  );
}
