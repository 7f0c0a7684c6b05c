/** The visible terminal, as its user sees it. */
export class TerminalPane {
  page: Page;
  screen: Locator;
  rows: Locator;
  keys: Locator;

  constructor(page: Page) {
    this.page = page;
    this.screen = page.getByTestId("terminal").filter({ visible: true });
    this.rows = this.screen.locator(".xterm-rows > div");
    this.keys = this.screen.locator(".xterm-helper-textarea");
  }

  async connected() {
    await this.page.getByText("connected", { exact: true }).waitFor();
    await this.shows(/\S+[$#]/);
  }

  /** Types as a person does, key by key, and ends with Enter. */
  async run(command: string) {
    await this.keys.focus();
    await this.page.keyboard.type(command);
    await this.page.keyboard.press("Enter");
  }

  /** Pastes a text as the browser does when its user presses the keys for it. */
  async paste(text: string) {
    await this.keys.evaluate((keys, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      keys.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  /** Waits until the visible lines, joined, match. */
  async shows(pattern: RegExp) {
    await this.page.waitForFunction(
      ([source, flags]) => {
        const found: NodeListOf<HTMLElement> = document.querySelectorAll("[data-testid=terminal]");
        const screen = [...found].find((it) => it.offsetParent !== null);
        const rows = [...(screen?.querySelectorAll(".xterm-rows > div") ?? [])];
        const text = rows.map((row) => row.textContent?.replaceAll("\u00a0", " ").trimEnd()).join("\n");
        return new RegExp(source, flags).test(text);
      },
      [pattern.source, pattern.flags] as const,
    );
  }

  text() {
    return this.page.evaluate(() => {
      const found: NodeListOf<HTMLElement> = document.querySelectorAll("[data-testid=terminal]");
      const screen = [...found].find((it) => it.offsetParent !== null);
      const rows = [...(screen?.querySelectorAll(".xterm-rows > div") ?? [])];
      return rows.map((row) => row.textContent?.replaceAll("\u00a0", " ").trimEnd()).join("\n");
    });
  }
}
