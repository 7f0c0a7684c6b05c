// The packaged template as a stack of a CDK app.

import { readFileSync } from "node:fs";
import { Stack, Validations } from "aws-cdk-lib";
import { CfnInclude } from "aws-cdk-lib/cloudformation-include";

/**
 * Groundcrew.
 *
 * The template keeps its `Transform`: CloudFormation expands SAM's resources when it deploys them, as it does for
 * `sam deploy`. Values replace the template's parameters instead of becoming their defaults: `cdk deploy` passes on a
 * parameter's earlier value, so a changed default would have no effect.
 */
export class Groundcrew extends Stack {
  /**
   * @param {import("constructs").Construct} scope
   * @param {string} id
   * @param {import("aws-cdk-lib").StackProps & {
   *   template: string,
   *   domain?: { name: string, certificateArn: string },
   *   sandboxImage?: string,
   *   alarmEmail?: string,
   *   alarmThresholds?: Record<string, number>,
   *   parameters?: Record<string, string>,
   * }} props `template` is the file that `sam package` wrote, `sandboxImage` names the image by its digest,
   *   `alarmThresholds` has numbers by the logical ids of alarms, and `parameters` are others of the template.
   */
  constructor(
    scope,
    id,
    { template, domain, sandboxImage, alarmEmail, alarmThresholds, parameters, ...props },
  ) {
    super(scope, id, props);
    refuseLocalFiles(template);
    const values = given({
      ...parameters,
      DomainName: domain?.name,
      CertificateArn: domain?.certificateArn,
      SandboxImage: sandboxImage,
      AlarmEmail: alarmEmail,
    });
    // Before SAM's expansion, the REST API's stage is part of the API, so the distribution seems to depend on itself.
    const included = { templateFile: template, allowCyclicalReferences: true };
    // CloudFormation will not see these parameters, so their constraints are checked now.
    const original = new CfnInclude(new Stack(), "Template", included);
    for (const [name, value] of Object.entries(values)) checkValue(original.getParameter(name), name, value);
    /** The template's resources by logical id: `groundcrew.template.getResource("Table")`. */
    this.template = new CfnInclude(this, "Template", { ...included, parameters: values });
    for (const [name, threshold] of Object.entries(alarmThresholds ?? {})) {
      const alarm = /** @type {import("aws-cdk-lib/aws-cloudwatch").CfnAlarm} */ (
        this.template.getResource(name)
      );
      alarm.threshold = threshold;
    }
    Validations.of(this).acknowledge(
      {
        id: "CloudFormation-Validate::W8003",
        reason: "A condition on a value that is set here always has the same result.",
      },
      {
        id: "CloudFormation-Validate::F3014",
        reason: "The distribution has one certificate, but Fn::If chooses it.",
      },
    );
  }
}

/**
 * Removes the entries that are undefined.
 *
 * @param {Record<string, string | undefined>} values
 * @returns {Record<string, string>}
 */
function given(values) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Refuses the unpackaged template from the repository: CloudFormation could not read the files that it names.
 *
 * @param {string} template
 */
function refuseLocalFiles(template) {
  const local = /^\s*(?:CodeUri|TemplateURL): (?!s3:|https?:)\S+/m.exec(readFileSync(template, "utf8"));
  if (local)
    throw new Error(
      `${template} names a local file (${local[0].trim()}). Run \`sam build\` and \`sam package\`, and give the file that ` +
        "they write (infra/cdk/README.md).",
    );
}

/**
 * Refuses a value that the parameter would not allow.
 *
 * @param {import("aws-cdk-lib").CfnParameter} parameter
 * @param {string} name
 * @param {string} value
 */
function checkValue({ allowedPattern, allowedValues, constraintDescription, description }, name, value) {
  const fits = !allowedPattern || new RegExp(`^(?:${allowedPattern})$`).test(value);
  if (fits && (!allowedValues || allowedValues.map(String).includes(String(value)))) return;
  throw new Error(`${name} cannot be "${value}". ${constraintDescription ?? description}`);
}
