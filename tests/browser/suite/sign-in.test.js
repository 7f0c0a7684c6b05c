/** Signing in and out: what is said when it does not work, and what is left behind when it is over. */
import assert from "node:assert/strict";
import { scene } from "../support/scene.js";

const { visitor, user, story } = scene();

const landed = (page) => page.getByRole("heading", { name: "Build Apps, Not Infrastructure" }).waitFor();

story("each way a sign-in can end without a session is said in words and leads to the start", async (t) => {
  const { page } = await visitor(t);
  await page.clock.install();
  for (const [query, text] of [
    ["", "No installation ID found in the URL"],
    [
      "?error=expired",
      "This sign-in was not finished in time or was started elsewhere. Please sign in again.",
    ],
    ["?error=denied", "You did not allow Groundcrew to see who you are on GitHub, so nobody was signed in."],
    ["?error=installation_pending", "An owner of the organization has to approve the installation first."],
    [
      "?error=installation_suspended",
      "The installation is suspended. Unsuspend it in your GitHub settings, then sign in again.",
    ],
    ["?error=github", "GitHub did not answer. Please try again in a moment."],
    ["?error=constructor", "Failed to complete GitHub installation"],
  ]) {
    await page.goto(`/github-success${query}`);
    await page.getByRole("heading", { name: "Installation Error" }).waitFor();
    await page.getByRole("alert").getByText(text, { exact: true }).waitFor();
    await page.clock.runFor(5_000);
    await landed(page);
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  }
});

story("an installation id that does not read back is no sign-in", async (t) => {
  const { page } = await visitor(t);
  await page.addInitScript(() => {
    Storage.prototype.getItem = () => null;
  });
  await page.goto("/github-success?installation_id=7");
  await page.getByRole("heading", { name: "Installation Error" }).waitFor();
  await page.getByText("Failed to store installation ID correctly").waitFor();
});

story("a storage that refuses is said in words too", async (t) => {
  const { page } = await visitor(t);
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new Error("The quota has been exceeded");
    };
  });
  await page.goto("/github-success?installation_id=7");
  await page.getByText("Failed to complete GitHub installation").waitFor();
});

story("a sign-out that fails on the server clears the tab and leaves all the same", async (t) => {
  const { page } = await user(t);
  await page.route("**/api/github/logout", (route) => route.abort("connectionrefused"));
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign Out", exact: true }).click();
  await landed(page);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

story("signing out everywhere that fails leaves one signed in, and says so", async (t) => {
  const { page } = await user(t);
  await page.route("**/api/github/logout-everywhere", (route) =>
    route.fulfill({ status: 500, json: { detail: "The table is away", code: "internal" } }),
  );
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
  await page.getByRole("alertdialog", { name: "You are still signed in" }).waitFor();
  await page.getByText("The table is away").waitFor();
  await page.getByRole("button", { name: "OK" }).click();
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
});

story("without an installation id no call is made", async (t) => {
  const { page } = await user(t);
  await page.evaluate(() => sessionStorage.clear());
  const calls = [];
  page.on("request", (request) => request.url().includes("/api/projects") && calls.push(request.url()));
  await page.getByRole("main").getByRole("button", { name: "Create Project" }).click();
  await page.getByLabel("Project Name").fill("Nobody's");
  await page.getByRole("dialog").getByRole("button", { name: "Create Project" }).click();
  await page.getByRole("dialog").getByRole("alert").getByText("No installation ID found").waitFor();
  assert.deepEqual(calls, []);
});

story("projects that cannot be loaded or created say why", async (t) => {
  const { page } = await user(t);
  await page.route("**/api/projects", (route) =>
    route.fulfill({ status: 422, json: { detail: "The server said why", code: "invalid" } }),
  );
  await page.getByRole("main").getByRole("button", { name: "Create Project" }).click();
  await page.getByLabel("Project Name").fill("Refused");
  await page.getByRole("dialog").getByRole("button", { name: "Create Project" }).click();
  await page.getByRole("dialog").getByRole("alert").getByText("The server said why").waitFor();
  await page.reload();
  await page.getByRole("main").getByRole("alert").getByText("The server said why").waitFor();
});
