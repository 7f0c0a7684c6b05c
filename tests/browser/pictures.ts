/** Takes the site's screenshots of the real product, light and dark, in the sizes and formats that the pages use. */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch } from "./support/browser.ts";
import { drawn } from "./support/drawn.ts";
import { picture } from "./support/encode.ts";
import { startStack } from "./support/stack.ts";
import { TerminalPane } from "./support/terminal.ts";
import { installationOf, User, WISH } from "./support/user.ts";
import { Workspace } from "./support/workspace.ts";

const FOLDER = fileURLToPath(new URL("../../web/src/public-site/shots/", import.meta.url));
const PROJECT = { name: "Order status", description: "A small web service with a health check" };
/** 1600 by 1000 pixels, with text as large as on a small laptop. */
const VIEW = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.25 };
const FILES = [
  [800, "avif"],
  [1600, "avif"],
  [800, "webp"],
] as const;

/** The preview of links to the site, in the size that most services use. */
const SOCIAL = fileURLToPath(new URL("../../web/public/social.png", import.meta.url));

const [stack, browser] = await Promise.all([startStack(), launch()]);
try {
  const preview = await browser.newPage({ baseURL: stack.url, viewport: { width: 1200, height: 630 } });
  await preview.goto("/");
  await drawn(preview);
  await preview.screenshot({ path: SOCIAL });

  await mkdir(FOLDER, { recursive: true });
  const context = await browser.newContext({ baseURL: stack.url, reducedMotion: "reduce", ...VIEW });
  const page = await context.newPage();
  await page.goto("/api/github/login?login=mira");
  await page.getByText("No projects yet").waitFor();
  const installation = await installationOf(page);
  const owner = new User({ context, page, login: "mira", installation });
  const workspace = new Workspace(page);

  const project = await owner.projectAt("execution", {
    ...PROJECT,
    wish: `${WISH}, and call it order-status`,
  });
  const show = (stage: string) =>
    owner.call("PUT", `/project-states/${project}/current-stage/${stage}`, { project });
  for (const [name, document] of [
    ["requirements", "Requirements"],
    ["architecture", "Architecture plan"],
  ] as const) {
    await show(name);
    await owner.open(project);
    await page.getByRole("group", { name: document, exact: true }).waitFor();
    await shoot(name);
  }

  await show("execution");
  await owner.open(project);
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
  await shoot("execution");

  await owner.runAll(project);
  await owner.call("POST", "/validation/agent", { project, data: { message: "Create a validation plan" } });
  await owner.call("POST", "/validation/trigger", { project, data: { message: "Start validation" } });
  const completed = { project, data: { is_completed: true } };
  await owner.call("PUT", `/project-states/${project}/stages/execution`, completed);
  await show("validation");
  await owner.open(project);
  const checks = new Workspace(page, "Validation progress");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await checks.step(1).is("completed");
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await shoot("validation");

  /**
   * Takes both themes of the current screen.
   * @param name the name of the files
   */
  async function shoot(name: string) {
    await page.mouse.move(0, 0);
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await drawn(page);
      const png = await page.screenshot();
      for (const [width, format] of FILES) {
        await picture(png, `${FOLDER}${name}-${theme}-${width}.${format}`, width);
      }
    }
  }
} finally {
  await browser.close();
  await stack.stop();
}
