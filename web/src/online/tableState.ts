// The online state of a table, from the socket: seats, clocks, chat and the note, with their
// actions.
import { batch, computed, signal } from "@preact/signals";
import type {
  ChatMessage,
  Clock,
  Offer,
  Present,
  Say,
  Sitting,
  SocketMessage,
  TableStatus,
} from "../protocol.gen";
import * as api from "./api";
import { isMine, me, meet } from "./session";

export type Room = Say["room"];

/**
 * The time after the fall of a flag at which the server is asked for the result, and the delay before a note
 * is saved, in ms.
 */
const AFTER_FLAG = 2600,
  RESTS = 1200,
  LONGEST = 2 ** 31 - 1;

export class TableState {
  readonly status = signal<TableStatus | null>(null);
  readonly present = signal<Present | null>(null);
  readonly texts = signal<ChatMessage[]>([]);
  readonly note = signal<string | null>(null);
  readonly noteState = signal<"saved" | "writing" | "failed">("saved");
  /** The number of the last read message. */
  readonly read = signal(0);
  readonly room = signal<Room>("players");
  private readonly clock = signal<{ reading: Clock; at: number } | null>(null);
  private readonly tick = signal(0);
  private beat: ReturnType<typeof setInterval> | undefined;
  private flag: ReturnType<typeof setTimeout> | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private asked = false;
  /** The person leaves on purpose, so the closing of the table is expected. */
  leaving = false;

  /** True if the game is running. */
  readonly plays = computed(
    () =>
      this.status.value !== null &&
      this.status.value.begun !== null &&
      this.status.value.ended === null,
  );
  readonly may = computed<ReadonlySet<string>>(() => new Set(this.status.value?.may ?? []));
  /** The readable chats, one's own first. */
  readonly rooms = computed<Room[]>(() => {
    const may = this.may.value,
      own = may.has("say_players");
    return [
      ...(own ? (["players"] as const) : []),
      ...(!own || may.has("say_observers") ? (["observers"] as const) : []),
    ];
  });
  /** Unread messages of other people. */
  readonly unread = computed(
    () =>
      this.texts.value.filter((each) => each.id > this.read.value && !each.removed && !isMine(each))
        .length,
  );

  constructor(readonly id: string) {}

  // ------------------------------------------------------------------ Messages from the table
  received(message: SocketMessage): void {
    if (message.type === "table_status") this.met(message);
    else if (message.type === "clock") this.timed(message);
    else if (message.type === "present") this.present.value = message;
    else this.heard([message]);
  }

  private met(status: TableStatus): void {
    const ended =
      this.status.value !== null && this.status.value.ended === null && status.ended !== null;
    batch(() => {
      this.status.value = status;
      this.timed(status.clock);
      if (!this.rooms.value.includes(this.room.value))
        this.room.value = this.rooms.value[0] ?? "observers";
    });
    if (!this.asked || ended) void this.catchUp();
    this.asked = true;
  }

  private timed(reading: Clock): void {
    this.clock.value = { reading, at: performance.now() };
    clearInterval(this.beat);
    clearTimeout(this.flag);
    const left = reading.running === null ? undefined : reading.left[reading.running];
    if (left === undefined) return;
    this.beat = setInterval(() => this.tick.value++, 250);
    if (left * 1000 + AFTER_FLAG < LONGEST)
      this.flag = setTimeout(() => void this.refresh(), left * 1000 + AFTER_FLAG);
  }

  private heard(found: readonly ChatMessage[]): void {
    const known = new Map(this.texts.value.map((each) => [each.id, each]));
    for (const each of found) known.set(each.id, each);
    this.texts.value = [...known.values()].sort((a, b) => a.id - b.id);
  }

  /** Load the messages since the last connection, and at first also one's note. */
  async catchUp(): Promise<void> {
    try {
      this.heard(await api.texts(this.id, 0));
      if (!this.may.value.has("note")) return;
      this.read.value = Math.max(this.read.value, (await api.readUpto(this.id)).upto);
      if (this.note.value === null) this.note.value = (await api.note(this.id)).text;
    } catch {
      /* it is asked again after the next connection */
    }
  }

  async refresh(): Promise<void> {
    try {
      this.met(await api.tableStatusOf(this.id));
    } catch {
      /* the socket tells it when it is back */
    }
  }

  // ------------------------------------------------------------------ Requests to the table
  sitting(side: string): Sitting | undefined {
    return this.status.value?.seats.find((each) => each.side === side);
  }

  /** The side for actions: the seat of the page, else the first of one's own. */
  side(seat: string | null): string | null {
    return seat ?? this.status.value?.seats.find((each) => each.yours)?.side ?? null;
  }

  /** The seconds that a side has left now, or null without a clock. */
  left(side: string): number | null {
    void this.tick.value;
    const clock = this.clock.value,
      left = clock?.reading.left[side];
    if (clock === null || left === undefined) return null;
    return clock.reading.running === side
      ? Math.max(0, left - (performance.now() - clock.at) / 1000)
      : left;
  }

  runs(side: string): boolean {
    return this.clock.value?.reading.running === side;
  }

  /** Mark all messages of the visible chat as read. */
  hasRead(): void {
    const last = this.texts.value.at(-1)?.id ?? 0;
    if (last <= this.read.value) return;
    this.read.value = last;
    if (this.may.value.has("note")) void api.hasRead(this.id, last).catch(() => undefined);
  }

  async say(text: string): Promise<void> {
    this.heard([await api.speak(this.id, { room: this.room.value, text })]);
  }

  async unsay(n: number): Promise<void> {
    await api.unsay(this.id, n);
  }

  write(text: string): void {
    batch(() => {
      this.note.value = text;
      this.noteState.value = "writing";
    });
    clearTimeout(this.rest);
    this.rest = setTimeout(() => void this.keepNote(), RESTS);
  }

  async keepNote(): Promise<void> {
    clearTimeout(this.rest);
    if (this.noteState.value === "saved") return;
    const text = this.note.value ?? "";
    try {
      await api.writeNote(this.id, text);
      if (this.note.value === text) this.noteState.value = "saved";
    } catch {
      this.noteState.value = "failed";
    }
  }

  offer(body: Offer): Promise<null> {
    return api.offer(this.id, body);
  }

  shut(): void {
    clearInterval(this.beat);
    clearTimeout(this.flag);
    void this.keepNote();
  }
}

/**
 * The reason why a table has disconnected its page: the session has ended (the page tries again if there is a
 * new one), or the table is gone.
 */
export async function sentAway(id: string): Promise<"again" | "signedOut" | "gone"> {
  try {
    await meet();
    if (me.value?.name == null) return "signedOut"; // a registered person may see more
    await api.tableStatusOf(id);
    return "again";
  } catch {
    return "gone";
  }
}
