/** Signing in and out: the messages when it fails, and what remains afterward. */
import assert from "node:assert/strict";
import { tabTo } from "../support/focus.ts";
import { landed } from "../support/landing.ts";
import { scene } from "../support/scene.ts";
import { installationOf } from "../support/user.ts";

const { visitor, user, story } = scene();

story("each way a sign-in can end without a session has a message and leads to the start", async (t) => {
  const { page } = await visitor(t);
  await page.clock.install();
  for (const [query, text] of [
    ["", "No installation ID found in the URL"],
    [
      "?error=expired",
      "This sign-in was not finished in time or was started elsewhere. Please sign in again.",
    ],
    ["?error=denied", "You did not allow Groundcrew to see who you are on GitHub, so you are not signed in."],
    ["?error=installation_pending", "An owner of the organization has to approve the installation first."],
    [
      "?error=installation_suspended",
      "The installation is suspended. Unsuspend it in your GitHub settings, then sign in again.",
    ],
    ["?error=github", "GitHub did not answer. Please try again in a moment."],
    ["?error=internal", "Something went wrong on our side. Please try again in a moment."],
    [
      "?error=rate_limited&retry_after=34",
      "Too many sign-ins came from your network. Nothing is lost: please try again in 34 seconds.",
    ],
    [
      "?error=rate_limited&retry_after=soon",
      "Too many sign-ins came from your network. Nothing is lost: please try again in a minute.",
    ],
    ["?error=constructor", "Failed to complete GitHub installation"],
  ] as const) {
    await page.goto(`/github-success${query}`);
    await page.getByRole("heading", { name: "Installation Error" }).waitFor();
    await page.getByRole("alert").getByText(text, { exact: true }).waitFor();
    await page.clock.runFor(5_000);
    await landed(page);
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  }
});

story("an installation id that cannot be stored fails the sign-in", async (t) => {
  const { page } = await visitor(t);
  await page.addInitScript(() => {
    Storage.prototype.getItem = () => null;
  });
  await page.goto("/github-success?installation_id=7");
  await page.getByRole("heading", { name: "Installation Error" }).waitFor();
  await page.getByText("Failed to store installation ID correctly").waitFor();
});

story("a storage that refuses is reported as well", async (t) => {
  const { page } = await visitor(t);
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new Error("The quota has been exceeded");
    };
  });
  await page.goto("/github-success?installation_id=7");
  await page.getByText("Failed to complete GitHub installation").waitFor();
});

story("signing out clears the tab, loads the logout page for a second and replaces the page", async (t) => {
  const { page } = await user(t);
  await page.clock.install();
  const address = page.url();
  const left = page.waitForRequest(
    (request) => request.frame() !== page.mainFrame() && request.isNavigationRequest(),
  );
  await page.getByRole("button", { name: /user menu/ }).click();
  const answered = page.waitForResponse("**/api/github/logout");
  await page.getByRole("menuitem", { name: "Sign Out", exact: true }).click();
  const { logout_url } = await (await answered).json();
  assert.equal((await left).url(), logout_url);
  const frame = page.locator("iframe");
  await frame.waitFor({ state: "attached" });
  assert.equal(await frame.isVisible(), false);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0, "the tab is cleared at once");
  assert.equal(page.url(), address, "the frame stays for a second");
  await page.clock.runFor(1_000);
  await landed(page);
  await page.goBack().catch(() => undefined);
  assert.notEqual(page.url(), address, "there is no way back");
});

story("a sign-out that fails on the server still clears the tab and leaves the page", async (t) => {
  const { page } = await user(t);
  await page.route("**/api/github/logout", (route) => route.abort("connectionrefused"));
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign Out", exact: true }).click();
  await landed(page);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

story("a failed sign-out everywhere is reported and leaves the user signed in", async (t) => {
  const { page } = await user(t);
  await page.route("**/api/github/logout-everywhere", (route) =>
    route.fulfill({ status: 500, json: { detail: "The table is away", code: "internal" } }),
  );
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign Out Everywhere" }).click();
  await page.getByRole("alertdialog", { name: "You are still signed in" }).waitFor();
  await page.getByText("The table is away").waitFor();
  await page.getByRole("button", { name: "OK" }).click();
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
});

story("an export that fails is reported", async (t) => {
  const { page } = await user(t);
  await page.route("**/api/user/export", (route) =>
    route.fulfill({
      status: 429,
      json: { detail: "Too many requests. Try again in 40 seconds.", code: "rate_limited" },
    }),
  );
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Export my data" }).click();
  const alert = page.getByRole("alertdialog", { name: "Your data could not be exported" });
  await alert.getByText("Too many requests. Try again in 40 seconds.").waitFor();
  await alert.getByRole("button", { name: "OK" }).click();
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
});

story("without an installation id no call is made", async (t) => {
  const { page } = await user(t);
  await page.evaluate(() => sessionStorage.clear());
  const calls: string[] = [];
  page.on("request", (request) => request.url().includes("/api/projects") && calls.push(request.url()));
  await page.getByRole("main").getByRole("button", { name: "Create Project" }).click();
  await page.getByLabel("Project Name").fill("Not created");
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

story("a person outside an organization reads what to do for as long as they like", async (t) => {
  const { page } = await visitor(t);
  await page.clock.install();
  await page.goto("/api/github/login?login=outside-reader");
  await page.getByRole("heading", { name: "You are not a member of this organization" }).waitFor();
  await page.getByRole("alert").getByText("Ask one of its owners to invite you").waitFor();
  await page.clock.runFor(10_000);
  await page.getByRole("link", { name: "Install on your own account" }).waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

story("a user with several installations chooses one, without a mouse, and works in it", async (t) => {
  const { page } = await visitor(t);
  await page.goto("/api/github/login?login=several-hands");
  await page.getByRole("heading", { name: "Choose where to work" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/github-choose");
  const choices = page.getByRole("listitem").getByRole("button");
  await choices.first().waitFor();
  assert.equal(await choices.count(), 3);
  const suspended = choices.filter({ hasText: "suspended" });
  assert.equal(await suspended.count(), 1);
  assert.ok(await suspended.isDisabled(), "a suspended installation cannot be chosen");
  await tabTo(page, choices.filter({ hasText: "Organization" }).first());
  await page.keyboard.press("Enter");
  await page.getByText("No projects yet").waitFor();
  assert.match(await installationOf(page), /^\d+$/);
});

story("a choice without a sign-in under way leads to the start", async (t) => {
  const { page } = await visitor(t);
  await page.goto("/github-choose");
  await landed(page);
});

story("a user whose only installation is suspended sees that", async (t) => {
  const { page } = await visitor(t);
  await page.goto("/api/github/login?login=suspended-hands");
  await page.getByRole("heading", { name: "Installation Error" }).waitFor();
  await page.getByRole("alert").getByText("The installation is suspended.").waitFor();
});

story("a user who leaves an organization on GitHub loses its projects at once", async (t) => {
  const { context, page } = await visitor(t);
  await page.goto("/api/github/login?login=several-leaver");
  await page.getByRole("button", { name: /several-leaver-labs/ }).click();
  await page.getByText("No projects yet").waitFor();
  const github = await context.newPage();
  await github.goto("/_local/github/settings/installations");
  await github.getByRole("button", { name: "Leave several-leaver-labs" }).click();
  await github.getByRole("button", { name: "Leave several-leaver-labs" }).waitFor({ state: "detached" });
  await page.reload();
  await landed(page);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

story("signing out everywhere ends the session of another browser too", async (t) => {
  const here = await user(t);
  const { page } = await visitor(t);
  await page.goto(`/api/github/login?login=${here.login}`);
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
  await here.page.getByRole("button", { name: /user menu/ }).click();
  await here.page.getByRole("menuitem", { name: "Sign Out Everywhere" }).click();
  await landed(here.page);
  await page.reload();
  await landed(page);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});
