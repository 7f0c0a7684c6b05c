/** A downloaded zip, unpacked into a folder that is gone after the test. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How long a command of a README may take, in milliseconds. */
const COMMAND_MS = 60_000;

/**
 * Presses what downloads, checks the file's name and unpacks it; returns the folder.
 * @param {TestContext} t
 * @param {Page} page
 * @param {() => Promise<void>} press
 * @param {string} name
 */
export async function unpacked(t, page, press, name) {
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
 * The commands a README gives: the lines of the first shell block under a heading.
 * @param {string} folder the README's
 * @param {string} heading
 */
export async function commandsOf(folder, heading) {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const [, block] = readme.split(`## ${heading}`)[1]?.split(/```sh\n|```\n/) ?? [];
  assert.ok(block, `the README has no commands under "${heading}"`);
  return block.trim().split("\n");
}

/**
 * Runs a command in a folder and returns what it printed; its failure fails the test.
 * @param {string} folder
 * @param {string} command
 */
export async function runIn(folder, command) {
  const { stdout } = await run("bash", ["-c", command], { cwd: folder, timeout: COMMAND_MS });
  return stdout;
}
