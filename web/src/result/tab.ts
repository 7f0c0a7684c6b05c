/**
 * Opens an address that has to be asked for in a new tab.
 *
 * The tab opens at once, because browsers block those that open later than the click. It is cut off from this page
 * before anything foreign is in it.
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
