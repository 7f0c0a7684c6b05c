/** The page's messages about failures, and its recovery, automatic or with one click. */
import assert from "node:assert/strict";
import { scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** How often the progress is read, in milliseconds. */
const POLL_MS = 5_000;
const PROGRESS = "**/api/execution/progress";

story("a failed read of the progress is reported, and Try again repeats it", async (t) => {
  const { page, workspace, open } = await executing(t);
  await page.route(PROGRESS, (route) =>
    route.fulfill({ status: 500, json: { detail: "The table is away", code: "internal" } }),
  );
  await open();
  const alert = page.getByRole("alert").filter({ hasText: "Failed to load execution progress" });
  await alert.getByText("The table is away").waitFor();
  await page.unroute(PROGRESS);
  await alert.getByRole("button", { name: "Try again" }).click();
  await workspace.step(1).is("waiting approval");
  await alert.waitFor({ state: "detached" });
});

story("progress without steps data is reported", async (t) => {
  const { page, workspace, open } = await executing(t);
  await page.route(PROGRESS, (route) =>
    route.fulfill({ json: { id: "x", currentStep: 0, totalSteps: 0, steps: null } }),
  );
  await open();
  await page.getByText("No steps data available").waitFor();
  await page.unroute(PROGRESS);
  await page.getByRole("button", { name: "Try again" }).click();
  await workspace.step(1).is("waiting approval");
});

story("existing content stays while the progress cannot be read, and updates once it can", async (t) => {
  const { owner, project, page, workspace, open } = await executing(t);
  await open();
  await workspace.step(1).is("waiting approval");
  const failed = page.waitForResponse(
    (response) => response.url().endsWith("/progress") && response.status() === 500,
  );
  await page.route(PROGRESS, (route) =>
    route.fulfill({ status: 500, json: { detail: "no", code: "internal" } }),
  );
  await page.clock.fastForward(POLL_MS);
  await failed;
  await workspace.step(1).is("waiting approval");
  assert.equal(await page.getByText("Failed to load execution progress").count(), 0);
  await page.unroute(PROGRESS);
  await owner.runAll(project);
  await page.clock.fastForward(POLL_MS);
  await workspace.allDone.waitFor();
});

story(
  "without a network the page says so, keeps its content, and continues when the network returns",
  async (t) => {
    const { owner, project, page, workspace, open } = await executing(t);
    await open();
    await workspace.step(1).is("waiting approval");
    await page.getByText("connected", { exact: true }).waitFor();
    await owner.context.setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await workspace.step(1).is("waiting approval");

    await owner.context.setOffline(false);
    await page.getByText("You are offline.").waitFor({ state: "hidden" });
    await page.getByText("connected", { exact: true }).waitFor();
    await owner.runAll(project);
    await page.clock.fastForward(POLL_MS);
    await workspace.allDone.waitFor();
  },
);

story("an unreachable server is distinguished from being offline", async (t) => {
  const { page, workspace, open } = await executing(t);
  await open();
  await workspace.step(1).is("waiting approval");
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await page.clock.fastForward(POLL_MS);
  await page.getByText("The server does not answer.").waitFor();
  await workspace.step(1).is("waiting approval");
  await page.unroute("**/api/**");
  await page.clock.fastForward(POLL_MS);
  await page.getByText("The server does not answer.").waitFor({ state: "hidden" });
});

story("a chat that breaks off apologizes and takes the next message", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  const workspace = new Workspace(page);
  const path = "**/api/planning/requirements-gatherer";
  await page.route(path, (route) =>
    route.fulfill({ status: 503, json: { detail: "busy", code: "unavailable" } }),
  );
  await workspace.say("Requirements agent", "Hello there");
  await page.getByText("Sorry, I encountered an error. Please try again.").waitFor();
  await page.unroute(path);
  await workspace.say("Requirements agent", "A small web service, use the defaults");
  await page.getByText("Confirm Requirements & Continue").waitFor();
});

story("a part of the application that fails to load is loaded again", async (t) => {
  const { page } = await user(t);
  const failed = ["costs", "projects"].map((part) => new RegExp(`/assets/${part}-[^/]+\\.js$`));
  await Promise.all(
    failed.map((file) => page.route(file, (route) => route.abort("internetdisconnected"), { times: 1 })),
  );
  const failures = failed.map((file) =>
    page.waitForEvent("requestfailed", (request) => file.test(request.url())),
  );
  await page.goto("/app/7/costs");
  await Promise.all(failures);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

story("an application whose code does not load is loaded again, and finally reports that", async (t) => {
  const { page } = await user(t);
  const code = "**/assets/app-*.js";
  await page.route(code, (route) => route.abort("internetdisconnected"), { times: 2 });
  await page.goto("/app");
  await page.getByRole("heading", { name: "My Projects" }).waitFor();

  await page.route(code, (route) => route.abort("internetdisconnected"));
  await page.reload();
  await page.getByText("Groundcrew could not be loaded. Check your connection.").waitFor();
  await page.unroute(code);
  await page.getByRole("link", { name: "Load it again" }).click();
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
});

story("a page that cannot be loaded says so and leads back to the projects", async (t) => {
  const { page } = await user(t);
  await page.route("**/assets/costs-*.js", (route) => route.abort("connectionrefused"));
  await page.goto("/app/7/costs");
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  await page.getByText("A part of this page could not be loaded.").waitFor();
  await page.getByRole("button", { name: "Reload" }).waitFor();
  await page.getByRole("link", { name: "Return to Projects" }).click();
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
});

story("a 401 ends the session and leads to the landing page", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await page.route("**/api/projects", (route) =>
    route.fulfill({ status: 401, json: { detail: "gone", code: "unauthorized" } }),
  );
  await page.reload();
  await page.getByRole("heading", { name: "Build Apps, Not Infrastructure" }).waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

/** A person whose execution waits at its first step, before opening it. */
async function executing(t: TestContext) {
  const owner = await user(t);
  const project = await owner.projectAt("execution");
  // Its clock can be moved forward to the next poll.
  await owner.page.clock.install();
  return {
    owner,
    project,
    page: owner.page,
    workspace: new Workspace(owner.page),
    open: () => owner.open(project),
  };
}
