/** A reload in the middle of an action loses nothing that the server has. */
import assert from "node:assert/strict";
import { boxOf } from "../support/drawn.ts";
import { scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";
import { WISH } from "../support/user.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** Few enough lines for a terminal of this window, so that all of them are drawn at once. */
const LINES = 25;
const TALL = { width: 1920, height: 1000 };

story(
  "a reload during a step shows its output again, which continues and is complete at the end",
  async (t) => {
    const owner = await user(t, { viewport: TALL });
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await owner.open(project);
    const workspace = new Workspace(page);
    const terminal = new TerminalPane(page);
    await workspace.step(1).approve.click();
    await workspace.step(2).is("waiting approval");
    await terminal.connected();
    // The first start waits for a file, so that the reload happens in the middle of it.
    const slow =
      'mv hello-service/control.sh hello-service/real.sh && printf \'[ "$1" = status ] || test -e go || { echo uno; until test -e go; do sleep 0.1; done; echo due; }\\nexec bash "$(dirname "$0")/real.sh" "$@"\\n\' > hello-service/control.sh && chmod +x hello-service/control.sh';
    await terminal.run(`${slow} && echo slo''wed`);
    await terminal.shows(/^slowed$/m);

    const step = workspace.step(2);
    await step.approve.click();
    await step.is("in progress");
    await step.output.getByText("uno").waitFor();
    await page.reload();
    await step.is("in progress");
    await step.output.getByText("uno").waitFor();
    await terminal.connected();
    await terminal.run("touch hello-service/go go");
    await step.is("completed");
    await step.open();
    const printed = await step.output.innerText();
    assert.match(printed, /uno\s+due/);
    assert.equal(printed.match(/uno/g)?.length, 1, "no line occurs twice");
  },
);

story(
  "a reload in the middle of a helper's command does not disturb its approval, output or end",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await owner.runAll(project);
    const helper = async () => {
      await page.getByRole("checkbox").click();
      await page.getByRole("button", { name: "Accept" }).click();
    };
    await page.goto(`/app/${project}/home/devops-helper`);
    await helper();
    const input = page.getByLabel("Message to DevOps Helper");
    await input.fill(
      "run `for n in 1 2 3 4 5 6; do echo line-$n; done; until test -e go; do sleep 0.1; done; echo gone`",
    );
    await input.press("Enter");
    const command = page.getByRole("region", { name: /^Command 1\b/ });
    const approve = command.getByRole("button", { name: "Approve", exact: true });
    await approve.waitFor();
    const script = await command.getByRole("group", { name: "Script of command 1" }).innerText();

    await page.reload();
    await helper();
    await approve.waitFor();
    assert.equal(await command.getByRole("group", { name: "Script of command 1" }).innerText(), script);
    await approve.click();
    await command.getByText("in progress", { exact: true }).waitFor();
    await command.getByText("line-6").waitFor();

    await page.reload();
    await helper();
    await command.getByText("in progress", { exact: true }).waitFor();
    await command.getByText("line-6").waitFor();
    await command.getByRole("button", { name: "View Full Output" }).click();
    const full = page.getByRole("dialog", { name: "Full Output" });
    await full.getByText("line-1").waitFor();
    await full.getByRole("button", { name: "Close", exact: true }).click();
    // It was approved: the page must not claim that it ran without approval.
    assert.equal(await command.getByText("Read-only, so it ran immediately.").count(), 0);
    await command.getByRole("button", { name: "Cancel this run" }).click();
    await command.getByText("failed", { exact: true }).waitFor();

    await input.fill("Is it healthy?");
    await input.press("Enter");
    const asked = page.getByRole("log").getByText("Is it healthy?");
    await asked.waitFor();
    const [above, below] = await Promise.all([boxOf(command), boxOf(asked)]);
    assert.ok(above.y + above.height <= below.y, "the conversation continues below the earlier messages");
  },
);

story(
  "a reload in the middle of a reply shows the message again, and the reply that the server has",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("requirements");
    await owner.open(project);
    const input = page.getByLabel("Message to Requirements agent");
    await input.fill(WISH);
    const taken = page.waitForResponse((response) =>
      response.url().endsWith("/planning/requirements-gatherer"),
    );
    await input.press("Enter");
    await taken;
    await page.reload();
    const conversation = page.getByRole("log", { name: "Conversation with Requirements agent" });
    await conversation.getByText(WISH).waitFor();
    assert.equal(await conversation.getByText(WISH).count(), 1, "it is there once");
    // The conversation continues from the first reply, complete or not.
    await new Workspace(page).say("Requirements agent", "Yes, with the defaults");
    await page.getByRole("button", { name: "Confirm Requirements & Continue" }).waitFor();
  },
);

story("after a failure in the middle of a terminal's output every line is there once", async (t) => {
  const owner = await user(t, { viewport: TALL });
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const terminal = new TerminalPane(page);
  await terminal.connected();
  await terminal.run(`clear; for n in $(seq ${LINES}); do echo line-$n; sleep 0.1; done; echo all-''done`);
  await terminal.shows(/^line-3$/m);
  await page.reload();
  await terminal.shows(/^all-done$/m);
  const lines = (await terminal.text()).split("\n").filter((line) => line.startsWith("line-"));
  assert.deepEqual(
    lines,
    Array.from({ length: LINES }, (_, index) => `line-${index + 1}`),
  );
});
