import { browserStorage } from "../lib/storage";

/** Whether the warning about the helper was accepted; valid until the page is left or reloaded. */
const KEY = "devopsHelperWarningAccepted";

export const isAccepted = () => browserStorage.getItem(KEY) === "true";

export const accept = () => browserStorage.setItem(KEY, "true");

window.addEventListener("pagehide", () => browserStorage.removeItem(KEY));
