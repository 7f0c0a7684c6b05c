/** Which pages need a session, and where other people are redirected. */
import assert from "node:assert/strict";
import { landed } from "../support/landing.ts";
import { scene } from "../support/scene.ts";

const { visitor, user, story } = scene();

const pathOf = (page: Page) => new URL(page.url()).pathname;
const stored = (page: Page) => page.evaluate(() => sessionStorage.length);

story("an invented installation id opens nothing", async (t) => {
  const owner = await user(t);
  const { page } = await visitor(t);
  const refused = page.waitForResponse((response) => response.status() === 401);
  await page.goto(`/github-success?installation_id=${owner.installation}`);
  await refused;
  await landed(page);
  assert.equal(pathOf(page), "/");
  assert.equal(await stored(page), 0, "session storage is cleared");
});

story("a signed-in user gets no further with another's installation id", async (t) => {
  const owner = await user(t);
  await owner.projectAt("requirements", { name: "Someone else's" });
  const stranger = await user(t);
  const { page } = stranger;
  assert.notEqual(stranger.installation, owner.installation);
  await page.goto(`/github-success?installation_id=${owner.installation}`);
  await landed(page);
  assert.equal(pathOf(page), "/");
  assert.equal(await stored(page), 0, "session storage is cleared");
  assert.equal(await page.getByText("Someone else's").count(), 0);
});

story("a sign-in that came back without an installation says so and returns to the start", async (t) => {
  const { page } = await visitor(t);
  await page.clock.install();
  await page.goto("/github-success");
  await page.getByRole("heading", { name: "Installation Error" }).waitFor();
  await page.getByText("No installation ID found in the URL").waitFor();
  await page.clock.fastForward(5_000);
  await landed(page);
  assert.equal(pathOf(page), "/");
});

story("signed-out visitors are sent to the landing page", async (t) => {
  const { page } = await visitor(t);
  for (const path of ["/app", "/app/1", "/app/1/home", "/app/1/costs"]) {
    await page.goto(path);
    await page.waitForURL((url) => url.pathname === "/");
    await landed(page);
  }
});

story("unknown paths show Page Not Found with the way back", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  for (const path of ["/nowhere", "/app/not-a-number", "/app/1/nowhere"]) {
    await page.goto(path);
    await page.getByRole("heading", { name: "Page Not Found" }).waitFor();
    await page.getByText("The page you're looking for doesn't exist.").waitFor();
  }
  await page.getByRole("link", { name: "Return to Projects" }).click();
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
});

story("a stranger who opens the owner's project lands at the start and sees nothing of it", async (t) => {
  const owner = await user(t);
  const project = await owner.projectAt("requirements", { name: "Someone else's" });
  await owner.open(project);
  await owner.page.getByText("Someone else's").first().waitFor();

  const stranger = await user(t);
  const { page } = stranger;
  const refused = page.waitForResponse((response) => response.status() === 404);
  await stranger.open(project);
  await refused;
  // A signed-in user's start page is their own project list.
  await page.waitForURL("**/app");
  await page.getByText("No projects yet").waitFor();
  assert.equal(await page.getByText("Someone else's").count(), 0);
});

story("signing out ends the session in the browser and on the server", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await page.route("https://github.com/**", (route) => route.abort());
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign Out", exact: true }).click();
  await landed(page);
  assert.equal(await stored(page), 0);
  const headers = { "Installation-Id": owner.installation };
  const answer = await owner.context.request.get("/api/projects", { headers });
  assert.equal(answer.status(), 401);
});
