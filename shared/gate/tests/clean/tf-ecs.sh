#!/usr/bin/env bash
# The API as a service on Fargate
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
cat >api.tf <<'EOF'
variable "image" {
  type        = string
  description = "The image with its digest"
}

variable "private_subnets" {
  type = list(string)
}

variable "api_security_group" {
  type = string
}

variable "execution_role_arn" {
  type = string
}

resource "aws_ecs_cluster" "shop" {
  name = "shop"
}

resource "aws_cloudwatch_log_group" "api" {
  name              = "/shop/api"
  retention_in_days = 30
}

resource "aws_ecs_task_definition" "api" {
  family                   = "api"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 512
  memory                   = 1024
  execution_role_arn       = var.execution_role_arn

  container_definitions = jsonencode([{
    name      = "api"
    image     = var.image
    essential = true
    portMappings = [{
      containerPort = 8080
      protocol      = "tcp"
    }]
    logConfiguration = {
      logDriver = "awslogs"
      options = {
        awslogs-group         = aws_cloudwatch_log_group.api.name
        awslogs-region        = "eu-central-1"
        awslogs-stream-prefix = "api"
      }
    }
  }])
}

resource "aws_ecs_service" "api" {
  name            = "api"
  cluster         = aws_ecs_cluster.shop.id
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = 2
  launch_type     = "FARGATE"

  network_configuration {
    subnets          = var.private_subnets
    security_groups  = [var.api_security_group]
    assign_public_ip = false
  }

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }
}
EOF
terraform fmt -check
terraform validate
