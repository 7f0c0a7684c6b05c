/** A project's repository: permissions when they are needed, what is pushed and what is not, and the pull request. */
import assert from "node:assert/strict";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";

const { user, story } = scene();

/** A project with files, and its owner on the page of its repository. */
async function atRepository(t: TestContext, options?: BrowserContextOptions) {
  const owner = await user(t, options);
  const project = await owner.projectAt("execution");
  await owner.runAll(project);
  await owner.page.goto(`/app/${project}/home/repository`);
  return { owner, project, page: owner.page };
}

/** Does something on the page that a link opens in another tab, and closes the tab. */
async function onGitHub(page: Page, link: string, act: (github: Page) => Promise<void>) {
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: link }).first().click();
  const github = await opened;
  await act(github);
  await github.close();
}

const grant = (page: Page) =>
  onGitHub(page, "Grant on GitHub", async (github) => {
    await github.getByRole("button", { name: "Accept new permissions" }).click();
    await github.getByText("Groundcrew may read and write code").waitFor();
  });

const makeRepository = (page: Page) =>
  onGitHub(page, "New repository on GitHub", async (github) => {
    await github.getByRole("textbox").fill("infra");
    await github.getByRole("button", { name: "Create repository" }).click();
    await github.getByRole("heading", { name: "Repository" }).waitFor();
  });

story("a project is pushed, and the page links its pull request", async (t) => {
  const { owner, page } = await atRepository(t);
  await page.getByRole("link", { name: "Grant on GitHub" }).waitFor();
  await inspect(page, "a repository without rights");
  const away = { status: 502, json: { code: "bad_gateway", detail: "GitHub did not answer." } };
  await page.route("**/api/projects/*/repositories", (route) => route.fulfill(away));
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("GitHub could not be reached. GitHub did not answer.").waitFor();
  await page.unroute("**/api/projects/*/repositories");
  await grant(page);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("Groundcrew has no access to a repository").waitFor();
  await makeRepository(page);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("combobox", { name: "Repository" }).waitFor();
  await page.getByText("Nothing has been pushed yet.").waitFor();
  await page.getByRole("button", { name: "Review the files" }).click();
  const leaving = page.getByRole("region", { name: "Files to push" });
  await leaving
    .getByText(/service\.py/)
    .first()
    .waitFor();
  await inspect(page, "what leaves for a repository");
  await leaving.getByRole("button", { name: /^Push \d+ files$/ }).click();
  await page.getByText("Pushed to groundcrew/change-1.").waitFor();
  await page.getByText(`by @${owner.login}`).waitFor();
  await inspect(page, "a pushed change");
  await onGitHub(page, "Open pull request #1", async (github) => {
    await github.getByRole("heading", { name: "Build Health page #1" }).waitFor();
    await github.getByText("## Steps").waitFor();
  });

  await page.getByRole("button", { name: "Review the files" }).click();
  await leaving.getByRole("button", { name: /^Push \d+ files$/ }).click();
  await page.getByText("The branch already has these files.").waitFor();
  await onGitHub(page, "Open pull request #1", async (github) => {
    await github.getByRole("button", { name: "Close pull request" }).waitFor();
  });
});

story("a push works with only the keyboard, and the focus is not lost", async (t) => {
  const { page } = await atRepository(t);
  await grant(page);
  await page.getByRole("button", { name: "Check again" }).focus();
  await page.keyboard.press("Enter");
  await makeRepository(page);
  await page.getByRole("button", { name: "Check again" }).focus();
  await page.keyboard.press("Enter");
  const choice = page.getByRole("combobox", { name: "Repository" });
  await choice.waitFor();
  await choice.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const push = page.getByRole("button", { name: /^Push \d+ files$/ });
  await push.waitFor();
  await push.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Pushed to groundcrew/change-1.").waitFor();
  await page.keyboard.press("Tab");
  const link = page.getByRole("link", { name: "Open pull request #1" });
  assert.equal(await link.evaluate((it) => it === document.activeElement), true);
});

story("a project is pushed on a phone", async (t) => {
  const { page } = await atRepository(t, { viewport: PHONE, hasTouch: true });
  await grant(page);
  await page.getByRole("button", { name: "Check again" }).tap();
  await makeRepository(page);
  await page.getByRole("button", { name: "Check again" }).tap();
  await page.getByRole("button", { name: "Review the files" }).tap();
  await page.getByRole("button", { name: /^Push \d+ files$/ }).tap();
  await page.getByText("Pushed to groundcrew/change-1.").waitFor();
});

story("a review names the files there that a push would change, and no others are deleted", async (t) => {
  const { page } = await atRepository(t);
  await grant(page);
  await page.getByRole("button", { name: "Check again" }).click();
  await makeRepository(page);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.route("**/repository/files?repository=*", async (route) => {
    const json = await (await route.fetch()).json();
    await route.fulfill({ json: { ...json, there: { replaced: ["main.tf"], deleted: ["a.tf", "b.tf"] } } });
  });
  await page.getByRole("button", { name: "Review the files" }).click();
  const leaving = page.getByRole("region", { name: "Files to push" });
  await leaving.getByText("1 file in the repository will be replaced").waitFor();
  await leaving.getByText("2 files in the repository will be deleted").waitFor();
  await inspect(page, "a review with deletions");
  await leaving.getByRole("button", { name: /^Push \d+ files$/ }).click();
  await page.getByText("Nothing was pushed. The push would now delete other files").waitFor();
});
