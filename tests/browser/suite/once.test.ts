/** An action that creates something happens once, however often its button or Enter is pressed. */
import assert from "node:assert/strict";
import { scene } from "../support/scene.ts";

const { user, story } = scene();

/** The path and the method of each call that changes something, in order. */
function changesOf(page: Page) {
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return changes;
}

/** Runs in the page: two clicks between which nothing is drawn, as a hasty double click can be. */
const clickTwice = (button: Element) => {
  for (let click = 0; click < 2; click += 1) button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
};

story("two clicks, or Enter twice, create one project", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const changes = changesOf(page);
  const form = page.getByRole("dialog", { name: "Create New Project" });
  const open = async (name: string) => {
    await page.goto("/app");
    await page.getByRole("button", { name: "Create New Project" }).first().click();
    await form.getByLabel("Project Name").fill(name);
  };
  await open("Clicked");
  await form.getByRole("button", { name: "Create Project" }).evaluate(clickTwice);
  await page.waitForURL(/\/app\/\d+$/);
  await open("Entered");
  await form.evaluate((dialog) => {
    const element = dialog.querySelector("form");
    element?.requestSubmit();
    element?.requestSubmit();
  });
  await page.waitForURL(/\/app\/\d+$/);
  const names = (await owner.call("GET", "/projects")).map(({ name }: { name: string }) => name);
  assert.deepEqual(names.sort(), ["Clicked", "Entered"]);
  assert.equal(changes.filter((change) => change === "POST /api/projects").length, 2);
});

story("two clicks make one copy of a project, and one link to its timeline", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("requirements", { name: "Original" });
  const changes = changesOf(page);
  await page.goto(`/app/${project}/timeline`);
  await page.getByRole("button", { name: "Share" }).click();
  const share = page.getByRole("dialog", { name: "Share this timeline" });
  const link = share.getByRole("button", { name: "Create a link" });
  await share.getByText("This timeline is not shared.").waitFor();
  // A person's double click: the server may have answered the first click before the second.
  await link.dblclick({ delay: 60 });
  await share.getByText("Never used").first().waitFor();
  assert.equal((await owner.call("GET", `/projects/${project}/shares`)).length, 1);

  await page.goto("/app");
  await page.getByRole("button", { name: "Actions for Original" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  const copy = page.getByRole("dialog", { name: "Duplicate project" });
  await copy.getByRole("button", { name: "Duplicate" }).evaluate(clickTwice);
  await page.waitForURL(/\/app\/\d+$/);
  assert.equal(changes.filter((change) => change.endsWith("/duplicate")).length, 1);
  assert.equal((await owner.call("GET", "/projects")).length, 2);
});

story("an action that failed can be repeated at once", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await page.getByRole("button", { name: "Create New Project" }).first().click();
  const form = page.getByRole("dialog", { name: "Create New Project" });
  await form.getByLabel("Project Name").fill("Tried twice");
  await page.route("**/api/projects", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await form.getByRole("button", { name: "Create Project" }).click();
  await form.getByRole("alert").waitFor();
  await page.unroute("**/api/projects");
  await form.getByRole("button", { name: "Create Project" }).click();
  await page.waitForURL(/\/app\/\d+$/);
});

story("a project whose answer was lost is created once, even by another dialog", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const form = page.getByRole("dialog", { name: "Create New Project" });
  const fill = async () => {
    await page.getByRole("button", { name: "Create New Project" }).first().click();
    await form.getByLabel("Project Name").fill("Lost");
  };
  let lost = 0;
  await page.route("**/api/projects", async (route) => {
    if (route.request().method() !== "POST" || lost > 0) return route.continue();
    lost += 1;
    // The server does its work, and the connection drops before its answer arrives.
    await route.fetch();
    await route.abort();
  });
  await fill();
  await form.getByRole("button", { name: "Create Project" }).click();
  await form.getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "hidden" });
  await fill();
  await form.getByRole("button", { name: "Create Project" }).click();
  await page.waitForURL(/\/app\/\d+$/);
  const projects = await owner.call("GET", "/projects");
  assert.deepEqual(
    projects.map(({ id, name }: { id: number; name: string }) => [name, `/app/${id}`]),
    [["Lost", new URL(page.url()).pathname]],
  );
});
