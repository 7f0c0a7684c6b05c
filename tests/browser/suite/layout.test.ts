/** What stays in sight, what does not move while it is read, and what long names and other scripts do to a page. */
import assert from "node:assert/strict";
import { answering, hold } from "../support/calls.ts";
import { boxOf, drawn } from "../support/drawn.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene, WIDE } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** A wish with questions left, to which a long reply and suggestions belong. */
const OPEN_WISH = "PostgreSQL with Keycloak, Kafka and Consul in Helsinki";

/** How far the end of a scrolling element is out of sight, in pixels. */
const hidden = (log: Locator) =>
  log.evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight));

story("the end of a conversation stays in sight while the message below it grows", async (t) => {
  const owner = await user(t, { viewport: { width: 1440, height: 600 } });
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  const workspace = new Workspace(page);
  await workspace.say("Requirements agent", OPEN_WISH);
  const log = page.getByRole("log", { name: "Conversation with Requirements agent" });
  await page.getByRole("button", { name: "What is still open?" }).waitFor();
  await drawn(page);
  assert.ok((await hidden(log)) <= 1, "the suggestions take no line of the reply");
  const input = page.getByLabel("Message to Requirements agent");
  await input.fill("one\ntwo\nthree\nfour\nfive\nsix");
  await drawn(page);
  assert.ok((await hidden(log)) <= 1, "neither does a long message");
  await input.pressSequentially(" and more");
  await drawn(page);
  assert.ok((await hidden(log)) <= 1, "nor one more word in it");
  for (const size of [PHONE, { width: 780, height: 390 }, { width: 1440, height: 600 }]) {
    await page.setViewportSize(size);
    await drawn(page);
    assert.ok((await hidden(log)) <= 1, `nor does a window of ${size.width}x${size.height}`);
  }
  await input.fill("");
  await log.hover();
  await page.mouse.wheel(0, -2_000);
  await page.waitForFunction(() => document.querySelector("[role=log]")?.scrollTop === 0);
  await input.fill("one\ntwo\nthree\nfour\nfive\nsix");
  await drawn(page);
  assert.equal(await log.evaluate((log) => log.scrollTop), 0, "a reader who scrolled up stays there");
});

/** The background of a stage's node, as the browser computes it. */
const nodeOf = (page: Page, stage: string) =>
  page
    .getByRole("navigation", { name: "Stages" })
    .first()
    .getByRole("listitem")
    .filter({ hasText: stage })
    .locator(".rounded-full")
    .evaluate((node) => getComputedStyle(node).backgroundColor);

/** A color of the page, as the browser computes it. */
const colorOf = (page: Page, name: string) =>
  page.evaluate((name) => {
    const sample = document.body.appendChild(document.createElement("i"));
    sample.style.backgroundColor = `var(--${name})`;
    const color = getComputedStyle(sample).backgroundColor;
    sample.remove();
    return color;
  }, name);

story("only what waits for its owner is amber, whichever stage they look at", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  const kind = async (name: string) => {
    const button = page.getByRole("button", { name, exact: true });
    await button.and(page.locator(":enabled")).waitFor();
    return button.evaluate((button) => getComputedStyle(button).backgroundColor);
  };
  for (const [stage, name, button] of [
    ["requirements", "Requirements", "Confirm Requirements & Continue"],
    ["architecture", "Cloud architecture", "Confirm Architecture & Continue"],
    ["implementation", "Implementation", "Confirm Plan & Start Execution"],
    ["execution", "Execution", "Proceed to Validation Stage"],
  ] as const) {
    await owner.open(project, `?stage=${stage}`);
    await new Workspace(page).stage(name).waitFor();
    const [signal, ok] = [await colorOf(page, "signal"), await colorOf(page, "ok")];
    assert.notEqual(await kind(button), signal, `${button} is not needed again`);
    assert.equal(await nodeOf(page, name), ok, `${name} stays completed`);
    assert.equal(await nodeOf(page, "Validation"), signal, "validation waits");
  }
  await inspect(page, "a completed stage", ["light 1440", "dark 390"]);
});

story("every suggested message can be reached, also with a mouse and on a phone", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  const replies = page.getByRole("group", { name: "Suggested replies" });
  const chat = page.getByRole("region", { name: "Requirements agent chat" });
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    await drawn(page);
    const [inner, outer] = [await boxOf(replies), await boxOf(chat)];
    assert.ok(inner.x + inner.width <= outer.x + outer.width, `they end in the card at ${size.width} px`);
  }
});

story("a panel's tabs and a summary's status are whole, however little room there is", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await owner.open(project, "?panel=terminal");
  await page.getByText("connected", { exact: true }).waitFor();
  const [list, files] = [page.getByRole("tablist").first(), page.getByRole("tab", { name: "Files" })];
  const ends = async (place: Locator) => {
    const { x, width } = await boxOf(place);
    return x + width;
  };
  assert.ok((await ends(files)) <= (await ends(list)) + 1, "the last tab is in sight");
  await owner.open(project, "?stage=execution");
  const card = page.getByRole("region", { name: "Execution progress" });
  const status = card.getByRole("definition").filter({ hasText: /^completed$/ });
  for (const width of [768, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await drawn(page);
    const over = (await ends(status.locator("span").first())) - (await ends(card));
    assert.ok(over <= 0, `the status ends ${over} px beyond the card at ${width} px`);
  }
});

story("the estimate takes its place before it is known", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    await page.unrouteAll();
    const release = await hold(page, "**/api/execution/estimate*");
    await owner.open(project);
    const workspace = new Workspace(page);
    await workspace.step(1).is("waiting approval");
    const above = page.getByText("Current Execution");
    const distance = async () => (await boxOf(workspace.autoApprove)).y - (await boxOf(above)).y;
    const before = await distance();
    release();
    await page.getByRole("region", { name: "Estimate" }).waitFor();
    assert.equal(await distance(), before, `at ${size.width} px`);
  }
});

story("the project home does not move as its last backup gets older", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  const sandbox = await owner.call("GET", `/sandbox/status/${project}`, { project });
  await page.clock.install();
  const workspace = { bytes: 48_000, max_bytes: 5_000_000_000 };
  const last_sync_time = await page.evaluate(() => new Date().toISOString());
  await answering(page, `**/api/sandbox/status/${project}`, {
    json: { ...sandbox, container_status: "Running", last_sync_time, workspace },
  });
  for (const size of [WIDE, { width: 1024, height: 900 }, { width: 768, height: 900 }]) {
    await page.setViewportSize(size);
    await page.clock.setSystemTime(new Date(last_sync_time));
    await page.goto(`/app/${project}/home/environment-guide`);
    const guide = page.getByRole("main").getByRole("heading", { level: 2 }).first();
    await page.getByText("Just now").first().waitFor();
    const before = await boxOf(guide);
    for (const [minutes, text] of [
      [1, "1 minute ago"],
      [2, "2 minutes ago"],
      [12, "12 minutes ago"],
    ] as const) {
      await page.clock.setSystemTime(new Date(Date.parse(last_sync_time) + minutes * 60_000));
      await page.clock.runFor(16_000);
      await page.getByText(text).first().waitFor();
      assert.deepEqual(await boxOf(guide), before, `${text} at ${size.width} px`);
    }
  }
});

/** How much of a page may move while it loads, as browsers count it: less than a line of text. */
const MOVES = 0.01;

story("a page on a phone takes its place before its parts are known", async (t) => {
  const owner = await user(t, { viewport: PHONE });
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await owner.runAll(project, "validation");
  const data = { is_completed: true };
  await owner.call("PUT", `/project-states/${project}/stages/validation`, { project, data });
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += Number(Reflect.get(entry, "value"));
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const [path, ready] of [
    ["", page.getByText(/steps completed$/)],
    ["/home/environment-guide", page.getByRole("link", { name: "Change something" })],
    ["/timeline", page.getByRole("button", { name: /^Step 1: / })],
    ["/audit", page.getByRole("button", { name: "Delete project" })],
  ] as const) {
    await page.goto(`/app/${project}${path}`);
    await ready.first().waitFor({ state: "attached" });
    await page.getByRole("button", { name: /user menu/ }).waitFor();
    await drawn(page);
    const shift = await page.evaluate(() => window.shift);
    assert.ok(shift <= MOVES, `${path} moves by ${shift}`);
  }
});

story("the person's menu is in sight at the end of every rail, and a long name ends in it", async (t) => {
  const login = "maximiliana-with-a-very-long-login-x";
  const owner = await user(t, {}, login);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  const person = page.getByRole("button", { name: /user menu/ }).first();
  for (const viewport of [WIDE, { width: 1024, height: 700 }, { width: 768, height: 500 }]) {
    await page.setViewportSize(viewport);
    for (const place of ["/home", ""]) {
      await page.goto(`/app/${project}${place}`);
      await page.getByRole("link", { name: "View Details" }).first().waitFor();
      const { x, y, width, height } = await boxOf(person);
      const at = `${place} at ${viewport.width}x${viewport.height}`;
      assert.ok(y + height <= viewport.height, `${at}: it ends at ${y + height}`);
      const rail = await boxOf(page.getByRole("complementary").first());
      assert.ok(x + width <= rail.x + rail.width, `${at}: it is ${width} px wide`);
    }
  }
  await person.click();
  await page.getByRole("menuitem", { name: "Sign Out" }).first().click({ trial: true });
});

story("a text that is written from right to left is drawn so", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const text = "خادم ويب صغير، من فضلك.";
  const project = await owner.projectAt("requirements", { description: text });
  await page.reload();
  const direction = (place: Locator) => place.evaluate((element) => getComputedStyle(element).direction);
  assert.equal(await direction(page.getByText(text)), "rtl");
  await owner.open(project);
  const input = page.getByLabel("Message to Requirements agent");
  await input.fill(text);
  assert.equal(await direction(input), "rtl");
  await input.press("Enter");
  const log = page.getByRole("log", { name: "Conversation with Requirements agent" });
  assert.equal(await direction(log.getByText(text).first()), "rtl");
});

story("a very long word leaves the other columns of its table in sight", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  const word = "donaudampfschifffahrts".repeat(5);
  await new Workspace(page).say("Requirements agent", `Please build the ${word} for me`);
  const table = page.getByRole("group", { name: "Table" }).filter({ hasText: "Your words" });
  await table.getByText(word).first().waitFor();
  const over = await table.first().evaluate((table) => table.scrollWidth - table.clientWidth);
  assert.ok(over <= 0, `${over} px of it are out of sight`);
});
