#!/usr/bin/env bash
set -euo pipefail

ns="jobs"
kubectl get namespace "$ns" >/dev/null 2>&1 || kubectl create namespace "$ns"

cat > cron.yaml <<'EOF'
apiVersion: batch/v1
kind: CronJob
metadata:
  name: ping
  namespace: jobs
spec:
  schedule: "*/15 * * * *"
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 2
  jobTemplate:
    spec:
      backoffLimit: 1
      template:
        metadata:
          labels:
            job: ping
        spec:
          restartPolicy: Never
          containers:
            - name: ping
              image: curlimages/curl:8.11.1
              args: ["-fsS", "https://www.example.com/"]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ping-egress
  namespace: jobs
spec:
  podSelector:
    matchLabels:
      job: ping
  policyTypes: ["Ingress", "Egress"]
  egress:
    - ports:
        - protocol: TCP
          port: 443
        - protocol: UDP
          port: 53
EOF

kubectl apply --server-side -f cron.yaml
run="ping-manual-$(date +%s)"
kubectl -n "$ns" create job "$run" --from=cronjob/ping
kubectl -n "$ns" wait --for=condition=complete "job/$run" --timeout=120s
