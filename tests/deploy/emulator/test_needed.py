"""Tests `needed.py` with invented decisions and statements."""

import unittest
from collections.abc import Sequence

import needed

TABLE = "arn:aws:dynamodb:us-east-1:000000000000:table/t"


def statement(action: str | list[str], keys: list[str], attributes: list[str] | None = None) -> needed.Statement:
    condition = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": keys}}
    if attributes:
        condition["ForAllValues:StringEquals"] = {"dynamodb:Attributes": attributes}
    return {"Effect": "Allow", "Action": action, "Resource": TABLE, "Condition": condition}


def decision(action: str | list[str], key: str, attributes: Sequence[str] = ()) -> needed.Decision:
    return ["role", action, TABLE, False, {"dynamodb:LeadingKeys": [key], "dynamodb:Attributes": list(attributes)}]


READ = statement("dynamodb:GetItem", ["P#*"])
ALSO = statement(["dynamodb:GetItem", "dynamodb:Query"], ["P#*", "W#*"])
MOVE = statement("dynamodb:UpdateItem", ["P#*"], ["pk", "ends_at"])


class Needed(unittest.TestCase):
    def test_a_statement_that_alone_allowed_a_call_was_needed(self) -> None:
        self.assertEqual(needed.needed([READ, MOVE], [decision("dynamodb:GetItem", "P#1")]), {0})
        self.assertEqual(needed.needed([MOVE], [decision("dynamodb:UpdateItem", "P#1", ["ends_at"])]), {0})

    def test_a_statement_beside_another_was_not(self) -> None:
        twice = decision("dynamodb:GetItem", "P#1")
        self.assertEqual(needed.needed([READ, ALSO], [twice]), set())
        self.assertEqual(needed.needed([READ, ALSO], [twice, decision("dynamodb:Query", "P#1")]), {1})

    def test_a_statement_for_other_keys_or_attributes_was_not(self) -> None:
        self.assertEqual(needed.needed([READ], [decision("dynamodb:GetItem", "W#1")]), set())
        self.assertEqual(needed.needed([MOVE], [decision("dynamodb:UpdateItem", "P#1", ["owner"])]), set())

    def test_each_statement_is_needed_or_listed(self) -> None:
        roles, calls = {"R": [READ, MOVE]}, {"R": [decision("dynamodb:GetItem", "P#1")]}
        name = needed.label(MOVE)
        self.assertEqual(name, "dynamodb:UpdateItem P#* (ends_at, pk)")
        self.assertEqual(needed.complaints(roles, calls, []), [f"no call needed `{name}` of R"])
        self.assertEqual(needed.complaints(roles, calls, [{"statements": [name]}]), [])
        self.assertEqual(needed.complaints(roles, calls, [{"roles": ["R"], "statements": [name]}]), [])

    def test_an_entry_of_the_list_is_for_its_roles_and_for_statements_that_exist(self) -> None:
        name = needed.label(READ)
        found = needed.complaints({"R": [READ]}, {}, [{"roles": ["S"], "statements": [name]}])
        self.assertEqual(found, [f"no call needed `{name}` of R", f"undriven.json lists `{name}`, which no role has"])
        found = needed.complaints({"R": [READ]}, {}, [{"statements": [name, "sqs:SendMessage"]}])
        self.assertEqual(found, ["undriven.json lists `sqs:SendMessage`, which no role has"])
        calls = {"R": [decision("dynamodb:GetItem", "P#1")]}
        self.assertEqual(needed.complaints({"R": [READ]}, calls, [{"statements": [name]}]), [])


if __name__ == "__main__":
    unittest.main()
