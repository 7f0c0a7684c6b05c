"""The part of CloudFront behind the stand-in for AWS's provider: distributions that serve the objects of a bucket.

A distribution does what its resource says: it redirects to HTTPS, runs its function, asks the bucket with its own
identity, keeps what it got until that is too old or invalidated, and adds the headers of its policy. Functions run in
QuickJS, or in Node where that is missing.
"""

import json
import re
import shutil
import subprocess
import time
import xml.etree.ElementTree as xml
from typing import Any

from managed import CACHE
from s3 import Buckets, Caller, tag

DOMAIN, ZONE, ACCOUNT = "cloudfront.net", "Z2FDTNDATAQYW2", "123456789012"
API, SPACE = "2020-05-31", "http://cloudfront.amazonaws.com/doc/2020-05-31/"
RUNTIMES = ("cloudfront-js-1.0", "cloudfront-js-2.0")
# The longest code of a function, in characters, and how long it may run, in seconds.
CODE, RUN = 10_240, 5
CHOICES = {
    "http_version": ("http1.1", "http2", "http2and3", "http3"),
    "price_class": ("PriceClass_100", "PriceClass_200", "PriceClass_All"),
}
VIEWERS = ("allow-all", "https-only", "redirect-to-https")


class Invalid(Exception):
    """The reason why CloudFront refuses a resource."""


def first(value: Any) -> dict[str, Any]:
    return (value or [{}])[0] or {}


def run(code: str, event: dict[str, Any]) -> dict[str, Any]:
    """What a function makes of an event."""
    text = f"{code}\nconsole.log(JSON.stringify(handler({json.dumps(event)})));"
    command = [shutil.which("qjs") or "node", "--eval", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=RUN, check=False)
    if done.returncode:
        raise Invalid(done.stderr.strip() or done.stdout.strip())
    return json.loads(done.stdout)


def event_of(method: str, path: str) -> dict[str, Any]:
    return {
        "version": "1.0",
        "context": {"eventType": "viewer-request"},
        "viewer": {"ip": "192.0.2.1"},
        "request": {"method": method, "uri": path, "querystring": {}, "headers": {}, "cookies": {}},
    }


class Distributions:
    def __init__(self, things: dict[str, dict[str, Any]], buckets: Buckets) -> None:
        # What each distribution keeps: an answer and the time until which it is fresh, by path. And its invalidations.
        self.things, self.buckets = things, buckets
        self.cache: dict[str, dict[str, tuple[Any, float]]] = {}
        self.invalidations: dict[str, list[str]] = {}

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [
            one for one in self.things.values() if one["kind"] == f"aws_cloudfront_{kind}" and one["status"] != "gone"
        ]

    # Terraform's resources

    def check(self, kind: str, given: dict[str, Any]) -> None:
        """Refuses what CloudFront would refuse when the resource is made or changed."""
        match kind:
            case "aws_cloudfront_function":
                if given.get("runtime") not in RUNTIMES:
                    raise Invalid(f"InvalidArgument: the runtime {given.get('runtime')} does not exist")
                if len(given.get("code", "")) > CODE:
                    raise Invalid(f"FunctionSizeLimitExceeded: the code has more than {CODE} characters")
                run(given["code"], event_of("GET", "/"))
            case "aws_cloudfront_origin_access_control":
                wanted = {
                    "origin_access_control_origin_type": ("s3", "mediastore", "lambda"),
                    "signing_protocol": ("sigv4",),
                    "signing_behavior": ("always", "never", "no-override"),
                }
                for name, values in wanted.items():
                    if given.get(name) not in values:
                        raise Invalid(f"InvalidArgument: {name} is {given.get(name)}")
            case "aws_cloudfront_distribution":
                self.check_distribution(given)

    def check_distribution(self, given: dict[str, Any]) -> None:
        for name, values in CHOICES.items():
            if given.get(name) and given[name] not in values:
                raise Invalid(f"InvalidArgument: {name} is {given[name]}")
        behavior, origins = first(given.get("default_cache_behavior")), given.get("origin") or []
        if behavior.get("target_origin_id") not in [one["origin_id"] for one in origins]:
            raise Invalid("NoSuchOrigin: the default cache behavior names an origin that is not there")
        if behavior.get("viewer_protocol_policy") not in VIEWERS:
            raise Invalid(
                f"InvalidViewerCertificate: viewer_protocol_policy is {behavior.get('viewer_protocol_policy')}"
            )
        known = [number for number, _ in CACHE.values()] + [one["id"] for one in self.all("cache_policy")]
        if not behavior.get("forwarded_values") and behavior.get("cache_policy_id") not in known:
            raise Invalid(f"NoSuchCachePolicy: {behavior.get('cache_policy_id')}")
        policy = behavior.get("response_headers_policy_id")
        if policy and policy not in [one["id"] for one in self.all("response_headers_policy")]:
            raise Invalid(f"NoSuchResponseHeadersPolicy: {policy}")
        published = [one["arn"] for one in self.all("function") if one.get("publish") is not False]
        for one in behavior.get("function_association") or []:
            if one["function_arn"] not in published:
                raise Invalid(f"InvalidFunctionAssociation: {one['function_arn']}")
        controls = [one["id"] for one in self.all("origin_access_control")]
        for one in origins:
            if one.get("origin_access_control_id") and one["origin_access_control_id"] not in controls:
                raise Invalid(f"NoSuchOriginAccessControl: {one['origin_access_control_id']}")
        certificate = first(given.get("viewer_certificate"))
        if given.get("aliases") and not certificate.get("acm_certificate_arn"):
            raise Invalid("InvalidViewerCertificate: aliases need a certificate")

    def values(self, number: int) -> dict[str, Any]:
        """What CloudFront gives a new distribution."""
        own = f"E{number:013d}"
        return {
            "id": own,
            "arn": f"arn:aws:cloudfront::{ACCOUNT}:distribution/{own}",
            "hosted_zone_id": ZONE,
            "domain_name": f"d{number:013x}.{DOMAIN}",
        }

    def users(self, thing: dict[str, Any]) -> list[str]:
        """The distribution that needs this resource, so that it cannot be deleted."""
        return [
            one["id"]
            for one in self.all("distribution")
            if one is not thing and (thing["id"] in json.dumps(one) or str(thing.get("arn")) in json.dumps(one))
        ]

    # Visitors

    def serve(self, secure: bool, host: str, method: str, target: str) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of an answer."""
        one = next(
            (one for one in self.all("distribution") if host in (one["domain_name"], *(one.get("aliases") or []))), None
        )
        if not one or not one.get("enabled"):
            return 403, {"server": "CloudFront"}, b"The request could not be satisfied."
        behavior, path = first(one["default_cache_behavior"]), target.partition("?")[0]
        if not secure and behavior["viewer_protocol_policy"] == "redirect-to-https":
            return 301, {"location": f"https://{host}{target}"}, b""
        if (not secure and behavior["viewer_protocol_policy"] == "https-only") or method not in behavior[
            "allowed_methods"
        ]:
            return 403, {"server": "CloudFront"}, b"The request could not be satisfied."
        for association in behavior.get("function_association") or []:
            if association["event_type"] == "viewer-request":
                function = next(own for own in self.all("function") if own["arn"] == association["function_arn"])
                changed = run(function["code"], event_of(method, path))
                if "statusCode" in changed:
                    sent = {name: value["value"] for name, value in changed.get("headers", {}).items()}
                    return changed["statusCode"], sent, b""
                path = changed["uri"]
        if path == "/" and one.get("default_root_object"):
            path = f"/{one['default_root_object']}"
        status, headers, body = self.fetch(one, behavior, path)
        for rule in one.get("custom_error_response") or []:
            if rule["error_code"] == status and rule.get("response_page_path"):
                _, headers, body = self.fetch(one, behavior, rule["response_page_path"])
                status = int(rule["response_code"])
        return status, {**headers, **self.headers(behavior)}, body

    def fetch(self, one: dict[str, Any], behavior: dict[str, Any], path: str) -> tuple[int, dict[str, str], bytes]:
        kept, until = self.cache.setdefault(one["id"], {}).get(path, (None, 0))
        if time.time() < until:
            return kept
        origin = next(own for own in one["origin"] if own["origin_id"] == behavior["target_origin_id"])
        found = re.fullmatch(r"(.+)\.s3\.([\w-]+)\.amazonaws\.com", origin["domain_name"])
        if not found:
            return 502, {}, b"The origin is not known."
        control: dict[str, Any] = next(
            (own for own in self.all("origin_access_control") if own["id"] == origin.get("origin_access_control_id")),
            {},
        )
        signs = control.get("signing_behavior") == "always"
        caller = Caller("service", "cloudfront.amazonaws.com", one["arn"]) if signs else Caller("anybody")
        key = (origin.get("origin_path") or "").strip("/") + path
        status, headers, body = self.buckets.handle_call(
            caller, "GET", found[1], found[2], key.lstrip("/"), "", {}, b""
        )
        if status == 200:
            default = dict(CACHE.values()).get(behavior.get("cache_policy_id", ""), 0)
            age = re.search(r"max-age=(\d+)", headers.get("cache-control", ""))
            # A policy that keeps nothing also ignores the age that the object names.
            self.cache[one["id"]][path] = (
                (status, headers, body),
                time.time() + (int(age[1]) if age and default else default),
            )
        return status, headers, body

    def headers(self, behavior: dict[str, Any]) -> dict[str, str]:
        policies = [
            one
            for one in self.all("response_headers_policy")
            if one["id"] == behavior.get("response_headers_policy_id")
        ]
        security = first(first(policies).get("security_headers_config"))
        found = {}
        if transport := first(security.get("strict_transport_security")):
            found["strict-transport-security"] = f"max-age={transport['access_control_max_age_sec']}"
        if security.get("content_type_options"):
            found["x-content-type-options"] = "nosniff"
        if frame := first(security.get("frame_options")):
            found["x-frame-options"] = frame["frame_option"]
        if referrer := first(security.get("referrer_policy")):
            found["referrer-policy"] = referrer["referrer_policy"]
        return found

    # The API for invalidations

    def handle_call(self, method: str, target: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        found = re.fullmatch(rf"/{API}/distribution/(\w+)/invalidation(?:/(\w+))?", target.partition("?")[0])
        number, asked = found.groups("") if found else ("", "")
        if number not in [one["id"] for one in self.all("distribution")]:
            return self.error(404, "NoSuchDistribution", "The specified distribution does not exist.")
        if method == "POST":
            try:
                paths = [one.text or "" for one in xml.fromstring(body).iter() if one.tag.endswith("}Path")]
            except xml.ParseError as error:
                return self.error(400, "MalformedInput", str(error))
            if not paths or not all(path.startswith("/") for path in paths):
                return self.error(
                    400, "InvalidArgument", "Your request contains one or more invalid invalidation paths."
                )
            asked = f"I{len(self.invalidations) + 1:012d}"
            self.invalidations[asked] = paths
            for path in list(self.cache.get(number, {})):
                if any(path == one or (one.endswith("*") and path.startswith(one[:-1])) for one in paths):
                    del self.cache[number][path]
            return 201, {"content-type": "text/xml"}, self.invalidation(asked, "InProgress")
        if asked in self.invalidations:
            return 200, {"content-type": "text/xml"}, self.invalidation(asked, "Completed")
        return self.error(404, "NoSuchInvalidation", "The specified invalidation does not exist.")

    def invalidation(self, number: str, status: str) -> bytes:
        paths = self.invalidations[number]
        batch = (
            f"<Paths>{tag('Quantity', len(paths))}<Items>{''.join(tag('Path', one) for one in paths)}</Items></Paths>"
        )
        content = tag("Id", number) + tag("Status", status) + tag("CreateTime", "2026-01-01T00:00:00Z")
        return (
            f'<?xml version="1.0"?><Invalidation xmlns="{SPACE}">{content}<InvalidationBatch>{batch}'
            f"{tag('CallerReference', number)}</InvalidationBatch></Invalidation>"
        ).encode()

    def error(self, status: int, code: str, why: str) -> tuple[int, dict[str, str], bytes]:
        content = f"<Error>{tag('Type', 'Sender')}{tag('Code', code)}{tag('Message', why)}</Error>"
        return (
            status,
            {"content-type": "text/xml"},
            f'<ErrorResponse xmlns="{SPACE}">{content}</ErrorResponse>'.encode(),
        )
