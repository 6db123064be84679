// The current user, as the server reports it.
import { computed, signal } from "@preact/signals";
import type { ChatMessage, Me } from "../protocol.gen";
import { whoAmI } from "./api";

/** Null means not known yet. */
export const me = signal<Me | null>(null);
export const signedIn = computed(() => me.value !== null && me.value.name !== null);

/**
 * True if a message is one's own, judged by the name. Names of accounts are unique, those of guests are not.
 */
export const isMine = (text: ChatMessage): boolean =>
  text.who === me.value?.name && text.guest === me.value.guest;

export async function meet(): Promise<void> {
  me.value = await whoAmI();
}

/** Go to another page of this server. */
export function goTo(path: string): void {
  location.href = path;
}

/** The page of this server that was requested before the sign-in, or null. */
export function wanted(): string | null {
  const to = new URLSearchParams(location.search).get("to") ?? "";
  return /^\/(table|join|account|admin)(\/[A-Za-z0-9_-]+)?$/.test(to) ? to : null;
}

export const tablePath = (id: string): string => `/table/${encodeURIComponent(id)}`;

/** The text of an error. */
export const why = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
