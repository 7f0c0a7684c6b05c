import { expect, test } from "vitest";
import type { Documentation } from "../api/documentation";
import { type GenerationSteps, generateDocumentation, isMissing, MAX_POLLS, POLL_MS } from "./generate";

const NONE: Documentation = {
  documentation: "No documentation has been created yet.",
  quickstart: "No quickstart guide has been created yet.",
  key_value_data: null,
};
const BOTH: Documentation = { documentation: "# Docs", quickstart: "# Start", key_value_data: {} };

function steps(answers: (() => Promise<Documentation>)[], changes: Partial<GenerationSteps> = {}) {
  const waits: number[] = [];
  const all: GenerationSteps = {
    generate: async () => undefined,
    read: () => (answers.shift() ?? (async () => NONE))(),
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...changes,
  };
  return { all, waits };
}

test.each([
  ["neither is there", NONE, true],
  ["there is no quickstart", { ...BOTH, quickstart: NONE.quickstart }, true],
  ["there is no documentation", { ...BOTH, documentation: NONE.documentation }, true],
  ["the documentation was not found", { ...BOTH, documentation: "No documentation found." }, true],
  ["the quickstart was not found", { ...BOTH, quickstart: "No documentation found." }, true],
  ["both are there", BOTH, false],
])("when %s, missing is decided by it", (_, texts, missing) => {
  expect(isMissing(texts)).toBe(missing);
});

test("the documentation is read every five seconds until both parts exist", async () => {
  const half = async () => ({ ...BOTH, quickstart: NONE.quickstart });
  const { all, waits } = steps([async () => NONE, half, async () => BOTH]);
  expect(await generateDocumentation(all)).toBe(BOTH);
  expect(waits).toEqual([POLL_MS, POLL_MS, POLL_MS]);
});

test("a failed read counts as one attempt", async () => {
  const { all } = steps([() => Promise.reject(new Error("gone")), async () => BOTH]);
  expect(await generateDocumentation(all)).toBe(BOTH);
});

test("reading the documentation times out after sixty attempts", async () => {
  const { all, waits } = steps([]);
  await expect(generateDocumentation(all)).rejects.toThrow("Timeout waiting for documentation to be ready");
  expect(waits).toHaveLength(MAX_POLLS);
});

test("a failed request stops the waiting", async () => {
  const { all } = steps([], {
    generate: () => Promise.reject(new Error("HTTP error! status: 500")),
    wait: () => new Promise(() => undefined),
  });
  await expect(generateDocumentation(all)).rejects.toThrow(
    "Failed to load/generate documentation. Please try again.",
  );
});
