/** Mail to a user whose turn it is, from entering an address to the click that ends the mail. */
import assert from "node:assert/strict";
import { inspect } from "../support/inspect.ts";
import { scene } from "../support/scene.ts";
import { until } from "../support/user.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene({ hurried: true });

/** Opens the letter with this subject in the outbox, once it has arrived. */
async function openLetter({ context, page }: User, subject: string) {
  await until(async () => {
    const letters = await (await context.request.get("/_local/mail/letters")).json();
    return letters.some((letter: { subject: string }) => letter.subject === subject);
  });
  await page.goto("/_local/mail");
  await page.getByRole("link", { name: subject }).first().click();
  await page.getByRole("heading", { level: 1, name: subject }).waitFor();
}

story("a user turns mail on, is notified that a step waits, opens the link and unsubscribes", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "E-mail when it is your turn" }).click();
  await page.getByText("E-mails are off.").waitFor();
  await page.getByLabel("Your e-mail address").fill("ada@example.com");
  await page.getByRole("button", { name: "Send a link to confirm" }).click();
  await page.getByText("Open the link that was sent to").waitFor();
  await inspect(page, "an address that waits to be confirmed");

  await openLetter(owner, "Confirm your address for Groundcrew");
  await page.getByRole("link", { name: /\/app\/mail\?confirm=/ }).click();
  const confirm = page.getByRole("button", { name: "Confirm this address" });
  await confirm.waitFor();
  await inspect(page, "the link that confirms an address", ["light 1440", "dark 390"]);
  await confirm.click();
  await page.getByText("E-mails go to ada@example.com.").waitFor();
  assert.equal(new URL(page.url()).search, "", "the link is used up");
  await inspect(page, "mail that is on");

  const project = await owner.projectAt("execution");
  await openLetter(owner, "Step 1 is waiting for you · Health page");
  await inspect(page, "a letter in the outbox", ["light 1440", "dark 390"]);
  await page.getByRole("link", { name: new RegExp(`/app/${project}\\?stage=execution$`) }).click();
  await new Workspace(page).step(1).is("waiting approval");
  await new Workspace(page).approvals.click();
  await page.getByRole("link", { name: "By e-mail" }).click();
  await page.getByText("E-mails go to ada@example.com.").waitFor();

  await openLetter(owner, "Step 1 is waiting for you · Health page");
  await page.getByRole("link", { name: /\/unsubscribe#/ }).click();
  const off = page.getByRole("button", { name: "Turn off" });
  await off.waitFor();
  await inspect(page, "the page that turns mail off");
  await off.click();
  await page.getByRole("heading", { name: "E-mails are off" }).waitFor();
  await page.goto("/app/mail");
  await page.getByText("E-mails are off.").waitFor();
});
