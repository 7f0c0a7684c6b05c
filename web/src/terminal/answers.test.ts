import { Terminal } from "@xterm/xterm";
import { expect, test, vi } from "vitest";
import { passOn, Turn, typingIn } from "./answers";

/** Queries of each family that a terminal may answer. */
const QUERIES = [
  "\x1b[c",
  "\x1b[>c",
  "\x1b[>q",
  "\x1b[5n",
  "\x1b[6n",
  "\x1b[?6n",
  "\x1b[?12$p",
  "\x1b[4$p",
  "\x1b[18t",
  "\x1b[?u",
  "\x1bP$qm\x1b\\",
  "\x1bP+q544e\x1b\\",
  "\x1b]11;?\x07",
  "\x05",
].join("");

const mine = { isMine: true, take: () => undefined };

function opened(turn: Pick<Turn, "isMine" | "take"> = mine, isTyping = () => false) {
  const terminal = new Terminal({ allowProposedApi: true });
  const sent: string[] = [];
  const output = passOn(terminal, turn, (text) => sent.push(text), isTyping);
  const write = (text: string) => new Promise<void>((drawn) => output.write(text, drawn));
  return { terminal, sent, write, replaying: output.replaying };
}

test("a replay answers none of its queries, however late it comes", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { sent, write, replaying } = opened();
  replaying();
  vi.advanceTimersByTime(5_000);
  await write(QUERIES);
  vi.advanceTimersByTime(200);
  await write(QUERIES);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(300);
  await write("\x1b[?12$p");
  expect(sent).toEqual(["\x1b[?12;2$y"]);
  vi.useRealTimers();
});

test("keys are sent during a replay, too", async () => {
  const { terminal, sent, write, replaying } = opened();
  replaying();
  const drawn = write(QUERIES);
  terminal.input("ls\r");
  await drawn;
  expect(sent).toEqual(["ls\r"]);
});

test("a key is sent while the terminal draws a flood, and the turn is taken", () => {
  const element = new EventTarget();
  const take = vi.fn();
  const sent: string[] = [];
  let send = (_: string) => {};
  const terminal = {
    // The terminal has begun to read the text, and draws the rest in later slices.
    write: (text: string, drawn?: () => void) => text === "" && drawn?.(),
    onData: (sends: typeof send) => {
      send = sends;
      return { dispose: () => undefined };
    },
  };
  const { write } = passOn(terminal, { isMine: false, take }, (text) => sent.push(text), typingIn(element));
  write("a flood");
  send("an answer");
  expect(sent).toEqual([]);
  element.dispatchEvent(new Event("keydown"));
  send("\x03");
  expect(sent).toEqual(["\x03"]);
  expect(take).toHaveBeenCalledOnce();
});

test("a page whose user typed elsewhere answers nothing and still sends keys", async () => {
  const take = vi.fn();
  const { terminal, sent, write } = opened({ isMine: false, take });
  await write(QUERIES);
  expect(sent).toEqual([]);
  expect(take).not.toHaveBeenCalled();
  terminal.input("x");
  expect(sent).toEqual(["x"]);
  expect(take).toHaveBeenCalledOnce();
});

/** The browser's locks, as far as they are used: each request takes the lock from its holder. */
function stolenLocks(): Pick<LockManager, "request"> {
  const holders = new Map<string, () => void>();
  const request = (name: string, _: unknown, held: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      holders.get(name)?.();
      holders.set(name, () => reject(new DOMException("stolen", "AbortError")));
      void held().then(resolve);
    });
  return { request: request as unknown as LockManager["request"] };
}

test("the page in which the user typed last has the turn", async () => {
  const locks = stolenLocks();
  const [first, second, other] = [new Turn("one", locks), new Turn("one", locks), new Turn("other", locks)];
  first.take();
  other.take();
  expect([first, second, other].map(({ isMine }) => isMine)).toEqual([true, false, true]);
  second.take();
  await vi.waitFor(() => expect(first.isMine).toBe(false));
  expect([second, other].map(({ isMine }) => isMine)).toEqual([true, true]);
  first.take();
  await vi.waitFor(() => expect(second.isMine).toBe(false));
  expect(first.isMine).toBe(true);
});
