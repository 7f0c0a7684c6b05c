"""The emulator's gaps in IAM: names, condition keys and resources that the template's statements use."""

import json
import os
import re

from wrapping import wrap

# Where to write a line for each decision about a function's role; empty writes none.
DECISIONS = os.environ.get("EMULATOR_DECISIONS", "")


def secret_arns():
    """In AWS the Ref of a secret is its ARN; here it is its name, which matches no role's statement."""
    from ministack.services import secretsmanager
    from ministack.services.cloudformation import provisioners

    def create(original):
        def make(logical_id, props, stack_name):
            _, attributes = original(logical_id, props, stack_name)
            return attributes["Arn"], attributes

        return make

    def name_of(physical_id):
        found = (name for name, secret in secretsmanager._secrets.items() if secret["ARN"] == physical_id)
        return next(found, physical_id)

    def update(original):
        def change(physical_id, *args, **named):
            _, attributes = original(name_of(physical_id), *args, **named)
            return attributes["Arn"], attributes

        return change

    create_was, update_was, delete_was = (
        provisioners._sm_secret_create,
        provisioners._sm_secret_update,
        provisioners._sm_secret_delete,
    )
    handlers = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
    replaced = {
        create_was: create(create_was),
        update_was: update(update_was),
        delete_was: lambda physical_id, props: delete_was(name_of(physical_id), props),
    }
    for key, handler in handlers.items():
        if callable(handler) and handler in replaced:
            handlers[key] = replaced[handler]


def leading_keys(request):
    """The dynamodb:LeadingKeys of one call, or of one item of a transaction."""
    keys = [request.get(name) for name in ("Key", "Item")]
    leading = [str(next(iter(key["pk"].values()))) for key in keys if isinstance(key, dict) and "pk" in key]
    condition = request.get("KeyConditionExpression")
    if isinstance(condition, str):
        names = request.get("ExpressionAttributeNames") or {}
        for name, value in re.findall(r"([#\w]+)\s*=\s*(:\w+)", condition):
            if names.get(name, name) == "pk":
                leading.append(str(next(iter(request["ExpressionAttributeValues"][value].values()))))
    for table in (request.get("RequestItems") or {}).values():
        for item in table if isinstance(table, list) else table.get("Keys", []):
            parts = [item] if isinstance(table, dict) else item.values()
            keys = [(part.get("Key") or part.get("Item") or part)["pk"] for part in parts]
            leading += [str(next(iter(key.values()))) for key in keys]
    return leading


# The keywords and functions of DynamoDB's expressions. Every other word there names an attribute.
WORDS = {
    "set",
    "remove",
    "add",
    "delete",
    "and",
    "or",
    "not",
    "between",
    "in",
    "attribute_exists",
    "attribute_not_exists",
    "if_not_exists",
    "begins_with",
    "contains",
    "size",
    "list_append",
    "attribute_type",
}


def attributes(request):
    """The dynamodb:Attributes of an update: those that its expressions name, and its key."""
    if not isinstance(request.get("UpdateExpression"), str):
        return []
    names = request.get("ExpressionAttributeNames") or {}
    used = set(request.get("Key") or {})
    for expression in (request["UpdateExpression"], request.get("ConditionExpression") or ""):
        for word in re.findall(r"(?<![:\w#])#?[A-Za-z_][\w.]*", expression):
            head = word.split(".")[0]
            if head.lower() not in WORDS:
                used.add(names.get(head, head))
    return sorted(used)


class Item(str):
    """The table's ARN in the check of one item of a transaction, with that item's condition keys."""

    keys: dict[str, list[str]]


def dynamodb_context(request):
    context = {}
    if leading := leading_keys(request):
        context["dynamodb:LeadingKeys"] = leading
    if named := attributes(request):
        context["dynamodb:Attributes"] = named
    return context


def condition_keys():
    """The emulator's IAM lacks the condition keys of the template's statements: LeadingKeys, Attributes of updates,
    ecs:cluster, kms:EncryptionContextKeys. And it checks an ECS call against its cluster, where AWS checks the task."""
    from ministack.core import iam_actions, iam_evaluator

    def parsed(body):
        try:
            request = json.loads(body or b"{}")
        except ValueError:
            return {}
        return request if isinstance(request, dict) else {}

    wrap(
        iam_actions,
        "dynamodb_service_context",
        lambda original: lambda body: {**original(body), **dynamodb_context(parsed(body))},
    )

    def transactions(original):
        def checks(iam_action, body, region, account_id):
            plain, found = original(iam_action, body, region, account_id), []
            members = iam_actions._DYNAMODB_TRANSACT_ITEM_ACTIONS
            items = parsed(body).get("TransactItems") or []
            details = [item[member] for item in items for member in members if member in item]
            for (action, arn), detail in zip(plain, details if plain else [], strict=True):
                item = Item(arn)
                item.keys = dynamodb_context(detail)
                found.append((action, item))
            return found

        return checks

    wrap(iam_actions, "dynamodb_transaction_checks", transactions)

    def tags(original):
        def context(service, iam_action, body, params):
            found = original(service, iam_action, body, params)
            request = parsed(body) if service in ("ecs", "kms") else {}
            if service == "ecs" and request.get("cluster"):
                found = {**found, "ecs:cluster": cluster_arn(request["cluster"])}
            if service == "kms" and request.get("EncryptionContext"):
                found = {**found, "kms:EncryptionContextKeys": sorted(request["EncryptionContext"])}
                for name, value in request["EncryptionContext"].items():
                    found[f"kms:EncryptionContext:{name}"] = value
            return found

        return context

    wrap(iam_actions, "request_tag_context", tags)

    def resource(original):
        def arn(service, method, path, headers, body, routing_params, region, account_id):
            if service == "ecs":
                request = parsed(body)
                named = (
                    request.get("task") or (request.get("tasks") or [None])[0] or request.get("taskDefinition") or ""
                )
                if named.startswith("arn:"):
                    return named
            return original(service, method, path, headers, body, routing_params, region, account_id)

        return arn

    wrap(iam_actions, "extract_resource_arn", resource)

    def enforce(original):
        def check(access_key, action, service, region, resource_arn="*", service_context=None, **named):
            if isinstance(resource_arn, Item):
                service_context = {**(service_context or {}), **resource_arn.keys}
            denied = original(
                access_key, action, service, region, resource_arn=resource_arn, service_context=service_context, **named
            )
            if DECISIONS:
                with open(DECISIONS, "a") as log:
                    line = [decided_about(access_key), action, str(resource_arn), bool(denied), service_context]
                    log.write(json.dumps(line, default=str) + "\n")
            return denied

        return check

    wrap(iam_evaluator, "enforce", enforce)


def decided_about(access_key):
    """The name of the role to which a key was given; the key itself if it belongs to no role."""
    from ministack.core import iam_evaluator
    from ministack.core.responses import get_account_id

    principal = iam_evaluator.resolve_principal(access_key, get_account_id()) if access_key else None
    _, assumed, session = getattr(principal, "arn", "").partition(":assumed-role/")
    return session.split("/")[0] if assumed else access_key


def cluster_arn(cluster):
    from ministack.core.responses import get_account_id, get_region

    return cluster if cluster.startswith("arn:") else f"arn:aws:ecs:{get_region()}:{get_account_id()}:cluster/{cluster}"


def secure_transport():
    """The template refuses calls to buckets without TLS. The emulator is reached only over loopback, without TLS."""
    from ministack.core import iam_evaluator

    def wrapper(original):
        return lambda key, ctx: "true" if key.lower() == "aws:securetransport" else original(key, ctx)

    wrap(iam_evaluator, "_resolve_condition_key", wrapper)
