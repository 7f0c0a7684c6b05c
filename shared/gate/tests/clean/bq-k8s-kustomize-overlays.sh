#!/usr/bin/env bash
# Kustomize: one base, overlays for staging and production with patches, generated config with hashes.
set -euo pipefail

: "${OVERLAY:=staging}" "${SHOP_TAG:?for example 3.2.1}"
[[ $OVERLAY == staging || $OVERLAY == production ]]
[[ $SHOP_TAG =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]

mkdir -p ~/workspace/kustomize/{base,overlays/{staging,production}}
cd ~/workspace/kustomize

cat > base/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - deployment.yaml
  - service.yaml
labels:
  - pairs:
      app.kubernetes.io/part-of: shop
configMapGenerator:
  - name: shop
    literals:
      - LOG_LEVEL=info
      - CURRENCY=EUR
EOF

cat > base/deployment.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 1
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: app
          image: shop
          ports:
            - name: http
              containerPort: 3000
          envFrom:
            - configMapRef:
                name: shop
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          resources:
            requests:
              cpu: 50m
              memory: 128Mi
            limits:
              memory: 256Mi
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
EOF

cat > base/service.yaml <<'EOF'
apiVersion: v1
kind: Service
metadata:
  name: shop
spec:
  selector:
    app: shop
  ports:
    - name: http
      port: 80
      targetPort: http
EOF

cat > overlays/staging/kustomization.yaml <<EOF
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop-staging
resources:
  - namespace.yaml
  - ../../base
images:
  - name: shop
    newName: registry.example.org/shop/app
    newTag: $SHOP_TAG
configMapGenerator:
  - name: shop
    behavior: merge
    literals:
      - LOG_LEVEL=debug
EOF

cat > overlays/production/kustomization.yaml <<EOF
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop-production
resources:
  - namespace.yaml
  - ../../base
  - hpa.yaml
images:
  - name: shop
    newName: registry.example.org/shop/app
    newTag: $SHOP_TAG
patches:
  - path: resources.yaml
  - target:
      kind: Deployment
      name: shop
    # The autoscaler decides on the number of pods.
    patch: |-
      - op: remove
        path: /spec/replicas
      - op: add
        path: /spec/template/spec/priorityClassName
        value: shop-production
EOF

for env in staging production; do
  cat > "overlays/$env/namespace.yaml" <<EOF
apiVersion: v1
kind: Namespace
metadata:
  name: shop-$env
  labels:
    pod-security.kubernetes.io/enforce: restricted
EOF
done

cat > overlays/production/resources.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  template:
    spec:
      containers:
        - name: app
          resources:
            requests:
              cpu: 250m
              memory: 256Mi
            limits:
              memory: 512Mi
EOF

cat > overlays/production/hpa.yaml <<'EOF'
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: shop
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: shop
  minReplicas: 3
  maxReplicas: 9
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 65
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: shop-production
value: 1000
globalDefault: false
description: The shop goes before batch jobs
EOF

for env in staging production; do
  kubectl kustomize "overlays/$env" > /dev/null
done

kubectl apply -f "overlays/$OVERLAY/namespace.yaml"
kubectl diff -k "overlays/$OVERLAY" || (( $? == 1 ))
kubectl apply -k "overlays/$OVERLAY"
kubectl -n "shop-$OVERLAY" rollout status deployment/shop --timeout=180s
