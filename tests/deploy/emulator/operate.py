"""What a test asks the operator to do while it watches: `operate.py ENDPOINT update NAME=VALUE…`, `… stop TASK`, `…
sweep` or `… fail`."""

import contextlib
import pathlib
import sys

from botocore.exceptions import ClientError, WaiterError

import stack

ROOT = pathlib.Path(__file__).resolve().parents[3]


def without_code(text: str) -> str:
    """A template in which one function's code does not exist."""
    return text.replace(f"s3://{stack.BUCKET}/projects.zip", f"s3://{stack.BUCKET}/missing.zip")


def main(endpoint: str, what: str, *parameters: str) -> None:
    operator = stack.Operator(endpoint, ROOT, ROOT / "target/deploy")
    if what == "update":
        try:
            operator.update(**dict(parameter.split("=", 1) for parameter in parameters))
        except ClientError as error:
            if "No updates" not in str(error):
                raise
        return
    if what == "stop":
        cluster = parameters[0].split("/")[1]
        stack.client("ecs", endpoint).stop_task(cluster=cluster, task=parameters[0], reason="A test stops it")
        return
    if what == "sweep":
        # The schedule's event of each minute.
        event = (ROOT / "events/sandbox-reaper/schedule.json").read_bytes()
        stack.client("lambda", endpoint).invoke(FunctionName=f"{stack.STACK}-sandbox-reaper", Payload=event)
        return
    with contextlib.suppress(WaiterError):
        operator.update(without_code)
    if operator.status() != "UPDATE_ROLLBACK_COMPLETE":
        sys.exit(f"an update that cannot work ended as {operator.status()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
