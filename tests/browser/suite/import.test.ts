/** A project that begins with a repository's files: what is imported, what is left out, and the sandbox that has them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";
import { until } from "../support/user.ts";

const { user, story } = scene();

const FILES = {
  "terraform/main.tf": 'resource "null_resource" "one" {}\n',
  "ansible/site.yml": "- hosts: all\n",
  "compose.yaml": "services: {}\n",
  "terraform/terraform.tfstate": "{}\n",
};

/**
 * Creates a repository for the owner on GitHub, and commits the files to it with `git`; the branch `feature/extra` has
 * one file more than `main`.
 */
async function withRepository(page: Page, login: string, name: string) {
  const site = new URL(page.url()).origin;
  const form = { owner: login, name };
  await page.context().request.post(`${site}/_local/github/new`, { form, maxRedirects: 0 });
  const folder = mkdtempSync(join(tmpdir(), "import-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Mona", "-c", "user.email=mona@example.com", ...args], {
      cwd: folder,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", no_proxy: "*" },
    });
  try {
    git("clone", "--quiet", `${site}/_local/github/${login}/${name}.git`, ".");
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git("add", "--all");
    git("commit", "--quiet", "-m", "Add files");
    git("push", "--quiet", "origin", "HEAD:main");
    writeFileSync(join(folder, "extra.txt"), "extra\n");
    git("add", "--all");
    git("commit", "--quiet", "-m", "Add another");
    git("push", "--quiet", "origin", "HEAD:feature/extra");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Grants what the App asks for, on GitHub's page in another tab. */
async function grant(page: Page) {
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Grant on GitHub" }).click();
  const github = await opened;
  await github.getByRole("button", { name: "Accept new permissions" }).click();
  await github.getByText("Groundcrew may read and write code").waitFor();
  await github.close();
  await page.getByRole("button", { name: "Check again" }).click();
}

story("a project begins from a repository, and its files are in the sandbox", async (t) => {
  const owner = await user(t, { viewport: { width: 1920, height: 900 } });
  const { page } = owner;
  await withRepository(page, owner.login, "infra");
  await page.getByRole("button", { name: /^From a repository/ }).click();
  const dialog = page.getByRole("dialog", { name: "Begin From a Repository" });
  await dialog.getByRole("link", { name: "Grant on GitHub" }).waitFor();
  await inspect(page, "an import without rights");
  const away = { status: 502, json: { code: "bad_gateway", detail: "GitHub did not answer." } };
  await page.route("**/api/repositories", (route) => route.fulfill(away));
  await dialog.getByRole("button", { name: "Check again" }).click();
  await dialog.getByText("GitHub could not be reached. GitHub did not answer.").waitFor();
  await page.unroute("**/api/repositories");
  await grant(page);
  await dialog.getByRole("combobox", { name: "Repository" }).waitFor();
  const branch = dialog.getByRole("combobox", { name: "Branch" });
  await branch.getByRole("option", { name: "feature/extra" }).waitFor({ state: "attached" });
  assert.deepEqual(await branch.getByRole("option").allTextContents(), ["main", "feature/extra"]);
  assert.equal(await branch.inputValue(), "main");
  await branch.selectOption("feature/extra");
  await dialog.getByRole("button", { name: "Look at the files" }).click();
  await dialog.getByText("5 files will be taken").waitFor();
  await dialog.getByText("extra.txt").waitFor();
  await branch.selectOption("main");
  await dialog.getByRole("button", { name: "Look at the files" }).click();
  const taken = dialog.getByRole("region", { name: "Files to begin with" });
  await taken.getByText("Terraform 1 · Ansible 1 · Compose 1 · other 1").waitFor();
  await taken.getByText("terraform/terraform.tfstate").waitFor();
  await taken.getByText("may hold keys, state or credentials").waitFor();
  await inspect(page, "what a project begins with");
  await dialog.getByRole("textbox", { name: "Project Name" }).fill("Imported");
  await dialog.getByRole("button", { name: "Create Project" }).click();

  await page.waitForURL(/\/app\/\d+/);
  const project = Number(/\/app\/(\d+)/.exec(page.url())?.[1]);
  await until(
    async () =>
      (await owner.call("POST", `/sandbox/initialize/${project}`, { project })).status === "success",
  );
  await page.goto(`/app/${project}/home/terminal`);
  const terminal = new TerminalPane(page);
  await terminal.connected();
  await terminal.run("cat ansible/site.yml terraform/main.tf; ls terraform");
  await terminal.shows(/^- hosts: all$/m);
  await terminal.shows(/^resource "null_resource" "one"/m);
  // The state is not imported.
  await terminal.shows(/^main\.tf$/m);

  await page.goto(`/app/${project}/home/repository`);
  await page.getByRole("heading", { name: "Began with" }).waitFor();
  await page.getByText(`${owner.login}/infra, branch main`).waitFor();
  await page.getByRole("combobox", { name: "Repository" }).waitFor();
  await inspect(page, "a project that began with a repository");
});

/** Opens the dialog with read permission, and looks at the files of `main`. */
async function looking(page: Page) {
  await page.getByRole("button", { name: /^From a repository/ }).click();
  const dialog = page.getByRole("dialog", { name: "Begin From a Repository" });
  await grant(page);
  await dialog.getByRole("button", { name: "Look at the files" }).click();
  await dialog.getByText("4 files will be taken").waitFor();
  return dialog;
}

/** Makes GitHub fail for each import until the returned function is called. */
async function importsFail(page: Page) {
  const imports = "**/api/projects/*/repository/import";
  await page.route(imports, (route) =>
    route.fulfill({
      status: 502,
      json: { code: "bad_gateway", detail: "GitHub did not answer. Try again." },
    }),
  );
  return () => page.unroute(imports);
}

story("files that did not arrive are imported again, into the same project", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await withRepository(page, owner.login, "infra");
  const dialog = await looking(page);
  const heal = await importsFail(page);
  await dialog.getByRole("textbox", { name: "Project Name" }).fill("Once");
  await dialog.getByRole("button", { name: "Create Project" }).click();
  const problem = dialog.getByText("The project Once exists, but its files have not arrived.", {
    exact: false,
  });
  await problem.waitFor();
  await inspect(page, "an import whose files have not arrived");
  await dialog.getByRole("button", { name: "Bring the Files" }).click();
  await problem.waitFor();
  // Neither another branch nor reopening the dialog leads to a second project.
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("main").getByRole("link", { name: "Once" }).waitFor();
  await page.getByRole("button", { name: "Create New Project" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Begin from a repository" }).click();
  const branch = dialog.getByRole("combobox", { name: "Branch" });
  await branch.getByRole("option", { name: "feature/extra" }).waitFor({ state: "attached" });
  await branch.selectOption("feature/extra");
  await dialog.getByRole("button", { name: "Look at the files" }).click();
  await problem.waitFor();
  await heal();
  await dialog.getByRole("button", { name: "Bring the Files" }).click();
  await page.waitForURL(/\/app\/\d+/);
  const project = Number(/\/app\/(\d+)/.exec(page.url())?.[1]);
  const all = await owner.call("GET", "/projects");
  assert.deepEqual(
    all.map(({ id, name }: { id: number; name: string }) => [id, name]),
    [[project, "Once"]],
  );
  const { origin } = await owner.call("GET", `/projects/${project}/repository`);
  assert.equal(origin.branch, "feature/extra");
});

story("a project whose files do not arrive is opened without them", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await withRepository(page, owner.login, "infra");
  const dialog = await looking(page);
  await importsFail(page);
  await dialog.getByRole("button", { name: "Create Project" }).click();
  await dialog.getByRole("button", { name: "Open Without Files" }).click();
  await page.waitForURL(/\/app\/\d+/);
  assert.equal((await owner.call("GET", "/projects")).length, 1);
});

story("a project begins from a repository on a phone", async (t) => {
  const owner = await user(t, { viewport: PHONE, hasTouch: true });
  const { page } = owner;
  await withRepository(page, owner.login, "infra");
  await page.getByRole("main").getByRole("button", { name: "Create Project" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Begin from a repository" }).tap();
  const dialog = page.getByRole("dialog", { name: "Begin From a Repository" });
  await grant(page);
  await dialog.getByRole("button", { name: "Look at the files" }).tap();
  await dialog.getByText("4 files will be taken").waitFor();
  await inspect(page, "what a project begins with, on a phone");
  await dialog.getByRole("button", { name: "Create Project" }).tap();
  await page.waitForURL(/\/app\/\d+/);
});
