/** Credentials are tried before a step needs them: a harmless call, approved where it was requested. */

import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import type { User } from "../support/user.ts";
import { until } from "../support/user.ts";

const { user, story } = scene();

async function withToken(owner: User) {
  const project = await owner.projectAt("requirements");
  const data = { values: { HCLOUD_TOKEN: "a".repeat(64) } };
  await owner.call("PUT", "/planning/credentials/hetzner", { project, data });
  await until(
    async () =>
      (await owner.call("POST", `/sandbox/initialize/${project}`, { project })).status === "success",
  );
  return project;
}

story("with only the keyboard a token is tried, and the answer appears next to it", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await withToken(owner));
  const manage = page.getByRole("button", { name: "Manage", exact: true });
  await manage.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Credentials" });
  await dialog.getByRole("button", { name: "Try: Hetzner Cloud" }).focus();
  await page.keyboard.press("Enter");
  const command = dialog.getByRole("region", { name: /^Command 1/ });
  await command.getByText("api.hetzner.cloud").waitFor();
  await inspect(page, "a trial that waits");
  await command.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Enter");
  // The token is not a real Hetzner token, and the sandbox need not reach the provider.
  await command.getByText("failed", { exact: true }).waitFor();
  await command.getByRole("log").getByText("curl: (").waitFor();
  await inspect(page, "a trial that failed");
});

story("a trial that waits is there again after a reload, and is decided there", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await withToken(owner));
  const manage = page.getByRole("button", { name: "Manage", exact: true });
  await manage.click();
  const dialog = page.getByRole("dialog", { name: "Credentials" });
  await dialog.getByRole("button", { name: "Try: Hetzner Cloud" }).click();
  const command = dialog.getByRole("region", { name: /^Command 1/ });
  await command.getByRole("button", { name: "Approve" }).waitFor();
  await page.reload();
  await manage.click();
  await command.getByText("api.hetzner.cloud").waitFor();
  await command.getByRole("button", { name: "Reject" }).click();
  await command.getByText("rejected", { exact: true }).waitFor();
});

story("a credential is added to the others, and each is tried or said to have no trial", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("requirements");
  const data = { values: { SMTP_PASSWORD: "an-unusual-password" } };
  await owner.call("PUT", "/planning/credentials/other", { project, data });
  await owner.open(project);
  await page.getByRole("button", { name: "Manage", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Credentials" });
  await dialog.getByText("SMTP_PASSWORD cannot be tried").waitFor();
  await dialog.getByLabel("Provider").selectOption("Other");
  await dialog.getByText("Saving adds these credentials").waitFor();
  await dialog.getByRole("textbox", { name: "Name" }).fill("GITHUB_TOKEN");
  await dialog.getByLabel("Value").fill("a".repeat(40));
  await dialog.getByRole("button", { name: "Save credentials" }).click();
  const tried = dialog.getByRole("button", { name: "Try: GITHUB_TOKEN" });
  await tried.waitFor();
  await dialog.getByText("SMTP_PASSWORD cannot be tried").waitFor();
  await inspect(page, "credentials of which some can be tried");
  await tried.focus();
  await page.keyboard.press("Enter");
  const command = dialog.getByRole("region", { name: /^Command 1/ });
  await command.getByText("api.github.com").waitFor();
  await command.getByRole("button", { name: "Reject" }).focus();
  await page.keyboard.press("Enter");
  await command.getByText("rejected", { exact: true }).waitFor();

  await dialog.getByLabel("Provider").selectOption("SSH");
  await dialog.getByLabel("Private key").fill("not a key");
  await dialog.getByRole("button", { name: "Save credentials" }).click();
  await dialog.getByText("Sign in to the server with the key").waitFor();
  await dialog.getByRole("button", { name: "Try: SSH" }).click();
  await dialog.getByText("ssh-keygen -y").waitFor();
});

story("on a phone a trial is prepared and rejected", async (t) => {
  const owner = await user(t, { viewport: PHONE, hasTouch: true });
  const { page } = owner;
  await owner.open(await withToken(owner));
  await page.getByRole("navigation", { name: "Cards" }).getByRole("button").last().tap();
  await page.getByRole("button", { name: "Manage", exact: true }).tap();
  await page.getByRole("button", { name: "Try: Hetzner Cloud" }).tap();
  const command = page.getByRole("region", { name: /^Command 1/ });
  await command.getByRole("button", { name: "Reject" }).tap();
  await command.getByText("rejected", { exact: true }).waitFor();
});
