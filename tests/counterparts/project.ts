// Takes a project from the request to a waiting step and beyond, using only API calls.

import assert from "node:assert/strict";
import { type Schemas, soon, type User } from "./product.ts";

const WISH =
  "A small web service with a health check inside the sandbox itself, named orders, the other things by default";

/** A step of a plan. */
export interface Seen {
  step: Schemas["StepBody"];
  plan_id: string;
}

/** Everything from a request for something named `orders` to the execution, whose first step waits for its owner. */
export async function begun(user: User, wish = WISH) {
  const { id } = await user.json<Schemas["Project"]>("POST", "/projects", { name: "Orders" });
  user.project = id;
  return planned(user, wish);
}

/** Everything from a request in the open project to the execution. */
export async function planned(user: User, wish: string) {
  const chat = await user.call("POST", "/planning/requirements-gatherer", { message: wish });
  const said = await chat.text();
  assert.equal(chat.status, 200, said);
  assert.match(said, /on_chat_model_stream/);
  assert.match(said, /on_chat_model_end/);
  const { ready_to_continue } = await user.json<Schemas["RequirementsBody"]>("GET", "/planning/requirements");
  assert.equal(ready_to_continue, true, said);
  await plan(user, "cloud-architect", "architecture-plan", "requirements", "architecture");
  await plan(user, "implementation-planner", "implementation-plan", "architecture", "implementation");
  await soon("the sandbox to be up", async () => {
    const path = `/sandbox/initialize/${user.project}`;
    const { status } = await user.json<Schemas["ActionBody"]>("POST", path, {});
    assert.notEqual(status, "failed");
    return status === "success";
  });
  await user.json("POST", "/execution/trigger", { message: "Start execution" });
  return stepIs(user, "waiting_approval");
}

async function plan(user: User, agent: string, name: string, stage: string, next: string) {
  await user.json("POST", `/planning/${agent}`, { message: "Generate the plan" });
  await confirm(user, stage, next);
  const text = await soon(`the ${name} to be ready`, async () => {
    const answer = await user.call("GET", `/planning/${name}`);
    const status = answer.headers.get("plan-status");
    assert.notEqual(status, "failed", await answer.clone().text());
    return status === "ready" && answer.text();
  });
  assert.match(text, /orders/);
}

/** Confirms a stage, and goes to the next one if there is one. */
export async function confirm(user: User, stage: string, next?: string) {
  const states = `/project-states/${user.project}`;
  await user.json("PUT", `${states}/stages/${stage}`, { is_completed: true });
  if (next) await user.json("PUT", `${states}/current-stage/${next}`, {});
}

/** A step and its plan once it has this status; any other final status is an error. */
export async function stepIs(user: User, status: Schemas["StepStatus"], number = 1): Promise<Seen> {
  let seen: Schemas["StepBody"] | undefined;
  const looked = soon(`step ${number} to be ${status}`, async () => {
    const { id, steps } = await user.json<Schemas["Progress"]>("GET", "/execution/progress");
    const step = steps.find((one) => one.step_number === number);
    seen = step;
    if (status !== "failed") assert.notEqual(step?.status, "failed", JSON.stringify(step));
    return step?.status === status && { step, plan_id: id };
  });
  return looked.catch((failure: unknown) => {
    console.log(`The last state of step ${number}: ${JSON.stringify(seen, null, 1)}`);
    throw failure;
  });
}

/** Approves the command that is shown. */
export async function approve(user: User, { step, plan_id }: Seen) {
  const { step_number, command_sha256, attempt } = step;
  const approval = { plan_id, step_number, approved: true, command_sha256, attempt };
  await user.json("POST", "/execution/approve-step", approval);
}

/** Replaces the waiting script with another one, and approves it. */
export async function runInstead(user: User, { step, plan_id }: Seen, script: string) {
  const { step_number, command_sha256, attempt } = step;
  const edit = { plan_id, step_number, attempt, command_sha256, script };
  const edited = await user.json<Schemas["StepBody"]>("POST", "/execution/edit-step", edit);
  await approve(user, { step: edited, plan_id });
}

/** Everything from the request to the first step that was approved and ran. */
export async function ranAStep(user: User) {
  const waiting = await begun(user);
  assert.match(waiting.step.command ?? "", /^#!\/usr\/bin\/env bash/);
  await approve(user, waiting);
  const done = await stepIs(user, "completed");
  assert.equal(done.step.exit_code, 0);
  // Meanwhile the next step is prepared: once that is done, no call is in progress.
  await stepIs(user, "waiting_approval", 2);
}
