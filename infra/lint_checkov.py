"""Compares checkov's findings in the templates with infra/checkov-exceptions.yaml: every finding must be listed there
with its reason, and everything listed there must be found. Usage: lint_checkov.py EXCEPTIONS TEMPLATE..."""

import io
import json
import os
import sys
from contextlib import redirect_stdout
from fnmatch import fnmatchcase

# Otherwise checkov downloads guidelines from its vendor's platform.
os.environ["BC_SKIP_MAPPING"] = "TRUE"

import yaml
from checkov.cloudformation.runner import Runner
from checkov.runner_filter import RunnerFilter


def findings(template: str) -> tuple[list[tuple[str, str, str]], int]:
    """The ids and resources of the failed checks, and the number of checks."""
    with redirect_stdout(io.StringIO()):
        report = Runner().run(
            root_folder=None, files=[template], runner_filter=RunnerFilter(framework=["cloudformation"])
        )
    if report.parsing_errors:
        sys.exit(f"checkov cannot read {template}")
    failed = [(check.check_id, check.resource, check.check_name) for check in report.failed_checks]
    return failed, len(report.passed_checks) + len(failed)


def main(exceptions: str, templates: list[str]) -> int:
    with open(exceptions, encoding="utf-8") as file:
        listed = yaml.safe_load(file)
    wrong = [f"{check}: give a reason" for check, entry in listed.items() if not str(entry.get("reason") or "").strip()]
    unused = {(check, pattern) for check, entry in listed.items() for pattern in entry["resources"]}
    made = 0
    for template in templates:
        failed, count = findings(template)
        made += count
        if count == 0:
            wrong.append(f"{template}: checkov checked nothing")
        for check, resource, name in failed:
            patterns = listed.get(check, {}).get("resources", [])
            matching = {(check, pattern) for pattern in patterns if fnmatchcase(resource, pattern)}
            if not matching:
                wrong.append(f"{template}: {check} {resource}: {name}")
            unused -= matching
    wrong += [f"{exceptions}: {check} {pattern}: checkov no longer finds this" for check, pattern in sorted(unused)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(json.dumps({"checks": made, "exceptions": len(listed), "wrong": len(wrong)}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
