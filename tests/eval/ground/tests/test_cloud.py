"""Checks the stand-in cloud and the providers in front of it: what they keep, make and refuse."""

import json
import unittest
import urllib.error
import urllib.request
from typing import Any

from running import OWN, ROOT, SECRET, Context, Running


class Cloud(Running):
    def ask(self, method: str, path: str, body: Any = None, word: str = SECRET) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(
            f"{self.address}/{path}", data, {"authorization": f"Bearer {word}"}, method=method
        )
        try:
            with urllib.request.urlopen(asked) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)["error"]["message"]

    def test_others_do_not_get_in(self) -> None:
        for path, word in (("server", "another"), ("server", OWN), ("wanted", SECRET), ("made", SECRET)):
            self.assertIn(self.ask("POST" if path != "wanted" else "GET", path, {}, word)[0], (401, 404), path)
        self.assertEqual(self.ask("GET", "wanted", word=OWN), (200, []))

    def test_a_server_is_made_named_once_and_gone(self) -> None:
        status, server = self.ask("POST", "server", {"name": "web1", "user_data": "#cloud-config"})
        self.assertEqual((status, server["status"]), (201, "initializing"))
        self.assertEqual(self.ask("POST", "server", {"name": "web1"})[0], 409)
        self.ask("POST", "made", {"id": server["id"], "status": "running", "ipv4_address": "192.0.2.1"}, OWN)
        self.assertEqual(self.ask("GET", f"server/{server['id']}")[1]["ipv4_address"], "192.0.2.1")
        self.assertEqual(self.ask("DELETE", f"server/{server['id']}")[0], 200)
        self.assertEqual(self.ask("GET", f"server/{server['id']}")[0], 404)
        self.assertEqual(self.ask("POST", "server", {"name": "web1"})[0], 201)
        self.assertEqual(self.ask("POST", "load_balancer", {"name": "web1"})[0], 404)

    def test_an_instance_has_its_key_and_what_its_groups_let_in(self) -> None:
        _, key = self.ask("POST", "aws_key_pair", {"key_name": "one", "public_key": "ssh-ed25519 AAAA"})
        _, group = self.ask("POST", "aws_security_group", {"name": "one"})
        rule = {
            "security_group_id": group["id"],
            "ip_protocol": "tcp",
            "from_port": 22,
            "to_port": 22,
            "cidr_ipv4": "192.0.2.0/24",
        }
        _, first = self.ask("POST", "aws_vpc_security_group_ingress_rule", rule)
        self.ask("POST", "aws_vpc_security_group_ingress_rule", {**rule, "security_group_id": "sg-other"})
        self.ask("DELETE", f"aws_vpc_security_group_ingress_rule/{first['id']}")
        self.ask("POST", "aws_vpc_security_group_ingress_rule", {**rule, "to_port": 23})
        _, made = self.ask(
            "POST",
            "aws_instance",
            {
                "key_name": key["id"],
                "vpc_security_group_ids": [group["id"]],
                "tags": {"Name": "a"},
                "metadata_options": [{"http_tokens": "required"}],
            },
        )
        self.assertEqual(
            (made["name"], made["metadata"], [one["to_port"] for one in made["let_in"]]), ("a", "required", [23])
        )
        self.assertIn("ssh-ed25519 AAAA", made["user_data"])

    def test_a_private_network_takes_addresses_of_its_range_once(self) -> None:
        _, server = self.ask("POST", "server", {"name": "web1"})
        _, network = self.ask("POST", "network", {"name": "one", "ip_range": "10.77.0.0/16"})
        subnet = {
            "network_id": int(network["id"]),
            "type": "cloud",
            "network_zone": "eu-central",
            "ip_range": "10.77.0.0/24",
        }
        for wrong in ({"ip_range": "10.78.0.0/24"}, {"network_zone": "eu"}, {"network_id": 1}, {"type": "vlan"}):
            self.assertGreaterEqual(self.ask("POST", "network_subnet", {**subnet, **wrong})[0], 400, wrong)
        self.assertEqual(self.ask("POST", "network_subnet", {**subnet, "ip_range": "fd00::/64"})[0], 400)
        _, made = self.ask("POST", "network_subnet", subnet)
        self.assertEqual((made["id"], made["gateway"]), (f"{network['id']}-10.77.0.0/24", "10.77.0.1"))
        self.assertEqual(self.ask("GET", f"network_subnet/{network['id']}-10.77.0.0%2F24")[1], made)
        place = {"server_id": int(server["id"]), "subnet_id": made["id"], "ip": "10.77.0.11"}
        for wrong in ({"ip": "10.77.1.1"}, {"ip": "10.77.0.1"}, {"server_id": 1}, {"subnet_id": "1"}, {"ip": "web1"}):
            self.assertGreaterEqual(self.ask("POST", "server_network", {**place, **wrong})[0], 400, wrong)
        status, made = self.ask("POST", "server_network", place)
        self.assertEqual((status, made["range"], made["status"]), (201, "10.77.0.0/24", "initializing"))
        self.assertEqual(self.ask("POST", "server_network", place)[0], 409)
        self.assertIn("server_network", [one["kind"] for one in self.ask("GET", "wanted", word=OWN)[1]])

    def test_what_is_posted_to_the_webhook_is_kept(self) -> None:
        self.ask("POST", "alerts", {"alerts": ["one"]})
        self.assertEqual(self.ask("GET", "alerts", word="")[1], [{"alerts": ["one"]}])


class Providers(Running):
    def test_hetzners_provider_makes_reads_and_deletes(self) -> None:
        hcloud = self.provider("hcloud")
        key, errors = self.made(hcloud, "ssh_key", name="one", public_key="ssh-ed25519 AAAA", id=hcloud.types.Unknown)
        self.assertEqual((errors, key["name"]), ([], "one"))
        kind = next(one for one in self.resources(hcloud) if one.get_name() == "ssh_key")(None)
        self.assertEqual(kind.read(Context(), key), key)
        kind.delete(Context(), key)
        self.assertIsNone(kind.read(Context(), key))
        _, errors = self.made(hcloud, "ssh_key", name="two", public_key="")
        self.assertEqual(errors, [])
        _, errors = self.made(hcloud, "ssh_key", name="two", public_key="")
        self.assertIn("already used", errors[0])

    def test_a_wrong_secret_is_an_error(self) -> None:
        _, errors = self.made(self.provider("hcloud", "wrong"), "network", name="one", ip_range="10.0.0.0/8")
        self.assertIn("unable to authenticate", errors[0])

    def test_locations_have_their_zone_and_no_others_exist(self) -> None:
        location, context = self.provider("hcloud").Location(None), Context()
        self.assertEqual(location.read(context, {"name": "hil"})["network_zone"], "us-west")
        self.assertIsNone(location.read(context, {"name": "munich"}))
        self.assertTrue(context.errors)

    def test_awss_provider_has_the_fields_of_the_gates_table(self) -> None:
        aws = self.provider("aws")
        names = {one.get_name() for one in aws.Aws().get_resources()}
        self.assertLessEqual({"s3_bucket", "instance", "cloudfront_distribution", "route53_record"}, names)
        bucket = next(one for one in aws.Aws().get_resources() if one.get_name() == "s3_bucket").get_schema()
        signs = {one.name: (one.required, one.optional, one.computed) for one in bucket.attributes}
        self.assertEqual((signs["arn"], signs["bucket"]), ((False, False, True), (False, True, False)))
        self.assertIn("versioning", [one.type_name for one in bucket.block_types])
        sources = {one.get_name() for one in aws.Aws().get_data_sources()}
        self.assertLessEqual({"route53_zones", "iam_policy_document", "ami"}, sources)

    def test_a_bucket_gets_what_aws_gives_it(self) -> None:
        aws = self.provider("aws")
        unknown = dict.fromkeys(("id", "arn", "bucket_regional_domain_name"), aws.types.Unknown)
        state, errors = self.made(aws, "s3_bucket", bucket="site-one", **unknown)
        self.assertEqual((errors, state["id"], state["arn"]), ([], "site-one", "arn:aws:s3:::site-one"))
        self.assertEqual(state["bucket_regional_domain_name"], "site-one.s3.eu-central-1.amazonaws.com")

    def test_policies_are_written_as_aws_reads_them(self) -> None:
        aws = self.provider("aws")
        block = {
            "sid": "Reads",
            "actions": ["s3:GetObject"],
            "resources": ["b", "a"],
            "principals": [{"type": "Service", "identifiers": ["cloudfront.amazonaws.com"]}],
            "condition": [{"test": "StringEquals", "variable": "AWS:SourceArn", "values": ["c"]}],
        }
        written = json.loads(aws.known("iam_policy_document", {"statement": [block]})["json"])
        self.assertEqual(
            written,
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Sid": "Reads",
                        "Effect": "Allow",
                        "Action": "s3:GetObject",
                        "Resource": ["a", "b"],
                        "Principal": {"Service": "cloudfront.amazonaws.com"},
                        "Condition": {"StringEquals": {"AWS:SourceArn": "c"}},
                    }
                ],
            },
        )
        everybody = aws.statement(
            {"effect": "Deny", "actions": ["s3:*"], "principals": [{"type": "*", "identifiers": ["*"]}]}
        )
        self.assertEqual((everybody["Effect"], everybody["Principal"]), ("Deny", "*"))

    def test_a_policy_for_caching_that_aws_does_not_have_is_an_error(self) -> None:
        aws, context = self.provider("aws"), Context()
        policy = next(one for one in aws.Aws().get_data_sources() if one.get_name() == "cloudfront_cache_policy")(None)
        self.assertIn("-", policy.read(context, {"name": "Managed-CachingOptimized"})["id"])
        self.assertIsNone(policy.read(context, {"name": "Managed-Caching"}))
        self.assertTrue(context.errors)

    def test_both_providers_serve_the_versions_that_the_catalogue_asks_for(self) -> None:
        import sandbox

        versions = {
            one["name"]: one["version"]
            for one in json.loads((ROOT / "infra/blueprint/catalogue/versions.json").read_text())["components"]
        }
        for _, name, version in sandbox.PROVIDERS:
            major, minor = versions[f"terraform-{name}"].split(".")
            self.assertEqual(version.split(".")[0], major)
            self.assertGreaterEqual(int(version.split(".")[1]), int(minor))


if __name__ == "__main__":
    unittest.main()
