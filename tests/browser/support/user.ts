/** A signed-in person: their page, and their API calls for everything that a test is not about. */

import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";

/** A request for what the projects of this suite build: it needs no account and no key. */
export const WISH = "A small web service with a health check inside the sandbox itself, use the defaults";

export interface Person {
  context: BrowserContext;
  page: Page;
  login: string;
  installation: string;
}

/** The installation that a signed-in person's page has chosen. */
export async function installationOf(page: Page) {
  const installation = await page.evaluate(() => sessionStorage.getItem("github_installation_id"));
  assert.ok(installation, "the page has no installation");
  return installation;
}

export class User {
  context: Person["context"];
  page: Page;
  login: string;
  installation: string;

  constructor({ context, page, login, installation }: Person) {
    this.context = context;
    this.page = page;
    this.login = login;
    this.installation = installation;
  }

  /**
   * Calls the API with this user's session; any answer except success fails the test.
   * @returns the answer's JSON, or its text
   */
  async call(
    method: string,
    path: string,
    { project, data, timeout }: { project?: number; data?: unknown; timeout?: number } = {},
    // biome-ignore lint/suspicious/noExplicitAny: each caller knows the answer's shape, and asserts what it needs of it
  ): Promise<any> {
    const headers = {
      "Installation-Id": this.installation,
      ...(project && { "Project-Id": String(project) }),
    };
    const response = await this.context.request.fetch(`/api${path}`, { method, headers, data, timeout });
    const text = await response.text();
    assert.ok(response.ok(), `${method} ${path}: ${response.status()} ${text}`);
    return (response.headers()["content-type"] ?? "").includes("application/json") ? JSON.parse(text) : text;
  }

  /** Creates a project that has reached `stage`, by API calls instead of clicks. */
  async projectAt(
    stage: string,
    {
      name = "Health page",
      description,
      wish = WISH,
    }: { name?: string; description?: string; wish?: string } = {},
  ) {
    const { id: project } = await this.call("POST", "/projects", { data: { name, description } });
    const done = (id: string) =>
      this.call("PUT", `/project-states/${project}/stages/${id}`, { project, data: { is_completed: true } });
    const enter = (id: string) =>
      this.call("PUT", `/project-states/${project}/current-stage/${id}`, { project });
    const say = (path: string, message: string) => this.call("POST", path, { project, data: { message } });

    if (stage === "requirements") return project;
    await say("/planning/requirements-gatherer", wish);
    for (const [before, next, agent, plan] of [
      ["requirements", "architecture", "cloud-architect", "architecture-plan"],
      ["architecture", "implementation", "implementation-planner", "implementation-plan"],
    ] as const) {
      await say(`/planning/${agent}`, `Generate ${next} plan`);
      await until(async () => (await this.call("GET", `/planning/${plan}`, { project })) !== "");
      await done(before);
      await enter(next);
      if (stage === next) return project;
    }
    await until(
      async () =>
        (await this.call("POST", `/sandbox/initialize/${project}`, { project })).status === "success",
    );
    await say("/execution/trigger", "Start execution");
    await done("implementation");
    await enter("execution");
    if (stage === "execution") return project;

    await this.runAll(project);
    await say("/validation/agent", "Create a validation plan");
    assert.equal((await say("/validation/trigger", "Start validation")).status, "success");
    await done("execution");
    await enter("validation");
    return project;
  }

  /** Waits until every model call is paid: its cost changes what pages show. */
  async paid() {
    await until(async () => (await this.call("GET", "/user/credits")).held === 0);
  }

  /** Opens the project's workspace. */
  async open(project: number, query: string = "") {
    await this.page.goto(`/app/${project}${query}`);
  }

  /** Approves every step of the execution, or every check of the validation, as it waits, by API calls. */
  async runAll(project: number, track: "execution" | "validation" = "execution") {
    await until(async () => {
      const plan: Schemas["Progress"] | Schemas["ValidationProgress"] = await this.call(
        "GET",
        `/${track}/progress`,
        { project },
      );
      const waiting = plan.steps.find((step) => step.status === "waiting_approval");
      if (waiting) {
        const step_number = "number" in waiting ? waiting.number : waiting.step_number;
        const { command_sha256 } = waiting;
        const data = { plan_id: plan.id, step_number, approved: true, command_sha256 };
        await this.call("POST", `/${track}/approve-step`, { project, data });
      }
      assert.ok(!plan.steps.some((step) => step.status === "failed"), "a step failed");
      return plan.totalSteps > 0 && plan.steps.every((step) => step.status === "completed");
    });
  }
}

/** How long something on the server may take, in milliseconds. */
const PATIENCE_MS = 60_000;
/** The pauses between polls of the server, in milliseconds: it announces nothing to a caller without a page. */
const PAUSES_MS = { shortest: 100, longest: 500 };
/** A pause is the time waited so far, divided by this: each poll costs the stack work that others wait for. */
const PART = 4;

/** Polls until the answer is yes. */
export async function until(question: () => Promise<boolean>) {
  const { shortest, longest } = PAUSES_MS;
  const begun = Date.now();
  while (!(await question())) {
    const waited = Date.now() - begun;
    assert.ok(waited < PATIENCE_MS, `still not: ${question}`);
    const pause = Math.min(Math.max(waited / PART, shortest), longest);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
