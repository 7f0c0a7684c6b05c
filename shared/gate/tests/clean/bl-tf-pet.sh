#!/usr/bin/env bash
set -euo pipefail

cat > main.tf <<'EOF'
terraform {
  required_providers {
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
    null = {
      source  = "hashicorp/null"
      version = "~> 3.2"
    }
  }
}

resource "random_pet" "release" {
  length = 2
}

resource "null_resource" "marker" {
  triggers = {
    release = random_pet.release.id
  }

  provisioner "local-exec" {
    command = "echo ${random_pet.release.id} > release.txt"
  }
}

output "release" {
  value = random_pet.release.id
}
EOF

terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
