// Runs `npx cdk synth` as an operator would, without an account or a network.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { App } from "aws-cdk-lib";
import { parseDocument } from "yaml";
import { Groundcrew } from "./groundcrew.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SOURCE = join(HERE, "../template.yaml");
const DIGEST = "0123456789abcdef".repeat(4);
const IMAGE = `123456789012.dkr.ecr.us-east-1.amazonaws.com/groundcrew-sandbox@sha256:${DIGEST}`;
const CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d";
const work = mkdtempSync(join(tmpdir(), "groundcrew-cdk-"));
after(() => rmSync(work, { recursive: true }));

/** The template with its files in a bucket, as `sam package` writes it. */
function packaged() {
  const source = readFileSync(SOURCE, "utf8")
    .replaceAll(/(Binary: ([a-z-]+)\}.*?CodeUri: )\.\.$/gms, "$1s3://packages/$2.zip")
    .replaceAll(/TemplateURL: (\S+)/g, "TemplateURL: https://packages.s3.us-east-1.amazonaws.com/$1");
  const file = join(work, "packaged.yaml");
  writeFileSync(file, source);
  return file;
}

/** A template, or a part of one, in any form. @typedef {any} Value */

/**
 * The template that `npx cdk synth` writes with this context, or its error output.
 *
 * @param {Record<string, string>} context
 */
function synth(context) {
  const words = Object.entries(context).flatMap(([name, value]) => ["--context", `${name}=${value}`]);
  const output = join(work, "out");
  // No account, no profile, and a proxy on which nothing listens.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_")));
  const nowhere = "http://127.0.0.1:9";
  Object.assign(env, {
    HOME: work,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    AWS_EC2_METADATA_DISABLED: "true",
  });
  const command = ["cdk", "synth", "--quiet", "--output", output, ...words];
  const { status, stderr, stdout } = spawnSync("npx", ["--no-install", ...command], {
    cwd: HERE,
    env,
    encoding: "utf8",
  });
  /** @returns {Value} */
  const read = () => JSON.parse(readFileSync(join(output, "groundcrew.template.json"), "utf8"));
  return { status, said: stdout + stderr, template: status === 0 ? read() : undefined };
}

/**
 * The template with the short forms of functions expanded, parsed by a reader independent of CDK's.
 *
 * @param {string} file
 * @returns {Value}
 */
function original(file) {
  const functions =
    "Ref Condition Sub GetAtt FindInMap If Equals Not And Or Join Select Split Cidr GetAZs Base64 ImportValue".split(
      " ",
    );
  const name = (/** @type {string} */ tag) => (["Ref", "Condition"].includes(tag) ? tag : `Fn::${tag}`);
  const written = (/** @type {string} */ tag, /** @type {Value} */ value) => ({
    [name(tag)]: tag === "GetAtt" ? value.split(/\.(.*)/s, 2) : value,
  });
  /** @type {import("yaml").Tags} */
  const customTags = functions.flatMap((tag) => [
    { tag: `!${tag}`, resolve: (/** @type {string} */ value) => written(tag, value) },
    { tag: `!${tag}`, collection: "seq", resolve: (items) => written(tag, items.toJSON()) },
    { tag: `!${tag}`, collection: "map", resolve: (items) => written(tag, items.toJSON()) },
  ]);
  const document = parseDocument(readFileSync(file, "utf8"), { customTags });
  assert.deepEqual([...document.errors, ...document.warnings], []);
  return document.toJSON();
}

/**
 * Normalizes what CloudFormation lets one write in two ways.
 *
 * @param {Value} value
 * @returns {Value}
 */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === "Fn::GetAtt" && typeof inner === "string") return [key, inner.split(/\.(.*)/s, 2)];
      if (key === "DependsOn") return [key, [inner].flat().sort()];
      return [key, plain(inner)];
    }),
  );
}

test("without overrides nothing in the template is lost or changed", () => {
  const { template, said } = synth({ template: packaged() });
  assert.ok(template, said);
  const { Parameters, Rules, ...rest } = plain(template);
  // Checks for the bootstrap stack that the account must have, because its bucket takes the template.
  const { BootstrapVersion, ...parameters } = Parameters;
  const { CheckBootstrapVersion, ...rules } = Rules;
  assert.ok(BootstrapVersion && CheckBootstrapVersion);
  const expected = plain(original(packaged()));
  assert.deepEqual({ ...rest, Parameters: parameters, Rules: rules }, expected);
  assert.equal(template.Transform, "AWS::Serverless-2016-10-31");
});

test("domain, image and the alarms' address are set, and nothing else changes", () => {
  const chosen = { domainName: "app.example.com", certificateArn: CERTIFICATE, sandboxImage: IMAGE };
  const { template, said } = synth({ template: packaged(), alarmEmail: "ops@example.com", ...chosen });
  assert.ok(template, said);
  const { Resources, Conditions, Parameters } = template;
  const distribution = Resources.Distribution.Properties.DistributionConfig;
  assert.deepEqual(distribution.Aliases["Fn::If"][1], ["app.example.com"]);
  assert.equal(distribution.ViewerCertificate["Fn::If"][1].AcmCertificateArn, CERTIFICATE);
  assert.deepEqual(Conditions.HasDomain, { "Fn::Not": [{ "Fn::Equals": ["app.example.com", ""] }] });
  const [container] = Resources.SandboxTask.Properties.ContainerDefinitions;
  assert.equal(container.Image["Fn::If"][2], IMAGE);
  assert.equal(Resources.AlarmSubscription.Properties.Endpoint, "ops@example.com");
  // Remaining parameters would pass on the values of an earlier deployment.
  for (const name of ["DomainName", "CertificateArn", "SandboxImage", "AlarmEmail"])
    assert.ok(!(name in Parameters), name);
  const kept = original(packaged());
  assert.deepEqual(Object.keys(Resources).sort(), Object.keys(kept.Resources).sort());
  assert.deepEqual(plain(template.Outputs.WebSocketUrl ?? null), plain(kept.Outputs.WebSocketUrl ?? null));
  assert.ok(!JSON.stringify(template).includes('"Ref":"DomainName"'));
});

/**
 * The stack's template, synthesized in this process.
 *
 * @param {Partial<ConstructorParameters<typeof Groundcrew>[2]>} props
 * @returns {Value}
 */
function template(props) {
  const app = new App();
  new Groundcrew(app, "groundcrew", { template: packaged(), ...props });
  return app.synth().getStackByName("groundcrew").template;
}

test("an alarm's threshold and any other parameter can be set", () => {
  const made = template({
    alarmThresholds: { StepsAgeAlarm: 900 },
    parameters: { SandboxCpu: "2048", LogLevel: "debug" },
  });
  assert.equal(made.Resources.StepsAgeAlarm.Properties.Threshold, 900);
  assert.equal(made.Resources.SandboxTask.Properties.Cpu, "2048");
  assert.equal(made.Globals.Function.Environment.Variables.RUST_LOG, "debug");
});

test("a value that CloudFormation would refuse fails before the deployment", () => {
  const image = "groundcrew-sandbox:latest";
  assert.throws(() => template({ sandboxImage: image }), /SandboxImage names an image by its digest/);
  assert.throws(() => template({ parameters: { SandboxCpu: "1000" } }), /SandboxCpu cannot be "1000"/);
  assert.throws(() => template({ parameters: { Sandboxcpu: "1024" } }), /Sandboxcpu.*was not found/);
  assert.throws(() => template({ template: SOURCE }), /names a local file .*sam package/);
});
