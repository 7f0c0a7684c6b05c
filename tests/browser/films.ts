/** Films the landing page's two recordings on the real stack: a whole deployment, and the planning of one. */

import { mkdir, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Actor } from "./support/actor.ts";
import { launch } from "./support/browser.ts";
import type { Camera } from "./support/film.ts";
import { film } from "./support/film.ts";
import { startStack } from "./support/stack.ts";
import { TerminalPane } from "./support/terminal.ts";
import { Workspace } from "./support/workspace.ts";

const FOLDER = fileURLToPath(new URL("../../web/public/demos/", import.meta.url));
const VIEWPORT = { width: 1280, height: 800 };
/** The maximum size of a film, in bytes. */
const MOST_BYTES = 1_500_000;

const FILMS = { "web-service": webService, monitoring };
const wanted = process.argv.slice(2);

await mkdir(FOLDER, { recursive: true });
const [stack, browser] = await Promise.all([startStack(), launch()]);
try {
  for (const [name, play] of Object.entries(FILMS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const context = await browser.newContext({
      baseURL: stack.url,
      viewport: VIEWPORT,
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const camera = await film(page);
    await page.goto("/api/github/login?login=mira");
    await page.getByRole("heading", { name: "My Projects" }).waitFor();
    await page.mouse.move(640, 500);
    await camera.start();
    await play(new Actor(page), camera);
    const seconds = await camera.finish(`${FOLDER}${name}`);
    const { size } = await stat(`${FOLDER}${name}.webm`);
    console.log(`${name}: ${Math.round(seconds)} s, ${Math.round(size / 1000)} kB`);
    if (size > MOST_BYTES) throw new Error(`${name} is too large`);
    await context.close();
  }
} finally {
  await browser.close();
  await stack.stop();
}

/** From one sentence to a running service with passed checks. */
async function webService(actor: Actor, camera: Camera) {
  const { page, workspace } = actor;
  camera.say("A new project: a name, and a line about what it is for.");
  await actor.create("Order status", "A small web service with a health check");
  camera.say("One sentence says what is needed. The agent keeps the list of requirements beside the chat.");
  await actor.type(
    "Message to Requirements agent",
    "A small web service with a health check inside the sandbox itself, use the defaults, and call it order-status",
  );
  await actor.press("Confirm Requirements & Continue");
  camera.say("The architect draws the parts and how they speak to each other.");
  await workspace.stage("Cloud architecture").waitFor();
  await workspace.button("Confirm Architecture & Continue").waitFor();
  await actor.scroll("Architecture plan");
  await actor.press("Confirm Architecture & Continue");
  camera.say("The planner breaks it into steps, with the files each will leave.");
  await workspace.stage("Implementation").waitFor();
  await page.getByText("Next, your sandbox starts.").waitFor();
  await actor.scroll("Implementation plan");
  await actor.press("Confirm Plan & Start Execution");
  camera.say("Each step waits with its exact script. Nothing runs until it is approved.");
  await workspace.stage("Execution").waitFor();
  await workspace.step(1).is("waiting approval");
  const total = await workspace.total();
  for (let number = 1; number <= total; number += 1) {
    const step = workspace.step(number);
    await step.is("waiting approval");
    if (number === 3) {
      await camera.takePoster();
      camera.say("The sandbox has a terminal: the service already answers.");
      const terminal = new TerminalPane(page);
      await terminal.connected();
      await terminal.run("curl -s localhost:8080/healthz");
      await terminal.shows(/"status": ?"ok"/);
      await actor.look();
    }
    await actor.click(step.approve);
    await step.is("completed");
  }
  camera.say("Everything is built. Validation comes next.");
  await workspace.allDone.waitFor();
  await actor.press("Proceed to Validation Stage");
  await workspace.stage("Validation").waitFor();
  const checks = new Workspace(page, "Validation progress");
  await checks.step(1).is("waiting approval");
  camera.say("The validator checks it as an outsider would. Approved once, the checks run by themselves.");
  await actor.look();
  await actor.click(checks.autoApprove);
  await page.getByText("All validation steps completed successfully!").waitFor();
  await actor.look();
  camera.say("What is left is yours: the files, and documentation made from what was executed.");
  await actor.press("View Project Documentation");
  await page.waitForURL(/\/home/);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await actor.look();
  await actor.look();
}

/** A monitoring stack, up to its plan. */
async function monitoring(actor: Actor, camera: Camera) {
  const { page, workspace } = actor;
  camera.say("A new project: monitoring for a server.");
  await actor.create("Watchtower", "Prometheus, Grafana and alerts for our servers");
  camera.say("The agent asks about what is missing, and writes down what is agreed.");
  await actor.type(
    "Message to Requirements agent",
    "A monitoring stack with Grafana and alerts for our servers",
  );
  await actor.look();
  await actor.type("Message to Requirements agent", "Use the defaults for everything else");
  await actor.press("Confirm Requirements & Continue");
  camera.say("The architecture: what runs where, and what it costs to run.");
  await workspace.stage("Cloud architecture").waitFor();
  await workspace.button("Confirm Architecture & Continue").waitFor();
  await camera.takePoster();
  await actor.scroll("Architecture plan");
  await actor.type("Message to Cloud architect", "Keep the metrics for 30 days");
  await actor.look();
  await actor.press("Confirm Architecture & Continue");
  camera.say("The implementation plan: every step, and the files that it will leave.");
  await workspace.stage("Implementation").waitFor();
  await page.getByText("Next, your sandbox starts.").waitFor();
  await actor.scroll("Implementation plan");
  await actor.look();
}
