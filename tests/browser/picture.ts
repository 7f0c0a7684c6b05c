/** Takes the README's picture: an execution whose next step waits for its owner, next to the sandbox's terminal. */
import { fileURLToPath } from "node:url";
import { launch } from "./support/browser.ts";
import { drawn } from "./support/drawn.ts";
import { startStack } from "./support/stack.ts";
import { TerminalPane } from "./support/terminal.ts";
import { installationOf, User, WISH } from "./support/user.ts";
import { Workspace } from "./support/workspace.ts";

const FILE = fileURLToPath(new URL("../../docs/execution.png", import.meta.url));
const PROJECT = { name: "Order status", description: "A small web service with a health check" };

const [stack, browser] = await Promise.all([startStack(), launch()]);
try {
  const context = await browser.newContext({
    baseURL: stack.url,
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto("/api/github/login?login=mira");
  await page.getByText("No projects yet").waitFor();
  const installation = await installationOf(page);
  const owner = new User({ context, page, login: "mira", installation });

  const project = await owner.projectAt("execution", {
    ...PROJECT,
    wish: `${WISH}, and call it order-status`,
  });
  await owner.open(project);
  const workspace = new Workspace(page);
  const terminal = new TerminalPane(page);
  for (const number of [1, 2]) {
    await workspace.step(number).approve.click();
    await workspace.step(number).is("completed");
  }
  await workspace.step(3).is("waiting approval");
  await terminal.connected();
  await terminal.run("ls order-status");
  await terminal.shows(/service\.py/);
  await terminal.run("curl -s localhost:8080/healthz");
  await terminal.shows(/"status": ?"ok"/);
  await page.mouse.move(0, 0);
  await drawn(page);
  await page.screenshot({ path: FILE });
} finally {
  await browser.close();
  await stack.stop();
}
