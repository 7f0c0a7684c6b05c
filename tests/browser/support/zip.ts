/** A downloaded zip, unpacked into a folder that is removed after the test. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How long a command of a README may take, in milliseconds. */
const COMMAND_MS = 60_000;

/** Clicks a download, checks the file's name and unpacks it; returns the folder. */
export async function unpacked(t: TestContext, page: Page, press: () => Promise<void>, name: string) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  assert.equal(download.suggestedFilename(), name);
  const folder = await mkdtemp(join(tmpdir(), "groundcrew-unpacked-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "download.zip");
  await download.saveAs(file);
  const into = join(folder, "files");
  await run("unzip", ["-q", file, "-d", into]);
  return into;
}

/**
 * The commands in a README: the lines of the first shell block under a heading.
 * @param folder the README's folder
 */
export async function commandsOf(folder: string, heading: string) {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const [, block] = readme.split(`## ${heading}`)[1]?.split(/```sh\n|```\n/) ?? [];
  assert.ok(block, `the README has no commands under "${heading}"`);
  return block.trim().split("\n");
}

/** Runs a command in a folder and returns its output; a failure fails the test. */
export async function runIn(folder: string, command: string) {
  const { stdout } = await run("bash", ["-c", command], { cwd: folder, timeout: COMMAND_MS });
  return stdout;
}
