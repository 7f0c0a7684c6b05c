"""The part of S3 behind the stand-in for AWS's provider: buckets with objects and their versions, for who may have
them.

A bucket exists as long as Terraform's resource does, and its policy, versions and blocks of public access are those of
the resources that name it. Who signs with the owner's key is the account, which may do everything that the policy does
not deny; everybody else may do what the policy allows.
"""

import base64
import fnmatch
import hashlib
import json
import time
import urllib.parse
import xml.etree.ElementTree as xml
from collections.abc import Callable, Iterator
from typing import Any
from xml.sax.saxutils import escape

SPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
# How many keys an answer lists, and how many one request deletes, at most.
KEYS = 1000
TYPES = {
    "list-type",
    "prefix",
    "delimiter",
    "max-keys",
    "encoding-type",
    "continuation-token",
    "start-after",
    "fetch-owner",
}


class Refused(Exception):
    """An error for the caller: status, code and sentence."""


def tag(name: str, value: object) -> str:
    return f"<{name}>{escape(str(value))}</{name}>"


def document(name: str, content: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{name} xmlns="{SPACE}">{content}</{name}>'.encode()


def moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(seconds))


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class Caller:
    """Who asks: the account, a service of AWS for one of its resources, or anyone."""

    def __init__(self, kind: str, service: str | None = None, source: str | None = None, secure: bool = True) -> None:
        self.kind, self.service, self.source, self.secure = kind, service, source, secure

    def matches(self, principal: Any) -> bool:
        if principal == "*" or (isinstance(principal, dict) and "*" in listed(principal.get("AWS", []))):
            return True
        return (
            isinstance(principal, dict)
            and self.kind == "service"
            and self.service in listed(principal.get("Service", []))
        )

    def fulfills(self, conditions: dict[str, Any]) -> bool:
        own = {"aws:securetransport": str(self.secure).lower(), "aws:sourcearn": self.source}
        for test, pairs in (conditions or {}).items():
            for name, wanted in pairs.items():
                value = own.get(name.lower())
                if test == "Bool":
                    holds = value in [str(one).lower() for one in listed(wanted)]
                elif test in ("StringEquals", "ArnEquals"):
                    holds = value in listed(wanted)
                elif test in ("StringLike", "ArnLike"):
                    holds = value is not None and any(fnmatch.fnmatchcase(value, one) for one in listed(wanted))
                else:
                    holds = False
                if not holds:
                    return False
        return True


def verdicts(policy: dict[str, Any], caller: Caller, action: str, resource: str) -> Iterator[str]:
    """The effects of the statements of a policy that are about this request."""
    for statement in listed(policy.get("Statement", [])):
        actions, resources = listed(statement.get("Action", [])), listed(statement.get("Resource", []))
        if (
            any(fnmatch.fnmatchcase(action.lower(), one.lower()) for one in actions)
            and any(fnmatch.fnmatchcase(resource, one) for one in resources)
            and caller.matches(statement.get("Principal"))
            and caller.fulfills(statement.get("Condition"))
        ):
            yield statement["Effect"]


class Buckets:
    def __init__(self, things: dict[str, dict[str, Any]]) -> None:
        # The objects of each bucket by key, as their versions, the newest last.
        self.things, self.number = things, 0
        self.objects: dict[str, dict[str, list[dict[str, Any]]]] = {}

    def setting(self, kind: str, bucket: str) -> dict[str, Any] | None:
        """The resource of this kind that names the bucket."""
        return next(
            (
                one
                for one in self.things.values()
                if one["kind"] == f"aws_s3_bucket{kind}" and one.get("bucket") == bucket and one["status"] != "gone"
            ),
            None,
        )

    def check_policy(self, given: dict[str, Any]) -> None:
        """Refuses a policy that S3 would refuse for this bucket."""
        bucket = str(given.get("bucket"))
        if not self.setting("", bucket):
            raise Refused(404, "NoSuchBucket", "The specified bucket does not exist")
        try:
            statements = listed(json.loads(given["policy"])["Statement"])
            resources = [one for statement in statements for one in listed(statement["Resource"])]
            public = [
                one
                for one in statements
                if one["Effect"] == "Allow" and not one.get("Condition") and Caller("anybody").matches(one["Principal"])
            ]
        except (ValueError, KeyError, TypeError) as error:
            raise Refused(400, "MalformedPolicy", f"Policy has invalid content: {error}") from error
        own = f"arn:aws:s3:::{bucket}"
        if any(one != own and not one.startswith(f"{own}/") for one in resources):
            raise Refused(400, "MalformedPolicy", "Policy has invalid resource")
        if public and (self.setting("_public_access_block", bucket) or {}).get("block_public_policy"):
            raise Refused(403, "AccessDenied", "public policies are blocked by the BlockPublicPolicy setting")

    def check(self, bucket: str, region: str) -> None:
        own = self.setting("", bucket)
        if not own:
            raise Refused(404, "NoSuchBucket", "The specified bucket does not exist")
        if region != own["region"]:
            raise Refused(301, "PermanentRedirect", f"the bucket is in {own['region']}")

    def may(self, caller: Caller, action: str, bucket: str, key: str = "") -> bool:
        resource = f"arn:aws:s3:::{bucket}" + (f"/{key}" if key or action.endswith("Object") else "")
        policy = self.setting("_policy", bucket)
        effects = list(verdicts(json.loads(policy["policy"]), caller, action, resource)) if policy else []
        if "Deny" in effects:
            return False
        if caller.kind == "account":
            return True
        block = self.setting("_public_access_block", bucket) or {}
        return "Allow" in effects and not (caller.kind == "anybody" and block.get("restrict_public_buckets"))

    def need(self, caller: Caller, action: str, bucket: str, key: str = "") -> None:
        if not self.may(caller, action, bucket, key):
            raise Refused(403, "AccessDenied", "Access Denied")

    def keeps_versions(self, bucket: str) -> bool:
        setting = self.setting("_versioning", bucket) or {}
        return any(one.get("status") == "Enabled" for one in setting.get("versioning_configuration") or [])

    def is_empty(self, bucket: str) -> bool:
        return not any(self.objects.get(bucket, {}).values())

    def current(self, bucket: str, key: str) -> dict[str, Any] | None:
        versions = self.objects.get(bucket, {}).get(key)
        return versions[-1] if versions and not versions[-1]["deleted"] else None

    def put(self, bucket: str, key: str, version: dict[str, Any]) -> dict[str, Any]:
        versions = self.objects.setdefault(bucket, {}).setdefault(key, [])
        if not self.keeps_versions(bucket):
            versions.clear()
        self.number += 1
        version.update(id=f"{self.number:032x}" if self.keeps_versions(bucket) else "null", at=time.time())
        versions.append(version)
        return version

    def delete(self, bucket: str, key: str, version: str | None = None) -> None:
        """Deletes one version; without one, hides the object where versions are kept."""
        versions = self.objects.get(bucket, {}).get(key, [])
        if version:
            versions[:] = [one for one in versions if one["id"] != version]
        elif self.keeps_versions(bucket):
            if versions:
                self.put(bucket, key, {"deleted": True, "body": b""})
        else:
            versions.clear()
        if not versions:
            self.objects.get(bucket, {}).pop(key, None)

    # Requests

    def handle_call(
        self,
        caller: Caller,
        method: str,
        bucket: str,
        region: str,
        key: str,
        query: str,
        headers: dict[str, str],
        body: bytes,
    ) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of an answer."""
        try:
            self.check(bucket, region)
            asked = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
            return (
                self.of_object(caller, method, bucket, key, asked, headers, body)
                if key
                else (self.of_bucket(caller, method, bucket, asked, body))
            )
        except Refused as refused:
            status, code, why = refused.args
            error = tag("Code", code) + tag("Message", why) + tag("BucketName", bucket)
            return status, {"content-type": "application/xml"}, f"<Error>{error}</Error>".encode()

    def of_object(
        self,
        caller: Caller,
        method: str,
        bucket: str,
        key: str,
        asked: dict[str, str],
        headers: dict[str, str],
        body: bytes,
    ) -> tuple[int, dict[str, str], bytes]:
        if method == "PUT" and not asked:
            self.need(caller, "s3:PutObject", bucket, key)
            if headers.get("x-amz-acl", "bucket-owner-full-control") != "bucket-owner-full-control":
                raise Refused(400, "AccessControlListNotSupported", "The bucket does not allow ACLs")
            kept = {name: headers[name] for name in ("content-type", "cache-control") if name in headers}
            version = self.put(bucket, key, {"deleted": False, "body": body, "headers": kept})
            return (
                200,
                {"etag": etag(body), "x-amz-version-id": version["id"], "x-amz-server-side-encryption": "AES256"},
                b"",
            )
        if method in ("GET", "HEAD"):
            found = self.need_object(caller, bucket, key)
            answer = {
                "etag": etag(found["body"]),
                "x-amz-version-id": found["id"],
                "content-type": "binary/octet-stream",
                "last-modified": time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(found["at"])),
            }
            return 200, {**answer, **found["headers"]}, found["body"]
        if method == "DELETE":
            self.need(caller, "s3:DeleteObjectVersion" if "versionId" in asked else "s3:DeleteObject", bucket, key)
            self.delete(bucket, key, asked.get("versionId"))
            return 204, {}, b""
        raise Refused(405, "MethodNotAllowed", "The specified method is not allowed against this resource.")

    def need_object(self, caller: Caller, bucket: str, key: str) -> dict[str, Any]:
        self.need(caller, "s3:GetObject", bucket, key)
        found = self.current(bucket, key)
        if not found:
            # Who may not list the bucket does not learn which keys it has.
            self.need(caller, "s3:ListBucket", bucket)
            raise Refused(404, "NoSuchKey", "The specified key does not exist.")
        return found

    def of_bucket(
        self, caller: Caller, method: str, bucket: str, asked: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        kind = {"content-type": "application/xml"}
        if method in ("GET", "HEAD") and "versions" in asked:
            self.need(caller, "s3:ListBucketVersions", bucket)
            return 200, kind, self.list_versions(bucket, asked)
        if method == "POST" and "delete" in asked:
            return 200, kind, self.delete_many(caller, bucket, body)
        if method in ("GET", "HEAD") and not set(asked) - TYPES:
            self.need(caller, "s3:ListBucket", bucket)
            return 200, kind, self.list_objects(bucket, asked)
        raise Refused(501, "NotImplemented", f"this stand-in does not know {method} with {sorted(asked)}")

    def list_objects(self, bucket: str, asked: dict[str, str]) -> bytes:
        after = asked.get("continuation-token", asked.get("start-after", ""))
        there = {key: self.current(bucket, key) for key in sorted(self.objects.get(bucket, {}))}
        start = asked.get("prefix", "")
        listed = {key: one for key, one in there.items() if one and key.startswith(start) and key > after}
        keys = list(listed)
        most = min(int(asked.get("max-keys", KEYS)), KEYS)
        shown = quoted(asked)
        content = "".join(tag("Prefix", asked["prefix"]) for _ in [1] if asked.get("prefix"))
        content += (
            tag("Name", bucket) + tag("KeyCount", len(keys[:most])) + tag("IsTruncated", str(len(keys) > most).lower())
        )
        if len(keys) > most:
            content += tag("NextContinuationToken", keys[most - 1])
        for key in keys[:most]:
            one = listed[key]
            content += (
                f"<Contents>{tag('Key', shown(key))}{tag('LastModified', moment(one['at']))}"
                f"{tag('ETag', etag(one['body']))}{tag('Size', len(one['body']))}</Contents>"
            )
        return document("ListBucketResult", content + encoding(asked))

    def list_versions(self, bucket: str, asked: dict[str, str]) -> bytes:
        shown, content = quoted(asked), tag("Name", bucket) + tag("IsTruncated", "false")
        for key, versions in sorted(self.objects.get(bucket, {}).items()):
            for one in reversed(versions):
                name = "DeleteMarker" if one["deleted"] else "Version"
                content += (
                    f"<{name}>{tag('Key', shown(key))}{tag('VersionId', one['id'])}"
                    f"{tag('IsLatest', str(one is versions[-1]).lower())}{tag('LastModified', moment(one['at']))}"
                    f"{tag('Size', len(one['body']))}</{name}>"
                )
        return document("ListVersionsResult", content + encoding(asked))

    def delete_many(self, caller: Caller, bucket: str, body: bytes) -> bytes:
        try:
            wanted = [
                {part.tag.rpartition("}")[2]: part.text or "" for part in one}
                for one in xml.fromstring(body)
                if one.tag.endswith("Object")
            ]
        except xml.ParseError as error:
            raise Refused(400, "MalformedXML", str(error)) from error
        if not 0 < len(wanted) <= KEYS:
            raise Refused(400, "MalformedXML", f"a request deletes one to {KEYS} objects")
        content = ""
        for one in wanted:
            action = "s3:DeleteObjectVersion" if one.get("VersionId") else "s3:DeleteObject"
            if self.may(caller, action, bucket, one["Key"]):
                self.delete(bucket, one["Key"], one.get("VersionId"))
            else:
                said = tag("Key", one["Key"]) + tag("Code", "AccessDenied") + tag("Message", "Access Denied")
                content += f"<Error>{said}</Error>"
        return document("DeleteResult", content)


def etag(body: bytes) -> str:
    return f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'


def encoding(asked: dict[str, str]) -> str:
    return tag("EncodingType", "url") if asked.get("encoding-type") == "url" else ""


def quoted(asked: dict[str, str]) -> Callable[[str], str]:
    return urllib.parse.quote if asked.get("encoding-type") == "url" else str


def unwrapped(body: bytes, headers: dict[str, str]) -> bytes:
    """The body of an upload without the frames in which the command line sends it, after its checksum was checked."""
    if "aws-chunked" not in headers.get("content-encoding", ""):
        return body
    found, at = b"", 0
    while True:
        end = body.index(b"\r\n", at)
        size = int(body[at:end].split(b";")[0], 16)
        if not size:
            break
        found += body[end + 2 : end + 2 + size]
        at = end + 2 + size + 2
    trailer = dict(line.split(":", 1) for line in body[end + 2 :].decode().split("\r\n") if ":" in line)
    if len(found) != int(headers.get("x-amz-decoded-content-length", len(found))):
        raise Refused(400, "IncompleteBody", "The request body terminated unexpectedly")
    sent = trailer.get("x-amz-checksum-sha256")
    if sent and base64.b64decode(sent) != hashlib.sha256(found).digest():
        raise Refused(400, "BadDigest", "The checksum did not match")
    return found
