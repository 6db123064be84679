// The connection to a table: sends requests over a WebSocket, returns the answers, and reconnects.
import type { Answer, Request, ServerMessage, SocketMessage } from "./protocol.gen";

/** The state of the connection. `closed`: the server gave a reason why it cannot continue. */
export type Health = "joining" | "up" | "lost" | "closed";

/** The messages to the page, besides answers to its own requests. */
export interface SocketListener {
  received(message: ServerMessage | SocketMessage): void;
  health(now: Health, why: string): void;
}

/** A request without its number, which the link adds. */
export type Asking = Request extends infer R ? (R extends Request ? Omit<R, "re"> : never) : never;

/**
 * The reason why a request got no answer. `stale`: the position has changed. `lost`: it is unknown whether
 * the request arrived. `busy`: the server is busy, and the same request may succeed later.
 */
export class NotDone extends Error {
  constructor(
    readonly why: string,
    readonly stale = false,
    readonly lost = false,
    readonly busy = false,
  ) {
    super(why);
  }
}

/** The connection of the page: the socket, or a substitute during development. */
export interface Socket {
  open(ears: SocketListener): void;
  ask(what: Asking): Promise<ServerMessage>;
  /** Connect now instead of later. */
  retry(): void;
  shut(): void;
}

const FIRST_WAIT = 400,
  LONGEST_WAIT = 15_000;

interface Waiting {
  done(message: ServerMessage): void;
  failed(why: NotDone): void;
}

const BESIDE: readonly string[] = [
  "table_status",
  "clock",
  "present",
  "chat_message",
] satisfies SocketMessage["type"][];

export const isBeside = (message: ServerMessage | SocketMessage): message is SocketMessage =>
  BESIDE.includes(message.type);

export class ReconnectingSocket implements Socket {
  private socket: WebSocket | null = null;
  private ears: SocketListener | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private number = 0;
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private seat: Asking | null = null;
  private over = false;

  constructor(private readonly address: string) {}

  open(ears: SocketListener): void {
    this.ears = ears;
    this.connect();
  }

  /**
   * Send a request. Without a connection it fails at once, except `sit`, with which a new connection begins.
   */
  ask(what: Asking): Promise<ServerMessage> {
    if (what.type === "sit") this.seat = what;
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new NotDone("lost", false, true));
    }
    return this.send(what);
  }

  retry(): void {
    if (this.timer !== undefined) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.connect();
    }
  }

  shut(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private send(what: Asking): Promise<ServerMessage> {
    const re = ++this.number;
    return new Promise((done, failed) => {
      this.waiting.set(re, { done, failed });
      this.socket!.send(JSON.stringify({ ...what, re }));
    });
  }

  /** The seat belongs to somebody else now, so watch instead. */
  private stand(error: unknown): void {
    if (
      error instanceof NotDone &&
      !error.lost &&
      this.seat?.type === "sit" &&
      this.seat.seat !== null
    )
      this.ask({ ...this.seat, seat: null }).catch(() => undefined);
  }

  private connect(): void {
    if (this.over) return;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.ears?.health("up", "");
      if (this.seat !== null) this.send(this.seat).catch((error: unknown) => this.stand(error));
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string")
        this.hear(JSON.parse(event.data) as ServerMessage | SocketMessage);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.dropped();
    };
  }

  private hear(message: ServerMessage | SocketMessage): void {
    if (isBeside(message)) {
      this.ears?.received(message);
      return;
    }
    if (message.type === "closed") {
      this.over = true;
      this.ears?.health("closed", message.why);
      return;
    }
    const waiting = "re" in message ? this.waiting.get(message.re) : undefined;
    if ("re" in message) this.waiting.delete(message.re);
    if (message.type === "table" || message.type === "state") this.ears?.received(message);
    if (message.type === "refused")
      waiting?.failed(new NotDone(message.why, message.stale, false, message.busy));
    else waiting?.done(message);
  }

  /** Requests are not repeated. After the new connection the state shows their effects. */
  private dropped(): void {
    for (const each of this.waiting.values()) each.failed(new NotDone("lost", false, true));
    this.waiting.clear();
    if (this.over) return;
    this.ears?.health("lost", "");
    const wait = this.wait * (0.75 + Math.random() / 2);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.connect();
    }, wait);
  }
}

/** The value of an answer, with the type that its sender expects. */
export async function answered<T>(link: Socket, what: Asking): Promise<T> {
  return ((await link.ask(what)) as Answer).value as T;
}
