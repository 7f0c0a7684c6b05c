#!/usr/bin/env bash
set -euo pipefail

cat > values.yaml <<'EOF'
controller:
  replicaCount: 2
  service:
    type: LoadBalancer
    externalTrafficPolicy: Local
  metrics:
    enabled: true
  resources:
    requests:
      cpu: 100m
      memory: 128Mi
EOF

helm repo add ingress-nginx https://kubernetes.github.io/ingress-nginx --force-update
helm upgrade --install ingress-nginx ingress-nginx/ingress-nginx \
  --version 4.12.0 \
  --namespace ingress-nginx \
  --create-namespace \
  --values values.yaml \
  --atomic \
  --timeout 5m
kubectl -n ingress-nginx rollout status deployment/ingress-nginx-controller --timeout=180s
