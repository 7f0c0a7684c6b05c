"""Checks the checks of requests that only a real model builds: they hold for a right result and for no wrong one."""

import json
import os
import pathlib
import subprocess
import tomllib
import unittest
import urllib.request
from typing import Any

from running import GROUND, SECRET, Running

Resources = dict[str, dict[str, Any]]

BUCKET: Resources = {
    "aws_s3_bucket": {"bucket": "papers"},
    "aws_s3_bucket_versioning": {"bucket": "papers", "versioning_configuration": [{"status": "Enabled"}]},
    "aws_s3_bucket_public_access_block": {
        "bucket": "papers",
        "block_public_acls": True,
        "block_public_policy": True,
        "ignore_public_acls": True,
        "restrict_public_buckets": True,
    },
}
PUBLIC = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::papers/*"},
        {"Effect": "Allow", "Principal": "*", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::papers"},
    ],
}


def policy(action: object) -> dict[str, Any]:
    statement = {"Effect": "Allow", "Action": action, "Resource": "arn:aws:dynamodb:*:*:table/orders"}
    return {"name": "orders", "policy": json.dumps({"Version": "2012-10-17", "Statement": [statement]})}


FUNCTION: Resources = {
    "aws_sqs_queue": {"name": "orders"},
    "aws_lambda_function": {"function_name": "orders"},
    "aws_dynamodb_table": {"name": "orders"},
    "aws_lambda_event_source_mapping": {"event_source_arn": "arn:aws:sqs:eu-central-1:123456789012:orders"},
    "aws_iam_role_policy": policy(["dynamodb:PutItem"]),
}
DATABASE: Resources = {
    "aws_db_instance": {"identifier": "shop", "publicly_accessible": False, "storage_encrypted": True},
    "aws_lb": {"name": "shop", "load_balancer_type": "application"},
    "aws_lb_listener": {"port": 443},
}


class Requests(Running):
    def failing(self, request: str, resources: Resources) -> list[str]:
        """What the checks of a request miss among these resources."""
        self.cloud.things.clear()
        for kind, values in resources.items():
            asked = urllib.request.Request(
                f"{self.address}/{kind}", json.dumps(values).encode(), {"authorization": f"Bearer {SECRET}"}
            )
            urllib.request.urlopen(asked).close()
        [checks] = [one["check"] for one in requests() if one["id"] == request]
        return [check["about"] for check in checks if not self.holds(check)]

    def holds(self, check: dict[str, Any]) -> bool:
        environment = {**os.environ, "CLOUD": self.address.removeprefix("http://"), "ADDRESS": ""}
        ran = subprocess.run(["bash", "-c", check["run"]], env=environment, capture_output=True, text=True, check=False)
        return ran.returncode == 0 and check.get("prints", "") in ran.stdout + ran.stderr

    def test_a_private_bucket_with_versions(self) -> None:
        versions, public, stranger = self.failing("versioned-bucket", {})
        self.assertEqual(self.failing("versioned-bucket", BUCKET), [])
        suspended = {"bucket": "papers", "versioning_configuration": [{"status": "Suspended"}]}
        self.assertEqual(
            self.failing("versioned-bucket", {**BUCKET, "aws_s3_bucket_versioning": suspended}), [versions]
        )
        block = {**BUCKET["aws_s3_bucket_public_access_block"], "restrict_public_buckets": False}
        self.assertEqual(
            self.failing("versioned-bucket", {**BUCKET, "aws_s3_bucket_public_access_block": block}), [public]
        )
        opened = {**BUCKET, "aws_s3_bucket_policy": {"bucket": "papers", "policy": json.dumps(PUBLIC)}}
        del opened["aws_s3_bucket_public_access_block"]
        self.assertEqual(self.failing("versioned-bucket", opened), [public, stranger])

    def test_a_queue_a_function_and_a_table(self) -> None:
        self.assertEqual(self.failing("queue-function-table", FUNCTION), [])
        parts, calls = self.failing("queue-function-table", {})
        for kind in ("aws_sqs_queue", "aws_lambda_function", "aws_dynamodb_table"):
            without = {name: values for name, values in FUNCTION.items() if name != kind}
            self.assertEqual(self.failing("queue-function-table", without), [parts])
        for other in ("arn:aws:kinesis:eu-central-1:123456789012:stream/orders", ""):
            mapping = {"aws_lambda_event_source_mapping": {"event_source_arn": other}}
            self.assertEqual(self.failing("queue-function-table", {**FUNCTION, **mapping}), [calls])
        every = self.failing("queue-function-table", {**FUNCTION, "aws_iam_role_policy": policy("*")})
        self.assertEqual(every, ["No policy allows every action"])

    def test_a_database_behind_a_load_balancer(self) -> None:
        self.assertEqual(self.failing("rds-alb", DATABASE), [])
        private, encrypted, balancer = self.failing("rds-alb", {})
        for name, value, missed in (
            ("publicly_accessible", True, private),
            ("storage_encrypted", False, encrypted),
        ):
            database = {**DATABASE["aws_db_instance"], name: value}
            self.assertEqual(self.failing("rds-alb", {**DATABASE, "aws_db_instance": database}), [missed])
        network = {"name": "shop", "load_balancer_type": "network"}
        self.assertEqual(self.failing("rds-alb", {**DATABASE, "aws_lb": network}), [balancer])
        without = {name: values for name, values in DATABASE.items() if name != "aws_lb_listener"}
        self.assertEqual(self.failing("rds-alb", without), [balancer])


def requests() -> list[dict[str, Any]]:
    file: pathlib.Path = GROUND.parent / "requests/cloud.toml"
    found: list[dict[str, Any]] = tomllib.loads(file.read_text())["request"]
    return found


if __name__ == "__main__":
    unittest.main()
