/** The first minutes: suggestions to begin with, replies that take a click, and prompts for credentials. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { hasFocus } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** A project whose requirements are a server at Hetzner Cloud, so that they need its token. */
async function requiredServer(t: TestContext) {
  const owner = await user(t);
  const { page } = owner;
  const workspace = new Workspace(page);
  await owner.open(await owner.projectAt("requirements"));
  await workspace.say(
    "Requirements agent",
    "A hardened Debian server at Hetzner Cloud with SSH access, use the defaults",
  );
  return { page, workspace };
}

story(
  "an empty list offers deployments, and the one that is chosen begins the chat with a click",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const offer = page.getByRole("region", { name: "Deployments to begin with" });
    await offer.getByText("About 32 min · $4.50").waitFor();
    const [first] = await offer.getByRole("listitem").allInnerTexts();
    assert.match(first ?? "", /^Web service in the sandbox.*No account needed/s, "anyone can begin");
    await inspect(page, "a list without projects");
    await offer.getByRole("button", { name: /^VPS with PostgreSQL/ }).click();
    const form = page.getByRole("dialog", { name: "Create New Project" });
    assert.equal(await form.getByLabel("Project Name").inputValue(), "VPS with PostgreSQL");
    await form.getByRole("button", { name: "Create Project" }).click();
    const replies = page.getByRole("group", { name: "Suggested replies" });
    await replies.getByRole("button", { name: /PostgreSQL and nightly backups$/ }).click();
    await page
      .getByText("complete", { exact: true })
      .or(page.getByText("gathering", { exact: true }))
      .waitFor();
    await replies.getByRole("button", { name: "Use the defaults" }).click();
    await page.getByText("complete", { exact: true }).waitFor();
    await page
      .getByRole("group", { name: "Requirements", exact: true })
      .getByText("HCLOUD_TOKEN")
      .first()
      .waitFor();
    await inspect(page, "requirements with credentials that are missing");
  },
);

story("below existing projects, another one begins with something proven", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.projectAt("requirements");
  await page.reload();
  await page.getByRole("heading", { name: "Start from something proven" }).waitFor();
  await inspect(page, "a list with a project");
  await page.getByRole("button", { name: /^Web service in the sandbox/ }).click();
  const form = page.getByRole("dialog", { name: "Create New Project" });
  await form.getByRole("button", { name: "Create Project" }).click();
  const replies = page.getByRole("group", { name: "Suggested replies" });
  await replies.getByRole("button", { name: /^A small web service/ }).click();
  await replies.getByRole("button", { name: "Use the defaults" }).click();
  await page.getByText("complete", { exact: true }).waitFor();
  await replies.waitFor({ state: "detached" });
  const bar = page.getByRole("region", { name: "Credentials", exact: true });
  await bar.getByText("None needed").waitFor();
});

story("required credentials are asked for by name, and confirming without them is a choice", async (t) => {
  const { page, workspace } = await requiredServer(t);
  const bar = page.getByRole("region", { name: "Credentials", exact: true });
  await bar.getByText("Missing: HCLOUD_TOKEN").waitFor();
  await workspace.button("Confirm Requirements & Continue").click();
  const warning = page.getByRole("dialog", { name: "A credential is missing" });
  await warning.getByText("HCLOUD_TOKEN").waitFor();
  await warning.getByRole("button", { name: "Enter credentials" }).click();

  const dialog = page.getByRole("dialog", { name: "Credentials" });
  const list = dialog.getByRole("region", { name: "Credentials that the requirements name" });
  await list.getByText("missing", { exact: true }).waitFor();
  await list.getByText("Read & Write, in a project of its own", { exact: false }).waitFor();
  await inspect(page, "a checklist of credentials");
  assert.equal(await dialog.getByLabel("Provider").inputValue(), "hetzner");
  await dialog.getByLabel("API token").fill("0123456789abcdef0123456789abcdef");
  await dialog.getByRole("button", { name: "Save credentials" }).click();
  await list.getByText("given", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await bar.getByText("Hetzner Cloud (1)").waitFor();
  await workspace.button("Confirm Requirements & Continue").click();
  await hasFocus(page.getByRole("heading", { name: "Cloud architecture", level: 1 }));
});

story("a user without the credentials continues after confirming that", async (t) => {
  const { page, workspace } = await requiredServer(t);
  await workspace.button("Confirm Requirements & Continue").click();
  await page.getByRole("dialog").getByRole("button", { name: "Continue without" }).click();
  await hasFocus(page.getByRole("heading", { name: "Cloud architecture", level: 1 }));
});

story("Enter leads to the credential's field, and keeps what is typed for another", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  await new Workspace(page).say("Requirements agent", "A VPS at Hetzner Cloud with MySQL, use the defaults");
  await page.getByText("Missing: HCLOUD_TOKEN, APP_DB_PASSWORD, MYSQL_ROOT_PASSWORD").waitFor();
  await page.getByRole("region", { name: "Credentials", exact: true }).getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: "Credentials" });
  const enter = async (name: string) => {
    await dialog.getByRole("button", { name: `Enter ${name}` }).focus();
    await page.keyboard.press("Enter");
  };
  await enter("HCLOUD_TOKEN");
  await hasFocus(dialog.getByLabel("API token"));
  await enter("APP_DB_PASSWORD");
  const values = dialog.getByLabel("Value");
  await hasFocus(values.first());
  await page.keyboard.type("first-of-two");
  await enter("MYSQL_ROOT_PASSWORD");
  await hasFocus(values.nth(1));
  assert.equal(await values.first().inputValue(), "first-of-two");
  await dialog.getByLabel("Provider").selectOption("SSH");
  await enter("HCLOUD_TOKEN");
  await hasFocus(dialog.getByLabel("API token"));
});

story("credentials that cannot be read do not let a confirmation pass unasked", async (t) => {
  const { page, workspace } = await requiredServer(t);
  const away = { status: 400, json: { code: "bad_request", detail: "The table is away" } };
  await page.route("**/api/planning/credentials", (route) => route.fulfill(away));
  await page.reload();
  const bar = page.getByRole("region", { name: "Credentials", exact: true });
  await bar.getByText("The credentials could not be read.").waitFor();
  await workspace.button("Confirm Requirements & Continue").click();
  const asks = page.getByRole("dialog", { name: "Credentials could not be read" });
  await asks.getByText("The page does not know whether the project has it.").waitFor();
  await inspect(page, "credentials that could not be read", ["light 1440", "dark 390"]);
  await page.unroute("**/api/planning/credentials");
  await asks.getByRole("button", { name: "Read again" }).click();
  await page
    .getByRole("dialog", { name: "A credential is missing" })
    .getByRole("button", { name: "Enter credentials" })
    .click();
  await page.getByRole("dialog", { name: "Credentials" }).getByLabel("API token").waitFor();
});

story("each request is shown with the words that it was read from", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  const workspace = new Workspace(page);
  await workspace.say(
    "Requirements agent",
    "A VPS named shop in Nuremberg with TLS and without Redis, use the defaults",
  );
  const list = page.getByRole("table").filter({ hasText: "your words" });
  for (const [request, words] of [
    ["A basic VPS", "“VPS”"],
    ["Server name: shop", "“A VPS named shop in Nuremberg with TLS”"],
    ["Location: nbg1", "“VPS named shop in Nuremberg with TLS”"],
    ["tls", "“TLS”"],
    ["redis", "“without Redis”"],
  ] as const) {
    const row = list.getByRole("row").filter({ has: page.getByRole("cell", { name: request, exact: true }) });
    await row.getByRole("cell", { name: words, exact: true }).waitFor();
  }
  await inspect(page, "requests with the words that they were read from", ["light 1440", "dark 390"]);
});
