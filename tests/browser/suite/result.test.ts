/** The result page: the addresses of what was built, its health, its needs and its costs. */
import assert from "node:assert/strict";
import { documented } from "../support/calls.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";

const { user, story } = scene();

story("home shows the addresses, the last checks, the credentials and the estimate", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await owner.runAll(project, "validation");
  await owner.call("PUT", "/planning/credentials/other", {
    project,
    data: { values: { DEPLOY_KEY: "s3cr3t-value-of-a-key" } },
  });
  await page.goto(`/app/${project}/home`);
  await page.getByRole("link", { name: "What was built" }).click();
  await page.waitForURL(`**/app/${project}/home/result`);
  const part = (name: string) => page.getByRole("region", { name, exact: true });

  const health = part("Addresses").getByRole("listitem").filter({ hasText: "service · health url" });
  await health.getByText(/^http:\/\/127\.0\.0\.1:\d+\/\S*$/).waitFor();
  await health.getByText("only from the machine where it runs").waitFor();
  assert.equal(await health.getByRole("link").count(), 0, "no link to the reader's own machine");

  const { steps } = await owner.call("GET", "/validation/progress", { project });
  await part("Health").getByText(`${steps.length} of ${steps.length} checks passed`).waitFor();
  assert.equal(await part("Health").locator("time").getAttribute("datetime"), latest(steps));
  assert.equal(await part("Health").getByText("as described", { exact: true }).count(), steps.length);
  await part("Health").getByText("What it printed").first().click();
  await part("Health").getByLabel("Output of check 1").getByText("Verified: 200").waitFor();
  await part("Credentials").getByText("DEPLOY_KEY", { exact: true }).waitFor();
  await part("Estimated cost").getByText("$0.00, there are none").waitFor();
  assert.ok(!(await page.content()).includes("s3cr3t-value"), "credentials are there by name only");
  await inspect(page, "what was built");
  await part("Health").getByRole("link", { name: "Open the validation" }).click();
  await page.waitForURL(`**/app/${project}?stage=validation`);
});

story("during a change, home shows the last checks of the completed change", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await owner.runAll(project, "validation");
  const done = { is_completed: true };
  await owner.call("PUT", `/project-states/${project}/stages/validation`, { project, data: done });
  const data = { wish: "Let it listen on port 9191" };
  await owner.call("POST", `/projects/${project}/changes`, { project, data });
  await page.goto(`/app/${project}/home/result`);
  const health = page.getByRole("region", { name: "Health", exact: true });
  await health.getByText("Change 2 is under way. These are the last checks from before it began.").waitFor();
  await health.getByText("You can check for drift again once the change's own checks have passed").waitFor();
  await health.getByText(/^(\d+) of \1 checks passed · change 1 completed/).waitFor();
  const cost = page.getByRole("region", { name: "Estimated cost", exact: true });
  await cost.getByText("$0.00, there are none").waitFor();
  await inspect(page, "what was built, during a change");
});

story("without a mouse, on a phone, what was built is found and opened", async (t) => {
  const owner = await user(t, { viewport: PHONE });
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await documented(page, {
    site: { url: "https://shop.example.com/" },
    database: { host: "10.0.0.5", port: 5432 },
  });
  await page.goto(`/app/${project}/home`);
  await page.getByRole("link", { name: "What was built" }).focus();
  await page.keyboard.press("Enter");
  const addresses = page.getByRole("region", { name: "Addresses" });
  await addresses.getByText("10.0.0.5:5432").waitFor();
  const site = addresses.getByRole("link", { name: /^https:\/\/shop\.example\.com/ });
  assert.equal(await site.getAttribute("rel"), "noreferrer");
  await page
    .context()
    .route("https://shop.example.com/", (route) =>
      route.fulfill({ contentType: "text/html", body: "<h1>The shop</h1>" }),
    );
  const opened = page.context().waitForEvent("page");
  await site.focus();
  await page.keyboard.press("Enter");
  await (await opened).getByRole("heading", { name: "The shop" }).waitFor();
  await inspect(page, "what was built, on a phone");
});

/** When the last of the checks ended. */
function latest(checks: { since: string }[]) {
  return checks.map(({ since }) => since).sort((a, b) => Date.parse(b) - Date.parse(a))[0];
}

story("home shows the ends of the logs that the configuration names", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await documented(page, {
    web: { log: "~/workspace/web.log" },
    big: { log: "big.log" },
    new: { log: "new.log" },
  });
  await page.goto(`/app/${project}/home/terminal`);
  const terminal = new TerminalPane(page);
  await terminal.connected();
  await terminal.run("seq -f line-%g 30 > web.log; seq 90000 > big.log; : > new.log; echo writ''ten");
  await terminal.shows(/^written$/m);
  await page.goto(`/app/${project}/home/result`);
  const logs = page.getByRole("region", { name: "Logs", exact: true });
  const end = logs.getByLabel("The end of web.log");
  await end.getByText("line-30").waitFor();
  assert.match(await end.innerText(), /^line-21\n/, "ten lines");
  await logs.getByText("The log is empty.").waitFor();
  const big = logs.getByLabel("The end of big.log");
  await big.getByText("90000").waitFor();
  assert.match(await big.innerText(), /^89991\n/, "also of a file that is too large to be edited");
  await inspect(page, "the ends of logs");

  await page.goto(`/app/${project}/home/terminal`);
  await terminal.connected();
  await terminal.run("echo line-31 >> web.log; rm new.log; echo add''ed");
  await terminal.shows(/^added$/m);
  await page.getByRole("link", { name: "What was built" }).click();
  await end.getByText("line-31").waitFor();
  await logs.getByText("The log could not be read.").waitFor();
  await logs.getByRole("button", { name: "Read again" }).focus();
  await page.keyboard.press("Enter");
  await end.getByText("line-31").waitFor();
});
