/** Previews: a service inside the sandbox, shown in a tab that has no access to the application. */
import assert from "node:assert/strict";
import { documented } from "../support/calls.ts";
import { inspect } from "../support/inspect.ts";
import { scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";

const { user, story } = scene();

/** A page with its own style and script, at addresses that begin with a slash, and a call. */
const PAGE = [
  "mkdir -p site/js && cd site",
  "echo '<link rel=stylesheet href=/own.css><h1>My shop</h1><p id=told></p><script type=module src=/js/own.js></script>' > index.html",
  "echo 'h1 { color: rgb(1, 2, 3) }' > own.css",
  'echo \'const told = await fetch("/told.txt"); document.querySelector("#told").textContent = (await told.text()) + typeof opener + document.cookie;\' > js/own.js',
  "echo -n called-and- > told.txt",
].join(" && ");

story("a service that listens in the sandbox is opened in a new tab", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await documented(page);
  await page.goto(`/app/${project}/home/terminal`);
  const terminal = new TerminalPane(page);
  await terminal.connected();
  await terminal.run(`${PAGE} && echo writ''ten`);
  await terminal.shows(/^written$/m);
  await terminal.run("/usr/bin/python3 -m http.server 8124 --bind 127.0.0.1");
  await terminal.shows(/Serving HTTP on 127/);

  await page.goto(`/app/${project}/home/result`);
  const services = page.getByRole("region", { name: "Services in the sandbox" });
  const own = services.getByRole("listitem").filter({ hasText: "Port 8124" });
  await own.getByText("python3").waitFor();
  await inspect(page, "services in the sandbox");
  const opened = page.context().waitForEvent("page");
  await own.getByRole("button", { name: "Preview port 8124 (opens in a new tab)" }).click();
  const tab = await opened;
  const heading = tab.getByRole("heading", { name: "My shop" });
  await heading.waitFor();
  // Its module has called its own service, and has neither the page that opened it nor a cookie.
  await tab.getByText("called-and-object", { exact: true }).waitFor();
  // A module waits for the styles before it; the heading does not.
  assert.equal(await heading.evaluate((h1) => getComputedStyle(h1).color), "rgb(1, 2, 3)");
  assert.equal(await tab.evaluate(() => window.opener), null);
  assert.match(new URL(tab.url()).hostname, /^[0-9a-f]{48}\.preview\.localhost$/);

  // When the session ends, the preview ends too.
  await owner.call("POST", "/github/logout", { data: {} });
  await tab.reload();
  await tab.getByRole("heading", { name: "This preview has ended" }).waitFor();
});

story("when no service listens, the page says so and can look again", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await documented(page);
  const ports = (listening: object[]) => ({ json: { previews: true, answered: true, ports: listening } });
  let answer = ports([]);
  await page.route("**/api/sandbox/ports/*", (route) => route.fulfill(answer));
  await page.goto(`/app/${project}/home/result`);
  const services = page.getByRole("region", { name: "Services in the sandbox" });
  await services.getByText("No service listens in the sandbox.").waitFor();
  answer = ports([{ port: 8080, program: null }]);
  await services.getByRole("button", { name: "Look again" }).click();
  await services.getByText("Port 8080").waitFor();

  const refusal = { code: "no_preview", request_id: "r", detail: "Nothing listens on this port anymore." };
  await page.route("**/api/sandbox/previews/*", (route) => route.fulfill({ status: 409, json: refusal }));
  await services.getByRole("button", { name: /^Preview port 8080/ }).click();
  await services.getByText("Nothing listens on this port anymore.").waitFor();
  assert.equal(page.context().pages().length, 1, "the empty tab is closed");
});

story("without previews in the deployment the page does not mention them", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await documented(page);
  const none = { json: { previews: false, answered: false, ports: [] } };
  await page.route("**/api/sandbox/ports/*", (route) => route.fulfill(none));
  const asked = page.waitForResponse("**/api/sandbox/ports/*");
  await page.goto(`/app/${project}/home/result`);
  await asked;
  await page.getByRole("region", { name: "Health" }).waitFor();
  assert.equal(await page.getByRole("region", { name: "Services in the sandbox" }).count(), 0);
});
