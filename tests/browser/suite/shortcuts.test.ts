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
  // A reloaded page has no background until its stylesheet is there.
  const drawn = (color: string) =>
    page.waitForFunction((color) => getComputedStyle(document.body).backgroundColor === color, color);
  await choose("Dark");
  const dark = await background();
  assert.notEqual(dark, light);
  await page.reload();
  await page.getByText("No projects yet").waitFor();
  await drawn(dark);
  // It is there before the application's code is.
  await page.route("**/assets/app-*.js", () => undefined);
  await page.reload({ waitUntil: "commit" });
  await page.getByText("Loading Groundcrew...").waitFor();
  await drawn(dark);
  await page.unroute("**/assets/app-*.js");
  await page.reload();
  await choose("System");
  await drawn(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await drawn(dark);
  await choose("Light");
  await drawn(light);
});

story("the palette's actions work from any page, and return the focus", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("requirements", { name: "Café" });
  await page.goto(`/app/${project}/costs`);
  const back = page.getByRole("link", { name: "Return to Projects" }).first();
  await back.focus();
  const palette = page.getByRole("dialog", { name: "Go to" });
  const choose = async (name: string, option = name) => {
    await page.keyboard.press("Control+k");
    await hasFocus(palette.getByRole("combobox"));
    await page.keyboard.type(name);
    await palette.getByRole("option", { name: option, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await palette.waitFor({ state: "detached" });
  };
  await choose("theme dark", "Theme: Dark");
  await page.locator("[data-theme=dark]").waitFor();
  await hasFocus(back);
  await choose("add credits", "View & Add Credits");
  await page.getByRole("dialog", { name: "Credits Management" }).waitFor();
  await page.keyboard.press("Escape");
  await hasFocus(back);
  await choose("shortcuts", "Keyboard shortcuts");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await hasFocus(back);
  await choose("cafe changes", "Changes");
  await page.waitForURL(`**/app/${project}/home/changes`);
  await page.keyboard.press("Control+k");
  await palette.waitFor();
  await page.keyboard.press("Control+k");
  await palette.waitFor({ state: "detached" });

  await page.goto("/app?sort=name");
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
  await choose("begin from", "Begin From a Repository");
  await page.getByRole("dialog", { name: "Begin From a Repository" }).waitFor();
  await page.keyboard.press("Escape");
  await choose("new project", "Create New Project");
  const form = page.getByRole("dialog", { name: "Create New Project" });
  await form.waitFor();
  assert.equal(new URL(page.url()).search, "?sort=name", "the order stays, and a reload asks for nothing");
});
