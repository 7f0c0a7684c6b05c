#!/usr/bin/env bash
# Roles for GitHub Actions without keys: one for each environment, tied to repository and environment; a boundary for both.
set -euo pipefail

: "${TF_VAR_repository:?owner/name}"
[[ $TF_VAR_repository == */* ]]

mkdir -p ~/workspace/ci-roles
cd ~/workspace/ci-roles

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.7.0"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.100.0"
    }
  }
}

provider "aws" {
  region = "eu-central-1"
}

variable "repository" {
  type = string
  validation {
    condition     = can(regex("^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$", var.repository))
    error_message = "The repository is owner/name."
  }
}

locals {
  account = data.aws_caller_identity.current.account_id
  environments = {
    staging    = { repositories = ["shop"], services = ["staging/shop"] }
    production = { repositories = ["shop"], services = ["production/shop"] }
  }
}

data "aws_caller_identity" "current" {}

resource "aws_iam_openid_connect_provider" "github" {
  url            = "https://token.actions.githubusercontent.com"
  client_id_list = ["sts.amazonaws.com"]
}

data "aws_iam_policy_document" "trust" {
  for_each = local.environments
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = [aws_iam_openid_connect_provider.github.arn]
    }
    condition {
      test     = "StringEquals"
      variable = "token.actions.githubusercontent.com:aud"
      values   = ["sts.amazonaws.com"]
    }
    condition {
      test     = "StringEquals"
      variable = "token.actions.githubusercontent.com:sub"
      values   = ["repo:${var.repository}:environment:${each.key}"]
    }
  }
}

data "aws_iam_policy_document" "deploy" {
  for_each = local.environments

  statement {
    sid       = "Login"
    actions   = ["ecr:GetAuthorizationToken"]
    resources = ["*"] # the action knows no resource
  }
  statement {
    sid = "Push"
    actions = [
      "ecr:BatchCheckLayerAvailability",
      "ecr:BatchGetImage",
      "ecr:CompleteLayerUpload",
      "ecr:GetDownloadUrlForLayer",
      "ecr:InitiateLayerUpload",
      "ecr:PutImage",
      "ecr:UploadLayerPart",
    ]
    resources = [for r in each.value.repositories : "arn:aws:ecr:eu-central-1:${local.account}:repository/${r}"]
  }
  statement {
    sid       = "Release"
    actions   = ["ecs:DescribeServices", "ecs:UpdateService"]
    resources = [for s in each.value.services : "arn:aws:ecs:eu-central-1:${local.account}:service/${s}"]
  }
}

resource "aws_iam_policy" "boundary" {
  name = "ci-boundary"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Sid = "Only", Effect = "Allow", Action = ["ecr:*", "ecs:Describe*", "ecs:UpdateService"], Resource = "*" },
      { Sid = "Never", Effect = "Deny", Action = ["ecr:Delete*", "ecr:BatchDeleteImage", "ecr:SetRepositoryPolicy"], Resource = "*" },
    ]
  })
}

resource "aws_iam_role" "deploy" {
  for_each             = local.environments
  name                 = "ci-shop-${each.key}"
  assume_role_policy   = data.aws_iam_policy_document.trust[each.key].json
  permissions_boundary = aws_iam_policy.boundary.arn
  max_session_duration = 3600
}

resource "aws_iam_role_policy" "deploy" {
  for_each = local.environments
  name     = "deploy"
  role     = aws_iam_role.deploy[each.key].id
  policy   = data.aws_iam_policy_document.deploy[each.key].json
}

# Once there was one role only, which is now the one of production.
moved {
  from = aws_iam_role.ci
  to   = aws_iam_role.deploy["production"]
}

check "trust_names_one_repository" {
  assert {
    condition = alltrue([
      for d in data.aws_iam_policy_document.trust : !strcontains(d.json, "repo:*")
    ])
    error_message = "A role trusts every repository."
  }
}

output "roles" {
  value = { for name, role in aws_iam_role.deploy : name => role.arn }
}
EOF

terraform init -input=false
terraform fmt -check
terraform validate
terraform plan -input=false -out=tfplan
terraform show -json tfplan | jq -e '[.resource_changes[] | select(.change.actions | index("delete"))] | length == 0'
terraform output -json roles | jq -r 'to_entries[] | "\(.key): \(.value)"'
