"""The release of k3s as GitHub has it: the program, a stand-in (`release/k3s`) packed into one file, and its
checksum."""

import hashlib
import json
import pathlib
import zipapp

HERE = pathlib.Path(__file__).resolve().parent
VERSIONS = HERE.parents[2] / "infra/blueprint/catalogue/versions.json"
HOST = "github.com"
# Where a server finds the certificate of the cloud, to trust it for GitHub's name.
TRUSTED = "/usr/local/share/ca-certificates/ground.crt"


def write(folder: pathlib.Path) -> None:
    """Writes the files of the catalogue's version to the folder, by their paths at GitHub."""
    components = json.loads(VERSIONS.read_text())["components"]
    version = "v" + next(one["version"] for one in components if one["name"] == "k3s")
    own = folder / "k3s-io/k3s/releases/download" / version
    sources = folder / "sources"
    own.mkdir(parents=True)
    sources.mkdir()
    for file in (HERE / "release/k3s").glob("*.py"):
        (sources / file.name).write_bytes(file.read_bytes())
    (sources / "version.py").write_text(f'VERSION = "{version}"\n')
    zipapp.create_archive(sources, own / "k3s", interpreter="/usr/bin/python3", compressed=True)
    digest = hashlib.sha256((own / "k3s").read_bytes()).hexdigest()
    (own / "sha256sum-amd64.txt").write_text(f"{digest}  k3s\n{'0' * 64}  k3s-airgap-images-amd64.tar\n")
