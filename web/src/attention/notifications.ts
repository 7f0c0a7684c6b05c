/** Browser notifications, for people who asked for them. */

import { browserStorage } from "../lib/storage";
import { readStored } from "../lib/stored";

export const NOTIFY_KEY = "groundcrew:notify";

/** Whether this browser can notify at all. */
export const canNotify = (): boolean => "Notification" in window;

/** Asks the browser for permission; returns whether it was granted. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** Notifies a user who is not looking at this tab; a click leads to it, and `open` to the place in it. */
export function notify(text: string, body: string, open: () => void) {
  const wanted = readStored(browserStorage, NOTIFY_KEY) === true;
  if (
    !wanted ||
    !canNotify() ||
    Notification.permission !== "granted" ||
    document.visibilityState === "visible"
  ) {
    return;
  }
  const notice = new Notification(text, { body, tag: window.location.pathname });
  notice.onclick = () => {
    window.focus();
    open();
    notice.close();
  };
}
