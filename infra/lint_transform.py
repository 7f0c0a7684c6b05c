"""Expands the template as CloudFormation will, and checks what shows only then: a streaming function must stream on
every route it has. A buffered route would send the stream's prelude as its body."""

import logging
import sys
from typing import Any

from samcli.yamlhelper import yaml_parse
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

logging.disable(logging.WARNING)  # a note on feature toggles that only AWS itself has


def streams_somewhere(function: dict[str, Any]) -> bool:
    events = function["Properties"].get("Events", {}).values()
    return any(event["Properties"].get("ResponseTransferMode") == "RESPONSE_STREAM" for event in events)


with open(sys.argv[1], encoding="utf-8") as file:
    source = yaml_parse(file.read())
functions = {name: r for name, r in source["Resources"].items() if r["Type"] == "AWS::Serverless::Function"}
streaming = {name for name, function in functions.items() if streams_somewhere(function)}
# sam build replaces the folders by these; SAM's own check requires them.
for function in functions.values():
    function["Properties"]["CodeUri"] = "s3://built/function.zip"

stack = Translator({}, Parser()).translate(source, {})
paths = stack["Resources"]["RestApi"]["Properties"]["Body"]["paths"]
wrong, routes = [], 0
for path, methods in paths.items():
    for method, operation in methods.items():
        integration = operation["x-amazon-apigateway-integration"]
        uri = integration["uri"]["Fn::Sub"]
        function = uri.split("${")[-1].split(".Arn")[0]
        invoked_to_stream = uri.endswith("/response-streaming-invocations")
        streams = integration.get("responseTransferMode") == "STREAM" and invoked_to_stream
        routes += 1
        if streams != (function in streaming):
            wrong.append(f"{method.upper()} {path} of {function} {'streams' if streams else 'is buffered'}")
        if streams and integration.get("timeoutInMillis") != 900_000:
            wrong.append(f"{method.upper()} {path} of {function} ends before its function does")
# infra/delete-stack.sh refers to it by this name.
if "SandboxReaperFunctionEveryMinute" not in stack["Resources"]:
    wrong.append("infra/delete-stack.sh disables a schedule with another name than the reaper's")
for line in wrong:
    print(line, file=sys.stderr)
if wrong or not streaming:
    sys.exit(1)
print(f"{sys.argv[1]}: {routes} routes, {len(stack['Resources'])} resources after SAM's expansion")
