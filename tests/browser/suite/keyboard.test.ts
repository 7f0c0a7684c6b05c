/** The whole workspace without a mouse. */
import assert from "node:assert/strict";
import { drawn } from "../support/drawn.ts";
import { hasFocus, tabTo } from "../support/focus.ts";
import { scene } from "../support/scene.ts";

const { visitor, user, story } = scene();

story("from the landing page to a new project without a mouse, the focus always in sight", async (t) => {
  const { page } = await visitor(t);
  const { keyboard } = page;
  await page.goto("/");
  const signIn = page.getByRole("main").getByRole("button", { name: "Sign in with GitHub" }).first();
  await signIn.waitFor();
  await tabTo(page, signIn);
  await keyboard.press("Enter");
  await page.getByText("No projects yet").waitFor();

  await tabTo(page, page.getByRole("main").getByRole("button", { name: "Create Project" }));
  await keyboard.press("Enter");
  await hasFocus(page.getByLabel("Project Name"));
  await keyboard.type("Made by hand");
  await tabTo(page, page.getByLabel("Description"));
  await keyboard.type("Without a mouse");
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Create Project" }));
  await keyboard.press("Enter");
  await page.waitForURL(/\/app\/\d+$/);

  const input = page.getByLabel("Message to Requirements agent");
  await input.waitFor();
  await tabTo(page, input);
  await keyboard.type("A small web service");
  await keyboard.press("Shift+Enter");
  await keyboard.type("with a health check");
  assert.equal(await input.inputValue(), "A small web service\nwith a health check");
  await keyboard.press("Enter");
  await page.getByText("A small web service\nwith a health check").waitFor();
  // When the reply ends, the input is enabled again and gets the focus back.
  await page.waitForFunction(
    () => document.activeElement?.getAttribute("aria-label") === "Message to Requirements agent",
  );
});

story("Escape closes the Create New Project modal and puts the focus back where it was", async (t) => {
  const { page } = await user(t);
  const opener = page.getByRole("main").getByRole("button", { name: "Create Project" });
  const modal = page.getByRole("dialog", { name: "Create New Project" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await modal.waitFor();
  for (let press = 0; press < 10; press += 1) {
    await page.keyboard.press("Tab");
    assert.ok(await modal.evaluate((it) => it.contains(document.activeElement)), "the focus left the modal");
  }
  await page.keyboard.press("Escape");
  await modal.waitFor({ state: "hidden" });
  await hasFocus(opener);

  await page.keyboard.press("Enter");
  await modal.waitFor();
  // A modal reacts to events outside it only once it is drawn.
  await drawn(page);
  await page.mouse.click(10, 10);
  await modal.waitFor({ state: "hidden" });
});

story("F6 leaves the terminal, which keeps every other key", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  await page.getByText("connected", { exact: true }).waitFor();
  const keys = page.locator(".xterm-helper-textarea");
  await keys.focus();
  await page.keyboard.press("Tab");
  await hasFocus(keys);
  await page.keyboard.press("F6");
  const enter = page.getByRole("button", { name: /Enter the terminal/ });
  await hasFocus(enter);
  await page.keyboard.press("Enter");
  await hasFocus(keys);
});

story("tabs, the divider and the steps react to the keyboard", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const divider = page.getByRole("separator", { name: "Divider between the cards" });
  await divider.focus();
  const before = Number(await divider.getAttribute("aria-valuenow"));
  await page.keyboard.press("ArrowLeft");
  assert.equal(Number(await divider.getAttribute("aria-valuenow")), before - 2);

  await page.getByRole("tab", { name: "Terminal" }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("tab", { name: "Chat", selected: true }).waitFor();

  const header = page.getByRole("button", { name: /^Step 1\b/ });
  await header.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Step 1\b/, expanded: false }).waitFor();

  await page.reload();
  assert.equal(
    Number(await divider.getAttribute("aria-valuenow")),
    before - 2,
    "the divider's place is kept",
  );
});
