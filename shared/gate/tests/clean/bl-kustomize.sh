#!/usr/bin/env bash
set -euo pipefail

mkdir -p base overlays/prod
cat > base/deployment.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec:
      containers:
        - name: api
          image: ghcr.io/acme/api:1.4.2
          volumeMounts:
            - name: config
              mountPath: /etc/api
      volumes:
        - name: config
          configMap:
            name: api-config
EOF

cat > base/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - deployment.yaml
configMapGenerator:
  - name: api-config
    files:
      - app.toml
EOF

cat > base/app.toml <<'EOF'
title = "api"

[server]
listen = "0.0.0.0:8080"
timeout = 30

[[routes]]
path = "/v1"
methods = ["GET", "POST"]
EOF

cat > overlays/prod/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: prod
resources:
  - ../../base
replicas:
  - name: api
    count: 3
EOF

kubectl create namespace prod --dry-run=client -o yaml | kubectl apply -f -
kubectl kustomize overlays/prod > rendered.yaml
kubectl apply -f rendered.yaml
kubectl -n prod rollout status deploy/api --timeout=180s
