// The pipeline with LiteLLM's proxy as its model, in each protocol that the product speaks.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { litellm, type Recorded, recorder } from "./litellm.ts";
import { product, type Schemas, wholeSuite } from "./product.ts";
import { ranAStep } from "./project.ts";

describe("with LiteLLM as the model", () => {
  let proxy: Awaited<ReturnType<typeof litellm>>;
  let recorded: Recorded;
  const suite = wholeSuite();

  before(async () => {
    const behind = await product(suite);
    const recording = await recorder(suite, `${behind.url}/_local/model/v1`);
    recorded = recording.recorded;
    proxy = await litellm(suite, recording.url);
  });

  for (const provider of ["anthropic", "openai"])
    test(`a request becomes a step that ran, and its tokens are charged (${provider})`, async (context) => {
      const model = { MODEL_PROVIDER: provider, MODEL_BASE_URL: `${proxy.url}/v1/` };
      const stack = await product(context, { ...model, MODEL_NAME: "blueprint-1", MODEL_API_KEY: proxy.key });
      const user = await stack.signIn("ada");
      const before = { ...recorded };
      await ranAStep(user);
      const usage = await user.json<Schemas["TokenUsageBody"]>(
        "GET",
        `/projects/${user.project}/token-usage`,
      );
      assert.ok(recorded.calls - before.calls >= 6, `${recorded.calls - before.calls} calls`);
      const truth = {
        input_tokens: recorded.input - before.input,
        output_tokens: recorded.output - before.output,
      };
      const { input_tokens, output_tokens } = usage;
      assert.deepEqual({ input_tokens, output_tokens }, truth);
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
      user.project = (await user.json<Schemas["Project"]>("POST", "/projects", { name: "Orders" })).id;
      const before = recorded.calls;
      const said = await (
        await user.call("POST", "/planning/requirements-gatherer", { message: "A small web service" })
      ).text();
      // Without a database, LiteLLM answers an unknown key with 400 instead of 401.
      assert.match(said, /"code":"model_invalid_request"/, said);
      assert.doesNotMatch(said, /sk-wrong|Traceback/);
      assert.equal(recorded.calls, before);
      const usage = await user.json<Schemas["TokenUsageBody"]>(
        "GET",
        `/projects/${user.project}/token-usage`,
      );
      assert.equal(Number(usage.total_cost), 0);
    });
});
