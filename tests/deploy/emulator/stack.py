"""What an operator does: package, deploy, set the secrets."""

import dataclasses
import io
import re
import subprocess
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import WaiterError

REGION = "us-east-1"
# The key of the account's root user, for whom the emulator allows everything.
OPERATOR = "operator"
STACK = "groundcrew"
BUCKET = "groundcrew-packages"
# How long a deployment may take, in seconds.
PATIENCE = 300
# Changes the template before it is deployed.
Change = Callable[[str], str]


@dataclasses.dataclass
class Deployed:
    outputs: dict[str, str]
    resources: int
    rest: str
    edge_proof: str


def client(service: str, endpoint: str, key: str = OPERATOR, region: str = REGION) -> Any:
    config = Config(proxies={}, retries={"max_attempts": 1}, s3={"addressing_style": "path"})
    return boto3.client(
        service,
        endpoint_url=endpoint,
        region_name=region,
        aws_access_key_id=key,
        aws_secret_access_key=key,
        config=config,
    )


class Operator:
    def __init__(self, endpoint: str, root: Path, work: Path) -> None:
        self.endpoint, self.root, self.work = endpoint, root, work
        self.template = root / "infra/template.yaml"
        # Called when CloudFront sends another secret: the functions refuse calls with the former one.
        self.edge_changed: Callable[[], None] = lambda: None
        self.cloudformation = client("cloudformation", endpoint)

    def upload(self) -> None:
        """Uploads the functions' debug binaries, each as the `bootstrap` of a zip, and the nested templates to a
        bucket."""
        s3 = client("s3", self.endpoint)
        s3.create_bucket(Bucket=BUCKET)
        text = self.template.read_text()
        for name in re.findall(r"Binary: ([a-z-]+)", text):
            s3.put_object(Bucket=BUCKET, Key=f"{name}.zip", Body=self.packed(name))
        for name in re.findall(r"TemplateURL: (\S+)", text):
            s3.put_object(Bucket=BUCKET, Key=name, Body=(self.root / "infra" / name).read_bytes())

    def packed(self, name: str) -> bytes:
        """Not compressed, because it does not leave this machine."""
        stripped, packed = self.work / "bootstrap", io.BytesIO()
        subprocess.run(["strip", "-o", stripped, self.root / "target/debug" / name], check=True)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            archive.write(stripped, "bootstrap")
        return packed.getvalue()

    def written(self, change: Change = lambda text: text) -> str:
        """The template with its local files replaced by their places in the bucket, as `sam package` writes it."""
        function = re.compile(r"(Binary: ([a-z-]+)\}.*?CodeUri: )\.\.$", re.DOTALL | re.MULTILINE)
        text = function.sub(rf"\1s3://{BUCKET}/\2.zip", self.template.read_text())
        text = re.sub(r"TemplateURL: (\S+)", rf"TemplateURL: {self.endpoint}/{BUCKET}/\1", text)
        return change(text)

    def upload_template(self, change: Change = lambda text: text) -> None:
        client("s3", self.endpoint).put_object(Bucket=BUCKET, Key="template.yaml", Body=self.written(change).encode())

    def deploy(self, site: str) -> Deployed:
        self.site = site
        self.upload_template()
        parameters = {
            "Architecture": "x86_64",
            "GithubAppSlug": "groundcrew-local",
            "GithubClientId": "Iv1.0123456789abcdef",
            "GithubBaseUrl": f"{site}/_local/github",
            "GithubApiUrl": f"{site}/_local/github/api",
            "StripeApiUrl": f"{site}/_stripe",
            "OpeningCredit": "25",
            "ModelProvider": "openai",
            "ModelName": "blueprint-1",
            "ModelBaseUrl": f"{site}/_local/model/v1",
            "RateLimits": "sign-ins-per-address=100000",
        }
        return self.apply(self.cloudformation.create_stack, parameters, "stack_create_complete")

    def update(self, change: Change = lambda text: text, /, **parameters: str) -> Deployed:
        """Deploys again, with the template changed or some parameters at other values; all others stay."""
        self.upload_template(change)
        known = self.cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["Parameters"]
        kept = {one["ParameterKey"]: None for one in known}
        return self.apply(self.cloudformation.update_stack, {**kept, **parameters}, "stack_update_complete")

    def apply(self, act: Callable[..., object], parameters: Mapping[str, str | None], done: str) -> Deployed:
        given = [
            {"ParameterKey": name, "UsePreviousValue": True}
            if value is None
            else {"ParameterKey": name, "ParameterValue": value}
            for name, value in parameters.items()
        ]
        act(
            StackName=STACK,
            TemplateURL=f"{self.endpoint}/{BUCKET}/template.yaml",
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
            Parameters=given,
        )
        try:
            waiter = self.cloudformation.get_waiter(done)
            waiter.wait(StackName=STACK, WaiterConfig={"Delay": 1, "MaxAttempts": PATIENCE})
        except WaiterError:
            for event in self.cloudformation.describe_stack_events(StackName=STACK)["StackEvents"]:
                if "FAILED" in event["ResourceStatus"]:
                    print(event["LogicalResourceId"], event["ResourceStatus"], event.get("ResourceStatusReason"))
            raise
        return self.deployed()

    def parameter(self, name: str) -> str:
        parameters = self.cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["Parameters"]
        return next(one["ParameterValue"] for one in parameters if one["ParameterKey"] == name)

    def status(self) -> str:
        return self.cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"]

    def deployed(self) -> Deployed:
        described = self.cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]
        outputs = {output["OutputKey"]: output["OutputValue"] for output in described["Outputs"]}
        pages = self.cloudformation.get_paginator("list_stack_resources").paginate(StackName=STACK)
        resources = [resource for page in pages for resource in page["StackResourceSummaries"]]
        identity = {resource["LogicalResourceId"]: resource["PhysicalResourceId"] for resource in resources}
        rest = f"{self.endpoint}/_aws/execute-api/{identity['RestApi']}/api"
        secrets = client("secretsmanager", self.endpoint)
        edge = "EdgeSecretSpare" if self.parameter("EdgeSends") == "spare" else "EdgeSecret"
        proof = secrets.get_secret_value(SecretId=identity[edge])["SecretString"]
        return Deployed(outputs, len(resources), rest, proof)

    def fill_secrets(self, deployed: Deployed, engines: str) -> None:
        """Runs `aws secretsmanager put-secret-value` for each secret of the outputs, with the secrets that the local
        stack's GitHub and Stripe share with the product."""
        agreed = client("secretsmanager", engines, "local")

        def of(name: str) -> str:
            return agreed.get_secret_value(SecretId=f"groundcrew/{name}")["SecretString"]

        values = {
            "GithubClientSecretId": of("github-client-secret"),
            "GithubWebhookSecretId": of("github-webhook-secret"),
            "GithubPrivateKeySecretId": of("github-private-key"),
            "StripeApiKeySecretId": of("stripe-api-key"),
            "StripeWebhookSecretId": of("stripe-webhook-secret"),
            "ModelApiKeySecretId": "local",
        }
        secrets = client("secretsmanager", self.endpoint)
        for name, value in values.items():
            secrets.put_secret_value(SecretId=deployed.outputs[name], SecretString=value)
