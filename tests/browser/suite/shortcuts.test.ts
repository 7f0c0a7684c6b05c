/** Navigating by keyboard, and choosing between light and dark. */
import assert from "node:assert/strict";
import { hasFocus } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { scene } from "../support/scene.ts";

const { user, story } = scene();

story("? lists the shortcuts, and Ctrl K leads to a stage of a project by its name", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("architecture", { name: "Shop" });
  await owner.call("POST", "/projects", { data: { name: "Blog" } });
  await page.reload();
  await page.getByRole("heading", { name: "Shop" }).waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByText("Go to a project, a stage or a page").waitFor();
  await inspect(page, "the list of shortcuts");
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });

  await page.keyboard.press("/");
  await page.keyboard.type("?");
  assert.equal(await page.getByRole("searchbox").inputValue(), "?", "a typed character is not a shortcut");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await hasFocus(palette.getByRole("combobox", { name: "Where to" }));
  await page.keyboard.type("shop");
  await palette.getByRole("option", { name: /Shop/, selected: true }).waitFor();
  await inspect(page, "the palette");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Cloud architecture", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").waitFor();
  await page.keyboard.type("requ");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Requirements", level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/app/${project}`);
});

story("the chosen theme stays, whatever the system's theme is", async (t) => {
  const owner = await user(t, { colorScheme: "light" });
  const { page } = owner;
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  const choose = async (theme: string) => {
    await page.getByRole("button", { name: /user menu$/ }).click();
    await page.getByRole("menuitemradio", { name: theme }).click();
    await page.keyboard.press("Escape");
  };
  await choose("Dark");
  const dark = await background();
  assert.notEqual(dark, light);
  await page.reload();
  await page.getByText("No projects yet").waitFor();
  assert.equal(await background(), dark);
  await choose("System");
  assert.equal(await background(), light);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await background(), dark);
  await choose("Light");
  assert.equal(await background(), light);
});
