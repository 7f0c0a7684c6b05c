/** The screens around the workspace without a mouse: prices, account, payments. */
import assert from "node:assert/strict";
import { hold } from "../support/calls.ts";
import { hasFocus, tabTo } from "../support/focus.ts";
import { landed } from "../support/landing.ts";
import { scene } from "../support/scene.ts";

const { visitor, user, story } = scene();

const UNTIL_SIGN_OUT = [
  "E-mail when it is your turn",
  "Guests",
  "Export my data",
  "Delete account",
  "System",
  "Light",
  "Dark",
  "Sign Out",
];

/** Moves down a menu with the arrow key, past each of these items. */
async function walk(page: Page, menu: Locator, names: string[]) {
  for (const name of names) {
    await page.keyboard.press("ArrowDown");
    const item = menu.getByRole("menuitem", { name, exact: true });
    await hasFocus(item.or(menu.getByRole("menuitemradio", { name, exact: true })));
  }
}

story("the pricing page leads to the sign-in", async (t) => {
  const { page } = await visitor(t);
  await page.goto("/pricing");
  const start = page.getByRole("main").getByRole("button", { name: "Get Started" });
  await start.waitFor();
  await tabTo(page, start);
  await page.keyboard.press("Enter");
  await page.getByText("No projects yet").waitFor();
});

story("a failed sign-in leads back to the start before its countdown ends", async (t) => {
  const { page } = await visitor(t);
  await page.clock.install();
  await page.goto("/github-success?error=rate_limited&retry_after=20");
  const back = page.getByRole("link", { name: "Back to the start" });
  await back.waitFor();
  await tabTo(page, back);
  await page.keyboard.press("Enter");
  await landed(page);
});

story("the user menu opens, can be stepped through, closes and signs out", async (t) => {
  const { page } = await user(t);
  const opener = page.getByRole("button", { name: /user menu/ });
  const menu = page.getByRole("menu");
  const item = (name: string) => menu.getByRole("menuitem", { name, exact: true });
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  await hasFocus(item("View & Add Credits"));
  await walk(page, menu, [...UNTIL_SIGN_OUT, "Sign Out Everywhere"]);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await hasFocus(opener);

  await page.keyboard.press("Enter");
  await hasFocus(item("View & Add Credits"));
  await page.keyboard.press("Enter");
  const credits = page.getByRole("dialog", { name: "Credits Management" });
  await hasFocus(credits.getByLabel("Amount", { exact: true }));
  await page.keyboard.press("Escape");
  await credits.waitFor({ state: "detached" });

  await hasFocus(opener);
  await page.keyboard.press("Enter");
  await hasFocus(item("View & Add Credits"));
  await walk(page, menu, UNTIL_SIGN_OUT);
  await page.keyboard.press("Enter");
  await landed(page);
});

story("a refused project keeps the typed text and the focus", async (t) => {
  const { page } = await user(t);
  await page.route("**/api/projects", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 422, json: { detail: "The server said why", code: "invalid" } })
      : route.continue(),
  );
  await tabTo(page, page.getByRole("main").getByRole("button", { name: "Create Project" }));
  await page.keyboard.press("Enter");
  const modal = page.getByRole("dialog", { name: "Create New Project" });
  const name = modal.getByLabel("Project Name");
  await hasFocus(name);
  assert.ok(await modal.getByRole("button", { name: "Create Project" }).isDisabled(), "a name is required");
  await page.keyboard.type("By hand");
  await page.keyboard.press("Enter");
  await modal.getByRole("alert").getByText("The server said why").waitFor();
  assert.equal(await name.inputValue(), "By hand");
  await hasFocus(name);
});

story("the payment page and its banner", async (t) => {
  const { page } = await user(t);
  // The countdown would leave the page during the test, and the banner would disappear.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    Object.assign(window, {
      setInterval: () => 0,
      setTimeout: (act: () => void, ms: number, ...rest: unknown[]) =>
        ms === 5_000 ? 0 : setTimeout(act, ms, ...rest),
    });
  });
  await page.goto("/app/payment-success?payment_id=pay_1&status=success&amount=25.00");
  await page.getByText("Redirecting to your projects").waitFor();
  const refresh = page.getByRole("button", { name: "Refresh Balance" });
  await tabTo(page, refresh);
  const read = page.waitForResponse("**/api/user/credits");
  await page.keyboard.press("Enter");
  await read;
  await hasFocus(refresh);
  await page.keyboard.press("Shift+Tab");
  await hasFocus(page.getByRole("button", { name: "Go to Projects" }));
  await page.keyboard.press("Enter");
  const close = page.getByRole("button", { name: "Close message" });
  await close.waitFor();
  // The list's title has the focus in place of the button that is gone; the banner is above it.
  await hasFocus(page.getByRole("heading", { name: "My Projects" }));
  await page.keyboard.press("Shift+Tab");
  await hasFocus(close);
  await page.keyboard.press("Enter");
  await close.waitFor({ state: "detached" });
  await hasFocus(page.getByRole("heading", { name: "My Projects" }));
});

story("a budget is set and removed, and the way back is reached", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("requirements", { name: "Within bounds" });
  await page.goto(`/app/${project}/costs`);
  const budget = page.getByRole("textbox", { name: /budget/i });
  await budget.waitFor();
  await tabTo(page, budget);
  await page.keyboard.type("2.50");
  await page.keyboard.press("Enter");
  await page.getByText("$0.0000 of $2.50 used").waitFor();
  await hasFocus(budget);
  // Both buttons are disabled until the answer arrives.
  const remove = page.getByRole("button", { name: "Remove Budget", disabled: false });
  await remove.waitFor();
  await tabTo(page, remove);
  await page.keyboard.press("Enter");
  await page.getByText("of $2.50 used").waitFor({ state: "detached" });
  await hasFocus(budget);
  const back = page.getByRole("link", { name: "Back", exact: true });
  await back.focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Message to Requirements agent").waitFor();
});

story("a button keeps the focus while its call is under way and after it fails, and acts once", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("requirements", { name: "Held up" });
  await page.goto(`/app/${project}/costs`);
  await page.getByRole("textbox", { name: /budget/i }).fill("2.50");
  let calls = 0;
  await page.route("**/api/projects/*/budget", (route) => {
    calls += 1;
    return route.abort();
  });
  const release = await hold(page, "**/api/projects/*/budget");
  await tabTo(page, page.getByRole("button", { name: "Set Budget" }));
  await page.keyboard.press("Enter");
  const busy = page.getByRole("button", { name: "Saving...", disabled: true });
  await busy.waitFor();
  await hasFocus(busy);
  await page.keyboard.press("Enter");
  release();
  await page.getByText("The server cannot be reached.").waitFor();
  await hasFocus(page.getByRole("button", { name: "Set Budget", disabled: false }));
  assert.equal(calls, 1);
});
