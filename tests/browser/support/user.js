/** A signed-in person: their page, and their calls for what a test is not about. */
import assert from "node:assert/strict";

/** What the projects of this suite build: it needs no account and no key. */
export const WISH = "A small web service with a health check inside the sandbox itself, use the defaults";

/**
 * @typedef {object} Person
 * @property {import("playwright-core").BrowserContext} context
 * @property {import("playwright-core").Page} page
 * @property {string} login
 * @property {string} installation
 */

/**
 * The installation that the page of a signed-in person has chosen.
 * @param {Page} page
 */
export async function installationOf(page) {
  const installation = await page.evaluate(() => sessionStorage.getItem("github_installation_id"));
  assert.ok(installation, "the page has no installation");
  return installation;
}

export class User {
  /** @param {Person} person */
  constructor({ context, page, login, installation }) {
    this.context = context;
    this.page = page;
    this.login = login;
    this.installation = installation;
  }

  /**
   * A call of the API with this user's session; anything but a success fails the test.
   * @param {string} method
   * @param {string} path
   * @param {{ project?: number, data?: unknown, timeout?: number }} [about]
   * @returns {Promise<any>} the answer's JSON, or its text
   */
  async call(method, path, { project, data, timeout } = {}) {
    const headers = {
      "Installation-Id": this.installation,
      ...(project && { "Project-Id": String(project) }),
    };
    const response = await this.context.request.fetch(`/api${path}`, { method, headers, data, timeout });
    const text = await response.text();
    assert.ok(response.ok(), `${method} ${path}: ${response.status()} ${text}`);
    return (response.headers()["content-type"] ?? "").includes("application/json") ? JSON.parse(text) : text;
  }

  /**
   * A project that has come as far as `stage`; what leads there is done by calls instead of clicks.
   * @param {string} stage
   * @param {{ name?: string, description?: string, wish?: string }} [about]
   */
  async projectAt(stage, { name = "Health page", description, wish = WISH } = {}) {
    const { id: project } = await this.call("POST", "/projects", { data: { name, description } });
    const done = (/** @type {string} */ id) =>
      this.call("PUT", `/project-states/${project}/stages/${id}`, { project, data: { is_completed: true } });
    const enter = (/** @type {string} */ id) =>
      this.call("PUT", `/project-states/${project}/current-stage/${id}`, { project });
    /**
     * @param {string} path
     * @param {string} message
     */
    const say = (path, message) => this.call("POST", path, { project, data: { message } });

    if (stage === "requirements") return project;
    await say("/planning/requirements-gatherer", wish);
    for (const [before, next, agent, plan] of /** @type {const} */ ([
      ["requirements", "architecture", "cloud-architect", "architecture-plan"],
      ["architecture", "implementation", "implementation-planner", "implementation-plan"],
    ])) {
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

  /**
   * Opens the project's workspace.
   * @param {number} project
   * @param {string} [query]
   */
  async open(project, query = "") {
    await this.page.goto(`/app/${project}${query}`);
  }

  /**
   * Approves every step of the execution, or every check of the validation, by calls, as it waits.
   * @param {number} project
   * @param {"execution" | "validation"} [track]
   */
  async runAll(project, track = "execution") {
    await until(async () => {
      /** @type {Schemas["Progress"] | Schemas["ValidationProgress"]} */
      const plan = await this.call("GET", `/${track}/progress`, { project });
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
/** How often the server is asked: it has no event for a caller without a page. */
const ASK_MS = 100;

/**
 * Asks until the answer is yes.
 * @param {() => Promise<boolean>} question
 */
export async function until(question) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await question())) {
    assert.ok(Date.now() < deadline, `still not: ${question}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}
