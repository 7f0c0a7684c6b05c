"""What the generated calls need that no schema says: paths that lead to something of the caller's own."""

import os

import schemathesis

PROJECT = os.environ["GROUNDCREW_PROJECT"]


@schemathesis.hook
def map_path_parameters(context, parameters):
    """Nine of ten calls are about the caller's project; the others name what they like and are refused in order."""
    if parameters and "id" in parameters and hash(str(parameters["id"])) % 10:
        return {**parameters, "id": PROJECT}
    return parameters
