#!/usr/bin/env bash
# Write the kustomize base and the staging and production overlays of the worker; apply staging only.
set -euo pipefail

mkdir -p kustomize/base kustomize/overlays/{staging,production}

cat > kustomize/base/deployment.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: worker
spec:
  replicas: 1
  selector:
    matchLabels: { app: worker }
  template:
    metadata:
      labels: { app: worker }
    spec:
      terminationGracePeriodSeconds: 60
      containers:
        - name: worker
          image: registry.example.com/shop/worker
          envFrom:
            - configMapRef: { name: worker }
            - secretRef: { name: worker-credentials } # made by the secrets step
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits: { memory: 256Mi }
          securityContext:
            runAsNonRoot: true
            runAsUser: 10001
            allowPrivilegeEscalation: false
            capabilities: { drop: [ALL] }
EOF

cat > kustomize/base/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - deployment.yaml
configMapGenerator:
  - name: worker
    literals:
      - LOG_LEVEL=info
      - QUEUE=orders
images:
  - name: registry.example.com/shop/worker
    newTag: 2.8.1
EOF

cat > kustomize/overlays/staging/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop-staging
resources:
  - ../../base
configMapGenerator:
  - name: worker
    behavior: merge
    literals:
      - LOG_LEVEL=debug
images:
  - name: registry.example.com/shop/worker
    newTag: 2.9.0-rc.2
EOF

cat > kustomize/overlays/production/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop
resources:
  - ../../base
patches:
  - target: { kind: Deployment, name: worker }
    patch: |-
      - op: replace
        path: /spec/replicas
        value: 3
EOF

for o in staging production; do
  kubectl kustomize "kustomize/overlays/$o" > "kustomize/$o.rendered.yaml"
  grep -q 'image: registry.example.com/shop/worker:2\.' "kustomize/$o.rendered.yaml"
done

kubectl get namespace shop-staging >/dev/null
kubectl -n shop-staging get secret worker-credentials >/dev/null
kubectl apply -k kustomize/overlays/staging
kubectl -n shop-staging rollout status deployment/worker --timeout=180s
