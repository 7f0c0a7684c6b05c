"""Bedrock's ConverseStream in front of an OpenAI-compatible model, validated with botocore.

botocore computes the signature that a request must carry, and checks requests and answers against AWS's own model of
the service. Only the translation between the two protocols is this repository's own.

bedrock.py UPSTREAM     prints its address, and exits when its input ends
"""

import json
import struct
import sys
import threading
from binascii import crc32
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote
from urllib.request import Request, urlopen

import botocore.session
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.eventstream import EventStreamBuffer
from botocore.model import ServiceModel
from botocore.validate import ParamValidator

# The local stack's own credentials and region.
CREDENTIALS = Credentials("local", "local")
REGION = "us-east-1"
# A value in a document.
Json = dict[str, Any]
STOPS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}

loader = botocore.session.get_session().get_component("data_loader")
CONVERSE = ServiceModel(loader.load_service_model("bedrock-runtime", "service-2")).operation_model("ConverseStream")
OUTPUT: Any = CONVERSE.output_shape
EVENTS = OUTPUT.members["stream"].members


def faults(value: Json, shape: Any) -> str:
    """The errors that AWS's model of the service finds in a value."""
    report = ParamValidator().validate(value, shape)
    return report.generate_report() if report.has_errors() else ""


def signature(url: str, headers: dict[str, str], body: bytes) -> str:
    """The `Authorization` header of a request with these headers, as botocore computes it."""
    named = headers.get("authorization", "").partition("SignedHeaders=")[2].partition(",")[0].split(";")
    signed = {name: headers[name] for name in named if name in headers}
    request = AWSRequest("POST", url, headers=signed, data=body)
    request.context["timestamp"] = headers.get("x-amz-date", "00000000T000000Z")
    auth = SigV4Auth(CREDENTIALS, "bedrock", REGION)
    string = auth.string_to_sign(request, auth.canonical_request(request))
    scope = f"Credential={auth.scope(request)}, SignedHeaders={';'.join(named)}"
    return f"AWS4-HMAC-SHA256 {scope}, Signature={auth.signature(string, request)}"


def frame(kind: str, name: str, payload: Json) -> bytes:
    """A frame of AWS's event stream, which botocore parses before it is sent."""
    headers = b""
    texts = {f":{kind}-type": name, ":content-type": "application/json", ":message-type": kind}
    for key, value in texts.items():
        headers += struct.pack("!B", len(key)) + key.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
    body = json.dumps(payload).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(body), len(headers))
    whole = prelude + struct.pack("!I", crc32(prelude)) + headers + body
    whole += struct.pack("!I", crc32(whole))
    buffer = EventStreamBuffer()
    buffer.add_data(whole)
    assert json.loads(next(buffer).payload) == payload
    wrong = faults(payload, EVENTS[name])
    assert not wrong, f"{name}: {wrong}"
    return whole


def texts(blocks: list[Json]) -> str:
    return "\n\n".join(block["text"] for block in blocks if "text" in block)


def chat(body: Json) -> Json:
    """The request as a chat completion, for the blueprint model."""
    messages: list[Json] = [{"role": "system", "content": texts(body["system"])}]
    for message in body["messages"]:
        blocks = message["content"]
        for block in blocks:
            if result := block.get("toolResult"):
                content = texts(result["content"])
                messages.append({"role": "tool", "tool_call_id": result["toolUseId"], "content": content})
        said = texts(blocks)
        calls = [call_of(block["toolUse"]) for block in blocks if "toolUse" in block]
        asked: Json = {"tool_calls": calls} if calls else {}
        if said or calls:
            messages.append({"role": message["role"], "content": said or None, **asked})
    config = body.get("toolConfig", {})
    request: Json = {
        "model": "blueprint-1",
        "messages": messages,
        "max_tokens": body["inferenceConfig"]["maxTokens"],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if config:
        request["tools"] = [function_of(tool["toolSpec"]) for tool in config["tools"]]
    if forced := config.get("toolChoice", {}).get("tool"):
        request["tool_choice"] = {"type": "function", "function": {"name": forced["name"]}}
    return request


def call_of(use: Json) -> Json:
    function = {"name": use["name"], "arguments": json.dumps(use["input"])}
    return {"id": use["toolUseId"], "type": "function", "function": function}


def function_of(spec: Json) -> Json:
    described = {"name": spec["name"], "description": spec["description"], "parameters": spec["inputSchema"]["json"]}
    return {"type": "function", "function": described}


def frames(chunks: Iterable[Json]) -> Iterator[bytes]:
    """The reply in Bedrock's events."""
    yield frame("event", "messageStart", {"role": "assistant"})
    index, block = -1, None
    stop: Any = None
    usage: Json = {}
    for chunk in chunks:
        for choice in chunk["choices"]:
            delta = choice["delta"]
            pieces: list[tuple[Any, str, Any]] = [("text", delta["content"], None)] if delta.get("content") else []
            calls = delta.get("tool_calls") or []
            pieces += [(call["index"], call["function"].get("arguments", ""), call) for call in calls]
            for kind, piece, call in pieces:
                if kind != block:
                    if index >= 0:
                        yield frame("event", "contentBlockStop", {"contentBlockIndex": index})
                    index, block = index + 1, kind
                    if call:
                        start = {"toolUse": {"toolUseId": call["id"], "name": call["function"]["name"]}}
                        yield frame("event", "contentBlockStart", {"start": start, "contentBlockIndex": index})
                content = {"toolUse": {"input": piece}} if call else {"text": piece}
                if piece:
                    yield frame("event", "contentBlockDelta", {"delta": content, "contentBlockIndex": index})
            stop = choice.get("finish_reason") or stop
        usage = chunk.get("usage") or usage
    if index >= 0:
        yield frame("event", "contentBlockStop", {"contentBlockIndex": index})
    yield frame("event", "messageStop", {"stopReason": STOPS[stop]})
    sent, made = usage["prompt_tokens"], usage["completion_tokens"]
    # A part of the input counts as cached, the way Bedrock counts it: separately from the rest.
    kept = sent // 4
    counted = {
        "inputTokens": sent - kept,
        "outputTokens": made,
        "totalTokens": sent + made,
        "cacheReadInputTokens": kept,
    }
    yield frame("event", "metadata", {"usage": counted, "metrics": {"latencyMs": 1}})


def chunks(answer: Iterable[bytes]) -> Iterator[Json]:
    for line in answer:
        data = line.decode().removeprefix("data:").strip()
        if line.startswith(b"data:") and data != "[DONE]":
            yield json.loads(data)


class Bedrock(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if headers.get("authorization") != signature(f"http://{headers['host']}{self.path}", headers, body):
            self.refuse(403, "InvalidSignatureException", "The request signature does not match.")
            return
        model, action = (unquote(part) for part in self.path.strip("/").split("/")[1:])
        request = json.loads(body)
        if wrong := faults({**request, "modelId": model}, CONVERSE.input_shape):
            self.refuse(400, "ValidationException", wrong)
            return
        assert action == "converse-stream", action
        asked = json.dumps(chat(request)).encode()
        upstream = Request(f"{sys.argv[1]}/chat/completions", asked, {"content-type": "application/json"})
        with urlopen(upstream) as answer:
            self.send_response(200)
            self.send_header("content-type", "application/vnd.amazon.eventstream")
            self.end_headers()
            for one in frames(chunks(answer)):
                self.wfile.write(one)
                self.wfile.flush()

    def refuse(self, status: int, name: str, message: str) -> None:
        print(f"{name}: {message}", file=sys.stderr, flush=True)
        answer = json.dumps({"message": message}).encode()
        self.send_response(status)
        self.send_header("x-amzn-errortype", f"{name}:http://internal.amazon.com/coral/com.amazon.bedrock/")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Bedrock)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()
