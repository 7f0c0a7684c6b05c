import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { OpenCommand } from "../api/devops-helper";
import { openTrial, TRIALS } from "./trials";

const command = (number: number, script: string): OpenCommand => ({
  number,
  script,
  target: "sandbox",
  sha256: "",
  status: "waiting_approval",
  needs_approval: true,
  attempt: 1,
});

test("a trial that waits is known by its script", () => {
  const hetzner = command(
    2,
    "set -e\ncurl https://api.hetzner.cloud\necho 'Hetzner Cloud accepts the token.'\n",
  );
  const open = [command(3, "aws sts get-caller-identity\n"), hetzner];
  expect(openTrial("hetzner", open)).toBe(hetzner);
  expect(openTrial("aws", open)).toBeUndefined();
  expect(openTrial("other", open)).toBeUndefined();
});

test("the scripts of the server have the lines by which they are known", async () => {
  const source = new URL("../../../functions/devops-helper/src/trial.rs", import.meta.url);
  const lines = (await readFile(source, "utf8")).split("\n");
  for (const mark of Object.values(TRIALS)) expect(lines.filter((line) => line === mark)).toHaveLength(1);
});
