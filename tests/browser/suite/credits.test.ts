/** Credits: payments, their history, and the notices when credits run out. */
import assert from "node:assert/strict";
import { answering, hold } from "../support/calls.ts";
import { CreditsPane } from "../support/credits.ts";
import { drawn } from "../support/drawn.ts";
import { hasFocus } from "../support/focus.ts";
import { scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

const PAY = "**/api/user/credits/create-stripe-payment";
const TRANSACTIONS = "**/api/user/transactions?**";
const CREDITS = "**/api/user/credits";
const broken = (detail = "The table is away") => ({ status: 500, json: { detail, code: "internal" } });

story("paying $25 in a new tab changes the balance and the history without a reload", async (t) => {
  const { page } = await user(t);
  const credits = new CreditsPane(page);
  await credits.open();
  const before = await credits.balance();
  await credits.choose("$25");
  const checkout = await credits.pay("Add $25 Credits");
  await credits.alert(
    "Payment link opened in new tab. Complete your payment to add $25 credits to your account.",
  );
  await checkout.getByRole("button", { name: "Pay", exact: true }).click();

  await checkout.waitForURL(/\/app\/(payment-success|credits\/success)\?/);
  const returned = new URL(checkout.url()).searchParams;
  assert.equal(returned.get("status"), "success");
  assert.ok(returned.get("payment_id"));
  assert.equal(Number(returned.get("amount")), 25);
  await checkout.getByRole("heading", { name: "Payment successful" }).waitFor();

  // The first tab updates without a click.
  await credits.shows(before + 25);
  await credits.entry(/\+\$25\.00/, "completed");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  assert.equal(await credits.amount.inputValue(), "", "nothing is left to press again");
  await hasFocus(credits.modal.getByRole("heading", { name: "Add Credits" }));
  await checkout.getByText("Redirecting to your projects in").waitFor();
  const shown = await checkout.getByRole("definition").filter({ hasText: "$" }).allInnerTexts();
  assert.deepEqual(shown, ["$25.00", `$${(before + 25).toFixed(2)}`]);
  await checkout.getByRole("button", { name: "Go to Projects" }).click();
  await checkout.getByText("Payment successful! Your credits have been added to your account.").waitFor();
});

story("a payment that is abandoned or fails adds nothing and is not called a success", async (t) => {
  const { page } = await user(t);
  const credits = new CreditsPane(page);
  await credits.open();
  const before = await credits.balance();
  for (const [button, heading] of [
    ["Abandon", "Payment canceled"],
    ["Fail", "Payment failed"],
  ]) {
    await credits.choose("$10");
    const checkout = await credits.pay("Add $10 Credits");
    await credits.dismissAlert();
    await credits.entry(/Payment[^+]*\$10\.00/, "pending");
    await checkout.getByRole("button", { name: button, exact: true }).click();
    await checkout.getByRole("heading", { name: heading }).waitFor();
    await checkout.getByText("Redirecting to your projects in").waitFor();
    await checkout.close();
  }
  assert.equal(await credits.balance(), before);
});

story("an amount follows the rules, and each violation is explained", async (t) => {
  const { page } = await user(t);
  const credits = new CreditsPane(page);
  await credits.open();
  const pay = credits.modal.getByRole("button", { name: /^Add \$.* Credits$/ });
  assert.ok(await pay.isDisabled(), "nothing to pay yet");
  await credits.modal.getByText("Minimum: $1.00 • Maximum: $10,000.00").waitFor();

  await credits.amount.pressSequentially("1a2.3.4-");
  assert.equal(await credits.amount.inputValue(), "12.34");
  await credits.modal.getByRole("button", { name: "Add $12.34 Credits" }).waitFor();
  for (const [amount, problem, disabled] of [
    ["0", "Please enter a valid amount greater than $0", true],
    [".", "Please enter a valid amount greater than $0", true],
    ["0.5", "Minimum amount is $1", false],
    ["10000.01", "Maximum amount is $10,000", false],
  ] as const) {
    await credits.amount.fill(amount);
    assert.equal(await pay.isDisabled(), disabled, amount);
    await credits.amount.press("Enter");
    await credits.modal.getByRole("alert").getByText(problem, { exact: true }).waitFor();
  }
  for (const quick of ["$10", "$25", "$50", "$100"]) {
    await credits.choose(quick);
    await credits.modal.getByRole("button", { name: `Add ${quick} Credits` }).waitFor();
  }
});

story("a payment in progress blocks a second one, and errors are reported", async (t) => {
  const { page } = await user(t);
  const credits = new CreditsPane(page);
  await credits.open();
  const keys = new Set<string | undefined>();
  const advice = "Please try again or contact support if the problem persists.";
  for (const [response, message] of [
    [{ json: {} }, "Payment link not received from backend"],
    [
      { status: 502, json: { detail: "The payment provider is away", code: "payments" } },
      "The payment provider is away",
    ],
    [{ status: 500, body: "" }, "HTTP 500: Internal Server Error"],
    [{ status: 502, body: "bad gateway", contentType: "text/plain" }, "HTTP 502: bad gateway"],
    [{ status: 422, json: { message: "No." } }, "No."],
  ] as const) {
    await page.unroute(PAY);
    await answering(page, PAY, response);
    const release = await hold(page, PAY);
    await credits.choose("$50");
    const asked = page.waitForRequest(PAY);
    await credits.modal.getByRole("button", { name: "Add $50 Credits" }).click();
    keys.add((await asked).headers()["idempotency-key"]);
    const busy = credits.modal.getByRole("button", { name: "Creating Link..." });
    await busy.waitFor();
    assert.ok(await busy.isDisabled());
    release();
    await credits.alert(message);
    await credits.alert(advice);
    await credits.dismissAlert();
  }
  assert.ok(!keys.has(undefined), "each attempt has a key");
  assert.equal(keys.size, 1, "the same payment is asked for again under the same key");
});

story("a browser that blocks the new tab gets the link instead", async (t) => {
  const { page, context } = await user(t);
  await page.evaluate(() => {
    window.open = () => null;
  });
  const credits = new CreditsPane(page);
  await credits.open();
  await credits.choose("$10");
  await credits.modal.getByRole("button", { name: "Add $10 Credits" }).click();
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Open the payment page" }).click();
  const checkout = await opened;
  await checkout.getByRole("button", { name: "Abandon", exact: true }).click();
  // The tab was opened from this one, so it has the signed-in installation.
  await checkout.getByRole("heading", { name: "Payment canceled" }).waitFor();
});

story("what an agent used is listed with its project, and leads to the project's costs", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution", { name: "Health page" });
  await owner.paid();
  await page.goto("/app");
  const credits = new CreditsPane(page);
  await credits.open();
  const used = credits.modal.getByRole("listitem").filter({ hasText: "Health page · Execution agent" });
  await used.first().getByRole("link", { name: "Health page" }).click();
  await page.waitForURL(`**/app/${project}/costs`);
  assert.equal(await credits.modal.count(), 0, "the dialog is not in the way");
});

story("a history that cannot be read is reported, and so is an empty one", async (t) => {
  const { page } = await user(t);
  const credits = new CreditsPane(page);
  await page.route(TRANSACTIONS, (route) =>
    route.fulfill({ status: 404, json: { detail: "no", code: "no" } }),
  );
  await credits.open();
  await credits.modal.getByText("Failed to load transaction history").waitFor();
  await page.unroute(TRANSACTIONS);
  await page.route(TRANSACTIONS, (route) => route.fulfill({ json: [] }));
  await credits.modal.getByRole("button", { name: "Try again" }).click();
  await credits.modal.getByText("No transactions yet").waitFor();
});

story("a long history is loaded a page at a time, and exported as a table", async (t) => {
  const { page } = await user(t);
  const credits = new CreditsPane(page);
  const entry = (number: number) => ({
    id: `t${number}`,
    transaction_type: "use",
    amount: 0.0125,
    payment_method: "credits",
    status: "completed",
    created_at: "2026-11-20T05:10:00Z",
    description: `Use ${number}`,
    project_id: null,
  });
  await page.route(TRANSACTIONS, (route) =>
    new URL(route.request().url()).searchParams.get("cursor") === "next"
      ? route.fulfill({ json: [entry(2)] })
      : route.fulfill({ json: [entry(1)], headers: { "Next-Cursor": "next" } }),
  );
  await credits.open();
  await credits.modal.getByText("Use 1").waitFor();
  await credits.modal.getByText("−$0.0125").waitFor();
  await credits.modal.getByRole("button", { name: "Show more" }).click();
  await credits.modal.getByText("Use 2").waitFor();
  await credits.modal.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
  const saved = page.waitForEvent("download");
  await credits.modal.getByRole("button", { name: "Download CSV" }).click();
  assert.equal((await saved).suggestedFilename(), "groundcrew-transactions.csv");
});

story("the payment success page counts down and leads to the projects with a banner", async (t) => {
  const { page } = await user(t);
  await page.clock.install();
  await page.goto("/app/credits/success?payment_id=pay_1&status=success&amount=25.50");
  await page.getByText("Loading your balance...").waitFor({ state: "attached" });
  await page.getByText("$25.50").waitFor();
  await page.getByText("pay_1").waitFor();
  await page.clock.runFor(1_000);
  const countdown = (seconds: number) =>
    page.getByText(`Redirecting to your projects in ${seconds} second${seconds === 1 ? "" : "s"}`, {
      exact: true,
    });
  await countdown(8).waitFor();
  await page.getByRole("button", { name: "Refresh Balance" }).click();
  for (const seconds of [7, 6, 5, 4, 3, 2, 1]) {
    await page.clock.runFor(1_000);
    await countdown(seconds).waitFor();
  }
  await page.clock.runFor(1_000);
  const banner = page.getByText("Payment successful! Your credits have been added to your account.");
  await banner.waitFor();
  assert.equal(new URL(page.url()).pathname, "/app");
  await page.clock.runFor(5_000);
  await banner.waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("No projects yet").waitFor();
  assert.equal(await banner.count(), 0, "the banner is shown once");
});

story(
  "a balance that cannot be read is 0 on the payment page, and every other outcome is shown as it is",
  async (t) => {
    const { page } = await user(t);
    await page.route(CREDITS, (route) => route.fulfill(broken()));
    for (const [query, title] of [
      ["status=pending&amount=5", "Payment pending"],
      ["status=failed", "Payment failed"],
      ["status=cancelled", "Payment canceled"],
      ["", "Payment not confirmed"],
    ]) {
      await page.goto(`/app/payment-success?${query}`);
      await page.getByRole("heading", { name: title }).waitFor();
      await page.getByText("$0.00").waitFor();
      assert.equal(await page.getByText("Credits added", { exact: true }).count(), 0);
      await page.getByRole("button", { name: "Go to Projects" }).click();
      await page.getByText("No projects yet").waitFor();
      assert.equal(await page.getByText("Payment successful!").count(), 0);
    }
  },
);

story("a chat without credits offers to add some, and the modal gives the focus back", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  await page.route("**/api/planning/requirements-gatherer", (route) =>
    route.fulfill({
      status: 402,
      json: {
        code: "insufficient_credits",
        detail: "Your credits do not cover the next call. Add credits to continue.",
      },
    }),
  );
  await new Workspace(page).say("Requirements agent", "Hello there");
  await page.getByText("Your credits do not cover the next call. Add credits to continue.").waitFor();
  const add = page.getByRole("button", { name: "Add Credits", exact: true });
  await add.focus();
  await page.keyboard.press("Enter");
  const credits = new CreditsPane(page);
  await credits.modal.waitFor();
  await hasFocus(credits.amount);
  await page.keyboard.press("Escape");
  await credits.modal.waitFor({ state: "detached" });
  await hasFocus(add);
  const input = page.getByRole("textbox", { name: "Message to Requirements agent" });
  assert.equal(await input.inputValue(), "Hello there");
});

story("a chat's button keeps the focus when the thread loads late", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  let release: (value: unknown) => void = (): void => undefined;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/api/planning/threads/requirements-gatherer", async (route) => {
    await released;
    await route.continue();
  });
  await page.route("**/api/planning/requirements-gatherer", (route) =>
    route.fulfill({ status: 402, json: { code: "insufficient_credits", detail: "Insufficient credits." } }),
  );
  await owner.open(await owner.projectAt("requirements"));
  await new Workspace(page).say("Requirements agent", "Hello there");
  const add = page.getByRole("button", { name: "Add Credits", exact: true });
  await add.focus();
  const thread = page.waitForResponse("**/api/planning/threads/requirements-gatherer");
  release(undefined);
  await thread;
  await page.getByRole("log").getByRole("status").waitFor({ state: "detached" });
  await hasFocus(add);
});

story("a project's budget is set, stops its agents and leads to where it is raised", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("architecture");
  await page.goto(`/app/${project}/costs`);
  const budget = page.getByRole("textbox", { name: "Budget" });
  await budget.fill("0.01");
  await page.getByRole("button", { name: "Set Budget" }).click();
  await page.getByText("Reached: agents have stopped").waitFor();
  for (const name of ["By day", "By stage", "By agent"]) await page.getByRole("region", { name }).waitFor();

  await owner.open(project);
  await new Workspace(page).say("Cloud architect", "Make it smaller");
  await page
    .getByText(
      "The rest of this project's budget does not cover the next call. Raise it on the costs page to continue.",
    )
    .waitFor();
  await page.getByRole("link", { name: "Open Costs" }).click();
  await page.getByRole("button", { name: "Remove Budget" }).click();
  await page.getByRole("button", { name: "Remove Budget" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Back" }).click();
  await new Workspace(page).say("Cloud architect", "Make it smaller, please");
  assert.equal(await page.getByText("The rest of this project's budget").count(), 0);
});

story("costs that cannot be read stay empty, without an alert", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("requirements", { name: "Without numbers" });
  await page.route("**/api/projects/*/costs", (route) => route.fulfill(broken()));
  await page.route("**/api/projects/*/token-usage", (route) => route.fulfill(broken()));
  const failed = page.waitForResponse((response) => response.url().endsWith("/token-usage"));
  await page.goto(`/app/${project}/costs`);
  await failed;
  await page.getByText("Without numbers").first().waitFor();
  await page.getByText("Total project cost").waitFor();
  await drawn(page);
  assert.equal(await page.getByRole("definition").filter({ hasText: "$" }).count(), 0);
  assert.equal(await page.getByText("The table is away").count(), 0);
});
