/** Every screen under axe, light and dark, wide and narrow; nothing may overflow the window. */
import assert from "node:assert/strict";
import { hold } from "../support/calls.ts";
import { CreditsPane } from "../support/credits.ts";
import { boxOf, drawn } from "../support/drawn.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene, WIDE } from "../support/scene.ts";

const { visitor, user, story } = scene();

const heading = (name: string) => (page: Page) =>
  page.getByRole("heading", { level: 1, name, exact: true }).first().waitFor();

story("the public pages are accessible", async (t) => {
  const { page } = await visitor(t);
  for (const [path, ready] of [
    ["/", heading("Build Apps, Not Infrastructure")],
    ["/pricing", (page: Page) => page.getByRole("button", { name: "Get Started" }).waitFor()],
    ["/terms", heading("Terms of service")],
    ["/privacy", heading("Privacy policy")],
    ["/refund-policy", heading("Refund policy")],
    ["/nowhere", heading("Page Not Found")],
  ] as const) {
    await page.goto(path);
    await ready(page);
    await inspect(page, path);
  }
});

story("the demo player is accessible", async (t) => {
  const { page } = await visitor(t);
  await page.goto("/");
  await page
    .getByRole("button", { name: /^Watch/ })
    .first()
    .click();
  await page.getByRole("dialog").locator("video").waitFor();
  await inspect(page, "the player", ["light 1440", "dark 390"]);
});

story("credits, payment and the choice of an installation are accessible", async (t) => {
  const { page } = await user(t);
  const entries = ["pending", "completed", "failed", "expired", "refunded", "disputed"].map(
    (status, number) => ({
      id: `t${number}`,
      transaction_type: ["add", "use", "refund"][number % 3],
      amount: 12.5,
      payment_method: "card",
      status,
      created_at: "2026-11-20T05:10:00Z",
      description: number === 1 ? `A description without an end ${"unbroken".repeat(12)}` : null,
      project_id: null,
    }),
  );
  await page.route("**/api/user/transactions?**", (route) =>
    route.fulfill({ json: entries, headers: { "Next-Cursor": "next" } }),
  );
  const credits = new CreditsPane(page);
  await credits.open();
  await credits.modal.getByText("disputed").waitFor();
  await credits.amount.fill("0.5");
  await credits.amount.press("Enter");
  await inspect(page, "credits");
  await page.route("**/api/user/credits/create-stripe-payment", (route) => route.fulfill({ json: {} }));
  await credits.choose("$10");
  await credits.modal.getByRole("button", { name: "Add $10 Credits" }).click();
  await credits.alert("Payment link not received from backend");
  await inspect(page, "the alert", ["light 1440", "dark 390"]);

  // The countdown would leave the page during the check.
  await page.addInitScript(() => {
    Object.assign(window, { setInterval: () => 0 });
  });
  await page.goto("/app/payment-success?payment_id=pay_1&status=pending&amount=25.00");
  await page.getByText("Redirecting to your projects").waitFor();
  await inspect(page, "payment");

  await page.route("**/api/github/installations", (route) =>
    route.fulfill({
      json: [
        { installation_id: 1, account: "mira", account_type: "User", avatar_url: null, suspended: false },
        {
          installation_id: 2,
          account: "harbour",
          account_type: "Organization",
          avatar_url: null,
          suspended: true,
        },
      ],
    }),
  );
  await page.goto("/github-choose");
  await page.getByText("harbour").waitFor();
  await inspect(page, "the choice");
});

story("the project list and its modal are accessible, empty and full", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await inspect(page, "no projects");
  await owner.projectAt("requirements", {
    name: "A name that is much longer than any name has to be, ".repeat(2).slice(0, 100),
  });
  await owner.projectAt("requirements", { name: "unbroken".repeat(12) });
  await page.reload();
  await page.getByRole("link", { name: /unbroken/ }).waitFor();
  await inspect(page, "projects");
  await page
    .getByRole("button", { name: "Create New Project" })
    .or(page.getByRole("button", { name: "Create Project" }))
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  await inspect(page, "the modal", ["light 1440", "dark 390"]);
});

story("missing, failed and ended states are accessible", async (t) => {
  const looks = ["light 1440", "dark 390"];
  const owner = await user(t);
  const { page } = owner;
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menu").waitFor();
  await inspect(page, "the user menu", ["dark 1440"]);
  await page.route("**/api/user/credits", (route) =>
    route.fulfill({ json: { credits_balance: 0, held: 0, low: true } }),
  );
  await page.route("**/api/projects", (route) =>
    route.fulfill({ status: 422, json: { detail: "The server said why", code: "invalid" } }),
  );
  await page.goto("/app");
  await page.getByRole("main").getByRole("alert").waitFor();
  await inspect(page, "no list and no credits", looks);
  await page.unroute("**/api/projects");

  const project = await owner.projectAt("architecture");
  const data = { amount: 0.01 };
  await owner.call("PUT", `/projects/${project}/budget`, { project, data });
  await page.goto(`/app/${project}/costs`);
  await page.getByText("Reached: agents have stopped").waitFor();
  await inspect(page, "a budget that is reached", looks);

  await page.route("**/assets/costs-*.js", (route) => route.abort());
  await page.goto(`/app/${project}/costs`);
  await page.getByRole("button", { name: "Reload" }).waitFor();
  await inspect(page, "a part that is missing", looks);

  // The page would redirect during the check.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    Object.assign(window, {
      setTimeout: (act: () => void, ms: number, ...rest: unknown[]) =>
        ms === 5_000 ? 0 : setTimeout(act, ms, ...rest),
    });
  });
  await page.goto("/github-success?error=rate_limited&retry_after=20");
  await page.getByRole("alert").waitFor();
  await inspect(page, "a sign-in beyond its limit", looks);
});

story("the planning stages are accessible", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("implementation");
  for (const [id, name, document] of [
    ["requirements", "Requirements", "Requirements"],
    ["architecture", "Cloud architecture", "Architecture plan"],
    ["implementation", "Implementation", "Implementation plan"],
  ] as const) {
    await owner.call("PUT", `/project-states/${project}/current-stage/${id}`, { project });
    await owner.open(project);
    await heading(name)(page);
    await page.getByRole("group", { name: document, exact: true }).waitFor();
    await inspect(page, name);
  }
});

story("a long conversation scrolls in its card, and the page itself stays", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("requirements");
  const turn = [
    { role: "user", content: "And what about the database?", notes: [] },
    {
      role: "assistant",
      content: "It is **PostgreSQL** on the same server.\n\n`docker compose up`",
      notes: [],
    },
  ];
  const messages = Array.from({ length: 30 }, () => turn).flat();
  await page.route("**/api/planning/threads/requirements-gatherer", (route) =>
    route.fulfill({ json: { thread_id: "t", messages } }),
  );
  await owner.open(project);
  await page.getByText("Thread ID t").waitFor();
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    await drawn(page);
    const over = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    assert.ok(over <= 0, `at ${size.width} the page is ${over} px too long`);
  }
  await inspect(page, "a long conversation", ["light 1440", "dark 390"]);
});

story("pages that load or have no stage to show are accessible", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  const release = await hold(page, "**/api/terminal/ticket");
  await owner.open(project, "?panel=files");
  await page.getByText("Loading files...").waitFor({ state: "attached" });
  await inspect(page, "files that load", ["light 1440", "dark 390"]);
  release();
  const state = await owner.call("GET", `/project-states/${project}`, { project });
  await page.route(`**/api/project-states/${project}`, (route) =>
    route.fulfill({ json: { ...state, current_stage_index: "none" } }),
  );
  await owner.open(project);
  await page.getByText("No stage selected").waitFor();
  await inspect(page, "no stage", ["light 1440", "dark 390"]);
});

story("on a phone the whole card scrolls, so that there is room to read a command in", async (t) => {
  const owner = await user(t, { viewport: PHONE });
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await approve.waitFor();
  const command = page.getByRole("group", { name: "Command of step 1" });
  await command.evaluate((it) => it.scrollIntoView({ block: "start" }));
  const card = await boxOf(page.getByRole("region", { name: "Execution progress" }));
  const toggle = await boxOf(page.getByRole("switch", { name: "Auto-Approve All Steps" }));
  assert.ok(toggle.y + toggle.height <= card.y, "the content above the steps has made room");
  assert.ok(await approve.isVisible(), "the decision on it stays in reach");
});

story("the execution, the project's home and its costs are accessible", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await page.getByText("connected", { exact: true }).waitFor();
  await inspect(page, "a step waits");
  await owner.runAll(project);
  await owner.open(project, "?panel=chat");
  await page.getByText("All execution steps completed successfully!").waitFor();
  await page.getByRole("button", { name: /Step 1\b/ }).click();
  await inspect(page, "all steps done");

  await page.goto(`/app/${project}/home`);
  await page.getByRole("button", { name: "Stop Sandbox" }).waitFor();
  await inspect(page, "home");
  await page.goto(`/app/${project}/costs`);
  await page.getByText(/input and [\d,]+ output tokens/).waitFor();
  await inspect(page, "costs");
});

story("the validation is accessible, waiting and completed", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await owner.open(project);
  await heading("Validation")(page);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await page.getByRole("group", { name: "Validation plan" }).waitFor();
  await inspect(page, "a check waits");
  await owner.runAll(project, "validation");
  await page.getByText("All validation steps completed successfully!").waitFor();
  await inspect(page, "all checks done");
});

story("a project's documents are accessible, and have one main heading", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.runAll(project);
  for (const [section, ready] of [
    ["documentation", page.getByRole("heading", { name: "What was executed" })],
    ["environment-guide", page.getByRole("heading", { name: "The workspace directory" })],
    ["configuration", page.getByRole("rowheader", { name: "service" })],
    ["", page.getByRole("link", { name: "Environment Guide" }).last()],
  ] as const) {
    await page.goto(`/app/${project}/home/${section}`);
    await ready.waitFor();
    assert.deepEqual(
      await page.getByRole("heading", { level: 1 }).allInnerTexts(),
      ["Project home"],
      section,
    );
    await inspect(page, section || "quick start");
  }
});

story("the sandbox's terminal, files and backups are accessible", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.runAll(project);
  await page.goto(`/app/${project}/home/terminal`);
  await page.getByText("connected", { exact: true }).waitFor();
  await inspect(page, "terminal");
  await page.goto(`/app/${project}/home/files`);
  await page.locator("[data-path=hello-service]").click();
  await page.locator("[data-path='hello-service/service.json']").waitFor();
  await inspect(page, "files");
  await page.locator("[data-path='hello-service/service.json']").click();
  await page.getByLabel("Text of service.json").fill("{}");
  await inspect(page, "a file that is edited");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.goto(`/app/${project}/home/backups`);
  const restore = page.getByRole("button", { name: /^Restore the backup of/ }).first();
  await restore.waitFor();
  await inspect(page, "backups");
  await restore.click();
  await page.getByRole("dialog").waitFor();
  await inspect(page, "restoring", ["light 1440", "dark 390"]);
});

story("the helper is accessible: its warning, and a command that waits", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.runAll(project);
  await page.goto(`/app/${project}/home/devops-helper`);
  await page.getByRole("dialog").waitFor();
  await inspect(page, "the warning", ["light 1440", "dark 390"]);
  await page.getByRole("checkbox").click();
  await page.getByRole("button", { name: "Accept" }).click();
  const input = page.getByLabel("Message to DevOps Helper");
  await input.fill("Restart the service");
  await input.press("Enter");
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await inspect(page, "a command waits");
});
