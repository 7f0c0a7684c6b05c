import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Socket } from "../terminal/line";
import { FilesLink, isProblem } from "./link";
import { byteLength, FILE_BYTES } from "./messages";

/** A connection that the test plays the other end of. */
class Sandbox implements Socket {
  static all: Sandbox[] = [];
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  onerror: Socket["onerror"] = null;
  asked: Record<string, unknown>[] = [];
  constructor() {
    Sandbox.all.push(this);
  }
  send(data: string) {
    this.asked.push(JSON.parse(data));
  }
  close() {}
  private call(handler: unknown, event: object = {}) {
    if (typeof handler === "function") handler.call(this, event);
  }
  opens() {
    this.call(this.onopen);
  }
  says(message: object) {
    this.call(this.onmessage, { data: JSON.stringify(message) });
  }
  drops() {
    this.call(this.onclose);
  }
}

const sandbox = (): Sandbox => {
  const last = Sandbox.all.at(-1);
  if (!last) throw new Error("nothing has connected");
  return last;
};

async function connected() {
  const link = new FilesLink({
    ticket: async () => ({ ticket: "t", url: "ws://here/ws" }),
    connect: () => new Sandbox(),
  });
  link.start();
  await vi.advanceTimersByTimeAsync(0);
  sandbox().opens();
  return link;
}

const entry = (name: string) => ({ name, kind: "file", bytes: 1, modified: "", editable: true });

beforeEach(() => {
  vi.useFakeTimers();
  Sandbox.all = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test("a folder is listed, in parts that may overtake each other", async () => {
  const link = await connected();
  const listing = link.list("terraform");
  expect(sandbox().asked).toEqual([{ type: "files.list", request: "1", path: "terraform" }]);
  const part = { type: "files.listed", request: "1", path: "terraform", truncated: true, parts: 2 };
  sandbox().says({ ...part, entries: [entry("b.tf")], part: 2 });
  sandbox().says({ ...part, entries: [entry("a.tf")], part: 1 });
  const { entries, truncated } = await listing;
  expect(entries.map((entry) => entry.name)).toEqual(["a.tf", "b.tf"]);
  expect(truncated).toBe(true);
});

test("answers find their own requests, and nobody else's", async () => {
  const link = await connected();
  const [first, second] = [link.read("a"), link.read("b")];
  const content = { type: "files.content", sha256: "s", bytes: 1, part: 1, parts: 1 };
  sandbox().says({ ...content, request: "9", content: "?" });
  sandbox().says({ ...content, request: "2", content: "b" });
  sandbox().says({ ...content, request: "1", content: "a" });
  expect([(await first).content, (await second).content]).toEqual(["a", "b"]);
});

test("a refusal has its code and the words for it", async () => {
  const link = await connected();
  const read = link.read("ssh/id");
  sandbox().says({ type: "files.failed", request: "1", code: "denied", detail: "No." });
  await expect(read).rejects.toMatchObject({ code: "denied", message: "No." });
});

test("a large file is sent in parts that make up the whole", async () => {
  const link = await connected();
  const content = 'zeile \u00e9 "x"\n'.repeat(3_000);
  const written = link.write("big.txt", "base", content);
  const { asked } = sandbox();
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.map((frame) => [frame.part, frame.parts])).toEqual(
    asked.map((_, index) => [index + 1, asked.length]),
  );
  expect(asked.map((frame) => frame.content).join("")).toBe(content);
  for (const frame of asked) {
    expect(frame).toMatchObject({ type: "files.write", request: "1", base_sha256: "base" });
    expect(byteLength(JSON.stringify(frame))).toBeLessThan(32 * 1024);
  }
  sandbox().says({ type: "files.written", request: "1", path: "big.txt", sha256: "new", bytes: 1 });
  expect(await written).toBe("new");
});

test("more than a file may hold is refused before it is sent", async () => {
  const link = await connected();
  const written = link.write("big.txt", null, "x".repeat(FILE_BYTES + 1));
  await expect(written).rejects.toMatchObject({ code: "too_large" });
  expect(sandbox().asked).toEqual([]);
});

test("what is under way when the connection drops is asked again, and answered once", async () => {
  const link = await connected();
  const listing = link.list("");
  const part = { type: "files.listed", request: "1", path: "", truncated: false, parts: 2 };
  sandbox().says({ ...part, entries: [entry("old")], part: 1 });
  sandbox().drops();
  await vi.advanceTimersByTimeAsync(10);
  expect(Sandbox.all).toHaveLength(2);
  sandbox().opens();
  expect(sandbox().asked).toEqual([{ type: "files.list", request: "1", path: "" }]);
  sandbox().says({ ...part, entries: [entry("a")], part: 1 });
  sandbox().says({ ...part, entries: [entry("b")], part: 2 });
  expect((await listing).entries.map((entry) => entry.name)).toEqual(["a", "b"]);
});

test("what is asked before the connection is there waits for it", async () => {
  const link = new FilesLink({
    ticket: async () => ({ ticket: "t", url: "ws://here/ws" }),
    connect: () => new Sandbox(),
  });
  link.start();
  const listing = link.list("");
  await vi.advanceTimersByTimeAsync(0);
  sandbox().opens();
  sandbox().says({ type: "files.listed", request: "1", path: "", entries: [], truncated: false });
  expect((await listing).entries).toEqual([]);
});

test("a sandbox that does not answer is given up, and so is everything when the page is left", async () => {
  const link = await connected();
  const late = link.list("").catch((error: unknown) => isProblem(error, "unavailable"));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await late).toBe(true);
  const left = link.list("").catch((error: unknown) => isProblem(error, "unavailable"));
  link.close();
  expect(await left).toBe(true);
});
