/** The timeline for people without a session: a link that its owner can withdraw. */
import assert from "node:assert/strict";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";

const { user, visitor, story } = scene();

/** The address of the link that was just created. */
const madeLink = (page: Page) => page.getByRole("textbox", { name: "Address of the new link" }).inputValue();

story("a link shows a stranger the timeline and the documents until it is withdrawn", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.runAll(project);
  await page.goto(`/app/${project}/timeline`);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this timeline" });
  await dialog.getByText("This timeline is not shared.").waitFor();
  await dialog.getByRole("switch", { name: "Include output" }).click();
  await dialog.getByLabel("Lasts").selectOption("30 days");
  await dialog.getByRole("button", { name: "Create a link" }).click();
  await dialog.getByText("with output").waitFor();
  await dialog.getByText("Never used").waitFor();
  const link = await madeLink(page);
  await inspect(page, "a dialog to share a timeline");

  const stranger = await visitor(t);
  await stranger.page.goto(link);
  await stranger.page.getByRole("heading", { name: "Health page", level: 1 }).waitFor();
  await stranger.page.getByText("Requirements, version 1").first().waitFor();
  const step = stranger.page.getByRole("button", { name: /^Step 1: / });
  await step.getByText(`Approved by @${owner.login}`).waitFor();
  await step.click();
  await stranger.page.getByRole("group", { name: "What step 1 printed" }).waitFor();
  const document = stranger.page.getByRole("group").filter({ hasText: "Architecture plan, version 1" });
  await document.getByText("Architecture plan, version 1").click();
  await document.getByRole("heading").first().waitFor();
  assert.equal(await stranger.page.locator('meta[name="robots"]').getAttribute("content"), "noindex");
  assert.deepEqual(await stranger.context.cookies(), [], "a reader has no session");
  await inspect(stranger.page, "a shared timeline");
  await stranger.page.getByRole("button", { name: "Replay" }).click();
  const replay = stranger.page.getByRole("region", { name: "Replay" });
  await replay.getByText("Requirements, version 1").waitFor();
  await replay.getByRole("button", { name: "Next" }).click();
  await replay.getByText("Architecture plan, version 1").waitFor();
  assert.equal(new URL(stranger.page.url()).hash, new URL(link).hash, "the key stays in the address");

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Share" }).click();
  await dialog.getByText("Last used").waitFor();
  await dialog.getByRole("button", { name: "Withdraw the link" }).click();
  await dialog.getByText("Copy it now").waitFor({ state: "detached" });
  await dialog.getByText("This timeline is not shared.").waitFor();
  await stranger.page.reload();
  await stranger.page.getByText("This link has expired or was withdrawn.").waitFor();
  await inspect(stranger.page, "a withdrawn link");
  await stranger.page.goto("/shared");
  await stranger.page.getByText("This address is incomplete").waitFor();

  await page.goto(`/app/${project}/audit`);
  await page.getByText(`Withdrawn by @${owner.login}`).waitFor();
  await page.getByText(`Made by @${owner.login}`).waitFor();
});

story("a link shows the changes, and what the first build printed once a change follows it", async (t) => {
  const owner = await user(t);
  const project = await owner.projectAt("validation");
  await owner.runAll(project, "validation");
  const done = { is_completed: true };
  await owner.call("PUT", `/project-states/${project}/stages/validation`, { project, data: done });
  await owner.call("POST", `/projects/${project}/changes`, { data: { wish: "Use port 9090" } });
  const data = { days: 7, with_output: true };
  const { url } = await owner.call("POST", `/projects/${project}/shares`, { data });

  const stranger = await visitor(t);
  const { page } = stranger;
  await page.goto(url);
  await page.getByText("Change 2 · Use port 9090").waitFor();
  await page.getByText(`Begun by @${owner.login}`).waitFor();
  await page.getByText("Change 1 · First build").waitFor();
  await page.getByText("Completed", { exact: true }).first().waitFor();
  const step = page.getByRole("button", { name: /^Step 1: / });
  await step.click();
  await page.getByRole("group", { name: "What step 1 printed" }).waitFor();
  await page.getByRole("button", { name: "Replay" }).focus();
  await page.keyboard.press("Enter");
  const replay = page.getByRole("region", { name: "Replay" });
  await replay.getByRole("slider", { name: "Moment" }).press("End");
  await replay.getByText("Change 2 · Use port 9090").first().waitFor();
  await inspect(page, "a shared timeline with changes");
});

story("with only the keyboard a link is created and withdrawn, and the focus is not lost", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await page.goto(`/app/${await owner.projectAt("requirements")}/timeline`);
  const share = page.getByRole("button", { name: "Share" });
  await share.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Share this timeline" });
  await dialog.getByText("This timeline is not shared.").waitFor();
  assert.equal(await dialog.getByLabel("Lasts").evaluate((it) => it === document.activeElement), true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const withdraw = dialog.getByRole("button", { name: "Withdraw the link" });
  await withdraw.focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("This timeline is not shared.").waitFor();
  const title = dialog.getByRole("heading", { name: "Links" });
  await title.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await share.and(page.locator(":focus")).waitFor();
});

story("a shared timeline is read on a phone", async (t) => {
  const owner = await user(t, { viewport: PHONE, hasTouch: true });
  const { page } = owner;
  await page.goto(`/app/${await owner.projectAt("architecture")}/timeline`);
  await page.getByRole("button", { name: "Share" }).tap();
  await page.getByRole("button", { name: "Create a link" }).tap();
  const link = await madeLink(page);
  const stranger = await visitor(t, { viewport: PHONE, hasTouch: true });
  await stranger.page.goto(link);
  await stranger.page.getByText("Requirements, version 1").first().waitFor();
  await inspect(stranger.page, "a shared timeline on a phone");
});
