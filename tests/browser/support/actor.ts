import { boxOf } from "./drawn.ts";
import { Workspace } from "./workspace.ts";

/** How long a key takes to type, in milliseconds. */
const KEY_MS = 22;
/** How long a viewer looks before continuing, in milliseconds. */
const LOOK_MS = 1_500;

/** Uses the mouse and the keyboard the way a person does. */
export class Actor {
  page: Page;
  workspace: Workspace;

  constructor(page: Page) {
    this.page = page;
    this.workspace = new Workspace(page);
  }

  async look(ms = LOOK_MS) {
    // The film shows time passing: only here does a test wait for time.
    await this.page.waitForTimeout(ms);
  }

  async click(target: Locator) {
    await target.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await boxOf(target);
    await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 14 });
    await this.look(450);
    await target.click();
  }

  /** @param name the button's name */
  async press(name: string) {
    const button = this.workspace.button(name);
    await button.waitFor();
    await this.look();
    await this.click(button);
  }

  /** Creates a project. */
  async create(name: string, description: string) {
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

  /**
   * Types a message, sends it and waits for the whole reply.
   * @param label the input's label
   */
  async type(label: string, message: string) {
    const input = this.page.getByLabel(label);
    await input.pressSequentially(message, { delay: KEY_MS });
    await this.look(400);
    await input.press("Enter");
    await this.page.getByText(message).first().waitFor();
    await this.page.waitForFunction((label) => {
      const input: HTMLTextAreaElement | null = document.querySelector(`[aria-label="${label}"]`);
      return input !== null && !input.disabled;
    }, label);
  }

  /**
   * Scrolls through a document.
   * @param label the document's label
   */
  async scroll(label: string) {
    await this.look();
    const document = this.page.getByRole("group", { name: label, exact: true });
    const { x, y, width } = await boxOf(document);
    await this.page.mouse.move(x + width / 2, y + 120, { steps: 10 });
    for (let turn = 0; turn < 10; turn += 1) {
      await this.page.mouse.wheel(0, 90);
      await this.look(110);
    }
    await this.look();
  }
}
