/**
 * Where the keyboard continues when a dialog has closed.
 *
 * Usually that is the button that opened it. But many actions remove that button: a deleted project has no menu, an
 * abandoned change no "Abandon". The browser would then reset the focus to the start of the page; here it goes to the
 * page's title. If the button is removed only later, the focus stays on it until then. A menu's item disappears with
 * its menu, so the button of the menu takes its place.
 */

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

/** Gives the focus to the topmost open dialog or else to the page's title, unless something else has it. */
function toPlace() {
  if (!isNowhere()) return;
  const dialog = [...document.querySelectorAll('[role="dialog"][data-state="open"]')].at(-1);
  const place = dialog ?? document.querySelector("main h1") ?? document.getElementById("content");
  if (!(place instanceof HTMLElement)) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** The element that has the focus while a dialog opens, and gets it back. */
export function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
}

/** Returns the focus to the element that had it before, or to the page if that is gone or does not take it. */
export function returnFocus(opener: Element | null) {
  if (opener instanceof HTMLElement && opener !== document.body) opener.focus();
  if (document.activeElement !== opener || opener === document.body) return toPlace();
  if (opener instanceof HTMLElement) stayWith(opener);
}

/** Waits with the focused element until the focus moves on; if the element is removed instead, the page gets it. */
function stayWith(opener: HTMLElement) {
  const removed = new MutationObserver(() => {
    if (opener.isConnected) return;
    leave();
    // The page that removed it may choose a better place, and focuses it once that is drawn.
    requestAnimationFrame(() => setTimeout(toPlace));
  });
  const leave = () => {
    removed.disconnect();
    opener.removeEventListener("blur", moved);
  };
  // Some browsers report a removal as a blur, with the focus nowhere.
  const moved = () => setTimeout(() => !isNowhere() && leave());
  opener.addEventListener("blur", moved);
  removed.observe(document.body, { childList: true, subtree: true });
}
