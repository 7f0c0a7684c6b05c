// A CDK app with one stack, configured by context (`-c domainName=…`, or the section `context` of cdk.json).

import { App } from "aws-cdk-lib";
import { Groundcrew } from "./groundcrew.js";

const app = new App();
const context = (/** @type {string} */ name) => app.node.tryGetContext(name);

new Groundcrew(app, context("stackName") ?? "groundcrew", {
  template: context("template") ?? "../../target/packaged.yaml",
  domain: context("domainName") && { name: context("domainName"), certificateArn: context("certificateArn") },
  sandboxImage: context("sandboxImage"),
  alarmEmail: context("alarmEmail"),
  alarmThresholds: context("alarmThresholds"),
  parameters: context("parameters"),
});
