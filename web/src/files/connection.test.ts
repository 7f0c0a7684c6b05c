import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FILE_BYTES } from "../api/limits";
import { FakeSocket } from "../socket/fake-socket";
import { FilesConnection, isProblem } from "./connection";
import { byteLength } from "./messages";

async function connected() {
  const connection = new FilesConnection({
    ticket: async () => ({ ticket: "t", url: "ws://here/ws" }),
    connect: (url) => new FakeSocket(url),
  });
  connection.start();
  await vi.advanceTimersByTimeAsync(0);
  FakeSocket.last.opens();
  return connection;
}

const entry = (name: string) => ({ name, kind: "file", bytes: 1, modified: "", editable: true });

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test("a folder is listed, in parts that may overtake each other", async () => {
  const connection = await connected();
  const listing = connection.list("terraform");
  expect(FakeSocket.last.sent).toEqual([{ type: "files.list", request: "1", path: "terraform" }]);
  const part = { type: "files.listed", request: "1", path: "terraform", truncated: true, parts: 2 };
  FakeSocket.last.says({ ...part, entries: [entry("b.tf")], part: 2 });
  FakeSocket.last.says({ ...part, entries: [entry("a.tf")], part: 1 });
  const { entries, truncated } = await listing;
  expect(entries.map((entry) => entry.name)).toEqual(["a.tf", "b.tf"]);
  expect(truncated).toBe(true);
});

test("each answer is matched to its own request", async () => {
  const connection = await connected();
  const [first, second] = [connection.read("a"), connection.read("b")];
  const content = { type: "files.content", sha256: "s", bytes: 1, part: 1, parts: 1 };
  FakeSocket.last.says({ ...content, request: "9", content: "?" });
  FakeSocket.last.says({ ...content, request: "2", content: "b" });
  FakeSocket.last.says({ ...content, request: "1", content: "a" });
  expect([(await first).content, (await second).content]).toEqual(["a", "b"]);
});

test("a refusal has its code and a text", async () => {
  const connection = await connected();
  const read = connection.read("ssh/id");
  FakeSocket.last.says({ type: "files.failed", request: "1", code: "denied", detail: "No." });
  await expect(read).rejects.toMatchObject({ code: "denied", message: "No." });
});

test("a large file is sent in parts that make up the whole", async () => {
  const connection = await connected();
  const content = 'zeile \u00e9 "x"\n'.repeat(3_000);
  const written = connection.write("big.txt", "base", content);
  const { sent: asked } = FakeSocket.last;
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.map((frame) => [frame.part, frame.parts])).toEqual(
    asked.map((_, index) => [index + 1, asked.length]),
  );
  expect(asked.map((frame) => frame.content).join("")).toBe(content);
  for (const frame of asked) {
    expect(frame).toMatchObject({ type: "files.write", request: "1", base_sha256: "base" });
    expect(byteLength(JSON.stringify(frame))).toBeLessThan(32 * 1024);
  }
  FakeSocket.last.says({ type: "files.written", request: "1", path: "big.txt", sha256: "new", bytes: 1 });
  expect(await written).toBe("new");
});

test("a file above the limit is refused before it is sent", async () => {
  const connection = await connected();
  const written = connection.write("big.txt", null, "x".repeat(FILE_BYTES + 1));
  await expect(written).rejects.toMatchObject({ code: "too_large" });
  expect(FakeSocket.last.sent).toEqual([]);
});

test("requests in progress when the connection drops are repeated, and answered once", async () => {
  const connection = await connected();
  const listing = connection.list("");
  const part = { type: "files.listed", request: "1", path: "", truncated: false, parts: 2 };
  FakeSocket.last.says({ ...part, entries: [entry("old")], part: 1 });
  FakeSocket.last.drops();
  await vi.advanceTimersByTimeAsync(10);
  expect(FakeSocket.all).toHaveLength(2);
  FakeSocket.last.opens();
  expect(FakeSocket.last.sent).toEqual([{ type: "files.list", request: "1", path: "" }]);
  FakeSocket.last.says({ ...part, entries: [entry("a")], part: 1 });
  FakeSocket.last.says({ ...part, entries: [entry("b")], part: 2 });
  expect((await listing).entries.map((entry) => entry.name)).toEqual(["a", "b"]);
});

test("requests before the connection is up wait for it", async () => {
  const connection = new FilesConnection({
    ticket: async () => ({ ticket: "t", url: "ws://here/ws" }),
    connect: (url) => new FakeSocket(url),
  });
  connection.start();
  const listing = connection.list("");
  await vi.advanceTimersByTimeAsync(0);
  FakeSocket.last.opens();
  FakeSocket.last.says({ type: "files.listed", request: "1", path: "", entries: [], truncated: false });
  expect((await listing).entries).toEqual([]);
});

test("a sandbox that does not answer times out, and leaving the page cancels everything", async () => {
  const connection = await connected();
  const late = connection.list("").catch((error: unknown) => isProblem(error, "unavailable"));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await late).toBe(true);
  const left = connection.list("").catch((error: unknown) => isProblem(error, "unavailable"));
  connection.close();
  expect(await left).toBe(true);
});
