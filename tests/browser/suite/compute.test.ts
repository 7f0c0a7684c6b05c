/** What a running sandbox means for its owner: its cost, the size of its workspace, and the warning before it stops. */
import { answering } from "../support/calls.ts";
import { scene } from "../support/scene.ts";

const { user, story } = scene();

const WARNING =
  "Your credits are used up. The sandbox is backed up and stopped in 9 minutes; add credits to keep it.";

story("an owner sees how large the workspace is, and that the sandbox will stop", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await page.goto(`/app/${project}/home/environment-guide`);
  await page.getByRole("button", { name: "Backup Sandbox Files" }).click();
  await page.getByText(/^Workspace: \d+(\.\d)? (B|KB|MB) of 8\.6 GB$/).waitFor();
  await page.route("**/api/sandbox/status/*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), warning: WARNING } });
  });
  for (const place of [`/app/${project}/home/environment-guide`, `/app/${project}`]) {
    await page.goto(place);
    await page.getByRole("status").getByText(WARNING).waitFor();
  }
});

story("the costs of a project name those of its sandbox, and how long it has run", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const { id } = await owner.call("POST", "/projects", { data: { name: "Shop" } });
  const costs = {
    total_cost: "1.284000",
    sandbox_cost: "0.120000",
    sandbox_seconds: 7_500,
    budget: null,
    last_updated: null,
  };
  await answering(page, `**/api/projects/${id}/costs`, { json: costs });
  await page.goto(`/app/${id}/costs`);
  const figure = page.getByRole("term").filter({ hasText: "Sandbox costs" }).locator("..");
  await figure.getByText("$0.1200").waitFor();
  await figure.getByText("It has run for 2 h 5 m").waitFor();
});
