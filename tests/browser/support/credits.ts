/** The credits modal as its user sees it. */
export class CreditsPane {
  page: Page;
  modal: Locator;
  amount: Locator;

  constructor(page: Page) {
    this.page = page;
    this.modal = page.getByRole("dialog", { name: "Credits Management" });
    this.amount = this.modal.getByLabel("Amount", { exact: true });
  }

  /** Opens it from the project list. */
  async open() {
    await this.page
      .getByRole("button", { name: /View & Add Credits/ })
      .first()
      .click();
    await this.modal
      .getByText(/^-?\$[\d,]+\.\d\d$/)
      .first()
      .waitFor();
  }

  /** The balance in dollars, as shown. */
  async balance() {
    const text = await this.modal
      .getByRole("region", { name: "Current Balance" })
      .getByText(/^\$/)
      .innerText();
    return Number(text.replace(/[$,]/g, ""));
  }

  /** Waits until the balance shows an amount. */
  async shows(dollars: number) {
    await this.modal
      .getByRole("region", { name: "Current Balance" })
      .getByText(`$${dollars.toFixed(2)}`)
      .waitFor();
  }

  /** @param quick the button's name */
  async choose(quick: string) {
    await this.modal.getByRole("button", { name: quick, exact: true }).click();
  }

  /**
   * Requests the checkout page and returns the tab it opens in.
   * @param button the button's name
   */
  async pay(button: string) {
    const opened = this.page.context().waitForEvent("page");
    await this.modal.getByRole("button", { name: button }).click();
    return opened;
  }

  /** Waits for an alert with this text. */
  async alert(text: string) {
    await this.page.getByRole("alertdialog").getByText(text).waitFor();
  }

  async dismissAlert() {
    await this.page.getByRole("alertdialog").getByRole("button", { name: "OK" }).click();
    await this.page.getByRole("alertdialog").waitFor({ state: "detached" });
  }

  /** Waits for an entry of the history. */
  async entry(amount: string | RegExp, status: string) {
    await this.modal
      .getByRole("listitem")
      .filter({ hasText: amount })
      .filter({ hasText: status })
      .first()
      .waitFor();
  }
}
