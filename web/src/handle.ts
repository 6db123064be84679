// Typed ids of clickable things: a card may have the same id as a place.

/**
 * A clickable thing: a piece on the map, a place, or a card or face in the hand. An id alone does not
 * distinguish them.
 */
export type Role = "piece" | "place" | "card";
export type Handle = `${Role} ${string}`;

/** A card with its kind, as in handles of cards. */
export const cardOf = (kind: string | null, id: string): string => `${kind ?? ""} ${id}`;

export const handle = (role: Role, id: string): Handle => `${role} ${id}`;
export const roleOf = (handle: Handle): Role => handle.slice(0, handle.indexOf(" ")) as Role;
export const idOf = (handle: Handle): string => handle.slice(handle.indexOf(" ") + 1);
/** The ids of the handles with a role, in order. */
export const idsOf = (handles: Iterable<Handle>, role: Role): string[] =>
  [...handles].filter((each) => roleOf(each) === role).map(idOf);
