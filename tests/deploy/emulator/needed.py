"""Finds the statements of the functions' roles that the deployment needed, from IAM's decisions.

A statement is needed if it alone allowed a call: without it that call is refused, and a refusal fails the run. So each
statement must have been needed, or `undriven.json` must say why no call here exercises it; then a test of tests/deploy
fails without it (`tests/rights`).
"""

import collections
import json
import pathlib
from typing import Any

from ministack.core import iam_evaluator

import stack

# A statement of a role, and a line of IAM's decisions: role, action, resource, whether it was refused, condition keys.
Statement = dict[str, Any]
Decision = list[Any]

UNDRIVEN = pathlib.Path(__file__).with_name("undriven.json")


def listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def label(statement: Statement) -> str:
    """A statement's name: its actions, the leading keys that they open, and the attributes to which they are
    limited."""
    condition = statement.get("Condition") or {}
    keys = (condition.get("ForAllValues:StringLike") or {}).get("dynamodb:LeadingKeys") or []
    attributes = (condition.get("ForAllValues:StringEquals") or {}).get("dynamodb:Attributes") or []
    words = [*sorted(listed(statement["Action"])), *sorted(listed(keys))]
    return " ".join(words) + (f" ({', '.join(sorted(attributes))})" if attributes else "")


def allows(parsed: Any, call: Any) -> bool:
    """Whether a statement alone allows a call."""
    return iam_evaluator.evaluate(call, [[parsed]]).decision == "Allow"


def call_of(decision: Decision) -> Any:
    _, action, resource, _, context = decision
    context = {key.lower(): value for key, value in (context or {}).items()}
    return iam_evaluator.EvalContext(
        principal_arn="",
        principal_type="AssumedRole",
        principal_account="",
        action=action,
        resource_arn=resource,
        region="",
        service_context=context,
    )


def needed(statements: list[Statement], decisions: list[Decision]) -> set[int]:
    """The indexes of the statements that some decision needed."""
    parsed = [iam_evaluator.parse_policy_document({"Statement": [one]})[0] for one in statements]
    found, seen = set(), set()
    for decision in decisions:
        if (once := json.dumps(decision, sort_keys=True, default=str)) in seen:
            continue
        seen.add(once)
        call = call_of(decision)
        allowing = [number for number, one in enumerate(parsed) if allows(one, call)]
        if len(allowing) == 1:
            found.add(allowing[0])
    return found


def complaints(
    roles: dict[str, list[Statement]], decisions: dict[str, list[Decision]], undriven: list[dict[str, Any]]
) -> list[str]:
    """The errors: `roles` are lists of statements by the role's logical id, `decisions` those about each role,
    `undriven` the entries of the file. A call that an entry describes may still occur: some depend on the machine's
    speed."""
    wrong: list[str] = []
    known: set[tuple[int, str]] = set()
    for role, statements in roles.items():
        shown = needed(statements, decisions.get(role, []))
        for number, statement in enumerate(statements):
            name = label(statement)
            entries = {
                n
                for n, entry in enumerate(undriven)
                if name in entry["statements"] and role in entry.get("roles", [role])
            }
            known.update((entry, name) for entry in entries)
            if number not in shown and not entries:
                wrong.append(f"no call needed `{name}` of {role}")
    for number, entry in enumerate(undriven):
        wrong += [
            f"undriven.json lists `{name}`, which no role has"
            for name in entry["statements"]
            if (number, name) not in known
        ]
    return wrong


def roles_of(operator: stack.Operator, iam: Any) -> tuple[dict[str, str], dict[str, list[Statement]]]:
    """The roles of the stack: their names by logical id, and their deployed statements."""
    pages = operator.cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack.STACK)
    resources = [
        one for page in pages for one in page["StackResourceSummaries"] if one["ResourceType"] == "AWS::IAM::Role"
    ]
    names = {one["LogicalResourceId"]: one["PhysicalResourceId"] for one in resources}
    statements = {}
    for role, name in names.items():
        policies = iam.list_role_policies(RoleName=name)["PolicyNames"]
        documents = [iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"] for policy in policies]
        statements[role] = [one for document in documents for one in document["Statement"]]
    return names, statements


def unneeded(operator: stack.Operator, iam: Any, decisions: list[Decision]) -> list[str]:
    """The errors of a deployment, given all decisions about its roles."""
    names, statements = roles_of(operator, iam)
    by_role = collections.defaultdict(list)
    for decision in decisions:
        by_role[decision[0]].append(decision)
    decided = {role: by_role[name] for role, name in names.items()}
    return complaints(statements, decided, json.loads(UNDRIVEN.read_text()))
