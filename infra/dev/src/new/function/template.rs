//! A function's parts of the deployment: the function, its role, its log, its alarms and its share of the concurrency.

use super::{Draft, alarms};
use crate::names::pascal;
use crate::routes::TEMPLATE;
use anyhow::{Context, Result, ensure};

/// How much concurrency an account keeps for functions that reserve none.
const UNRESERVED: u32 = 100;
/// Other places that state the sum of the functions' reservations, or the quota that it requires.
const NAME_RESERVED: &[&str] = &["docs/operations.md"];
const NAME_QUOTA: &[&str] = &["docs/operations.md", "infra/dev/src/doctor/account.rs"];

/// Adds a function that answers callers of the REST API at once.
pub fn add(draft: &mut Draft<'_>, name: &str) -> Result<()> {
    let id = pascal(name);
    ensure!(
        !draft.read(TEMPLATE)?.contains(&format!("\n  {id}Function:")),
        "{TEMPLATE} has {id}Function already"
    );
    // The runners and the reaper come after it.
    draft.add_before(TEMPLATE, |line| line == "  # agent-runner", &resources(name, &id))?;
    draft.add_before(TEMPLATE, |line| line == "  GithubAttacks:", &refusals(&id))?;
    alarms::add(draft, "RequestErrorsAlarm", "Errors", &id)?;
    alarms::add(draft, "RequestThrottlesAlarm", "Throttles", &id)?;
    reserve(draft)
}

fn resources(name: &str, id: &str) -> String {
    format!(
        "  # {name}
  {id}Function:
    Type: AWS::Serverless::Function
    Metadata: {{BuildMethod: rust-cargolambda, BuildProperties: {{Binary: {name}}}}}
    Properties:
      FunctionName: !Sub ${{AWS::StackName}}-{name}
      Description: The group {name} of the API.
      CodeUri: ..
      Role: !GetAtt {id}Role.Arn
      LoggingConfig: {{LogFormat: JSON, LogGroup: !Ref {id}Logs}}
      Events:

  {id}Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: '2012-10-17'
        Statement: [{{Effect: Allow, Principal: {{Service: lambda.amazonaws.com}}, Action: sts:AssumeRole}}]
      ManagedPolicyArns: [!Ref TracingPolicy]
      Policies:
        - PolicyName: {name}
          PolicyDocument:
            Version: '2012-10-17'
            Statement:
              - {{Effect: Allow, Action: [logs:CreateLogStream, logs:PutLogEvents], Resource: !GetAtt {id}Logs.Arn}}
              - Effect: Allow
                Action: dynamodb:UpdateItem
                Resource: !GetAtt Table.Arn
                Condition: {{'ForAllValues:StringLike': {{dynamodb:LeadingKeys: ['LIMIT#*']}}}}
              - Effect: Allow
                Action: dynamodb:GetItem
                Resource: !GetAtt Table.Arn
                Condition: {{'ForAllValues:StringLike': {{dynamodb:LeadingKeys: ['SESSION#*', 'I#*']}}}}
              - Effect: Allow
                # Using a session extends it; nothing else in it changes.
                Action: dynamodb:UpdateItem
                Resource: !GetAtt Table.Arn
                Condition:
                  'ForAllValues:StringLike': {{dynamodb:LeadingKeys: ['SESSION#*']}}
                  'ForAllValues:StringEquals': {{dynamodb:Attributes: [pk, sk, ends_at, expires_at]}}
              - Effect: Allow
                # Whether a session has ended with its installation, or with its user's access.
                Action: dynamodb:BatchGetItem
                Resource: !GetAtt Table.Arn
                Condition: {{'ForAllValues:StringLike': {{dynamodb:LeadingKeys: ['USER#*', 'INSTALLATION#*']}}}}

  {id}Logs:
    Type: AWS::Logs::LogGroup
    DeletionPolicy: Delete
    UpdateReplacePolicy: Delete
    Properties: {{LogGroupName: !Sub '/aws/lambda/${{AWS::StackName}}-{name}', RetentionInDays: !Ref LogRetentionDays}}
"
    )
}

fn refusals(id: &str) -> String {
    format!(
        "  {id}Refusals:
    Type: AWS::Logs::MetricFilter
    Properties:
      LogGroupName: !Ref {id}Logs
      FilterPattern: '{{ $.fields.security = \"call.refused\" || $.fields.security = \"connection.refused\" }}'
      MetricTransformations: [{{MetricNamespace: !Sub '${{AWS::StackName}}/Security', MetricName: Refusals, MetricValue: '1'}}]
"
    )
}

/// A new function reserves its share, so the documented sums grow with it.
fn reserve(draft: &mut Draft<'_>) -> Result<()> {
    let template = draft.read(TEMPLATE)?;
    let parameter = |name: &str, key: &str| {
        let head = format!("  {name}:");
        let mut block = template.lines().skip_while(|line| *line != head).skip(1);
        block.find_map(|line| line.strip_prefix(&format!("    {key}: ")).map(str::to_owned))
    };
    let number = |text: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
        words.next().and_then(|word| word.parse::<u32>().ok())
    };
    let share = parameter("RequestConcurrency", "Default").as_deref().and_then(number);
    let share = share.context("RequestConcurrency has no default")?;
    let said = parameter("ReserveConcurrency", "Description");
    let sum = said
        .as_deref()
        .and_then(number)
        .context("the description of ReserveConcurrency names no sum")?;
    let change = |draft: &mut Draft<'_>, path: &str, old: u32| {
        draft.replace(path, &format!(" {old}"), &format!(" {}", old + share))
    };
    let line = said.context("ReserveConcurrency has no description")?;
    let grown = line
        .replace(&sum.to_string(), &(sum + share).to_string())
        .replace(&(sum + UNRESERVED).to_string(), &(sum + UNRESERVED + share).to_string());
    draft.replace(TEMPLATE, &line, &grown)?;
    NAME_RESERVED.iter().try_for_each(|path| change(draft, path, sum))?;
    NAME_QUOTA.iter().try_for_each(|path| change(draft, path, sum + UNRESERVED))
}
