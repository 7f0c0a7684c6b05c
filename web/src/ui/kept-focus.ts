/**
 * Keeps the keyboard's place when an action removes or disables the element that has the focus.
 *
 * The browser then gives the focus to nothing, and the next Tab starts at the top of the page. Here the heading next to
 * that element takes it instead, so that the keyboard continues where the person was, and a screen reader says where
 * that is. Pages that know a better place focus it themselves, at once or once it is drawn; this only comes after them.
 */

/** The focused element, then what contains it, up to the page: the path by which a place is found once it is gone. */
let path: Element[] = [];

export const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

/**
 * Whether the browser takes the focus from an element for good: one that is marked gets it back when it is enabled.
 * This is asked at each change of the page, and reads no layout.
 */
const isGone = (element: Element) =>
  !element.isConnected ||
  element.matches(":disabled:not([data-focus-returns])") ||
  element.closest("[hidden]") !== null;

function pathOf(element: Element): Element[] {
  const parents: Element[] = [];
  for (let it: Element | null = element; it; it = it.parentElement) parents.push(it);
  return parents;
}

/** What can be focused in place of something gone: the nearest heading, or the button that it consists of. */
function nearest(from: Element[]): Element | undefined {
  for (const parent of from) {
    if (!parent.isConnected) continue;
    if (parent.matches('[role="dialog"], [role="alertdialog"]')) return parent;
    const heading = [...parent.querySelectorAll("h1, h2, h3, h4")].find((it) => it.checkVisibility());
    if (heading) return heading.querySelector("button:enabled") ?? heading;
  }
  return document.querySelector("main h1") ?? document.getElementById("content") ?? undefined;
}

/** Focuses an element that usually takes no focus, as the heading of a section. */
export function focusPlace(place: Element | undefined) {
  if (!(place instanceof HTMLElement)) return;
  if (place.tabIndex < 0 && !place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Waits until the page had the time to focus something else, and then finds a place. */
function soon() {
  const lost = path;
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (path !== lost || !isNowhere() || !lost[0] || !isGone(lost[0])) return;
      path = [];
      focusPlace(nearest(lost.slice(1)));
    }),
  );
}

/** Begins to keep the focus on this page. */
export function keepFocus() {
  const changes = new MutationObserver(() => {
    if (path[0] && isGone(path[0])) soon();
  });
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    path = pathOf(target);
    changes.observe(document.body, {
      attributeFilter: ["disabled", "hidden"],
      childList: true,
      subtree: true,
    });
  });
  document.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== null) return;
    const left = path;
    // Some browsers report a removal as a loss of the focus, before they remove the element.
    setTimeout(() => {
      if (path !== left || !isNowhere() || !left[0]) return;
      if (isGone(left[0])) return soon();
      // The person left it, by a press on the page beside it.
      path = [];
      changes.disconnect();
    });
  });
}
