/** The history of a project on one page. */
import { inspect } from "../support/inspect.js";
import { PHONE, scene } from "../support/scene.js";

const { user, story } = scene();

story(
  "the timeline says what was written, who approved what, what it printed and what the day cost",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await owner.runAll(project);
    await owner.open(project);
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("heading", { name: "Timeline", level: 1 }).waitFor();
    await page.getByText("Requirements, version 1").waitFor();
    await page.getByText("Implementation plan, version 1").waitFor();
    await page.getByText(/^\$0\.\d{4}$/).waitFor();
    const step = page.getByRole("button", { name: /^Step 1: / });
    await step.getByText(`Approved by @${owner.login}`).waitFor();
    await step.click();
    await page.getByRole("group", { name: "What step 1 printed" }).waitFor();
    await inspect(page, "a timeline");
  },
);

story("on a phone the timeline is one touch away from the steps", async (t) => {
  const owner = await user(t, { viewport: PHONE });
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  await page.getByRole("link", { name: "Timeline" }).click();
  await page.getByRole("heading", { name: "Timeline", level: 1 }).waitFor();
  await page.getByText("Implementation plan, version 1").waitFor();
});
