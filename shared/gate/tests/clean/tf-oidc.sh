#!/usr/bin/env bash
# Lets the pipeline of one repository publish the site
set -euo pipefail
cd ~/workspace/terraform
cat >versions.tf <<'EOF'
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}
EOF
cat >pipeline.tf <<'EOF'
variable "repository" {
  type    = string
  default = "example/shop"
}

data "aws_caller_identity" "this" {}

resource "aws_iam_openid_connect_provider" "github" {
  url            = "https://token.actions.githubusercontent.com"
  client_id_list = ["sts.amazonaws.com"]
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
      values   = ["repo:${var.repository}:ref:refs/heads/main"]
    }
  }
}

data "aws_iam_policy_document" "publish" {
  statement {
    actions   = ["s3:PutObject", "s3:DeleteObject"]
    resources = ["arn:aws:s3:::shop-site-${data.aws_caller_identity.this.account_id}/*"]
  }

  statement {
    actions   = ["s3:ListBucket"]
    resources = ["arn:aws:s3:::shop-site-${data.aws_caller_identity.this.account_id}"]
  }
}

resource "aws_iam_role" "pipeline" {
  name               = "pipeline"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

resource "aws_iam_role_policy" "publish" {
  role   = aws_iam_role.pipeline.name
  policy = data.aws_iam_policy_document.publish.json
}

output "role" {
  value = aws_iam_role.pipeline.arn
}
EOF
terraform fmt -check
terraform validate
