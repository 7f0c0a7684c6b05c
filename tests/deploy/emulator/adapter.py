"""Starts ministack and closes its gaps: one function for each gap, each with a test in test_gaps.py.

The template is not adapted. Each function wraps one function of the emulator, so a version in which that function is
gone or renamed fails at the start, and a version that has closed the gap fails its test.
"""

import base64
import contextvars
import json
import os
import re
import threading
import time
from typing import Any

import rights
from wrapping import wrap

HOST = os.environ.get("EMULATOR_HOST", "127.0.0.1")
PORT = os.environ.get("GATEWAY_PORT", "4566")
# Where the local stack takes CloudFront's place.
SITE = os.environ.get("EMULATOR_SITE", "")
# Where Docker's engine reaches the emulator as a registry.
REGISTRY = os.environ.get("EMULATOR_REGISTRY", "")
# ECS's default for `stopTimeout`, in seconds.
STOP_SECONDS = 30
# Marks a streamed answer.
STREAMED = "x-emulator-streamed"


def streaming_uri():
    """A streaming integration's URI ends in /response-streaming-invocations, but the emulator only supports
    /invocations."""
    from ministack.services import apigateway_v1

    def wrapper(original):
        return lambda uri: original((uri or "").replace("/response-streaming-invocations", "/invocations"))

    wrap(apigateway_v1, "_extract_lambda_ref_from_integration_uri", wrapper)


def unfold(body):
    """Converts a streamed answer (prelude, eight zero bytes, body) to the equivalent buffered answer."""
    prelude, _, rest = body.partition(b"\0" * 8)
    said = json.loads(prelude)
    single = (said.get("headers") or {}).items()
    headers = {name: value if isinstance(value, list) else [value] for name, value in single}
    headers.update(said.get("multiValueHeaders") or {})
    if said.get("cookies"):
        headers["set-cookie"] = said["cookies"]
    headers[STREAMED] = ["1"]
    answer = {"statusCode": said.get("statusCode", 200), "multiValueHeaders": headers}
    return {**answer, "body": base64.b64encode(rest).decode(), "isBase64Encoded": True}


def streamed_answers():
    """The emulator treats a streamed answer as one text. This turns it into the answer that its prelude describes, in
    one piece: `cargo lambda watch` and its test check that it arrives bit by bit."""
    from ministack.core import lambda_runtime
    from ministack.services import apigateway_v1

    def worker(original):
        def build(self, generation, pending):
            served: Any = original(self, generation, pending)

            class Handler(served):
                def _read_body(self):
                    body = super()._read_body()
                    if "vnd.awslambda.http-integration-response" in self.headers.get("Content-Type", ""):
                        return json.dumps(unfold(body)).encode()
                    return body

            return Handler

        return build

    wrap(lambda_runtime.ProvidedWorker, "_build_handler_class", worker)

    def gateway(original):
        async def invoke(*args, **named):
            status, headers, body = await original(*args, **named)
            if headers.pop(STREAMED, None):
                body = base64.b64decode(body)
            return status, headers, body

        return invoke

    wrap(apigateway_v1, "_invoke_lambda_proxy_v1", gateway)


def local(value):
    """Replaces an AWS address with the emulator's own: it does not serve TLS for the names that the template
    composes."""
    return re.sub(
        r"(https|wss)://([a-z0-9]+)\.execute-api\.[a-z0-9-]+\.amazonaws\.com",
        lambda at: f"{at[1][:-1] if at[1] == 'https' else 'ws'}://{HOST}:{PORT}/_aws/execute-api/{at[2]}",
        value,
    )


def addresses():
    """The names of the APIs, buckets and the distribution do not resolve here: functions get the emulator's addresses
    instead when they start, and the stage says where the local stack takes CloudFront's place."""
    from ministack.services import apigateway, apigateway_v1, lambda_svc

    def environment(original):
        def build(config, code_dir, port):
            given = original(config, code_dir, port)
            given = {name: local(value) if isinstance(value, str) else value for name, value in given.items()}
            given["AWS_ENDPOINT_URL"] = f"http://{HOST}:{PORT}"
            given["S3_PATH_STYLE"] = "true"
            return given

        return build

    wrap(lambda_svc, "_provided_worker_env", environment)

    def site(variables):
        return {**variables, "site": SITE} if SITE and (variables or {}).get("site") else variables

    def rest(original):
        def build(*args, **named):
            event = original(*args, **named)
            event["stageVariables"] = site(event["stageVariables"])
            return event

        return build

    wrap(apigateway_v1, "_build_lambda_event_v1", rest)

    def sockets(original):
        def execute(function, event, *args, **named):
            context = event.get("requestContext") or {} if isinstance(event, dict) else {}
            if context.get("connectionId"):
                # The emulator's WebSocket events carry no stage variables.
                variables = apigateway._get_stage_variables(context["apiId"], context["stage"])
                event = {**event, "stageVariables": site(variables)}
            return original(function, event, *args, **named)

        return execute

    wrap(lambda_svc, "_execute_function_with_config_scope", sockets)


def metric_math():
    """The emulator refuses alarms over several metrics; this makes them watch the first one."""
    from ministack.services.cloudformation import provisioners

    def wrapper(original):
        def record(name, props):
            if not props.get("Metrics"):
                return original(name, props)
            stat = next(metric["MetricStat"] for metric in props["Metrics"] if metric.get("MetricStat"))
            single = {key: value for key, value in props.items() if key != "Metrics"}
            single.update(stat["Metric"], Statistic=stat["Stat"], Period=stat["Period"])
            return original(name, single)

        return record

    wrap(provisioners, "_cw_metric_alarm_record", wrapper)


def reservations():
    """The emulator's CloudFormation reserves no concurrency. With this, a function gets the template's reservation and
    gives it back when the template no longer has one; manual changes go unnoticed, as in AWS."""
    from ministack.services import lambda_svc
    from ministack.services.cloudformation import provisioners

    handlers = provisioners._RESOURCE_HANDLERS["AWS::Lambda::Function"]
    create_was, update_was = handlers["create"], handlers["update"]

    def reserved(props):
        number = props.get("ReservedConcurrentExecutions")
        return None if number is None else int(number)

    def create(logical_id, props, stack_name):
        name, attributes = create_was(logical_id, props, stack_name)
        lambda_svc._functions[name]["concurrency"] = reserved(props)
        return name, attributes

    def update(physical_id, old_props, new_props, stack_name, logical_id=None):
        name, attributes = update_was(physical_id, old_props, new_props, stack_name, logical_id)
        if reserved(old_props) != reserved(new_props):
            lambda_svc._functions[name]["concurrency"] = reserved(new_props)
        return name, attributes

    handlers.update(create=create, update=update)


def budgets():
    """The emulator does not support the type AWS::Budgets::Budget. With this, such a resource is created and deleted,
    but counts nothing."""
    from ministack.services.cloudformation import provisioners

    assert "AWS::Budgets::Budget" not in provisioners._RESOURCE_HANDLERS, "the emulator knows budgets now"
    provisioners._RESOURCE_HANDLERS["AWS::Budgets::Budget"] = {
        "create": lambda logical_id, props, stack_name: (f"{stack_name}-{logical_id}", {}),
        "update": lambda physical_id, old, new, stack_name: (physical_id, {}),
        "delete": lambda physical_id, props: None,
    }


def tasks():
    """Applies the task definition to a container: read-only root, init, capabilities, limits and writable volumes."""
    from ministack.services import ecs

    def kwargs(original):
        def build(cdef, td, *args, **named):
            run = original(cdef, td, *args, **named)
            linux = cdef.get("linuxParameters") or {}
            capabilities = linux.get("capabilities") or linux.get("Capabilities") or {}
            run["read_only"] = bool(cdef.get("readonlyRootFilesystem"))
            run["init"] = bool(linux.get("initProcessEnabled"))
            run["cap_drop"] = capabilities.get("drop") or capabilities.get("Drop") or []
            run["mem_limit"] = f"{td['memory']}m"
            run["nano_cpus"] = int(td["cpu"]) * 1_000_000_000 // 1024
            run["stop_signal"] = "SIGTERM"
            run["extra_hosts"] = {}
            return run

        return build

    wrap(ecs, "_build_run_kwargs", kwargs)


def stops():
    """ECS asks a task's containers to stop, gives them the time of their definition, and then reports their end. The
    emulator reports it first and kills them after five seconds: too early for the last backup on a busy machine. A task
    ends even if Docker cannot stop its container, which may be gone: whoever waits for the task would wait forever."""
    from ministack.core.responses import json_response
    from ministack.services import ecs

    def ask(original):
        def stop(data):
            cluster = ecs._resolve_cluster_name(data.get("cluster", "default"))
            task = cluster and ecs._resolve_task(data.get("task", ""), cluster)
            if not task or not task.get("_docker_ids") or task["lastStatus"] == "STOPPED":
                return original(data)
            if task["lastStatus"] != "STOPPING":
                task["lastStatus"], task["desiredStatus"] = "STOPPING", "STOPPED"
                definition = ecs._task_defs[ecs._resolve_td_key(task["taskDefinitionArn"])]
                seconds = max(each.get("stopTimeout", STOP_SECONDS) for each in definition["containerDefinitions"])

                def end():
                    for container in list(task["_docker_ids"]):
                        try:
                            ecs._get_docker().containers.get(container).stop(timeout=seconds)
                        except Exception:
                            ecs.logger.warning("container %s does not stop", container, exc_info=True)
                    # The emulator reports no end of a task that it takes for stopped.
                    task["desiredStatus"] = "RUNNING"
                    original(data)

                threading.Thread(target=contextvars.copy_context().run, args=(end,), daemon=True).start()
            return json_response({"task": ecs._sanitize(task)})

        return stop

    wrap(ecs, "_stop_task", ask)
    ecs._ACTION_MAP["StopTask"] = ecs._stop_task


def registry():
    """A repository's name is an AWS address. The emulator stores its images too; here the name is the address at which
    Docker's engine accepts it as a registry."""
    from ministack.services import ecr

    if REGISTRY:
        wrap(ecr, "_repo_uri", lambda original: lambda name: f"{REGISTRY}/{name}")


def task_events():
    """ECS reports on EventBridge when a task runs and when it has stopped. The emulator's ECS does not."""
    from ministack.core.responses import get_account_id, get_region, new_uuid
    from ministack.services import ecs, eventbridge

    def tell(task):
        eventbridge._dispatch_event(
            {
                "EventId": new_uuid(),
                "Source": "aws.ecs",
                "DetailType": "ECS Task State Change",
                "Detail": json.dumps(ecs._sanitize(task), default=str),
                "EventBusName": "default",
                "Time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "Resources": [task["taskArn"]],
                "Account": get_account_id(),
                "Region": get_region(),
            }
        )

    def wrapper(original):
        def mark(task_arn, task, *args, **named):
            changed = original(task_arn, task, *args, **named)
            if changed:
                tell(task)
            return changed

        return mark

    wrap(ecs, "_mark_task_running", wrapper)
    wrap(ecs, "_mark_task_stopped", wrapper)


GAPS = [
    streaming_uri,
    streamed_answers,
    addresses,
    metric_math,
    reservations,
    budgets,
    tasks,
    stops,
    task_events,
    registry,
    rights.secret_arns,
    rights.condition_keys,
    rights.secure_transport,
]


def main():
    for gap in GAPS:
        gap()
    from ministack.app import main as serve

    serve()


if __name__ == "__main__":
    main()
