/**
 * Applies the theme that was chosen in this browser before anything is drawn: the application's code comes too late.
 */
try {
  const theme = localStorage.getItem("groundcrew:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that blocks cookies has stored no choice.
}

/**
 * Runs until the application does. If the application's code cannot be loaded, for example because the network changed in
 * that moment, this script loads the page again, and after a few attempts says what is wrong.
 */
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;
const COUNT = "start-attempts";

/** Counts the attempts, and begins again after the last; a browser that does not let the page count gets no second. */
function countAttempt() {
  try {
    const attempt = Number(sessionStorage.getItem(COUNT)) + 1;
    if (attempt < ATTEMPTS) sessionStorage.setItem(COUNT, String(attempt));
    else sessionStorage.removeItem(COUNT);
    return attempt;
  } catch {
    return ATTEMPTS;
  }
}

// A script that cannot be loaded reports it on its own element only, so the window listens while the event goes down.
window.addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    if (countAttempt() < ATTEMPTS) {
      setTimeout(() => window.location.reload(), PAUSE_MS);
      return;
    }
    const status = document.querySelector("#root [role=status]");
    if (!status) return;
    const again = document.createElement("a");
    again.href = window.location.href;
    again.className = "underline underline-offset-3";
    again.textContent = "Load it again";
    status.replaceChildren("Groundcrew could not be loaded. Check your connection. ", again);
  },
  true,
);
