/** A person steers: a rejection has a reason, and cards show whose turn it is. */
import assert from "node:assert/strict";
import { hasFocus } from "../support/focus.ts";
import { scene } from "../support/scene.ts";
import { typeKept, Workspace } from "../support/workspace.ts";

const { user, story } = scene();

story("a rejection's reason reaches the agent, and stays next to its next command", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.is("waiting approval");
  await step.card.getByRole("button", { name: "Reject with a reason..." }).click();
  await page.keyboard.type("listen on localhost only");
  const sent = page.waitForRequest("**/api/execution/approve-step");
  await step.card.getByRole("button", { name: "Reject with this reason" }).click();
  assert.equal((await sent).postDataJSON().reason, "listen on localhost only");
  await step.is("failed");
  await step.card.getByText("This command was rejected and did not run.").waitFor();
  await step.card.getByText("listen on localhost only").waitFor();
  await step.again.click();
  await step.is("waiting approval");
  // The blueprint model knows one script for each step, and the card says that the reason changed nothing.
  await step.card
    .getByText("The agent kept the same script. You wrote: “listen on localhost only”.")
    .waitFor();
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  const pane = page.getByRole("dialog", { name: /^Review: / });
  await pane.getByRole("tab", { name: "Since last attempt" }).click();
  await pane.getByText("listen on localhost only").waitFor();
});

story("a card shows the waiting step, the costs and the sandbox's state", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.projectAt("execution", { name: "Waiting" });
  await owner.projectAt("requirements", { name: "Young" });
  await page.goto("/app");
  const card = page.getByRole("link", { name: /Waiting/ });
  await card.getByText("step 1 waits for you").waitFor();
  await card.getByText("Running", { exact: true }).waitFor();
  await card.getByText(/^\$0\.[0-9]{4}$/).waitFor();
  await card.getByText("3 of 5 stages completed").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "1 waits for you", exact: true }).click();
  await hasFocus(card);
  await page.waitForFunction(() => document.title.startsWith("(1) My Projects"));
  await page.getByRole("link", { name: /Young/ }).getByText("Requirements").waitFor();
});

story("steps run without asking up to the one that is chosen, and then it asks again", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const workspace = new Workspace(page);
  await workspace.step(1).is("waiting approval");
  await workspace.approvals.click();
  await page.getByLabel("Approve up to").selectOption("step 2");
  await workspace.steps.getByText("Steps run without asking you up to step 2.").waitFor();
  await workspace.step(1).is("completed");
  await workspace.step(2).is("completed");
  const third = workspace.step(3);
  await third.is("waiting approval");
  await page.reload();
  await third.is("waiting approval");
  assert.ok(await third.approve.isEnabled(), "later steps wait for their owner");
});

story("a request to the executor in the chat prepares the waiting step again", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"), "?panel=chat");
  const workspace = new Workspace(page);
  const step = workspace.step(1);
  await step.is("waiting approval");
  const offer = page.getByRole("button", { name: "Reject step 1 and prepare it again with this message" });
  await workspace.say("Execution agent", "what does this step do?");
  assert.equal(await offer.count(), 0, "a question rejects nothing");
  await owner.context.setOffline(true);
  await workspace.say("Execution agent", "use port 9090");
  await page.getByText("Sorry, I encountered an error. Please try again.").waitFor();
  assert.equal(await offer.count(), 0, "the agent has not got the message");
  await owner.context.setOffline(false);
  await workspace.say("Execution agent", "please write a comment above every line");
  await page.getByText("“please write a comment above every line”").waitFor();
  const sent = page.waitForRequest("**/api/execution/approve-step");
  await offer.click();
  assert.equal((await sent).postDataJSON().reason, "please write a comment above every line");
  await step.is("waiting approval");
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  const pane = page.getByRole("dialog", { name: /^Review: / });
  await pane.getByRole("tab", { name: "Since last attempt" }).click();
  await pane.getByText("please write a comment above every line").waitFor();
});

story("a typed reason outlives a closed review and a reload, and says when it is too long", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.is("waiting approval");
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  const pane = page.getByRole("dialog", { name: /^Review: / });
  const field = (place: Locator) => place.getByLabel("What should the agent do differently?");
  await pane.getByRole("button", { name: "Reject with a reason..." }).click();
  await typeKept(field(pane), "listen on localhost only");
  await page.keyboard.press("Escape");
  await pane.waitFor({ state: "detached" });
  assert.equal(await field(step.card).inputValue(), "listen on localhost only");
  await page.reload();
  assert.equal(await field(step.card).inputValue(), "listen on localhost only");

  await field(step.card).fill("a".repeat(5_000));
  await step.card.getByText("Too long: the limit is 1,000 characters.").waitFor();
  await step.card.getByText("This text has 5,000.").waitFor();
  assert.equal((await field(step.card).inputValue()).length, 5_000, "nothing was cut");
  const reject = step.card.getByRole("button", { name: "Reject with this reason" });
  assert.ok(await reject.isDisabled());
  await field(step.card).fill("a".repeat(1_000));
  await step.card.getByText("1,000 of 1,000 characters").waitFor();
  assert.ok(await reject.isEnabled());
});
