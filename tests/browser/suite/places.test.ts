/** Links, tabs, Back, a reload and signing in all restore the user's place. */
import assert from "node:assert/strict";
import { landed } from "../support/landing.ts";
import { scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { visitor, user, story } = scene();

const placeOf = (page: Page) => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

story("a link opens in a new tab with the existing session", async (t) => {
  const owner = await user(t);
  const project = await owner.projectAt("requirements", { name: "Linked" });
  const tab = await owner.context.newPage();
  await tab.goto(`/app/${project}/costs`);
  await tab.getByText("Total project cost").first().waitFor();
  assert.equal(
    await tab.evaluate(() => sessionStorage.getItem("github_installation_id")),
    owner.installation,
    "the installation came from the session",
  );

  const [opened] = await Promise.all([
    owner.context.waitForEvent("page"),
    owner.page
      .reload()
      .then(() => owner.page.getByRole("link", { name: /Linked/ }).click({ button: "middle" })),
  ]);
  await opened.getByRole("heading", { name: "Requirements", level: 1 }).waitFor();
  assert.equal(placeOf(opened), `/app/${project}`);
});

story("a signed-out visitor reaches the link after signing in", async (t) => {
  const owner = await user(t);
  const project = await owner.projectAt("architecture", { name: "Kept" });
  const { context, page } = await visitor(t);
  // Signing in on GitHub again gives the same person in another browser.
  await context.request.get(`/api/github/login?login=${owner.login}`);
  await context.clearCookies({ name: "groundcrew" });
  const link = `/app/${project}?stage=requirements`;
  await page.goto(link);
  await landed(page);
  await page.getByText("Sign in to open that page.").waitFor();
  await page.route("**/api/github/login?*", (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("login", owner.login);
    return route.continue({ url: url.href });
  });
  await page.getByRole("button", { name: "Sign in with GitHub" }).first().click();
  await page.getByRole("heading", { name: "Requirements", level: 1 }).waitFor();
  assert.equal(placeOf(page), link);
});

story("a session that ends says so, and leads back to where it ended", async (t) => {
  const owner = await user(t);
  const { context, page } = owner;
  const project = await owner.projectAt("requirements");
  await owner.open(project);
  await page.getByRole("heading", { name: "Requirements", level: 1 }).waitFor();
  await context.clearCookies();
  await landed(page);
  await page.getByText("Your session has ended. Sign in to continue where you were.").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await page.route("**/api/github/login?*", (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("login", owner.login);
    return route.continue({ url: url.href });
  });
  await page.getByRole("button", { name: "Sign in with GitHub" }).first().click();
  await page.getByRole("heading", { name: "Requirements", level: 1 }).waitFor();
  assert.equal(placeOf(page), `/app/${project}`);
});

story(
  "stages have addresses: Back and a reload keep the place, and looking back changes nothing",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("implementation");
    await owner.open(project);
    const workspace = new Workspace(page);
    await workspace.stage("Implementation").waitFor();
    const changes: string[] = [];
    page.on("request", (request) => request.method() === "PUT" && changes.push(request.url()));
    const stages = page.getByRole("navigation", { name: "Stages" }).first();

    await stages.getByRole("link", { name: /Requirements/ }).click();
    await workspace.stage("Requirements").waitFor();
    assert.equal(placeOf(page), `/app/${project}?stage=requirements`);
    await page.reload();
    await workspace.stage("Requirements").waitFor();
    await stages.getByRole("link", { name: /Cloud architecture/ }).click();
    await workspace.stage("Cloud architecture").waitFor();
    await page.goBack();
    await workspace.stage("Requirements").waitFor();
    await page.goBack();
    await workspace.stage("Implementation").waitFor();
    assert.deepEqual(changes, [], "the project's stage is unchanged");

    await owner.open(project);
    await workspace.stage("Implementation").waitFor();
  },
);

story("confirming leads to the next stage, and Back to the previous one", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("architecture");
  await owner.open(project);
  const workspace = new Workspace(page);
  await workspace.button("Confirm Architecture & Continue").click();
  await workspace.stage("Implementation").waitFor();
  await page.goBack();
  await workspace.stage("Cloud architecture").waitFor();
  assert.equal(placeOf(page), `/app/${project}?stage=architecture`);
  await page.goForward();
  await workspace.stage("Implementation").waitFor();
});

story(
  "a stage is a link that opens in another tab, and so is a button that leads to another place",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("implementation");
    await owner.open(project);
    const workspace = new Workspace(page);
    await workspace.stage("Implementation").waitFor();
    const opened = async (act: () => Promise<void>) => {
      const [tab] = await Promise.all([owner.context.waitForEvent("page"), act()]);
      await tab.waitForURL(/^http/);
      return tab;
    };
    const stages = page.getByRole("navigation", { name: "Stages" }).first();
    const stage = stages.getByRole("link", { name: /Requirements/ });
    for (const act of [
      () => stage.click({ button: "middle" }),
      () => stage.click({ modifiers: ["ControlOrMeta"] }),
    ]) {
      const tab = await opened(act);
      await new Workspace(tab).stage("Requirements").waitFor();
      assert.equal(placeOf(tab), `/app/${project}?stage=requirements`);
      await tab.close();
    }
    assert.equal(placeOf(page), `/app/${project}`, "this tab stays");
    const ahead = stages.getByRole("link", { name: /Validation/, disabled: true });
    assert.equal(await ahead.getAttribute("href"), null);

    await page
      .getByRole("button", { name: /user menu$/ })
      .first()
      .click();
    const mail = await opened(() =>
      page
        .getByRole("menuitem", { name: "E-mail when it is your turn" })
        .click({ modifiers: ["ControlOrMeta"] }),
    );
    assert.equal(placeOf(mail), "/app/mail");
  },
);

story("Back on a page about the project leads to the page of its home that opened it", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("requirements");
  for (const name of ["View Details", "Timeline", "Audit"]) {
    await page.goto(`/app/${project}/home/result`);
    await page.getByRole("link", { name, exact: true }).first().click();
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await page.waitForURL(`**/app/${project}/home/result`);
  }
  await page.getByRole("link", { name: "Audit", exact: true }).first().click();
  await page.getByRole("main").getByRole("link", { name: "Timeline", exact: true }).click();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.waitForURL(`**/app/${project}/home/result`);
});

story("Back and a reload return to the position in a long list and in a long page", async (t) => {
  const owner = await user(t, { viewport: { width: 1000, height: 500 } });
  const { page } = owner;
  for (let number = 1; number <= 18; number += 1)
    await owner.call("POST", "/projects", { data: { name: `Project ${number}` } });
  await page.reload();
  const content = page.getByRole("main");
  const middle = page.getByRole("link", { name: /Project 9\b/ });
  await middle.scrollIntoViewIfNeeded();
  const top = await content.evaluate((main) => main.scrollTop);
  assert.ok(top > 200, `${top} px`);
  const isBack = (top: number) =>
    page.waitForFunction(
      (top) => Math.abs((document.getElementById("content")?.scrollTop ?? 0) - top) < 2,
      top,
    );

  await middle.click();
  await page.getByRole("heading", { name: "Requirements", level: 1 }).waitFor();
  await page.goBack();
  await isBack(top);
  await page.reload();
  await isBack(top);
  await middle.click();
  await page.getByRole("link", { name: "Return to Projects" }).first().click();
  await middle.waitFor();
  assert.equal(await content.evaluate((main) => main.scrollTop), 0, "a link leads to the top");
});
