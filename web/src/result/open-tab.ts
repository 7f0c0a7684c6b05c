/**
 * Opens an address that must first be requested in a new tab.
 *
 * The tab opens at once, because browsers block tabs that open later than the click. It is detached from this page
 * before it loads anything foreign.
 */
export async function openTab(address: () => Promise<string>, open = () => window.open("about:blank")) {
  const tab = open();
  if (!tab) throw new Error("Your browser has blocked the new tab. Allow it for this site and try again.");
  tab.opener = null;
  try {
    tab.location.replace(await address());
  } catch (error) {
    tab.close();
    throw error;
  }
}
