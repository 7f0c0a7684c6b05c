#!/usr/bin/env bash
# Installs the ingress controller by its chart
set -euo pipefail
cat > ~/workspace/ingress-values.yaml <<'EOF'
controller:
  replicaCount: 2
  service:
    type: LoadBalancer
    externalTrafficPolicy: Local
    loadBalancerSourceRanges: ["0.0.0.0/0"]
    enableHttp: true
    enableHttps: true
  metrics:
    enabled: true
EOF
helm upgrade --install ingress-nginx ingress-nginx \
  --repo https://kubernetes.github.io/ingress-nginx \
  --version 4.13.2 \
  --namespace ingress-nginx --create-namespace \
  --values ~/workspace/ingress-values.yaml \
  --wait --timeout 5m
kubectl -n ingress-nginx get deployment ingress-nginx-controller -o jsonpath='{.status.readyReplicas}' | grep -qx 2
