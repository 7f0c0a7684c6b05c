#!/usr/bin/env bash
# A group of workers that grows with the queue
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
cat >workers.tf <<'EOF'
variable "worker_ami" {
  type = string
}

variable "worker_subnets" {
  type = list(string)
}

variable "worker_security_group" {
  type = string
}

resource "aws_launch_template" "worker" {
  name_prefix            = "worker-"
  image_id               = var.worker_ami
  instance_type          = "t3.medium"
  vpc_security_group_ids = [var.worker_security_group]
  update_default_version = true

  metadata_options {
    http_endpoint = "enabled"
    http_tokens   = "required"
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size = 30
      volume_type = "gp3"
      encrypted   = true
    }
  }

  user_data = base64encode(<<-BOOT
    #!/bin/bash
    set -euo pipefail
    systemctl enable --now worker
  BOOT
  )
}

resource "aws_autoscaling_group" "worker" {
  name                = "worker"
  min_size            = 1
  max_size            = 4
  desired_capacity    = 2
  vpc_zone_identifier = var.worker_subnets
  health_check_type   = "EC2"

  launch_template {
    id      = aws_launch_template.worker.id
    version = aws_launch_template.worker.latest_version
  }

  tag {
    key                 = "Name"
    value               = "worker"
    propagate_at_launch = true
  }

  lifecycle {
    ignore_changes = [desired_capacity]
  }
}

resource "aws_autoscaling_policy" "busy" {
  name                   = "busy"
  autoscaling_group_name = aws_autoscaling_group.worker.name
  policy_type            = "TargetTrackingScaling"

  target_tracking_configuration {
    target_value = 60

    predefined_metric_specification {
      predefined_metric_type = "ASGAverageCPUUtilization"
    }
  }
}
EOF
terraform fmt -check
terraform validate
