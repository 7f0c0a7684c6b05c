/**
 * Shows the screenshots in the theme that was chosen; without a choice they follow the reader's system by themselves.
 */
export function themeShots() {
  const { theme } = document.documentElement.dataset;
  if (theme === undefined) return;
  for (const source of document.querySelectorAll<HTMLSourceElement>(
    "source[media*='prefers-color-scheme']",
  )) {
    source.media = theme === "dark" ? "all" : "not all";
  }
}
