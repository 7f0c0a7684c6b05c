/**
 * Waits until a page has come to the landing page.
 * @param {Page} page
 */
export const landed = (page) =>
  page.getByRole("heading", { name: "Build Apps, Not Infrastructure" }).waitFor();
