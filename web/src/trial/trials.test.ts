import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { OpenCommand } from "../api/devops-helper";
import { openTrial, SERVICES, trialsOf } from "./trials";

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
});

test("the scripts of the server have the lines by which they are known, and its names", async () => {
  const source = new URL("../../../functions/devops-helper/src/trial.rs", import.meta.url);
  const text = await readFile(source, "utf8");
  const lines = text.split("\n");
  for (const { mark, names } of Object.values(SERVICES)) {
    expect(lines.filter((line) => line === mark)).toHaveLength(1);
    for (const name of names) expect(text).toContain(`("${name}", `);
  }
});

test("the credentials of a provider are tried together, and those of any service by their names", () => {
  const aws = { provider: "aws" as const, names: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] };
  expect(trialsOf(aws)).toEqual({ trials: [{ service: "aws" }], untried: [] });
  const names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "SMTP_PASSWORD"];
  for (const provider of ["other", "chat"] as const)
    expect(trialsOf({ provider, names })).toEqual({
      trials: [
        { service: "aws", name: "AWS_ACCESS_KEY_ID" },
        { service: "github", name: "GITHUB_TOKEN" },
      ],
      untried: ["SMTP_PASSWORD"],
    });
});

test("an SSH key is tried, and a password is not", () => {
  const [key, password] = ["SSH_PRIVATE_KEY", "SSH_PASSWORD"];
  const ssh = (...names: string[]) => trialsOf({ provider: "ssh", names });
  expect(ssh(key)).toEqual({ trials: [{ service: "ssh" }], untried: [] });
  expect(ssh(password, key)).toEqual({ trials: [{ service: "ssh" }], untried: [password] });
  expect(ssh(password)).toEqual({ trials: [], untried: [password] });
});
