import type { Socket } from "./reconnecting-socket";

/** A connection whose other end a test controls. */
export class FakeSocket implements Socket {
  /** Every opened connection, oldest first; a test begins by emptying the list. */
  static all: FakeSocket[] = [];
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  onerror: Socket["onerror"] = null;
  /** The page's messages. */
  sent: Record<string, unknown>[] = [];
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  /** The last opened connection. */
  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (!last) throw new Error("nothing has connected");
    return last;
  }

  send(data: string) {
    this.sent.push(JSON.parse(data));
  }
  close() {}

  opens() {
    call(this, this.onopen);
  }
  says(message: object) {
    call(this, this.onmessage, { data: JSON.stringify(message) });
  }
  drops() {
    call(this, this.onclose);
  }
}

function call(socket: FakeSocket, handler: unknown, event: object = {}) {
  if (typeof handler === "function") handler.call(socket, event);
}
