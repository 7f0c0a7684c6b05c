/** Drift: the validated state is checked again, and manual changes made since are named. */
import assert from "node:assert/strict";
import { hasFocus, tabTo } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";

const { user, story } = scene();

story("by keyboard, a check is allowed once, finds a manual change, and is withdrawn", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await owner.runAll(project, "validation");
  const data = { is_completed: true };
  await owner.call("PUT", `/project-states/${project}/stages/validation`, { project, data });

  const health = page.getByRole("region", { name: "Health", exact: true });
  const dialog = page.getByRole("dialog", { name: "Check now?" });
  const now = health.getByRole("button", { name: "Check now" });
  const home = async () => {
    await page.goto(`/app/${project}/home/result`);
    await now.waitFor();
  };
  const typed = async (command: string, word: string) => {
    await page.goto(`/app/${project}/home/terminal`);
    const terminal = new TerminalPane(page);
    await terminal.connected();
    await terminal.run(`${command} && echo ''${word}`);
    await terminal.shows(new RegExp(`^${word}$`, "m"));
  };

  await home();
  await tabTo(page, now);
  await page.keyboard.press("Enter");
  await inspect(page, "the checks that may run again");
  assert.equal(await dialog.getByRole("checkbox", { checked: true }).count(), 0);
  await tabTo(page, dialog.getByRole("checkbox", { name: "The files are as planned" }));
  await page.keyboard.press("Space");
  await tabTo(page, dialog.getByRole("button", { name: "Approve and check" }));
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await hasFocus(health.getByRole("button", { name: /^Check/ }));
  await health.getByText(/^Allowed to run again by @/).waitFor();
  await now.waitFor();
  await health.getByText(/^\d of \d checks passed/).waitFor();

  await typed("mv hello-service/README.md away", "moved");
  await home();
  await tabTo(page, now);
  await page.keyboard.press("Enter");
  // Once the server has begun, the page may be closed.
  await health.getByText(/^(waiting|checking|drifted)$/).waitFor();
  await page.goto("/app");
  await page.getByText("drift: 1 check", { exact: true }).waitFor();
  await inspect(page, "a card with drift");

  // What opens from the card has completed stages, and says nevertheless that something waits.
  await page.getByRole("link", { name: /Health page/ }).click();
  await page.getByText(/^No longer as described: 1 of \d checks found drift/).waitFor();
  await inspect(page, "the stages of a project with drift", ["light 1440", "dark 390"]);
  await page.getByRole("link", { name: "See what drifted" }).click();
  await page.getByRole("link", { name: "What was built drift" }).first().waitFor();
  await page.waitForFunction(() => {
    const health = document.querySelector("section[aria-label=Health]")?.getBoundingClientRect();
    return health !== undefined && health.top < window.innerHeight / 2;
  });
  await health.getByText("No longer as described").waitFor();
  await health.getByText(/^since .*missing: .*README\.md/).waitFor();
  await inspect(page, "drift that was found");
  await tabTo(page, health.getByLabel("Check for drift"));
  await page.keyboard.press("ArrowDown");
  await health.getByText(/^Next on /).waitFor();
  assert.equal(await health.getByLabel("Check for drift").inputValue(), "daily");
  await page.setViewportSize(PHONE);
  await inspect(page, "drift that was found, on a phone");

  await page.goto(`/app/${project}/timeline`);
  await page.getByText("Drifted, exit 1", { exact: true }).waitFor();
  await page.getByText("Schedule: Checks for drift run once a day").waitFor();

  await typed("mv away hello-service/README.md", "back");
  await home();
  await now.click();
  await health.getByText("No longer as described").waitFor({ state: "hidden" });
  const withdraw = health.getByRole("button", { name: /^Withdraw the approval of check \d$/ });
  await home();
  await tabTo(page, withdraw);
  await page.keyboard.press("Enter");
  await withdraw.waitFor({ state: "hidden" });
  await hasFocus(now);
  await health.getByText(/^Paused: none of the checks may run again yet/).waitFor();
});

story("checks that passed before a step ran again prove nothing until they run again", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await owner.runAll(project, "validation");
  const requirements = page.getByRole("tab", { name: "Requirements" });
  const success = page.getByText("All validation steps completed successfully!");
  await owner.open(project);
  await success.waitFor();
  await requirements.click();
  await page.getByText("proved", { exact: true }).first().waitFor();

  const { id, steps } = await owner.call("GET", "/execution/progress", { project });
  // The last step starts the service; if an earlier one wrote its files again, a check would rightly fail.
  const { step_number, attempt, command_sha256 } = steps.at(-1);
  const data = { plan_id: id, step_number, attempt, command_sha256, approved: true };
  await owner.call("POST", "/execution/approve-step", { project, data });
  await owner.runAll(project);
  await owner.open(project);
  const again = page.getByRole("button", { name: /^Run \d checks? again$/ });
  await again.waitFor();
  await requirements.click();
  await page.getByText("outdated", { exact: true }).first().waitFor();
  await inspect(page, "checks that passed before a step ran again");
  await page.setViewportSize(PHONE);
  await inspect(page, "checks that passed before a step ran again, on a phone");
  await page.goto(`/app/${project}/home/result`);
  await page.getByText(/^\d checks? passed before a step ran again/).waitFor();

  await owner.open(project);
  await again.click();
  await success.waitFor();
});
