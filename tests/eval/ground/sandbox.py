"""What a sandbox gets for its home, so that its programs find the cloud: Terraform's providers, the command line of
AWS, and the way to the names that the Internet would know.
"""

import pathlib
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# Where Terraform finds the providers without any setting, their versions, and where the files of both lie.
PLUGIN = (
    ".terraform.d/plugins/registry.terraform.io/{owner}/{name}/{version}/linux_amd64/"
    "terraform-provider-{name}_v{version}"
)
PROVIDERS = (("hetznercloud", "hcloud", "1.60.1"), ("hashicorp", "aws", "6.25.0"))
SHARED = ".terraform.d/ground"
AWS = ROOT / "shared/gate/src/check/schemas/aws.txt"
# An outside address that returns the caller's.
CHECK = "checkip.amazonaws.com"
# A sandbox finds no names of the Internet here, so these programs lead AWS's names to the cloud, and all else to the
# real ones.
CURL = """#!/usr/bin/env bash
case "$*" in
  *.cloudfront.net* | *.amazonaws.com*) exec /usr/bin/curl --connect-to "::@CLOUD@:" --cacert ~/.checkip.pem "$@" ;;
esac
exec /usr/bin/curl "$@"
"""
OPENSSL = """#!/usr/bin/env bash
words=()
for word in "$@"; do
  if [[ ${words[-1]:-} == -connect && $word == *.cloudfront.net:443 ]]; then
    words+=("@CLOUD@:443" -CAfile ~/.checkip.pem)
  else
    words+=("$word")
  fi
done
exec /usr/bin/openssl "${words[@]}"
"""
# A name that the request's owner has lead to a server, as they would in the DNS.
GETENT = """#!/usr/bin/env bash
if [[ $# -eq 2 && $1 == ahostsv4 ]] && address=$(/usr/bin/curl -q -fsS "http://@CLOUD@/names/$2" 2>/dev/null); then
  printf '%s  %s %s\\n' "$address" STREAM "$2" "$address" DGRAM '' "$address" RAW ''
  exit
fi
exec /usr/bin/getent "$@"
"""
COMMAND_LINE = """#!/usr/bin/env bash
export HTTPS_PROXY=http://@CLOUD@:3128 AWS_CA_BUNDLE=~/.checkip.pem PYTHONPATH=~/.terraform.d/ground/lib
exec /usr/bin/python3 -c 'import sys; from awscli.clidriver import main; sys.exit(main())' "$@"
"""


def libraries() -> pathlib.Path:
    """The packages that the provider imports, for the Python of sandboxes."""
    venv = ROOT / "target/eval-venv"
    subprocess.run([ROOT / "infra/venv.sh", venv, HERE / "requirements.txt"], check=True, stdout=sys.stderr)
    (found,) = venv.glob("lib/python3.*/site-packages")
    sandbox = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; print('python%d.%d' % sys.version_info[:2])"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    if found.parent.name != sandbox:
        raise SystemExit(
            f"sandboxes have {sandbox}, and python3 here is {found.parent.name}: put /usr/bin first on PATH"
        )
    return found


def needed(file: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """A file for the sandbox, or None for an example of the command line's help. Without the description of each
    service, the command line does not start."""
    return None if "awscli/examples/" in file.name else file


def executable(file: tarfile.TarInfo) -> tarfile.TarInfo:
    file.mode = 0o755
    return file


def pack(folder: pathlib.Path, cloud: str) -> None:
    """Writes the archive of the files for a sandbox's home, with the cloud's address in them."""
    with tarfile.open(folder / "new.tar", "w") as tar:
        for owner, name, version in PROVIDERS:
            tar.add(
                HERE / f"{name}.py",
                PLUGIN.format(owner=owner, name=name, version=version),
                filter=executable,
            )
        for file in (HERE / "thing.py", HERE / "managed.py", AWS):
            tar.add(file, f"{SHARED}/{file.name}")
        skipped = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "__pycache__", "distutils-precedence.pth")
        for file in libraries().iterdir():
            if not file.name.startswith(skipped):
                tar.add(file, f"{SHARED}/lib/{file.name}", filter=needed)
        tar.add(folder / "certificate.pem", ".checkip.pem")
        checked = f'connect-to = "{CHECK}:443:{cloud}:443"\ncacert = "@HOME@/.checkip.pem"\n'
        for name, text in (
            (f"{SHARED}/endpoint", f"http://{cloud}"),
            (".curlrc", checked),
            (".local/bin/curl", CURL),
            (".local/bin/openssl", OPENSSL),
            (".local/bin/aws", COMMAND_LINE),
            (".local/bin/getent", GETENT),
        ):
            file = folder / "text"
            file.write_text(text.replace("@CLOUD@", cloud))
            file.chmod(0o755)
            tar.add(file, name)
    (folder / "text").unlink()
    (folder / "new.tar").rename(folder / "sandbox.tar")
