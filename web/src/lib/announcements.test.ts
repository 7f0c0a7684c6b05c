import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Announcer, unlessAnnounced } from "./announcements";

// Without a window, the query library mistakes the process for a server and does not poll.
vi.hoisted(() => Object.assign(globalThis, { window: globalThis }));

const KEY = ["execution", 7, "progress"];

let reads = 0;
let stop = () => {};
let queries: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  reads = 0;
  queries = new QueryClient();
  const shown = new QueryObserver(queries, {
    queryKey: KEY,
    queryFn: async () => {
      reads += 1;
      return reads;
    },
    refetchInterval: unlessAnnounced(5_000),
  });
  stop = shown.subscribe(() => {});
});
afterEach(() => {
  stop();
  queries.clear();
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test("a list is polled every few seconds until a connection announces its changes", async () => {
  await pass(11_000);
  expect(reads).toBe(3);
  const announcer = new Announcer(queries, [KEY]);
  announcer.begins();
  await pass(29_000);
  expect(reads).toBe(4);
  await pass(2_000);
  expect(reads).toBe(5);
  announcer.ends();
  await pass(11_000);
  expect(reads).toBe(8);
});

test("an announcement is followed by one read, and only of its own queries", async () => {
  await pass(0);
  const [here, elsewhere] = [
    new Announcer(queries, [KEY]),
    new Announcer(queries, [["execution", 8, "progress"]]),
  ];
  here.begins();
  elsewhere.begins();
  await pass(0);
  expect(reads).toBe(2);
  elsewhere.changed();
  await pass(0);
  expect(reads).toBe(2);
  here.changed();
  await pass(0);
  expect(reads).toBe(3);
  here.ends();
  elsewhere.ends();
});

test("as long as one of several connections announces, the polls stay slow", async () => {
  const [first, second] = [new Announcer(queries, [KEY]), new Announcer(queries, [KEY])];
  first.begins();
  second.begins();
  await pass(0);
  first.ends();
  await pass(0);
  const before = reads;
  await pass(20_000);
  expect(reads).toBe(before);
  second.ends();
  await pass(6_000);
  expect(reads).toBe(before + 2);
});
