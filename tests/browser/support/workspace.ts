/** A project's workspace as its user sees it: located by role and by name, never by class. */
import { createHash } from "node:crypto";

const button = (place: Page | Locator, name: string) => place.getByRole("button", { name, exact: true });

/** Types a text and waits until the server has found no secret in it: from then on it survives a reload. */
export async function typeKept(field: Locator, text: string) {
  const searched = field.page().waitForResponse(async (answer) => {
    const request = answer.request();
    if (!request.url().endsWith("/planning/draft-secrets")) return false;
    return text.includes(request.postDataJSON().message) && (await answer.json()).found.length === 0;
  });
  await field.fill(text);
  await searched;
}

export class Workspace {
  page: Page;
  steps: Locator;
  allDone: Locator;
  autoApprove: Locator;
  autoRetry: Locator;
  /** Opens the settings that are rarely changed. */
  approvals: Locator;

  /** @param steps the name of the card with the steps */
  constructor(page: Page, steps: string = "Execution progress") {
    this.page = page;
    this.steps = page.getByRole("region", { name: steps });
    this.allDone = page.getByText("All execution steps completed successfully!");
    this.autoApprove = page.getByRole("switch", { name: "Auto-Approve All Steps" });
    this.autoRetry = page.getByRole("switch", { name: "Auto-Retry Failed Steps" });
    this.approvals = page.getByRole("button", { name: "Approvals", exact: true });
  }

  button(name: string) {
    return button(this.page, name);
  }

  /** The page's heading, which names the current stage. */
  stage(name: string) {
    return this.page.getByRole("heading", { level: 1, name, exact: true }).first();
  }

  /** Types a message, sends it with Enter and waits for the whole reply. */
  async say(agent: string, message: string) {
    const input = this.page.getByLabel(`Message to ${agent}`);
    await input.fill(message);
    await input.press("Enter");
    // A refused message is in the input again as well.
    await this.page.getByText(message).first().waitFor();
    await this.page.waitForFunction((label) => {
      const input = document.querySelector(`[aria-label="${label}"]`);
      return input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement
        ? !input.disabled
        : false;
    }, `Message to ${agent}`);
  }

  step(number: number) {
    return new StepCard(this.steps.getByRole("listitem").filter({ has: this.header(number) }), number);
  }

  header(number: number) {
    return this.page.getByRole("button", { name: new RegExp(`Step ${number}\\b`) });
  }

  /** The number of steps according to the summary. */
  async total() {
    const text = await this.steps.getByText(/\/ \d+ steps completed/).innerText();
    return Number(/\/ (\d+)/.exec(text)?.[1]);
  }
}

export class StepCard {
  card: Locator;
  number: number;
  command: Locator;
  output: Locator;
  approve: Locator;
  reject: Locator;
  again: Locator;
  digest: Locator;

  constructor(card: Locator, number: number) {
    this.card = card;
    this.number = number;
    this.command = card.getByRole("group", { name: `Command of step ${number}` }).locator("pre");
    this.output = card.getByLabel(`Output of step ${number}`);
    this.approve = button(card, "Approve");
    this.reject = button(card, "Reject");
    this.again = button(card, "Re-execute");
    this.digest = card.getByTitle(/^[0-9a-f]{64}$/);
  }

  /** Waits until the step has a status, in the page's words. */
  async is(status: string) {
    await this.card.getByRole("button", { name: new RegExp(`Step ${this.number}\\b.*${status}$`) }).waitFor();
  }

  /** The script to approve, as its card shows it. */
  async script() {
    return (await this.command.textContent()) ?? "";
  }

  /** Opens the card if it is closed. */
  async open() {
    const header = this.card.getByRole("button", { name: new RegExp(`Step ${this.number}\\b`) });
    if ((await header.getAttribute("aria-expanded")) === "false") await header.click();
  }
}

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
