#!/usr/bin/env bash
# Plan the IAM role with which GitHub Actions of acme/shop (branch main only) pushes images to one ECR repository; no long-lived keys, nothing public.
set -euo pipefail
: "${AWS_REGION:?}"

mkdir -p infra/ci-role
cat > infra/ci-role/main.tf <<'EOF'
terraform {
  required_version = ">= 1.6.0, < 2.0.0"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.82.2"
    }
  }
}

provider "aws" {}

resource "aws_ecr_repository" "shop" {
  name                 = "shop"
  image_tag_mutability = "IMMUTABLE"
  image_scanning_configuration {
    scan_on_push = true
  }
}

resource "aws_iam_openid_connect_provider" "github" {
  url             = "https://token.actions.githubusercontent.com"
  client_id_list  = ["sts.amazonaws.com"]
  thumbprint_list = ["6938fd4d98bab03faadb97b34396831e3780aea1", "1c58a3a8518e8759bf075b76b750d4f2df264fcd"]
}

data "aws_iam_policy_document" "trust" {
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
      values   = ["repo:acme/shop:ref:refs/heads/main"]
    }
  }
}

data "aws_iam_policy_document" "push" {
  # This action knows no resource, AWS accepts only "*".
  statement {
    sid       = "Login"
    actions   = ["ecr:GetAuthorizationToken"]
    resources = ["*"]
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
    resources = [aws_ecr_repository.shop.arn]
  }
}

resource "aws_iam_role" "ci" {
  name                 = "github-shop-push"
  assume_role_policy   = data.aws_iam_policy_document.trust.json
  max_session_duration = 3600
}

resource "aws_iam_role_policy" "push" {
  name   = "ecr-push"
  role   = aws_iam_role.ci.id
  policy = data.aws_iam_policy_document.push.json
}

output "role_arn" {
  value = aws_iam_role.ci.arn
}
EOF

terraform -chdir=infra/ci-role init -input=false
terraform -chdir=infra/ci-role validate
terraform -chdir=infra/ci-role plan -input=false -out=ci-role.tfplan
