/** A conversation continues: in another tab, after a detour, and after a reload in the middle of a sentence. */
import assert from "node:assert/strict";
import { drawn } from "../support/drawn.ts";
import { scene } from "../support/scene.ts";
import { WISH } from "../support/user.ts";
import { typeKept, Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** A little more than the interval at which a page reads a conversation, in milliseconds. */
const POLL_MS = 11_000;

const conversation = (page: Page) => page.getByRole("log", { name: "Conversation with Requirements agent" });
const composer = (page: Page) => page.getByLabel("Message to Requirements agent");
/** What the tab's storage holds. */
const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));

story("another tab follows the conversation, and keeps its draft and the reader's place", async (t) => {
  const owner = await user(t, { viewport: { width: 1440, height: 600 } });
  const { page } = owner;
  const project = await owner.projectAt("requirements");
  await owner.open(project);
  const tab = await owner.context.newPage();
  await tab.clock.install();
  await tab.goto(`/app/${project}`);
  await composer(tab).fill("half a sent");
  const workspace = new Workspace(page);
  await workspace.say("Requirements agent", WISH);
  await tab.clock.fastForward(POLL_MS);
  await conversation(tab).getByText(WISH).waitFor();

  await workspace.say("Requirements agent", "What is still open?");
  await tab.clock.fastForward(POLL_MS);
  await conversation(tab).getByText("What is still open?").waitFor();
  await conversation(tab).hover();
  await tab.mouse.wheel(0, -2_000);
  await conversation(tab).evaluate(
    (log) =>
      new Promise<void>((top) =>
        log.scrollTop === 0 ? top() : log.addEventListener("scrollend", () => top()),
      ),
  );
  await workspace.say("Requirements agent", "Use port 9191");
  await tab.clock.fastForward(POLL_MS);
  await conversation(tab).getByText("Use port 9191").first().waitFor();
  await drawn(tab);
  assert.equal(await conversation(tab).evaluate((log) => log.scrollTop), 0, "the reader is still at the top");
  assert.equal(await composer(tab).inputValue(), "half a sent");
});

story("a message that is being typed outlives another stage, Back and a reload", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("architecture"));
  const workspace = new Workspace(page);
  const architect = page.getByLabel("Message to Cloud architect");
  await typeKept(architect, "Is it");
  const stages = page.getByRole("navigation", { name: "Stages" }).first();
  await stages.getByText("Requirements", { exact: true }).click();
  await workspace.stage("Requirements").waitFor();
  assert.equal(await composer(page).inputValue(), "", "each agent has its own draft");
  await page.goBack();
  await workspace.stage("Cloud architecture").waitFor();
  assert.equal(await architect.inputValue(), "Is it");
  assert.ok(!(await stored(page)).includes("Is it"), "it is stored only between two documents");
  await page.reload();
  await architect.waitFor();
  assert.equal(await architect.inputValue(), "Is it");
  await workspace.say("Cloud architect", "Is it safe?");
  await page.reload();
  await architect.waitFor();
  assert.equal(await architect.inputValue(), "", "a sent message is no longer a draft");
});

story("a draft with a secret is not stored, and the browser asks before it is lost", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  await composer(page).fill("The database password is hunter2!xYz9");
  await page.getByRole("region", { name: "Secrets in this message" }).getByText("hunter2!xYz9").waitFor();
  const asked = page.waitForEvent("dialog");
  const leaving = page.goto("/app").catch(() => undefined);
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.accept();
  await leaving;
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
  assert.ok(!(await stored(page)).includes("hunter2"));
});

story("a reason with a secret is not stored, and neither is one that could not be searched", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  for (const search of ["finds the secret", "fails"]) {
    await owner.open(project);
    const step = new Workspace(page).step(1);
    await step.is("waiting approval");
    await step.card.getByRole("button", { name: "Reject with a reason..." }).click();
    const reason = step.card.getByLabel("What should the agent do differently?");
    if (search === "fails") await page.route("**/planning/draft-secrets", (route) => route.abort());
    const searched =
      search === "fails"
        ? page.waitForEvent("requestfailed", (request) => request.url().endsWith("/draft-secrets"))
        : page.waitForResponse("**/planning/draft-secrets");
    await reason.fill("The database password is hunter2!xYz9");
    await searched;
    const asked = page.waitForEvent("dialog");
    const leaving = page.goto("/app").catch(() => undefined);
    const dialog = await asked;
    assert.equal(dialog.type(), "beforeunload", search);
    await dialog.accept();
    await leaving;
    await page.getByRole("heading", { name: "My Projects" }).waitFor();
    assert.ok(!(await stored(page)).includes("hunter2"), search);
  }
});

story("a message that is too long is kept whole, and says how much too long it is", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  await composer(page).fill("word ".repeat(3_800).trim());
  await page.getByText("18,999 of 20,000 characters").waitFor();
  await composer(page).fill("word ".repeat(5_000).trim());
  await page.getByText("Too long: the limit is 20,000 characters.").waitFor();
  await page.getByText("This text has 24,999.").waitFor();
  assert.equal((await composer(page).inputValue()).length, 24_999);
  assert.ok(await page.getByRole("button", { name: "Send", exact: true }).isDisabled());
  await composer(page).fill("Short");
  await page.getByText("Too long:").waitFor({ state: "detached" });
  assert.ok(await page.getByRole("button", { name: "Send", exact: true }).isEnabled());
});
