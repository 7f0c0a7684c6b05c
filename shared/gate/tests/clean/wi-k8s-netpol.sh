#!/usr/bin/env bash
set -euo pipefail

mkdir -p np && cd np
cat > policy.yaml <<'EOF'
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: db-from-shop
  namespace: shop
spec:
  podSelector:
    matchLabels:
      app: db
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector:
            matchLabels:
              app: shop
      ports:
        - protocol: TCP
          port: 5432
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: report
  namespace: shop
spec:
  schedule: "*/30 * * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: report
              image: busybox:1.37.0
              command: ["sh", "-c", "echo report $(date)"]
EOF
kubectl apply --dry-run=server -f policy.yaml
kubectl apply -f policy.yaml
kubectl -n shop get cronjob/report networkpolicy/db-from-shop
