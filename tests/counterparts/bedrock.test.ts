// The pipeline with Bedrock as its model, as defined by botocore: its signatures, its requests and its events.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bedrock } from "./bedrock.ts";
import { type Recorded, recorder } from "./litellm.ts";
import { product, type Schemas, wholeSuite } from "./product.ts";
import { ranAStep } from "./project.ts";

const MODEL_CHECK = fileURLToPath(new URL("../../target/debug/model-check", import.meta.url));
const run = promisify(execFile);

describe("with Bedrock as the model", () => {
  let recorded: Recorded;
  let service: Awaited<ReturnType<typeof bedrock>>;
  const suite = wholeSuite();

  before(async () => {
    const behind = await product(suite);
    const recording = await recorder(suite, `${behind.url}/_local/model/v1`);
    recorded = recording.recorded;
    service = await bedrock(suite, recording.url);
  });

  // Claude's name enables cache marks and thinking, which requests must spell as AWS does.
  for (const model of ["eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "amazon.nova-pro-v1:0"])
    test(`a request becomes a step that ran, and its tokens are charged (${model})`, async (context) => {
      const variables = { MODEL_PROVIDER: "bedrock", MODEL_BASE_URL: service.url, MODEL_NAME: model };
      const stack = await product(context, { ...variables, MODEL_EFFORT: "low" });
      const user = await stack.signIn("ada");
      const earlier = { ...recorded };
      const ran = await ranAStep(user).catch((error: unknown) => error);
      assert.equal(service.complaints(), "");
      assert.ifError(ran);
      assert.ok(recorded.calls - earlier.calls >= 6, `${recorded.calls - earlier.calls} calls`);
      const path = `/projects/${user.project}/token-usage`;
      const { input_tokens, output_tokens } = await user.json<Schemas["TokenUsageBody"]>("GET", path);
      const counted = {
        input_tokens: recorded.input - earlier.input,
        output_tokens: recorded.output - earlier.output,
      };
      assert.deepEqual({ input_tokens, output_tokens }, counted);
    });

  test("model-check finds that agents can work with it, and refuses a signature that Bedrock refuses", async () => {
    const check = async (secret: string) => {
      const model = {
        MODEL_PROVIDER: "bedrock",
        MODEL_BASE_URL: service.url,
        MODEL_NAME: "amazon.nova-pro-v1:0",
      };
      const role = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: secret };
      const env = { PATH: process.env.PATH, AWS_EC2_METADATA_DISABLED: "true", ...model, ...role };
      const ran = await run(MODEL_CHECK, [], { env }).catch((error: { stdout: string }) => error);
      return ran.stdout;
    };
    assert.match(await check("local"), /: agents can work with this model\./);
    const refused = await check("wrong");
    assert.match(refused, /BROKEN +The model answers +Refused: status 403/);
    assert.match(refused, /agents cannot work with this model/);
  });
});
