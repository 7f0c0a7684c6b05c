/** The changes of a saved Terraform plan are shown next to the step that applies it. */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { inspect } from "../support/inspect.ts";
import { scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

const PLAN = `cat >terraform/main.tf <<'EOF'
resource "terraform_data" "box" {
  input = { size = "small", note = "made by a story" }
}

resource "terraform_data" "key" {
  input = sensitive("never shown on a page")
}
EOF
terraform -chdir=terraform init -input=false -no-color
terraform -chdir=terraform plan -input=false -no-color -out=tfplan`;

const APPLY = `terraform -chdir=terraform apply -input=false -no-color tfplan
rm terraform/tfplan`;

/** Replaces the waiting script with another one, keeps its proof, and approves nothing. */
async function write(page: Page, number: number, script: string) {
  const step = new Workspace(page).step(number);
  await step.is("waiting approval");
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  const review = page.getByRole("dialog", { name: /^Review: / });
  await review.getByRole("button", { name: "Edit", exact: true }).click();
  const text = page.getByRole("dialog", { name: /^Edit: / }).getByLabel(`Text of step ${number}`);
  const line = /^# --- proof:.*$/m.exec(await text.inputValue());
  assert.ok(line);
  await text.fill(`${script}\n\n${line[0]}\ntest -s terraform/main.tf\n`);
  await page.getByRole("button", { name: "Save as your script" }).click();
  await review.getByRole("tab", { name: "Edited by you", selected: true }).waitFor();
  return { step, review };
}

story("an owner sees what Terraform will change before they approve the step that applies it", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const planning = await write(page, 1, PLAN);
  await planning.review.getByRole("button", { name: "Approve", exact: true }).click();
  await planning.step.is("completed");
  await planning.step.open();
  const saved = planning.step.card.getByRole("region", { name: "The saved plan" });
  await saved.getByText("2 to create").waitFor();

  const { step, review } = await write(page, 2, APPLY);
  await review.getByRole("region", { name: "What this command changes" }).getByText("2 to create").waitFor();
  await inspect(page, "the review of a plan that is applied");
  await page.keyboard.press("Escape");
  const changes = step.card.getByRole("region", { name: "What this command changes" });
  const resources = changes.getByRole("list", { name: "Resources" });
  for (const address of ["terraform_data.box", "terraform_data.key"]) {
    await resources.getByText(address).click();
  }
  await resources.getByText('{"note":"made by a story","size":"small"}').waitFor();
  await resources.getByText("sensitive, not shown").first().waitFor();
  assert.equal(await changes.getByText("never shown").count(), 0);
  await inspect(page, "a step that applies a plan");
  await step.approve.click();
  await step.is("completed");
  await step.open();
  await step.output
    .getByText(/terraform_data\.\w+: Creating/)
    .first()
    .waitFor();
});
