/** Guests of a person's account: refused until the owner allows them, and gone when the owner refuses them. */
import assert from "node:assert/strict";
import { inspect } from "../support/inspect.ts";
import { landed } from "../support/landing.ts";
import { scene } from "../support/scene.ts";

const { visitor, user, story } = scene();

/** Opens the page of an owner's guests from the menu. */
async function openGuests(page: Page) {
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Guests" }).click();
  await page.getByRole("heading", { level: 1, name: "Guests" }).waitFor();
}

/** Follows a sign-in to the page that refuses a guest. */
async function isRefused(page: Page, guest: string) {
  await page.goto(`/api/github/login?login=${guest}`);
  await page.getByRole("heading", { name: "You need the owner's permission" }).waitFor();
  await page.getByRole("alert").getByText("who has not allowed you to use it in Groundcrew").waitFor();
}

story("an owner sees a refused guest, allows them, and signs them out again", async (t) => {
  const owner = await user(t);
  const guest = `guest-of-${owner.login}`;
  await openGuests(owner.page);
  await owner.page.getByText("No guests yet").waitFor();
  await inspect(owner.page, "no guests");

  const { page } = await visitor(t);
  await isRefused(page, guest);
  await inspect(page, "a refused guest");
  await page.getByRole("link", { name: "Install on your own account" }).waitFor();

  await owner.page.reload();
  await owner.page.getByText(/^Last refused /).waitFor();
  await inspect(owner.page, "a guest who was refused");
  await owner.page.getByRole("button", { name: `Allow ${guest}` }).click();
  await owner.page.getByText("allowed", { exact: true }).waitFor();

  await page.goto(`/api/github/login?login=${guest}`);
  await page.getByText("No projects yet").waitFor();
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Export my data" }).waitFor();
  await page.getByText(`Guest in ${owner.login}'s account`).waitFor();
  for (const name of ["Guests", "Delete account"])
    assert.equal(await page.getByRole("menuitem", { name }).count(), 0, `${name} is the owner's`);
  await page.goto("/app/guests");
  await page.getByText("You are a guest here. Only the owner of this account manages its guests.").waitFor();
  await inspect(page, "a guest on the owner's page");

  await owner.page.reload();
  await owner.page.getByText(/^Last signed in /).waitFor();
  await inspect(owner.page, "a guest who is here");
  await owner.page.getByRole("button", { name: `Refuse ${guest}` }).click();
  await owner.page.getByText("refused", { exact: true }).waitFor();
  await page.goto("/app");
  await landed(page);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await isRefused(page, guest);
});

story("an owner allows everyone, and a policy that is taken back signs guests out", async (t) => {
  const owner = await user(t);
  await openGuests(owner.page);
  const save = owner.page.getByRole("button", { name: "Save" });
  assert.ok(await save.isDisabled(), "nothing is chosen yet");
  const saved = async (name: RegExp) => {
    await owner.page.getByRole("radio", { name }).check();
    const answered = owner.page.waitForResponse("**/api/github/guests");
    await save.click();
    assert.equal((await answered).status(), 200);
  };
  await saved(/^Everyone who contributes/);
  const { page } = await visitor(t);
  await page.goto(`/api/github/login?login=guest-of-${owner.login}`);
  await page.getByText("No projects yet").waitFor();
  await saved(/^Only people you allow/);
  await page.reload();
  await landed(page);
});

story("a refused guest installs the app on their own account, and then chooses", async (t) => {
  const owner = await user(t);
  const guest = `guest-of-${owner.login}`;
  const { page } = await visitor(t);
  await isRefused(page, guest);
  await page.getByRole("link", { name: "Install on your own account" }).click();
  await page.getByText("No projects yet").waitFor();
  await page.goto(`/api/github/login?login=${guest}`);
  await page.getByRole("heading", { name: "Choose where to work" }).waitFor();
  await page.getByRole("button", { name: /Another person's account/ }).click();
  await page.getByRole("alert").getByText("has not allowed collaborators to use it here").waitFor();
  await inspect(page, "a refused choice");
  await page.getByRole("button", { name: /Personal account/ }).click();
  await page.getByText("No projects yet").waitFor();
});

story("guests that cannot be read or changed say why", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await isRefused((await visitor(t)).page, `guest-of-${owner.login}`);
  const path = "**/api/github/guests**";
  const broken = { status: 422, json: { detail: "The server said why", code: "invalid" } };
  await page.route(path, (route) => route.fulfill(broken));
  await page.goto("/app/guests");
  await page.getByRole("alert").getByText("Your guests could not be read").waitFor();
  await page.unroute(path);
  await page.getByRole("button", { name: "Try again" }).click();
  const allow = page.getByRole("button", { name: /^Allow / });
  await allow.waitFor();
  await page.route(path, (route) => route.fulfill(broken));
  await allow.click();
  await page.getByRole("listitem").getByRole("alert").getByText("The server said why").waitFor();
  await page.getByRole("radio", { name: /^Everyone who contributes/ }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("region", { name: "Policy" }).getByRole("alert").waitFor();
});
