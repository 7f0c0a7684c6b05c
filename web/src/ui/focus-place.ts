/**
 * Where the keyboard continues when a dialog has closed.
 *
 * Usually that is the button that opened it. But many actions remove that button: a deleted project has no menu, an
 * abandoned change no "Abandon". The browser would then reset the focus to the start of the page; here it goes to the
 * page's title. If the button is removed only later, the focus stays on it until then (`kept-focus.ts`). A menu's item
 * disappears with its menu, so the button of the menu takes its place.
 */

import { focusPlace, isNowhere } from "./kept-focus";

/** Gives the focus to the topmost open dialog or else to the page's title, unless something else has it. */
function toPlace() {
  if (!isNowhere()) return;
  const dialog = [...document.querySelectorAll('[role="dialog"][data-state="open"]')].at(-1);
  focusPlace(dialog ?? document.querySelector("main h1") ?? document.getElementById("content") ?? undefined);
}

/** The element that has the focus while a dialog opens, and gets it back. */
export function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
}

/** Returns the focus to the element that had it before, or to the page if that is gone or does not take it. */
export function returnFocus(opener: Element | null) {
  if (opener instanceof HTMLElement && opener !== document.body) opener.focus();
  if (document.activeElement !== opener || opener === document.body) toPlace();
}
