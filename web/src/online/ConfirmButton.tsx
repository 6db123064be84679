// Renders a button that asks for confirmation before an action that cannot be undone.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { why } from "./session";

interface Props {
  word: string;
  /** The text of the confirmation. */
  sure: string;
  label?: string;
  /** The text after the action. */
  done?: string;
  act(): Promise<unknown>;
}

/** The time for which the confirmation is shown, in ms. */
const STANDS = 8000;

export function ConfirmButton({ word, sure, label, done, act }: Props) {
  const armed = useSignal(false),
    said = useSignal(""),
    button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!armed.value) return undefined;
    const timer = setTimeout(() => {
      armed.value = false;
    }, STANDS);
    return () => clearTimeout(timer);
  }, [armed.value]);
  const press = async (): Promise<void> => {
    if (!armed.value) {
      armed.value = true;
      return;
    }
    armed.value = false;
    try {
      await act();
      said.value = done ?? "";
    } catch (error) {
      said.value = why(error);
    }
  };
  return (
    <span class="ask">
      <button
        type="button"
        ref={button}
        class={armed.value ? "act armed" : "act"}
        aria-label={label === undefined ? undefined : armed.value ? `${sure} ${label}` : label}
        onClick={() => void press()}
        onKeyDown={(event) => {
          if (event.key === "Escape" && armed.value) {
            event.stopPropagation();
            armed.value = false;
          }
        }}
      >
        {armed.value ? sure : word}
      </button>
      <span role="status" class={said.value === "" ? "unseen" : "hint"}>
        {armed.value ? sure : said.value}
      </span>
    </span>
  );
}
