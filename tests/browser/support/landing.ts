/** Waits until a page has reached the landing page. */
export const landed = (page: Page) =>
  page.getByRole("heading", { name: "Build Apps, Not Infrastructure" }).waitFor();
