/** The history of a project on one page. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { hasFocus, tabTo } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";

const { user, story } = scene();

story(
  "the timeline says what was written, who approved what, what it printed and what the day cost",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await owner.runAll(project);
    await owner.open(project);
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("heading", { name: "Timeline", level: 1 }).waitFor();
    await page.getByText("Requirements, version 1").waitFor();
    await page.getByText("Implementation plan, version 1").waitFor();
    await page.getByText(/^\$0\.\d{4}$/).waitFor();
    const step = page.getByRole("button", { name: /^Step 1: / });
    await step.getByText(`Approved by @${owner.login}`).waitFor();
    await step.click();
    await page.getByRole("group", { name: "What step 1 printed" }).waitFor();
    await inspect(page, "a timeline");
  },
);

story("on a phone the timeline is one touch away from the steps", async (t) => {
  const owner = await user(t, { viewport: PHONE, hasTouch: true });
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  await page.getByRole("link", { name: "Timeline" }).click();
  await page.getByRole("heading", { name: "Timeline", level: 1 }).waitFor();
  await page.getByText("Implementation plan, version 1").waitFor();
  const tools = page.getByRole("group", { name: "Export the timeline" });
  const { name } = await saved(page, () => tools.getByRole("button", { name: "HTML" }).tap());
  assert.equal(name, "health-page-timeline.html");
  await inspect(page, "a timeline on a phone");
});

story(
  "by keyboard the history is replayed from its first moment, and a reload keeps the moment",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await owner.runAll(project);
    await page.goto(`/app/${project}/timeline`);
    const open = page.getByRole("button", { name: "Replay", exact: true });
    await page.getByText("Requirements, version 1").waitFor();
    await tabTo(page, open);
    await page.keyboard.press("Enter");
    const replay = page.getByRole("region", { name: "Replay" });
    const play = replay.getByRole("button", { name: "Play", exact: true });
    await hasFocus(play);
    await replay.getByText("Requirements, version 1").waitFor();
    await page.clock.install();
    await page.keyboard.press("Enter");
    await replay.getByRole("button", { name: "Pause" }).waitFor();
    await page.clock.runFor(2_100);
    await replay.getByText("Architecture plan, version 1").waitFor();
    await page.keyboard.press("Enter");
    await play.waitFor();
    const moment = replay.getByRole("slider", { name: "Moment" });
    await tabTo(page, moment);
    await page.keyboard.press("End");
    await replay.getByText("5 steps, 0 checks").waitFor();
    await replay.getByText(`Approved by @${owner.login}`).waitFor();
    await replay.getByRole("group", { name: "What step 5 printed" }).waitFor();
    await inspect(page, "the replay of a timeline");
    await page.reload();
    await replay.getByText("5 steps, 0 checks").waitFor();
    await tabTo(page, replay.getByRole("button", { name: "Close the replay" }));
    await page.keyboard.press("Enter");
    await hasFocus(open);
    await page.getByRole("button", { name: /^Step 1: / }).waitFor();
  },
);

/** Presses a button of the export; returns the saved file's name and path. */
async function saved(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), path: await download.path() };
}

story("the timeline is exported as a file to read without Groundcrew, with or without output", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution", { name: "Health <b>page</b>" });
  await owner.runAll(project);
  await page.goto(`/app/${project}/timeline`);
  const tools = page.getByRole("group", { name: "Export the timeline" });
  const json = tools.getByRole("button", { name: "JSON" });
  const whole = await saved(page, () => json.click());
  assert.equal(whole.name, "health-b-page-b-timeline.json");
  const record = JSON.parse(await readFile(whole.path, "utf8"));
  assert.equal(record.format, "groundcrew-timeline/1");
  const happenings: {
    kind: string;
    entry?: { step_number: number; by: { login: string } };
    output?: { is: string; text: string };
  }[] = record.days.flatMap((day: { happenings: unknown[] }) => day.happenings);
  const first = happenings.find(({ entry, output }) => entry?.step_number === 1 && output?.is === "text");
  assert.equal(first?.entry?.by.login, owner.login);
  const printed = first?.output?.text.trim().split("\n")[0] ?? "";
  assert.ok(printed.length > 0, "the first step printed something");
  assert.deepEqual(
    record.documents.map((one: { document: string }) => one.document),
    ["requirements", "architecture", "implementation"],
  );

  const readable = await saved(page, () => tools.getByRole("button", { name: "HTML" }).click());
  assert.equal(readable.name, "health-b-page-b-timeline.html");
  const copy = `${readable.path}.html`;
  await writeFile(copy, await readFile(readable.path));
  const reader = await page.context().newPage();
  await reader.goto(pathToFileURL(copy).href);
  await reader.getByRole("heading", { name: "Health <b>page</b>", level: 1 }).waitFor();
  const step = reader.getByRole("article").filter({ hasText: "Step 1: " }).filter({ hasText: "Approved by" });
  const output = step.getByRole("group").filter({ has: reader.getByText("Output", { exact: true }) });
  await output.getByText("Output", { exact: true }).click();
  await output.getByText(printed).waitFor();
  await reader.close();

  const choice = tools.getByRole("switch", { name: "Include output" });
  await choice.focus();
  await page.keyboard.press("Space");
  await json.focus();
  const brief = await saved(page, () => page.keyboard.press("Enter"));
  const text = await readFile(brief.path, "utf8");
  assert.equal(JSON.parse(text).includes_output, false);
  assert.ok(!text.includes('"output"'), "no output is in the file");
  await inspect(page, "a timeline to export");
});
