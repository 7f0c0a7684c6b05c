/** A conversation goes on: in another tab, after a detour, and after a reload in the middle of a sentence. */
import assert from "node:assert/strict";
import { drawn } from "../support/drawn.ts";
import { scene } from "../support/scene.ts";
import { WISH } from "../support/user.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** A little more than the interval at which a page reads a conversation, in milliseconds. */
const POLL_MS = 11_000;

const conversation = (page: Page) => page.getByRole("log", { name: "Conversation with Requirements agent" });
const composer = (page: Page) => page.getByLabel("Message to Requirements agent");

story("another tab follows the conversation, and keeps its draft and the reader's place", async (t) => {
  const owner = await user(t, { viewport: { width: 1440, height: 600 } });
  const { page } = owner;
  const project = await owner.projectAt("requirements");
  await owner.open(project);
  const tab = await owner.context.newPage();
  await tab.clock.install();
  await tab.goto(`/app/${project}`);
  await composer(tab).fill("half a sent");
  const workspace = new Workspace(page);
  await workspace.say("Requirements agent", WISH);
  await tab.clock.fastForward(POLL_MS);
  await conversation(tab).getByText(WISH).waitFor();

  await workspace.say("Requirements agent", "What is still open?");
  await tab.clock.fastForward(POLL_MS);
  await conversation(tab).getByText("What is still open?").waitFor();
  await conversation(tab).hover();
  await tab.mouse.wheel(0, -2_000);
  await conversation(tab).evaluate(
    (log) =>
      new Promise<void>((top) =>
        log.scrollTop === 0 ? top() : log.addEventListener("scrollend", () => top()),
      ),
  );
  await workspace.say("Requirements agent", "Use port 9191");
  await tab.clock.fastForward(POLL_MS);
  await conversation(tab).getByText("Use port 9191").first().waitFor();
  await drawn(tab);
  assert.equal(await conversation(tab).evaluate((log) => log.scrollTop), 0, "the reader is still at the top");
  assert.equal(await composer(tab).inputValue(), "half a sent");
});
