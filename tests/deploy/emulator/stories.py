"""A story for each runbook of docs/operations.md and docs/runbooks.md: the values that its reader fills in, and the
effects that its commands must have. The commands of a runbook without a story only have to succeed."""

import json
from typing import Any

import requests

import stack

# The target region of "Moving regions".
ELSEWHERE = "eu-central-1"
# How many sessions remain for "A key leaked", which takes a second for each.
SESSIONS = 3


class Story:
    # Shell code before the runbook's first command, and the beginnings of commands that must fail.
    before = ""
    refused: tuple[str, ...] = ()
    values: dict[str, str]

    def __init__(self, operator: stack.Operator) -> None:
        self.operator = operator
        self.prepare()

    def prepare(self) -> None:
        pass

    def value(self, name: str) -> str:
        """What the reader writes in place of <name>."""
        return self.values[name]

    def meanwhile(self, command: str) -> list[str]:
        """Shell code that runs before a command."""
        return []

    def check(self, printed: list[str]) -> list[str]:
        """The deviations from what the runbook says, given the output of each command."""
        return []

    def client(self, service: str) -> Any:
        return stack.client(service, self.operator.endpoint)

    def resource(self, name: str) -> str:
        described = self.operator.cloudformation.describe_stack_resource(StackName=stack.STACK, LogicalResourceId=name)
        return described["StackResourceDetail"]["PhysicalResourceId"]

    def output(self, name: str) -> str:
        return self.operator.deployed().outputs[name]

    def items(self, table: str | None = None, client: Any = None) -> list[dict[str, Any]]:
        pages = (
            (client or self.client("dynamodb"))
            .get_paginator("scan")
            .paginate(TableName=table or self.output("TableName"))
        )
        return [item for page in pages for item in page["Items"]]

    def all_keys(self, table: str | None = None, client: Any = None) -> set[tuple[str, str]]:
        return {(item["pk"]["S"], item["sk"]["S"]) for item in self.items(table, client)}

    def reservations(self) -> dict[str, int | None]:
        """The concurrency that each function of the stack reserves."""
        pages = self.operator.cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack.STACK)
        every = [one for page in pages for one in page["StackResourceSummaries"]]
        names = [one["PhysicalResourceId"] for one in every if one["ResourceType"] == "AWS::Lambda::Function"]
        return {name: self.reserved_by(name) for name in names}

    def reserved_by(self, function: str) -> int | None:
        concurrency = self.client("lambda").get_function_concurrency(FunctionName=function)
        return concurrency.get("ReservedConcurrentExecutions")

    def project(self, sort_key: str) -> dict[str, str]:
        """A project with this item."""
        keys = (
            item for item in self.items() if item["pk"]["S"].startswith("P#") and item["sk"]["S"].startswith(sort_key)
        )
        _, installation, project = next(keys)["pk"]["S"].split("#")
        return {"installation": installation, "project": project}


def only(*wrong: tuple[object, str]) -> list[str]:
    """The complaints among these whose condition does not hold."""
    return [complaint for holds, complaint in wrong if not holds]


class Deploying(Story):
    def prepare(self) -> None:
        self.values = {"stack name": stack.STACK, "ModelApiKeySecretId": self.output("ModelApiKeySecretId")}
        self.before = "printf %s local >key"

    def check(self, printed: list[str]) -> list[str]:
        image = self.operator.parameter("SandboxImage")
        page = self.client("s3").head_object(Bucket=self.output("WebBucketName"), Key="index.html")
        asset = self.client("s3").head_object(Bucket=self.output("WebBucketName"), Key="assets/index-0.js")
        repository, _, digest = image.partition("@")
        found = self.client("ecr").describe_images(repositoryName=self.resource("SandboxRepository"))["imageDetails"]
        return only(
            (repository == self.output("SandboxRepositoryUri"), f"the stack runs {image}"),
            (digest in [image["imageDigest"] for image in found], f"the repository has no image {digest}"),
            (page["CacheControl"] == "no-cache", "the page may be kept"),
            ("immutable" in asset["CacheControl"], "an asset is not cached"),
        )


class StuckStep(Story):
    def prepare(self) -> None:
        self.cluster = self.resource("Cluster")
        self.task = self.client("ecs").list_tasks(cluster=self.cluster)["taskArns"][0]
        self.values = {**self.project("EXECUTION#"), "task": self.task}

    def check(self, printed: list[str]) -> list[str]:
        described = self.client("ecs").describe_tasks(cluster=self.cluster, tasks=[self.task])["tasks"][0]
        steps, sandbox = json.loads(printed[0])["Items"], json.loads(printed[1])
        return only(
            (described["desiredStatus"] == "STOPPED", "the task is still running"),
            (steps and sandbox["Item"], "the step or its sandbox is not found"),
        )


class Waiting(Story):
    def check(self, printed: list[str]) -> list[str]:
        states = [json.loads(text)["State"] for text in printed[1:]]
        return only((states[0].startswith("Disabl") and states[1].startswith("Enabl"), f"the mapping is {states}"))


class WrongSecret(Story):
    before = "value=another-key"

    def prepare(self) -> None:
        self.id = self.output("ModelApiKeySecretId")
        self.was = self.held()

    def value(self, name: str) -> str:
        stage = {"previous": "AWSPREVIOUS", "current": "AWSCURRENT"}[name]
        query = f"Versions[?contains(VersionStages, '{stage}')].VersionId"
        return f'$(aws secretsmanager list-secret-version-ids --secret-id "{self.id}" --query "{query}" --output text)'

    def held(self, **version: str) -> str:
        return self.client("secretsmanager").get_secret_value(SecretId=self.id, **version)["SecretString"]

    def check(self, printed: list[str]) -> list[str]:
        return only(
            (self.held() == self.was, "the former value was not restored"),
            (self.held(VersionStage="AWSPREVIOUS") == "another-key", "the new value was not set"),
        )


class LeakedKey(Story):
    def prepare(self) -> None:
        table, dynamodb = self.output("TableName"), self.client("dynamodb")
        sessions = [item for item in self.items() if item["pk"]["S"].startswith("SESSION#")]
        for item in sessions[SESSIONS:]:
            dynamodb.delete_item(TableName=table, Key={"pk": item["pk"], "sk": item["sk"]})
        self.person = requests.Session()
        self.person.trust_env = False
        self.person.get(f"{self.operator.site}/api/github/login?login=operated")
        self.signed_in = self.asked()

    def asked(self) -> int:
        return self.person.get(f"{self.operator.site}/api/github/user").status_code

    def check(self, printed: list[str]) -> list[str]:
        left = [item for item in self.items() if item["pk"]["S"].startswith("SESSION#")]
        return only(
            (self.signed_in == 200, f"users could not sign in: {self.signed_in}"),
            (self.asked() == 401 and not left, "a session is left"),
        )


class EdgeSecret(Story):
    def prepare(self) -> None:
        self.were = self.accepted()

    def accepted(self) -> tuple[str, str]:
        function = self.client("lambda").get_function_configuration(FunctionName=f"{stack.STACK}-projects")
        variables = function["Environment"]["Variables"]
        return variables["EDGE_PROOF"], variables["EDGE_PROOF_SPARE"]

    def check(self, printed: list[str]) -> list[str]:
        self.operator.edge_changed()
        are = self.accepted()
        return only(
            (not set(are) & set(self.were), "the functions still accept the replaced secret"),
            (self.operator.parameter("EdgeSends") == "spare", "CloudFront sends the former secret"),
        )


class Restoring(Story):
    """A project's pipeline and its entry in the list were deleted, and so were its objects. Next to the stack there is
    another, whose name begins with this one's."""

    NEIGHBOR = f"{stack.STACK}-staging-projects"

    def prepare(self) -> None:
        self.values = self.project("PIPELINE")
        installation, project = self.values["installation"], self.values["project"]
        self.keys = [(f"P#{installation}#{project}", "PIPELINE"), (f"I#{installation}", f"PROJECT#{project}")]
        s3, self.bucket = self.client("s3"), self.output("DataBucketName")
        self.objects = [f"{kind}/{installation}/{project}/operated" for kind in ("backups", "logs", "state")]
        for key in self.objects:
            s3.put_object(Bucket=self.bucket, Key=key, Body=b"kept")
            s3.delete_object(Bucket=self.bucket, Key=key)
        self.lost, self.reserved, self.counted = False, self.reservations(), self.count()
        self.neighbor()

    def neighbor(self) -> None:
        """A function of another stack, which reserves something."""
        client = self.client("lambda")
        client.create_function(
            FunctionName=self.NEIGHBOR,
            Role="arn:aws:iam::000000000000:role/neighbor",
            PackageType="Image",
            Code={"ImageUri": "neighbor"},
        )
        client.put_function_concurrency(FunctionName=self.NEIGHBOR, ReservedConcurrentExecutions=7)

    def count(self) -> int:
        """How many projects the installation's bound counts."""
        key = {"pk": {"S": f"I#{self.values['installation']}"}, "sk": {"S": "COUNT"}}
        item = self.client("dynamodb").get_item(TableName=self.output("TableName"), Key=key, ConsistentRead=True)
        return int(item.get("Item", {"projects": {"N": "0"}})["projects"]["N"])

    def meanwhile(self, command: str) -> list[str]:
        if self.lost or not command.startswith("infra/copy-items.sh"):
            return []
        self.lost = True
        keys = (json.dumps({"pk": {"S": pk}, "sk": {"S": sk}}) for pk, sk in self.keys)
        return [f"aws dynamodb delete-item --table-name \"$(output TableName)\" --key '{key}'" for key in keys]

    def check(self, printed: list[str]) -> list[str]:
        keys = self.all_keys()
        tables = self.client("dynamodb").list_tables()["TableNames"]
        listed = self.client("s3").list_objects_v2(Bucket=self.bucket).get("Contents", [])
        absent = set(self.objects) - {file["Key"] for file in listed}
        neighbor = self.reserved_by(self.NEIGHBOR)
        self.client("lambda").delete_function(FunctionName=self.NEIGHBOR)
        return only(
            (self.lost and keys.issuperset(self.keys), "the lost items were not restored"),
            (all(self.reserved.values()), f"the functions reserved {self.reserved}"),
            (self.reservations() == self.reserved, f"the functions reserve {self.reservations()}"),
            (neighbor == 7, f"another stack's function reserves {neighbor}"),
            (f"{stack.STACK}-restored" not in tables, "the restored table still exists"),
            (not absent, f"these objects were not restored: {sorted(absent)}"),
            (self.count() == self.counted + 1, "the project was not counted"),
        )


class Quotas(Story):
    """The account's quota stays as it is, so the functions reserve nothing at the end."""

    def check(self, printed: list[str]) -> list[str]:
        left = {name: number for name, number in self.reservations().items() if number is not None}
        return only((not left, f"the functions still reserve {left}"))


class Upgrade(Story):
    """A release with another image. Running sandboxes keep theirs."""

    before = "date +%s%N >release"

    def prepare(self) -> None:
        self.image, self.running = self.operator.parameter("SandboxImage"), self.tasks()

    def tasks(self) -> dict[str, str]:
        """The task definition revision of each running sandbox."""
        ecs, cluster = self.client("ecs"), self.resource("Cluster")
        arns = ecs.list_tasks(cluster=cluster, desiredStatus="RUNNING")["taskArns"]
        tasks = ecs.describe_tasks(cluster=cluster, tasks=arns)["tasks"] if arns else []
        return {task["taskArn"]: task["taskDefinitionArn"] for task in tasks}

    def check(self, printed: list[str]) -> list[str]:
        image, tasks = self.operator.parameter("SandboxImage"), self.tasks()
        definition = self.client("ecs").describe_task_definition(taskDefinition=f"{stack.STACK}-sandbox")
        container = definition["taskDefinition"]["containerDefinitions"][0]
        kept = [arn for arn in tasks if arn in self.running]
        return only(
            (image != self.image, f"the stack still runs {image}"),
            (container["image"] == image, f"the next sandbox starts {container['image']} and not {image}"),
            (self.running and kept, "no sandbox outlived the upgrade"),
            (all(tasks[arn] == self.running[arn] for arn in kept), "a running sandbox was changed"),
        )


class Rollback(Story):
    """Returns to the image before the upgrade, which the repository still has."""

    def value(self, name: str) -> str:
        self.bad = self.operator.parameter("SandboxImage").partition("@")[2]
        images = self.client("ecr").describe_images(repositoryName=self.resource("SandboxRepository"))["imageDetails"]
        images = sorted(images, key=lambda image: image["imagePushedAt"])
        self.good = [image["imageDigest"] for image in images if image["imageDigest"] != self.bad][-1]
        return self.good

    def check(self, printed: list[str]) -> list[str]:
        image = self.operator.parameter("SandboxImage")
        return only(
            (image == f"{self.output('SandboxRepositoryUri')}@{self.good}", f"the stack runs {image}"),
            (self.good in printed[2] and self.bad in printed[2], "the repository's list lacks an image"),
        )


class Moving(Story):
    """Besides what the tests have written, a project has credentials and a Terraform state, which cannot be read
    there."""

    def prepare(self) -> None:
        self.table, self.bucket = self.output("TableName"), self.output("DataBucketName")
        self.sealed = {("P#0#moved", sk) for sk in ("CREDENTIAL#other", "CREDENTIALS", "STATE#", "STATE#default")}
        for pk, sk in self.sealed:
            self.client("dynamodb").put_item(TableName=self.table, Item={"pk": {"S": pk}, "sk": {"S": sk}})
        self.there = stack.client("dynamodb", self.operator.endpoint, region=ELSEWHERE)
        # The functions keep writing, because this stack's are not stopped: what existed both before and after must have
        # been moved.
        self.stood, self.files = self.all_keys(self.table), self.all_files(self.bucket)
        keys = [("pk", "HASH"), ("sk", "RANGE")]
        self.there.create_table(
            TableName="moved",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name, _ in keys],
            KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in keys],
        )
        stack.client("s3", self.operator.endpoint, region=ELSEWHERE).create_bucket(
            Bucket="moved", CreateBucketConfiguration={"LocationConstraint": ELSEWHERE}
        )
        self.values = {
            "old": stack.REGION,
            "new": ELSEWHERE,
            "old table": self.table,
            "new table": "moved",
            "old DataBucketName": self.bucket,
            "new DataBucketName": "moved",
            "DistributionId": self.output("DistributionId"),
        }

    def check(self, printed: list[str]) -> list[str]:
        sealed = {(pk, sk) for pk, sk in self.stood if sk.startswith(("CREDENTIAL", "STATE#"))}
        stood, moved = (self.stood & self.all_keys(self.table)) - sealed, self.all_keys("moved", self.there)
        files = self.files & self.all_files(self.bucket)
        return only(
            (any("P#0#moved" in text for text in printed), "the project with a state was not listed"),
            (self.sealed <= sealed and not sealed & moved, "what only the old key opens was moved"),
            (stood and stood <= moved, f"{len(stood - moved)} of {len(stood)} items were not moved"),
            (files and files <= self.all_files("moved"), "some files were not moved"),
        )

    def all_files(self, bucket: str) -> set[str]:
        return {file["Key"] for file in self.client("s3").list_objects_v2(Bucket=bucket).get("Contents", [])}


class TearingDown(Story):
    # The stack is deleted, so nothing describes it.
    refused = ("aws cloudformation describe-stacks",)

    def prepare(self) -> None:
        self.values = {
            "TableName": self.output("TableName"),
            "DataBucketName": self.output("DataBucketName"),
            "repository": self.resource("SandboxRepository"),
            "key": self.resource("CredentialsKey"),
        }

    def check(self, printed: list[str]) -> list[str]:
        key = self.client("kms").describe_key(KeyId=self.values["key"])["KeyMetadata"]["KeyState"]
        tables = self.client("dynamodb").list_tables()["TableNames"]
        buckets = [bucket["Name"] for bucket in self.client("s3").list_buckets()["Buckets"]]
        return only(
            (key == "PendingDeletion", f"the key's state is {key}"),
            (self.values["TableName"] not in tables, "the table still exists"),
            (self.values["DataBucketName"] not in buckets, "the bucket still exists"),
        )


STORIES = {
    "Deploying": Deploying,
    "A step is stuck": StuckStep,
    "Agent runs wait": Waiting,
    "A secret is missing or wrong": WrongSecret,
    "A key leaked": LeakedKey,
    "Replacing the edge's secret": EdgeSecret,
    "Restoring the table": Restoring,
    "Upgrade": Upgrade,
    "Rollback": Rollback,
    "Quotas of a new account": Quotas,
    "Moving regions": Moving,
    "Tearing down": TearingDown,
}
