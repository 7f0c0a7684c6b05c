#!/usr/bin/env bash
# Deploys the API to the cluster
set -euo pipefail
mkdir -p ~/workspace/kubernetes
cd ~/workspace/kubernetes
cat > api.yaml <<'EOF'
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: shop
  labels: {app.kubernetes.io/name: api}
spec:
  replicas: 2
  selector:
    matchLabels:
      app.kubernetes.io/name: api
  template:
    metadata:
      labels:
        app.kubernetes.io/name: api
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
      containers:
        - name: api
          image: ghcr.io/example/api:1.4.2
          ports:
            - name: http
              containerPort: 8080
          envFrom:
            - secretRef:
                name: api
          readinessProbe:
            httpGet: {path: /health, port: http}
          resources:
            requests: {cpu: 100m, memory: 64Mi}
            limits: {memory: 128Mi}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
---
apiVersion: v1
kind: Service
metadata:
  name: api
  namespace: shop
spec:
  type: ClusterIP
  selector:
    app.kubernetes.io/name: api
  ports:
    - port: 80
      targetPort: http
EOF
kubectl apply --dry-run=client -f api.yaml
kubectl apply -f api.yaml
kubectl create secret generic api --namespace shop --from-literal="password=$DATABASE_PASSWORD" --dry-run=client -o yaml | kubectl apply -f -
kubectl --namespace shop rollout status deployment/api --timeout=180s
