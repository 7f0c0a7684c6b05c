// The pipeline with LiteLLM's proxy as its model, in each protocol that the product speaks.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { litellm, recorder } from "./litellm.js";
import { product, soon } from "./product.js";

const WISH =
  "A small web service with a health check inside the sandbox itself, named orders, the other things by default";

/** By how much an estimate of the product's may differ from the model's own count, as a fraction. */
const ESTIMATE_OFF = 0.05;

/** Everything from the wish to the first approved step. */
async function goThrough(user) {
  const { id } = await user.json("POST", "/projects", { name: "Orders" });
  user.project = id;
  const chat = await user.call("POST", "/planning/requirements-gatherer", { message: WISH });
  const said = await chat.text();
  assert.equal(chat.status, 200, said);
  assert.match(said, /on_chat_model_stream/);
  assert.match(said, /on_chat_model_end/);
  assert.equal((await user.json("GET", "/planning/requirements")).ready_to_continue, true, said);
  await plan(user, "cloud-architect", "architecture-plan", "requirements", "architecture");
  await plan(user, "implementation-planner", "implementation-plan", "architecture", "implementation");
  await soon("the sandbox to be up", async () => {
    const { status } = await user.json("POST", `/sandbox/initialize/${id}`, {});
    assert.notEqual(status, "failed");
    return status === "success";
  });
  await user.json("POST", "/execution/trigger", { message: "Start execution" });
  const { step, plan_id } = await stepIs(user, "waiting_approval");
  assert.match(step.command, /^#!\/usr\/bin\/env bash/);
  const { step_number, command_sha256, attempt } = step;
  await user.json("POST", "/execution/approve-step", {
    plan_id,
    step_number,
    approved: true,
    command_sha256,
    attempt,
  });
  const done = await stepIs(user, "completed");
  assert.equal(done.step.exit_code, 0);
  // The next step is prepared meanwhile: with it, no call is under way.
  await stepIs(user, "waiting_approval", 2);
}

async function plan(user, agent, name, stage, next) {
  await user.json("POST", `/planning/${agent}`, { message: "Generate the plan" });
  const states = `/project-states/${user.project}`;
  await user.json("PUT", `${states}/stages/${stage}`, { is_completed: true });
  await user.json("PUT", `${states}/current-stage/${next}`, {});
  const text = await soon(`the ${name} to be ready`, async () => {
    const answer = await user.call("GET", `/planning/${name}`);
    const status = answer.headers.get("plan-status");
    assert.notEqual(status, "failed", await answer.clone().text());
    return status === "ready" && answer.text();
  });
  assert.match(text, /orders/);
}

function stepIs(user, status, number = 1) {
  return soon(`step ${number} to be ${status}`, async () => {
    const { id, steps } = await user.json("GET", "/execution/progress");
    const step = steps.find((one) => one.step_number === number);
    assert.notEqual(step?.status, "failed", JSON.stringify(step));
    return step?.status === status && { step, plan_id: id };
  });
}

describe("with LiteLLM as the model", () => {
  let proxy;
  let recorded;

  // What a hook registers with its own `after` would end with the hook.
  const ends = [];
  const suite = { after: (end) => ends.unshift(end) };
  after(async () => {
    for (const end of ends) await end();
  });

  before(async () => {
    const behind = await product(suite);
    const recording = await recorder(suite, `${behind.url}/_local/model/v1`);
    recorded = recording.recorded;
    proxy = await litellm(suite, recording.url);
  });

  for (const provider of ["anthropic", "openai"])
    test(`a wish becomes a step that ran, and its tokens are charged (${provider})`, async (context) => {
      const model = { MODEL_PROVIDER: provider, MODEL_BASE_URL: `${proxy.url}/v1/` };
      const stack = await product(context, { ...model, MODEL_NAME: "blueprint-1", MODEL_API_KEY: proxy.key });
      const user = await stack.signIn("ada");
      const before = { ...recorded };
      await goThrough(user);
      const usage = await user.json("GET", `/projects/${user.project}/token-usage`);
      assert.ok(recorded.calls - before.calls >= 6, `${recorded.calls - before.calls} calls`);
      const truth = {
        input_tokens: recorded.input - before.input,
        output_tokens: recorded.output - before.output,
      };
      const { input_tokens, output_tokens } = usage;
      if (provider === "anthropic") return assert.deepEqual({ input_tokens, output_tokens }, truth);
      // README.md: LiteLLM's last chunk has a choice beside the usage, genai reads past it, and the meter estimates.
      assert.notDeepEqual(
        { input_tokens, output_tokens },
        truth,
        "genai reads it now: expect what Anthropic's has",
      );
      for (const [kind, counted] of Object.entries(truth)) {
        const off = usage[kind] / counted - 1;
        assert.ok(Math.abs(off) < ESTIMATE_OFF, `${kind}: ${usage[kind]} instead of ${counted}`);
      }
    });

  for (const provider of ["anthropic", "openai"])
    test(`a key that LiteLLM refuses ends the reply with an error, and nothing is charged (${provider})`, async (context) => {
      const model = { MODEL_PROVIDER: provider, MODEL_BASE_URL: `${proxy.url}/v1/` };
      const stack = await product(context, {
        ...model,
        MODEL_NAME: "blueprint-1",
        MODEL_API_KEY: "sk-wrong",
      });
      const user = await stack.signIn("ada");
      user.project = (await user.json("POST", "/projects", { name: "Orders" })).id;
      const before = recorded.calls;
      const said = await (
        await user.call("POST", "/planning/requirements-gatherer", { message: WISH })
      ).text();
      // Without a database, LiteLLM answers an unknown key with 400 instead of 401.
      assert.match(said, /"code":"model_invalid_request"/, said);
      assert.doesNotMatch(said, /sk-wrong|Traceback/);
      assert.equal(recorded.calls, before);
      const usage = await user.json("GET", `/projects/${user.project}/token-usage`);
      assert.equal(Number(usage.total_cost), 0);
    });
});
