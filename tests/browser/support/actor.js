import { Workspace } from "./workspace.js";

/** How fast somebody types, in milliseconds for a key. */
const KEY_MS = 22;
/** How long somebody looks before they go on, in milliseconds. */
const LOOK_MS = 1_500;

/** Somebody who uses a mouse and a keyboard as people do. */
export class Actor {
  constructor(page) {
    this.page = page;
    this.workspace = new Workspace(page);
  }

  async look(ms = LOOK_MS) {
    // The film shows time passing: here, and only here, time is what is waited for.
    await this.page.waitForTimeout(ms);
  }

  async click(target) {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 14 });
    await this.look(450);
    await target.click();
  }

  async press(name) {
    const button = this.workspace.button(name);
    await button.waitFor();
    await this.look();
    await this.click(button);
  }

  async create(name, description) {
    await this.look(900);
    await this.click(
      this.workspace.button("Create Project").or(this.workspace.button("Create New Project")).first(),
    );
    await this.page.getByLabel("Project Name").pressSequentially(name, { delay: KEY_MS });
    await this.page.getByLabel("Description").pressSequentially(description, { delay: KEY_MS });
    await this.look(500);
    await this.click(this.page.getByRole("dialog").getByRole("button", { name: "Create Project" }));
    await this.page.waitForURL(/\/app\/\d+$/);
  }

  /** Types a message, sends it and waits for the whole reply. */
  async type(label, message) {
    const input = this.page.getByLabel(label);
    await input.pressSequentially(message, { delay: KEY_MS });
    await this.look(400);
    await input.press("Enter");
    await this.page.getByText(message).first().waitFor();
    await this.page.waitForFunction((label) => {
      const input = document.querySelector(`[aria-label="${label}"]`);
      return input !== null && !input.disabled;
    }, label);
  }

  /** Reads a document: down to its end, and back. */
  async scroll(label) {
    await this.look();
    const document = this.page.getByRole("group", { name: label, exact: true });
    const box = await document.boundingBox();
    await this.page.mouse.move(box.x + box.width / 2, box.y + 120, { steps: 10 });
    for (let turn = 0; turn < 10; turn += 1) {
      await this.page.mouse.wheel(0, 90);
      await this.look(110);
    }
    await this.look();
  }
}
