/** The composer shows what will be sealed before a message is sent, and the author can correct it. */
import assert from "node:assert/strict";
import { scene } from "../support/scene.ts";

const { user, story } = scene();

story("the composer shows what it seals, unmarks a find, and seals what is marked", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("requirements"));
  const input = page.getByLabel("Message to Requirements agent");
  const secrets = page.getByRole("region", { name: "Secrets in this message" });
  await input.fill("The database password is hunter2!xYz9 and the host is quiet-harbour");
  await secrets.getByText("hunter2!xYz9").waitFor();
  await page.getByText("This draft contains a secret, so it is not kept").waitFor();
  await secrets.getByRole("button", { name: "Not a secret" }).dblclick();
  await secrets.getByText("is sent as you typed it").waitFor();
  await secrets.getByRole("button", { name: "Seal it" }).click();
  await secrets.getByRole("button", { name: "Not a secret" }).waitFor();

  await input.focus();
  await page.keyboard.press("End");
  for (const _ of "quiet-harbour") await page.keyboard.press("Shift+ArrowLeft");
  await secrets.getByRole("button", { name: "Mark the selection as secret" }).click();
  await secrets.getByText("quiet-harbour").waitFor();
  await input.press("Enter");
  const log = page.getByRole("log", { name: "Conversation with Requirements agent" });
  await log
    .getByText(/secret:/)
    .first()
    .waitFor();
  await page.reload();
  await log.getByText("The database password is").waitFor();
  const said = await log.innerText();
  assert.ok(!said.includes("hunter2!xYz9") && !said.includes("quiet-harbour"), said);
});
