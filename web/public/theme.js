/** Applies the theme that was chosen in this browser, before a public page is drawn. */
try {
  const theme = localStorage.getItem("groundcrew:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that blocks cookies has stored no choice.
}
