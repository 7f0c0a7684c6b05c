"""The images that the catalogue's Compose projects pull, made without a registry (`images/Dockerfile`) for servers'
Docker.

Their programs are Debian's, of its unstable release, because no other has MySQL. Their names are those of the
catalogue's versions (`infra/blueprint/catalogue/versions.json`); what the programs are in truth, `docker history`
shows.
"""

import hashlib
import json
import os
import pathlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Engine

FOLDER = pathlib.Path(__file__).resolve().parent / "images"
VERSIONS = pathlib.Path(__file__).resolve().parents[3] / "infra/blueprint/catalogue/versions.json"
PACKAGES = (
    *("mysql-server-core", "mysql-client-core", "prometheus", "prometheus-alertmanager", "prometheus-node-exporter"),
    *("prometheus-blackbox-exporter", "python3", "python3-yaml", "wget", "curl", "ca-certificates"),
    # For the stand-ins of the Elastic Stack: certificates in archives, and the journal's reader.
    *("openssl", "unzip", "systemd"),
)
# The images' names by the stage of the Dockerfile, which is also a name of the component in the file of versions.
NAMES = {
    "mysql": "mysql:{}",
    "prometheus": "prom/prometheus:v{}",
    "alertmanager": "prom/alertmanager:v{}",
    "node-exporter": "prom/node-exporter:v{}",
    "blackbox-exporter": "prom/blackbox-exporter:v{}",
    "grafana": "grafana/grafana:{}",
    "elasticsearch": "docker.elastic.co/elasticsearch/elasticsearch:{}",
    "kibana": "docker.elastic.co/kibana/kibana:{}",
    "logstash": "docker.elastic.co/logstash/logstash:{}",
    "filebeat": "docker.elastic.co/beats/filebeat:{}",
}
# Where a server finds the archive, and what lets its Docker read it before anything asks for an image.
INSIDE = "/mnt/images.tar"
LOADED = "groundcrew-test/loaded"
UNIT = f"""[Service]
ExecStartPost=/bin/sh -c 'docker image inspect {LOADED} >/dev/null 2>&1 || docker load --quiet --input {INSIDE}'
"""


def archive(docker: "Engine", work: pathlib.Path) -> pathlib.Path:
    """The file with all images, which `docker load` reads; rebuilt when any of it changes."""
    components = json.loads(VERSIONS.read_text())["components"]
    versions = {name: one["version"] for one in components for name in (one["name"], *one.get("also", ()))}
    base = docker.base_image("sid", PACKAGES)
    digest = hashlib.sha256(base.encode())
    for file in sorted(FOLDER.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            digest.update(file.read_bytes())
    names = {stage: name.format(versions[stage]) for stage, name in NAMES.items()}
    digest.update(" ".join(names.values()).encode())
    file = work / f"images-{digest.hexdigest()[:12]}.tar"
    if file.is_file():
        return file
    for stage, name in names.items():
        arguments = ["--build-arg", f"BASE_IMAGE={base}", "--build-arg", f"VERSION={versions[stage]}"]
        docker.docker("build", *arguments, "--target", stage, "--tag", name, FOLDER, capture_output=True)
    docker.docker("tag", names["grafana"], LOADED, capture_output=True)
    part = file.with_suffix(f".{os.getpid()}")
    docker.docker("save", "--output", part, *names.values(), LOADED, capture_output=True)
    part.rename(file)
    return file
