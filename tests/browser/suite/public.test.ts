/** What visitors see: the landing page, the prices and the legal documents. */
import assert from "node:assert/strict";
import { hasFocus, tabTo } from "../support/focus.ts";
import { scene } from "../support/scene.ts";

const { visitor, user, story } = scene();

const EVENTS = "**/api/analytics/events";
const PUBLIC = ["/", "/pricing", "/terms", "/privacy", "/refund-policy"];

story("every public page describes itself to people and to crawlers", async (t) => {
  const { page } = await visitor(t);
  const titles = new Set();
  for (const path of PUBLIC) {
    const html = await (await answerAt(page, path)).text();
    assert.match(html, /<h1[ >]/, `${path} has no heading without scripts`);
    assert.match(html, /<meta name="description" content="[^"]{50,}"/, path);
    assert.match(html, /<meta property="og:image" content="[^"]+"/, path);
    titles.add(await page.title());
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1, path);
    for (const name of ["Terms", "Privacy", "Refund", "Pricing"]) {
      await page.getByRole("contentinfo").getByRole("link", { name, exact: true }).waitFor();
    }
    await page.getByRole("contentinfo").getByRole("link", { name: /@/ }).waitFor();
  }
  assert.equal(titles.size, PUBLIC.length);
  const robots = await (await answerAt(page, "/robots.txt")).text();
  assert.match(robots, /^User-agent: \*/);
  const picture = await answerAt(page, "/social.png");
  assert.equal(picture.headers()["content-type"], "image/png");
});

story("the public pages have the theme that was chosen in this browser, with its pictures", async (t) => {
  const { page } = await visitor(t, { colorScheme: "light" });
  await page.goto("/pricing");
  await page.evaluate(() => localStorage.setItem("groundcrew:theme", "dark"));
  for (const path of [...PUBLIC, "/shared#unknown"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    assert.equal(scheme, "dark", path);
  }
  await page.goto("/");
  const shot = page.locator("picture img").first();
  await shot.scrollIntoViewIfNeeded();
  await shot.evaluate((it: HTMLImageElement) => it.decode());
  assert.match(await shot.evaluate((it: HTMLImageElement) => it.currentSrc), /-dark-/);
});

story("the landing page has its texts, pictures and links", async (t) => {
  const { page } = await visitor(t);
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Build Apps, Not Infrastructure" }).waitFor();
  await page.getByRole("heading", { name: "How It Works" }).waitFor();
  await page.getByRole("button", { name: "See Proven Deployments" }).click();
  await hasFocus(page.locator("#proven"));
  const shots = page.locator("picture img");
  for (const shot of await shots.all()) {
    await shot.scrollIntoViewIfNeeded();
    await shot.evaluate((it: HTMLImageElement) => it.decode());
    assert.notEqual(await shot.getAttribute("alt"), "");
  }
  await page.getByRole("link", { name: "Pricing" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Pricing" }).waitFor();
  for (const [name, time, cost] of [
    ["Basic VPS", "14 min", "$2.00"],
    ["VPS with MySQL", "25 min", "$4.00"],
    ["VPS with PostgreSQL", "32 min", "$4.50"],
    ["ELK", "40 min", "$7.00"],
    ["EC2 with SSH", "16 min", "$3.60"],
    ["Monitoring stack", "24 min", "$4.00"],
  ]) {
    const row = await page.getByRole("row").filter({ hasText: name }).getByRole("cell").allInnerTexts();
    assert.deepEqual(row.slice(-2), [time, cost]);
  }
  await page.getByRole("button", { name: "Get Started" }).click();
  await page.getByText("No projects yet").waitFor();
});

story("each demo opens in a player that the keyboard reaches and Escape closes", async (t) => {
  const { page } = await visitor(t);
  await page.goto("/");
  const loaded: string[] = [];
  page.on("request", (request) => /\.(webm|vtt)$/.test(request.url()) && loaded.push(request.url()));
  const player = page.getByRole("dialog");
  for (const [length, cost] of [
    ["24:16", "$4.18"],
    ["45:00", "$6.60"],
  ]) {
    const card = page.getByRole("button", { name: new RegExp(`^Watch: .*\\${cost}.*${length}`) });
    await tabTo(page, card);
    const film = await card.getAttribute("data-video");
    assert.ok(film, "the card names its film");
    assert.ok(!loaded.some((url) => url.endsWith(film)), "a film was loaded before it was opened");
    await page.keyboard.press("Enter");
    await player.waitFor();
    const video = player.locator("video");
    const seconds = await video.evaluate(
      (it: HTMLVideoElement) =>
        new Promise<number>((resolve, reject) => {
          const loaded = () => resolve(it.duration);
          if (it.readyState >= 1) loaded();
          it.addEventListener("loadedmetadata", loaded);
          it.addEventListener("error", () => reject(it.error));
        }),
    );
    assert.ok(seconds > 10);
    assert.ok(
      await player.evaluate((it) => it.contains(document.activeElement)),
      "the focus is in the player",
    );
    await page.keyboard.press("Escape");
    await player.waitFor({ state: "hidden" });
    // A closed player plays nothing; the dialog's own event comes a task after it disappears.
    await page.locator("video").waitFor({ state: "detached" });
    await hasFocus(card);
    assert.ok(loaded.some((url) => url.endsWith(film)));
  }
  await page
    .getByRole("button", { name: /^Watch/ })
    .first()
    .click();
  await player.waitFor();
  await player.getByRole("button", { name: "Close player" }).click();
  await player.waitFor({ state: "hidden" });
});

story("the landing page leads signed-in users to their projects", async (t) => {
  const { page } = await user(t);
  await page.goto("/");
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
  await page.goto("/pricing");
  await page.getByRole("button", { name: "Get Started" }).click();
  await page.getByRole("heading", { name: "My Projects" }).waitFor();
});

story("a visit is counted: view, scroll milestones, stillness, presence and a bounce", async (t) => {
  const { page } = await visitor(t);
  const sent: Schemas["PageEvents"][] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/analytics/events")) sent.push(request.postDataJSON());
  });
  await page.clock.install();
  await page.goto("/");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForFunction(() => scrollY > 500);
  // The scroll event comes with the next frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.clock.runFor(31_000);
  await page.clock.runFor(5_000);
  const types = (page: string) =>
    sent.filter((it) => it.page === page).flatMap(({ events }) => events.map(({ type }) => type));
  assert.deepEqual(
    sent.flatMap(({ events }) => events.filter(({ type }) => type === "scroll").map(({ value }) => value)),
    [25, 50, 75, 100],
  );
  assert.equal(types("/")[0], "view");
  assert.ok(types("/").includes("inactive"));
  const [id, ...more] = new Set(sent.map((it) => it.visitor_id));
  assert.deepEqual(more, [], "one visitor, one id");
  assert.match(id ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(await page.evaluate(() => localStorage.getItem("groundcrew:visitor")), id);
});

for (const [name, ask] of [
  ["Do Not Track", () => Object.defineProperty(Navigator.prototype, "doNotTrack", { get: () => "1" })],
  [
    "Global Privacy Control",
    () => Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true }),
  ],
] as const) {
  story(`with ${name} nothing is counted and no id is made`, async (t) => {
    const { page } = await visitor(t);
    await page.addInitScript(ask);
    let sent = 0;
    await page.route(EVENTS, (route) => {
      sent += 1;
      return route.abort();
    });
    await page.clock.install();
    await page.goto("/");
    await page.clock.runFor(40_000);
    await page.goto("/pricing");
    assert.equal(sent, 0);
    assert.equal(await page.evaluate(() => localStorage.getItem("groundcrew:visitor")), null);
  });
}

/** Opens an address and returns what the server answered. */
async function answerAt(page: Page, path: string) {
  const response = await page.goto(path);
  assert.ok(response, `${path} answers nothing`);
  return response;
}
