// The current user, as the server reports it.
import { computed, signal } from "@preact/signals";
import type { Me, Talked } from "../protocol.gen";
import { whoAmI } from "./api";

/** null: not known yet. */
export const me = signal<Me | null>(null);
export const signedIn = computed(() => me.value !== null && me.value.name !== null);

/** Is a text one's own, as far as a name tells? Accounts have each another name, guests may have any. */
export const isMine = (text: Talked): boolean =>
  text.who === me.value?.name && text.guest === me.value.guest;

export async function meet(): Promise<void> {
  me.value = await whoAmI();
}

/** To another page of this server. */
export function goTo(path: string): void {
  location.href = path;
}

/** Where one wanted to go before one was asked to sign in: a page of this server; null: nowhere. */
export function wanted(): string | null {
  const to = new URLSearchParams(location.search).get("to") ?? "";
  return /^\/(table|join|account|admin)(\/[A-Za-z0-9_-]+)?$/.test(to) ? to : null;
}

export const tablePath = (id: string): string => `/table/${encodeURIComponent(id)}`;

/** What an error says. */
export const why = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
