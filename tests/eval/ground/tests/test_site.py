"""Checks that a distribution of the stand-in cloud serves a private bucket as CloudFront does, and that what is wrong
with either is refused.
"""

import base64
import hashlib
import json
import time
import unittest
from typing import Any
from unittest import mock

from running import ROOT, SECRET, Running

import cdn
import s3
import signature

FUNCTION = (ROOT / "infra/blueprint/catalogue/static-site/files/folders.js").read_text()
REGION = "eu-central-1"


class Site(Running):
    def setUp(self) -> None:
        super().setUp()
        self.front, self.things = self.cloud.front, self.cloud.things
        self.add("aws_s3_bucket", id="site", bucket="site", region=REGION)
        self.add("aws_s3_bucket_versioning", bucket="site", versioning_configuration=[{"status": "Enabled"}])
        self.add(
            "aws_s3_bucket_public_access_block", bucket="site", restrict_public_buckets=True, block_public_policy=True
        )
        self.add(
            "aws_cloudfront_origin_access_control",
            id="oac",
            origin_access_control_origin_type="s3",
            signing_behavior="always",
            signing_protocol="sigv4",
        )
        headers = {
            "frame_options": [{"frame_option": "DENY"}],
            "strict_transport_security": [{"access_control_max_age_sec": 31536000}],
        }
        self.add("aws_cloudfront_response_headers_policy", id="headers", security_headers_config=[headers])
        self.add("aws_cloudfront_function", id="folders", arn="arn:folders", code=FUNCTION, runtime="cloudfront-js-2.0")
        behavior = {
            "target_origin_id": "bucket",
            "viewer_protocol_policy": "redirect-to-https",
            "allowed_methods": ["GET", "HEAD"],
            "cache_policy_id": "658327ea-f89d-4fab-a63d-7e88639e58f6",
            "response_headers_policy_id": "headers",
            "function_association": [{"event_type": "viewer-request", "function_arn": "arn:folders"}],
        }
        self.given: dict[str, Any] = {
            "enabled": True,
            "default_root_object": "index.html",
            "default_cache_behavior": [behavior],
            "origin": [
                {
                    "origin_id": "bucket",
                    "origin_access_control_id": "oac",
                    "domain_name": f"site.s3.{REGION}.amazonaws.com",
                }
            ],
            "custom_error_response": [{"error_code": 404, "response_code": 404, "response_page_path": "/404.html"}],
        }
        self.front.distributions.check("aws_cloudfront_distribution", self.given)
        self.site = self.add("aws_cloudfront_distribution", **self.front.distributions.values(7), **self.given)
        service, own = {"Service": "cloudfront.amazonaws.com"}, {"StringEquals": {"AWS:SourceArn": self.site["arn"]}}
        self.policy = self.add(
            "aws_s3_bucket_policy",
            bucket="site",
            policy=json.dumps(
                {
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Action": "s3:GetObject",
                            "Resource": "arn:aws:s3:::site/*",
                            "Principal": service,
                            "Condition": own,
                        },
                        {
                            "Effect": "Allow",
                            "Action": "s3:ListBucket",
                            "Resource": "arn:aws:s3:::site",
                            "Principal": service,
                            "Condition": own,
                        },
                        {
                            "Effect": "Deny",
                            "Action": "s3:*",
                            "Resource": ["arn:aws:s3:::site", "arn:aws:s3:::site/*"],
                            "Principal": "*",
                            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
                        },
                    ]
                }
            ),
        )
        for key in ("index.html", "404.html", "deep/index.html"):
            self.owner("PUT", f"/{key}", key.encode())

    def add(self, kind: str, **values: Any) -> dict[str, Any]:
        thing = {"kind": kind, "status": "there", "id": f"{kind}-{len(self.things)}", **values}
        self.things[thing["id"]] = thing
        return thing

    def signed(
        self, method: str, target: str, host: str, body: bytes = b"", secret: str = SECRET, service: str = "s3"
    ) -> dict[str, str]:
        payload = hashlib.sha256(body).hexdigest()
        headers = {"host": host, "x-amz-date": "20261126T180000Z", "x-amz-content-sha256": payload}
        path, _, query = target.partition("?")
        pairs = "&".join(sorted(one if "=" in one else f"{one}=" for one in query.split("&") if one))
        names = ";".join(sorted(headers))
        lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
        request = "\n".join([method, path, pairs, lines, names, payload])
        scope = f"20261126/{REGION}/{service}/aws4_request"
        text = "\n".join(
            ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(request.encode()).hexdigest()]
        )
        key = f"AWS4{secret}".encode()
        for part in scope.split("/"):
            key = signature.derived(key, part)
        headers["authorization"] = (
            f"AWS4-HMAC-SHA256 Credential=AKIA/{scope}, SignedHeaders={names}, "
            f"Signature={signature.derived(key, text).hex()}"
        )
        return headers

    def owner(
        self,
        method: str,
        target: str,
        body: bytes = b"",
        host: str = f"site.s3.{REGION}.amazonaws.com",
        secure: bool = True,
        **more: str,
    ) -> tuple[int, dict[str, str], bytes]:
        return self.front.answer(secure, host, method, target, self.signed(method, target, host, body, **more), body)

    def visit(
        self, path: str, secure: bool = True, host: str | None = None, method: str = "GET"
    ) -> tuple[int, dict[str, str], bytes]:
        return self.front.answer(secure, host or self.site["domain_name"], method, path, {}, b"")

    def test_pages_and_folders_come_with_their_headers(self) -> None:
        for path, key in (("/", b"index.html"), ("/deep/", b"deep/index.html"), ("/deep", b"deep/index.html")):
            status, headers, body = self.visit(path)
            self.assertEqual((status, body), (200, key))
            self.assertEqual(
                (headers["x-frame-options"], headers["strict-transport-security"]), ("DENY", "max-age=31536000")
            )
        self.assertEqual(self.visit("/nothing.html")[::2], (404, b"404.html"))

    def test_http_leads_to_https_and_other_methods_and_hosts_are_refused(self) -> None:
        status, headers, _ = self.visit("/a?b=1", secure=False)
        self.assertEqual((status, headers["location"]), (301, f"https://{self.site['domain_name']}/a?b=1"))
        self.assertEqual(self.visit("/", method="POST")[0], 403)
        self.assertEqual(self.visit("/", host="d0.cloudfront.net")[0], 403)
        self.site["enabled"] = False
        self.assertEqual(self.visit("/")[0], 403)

    def test_the_bucket_refuses_who_comes_past_the_distribution(self) -> None:
        bucket = f"site.s3.{REGION}.amazonaws.com"
        self.assertEqual(self.visit("/index.html", host=bucket)[0], 403)
        self.assertEqual(self.owner("GET", "/index.html")[0], 200)
        self.assertEqual(self.owner("GET", "/index.html", secure=False)[0], 403)
        self.assertEqual(self.owner("GET", "/index.html", secret="wrong")[0], 403)
        self.assertEqual(self.owner("GET", "/index.html", host="site.s3.us-east-1.amazonaws.com")[0], 301)
        self.assertEqual(self.owner("GET", "/index.html", host=f"other.s3.{REGION}.amazonaws.com")[0], 404)

    def test_a_policy_for_another_distribution_shows_no_page(self) -> None:
        self.policy["policy"] = self.policy["policy"].replace(self.site["arn"], self.site["arn"] + "0")
        self.assertEqual(self.visit("/deep/")[0], 403)

    def test_a_distribution_that_does_not_sign_gets_no_page(self) -> None:
        self.things["oac"]["signing_behavior"] = "never"
        self.assertEqual(self.visit("/")[0], 403)

    def test_without_the_right_to_list_a_missing_page_answers_403(self) -> None:
        self.policy["policy"] = self.policy["policy"].replace("s3:ListBucket", "s3:ListBuckets")
        self.assertEqual(self.visit("/nothing.html")[0], 403)

    def test_a_page_is_kept_until_it_is_invalidated_or_too_old(self) -> None:
        self.visit("/")
        self.owner("PUT", "/index.html", b"new")
        self.assertEqual(self.visit("/")[2], b"index.html")
        api, target = "cloudfront.amazonaws.com", f"/{cdn.API}/distribution/{self.site['id']}/invalidation"
        paths = "<Paths><Items><Path>/*</Path></Items></Paths>"
        batch = f'<InvalidationBatch xmlns="{cdn.SPACE}">{paths}</InvalidationBatch>'.encode()
        self.assertEqual(self.owner("POST", target, batch, host=api, secret="wrong")[0], 403)
        self.assertEqual(self.visit(target, host=api, method="POST")[0], 403)
        self.assertEqual(self.owner("POST", target, batch.replace(b"/*", b"*"), host=api)[0], 400)
        self.assertEqual(self.owner("POST", target.replace("E0", "E1"), batch, host=api)[0], 404)
        status, _, answer = self.owner("POST", target, batch, host=api)
        self.assertEqual((status, b"<Id>I" in answer), (201, True))
        self.assertEqual(self.visit("/")[2], b"new")
        self.owner("PUT", "/index.html", b"newer")
        with mock.patch.object(cdn.time, "time", return_value=time.time() + 86401):
            self.assertEqual(self.visit("/")[2], b"newer")

    def test_versions_are_kept_hidden_and_deleted_for_good(self) -> None:
        buckets = self.front.buckets
        self.owner("PUT", "/index.html", b"new")
        self.owner("DELETE", "/index.html")
        self.assertEqual(self.owner("GET", "/index.html")[0], 404)
        listed = self.owner("GET", "/?versions")[2].decode()
        self.assertEqual((listed.count("<Version>"), listed.count("<DeleteMarker>")), (4, 1))
        self.assertFalse(buckets.is_empty("site"))
        objects = "".join(
            f"<Object><Key>{key}</Key><VersionId>{one['id']}</VersionId></Object>"
            for key, versions in buckets.objects["site"].items()
            for one in versions
        )
        self.assertEqual(self.owner("POST", "/?delete", f"<Delete>{objects}</Delete>".encode())[0], 200)
        self.assertTrue(buckets.is_empty("site"))
        self.assertEqual(self.owner("POST", "/?delete", b"<Delete/>")[0], 400)

    def test_keys_are_listed_in_pages(self) -> None:
        first = self.owner("GET", "/?list-type=2&max-keys=2")[2].decode()
        self.assertIn(
            "<IsTruncated>true</IsTruncated><NextContinuationToken>deep/index.html</NextContinuationToken>", first
        )
        second = self.owner("GET", "/?list-type=2&continuation-token=deep%2Findex.html")[2].decode()
        self.assertEqual(second.count("<Contents>"), 1)
        self.assertEqual(self.owner("GET", "/?acl")[0], 501)

    def test_an_upload_in_frames_is_put_together_and_checked(self) -> None:
        digest = base64.b64encode(hashlib.sha256(b"hello").digest()).decode()
        headers = {"content-encoding": "aws-chunked", "x-amz-decoded-content-length": "5"}
        framed = f"3\r\nhel\r\n2\r\nlo\r\n0\r\nx-amz-checksum-sha256:{digest}\r\n\r\n".encode()
        self.assertEqual(s3.unwrapped(framed, headers), b"hello")
        for wrong in (framed.replace(b"lo", b"la"), framed.replace(b"2\r\nlo\r\n", b"")):
            with self.assertRaises(s3.Refused):
                s3.unwrapped(wrong, headers)

    def test_wrong_resources_are_refused(self) -> None:
        check = self.front.distributions.check
        change: dict[str, Any]
        for change in (
            {"http_version": "http4"},
            {"price_class": "PriceClass_1"},
            {"origin": []},
            {"aliases": ["a.example.org"]},
        ):
            with self.assertRaises(cdn.Invalid, msg=change):
                check("aws_cloudfront_distribution", {**self.given, **change})
        [behavior] = self.given["default_cache_behavior"]
        for change in (
            {"cache_policy_id": "1"},
            {"response_headers_policy_id": "1"},
            {"viewer_protocol_policy": "https"},
            {"function_association": [{"event_type": "viewer-request", "function_arn": "1"}]},
        ):
            with self.assertRaises(cdn.Invalid, msg=change):
                check("aws_cloudfront_distribution", {**self.given, "default_cache_behavior": [{**behavior, **change}]})
        with self.assertRaises(cdn.Invalid):
            check("aws_cloudfront_origin_access_control", {"signing_behavior": "sometimes"})
        for code, runtime in (
            ("function handler(", "cloudfront-js-2.0"),
            (FUNCTION, "nodejs"),
            ("x" * 10241, "cloudfront-js-2.0"),
        ):
            with self.assertRaises(cdn.Invalid):
                check("aws_cloudfront_function", {"code": code, "runtime": runtime})

    def test_wrong_and_public_policies_are_refused(self) -> None:
        check, one = self.front.buckets.check_policy, {"Effect": "Allow", "Action": "s3:GetObject", "Principal": "*"}
        for policy in (
            "{",
            "{}",
            json.dumps({"Statement": [{**one, "Resource": "arn:aws:s3:::other/*"}]}),
            json.dumps({"Statement": [{**one, "Resource": "arn:aws:s3:::site/*"}]}),
        ):
            with self.assertRaises(s3.Refused, msg=policy):
                check({"bucket": "site", "policy": policy})

    def test_what_is_in_use_or_not_empty_is_not_deleted(self) -> None:
        self.assertEqual(self.front.distributions.users(self.things["oac"]), [self.site["id"]])
        self.assertEqual(self.front.distributions.users(self.things["folders"]), [self.site["id"]])
        self.assertEqual(self.front.distributions.users(self.site), [])


class Wrappers(unittest.TestCase):
    def test_the_sandbox_has_the_description_of_each_service_and_no_examples(self) -> None:
        import sandbox

        data = ".terraform.d/ground/lib/botocore/data"
        for name, kept in (
            (f"{data}/s3/1/service-2.json.gz", True),
            (f"{data}/sdb/1/service-2.json.gz", True),
            (f"{data}/endpoints.json", True),
            (".terraform.d/ground/lib/awscli/examples/s3/ls.rst", False),
        ):
            file = mock.Mock()
            file.name = name
            self.assertEqual(sandbox.needed(file) is not None, kept, name)


if __name__ == "__main__":
    unittest.main()
