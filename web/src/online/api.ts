// Requests to the API of the online server. An error has the server's own text, in the current
// language.
import { ask } from "../home/api";
import { withIdempotencyKey } from "../home/idempotencyKey";
import { language } from "../preferences";
import type {
  ChatMessage,
  Confirming,
  Hosting,
  InLobby,
  Invitation,
  Invited,
  ListedAccount,
  Me,
  Moved,
  Offer,
  Opened,
  Read,
  Say,
  SignIn,
  SignUp,
  Standing,
  TableStatus,
  Text,
  Wishes,
} from "../protocol.gen";

type Method = "GET" | "POST" | "PUT" | "DELETE";

function call<T>(method: Method, path: string, body?: object, key?: string): Promise<T> {
  const address = `/api/${path}${path.includes("?") ? "&" : "?"}lang=${language.value}`;
  return ask(address, {
    method,
    ...(body === undefined
      ? {}
      : {
          headers: {
            "Content-Type": "application/json",
            ...(key === undefined ? {} : { "Idempotency-Key": key }),
          },
          body: JSON.stringify(body),
        }),
  });
}

/** The same for a request that creates something. Sent twice, it takes effect once. */
function make<T>(path: string, body: object): Promise<T> {
  return withIdempotencyKey(`${path} ${JSON.stringify(body)}`, (key) =>
    call("POST", path, body, key),
  );
}

const at = (id: string): string => `tables/${encodeURIComponent(id)}`;
const part = encodeURIComponent;

export const whoAmI = (): Promise<Me> => call("GET", "me");
export const signUp = (body: SignUp): Promise<Me> => make("accounts", body);
export const signIn = (body: SignIn): Promise<Me> => call("POST", "session", body);
export const signOut = (): Promise<null> => call("DELETE", "session");
export const changePassword = (old: string, now: string): Promise<null> =>
  call("POST", "password", { old, new: now });
export const forget = (password: string | null): Promise<null> =>
  call("DELETE", "me", { password });
export const wish = (body: Wishes): Promise<Me> => call("PUT", "me", body);

export const sendLetter = (): Promise<null> => call("POST", "me/letter");
export const confirming = (token: string): Promise<Confirming> =>
  call("GET", `confirmations/${part(token)}`);
export const confirm = (token: string): Promise<null> =>
  call("POST", `confirmations/${part(token)}`);

export type Which = "mine" | "open" | "public";
export const lobby = (which: Which): Promise<InLobby[]> => call("GET", `tables?which=${which}`);
export const host = (body: Hosting): Promise<Opened> => make("tables", body);
export const tableStatusOf = (id: string): Promise<TableStatus> => call("GET", at(id));
export const remove = (id: string): Promise<null> => call("DELETE", at(id));
export const setAccess = (id: string, access: TableStatus["access"]): Promise<null> =>
  call("PUT", `${at(id)}/access`, { access });
export const sit = (id: string, side: string): Promise<null> =>
  call("POST", `${at(id)}/seats/${part(side)}`, {});
export const leave = (id: string, side: string): Promise<null> =>
  call("DELETE", `${at(id)}/seats/${part(side)}`);
export const invite = (id: string, side: string | null): Promise<Invitation> =>
  make(`${at(id)}/invitations`, { side });
export const invitation = (token: string): Promise<Invited> =>
  call("GET", `invitations/${part(token)}`);
export const come = (token: string, name: string | null): Promise<Opened> =>
  make(`invitations/${part(token)}`, { name, lang: language.value });

export const resign = (id: string, side: string): Promise<null> =>
  call("POST", `${at(id)}/resign`, { side });
export const claim = (id: string, side: string): Promise<null> =>
  call("POST", `${at(id)}/claim`, { side });
export const offer = (id: string, body: Offer): Promise<null> => make(`${at(id)}/offers`, body);
export const reply = (id: string, n: number, side: string, accept: boolean): Promise<null> =>
  make(`${at(id)}/offers/${n}`, { side, accept });
export const texts = (id: string, since: number): Promise<ChatMessage[]> =>
  call("GET", `${at(id)}/chat?since=${since}`);
export const speak = (id: string, body: Say): Promise<ChatMessage> => make(`${at(id)}/chat`, body);
export const unsay = (id: string, n: number): Promise<null> =>
  call("DELETE", `${at(id)}/chat/${n}`);
export const note = (id: string): Promise<Text> => call("GET", `${at(id)}/note`);
export const writeNote = (id: string, text: string): Promise<null> =>
  call("PUT", `${at(id)}/note`, { text });
export const moveRules = (id: string, onlyTry: boolean): Promise<Moved> =>
  call("POST", `${at(id)}/rules`, { only_try: onlyTry });

export const standing = (): Promise<Standing> => call("GET", "admin");
export const listAccounts = (like: string): Promise<ListedAccount[]> =>
  call("GET", `admin/accounts?like=${part(like)}`);
export const signOff = (person: string): Promise<null> =>
  call("DELETE", `admin/accounts/${part(person)}/sessions`);
export const readUpto = (id: string): Promise<Read> => call("GET", `${at(id)}/read`);
export const hasRead = (id: string, upto: number): Promise<null> =>
  call("PUT", `${at(id)}/read`, { upto });
