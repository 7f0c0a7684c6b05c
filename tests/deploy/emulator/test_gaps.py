"""Checks that each gap that adapter.py closes still exists. A failing test means that the emulator has closed the gap:
then remove it from adapter.py.

These tests use the emulator without the adapter.
"""

import inspect
import json
import threading
import types
import unittest
from typing import Any
from unittest import mock

from ministack.core import iam_actions, iam_evaluator, lambda_runtime
from ministack.services import apigateway, apigateway_v1, ecr, ecs, eventbridge, lambda_svc
from ministack.services.cloudformation import provisioners

import adapter
import rights

GATEWAY = "arn:aws:apigateway:us-east-1:lambda:path/2021-11-15/functions"
FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:f"
ARGUMENTS = ("us-east-1", "000000000000")


class Gaps(unittest.TestCase):
    def test_the_uri_of_a_streaming_integration_is_not_read(self):
        uri = f"{GATEWAY}/{FUNCTION}/response-streaming-invocations"
        self.assertNotEqual(apigateway_v1._extract_lambda_ref_from_integration_uri(uri), FUNCTION)

    def test_a_streamed_answer_is_taken_for_text(self):
        source = inspect.getsource(lambda_runtime.ProvidedWorker)
        self.assertNotIn("http-integration-response", source)

    def test_addresses_of_the_apis_reach_functions_as_they_are(self):
        given = {
            "FunctionName": "f",
            "FunctionArn": FUNCTION,
            "Environment": {"Variables": {"A": "https://abc.execute-api.us-east-1.amazonaws.com/ws"}},
        }
        built = lambda_svc._provided_worker_env(given, "/", 1)
        self.assertEqual(built["A"], "https://abc.execute-api.us-east-1.amazonaws.com/ws")

    def test_events_of_a_websocket_carry_no_stage_variables(self):
        self.assertNotIn("stageVariables", inspect.getsource(apigateway._invoke_ws_lambda))

    def test_alarms_over_several_metrics_are_refused(self):
        with self.assertRaisesRegex(ValueError, "metric math"):
            provisioners._cw_metric_alarm_record("a", {"Metrics": [{}]})

    def test_no_function_gets_the_concurrency_that_its_template_reserves(self):
        name, _ = provisioners._lambda_create("F", {"FunctionName": "f", "ReservedConcurrentExecutions": 3}, "stack")
        self.assertIsNone(lambda_svc._functions[name]["concurrency"])

    def test_budgets_are_unknown(self):
        self.assertNotIn("AWS::Budgets::Budget", provisioners._RESOURCE_HANDLERS)

    def test_the_ref_of_a_secret_is_its_name(self):
        identity, attributes = provisioners._sm_secret_create("S", {"Name": "n", "SecretString": "s"}, "stack")
        self.assertNotEqual(identity, attributes["Arn"])

    def test_condition_keys_of_dynamodb_are_unknown(self):
        request = json.dumps({"TableName": "t", "Key": {"pk": {"S": "P#1"}}, "UpdateExpression": "SET a = :a"}).encode()
        context = iam_actions.dynamodb_service_context(request)
        self.assertNotIn("dynamodb:LeadingKeys", context)
        self.assertNotIn("dynamodb:Attributes", context)

    def test_a_call_of_ecs_is_checked_on_its_cluster(self):
        body = json.dumps({"cluster": "c", "task": "arn:aws:ecs:us-east-1:000000000000:task/c/1"}).encode()
        arn = iam_actions.extract_resource_arn("ecs", "POST", "/", {}, body, {}, *ARGUMENTS)
        self.assertTrue(arn.endswith("cluster/c"), arn)

    def test_condition_keys_of_ecs_and_kms_are_unknown(self):
        for service, action, body in [
            ("ecs", "ecs:StopTask", {"cluster": "c"}),
            ("kms", "kms:Decrypt", {"EncryptionContext": {"a": "b"}}),
        ]:
            self.assertEqual(iam_actions.request_tag_context(service, action, json.dumps(body).encode(), {}), {})

    def test_a_call_over_loopback_is_not_secure(self):
        context = types.SimpleNamespace(secure_transport=False)
        self.assertEqual(iam_evaluator._resolve_condition_key("aws:SecureTransport", context), "false")

    def test_a_container_gets_nothing_of_its_confinement(self):
        linux = {"initProcessEnabled": True}
        definition = {"name": "agent", "image": "i", "linuxParameters": linux, "readonlyRootFilesystem": True}
        task = {"family": "f", "cpu": "256", "memory": "512"}
        run = ecs._build_run_kwargs(definition, task, {}, {}, "n", False, "1" * 8, "arn", "ip", "arn")
        self.assertFalse({"read_only", "init", "cap_drop", "mem_limit"} & set(run))

    def test_a_repository_is_at_an_address_of_aws(self):
        self.assertIn(".amazonaws.com/", ecr._repo_uri("n"))

    def test_a_stopped_task_is_reported_before_its_containers_end_and_has_five_seconds(self):
        stop = inspect.getsource(ecs._stop_task)
        self.assertLess(stop.index("_mark_task_stopped("), stop.index("_cleanup_task_resources("))
        self.assertIn("stop(timeout=5)", inspect.getsource(ecs._remove_docker_container))

    def test_ecs_sends_no_events_of_its_tasks(self):
        self.assertNotIn("Task State Change", inspect.getsource(ecs) + inspect.getsource(eventbridge))


class Adapter(unittest.TestCase):
    """The adapter's own computations."""

    def test_a_function_reserves_what_its_template_says_and_keeps_what_was_changed_by_hand(self):
        with mock.patch.dict(provisioners._RESOURCE_HANDLERS["AWS::Lambda::Function"]):
            adapter.reservations()
            handlers = provisioners._RESOURCE_HANDLERS["AWS::Lambda::Function"]
            three, none = {"FunctionName": "g", "ReservedConcurrentExecutions": 3}, {"FunctionName": "g"}
            name, _ = handlers["create"]("G", three, "stack")
            held = lambda_svc._functions[name]
            self.assertEqual(held["concurrency"], 3)
            held["concurrency"] = 0
            handlers["update"](name, three, three, "stack", "G")
            self.assertEqual(held["concurrency"], 0)
            handlers["update"](name, three, none, "stack", "G")
            self.assertIsNone(held["concurrency"])
            handlers["update"](name, none, three, "stack", "G")
            self.assertEqual(held["concurrency"], 3)

    def test_a_task_that_stops_has_the_time_of_its_definition(self):
        asked = mock.Mock()
        self.stopped(lambda task, timeout: asked(task["lastStatus"], timeout))
        asked.assert_called_once_with("STOPPING", 120)

    def test_a_task_ends_even_if_its_container_is_gone(self):
        with self.assertLogs(ecs.logger, "WARNING") as logged:
            self.stopped(mock.Mock(side_effect=RuntimeError("No such container")))
        self.assertIn("No such container", logged.output[0])

    def stopped(self, stop):
        """Stops a task twice, waits for its end, and has `stop` in the place of Docker's."""
        definition = {"containerDefinitions": [{"name": "agent", "stopTimeout": 120}]}
        task = {"taskArn": "t", "taskDefinitionArn": "f:1", "lastStatus": "RUNNING", "_docker_ids": ["c"]}
        may_end, ended = threading.Event(), threading.Event()

        def patient(timeout):
            may_end.wait(60)
            stop(task, timeout)

        def original(_):
            self.assertEqual(task["desiredStatus"], "RUNNING")
            task["lastStatus"] = "STOPPED"
            ended.set()

        docker = mock.Mock()
        docker.containers.get.return_value.stop = patient
        replaced: dict[str, Any] = {
            "_stop_task": original,
            "_resolve_cluster_name": lambda name: name,
            "_resolve_task": lambda *_: task,
            "_get_docker": lambda: docker,
            "_resolve_td_key": lambda arn: arn,
            "_task_defs": {"f:1": definition},
        }
        with mock.patch.multiple(ecs, **replaced), mock.patch.dict(ecs._ACTION_MAP):
            adapter.stops()
            for _ in range(2):
                _, _, body = ecs._ACTION_MAP["StopTask"]({"cluster": "c", "task": "t"})
                shown = json.loads(body)["task"]
                self.assertEqual((shown["lastStatus"], shown["desiredStatus"]), ("STOPPING", "STOPPED"))
            may_end.set()
            self.assertTrue(ended.wait(60))

    def test_leading_keys_are_found_in_every_kind_of_call(self):
        key = {"pk": {"S": "P#1"}, "sk": {"S": "A"}}
        query = {
            "KeyConditionExpression": "#k = :k",
            "ExpressionAttributeNames": {"#k": "pk"},
            "ExpressionAttributeValues": {":k": {"S": "P#1"}},
        }
        batch = {"RequestItems": {"t": {"Keys": [key]}}}
        write = {"RequestItems": {"t": [{"PutRequest": {"Item": key}}, {"DeleteRequest": {"Key": key}}]}}
        for request, wanted in [({"Key": key}, 1), ({"Item": key}, 1), (query, 1), (batch, 1), (write, 2)]:
            self.assertEqual(rights.leading_keys(request), ["P#1"] * wanted, request)

    def test_the_attributes_of_an_update_are_those_it_names(self):
        update = {
            "Key": {"pk": {"S": "a"}},
            "UpdateExpression": "SET ends_at = :e, #t = if_not_exists(#t, :z)",
            "ExpressionAttributeNames": {"#t": "ttl"},
        }
        self.assertEqual(rights.attributes(update), ["ends_at", "pk", "ttl"])

    def test_a_streamed_answer_is_what_its_prelude_says(self):
        body = b'{"statusCode": 201, "headers": {"a": "b"}, "cookies": ["c=d"]}' + b"\0" * 8 + b"\x89zip"
        answer = adapter.unfold(body)
        self.assertEqual((answer["statusCode"], answer["multiValueHeaders"]["set-cookie"]), (201, ["c=d"]))
        self.assertEqual(answer["body"], "iXppcA==")


if __name__ == "__main__":
    unittest.main()
