/** What a visit to the application loads before it can be used: each file costs a slow phone a round trip. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { documented, hold } from "../support/calls.ts";
import { hasFocus } from "../support/focus.ts";
import { PHONE, scene, WIDE } from "../support/scene.ts";

const { user, story } = scene();

/** A tab of a user with one project, without a page or a cache. */
async function newTab(t: TestContext) {
  const owner = await user(t);
  await owner.call("POST", "/projects", { data: { name: "Shop" } });
  const page = await owner.context.newPage();
  const network = await owner.context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  return { page, network };
}

/** How many requests may begin before the list is there, not counting pictures. */
const REQUESTS = 12;
/** How much JavaScript may arrive before, in bytes as the stack compresses them, with their headers. */
const SCRIPT_BYTES = 150_000;

story("the list of projects is there after a few requests, in a tab that knows nothing", async (t) => {
  const { page, network } = await newTab(t);
  const begun: string[] = [];
  const scripts = new Set<string>();
  let bytes = 0;
  network.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    if (type !== "Image") begun.push(new URL(request.url).pathname);
    if (type === "Script") scripts.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto("/app");
  await page.getByRole("main").getByRole("link", { name: /Shop/ }).waitFor();
  assert.ok(begun.length <= REQUESTS, `${begun.length} requests: ${begun.join(" ")}`);
  assert.ok(bytes > 0 && bytes <= SCRIPT_BYTES, `${bytes} bytes of script`);
});

/** The usual definition of slow 3G: 400 ms for each round trip, and 400 kbit/s. Throughput is in bytes a second. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** How long the first text may take on it, in milliseconds. */
const FIRST_TEXT_MS = 4_000;

story("the first text is there within four seconds on slow 3G", async (t) => {
  const { page, network } = await newTab(t);
  await network.send("Network.emulateNetworkConditions", SLOW_3G);
  await page.goto("/app", { waitUntil: "commit" });
  await page.getByText("Loading Groundcrew...").waitFor();
  await page.getByRole("main").getByRole("link", { name: /Shop/ }).waitFor();
  const [first, list] = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    performance.now(),
  ]);
  t.diagnostic(`first text after ${first?.toFixed(0)} ms, the list of projects after ${list?.toFixed(0)} ms`);
  assert.ok(first !== undefined && first <= FIRST_TEXT_MS, `the first text came after ${first} ms`);
});

/** The code of the list's menus and dialogs, which arrives after the list. */
const MENUS = "**/assets/menus-*.js";

story("a press on a control whose code is still loading opens it when the code arrives", async (t) => {
  const owner = await user(t);
  await owner.call("POST", "/projects", { data: { name: "Shop" } });
  const first = async (press: (page: Page) => Promise<void>) => {
    const page = await owner.context.newPage();
    const release = await hold(page, MENUS);
    await page.goto("/app");
    await page.getByRole("main").getByRole("link", { name: /Shop/ }).waitFor();
    await press(page);
    assert.equal(await page.getByRole("menu").or(page.getByRole("dialog")).count(), 0);
    return { page, release };
  };
  const actions = (page: Page) => page.getByRole("button", { name: "Actions for Shop" });
  const person = (page: Page) => page.getByRole("button", { name: /user menu/ });
  const item = (page: Page, name: string) => page.getByRole("menuitem", { name });

  await t.test("Enter on a menu, which has the arrows as ever", async () => {
    const { page, release } = await first(async (page) => {
      await actions(page).focus();
      await page.keyboard.press("Enter");
    });
    release();
    await hasFocus(item(page, "Rename"));
    await page.keyboard.press("ArrowDown");
    await hasFocus(item(page, "Duplicate"));
    await page.keyboard.press("Escape");
    await hasFocus(actions(page));
    await page.keyboard.press("Enter");
    await hasFocus(item(page, "Rename"));
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("dialog").getByLabel("Project Name"));
    await page.keyboard.press("Escape");
    await hasFocus(actions(page));
  });

  await t.test("a click on a menu", async () => {
    const { page, release } = await first((page) => person(page).click());
    release();
    await item(page, "Sign Out").first().waitFor();
    await hasFocus(page.getByRole("menu"));
    await page.keyboard.press("ArrowDown");
    await hasFocus(item(page, "View & Add Credits"));
    await person(page).click();
    await page.getByRole("menu").waitFor({ state: "hidden" });
  });

  await t.test("a click on Create", async () => {
    const create = (page: Page) => page.getByRole("button", { name: "Create New Project" });
    const { page, release } = await first((page) => create(page).click());
    release();
    await hasFocus(page.getByRole("dialog").getByLabel("Project Name"));
    await page.keyboard.press("Escape");
    await hasFocus(create(page));
  });

  await t.test("but no menu opens for a person who has gone elsewhere meanwhile", async () => {
    const { page, release } = await first(async (page) => {
      await actions(page).click();
      await page.getByRole("link", { name: /Shop/ }).focus();
      await person(page).click();
    });
    release();
    await item(page, "Sign Out").first().waitFor();
    assert.equal(await page.getByRole("menu").count(), 1);
  });
});

story("code that did not arrive is loaded again, and stays at hand without a connection", async (t) => {
  const owner = await user(t);
  await owner.call("POST", "/projects", { data: { name: "Shop" } });
  const page = await owner.context.newPage();
  let failures = 0;
  await page.route(MENUS, (route) => {
    failures += 1;
    return failures > 2 ? route.fallback() : route.abort();
  });
  await page.goto("/app");
  const actions = page.getByRole("button", { name: "Actions for Shop" });
  await actions.click();
  await page.getByRole("menuitem", { name: "Rename" }).waitFor();
  assert.equal(failures, 3);
  await page.keyboard.press("Escape");
  await owner.context.setOffline(true);
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Export my data" }).waitFor();
});

story("no link of the project home moves when its documentation arrives", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    await page.unrouteAll();
    await documented(page, { address: "203.0.113.7" });
    const release = await hold(page, "**/api/documentation/current*");
    await page.goto(`/app/${project}/home/files`);
    const links = page.getByRole("navigation", { name: "Project home" });
    const link = links.getByRole("link", { name: "Files" });
    await link.waitFor();
    // The project's name comes with an answer of its own, and not every project has a description below it.
    await page.getByText("Health page").first().waitFor({ state: "attached" });
    const before = await link.evaluate(position);
    assert.equal(await links.getByRole("link", { name: "Configuration Data" }).count(), 0);
    release();
    await links.getByRole("link", { name: "Configuration Data" }).waitFor();
    assert.deepEqual(await link.evaluate(position), before);
  }
});

/** An element's place within the block that holds it. */
const position = (element: Element) => {
  const link = element as HTMLElement;
  return [link.offsetLeft, link.offsetTop];
};
