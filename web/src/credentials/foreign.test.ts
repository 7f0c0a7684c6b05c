import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { checked } from "./rules";

/** An answer of a server that tries to give every object of the page a property. */
const HOSTILE = '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "a": [1]}';

const polluted = () => Reflect.get({}, "polluted");

test("answers cannot change the prototype of other objects, even where the cache merges them", () => {
  const queries = new QueryClient();
  for (const answer of [HOSTILE, HOSTILE.replace("[1]", "[2]"), '{"a": [1]}', HOSTILE]) {
    queries.setQueryData(["answer"], JSON.parse(answer));
  }
  expect(polluted()).toBeUndefined();
});

test("the names that a user enters cannot either", () => {
  for (const name of ["__proto__", "constructor", "prototype", "__PROTO__"]) {
    expect(checked([{ name, value: "polluted" }], [])).toHaveProperty("problem");
  }
  const outcome = checked([{ name: "CONSTRUCTOR", value: "polluted" }], []);
  expect(outcome).toEqual({ values: { CONSTRUCTOR: "polluted" } });
  expect(polluted()).toBeUndefined();
});
