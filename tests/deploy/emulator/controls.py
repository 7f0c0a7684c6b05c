"""Negative controls: what is removed from the template, and the test that must fail without it."""


def cut(text: str, block: str, begin: str, lines: int) -> str:
    """The text without this many lines from `begin` on, searched from the resource `block`."""
    at = text.index(begin, text.index(f"  {block}:\n"))
    end = at
    for _ in range(lines):
        end = text.index("\n", end) + 1
    return text[:at] + text[end:]


SIGNED_IN = "deployed::a_call_is_signed_in_through_api_gateway"
PLANNED = "deployed::a_plan_is_written_by_way_of_the_queue"
STATEMENT = "              - Effect: Allow\n                Action: dynamodb:Query\n"

CONTROLS = [
    ("the permission to list projects", lambda text: cut(text, "ProjectsRole", STATEMENT, 4), SIGNED_IN),
    (
        "the route that lists projects",
        lambda text: cut(text, "ProjectsFunction", "        List: {Type: Api", 1),
        SIGNED_IN,
    ),
    (
        "the mapping of the agent runs' queue",
        lambda text: cut(text, "AgentRunnerFunction", "        Runs:\n", 3),
        PLANNED,
    ),
]
