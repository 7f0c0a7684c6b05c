/** Projects are renamed, archived, copied and deleted from the list. */
import assert from "node:assert/strict";
import { hasFocus } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

story("a project is renamed, archived, found again and unarchived, by keyboard", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.call("POST", "/projects", { data: { name: "Shop", description: "Sells" } });
  await owner.call("POST", "/projects", { data: { name: "Blog" } });
  await page.reload();
  const actions = (name: string) => page.getByRole("button", { name: `Actions for ${name}` });
  const choose = async (name: string, item: string) => {
    await actions(name).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: item }).focus();
    await page.keyboard.press("Enter");
  };
  await choose("Shop", "Rename");
  const form = page.getByRole("dialog", { name: "Rename project" });
  await hasFocus(form.getByLabel("Project Name"));
  await form.getByLabel("Project Name").fill("Web shop");
  await page.keyboard.press("Enter");
  await form.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Web shop" }).waitFor();
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), "BODY");

  await choose("Blog", "Archive");
  await page.getByRole("heading", { name: "Blog" }).waitFor({ state: "detached" });
  await inspect(page, "a list with an archived project");
  await page.getByRole("button", { name: "Show archived (1)" }).click();
  await page.getByRole("link", { name: /Blog/ }).getByText("archived").waitFor();
  await page.reload();
  await page.getByRole("link", { name: /Blog/ }).waitFor();
  await choose("Blog", "Take back");
  await page.getByRole("button", { name: "Hide archived" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: /Blog/ }).getByText("Requirements").waitFor();
});

story("a copy of a project begins with its requirements and plans", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.projectAt("implementation", { name: "Original" });
  await page.goto("/app");
  await page.getByRole("button", { name: "Actions for Original" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  const form = page.getByRole("dialog", { name: "Duplicate project" });
  assert.equal(await form.getByLabel("Project Name").inputValue(), "Original (copy)");
  await form.getByRole("button", { name: "Duplicate" }).click();
  await hasFocus(page.getByRole("heading", { name: "Requirements", level: 1 }));
  await page.getByText("complete", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Confirm Requirements & Continue" }).click();
  const ask = page.getByRole("dialog", { name: "There is already an architecture plan" });
  await ask.getByText("It is up to date.").waitFor();
  await ask.getByRole("button", { name: "Keep it and continue" }).click();
  await page.getByRole("heading", { name: "Cloud architecture", level: 1 }).waitFor();
});

story("a project is deleted from its card only by its name", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.call("POST", "/projects", { data: { name: "Mistake" } });
  await page.reload();
  await page.getByRole("button", { name: "Actions for Mistake" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this project?" });
  await dialog.getByText("Servers that it created keep running").waitFor();
  const confirm = dialog.getByRole("button", { name: "Delete project" });
  assert.ok(await confirm.isDisabled());
  await dialog.getByLabel(/to confirm$/).fill("Mistake");
  const missed: string[] = [];
  page.on("response", (response) => response.status() === 404 && missed.push(response.url()));
  await confirm.click();
  await page.getByText("No projects yet").waitFor();
  await hasFocus(page.getByRole("heading", { name: "My Projects" }));
  assert.deepEqual(missed, [], "the page asks for nothing of a project that it has deleted");
});

story("a name is typed as the page shows it, however it is spelled inside", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  for (const [name, typed] of [
    ["A  B double", "A B double"],
    ["No\u00a0break", "No break"],
    ["Cafe\u0301", "Caf\u00e9"],
  ] as const) {
    const { id } = await owner.call("POST", "/projects", { data: { name } });
    await page.goto(`/app/${id}/audit`);
    await page.getByRole("button", { name: "Delete project" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this project?" });
    await dialog.getByLabel(/to confirm$/).fill(typed);
    await dialog.getByRole("button", { name: "Delete project" }).click();
    await dialog.waitFor({ state: "detached" });
  }
  await page.getByText("No projects yet").waitFor();
});

story("a project's name that is too long is reported instead of being cut", async (t) => {
  const { page } = await user(t);
  await page.getByRole("button", { name: "Create New Project" }).first().click();
  const form = page.getByRole("dialog", { name: "Create New Project" });
  const name = form.getByLabel("Project Name");
  await name.fill("n".repeat(120));
  await form.getByText("Too long: the limit is 100 characters.").waitFor();
  assert.equal((await name.inputValue()).length, 120);
  assert.ok(await form.getByRole("button", { name: "Create Project" }).isDisabled());
  await form.getByText("This text has 120.").waitFor();
  await inspect(page, "a project's name that is too long");
});

story("what is typed for a new project outlives its dialog, until it is canceled or created", async (t) => {
  const { page } = await user(t);
  const create = page.getByRole("button", { name: "Create New Project" }).first();
  const form = page.getByRole("dialog", { name: "Create New Project" });
  const [name, description] = [form.getByLabel("Project Name"), form.getByLabel("Description")];
  await create.click();
  await name.fill("Shop");
  await description.fill("Sells bread");
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await create.click();
  assert.deepEqual([await name.inputValue(), await description.inputValue()], ["Shop", "Sells bread"]);
  await page.mouse.click(5, 5);
  await form.waitFor({ state: "detached" });
  await create.click();
  assert.equal(await name.inputValue(), "Shop");
  await form.getByRole("button", { name: "Cancel" }).click();
  await create.click();
  assert.equal(await name.inputValue(), "", "Cancel forgets it");
  await name.fill("Bakery");
  await form.getByRole("button", { name: "Create Project" }).click();
  await page.getByRole("heading", { name: "Requirements", level: 1 }).waitFor();
  await page.goBack();
  await create.click();
  assert.equal(await name.inputValue(), "", "a created project leaves no draft");
});

story("deleting a project whose steps ran says how many, before its name is typed", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation", { name: "Standing" });
  await page.goto(`/app/${project}/audit`);
  await page.getByRole("button", { name: "Delete project" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this project?" });
  await dialog.getByRole("alert").getByText("5 steps of this project ran.").waitFor();
  await inspect(page, "the question before a project with executed steps is deleted");
});

story("a link to a project that is not there leads to the list, which says why, once", async (t) => {
  const [owner, stranger] = [await user(t), await user(t)];
  const foreign = await stranger.projectAt("requirements");
  const { page } = owner;
  for (const [project, query] of [
    [foreign, ""],
    [foreign, "?stage=architecture"],
    [999_999_999, ""],
  ] as const) {
    await owner.open(project, query);
    const notice = page.getByText(`Project ${project} was deleted, or this account has no access to it.`);
    await notice.waitFor();
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, "/app");
    await inspect(page, "the list after a link to a project that is not there");
    await page.reload();
    await page.getByText("No projects yet").waitFor();
    assert.equal(await notice.count(), 0);
  }
});

story("a tab whose project is deleted elsewhere notices it", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution", { name: "Shared" });
  await owner.open(project);
  await new Workspace(page).step(1).card.waitFor();
  const home = await owner.context.newPage();
  await home.goto(`/app/${project}/home/result`);
  await home.getByRole("heading", { name: "Project home", level: 1 }).waitFor();
  await owner.call("DELETE", `/projects/${project}`);
  await page.getByText(`Project ${project} was deleted, or this account has no access to it.`).waitFor();
  await home.getByText("Failed to load project details").waitFor();
});

story("deleting a project from the list keeps the list's search and order", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  for (const name of ["Shop one", "Shop two", "Blog"])
    await owner.call("POST", "/projects", { data: { name } });
  await page.goto("/app?search=shop&sort=name");
  await page.getByRole("button", { name: "Actions for Shop one" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this project?" });
  await dialog.getByLabel(/to confirm$/).fill("Shop one");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Shop one" }).waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Shop two" }).waitFor();
  assert.equal(new URL(page.url()).search, "?search=shop&sort=name");
  assert.equal(await page.getByRole("heading", { name: "Blog" }).count(), 0);
});

story("a list whose projects are all archived says so", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  for (const name of ["Shop", "Blog"]) {
    const { id } = await owner.call("POST", "/projects", { data: { name } });
    await owner.call("PATCH", `/projects/${id}`, { data: { archived: true } });
  }
  await page.reload();
  await page.getByText("All your projects are archived").waitFor();
  await inspect(page, "a list of archived projects");
  await page.getByRole("searchbox").fill("shop");
  await page.getByText("Search looks at names and descriptions of projects that are not archived.").waitFor();
  await page.getByRole("button", { name: "Show archived (2)" }).click();
  await page.getByRole("heading", { name: "Shop" }).waitFor();
});
