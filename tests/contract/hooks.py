"""Adapts the generated calls in ways that no schema expresses: paths that lead to resources of the caller."""

import os
from typing import Any

import schemathesis

PROJECT = os.environ["GROUNDCREW_PROJECT"]
Parameters = dict[str, Any]


@schemathesis.hook
def map_path_parameters(context: object, parameters: Parameters | None) -> Parameters | None:
    """Nine of ten calls are about the caller's project; the others name arbitrary ids, which the API must refuse."""
    if parameters and "id" in parameters and hash(str(parameters["id"])) % 10:
        return {**parameters, "id": PROJECT}
    return parameters
