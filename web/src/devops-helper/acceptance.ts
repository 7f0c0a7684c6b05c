/** Whether the warning about the helper was accepted; valid until the page is left or reloaded. */
const KEY = "devopsHelperWarningAccepted";

export const isAccepted = () => localStorage.getItem(KEY) === "true";

export const accept = () => localStorage.setItem(KEY, "true");

window.addEventListener("pagehide", () => localStorage.removeItem(KEY));
