// Typed ids of clickable things: a card may have the same id as a place.

/** What can be clicked: a piece on the map, a place, or a card or face in the hand. An id alone does not say which of them it is. */
export type Role = "piece" | "place" | "card";
export type Handle = `${Role} ${string}`;

/** A card with its kind, as handles of cards name it. */
export const cardOf = (kind: string | null, id: string): string => `${kind ?? ""} ${id}`;

export const handle = (role: Role, id: string): Handle => `${role} ${id}`;
export const roleOf = (handle: Handle): Role => handle.slice(0, handle.indexOf(" ")) as Role;
export const idOf = (handle: Handle): string => handle.slice(handle.indexOf(" ") + 1);
/** The ids of those handles that are of a role, in their order. */
export const idsOf = (handles: Iterable<Handle>, role: Role): string[] =>
  [...handles].filter((each) => roleOf(each) === role).map(idOf);
