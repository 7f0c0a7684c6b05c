#!/usr/bin/env bash
set -euo pipefail
mkdir -p k8s && cd k8s
cat > app.yaml <<'EOF'
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-env
  namespace: shop
data:
  LOG_LEVEL: info
  WORKERS: "4"
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  namespace: shop
spec:
  replicas: 2
  strategy:
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 0
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: shop
          image: ghcr.io/acme/shop:3.2.1
          envFrom:
            - configMapRef:
                name: shop-env
          ports:
            - name: http
              containerPort: 8080
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits: { memory: 256Mi }
---
apiVersion: v1
kind: Service
metadata:
  name: shop
  namespace: shop
spec:
  type: ClusterIP
  selector:
    app: shop
  ports:
    - port: 80
      targetPort: http
EOF
kubectl apply --dry-run=client -f app.yaml
kubectl apply -f app.yaml
kubectl -n shop rollout status deployment/shop --timeout=180s
